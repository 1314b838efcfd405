"""Give the buffers in scratchpads their addresses, and commands their queues.

    tensor.copy.f32 a[0:64], x[0:64]    ->    a: f32[64] in nram at 0
                                              tensor.copy.f32 a[0:64], x[0:64] {queue: "io"}

How is the target's: see `compiler/targets/cluster/scratchpads.py`; which queue takes a command is
said by `machines/kinds/cluster/queues.py`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.cluster.meetings import meeting_of
from compiler.targets.cluster.roles import queue_for, role_of
from compiler.targets.cluster.scratchpads import SCRATCHPADS, addresses
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.diagnostics import Diagnostic, InputError
from machines.instructions.cluster_control import MEETINGS, OF_ALL_ROLES
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
    """Note which queue takes each command; raises InputError for those that none takes, and for
    meetings of a MEM core with those that meet without it."""
    problems, is_mem = [], role_of(function) == MEM
    for _, instruction in function.instructions():
        name = instruction.operation.name
        if name in MEETINGS:
            meeting_of(instruction)
            if is_mem and name not in OF_ALL_ROLES:
                message = f"no MEM core takes part in '{name}'"
                hint = f"those that do: {', '.join(OF_ALL_ROLES)}"
                problems.append(Diagnostic(message, instruction.location, hint=hint))
        if instruction.operation.walk:
            queue, why = queue_for(function, instruction, chip)
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
