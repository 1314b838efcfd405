"""Whether the intervals of a tensor operation have the sizes that its walk needs.

    tensor.matmul.f32 c[0:4], a[0:6], b[0:8], 2, 3, 2   ->   b must have 6 elements (k * n)

The verifier asks with what the text says, interpreters and cores with what is known then.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import CodeType
from typing import NamedTuple

from machines.operations.meaning import parsed
from machines.operations.row import Walk


class Misfit(NamedTuple):
    """Why an operation cannot be done.

    operand  the first one that does not fit
    wanted   how many elements it must have, None if that is not what is wrong
    rule     what must hold, or what the number is, in words
    """

    operand: str
    wanted: int | None
    rule: str


Extents = dict[str, int | None]
"""Numbers by name; None for what is not known."""


def misfit(walk: Walk, known: Mapping[str, int | None]) -> Misfit | None:
    """The first thing that does not fit, if any.

    `known` holds the size of every interval and the value of every operand that is an extent.
    """
    extents = _extents(walk, known)
    for name in walk.extents:
        value = extents[name]
        if value is not None and value < 0:
            return Misfit(name, None, "no dimension is negative")
    for limit in walk.limits:
        if _value(limit.condition, extents) is False:
            return Misfit(limit.operand, None, limit.sentence)
    _derive(walk, extents)
    for name, text in walk.sizes:
        size, wanted = known.get(name), _value(text, extents)
        if None not in (size, wanted) and size != wanted:
            of_all = text.isidentifier() and text not in known
            return Misfit(name, wanted, "" if of_all else f"it has {text} elements")
    return None


def extents_of(walk: Walk, known: Mapping[str, int]) -> dict[str, int]:
    """All extents of an operation that fits."""
    extents = _extents(walk, known)
    _derive(walk, extents)
    return extents


def sizes_of(walk: Walk, extents: Mapping[str, int]) -> dict[str, int]:
    """The sizes of its intervals, and of a result, by operand."""
    return {name: _value(text, extents) for name, text in walk.sizes}


def _extents(walk: Walk, known: Mapping[str, int | None]) -> Extents:
    """Those that are not derived: operands, and sizes of intervals."""
    extents = {name: known.get(name) for name in walk.extents}
    for name, text in walk.sizes:
        if text in extents and extents[text] is None:
            extents[text] = known.get(name)
    return extents


def _derive(walk: Walk, extents: Extents) -> None:
    for name, text in walk.derived:
        extents[name] = _value(text, extents)


def _value(text: str, extents: Mapping[str, int | None]) -> int | bool | None:
    if any(extents[name] is None for name in parsed(text).reads):
        return None
    return eval(_code(text), {}, extents)


@cache
def _code(text: str) -> CodeType:
    return compile(text, "<extent>", "eval")
