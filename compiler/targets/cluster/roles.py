"""Which core runs which function of a program, and which of its queues takes a command."""

from __future__ import annotations

from compiler.ir.interpret.tensors import candidates
from compiler.ir.module import Function, Instruction
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.queues import IPU, missing_for, queue_of


def role_of(function: Function) -> str:
    """The word under which another function names it as running beside itself, or the cores that
    compute."""
    for other in function.functions.values():
        for role, name in other.beside.items():
            if name == function.name:
                return role
    return IPU


def queue_for(
    function: Function, instruction: Instruction, chip: Cluster | None = None
) -> tuple[str | None, str]:
    """The queue that takes a tensor operation; or None, and why no queue does, of a chip if it is
    given."""
    choices = [
        {function.buffers[one.buffer].space for one in candidates(interval)}
        for _, interval in instruction.intervals
    ]
    if any(len(spaces) > 1 for spaces in choices):
        return None, "the candidates of one operand stand in several memories"
    row, role = instruction.operation, role_of(function)
    queue, why = queue_of(row, [*map(min, choices)], role)
    missing = missing_for(row, role, chip) if chip is not None and queue is not None else None
    return (queue, why) if missing is None else (None, missing)
