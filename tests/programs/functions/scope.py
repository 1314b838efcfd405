"""What is known while a function is drawn: its names, and what may be drawn where."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.programs.functions.subset import Subset
from tests.programs.functions.text import Expression
from tests.programs.functions.types import NUMBERS, Type, array

MOST_DEPTH = 3


@dataclass(eq=False)
class Variable:
    """A name that has a value.

    needed   whether something that is certainly computed needs it
    frozen   whether a lambda holds it, so that it is not assigned again
    """

    name: str
    type: Type
    needed: bool = False
    frozen: bool = False


@dataclass(eq=False)
class Lambda:
    """A lambda that a local name is bound to."""

    name: str
    parameters: list[Type]
    result: Type


@dataclass(frozen=True)
class Helper:
    """A function that others call."""

    name: str
    parameters: list[Type]
    result: Type


@dataclass(eq=False)
class Scope:
    """One function while it is drawn.

    text    its lines
    judged  lines for who judges, each with the index of the line of `text` that it stands for
    """

    random: random.Random
    features: set[str]
    helpers: list[Helper]
    subset: Subset
    budget: int
    scope: list[Variable] = field(default_factory=list)
    lambdas: list[Lambda] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    judged: list[tuple[str, int]] = field(default_factory=list)
    certain: bool = True
    freezes: bool = False
    nesting: int = 0
    names: int = 0

    # Names

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def risk(self, part: float) -> bool:
        """The chance of what may fault."""
        return self.subset.faults and self.chance(part)

    def use(self, variable: Variable) -> Expression:
        variable.needed |= self.certain
        variable.frozen |= self.freezes
        return Expression(variable.name, variable.name, variable.type)

    @contextmanager
    def perhaps(self, bound: Sequence[Variable] = (), freezes: bool = False):
        """What is drawn inside is not certainly computed; these names are bound there, and what
        else gets a name there has it there only."""
        before = self.certain, self.freezes
        known = len(self.scope), len(self.lambdas)
        self.certain, self.freezes = False, freezes or self.freezes
        self.scope += bound
        try:
            yield
        finally:
            del self.scope[known[0] :], self.lambdas[known[1] :]
            self.certain, self.freezes = before

    @contextmanager
    def inside(self, bound: Sequence[Variable], freezes: bool = False):
        """A body with names bound, done any number of times."""
        self.nesting += 1
        try:
            with self.perhaps(bound, freezes):
                yield
        finally:
            self.nesting -= 1

    def any(self, depth: int) -> Type:
        """A type."""
        kind = self.random.random()
        if depth <= 0 or kind < 0.6:
            return self.pick(*NUMBERS, "boolean") if kind < 0.1 else self.pick(*NUMBERS)
        if kind < 0.8:
            return array(self.any(depth - 1))
        return ("tuple", *(self.any(depth - 1) for _ in range(self.pick(2, 2, 3))))

    def line(self, indent: int, text: str, judged: str | None = None) -> None:
        self.text.append("    " * indent + text)
        self.judged_line(indent, text if judged is None else judged)

    def judged_line(self, indent: int, judged: str, stands_for: int = -1) -> None:
        """A line for who judges: of the line of text that is last, unless another is given."""
        self.judged.append(("    " * indent + judged, stands_for % len(self.text)))

    def assign(self, indent: int, name: str, value: Expression) -> None:
        self.line(indent, f"{name} = {value.text}", f"{name} = {value.judged}")
