"""What is computed once, by the first iteration of a loop that needs it.

A definition that stands outside of a loop, and that some iterations need and others perhaps do not,
must not be computed before the loop: it may fault, and no iteration may need it.  So the loop has a
variable that says whether it is missing, and variables for its words
(`machines.levels.arrays.types.words`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compiler.levels.arrays.lowering.code import Loop
from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import value_of, words_of
from compiler.levels.arrays.lowering.staged import ArrayValue, Operand, Staged
from compiler.levels.arrays.types import GraphType
from machines.levels.arrays.types import words
from machines.types import I1


@dataclass(slots=True)
class Once:
    """A value that is computed once.

    missing    the variable that says whether it has not been computed yet
    held       its words, in variables, or as operands that are the same before the loop
    is_length  whether it is an array no element of which is negative
    """

    missing: str
    held: list[Operand]
    is_length: bool = False


def once(
    low: Context,
    key: object,
    type: GraphType,
    loops: int,
    iterations: int,
    compute: Callable[[], Staged],
) -> Staged:
    """A value that is computed here unless an earlier iteration has done so.

    key         of what is computed
    loops       the number of loops that it is defined in; the next one inside of these keeps it
    iterations  the number of those whose iterations give back memory
    """
    code, team = low.code, low.team
    if team is not None and team.defers(loops):
        place = low.place

        def words_for_all() -> list[Operand]:
            with low.at(place):
                return words_of(low, type, compute())

        value = value_of(low, type, team.wanted(key, words(type), words_for_all))
        if isinstance(value, ArrayValue):
            low.as_length(value.shape.length)
        return value
    if team is not None and team.region is not None:
        # What a thread computes alone the others do not have later.
        loops = max(loops, team.region.loops)
        iterations = max(iterations, team.region.iterations)
        if loops == len(code.loops):
            return compute()
    loop = code.loops[loops]
    if key not in loop.once:
        held = [code.begin_before(loop, word, "held", 0) for word in words(type)]
        loop.once[key] = Once(code.begin_before(loop, I1, "missing", 1), held)
    found = loop.once[key]

    def make() -> None:
        before = low.arena.taken
        made = compute()
        _hold(low, loop, found, type, made)
        code.assign(found.missing, I1, 0)
        if low.arena.taken > before:
            low.arena.keep(iterations)

    code.choose(found.missing, make)
    now = [
        code.emit(f"copy.{word}", name) if isinstance(name, str) else name
        for word, name in zip(words(type), found.held, strict=True)
    ]
    value = value_of(low, type, now)
    if isinstance(value, ArrayValue):
        low.as_length(value.shape.length)
        value.is_length = found.is_length
    return value


def _hold(low: Context, loop: Loop, found: Once, type: GraphType, made: Staged) -> None:
    """Note the words of what has just been computed; the length of an array may be there before the
    loop, and is taken from there."""
    values = words_of(low, type, made)
    if isinstance(made, ArrayValue):
        found.is_length = made.is_length
        if low.code.is_before(values[0], loop):
            found.held[0] = values[0]
    for name, word, value in zip(found.held, words(type), values, strict=True):
        if name != value:
            low.code.assign(name, word, value)
