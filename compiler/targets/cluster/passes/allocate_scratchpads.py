"""Give the buffers in scratchpads their addresses, and commands their queues.

    tensor.copy.f32 a[0:64], x[0:64]    ->    a: f32[64] in nram at 0
                                              tensor.copy.f32 a[0:64], x[0:64] {queue: "io"}

How is the target's: see `compiler/targets/cluster/scratchpads.py`; which queue takes a command is
said by `machines/kinds/cluster/queues.py`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.cluster.roles import queue_for
from compiler.targets.cluster.scratchpads import SCRATCHPADS, addresses
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.diagnostics import Diagnostic, InputError


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    give_queues(function)
    chip = machine.description
    function.addresses = addresses(
        function,
        {space: chip.usable(space) for space in SCRATCHPADS},
        {space: chip.alignment(space) for space in SCRATCHPADS},
    )
    function.version += 1
    return Changes({"buffers placed": len(function.addresses)})


def give_queues(function: Function) -> None:
    """Note which queue takes each command; raises InputError for those that none takes."""
    problems = []
    for _, instruction in function.instructions():
        if instruction.operation.walk:
            queue, why = queue_for(function, instruction)
            if queue is None:
                message = f"no queue takes '{instruction.operation}' here: {why}"
                problems.append(Diagnostic(message, instruction.location))
            instruction.attributes["queue"] = queue
    if problems:
        raise InputError(problems)


PLUGIN = Pass(
    "allocate_scratchpads",
    "Give buffers in scratchpads addresses, by live ranges where room is short.",
    run,
    forms={"ir": "placed"},
    kinds=("cluster",),
)
