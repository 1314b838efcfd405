"""Natural loops: how deeply each block is nested, and which blocks head a loop.

A back edge goes to a block that dominates its source; the loop of a header is every block that
reaches one of its back edges without passing the header (Aho, Sethi, Ullman, *Compilers*, 1986,
section 10.4).
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.control_flow import reverse_postorder


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
    above = immediate_dominators(order, predecessors)
    members: dict[str, set[str]] = {}
    for name in order:
        for target in successors[name]:
            if _dominates(target, name, above):
                body = members.setdefault(target, {target})
                pending = [name]
                while pending:
                    block = pending.pop()
                    if block not in body:
                        body.add(block)
                        pending += predecessors[block]
    depth = {name: sum(name in body for body in members.values()) for name in order}
    return Loops(depth, {header: frozenset(body) for header, body in members.items()})


def immediate_dominators(
    order: tuple[str, ...], predecessors: dict[str, list[str]]
) -> dict[str, str]:
    """The immediate dominator of each block but the entry (`order` is a reverse post-order).

    The iteration of Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*, 2001.
    """
    number = {name: k for k, name in enumerate(order)}
    above = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for name in order[1:]:
            known = [p for p in predecessors[name] if p in above]
            best = known[0]
            for other in known[1:]:
                best = _meet(best, other, above, number)
            changed |= above.get(name) != best
            above[name] = best
    return above


def _meet(a: str, b: str, above: dict[str, str], number: dict[str, int]) -> str:
    while a != b:
        while number[a] > number[b]:
            a = above[a]
        while number[b] > number[a]:
            b = above[b]
    return a


def _dominates(a: str, b: str, above: dict[str, str]) -> bool:
    while b != a and above[b] != b:
        b = above[b]
    return a == b
