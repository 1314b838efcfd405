"""What cores hand over to one another where they meet.

    core 0   tensor.copy.f32 s[0:64], a[0:64]     sync_cluster 0
    core 1   sync_cluster 0                       tensor.copy.f32 b[0:64], s[0:64]      read: s

Of two cores nothing is said until they meet, so in a program without races others read what a core
has written, and write what it has read, only behind a meeting in which it takes part.  What is a
core's own no meeting touches.
"""

from __future__ import annotations

from typing import NamedTuple

from compiler.ir.interpret.tensors import candidates
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.scratchpads import beside, shared_buffers
from machines.instructions.cluster_control import MEETINGS, WAITS


class HandedOver(NamedTuple):
    """Of the buffers that several cores reach those that somebody reads, and that one writes."""

    read: frozenset[str]
    written: frozenset[str]


def handed_over(function: Function) -> HandedOver:
    """Between the cores that run a function, and those that run what stands beside it."""
    functions = [function, *beside(function)]
    shared = shared_buffers(functions)
    found: dict[str, set[str]] = {"load": set(), "store": set()}
    for one in functions:
        for _, instruction in one.instructions():
            for kind, interval in instruction.intervals:
                found[kind.access] |= {each.buffer for each in candidates(interval)}
    return HandedOver(frozenset(found["load"] & shared), frozenset(found["store"] & shared))


def is_meeting(instruction: Instruction) -> bool:
    return instruction.operation.name in MEETINGS


def is_wait(instruction: Instruction) -> bool:
    """Whether it holds up its own core alone, to which each command has ended already."""
    return instruction.operation.name in WAITS
