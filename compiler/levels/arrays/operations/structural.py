"""Operations of the form of values: tuples, lengths, rows, views.  No element is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compiler.levels.arrays.operations.hierarchy import (
    NEGATIVE,
    UNEQUAL,
    GraphFault,
    Structural,
    expect,
    expect_array,
    expect_integers,
    takes,
    takes_at_least,
)
from compiler.levels.arrays.types import Array, Function, GraphType, Tuple, holds
from machines.types import I64


@dataclass(frozen=True, slots=True)
class MakeTuple(Structural):
    def __str__(self) -> str:
        return "tuple"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        return Tuple(arguments)

    def compute(self, *values: Any) -> Any:
        return values


@dataclass(frozen=True, slots=True)
class MakeArray(Structural):
    """An array of values that are written out, one at least."""

    def __str__(self) -> str:
        return "array"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes_at_least("array", arguments, 1)
        first = arguments[0]
        expect(not holds(first, Function), "array takes values, no lambdas")
        expect(set(arguments) == {first}, "array takes values of one type")
        return Array(first)

    def compute(self, *values: Any) -> Any:
        return list(values)


@dataclass(frozen=True, slots=True)
class Item(Structural):
    """A part of a tuple."""

    index: int

    def __str__(self) -> str:
        return f"item[{self.index}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("item", arguments, 1)
        (type,) = arguments
        expect(isinstance(type, Tuple), f"item takes a tuple, not {type}")
        expect(self.index < len(type.parts), f"{type} has no part {self.index}")
        return type.parts[self.index]

    def compute(self, value: Any) -> Any:
        return value[self.index]


@dataclass(frozen=True, slots=True)
class Length(Structural):
    def __str__(self) -> str:
        return "length"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("length", arguments, 1)
        expect_array("length", arguments[0])
        return I64

    def compute(self, values: Any) -> Any:
        return len(values)


@dataclass(frozen=True, slots=True)
class Zip(Structural):
    """Arrays of one length as an array of tuples; unequal lengths fault."""

    may_fault = True

    def __str__(self) -> str:
        return "zip"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(bool(arguments), "zip takes at least one array")
        return Array(Tuple(tuple(expect_array("zip", type).element for type in arguments)))

    def compute(self, *arrays: Any) -> Any:
        if len({len(array) for array in arrays}) > 1:
            raise GraphFault(UNEQUAL)
        return list(zip(*arrays, strict=True))


@dataclass(frozen=True, slots=True)
class Iota(Structural):
    """0, 1, … below a length."""

    may_fault = True

    def __str__(self) -> str:
        return "iota"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(arguments == (I64,), "iota takes one i64")
        return Array(I64)

    def compute(self, length: int) -> Any:
        if length < 0:
            raise GraphFault(NEGATIVE)
        return list(range(length))


@dataclass(frozen=True, slots=True)
class Replicate(Structural):
    """One value as often as a number says: a view, never memory."""

    may_fault = True

    def __str__(self) -> str:
        return "replicate"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("replicate", arguments, 2)
        expect(arguments[1] == I64, f"replicate takes an i64 as length, not {arguments[1]}")
        return Array(arguments[0])

    def compute(self, value: Any, length: int) -> Any:
        if length < 0:
            raise GraphFault(NEGATIVE)
        return [value] * length


@dataclass(frozen=True, slots=True)
class Spread(Structural):
    """Each element as often as the number at its place says: a view."""

    may_fault = True

    def __str__(self) -> str:
        return "spread"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("spread", arguments, 2)
        expect_integers("spread", arguments[1])
        return expect_array("spread", arguments[0])

    def compute(self, values: Any, counts: Any) -> Any:
        if len(values) != len(counts):
            raise GraphFault(UNEQUAL)
        if any(count < 0 for count in counts):
            raise GraphFault(NEGATIVE)
        return [v for v, count in zip(values, counts, strict=True) for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Flatten(Structural):
    """The elements of all rows, one row after another."""

    def __str__(self) -> str:
        return "flatten"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("flatten", arguments, 1)
        return expect_array("flatten", expect_array("flatten", arguments[0]).element)

    def compute(self, rows: Any) -> Any:
        return [value for row in rows for value in row]


@dataclass(frozen=True, slots=True)
class Rows(Structural):
    """Values cut into rows of these lengths, which add up to their number."""

    may_fault = True

    def __str__(self) -> str:
        return "rows"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("rows", arguments, 2)
        expect_integers("rows", arguments[1])
        return Array(expect_array("rows", arguments[0]))

    def compute(self, values: Any, lengths: Any) -> Any:
        if any(length < 0 for length in lengths):
            raise GraphFault(NEGATIVE)
        if sum(lengths) != len(values):
            raise GraphFault(UNEQUAL)
        cut, at = [], 0
        for length in lengths:
            cut.append(values[at : at + length])
            at += length
        return cut
