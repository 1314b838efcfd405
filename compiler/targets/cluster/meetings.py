"""What must have ended before a core meets others: what they may touch once they have met.

    IPU  tensor.copy.f32 s[0:64], a[0:64]     move     the store must have ended before the meeting
         sync_cluster 0
    MEM  sync_cluster 0
         tensor.copy.f32 y[0:64], s[0:64]     io

Meetings of one kind and number belong together.  What a core does after a meeting, up to the next
one, must come behind what others did before it, if one of the two writes what the other one
touches; what comes later is the business of that next meeting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from compiler.analyses.control_flow import control_flow
from compiler.analyses.memory.strides import intervals_are_apart
from compiler.ir.interpret.tensors import candidates
from compiler.ir.module import Descriptor, Function, Instruction, Interval
from compiler.targets.cluster.scratchpads import shared_buffers
from machines.instructions.cluster_control import MEETINGS

Meeting = tuple[str, int]
"""Its row and number."""


class Touched(NamedTuple):
    """An interval of memory that several cores reach, and whether it is written."""

    interval: Interval
    stores: bool


def before_meetings(
    function: Function, others: Iterable[Function]
) -> dict[Instruction, list[Instruction]]:
    """For every meeting of a function the commands that must have ended there.

    others  the functions that its partners run, perhaps this one too
    """
    shared = shared_buffers(function, others)
    commands = [
        (instruction, _touched(instruction, shared))
        for _, instruction in function.instructions()
        if instruction.operation.walk
    ]
    later: dict[Meeting, list[Touched]] = {}
    for other in others:
        for meeting, touched in _touched_after_meetings(other, shared).items():
            later.setdefault(meeting, []).extend(touched)
    return {
        instruction: [
            command
            for command, before in commands
            if any(_clash(a, b) for a in before for b in later.get(meeting_of(instruction), ()))
        ]
        for _, instruction in function.instructions()
        if instruction.operation.name in MEETINGS
    }


def meeting_of(instruction: Instruction) -> Meeting:
    return instruction.operation.name, int(instruction.operands[0])


def _touched_after_meetings(function: Function, shared: set[str]) -> dict[Meeting, list[Touched]]:
    """What a function may touch between each meeting and the next one."""
    found: dict[Meeting, list[Touched]] = {}
    for name, block in function.blocks.items():
        for index, instruction in enumerate(block.instructions):
            if instruction.operation.name in MEETINGS:
                after = found.setdefault(meeting_of(instruction), [])
                for later in _up_to_the_next(function, name, index + 1):
                    after += _touched(later, shared)
    return found


def _up_to_the_next(function: Function, block: str, index: int) -> Iterator[Instruction]:
    """The instructions that may run from a point on before another meeting."""
    successors = control_flow(function).successors
    pending, seen = [(block, index)], set()
    while pending:
        name, begin = pending.pop()
        for instruction in function.blocks[name].instructions[begin:]:
            if instruction.operation.name in MEETINGS:
                break
            yield instruction
        else:
            ahead = [target for target in successors[name] if target not in seen]
            seen.update(ahead)
            pending += [(target, 0) for target in ahead]


def _touched(instruction: Instruction, shared: set[str]) -> list[Touched]:
    """What it touches of memory that several cores reach."""
    return [
        Touched(interval, kind.access == "store")
        for kind, interval in instruction.intervals
        if any(one.buffer in shared for one in candidates(interval))
    ]


def _clash(a: Touched, b: Touched) -> bool:
    if not (a.stores or b.stores):
        return False
    pairs = ((one, other) for one in candidates(a.interval) for other in candidates(b.interval))
    return any(_meet(one, other) for one, other in pairs)


def _meet(a: Descriptor, b: Descriptor) -> bool:
    return a.buffer == b.buffer and not intervals_are_apart(a, b)
