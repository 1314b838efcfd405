"""Natural loops: how deeply each block is nested, and which blocks head a loop.

A back edge goes to a block that dominates its source; the loop of a header is every block that
reaches one of its back edges without passing the header (Aho, Sethi, Ullman, *Compilers*, 1986,
section 10.4).
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.dominators import dominators_of_graph


@dataclass(frozen=True, slots=True)
class Loops:
    """`depth` of every reached block (0: in no loop), `members` of each loop by its header."""

    depth: dict[str, int]
    members: dict[str, frozenset[str]]


def find_loops(entry: str, successors: dict[str, tuple[str, ...]]) -> Loops:
    """The natural loops of the graph that `successors` describes."""
    order = reverse_postorder(entry, successors)
    predecessors: dict[str, list[str]] = {name: [] for name in order}
    for name in order:
        for target in successors[name]:
            predecessors[target].append(name)
    dominance = dominators_of_graph(entry, successors)
    members: dict[str, set[str]] = {}
    for name in order:
        for target in successors[name]:
            if dominance.dominates(target, name):
                body = members.setdefault(target, {target})
                pending = [name]
                while pending:
                    block = pending.pop()
                    if block not in body:
                        body.add(block)
                        pending += predecessors[block]
    depth = {name: sum(name in body for body in members.values()) for name in order}
    return Loops(depth, {header: frozenset(body) for header, body in members.items()})
