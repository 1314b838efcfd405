"""A node of a graph as rows of the table see it, and those rows.

A row reads what it takes of its node: operands by number, attributes by name.  What it did not ask
for, but the node says, is refused, so that nothing is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from machines.types import (
    BF16,
    BOOLEAN,
    E4M3,
    E5M2,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    Type,
)

FUNCTIONS_OF = (F16, BF16, F32)
"""Types of which there are exponentials, logarithms and so on."""
FLOATS = (F16, BF16, F32, F64)
INTEGERS = (I8, I16, I32, I64, U8)
NUMBERS = (*INTEGERS, *FLOATS)
ANY = (*NUMBERS, BOOLEAN)
MOVED = (*ANY, E4M3, E5M2)
"""What is moved, and not computed with."""


@dataclass(slots=True, eq=False)
class Call:
    """operands  None where an optional one is left out
    version   of the set of operators
    results   how many are wanted
    """

    operator: str
    operands: Sequence[Value | None]
    attributes: Mapping[str, Any]
    version: int
    results: int
    code: Code
    unknown: Callable[[Value, str], Refusal]
    _asked: set[str] = field(default_factory=set)
    _read: int = 0

    def __getitem__(self, k: int) -> Value:
        """An operand that has to be there."""
        found = self.optional(k)
        if found is None:
            raise Refusal("malformed", f"operand {k + 1} is missing")
        return found

    def optional(self, k: int) -> Value | None:
        self._read = max(self._read, k + 1)
        return self.operands[k] if k < len(self.operands) else None

    @property
    def all(self) -> list[Value]:
        """All operands, of an operator that takes any number."""
        return [self[k] for k in range(max(1, len(self.operands)))]

    def attribute(self, name: str, default: Any = None) -> Any:
        self._asked.add(name)
        return self.attributes.get(name, default)

    def required(self, name: str) -> Any:
        found = self.attribute(name)
        if found is None:
            raise Refusal("malformed", f"attribute '{name}' is missing")
        return found

    def ignore(self, *names: str) -> None:
        """Attributes that mean nothing here."""
        self._asked.update(names)

    def known(self, k: int, what: str) -> np.ndarray:
        """The elements of an operand that must not depend on data; `what` it is says a message."""
        found = self[k]
        if not found.is_known:
            raise self.unknown(found, f"{what} (operand {k + 1}) must be known, and is data")
        return found.array

    def known_or_none(self, k: int, what: str) -> np.ndarray | None:
        return None if self.optional(k) is None else self.known(k, what)

    def ints(self, name: str, k: int, since: int, what: str = "") -> list[int] | None:
        """Whole numbers that are an attribute, and from a version on an operand."""
        if self.version < since:
            found = self.attribute(name)
            return None if found is None else [int(n) for n in found]
        found = self.known_or_none(k, what or f"'{name}'")
        return None if found is None else [int(n) for n in found.reshape(-1)]

    def axis(self, axis: int, rank: int) -> int:
        """An axis counted from 0; refuses one that there is not."""
        if not -rank <= axis < rank:
            raise Refusal("malformed", f"there is no axis {axis} of {rank} dimensions")
        return axis % rank

    def axes(self, axes: Sequence[int], rank: int) -> list[int]:
        found = [self.axis(axis, rank) for axis in axes]
        if len(set(found)) < len(found):
            raise Refusal("malformed", f"an axis stands twice in {list(axes)}")
        return found

    def unread(self) -> str | None:
        """What the node says, and the row did not ask for."""
        for name in self.attributes:
            if name not in self._asked:
                return f"attribute '{name}' is not taken"
        for k in range(self._read, len(self.operands)):
            if self.operands[k] is not None:
                return f"operand {k + 1} is not taken"
        return None


Lowering = Callable[[Call], Value | Sequence[Value | None]]


@dataclass(frozen=True, slots=True)
class Row:
    """An operator that is taken.

    newest   the latest version of the operator that is meant
    types    of its first operand
    sentence what is left out, or else worth to know
    """

    name: str
    newest: int
    types: tuple[Type, ...]
    lower: Lowering
    sentence: str
    family: str = ""
    domain: str = ""


class Family:
    """Rows as a file of them declares them.

    @FAMILY.row("Relu", 14, NUMBERS)
    def relu(call): …
    """

    def __init__(self, name: str):
        self.name = name
        self.rows: list[Row] = []

    def row(
        self,
        name: str,
        newest: int,
        types: tuple[Type, ...],
        sentence: str = "",
        domain: str = "",
    ) -> Callable[[Lowering], Lowering]:
        def declare(lower: Lowering) -> Lowering:
            self.rows.append(Row(name, newest, types, lower, sentence, self.name, domain))
            return lower

        return declare
