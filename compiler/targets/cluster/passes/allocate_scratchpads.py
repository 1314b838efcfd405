"""Give the buffers in scratchpads their addresses, and commands their queues.

    tensor.copy.f32 a[0:64], x[0:64]    ->    a: f32[64] in nram at 0
                                              tensor.copy.f32 a[0:64], x[0:64] {queue: "io"}

How is the target's: see `compiler/targets/cluster/scratchpads.py`; which queue takes a command is
said by `machines/kinds/cluster/queues.py`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.cluster.refusals import refuse
from compiler.targets.cluster.roles import queue_for
from compiler.targets.cluster.scratchpads import SCRATCHPADS, addresses
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.kinds.cluster.code import ADDRESSES
from machines.kinds.cluster.fields import Cluster


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    chip = machine.description
    give_queues(function, chip)
    placed = addresses(
        function,
        {space: chip.usable(space) for space in SCRATCHPADS},
        {space: chip.alignment(space) for space in SCRATCHPADS},
    )
    ADDRESSES.say(function, placed)
    function.version += 1
    return Changes({"buffers placed": len(placed)})


def give_queues(function: Function, chip: Cluster) -> None:
    """Note which queue takes each command; raises InputError for what the machine does not do."""
    refuse(function, chip)
    for _, instruction in function.instructions():
        if instruction.operation.walk:
            instruction.attributes["queue"], _ = queue_for(function, instruction)


PLUGIN = Pass(
    "allocate_scratchpads",
    "Give buffers in scratchpads addresses, by live ranges where room is short.",
    run,
    forms={"ir": "placed"},
    kinds=("cluster",),
)
