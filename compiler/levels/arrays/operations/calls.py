"""Lambdas, and the operations that call them: their meaning is in `interpret` of this level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compiler.levels.arrays.operations.hierarchy import (
    NonTerminal,
    expect,
    expect_array,
    takes,
    takes_at_least,
)
from compiler.levels.arrays.types import Array, Function, GraphType, Tuple
from machines.types import I1


@dataclass(frozen=True, slots=True)
class Lambda(NonTerminal):
    """A user-defined function: the symbols of its parameters; the argument is its result."""

    parameters: tuple[int, ...]
    types: tuple[GraphType, ...]
    name: str = ""

    def __str__(self) -> str:
        return "lambda"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("a lambda", arguments, 1)
        return Function(self.types, arguments[0])


def _calls(name: str, function: GraphType, arguments: Sequence[GraphType]) -> GraphType:
    """What a function gives for such arguments."""
    expect(isinstance(function, Function), f"{name} takes a lambda, not {function}")
    given, wanted = tuple(arguments), function.parameters
    expect(given == wanted, f"{name} calls {function} with ({', '.join(map(str, given))})")
    return function.result


@dataclass(frozen=True, slots=True)
class Apply(NonTerminal):
    """apply(f, a…): a call."""

    def __str__(self) -> str:
        return "apply"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least(self, arguments, 1)
        return _calls("apply", arguments[0], arguments[1:])


@dataclass(frozen=True, slots=True)
class If(NonTerminal):
    """if(p, f, g, a…): f(a…) if p, else g(a…)."""

    def __str__(self) -> str:
        return "if"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least(self, arguments, 3)
        p, then, other, *rest = arguments
        expect(p == I1, f"a condition is i1, not {p}")
        taken, left = _calls("if", then, rest), _calls("if", other, rest)
        expect(taken == left, f"the arms give {taken} and {left}")
        return taken


@dataclass(frozen=True, slots=True)
class While(NonTerminal):
    """while(p, f, s…): while p(s…) holds, the s… become the parts of f(s…); gives their tuple."""

    may_fault = True  # it need not end

    def __str__(self) -> str:
        return "while"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least(self, arguments, 2)
        test, step, *states = arguments
        expect(_calls("while", test, states) == I1, "the condition of a while is i1")
        made = _calls("while", step, states)
        expect(made == Tuple(tuple(states)), f"the state {Tuple(tuple(states))} becomes {made}")
        return made


@dataclass(frozen=True, slots=True)
class Map(NonTerminal):
    """map(f, xs…): f of the elements of arrays of one length."""

    may_fault = True

    def __str__(self) -> str:
        return "map"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least(self, arguments, 1)
        function, *arrays = arguments
        expect(bool(arrays), "map takes at least one array")
        return Array(_calls("map", function, [expect_array("map", a).element for a in arrays]))


@dataclass(frozen=True, slots=True)
class Fold(NonTerminal):
    """fold(f, xs, s…): for each x of xs in ascending order, the s… become the parts of f(x, s…)."""

    def __str__(self) -> str:
        return "fold"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least(self, arguments, 2)
        function, array, *states = arguments
        made = _calls("fold", function, [expect_array("fold", array).element, *states])
        expect(made == Tuple(tuple(states)), f"the state {Tuple(tuple(states))} becomes {made}")
        return made


@dataclass(frozen=True, slots=True)
class WhileEach(NonTerminal):
    """while.each(p, f, S…, C…): a while of every lane, all live lanes together.  p and f are
    vectorized: they take arrays of the live lanes' states and of their `captured` last ones, which
    do not change.  A lane that is done does no more work.  Gives an array of tuples."""

    captured: int = 0
    may_fault = True

    def __str__(self) -> str:
        return f"while.each[{self.captured}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least(self, arguments, 2 + self.captured)
        test, step, *arrays = arguments
        states = arrays[: len(arrays) - self.captured]
        expect(_calls("while.each", test, arrays) == Array(I1), "the condition is an i1 a lane")
        made = Array(Tuple(tuple(expect_array("while.each", a).element for a in states)))
        given = _calls("while.each", step, arrays)
        expect(given == made, f"the state {made} becomes {given}")
        return made


@dataclass(frozen=True, slots=True)
class FoldEach(NonTerminal):
    """fold.each(f, XS, S…, C…): a fold of every lane over a row of its own, all lanes whose row is
    not at its end together; f is vectorized, the `captured` last arguments do not change."""

    captured: int = 0

    def __str__(self) -> str:
        return f"fold.each[{self.captured}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least(self, arguments, 2 + self.captured)
        function, rows, *arrays = arguments
        states = arrays[: len(arrays) - self.captured]
        made = Array(Tuple(tuple(expect_array("fold.each", a).element for a in states)))
        given = _calls("fold.each", function, [expect_array("fold.each", rows).element, *arrays])
        expect(given == made, f"the state {made} becomes {given}")
        return made
