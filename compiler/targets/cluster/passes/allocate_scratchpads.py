"""Give the buffers in scratchpads their addresses, and commands their queues.

    tensor.copy.f32 a[0:64], x[0:64]    ->    a: f32[64] in nram at 0
                                              tensor.copy.f32 a[0:64], x[0:64] {queue: "io"}

How is the target's: see `compiler/targets/cluster/scratchpads.py`; which queue takes a command is
said by `machines/kinds/cluster/queues.py`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.cluster.refusals import refusal
from compiler.targets.cluster.roles import queue_for
from compiler.targets.cluster.scratchpads import SCRATCHPADS, addresses
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.diagnostics import InputError, input_error
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.queues import MEM


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    chip = machine.description
    give_queues(function, chip)
    function.addresses = addresses(
        function,
        {space: chip.usable(space) for space in SCRATCHPADS},
        {space: chip.alignment(space) for space in SCRATCHPADS},
    )
    function.version += 1
    return Changes({"buffers placed": len(function.addresses)})


def give_queues(function: Function, chip: Cluster) -> None:
    """Note which queue takes each command; raises InputError for what the machine does not do."""
    if MEM in function.beside and chip.mem_core is None:
        message = f"no core runs @{function.beside[MEM]}: this machine has no MEM core"
        raise input_error(message, function.location, hint="see 'simrun machines show'")
    unknown = set(function.beside) - {MEM}
    if unknown:
        message = f"no core is called '{min(unknown)}', which should run beside @{function.name}"
        raise input_error(message, function.location, hint=f"beside = {{{MEM}: …}}")
    instructions = [instruction for _, instruction in function.instructions()]
    refusals = [refusal(function, instruction, chip) for instruction in instructions]
    if any(refusals):
        raise InputError(filter(None, refusals))
    for instruction in instructions:
        if instruction.operation.walk:
            instruction.attributes["queue"], _ = queue_for(function, instruction)


PLUGIN = Pass(
    "allocate_scratchpads",
    "Give buffers in scratchpads addresses, by live ranges where room is short.",
    run,
    forms={"ir": "placed"},
    kinds=("cluster",),
)
