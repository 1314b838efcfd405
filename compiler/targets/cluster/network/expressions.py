"""Expressions and intervals of the tile text, put together of numbers and names.

times("n", 4, 1)                                  n * 4
interval("x", 0, (8, 256), (64, 1))               x[0:64, 8 by 256]
interval("x", "i * 64", ("n", 64), (64, 1))       x[i * 64 +: n * 64]
"""

from __future__ import annotations

from collections.abc import Sequence

Expression = int | str
"""A number that is known, or the text of one that the run knows."""
Dimension = tuple[Expression, int]
"""How many there are, and how many elements each is behind the one before."""

MOST_DIMENSIONS = 3


def times(*factors: Expression) -> Expression:
    """Their product."""
    known, texts = 1, []
    for factor in factors:
        if isinstance(factor, int):
            known *= factor
        else:
            texts.append(_grouped(factor))
    if known == 0 or not texts:
        return known
    return " * ".join(texts + ([str(known)] if known != 1 else []))


def plus(*terms: Expression) -> Expression:
    """Their sum."""
    known, texts = 0, []
    for term in terms:
        if isinstance(term, int):
            known += term
        else:
            texts.append(term)
    if not texts:
        return known
    sign = "+" if known > 0 else "-"
    return " + ".join(texts) + (f" {sign} {abs(known)}" if known else "")


def less(term: Expression, other: Expression) -> Expression:
    """The first less the second."""
    if isinstance(other, int):
        return plus(term, -other)
    return f"{term} - {_grouped(other)}"


def least(*terms: Expression) -> Expression:
    """The smallest."""
    return _extreme("min", min, terms)


def most(*terms: Expression) -> Expression:
    """The largest."""
    return _extreme("max", max, terms)


def _extreme(name: str, function, terms: Sequence[Expression]) -> Expression:
    found, *rest = dict.fromkeys(terms)
    for term in rest:
        both_known = isinstance(found, int) and isinstance(term, int)
        found = function(found, term) if both_known else f"{name}({found}, {term})"
    return found


def _grouped(text: Expression) -> str:
    text = str(text)
    return (
        text
        if text.isidentifier()
        or text.isdigit()
        or (text.endswith(")") and (text.startswith(("min(", "max(", "("))) and _is_one_call(text))
        else f"({text})"
    )


def _is_one_call(text: str) -> bool:
    """Whether the first parenthesis is closed by the last one."""
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == ")" and depth == 0:
            return at == len(text) - 1
    return False


def joined(dimensions: Sequence[Dimension]) -> list[Dimension]:
    """The same elements in the same order by fewer dimensions, outermost first."""
    found: list[Dimension] = []
    for count, stride in dimensions:
        if count == 1:
            continue
        if found and isinstance(count, int) and found[-1][1] == count * stride:
            found[-1] = times(found[-1][0], count), stride
        else:
            found.append((count, stride))
    return found


def interval(name: str, first: Expression, *dimensions: Dimension) -> str:
    """Elements of a buffer without axes, by dimensions, outermost first; at most three of them,
    of which one has elements side by side.  See `fits`."""
    of = joined(dimensions)
    segment: Expression = 1
    if of and of[-1][1] == 1:
        segment = of.pop()[0]
    assert len(of) < MOST_DIMENSIONS, (name, dimensions)
    if not of:
        return f"{name}[{first} +: {segment}]"
    further = ", ".join(f"{count} by {stride}" for count, stride in reversed(of))
    return f"{name}[{first} +: {segment}, {further}]"


def fits(*dimensions: Dimension) -> bool:
    """Whether one interval has these elements in this order."""
    of = joined(dimensions)
    return len(of) - (bool(of) and of[-1][1] == 1) < MOST_DIMENSIONS
