"""Loops of machine code, and how often its blocks are taken to run."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from compiler.analyses.code_flow import successors
from compiler.analyses.loops import Loops, find_loops
from compiler.ir.module import Function

LOOP_WEIGHT = 10
DEEPEST = 6


def machine_loops(function: Function) -> Loops:
    """The loops of a function; found again only after its control flow has changed."""
    graph = function.entry.name, successors(function)
    known = _LOOPS.get(function)
    if known is None or known[0] != graph:
        known = _LOOPS[function] = graph, find_loops(*graph)
    return known[1]


def block_weights(function: Function) -> dict[str, float]:
    """How often each block is taken to run, by the loops around it: the cost of a spill there."""
    depth = machine_loops(function).depth
    return {
        name: float(LOOP_WEIGHT ** min(depth.get(name, 0), DEEPEST)) for name in function.blocks
    }


_Graph = tuple[str, dict[str, tuple[str, ...]]]
_LOOPS: WeakKeyDictionary[Function, tuple[_Graph, Loops]] = WeakKeyDictionary()
