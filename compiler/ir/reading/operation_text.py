"""Which row a line means: of tensor operations the types may be left out.

tensor.add y, a, b              tensor.add.f32, if that is what the buffers hold
tensor.copy.T t, y              in a function whose parameters give the type T a meaning
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache

from compiler.ir.module import Module
from compiler.ir.reading.lexer import Token
from compiler.ir.reading.operand_text import OperandReader
from machines.diagnostics import nearest
from machines.instructions import operations
from machines.operations.row import Operation
from machines.types import Type

ALIKE = 0.75
"""How alike words must be for one to be meant by the other: 'ad' and 'add', not 'sine' and 'ne'."""


@cache
def rows_by_name() -> dict[str, list[Operation]]:
    """Tensor rows by their names without types."""
    found: dict[str, list[Operation]] = {}
    for name, row in operations().family("ir").items():
        if row.walk:
            found.setdefault(".".join(name.split(".")[:2]), []).append(row)
    return found


def _hint(name: str, rows: Iterable[str]) -> str:
    """What may have been meant by an operation that is not there: names are compared without their
    types, which are alike in words that have nothing else in common ('exp.f32' and 'ne.f32')."""
    typed = [row for row in rows if row.startswith(name + ".")]
    if typed:
        return f"it needs a type: {', '.join(typed)}"
    of_memory, word, types = _parts(name)
    known: dict[tuple[bool, str], list[str]] = {}
    for row in rows:
        known.setdefault(_parts(row)[:2], []).append(row)
    if (of_memory, word) not in known and (not of_memory, word) in known:
        where = "of scalars" if of_memory else "of memory"
        return f"there is one {where}: {', '.join(known[not of_memory, word][:6])}"
    words = sorted(other for is_of_memory, other in known if is_of_memory == of_memory)
    close = [known[of_memory, other] for other in get_close_matches(word, words, cutoff=ALIKE)]
    if not close:
        return "no operation has such a name: compiler/README.md has them all"
    same = [row for some in close for row in some if _parts(row)[2] == types]
    return f"did you mean '{(same or get_close_matches(name, close[0], n=1, cutoff=0))[0]}'?"


def _parts(name: str) -> tuple[bool, str, str]:
    """Whether it is a tensor operation, its word, and its types."""
    of_memory = name.startswith("tensor.")
    word, _, types = name.removeprefix("tensor.").partition(".")
    return of_memory, word, types


class OperationReader(OperandReader):
    """Reads the name of an operation."""

    module: Module

    def operation(self) -> Operation:
        token = self.expect("name", "an operation")
        rows = operations().family(self.module.family)
        name = self.typed(token.text)
        if name not in rows and self.is_ir and name in rows_by_name():
            found = self.inferred(token, name)
            if found is not None:
                return found
        if token.text == "branch" and "branch.opaque" in rows and self.accept_word("opaque"):
            self.expect(",")
            return rows["branch.opaque"]
        if name not in rows:
            hint = _hint(name, rows) if self.is_ir else nearest(name, rows)
            self.fail(f"unknown operation '{token.text}'", token.location, hint)
        return rows[name]

    def typed(self, name: str) -> str:
        """A row's name with types in place of the names that parameters give them."""
        if not self.scope.types:
            return name
        return ".".join(str(self.scope.types.get(part, part)) for part in name.split("."))

    def inferred(self, token: Token, name: str) -> Operation | None:
        """Of a tensor operation without types the row for the buffers that it names."""
        held = self.types_named()
        if not held:
            return None
        rows = rows_by_name()[name]
        for row in rows:
            if [region.type for region in row.regions] == held:
                return row
        alike = [row for row in rows if {region.type for region in row.regions} == {*held}]
        if alike and len(held) != len(alike[0].regions):
            return alike[0]  # what stands in place of an interval is found there
        shown = ", ".join(row.name for row in rows[:6]) + (", …" if len(rows) > 6 else "")
        message = f"no '{name}' takes intervals of {', '.join(map(str, held))}"
        self.fail(message, token.location, f"there are {shown}")
        return None

    def types_named(self) -> list[Type]:
        """What the buffers hold that the operands of this line name."""
        found: list[Type] = []
        depth, at, begins = 0, self.position, True
        while self.tokens[at].kind not in ("newline", "end", "{", "}"):
            token = self.tokens[at]
            inside = token.text == "any" and self.tokens[at + 1].kind == "("
            if begins and token.kind == "name":
                name = self.tokens[at + 2] if inside else token
                view = self.view_named(name.text)
                if view is not None:
                    found.append(view.dtype)
                elif self.tokens[at + 1].kind == "[":
                    self.no_buffer(name)
            depth += (token.kind in ("[", "(")) - (token.kind in ("]", ")"))
            begins = token.kind == "," and not depth
            at += 1
        return found
