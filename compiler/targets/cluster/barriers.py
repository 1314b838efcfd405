"""What must have ended before a core meets others: what they may touch once they have met.

    IPU  tensor.copy.f32 s[0:64], a[0:64]     move     the store must have ended before the barrier
         sync_cluster 0
    MEM  sync_cluster 0
         tensor.copy.f32 y[0:64], s[0:64]     io

Barriers of one kind and number belong together.  An access that follows a barrier in the code of
any core that takes part must come after the accesses of a core before it, if one of the two writes
what the other touches.  Accesses after a later barrier, at which both cores take part, are ordered
by that one.  Other cores may pass a barrier in between, and what they do next follows, too:

    core 0 of cluster 0     core 0 of cluster 1     MEM core of cluster 1
    writes x
    sync_all_ipu 0          sync_all_ipu 0
    sync_cluster 1          sync_cluster 1          sync_cluster 1
                                                    reads x
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from compiler.analyses.control_flow import control_flow
from compiler.interpret.tensors import candidates
from compiler.ir.facts import is_flat
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.roles import role_of
from compiler.targets.cluster.scratchpads import shared_buffers
from compiler.targets.cluster.touched import Touched, TouchedBy, touched
from machines.diagnostics import input_error
from machines.instructions.cluster_control import BARRIERS, OF_ALL_CLUSTERS, OF_ALL_ROLES
from machines.kinds.cluster.queues import IPU, MEM

Barrier = tuple[str, int]
"""Its row and number."""


class _Point(NamedTuple):
    """Before an instruction of a block."""

    function: Function
    block: str
    index: int


def before_barriers(
    function: Function, others: Sequence[Function]
) -> dict[Instruction, list[Instruction]]:
    """For every barrier of a function the commands that must have ended there, one list for all of
    a kind and number.

    others  the functions that its partners run; those of its own kind run this one
    """
    functions = [function, *others]
    shared, role = shared_buffers(functions), role_of(function)
    far = {name for name in shared if is_flat(function.buffers[name].space)} | _sent_far(functions)
    near = shared - far
    starts = _starts(functions)
    commands = TouchedBy(function, shared)
    found: dict[Instruction, list[Instruction]] = {}
    for barrier, instructions in _barriers_of(function).items():
        later: dict[Touched, None] = {}
        for buffers, is_near in ((near, True), (far, False)):
            for who, command in _after(barrier, starts, partial(_meets_again, role, is_near)):
                # A cluster has one MEM core: what that does to its own comes in its own order.
                if not (is_near and role == MEM and who is function):
                    later |= dict.fromkeys(touched(command, buffers))
        found |= dict.fromkeys(instructions, commands.that_meet(later))
    return found


def barrier_of(instruction: Instruction) -> Barrier:
    """Raises InputError for one whose number is not written down."""
    number = instruction.operands[0]
    if not isinstance(number, int):
        message = f"'{instruction.operation}' wants a number, not the variable '{number}'"
        raise input_error(message, instruction.location, hint="write the number")
    return instruction.operation.name, number


def _barriers_of(function: Function) -> dict[Barrier, list[Instruction]]:
    """Where a function goes through each: of all places of one the same is said."""
    found: dict[Barrier, list[Instruction]] = {}
    for _, instruction in function.instructions():
        if instruction.operation.name in BARRIERS:
            found.setdefault(barrier_of(instruction), []).append(instruction)
    return found


def _sent_far(functions: Iterable[Function]) -> set[str]:
    """The buffers that other clusters write."""
    return {
        one.buffer
        for function in functions
        for _, instruction in function.instructions()
        if instruction.operation.name.startswith("tensor.to_cluster.")
        for one in candidates(instruction.operands[0])
    }


def _meets_again(role: str, is_near: bool, barrier: Instruction) -> bool:
    """Whether a core of this role and whoever goes through a barrier are there together: if one of
    its own cluster does (`is_near`), or one of any cluster."""
    name = barrier.operation.name
    takes_part = role == IPU or name in OF_ALL_ROLES
    return barrier.guard is None and takes_part and (is_near or name in OF_ALL_CLUSTERS)


def _starts(functions: Iterable[Function]) -> dict[Barrier, list[_Point]]:
    """The points after each barrier."""
    found: dict[Barrier, list[_Point]] = {}
    for function in functions:
        for name, block in function.blocks.items():
            for index, instruction in enumerate(block.instructions):
                if instruction.operation.name in BARRIERS:
                    point = _Point(function, name, index + 1)
                    found.setdefault(barrier_of(instruction), []).append(point)
    return found


def _after(
    barrier: Barrier,
    starts: Mapping[Barrier, Sequence[_Point]],
    ends: Callable[[Instruction], bool],
) -> Iterator[tuple[Function, Instruction]]:
    """The commands that may run after a barrier, up to barriers that `ends` says."""
    pending, seen, met = list(starts[barrier]), set(), {barrier}
    while pending:
        function, block, begin = pending.pop()
        for instruction in function.blocks[block].instructions[begin:]:
            if instruction.operation.walk:
                yield function, instruction
            if instruction.operation.name in BARRIERS:
                if ends(instruction):
                    break
                other = barrier_of(instruction)
                if other not in met:
                    met.add(other)
                    pending += starts[other]
        else:
            for target in control_flow(function).successors[block]:
                if (function.name, target) not in seen:
                    seen.add((function.name, target))
                    pending.append(_Point(function, target, 0))
