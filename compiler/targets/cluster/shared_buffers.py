"""Buffers through which cores give each other data, ordered by barriers.

    core 0   tensor.copy.f32 s[0:64], a[0:64]     sync_cluster 0
    core 1   sync_cluster 0                       tensor.copy.f32 b[0:64], s[0:64]      read: s

Two cores are not ordered until they meet at a barrier.  So in a program without races the others
read what a core has written, and write what it has read, only after a barrier in which it takes
part.  A buffer that only one core reaches is not concerned by barriers.
"""

from __future__ import annotations

from typing import NamedTuple

from compiler.interpret.tensors import candidates
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.scratchpads import beside, shared_buffers
from machines.instructions.cluster_control import BARRIERS, WAITS


class SharedBuffers(NamedTuple):
    """Names of buffers that several cores reach: those that are read, those that are written."""

    read: frozenset[str]
    written: frozenset[str]


def shared_by(function: Function) -> SharedBuffers:
    """Of the cores that run a function and of those that run the functions beside it."""
    functions = [function, *beside(function)]
    shared = shared_buffers(functions)
    found: dict[str, set[str]] = {"load": set(), "store": set()}
    for one in functions:
        for _, instruction in one.instructions():
            for kind, interval in instruction.intervals:
                found[kind.access] |= {each.buffer for each in candidates(interval)}
    return SharedBuffers(frozenset(found["load"] & shared), frozenset(found["store"] & shared))


def is_barrier(instruction: Instruction) -> bool:
    return instruction.operation.name in BARRIERS


def is_wait(instruction: Instruction) -> bool:
    """Whether it holds up its own core alone, to which each command has ended already."""
    return instruction.operation.name in WAITS
