"""One of two values, of which both or only one is computed."""

from __future__ import annotations

from collections.abc import Callable

from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import (
    value_of,
    words_of,
)
from compiler.levels.arrays.lowering.staged import (
    Operand,
    Staged,
)
from compiler.levels.arrays.types import GraphType, Tuple
from machines.levels.arrays.types import words
from machines.types import I1


def choice(
    low: Context,
    condition: Operand,
    type: GraphType,
    then: Callable[[], Staged],
    other: Callable[[], Staged],
) -> Staged:
    """The value of one of two arms, of which one is computed."""
    if not isinstance(condition, str):
        return then() if condition else other()
    code = low.code
    held = [code.builder.fresh("choice", word) for word in words(type)]

    def into(arm: Callable[[], Staged]) -> Callable[[], None]:
        def do() -> None:
            for name, word, value in zip(
                held, words(type), words_of(low, type, arm()), strict=True
            ):
                code.assign(name, word, value)

        return do

    code.choose(condition, into(then), into(other))
    return value_of(low, type, held)


def selected(
    low: Context, condition: Operand, type: GraphType, then: Staged, other: Staged
) -> Staged:
    """One of two values of scalars and tuples that are both there."""
    if isinstance(type, Tuple):
        parts = zip(type.parts, then, other, strict=True)
        return tuple(selected(low, condition, *part) for part in parts)
    a, b = low.number(then), low.number(other)
    if not isinstance(condition, str):
        return a if condition else b
    if type is I1 and b == 0 and not isinstance(b, str):
        return low.code.emit("and.i1", condition, a)
    if type is I1 and a == 1 and not isinstance(a, str):
        return low.code.emit("or.i1", condition, b)
    return low.code.emit(f"select.{type}", condition, a, b)
