"""Which core runs which function of a program, and which of its queues takes a command."""

from __future__ import annotations

from compiler.interpret.tensors import candidates
from compiler.ir.module import Function, Instruction
from machines.kinds.cluster.code import BESIDE
from machines.kinds.cluster.queues import IPU, queue_of


def role_of(function: Function) -> str:
    """The word under which another function names it as running beside itself, or the cores that
    compute."""
    for other in function.functions.values():
        for role, name in BESIDE.of(other).items():
            if name == function.name:
                return role
    return IPU


def queue_for(function: Function, instruction: Instruction) -> tuple[str | None, str]:
    """The queue that takes a tensor operation; or None, and why no queue does."""
    choices = [
        {function.buffers[one.buffer].space for one in candidates(interval)}
        for _, interval in instruction.intervals
    ]
    if any(len(spaces) > 1 for spaces in choices):
        return None, "the candidates of one operand stand in several memories"
    return queue_of(instruction.operation, [*map(min, choices)], role_of(function))
