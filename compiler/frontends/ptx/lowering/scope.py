"""What names stand for while a function is lowered: registers, variables of memory, labels.

A scope is what braces hold; the outermost one of a function stands in that of the module.  When a
function is inlined its scopes are made anew, so `%r1` of another function is another variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.parameters import Passed
from compiler.frontends.ptx.reading.tree import Label, Name, Statement, Targets, Variable
from compiler.frontends.ptx.types import PtxType
from machines.diagnostics import nearest

_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d*)")


@dataclass(frozen=True, slots=True)
class Register:
    """A register: the variable it is in the function that is made; one of 128 bits is two."""

    variable: str
    type: PtxType
    high: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A variable in memory: `offset` in shared or local memory, in the latter from what the
    variable `base` holds if there is one; that of the others is 0.  `element` has so many bytes."""

    space: str
    name: str
    offset: int
    element: int = 0
    base: str | None = None

    def added(self, name: Name) -> int:
        """The bytes that an operand adds to the address: `table+8`, `table[2]`."""
        return name.addend + (name.index or 0) * self.element


@dataclass(frozen=True, slots=True)
class KernelInput:
    """A parameter of a kernel at `offset`; `copy` is where in local memory a copy of it lies, if
    its address is taken."""

    offset: int
    bytes: int
    copy: int | None = None


Meaning = Register | Stored | KernelInput | Passed


@dataclass(slots=True)
class Scope:
    """`numbered` are declarations `%r<57>` by what stands before the number; `broken` are words of
    declarations that could not be read, which is reported where they stand, and `unhad` of those
    that are not supported: why."""

    parent: Scope | None
    meanings: dict[str, Meaning] = field(default_factory=dict)
    numbered: dict[str, Variable] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    targets: dict[str, Targets] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    unhad: dict[str, Refused] = field(default_factory=dict)

    def outwards(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def declare(self, name: str, meaning: Meaning, at: int) -> None:
        if name in self.meanings:
            raise Refused(f"'{name}' is declared twice", at=at, length=len(name))
        self.meanings[name] = meaning

    def declare_many(self, variable: Variable) -> None:
        if variable.name in self.numbered:
            message = f"'{variable.name}<…>' is declared twice"
            raise Refused(message, at=variable.at, length=len(variable.name))
        self.numbered[variable.name] = variable

    def find(self, name: Name) -> Meaning | tuple[Scope, Variable] | None:
        """What a name stands for; a register of `%r<57>` that is not yet a variable is its scope
        and declaration."""
        numbered = _NUMBERED.fullmatch(name.text)
        for scope in self.outwards():
            if name.text in scope.meanings:
                return scope.meanings[name.text]
            many = scope.numbered.get(numbered[1]) if numbered else None
            if many is not None and len(numbered[2]) < 10 and int(numbered[2]) < many.many:
                return scope, many
        return None

    def label(self, name: Name) -> str:
        """The block that a label begins."""
        for scope in self.outwards():
            if name.text in scope.labels:
                return scope.labels[name.text]
        known = [label for scope in self.outwards() for label in scope.labels]
        message = f"there is no label '{name.text}'"
        raise Refused(message, nearest(name.text, known), at=name.at, length=len(name.text))

    def is_broken(self, *names: str) -> bool:
        """Whether the declaration of one of these names may be one that could not be read."""
        return any(name in scope.broken for scope in self.outwards() for name in names)

    def undeclared(self, name: Name) -> Refused:
        """The finding that a name stands for nothing."""
        numbered = _NUMBERED.fullmatch(name.text)
        words = {name.text, numbered[1] if numbered else name.text}
        for scope in self.outwards():
            for word in words & scope.unhad.keys():
                message = scope.unhad[word].message
                return unsupported(message, at=name.at)
        if self.is_broken(*words):
            return Refused(f"'{name.text}' is not declared", at=name.at, follows=True)
        hint = None
        for scope in self.outwards():
            if numbered and (many := scope.numbered.get(numbered[1])):
                hint = f"'{many.name}<{many.many}>' declares {many.name}0 to {many.name}"
                hint += str(many.many - 1)
                break
        if hint is None:
            known = [text for scope in self.outwards() for text in scope.meanings]
            known += [f"{text}0" for scope in self.outwards() for text in scope.numbered]
            hint = nearest(name.text, known)
        return Refused(f"'{name.text}' is not declared", hint, at=name.at, length=len(name.text))


def labels_of(statements: list[Statement]) -> Iterator[Label]:
    """The labels that belong to braces: those of braces inside are their own."""
    return (statement for statement in statements if isinstance(statement, Label))
