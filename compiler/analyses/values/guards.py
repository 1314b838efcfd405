"""Which guards ask the same, and which the opposite.

    p1 = lt_s.i64 a, b        @p1 and @!q1 ask the same: a < b
    q1 = ge_s.i64 a, b        @p1 and @!p1, @p1 and @q1 are complements
    r1 = not.i1 p1            @r1 and @q1 ask the same

A guard's name is followed back through copies and negations to a comparison or to what else made
it.  The names are those of SSA form: two guards on one path to a place ask about the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from compiler.analyses.def_use import def_use
from compiler.analyses.values.algebra import identity, in_order
from compiler.ir.module import Function, Guard, Instruction, Value


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether `test` holds, or, negated, whether it does not."""

    test: Hashable
    negated: bool = False

    @property
    def complement(self) -> Condition:
        return replace(self, negated=not self.negated)


def condition_of(
    function: Function, guard: Guard, same: Callable[[Value], Value] = lambda value: value
) -> Condition:
    """What a guard of a function in SSA form asks; `same` gives one name to equal values."""
    definition = def_use(function).definition
    name, negated = same(guard.name), guard.negated
    while True:
        _, made = definition.get(name, (None, None))
        if made is None or made.guard is not None:
            return Condition(name, negated)
        operation = made.operation.name
        if operation in ("not.i1", "copy.i1") and isinstance(made.operands[0], str):
            negated ^= operation == "not.i1"
            name = same(made.operands[0])
        elif made.operation.name.split(".")[0] in _RELATIONS:
            return _comparison(made, negated, same)
        else:
            return Condition(name, negated)


_RELATIONS = {
    f"{relation}{sign}" for relation in ("lt", "le", "gt", "ge") for sign in ("", "_s", "_u")
} | {"eq", "ne"}


def _comparison(made: Instruction, negated: bool, same: Callable[[Value], Value]) -> Condition:
    """`ne` is not `eq`; a <= b is not b < a, but of floats, where NaN makes both false."""
    name, operands = in_order(made.operation, tuple(map(same, made.operands)))
    relation, _, of_type = name.partition(".")
    if relation == "ne":
        name, negated = f"eq.{of_type}", not negated
    elif relation in ("le_s", "le_u"):
        name, operands, negated = f"lt{relation[2:]}.{of_type}", operands[::-1], not negated
    return Condition((name, *map(identity, operands)), negated)
