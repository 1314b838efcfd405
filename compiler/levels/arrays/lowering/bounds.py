"""Which numbers are certainly below which others: what conditions say in the arms that they choose,
and what counters of loops say in their iterations.

Numbers are roots and literals added to them, `r + o`; the root of a literal is 0.  Each fact is an
inequality `r <= s + weight` of two roots, so what follows from facts is the shortest path (as for
difference constraints in linear programming, and for bounds checks in ABCD by Bodik et al.).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compiler.levels.arrays.lowering.staged import Operand

Root = Operand
"""A variable, or 0."""
Sum = tuple[Root, int]
"""A root and a literal."""
Fact = tuple[Root, Root, int]
"""(r, s, weight): r <= s + weight."""

_OPPOSITE = {"lt_s": "ge_s", "ge_s": "lt_s", "gt_s": "le_s", "le_s": "gt_s", "eq": "ne", "ne": "eq"}


def at_most(a: Sum, b: Sum) -> Fact:
    """a <= b as a fact."""
    return a[0], b[0], b[1] - a[1]


def said_by(
    condition: Operand,
    is_true: bool,
    made: Callable[[Operand], tuple[str, tuple[Operand, ...]] | None],
    sum_of: Callable[[Operand], Sum],
    least: Callable[[Root], int | None],
) -> Iterable[Fact]:
    """What is known where a condition is true, or false.

    made    what a variable of type i1 was made by: a row, and its operands
    sum_of  a number of type i64 as a sum that does not wrap
    least   what a root is certainly not below, if that is known
    """
    found = made(condition)
    if found is None:
        return
    row, operands = found
    if row == "not.i1":
        yield from said_by(operands[0], not is_true, made, sum_of, least)
    elif row == ("and.i1" if is_true else "or.i1"):
        for operand in operands:
            yield from said_by(operand, is_true, made, sum_of, least)
    elif row.endswith(".i64"):
        name = row.removesuffix(".i64")
        if name in _OPPOSITE:
            a, b = map(sum_of, operands)
            yield from _of_relation(name if is_true else _OPPOSITE[name], a, b, least)


def _of_relation(name: str, a: Sum, b: Sum, least: Callable[[Root], int | None]) -> Iterable[Fact]:
    if name in ("gt_s", "ge_s"):
        a, b, name = b, a, {"gt_s": "lt_s", "ge_s": "le_s"}[name]
    if name == "lt_s":
        yield at_most((a[0], a[1] + 1), b)
    elif name == "le_s":
        yield at_most(a, b)
    elif name == "eq":
        yield at_most(a, b)
        yield at_most(b, a)
    else:
        for one, other in ((a, b), (b, a)):
            bound = least(one[0])
            if other[0] == 0 and bound is not None and bound + one[1] == other[1]:
                yield at_most((0, other[1] + 1), one)


def distance(facts: Iterable[Fact], begin: Root, end: Root) -> int | None:
    """The least weight for which `begin <= end + weight` follows; None if none does."""
    facts = tuple(facts)
    found: dict[Root, int] = {begin: 0}
    for _ in range(len(facts)):
        changed = False
        for r, s, weight in facts:
            if r in found and found[r] + weight < found.get(s, found[r] + weight + 1):
                found[s] = found[r] + weight
                changed = True
        if not changed:
            break
    return found.get(end)
