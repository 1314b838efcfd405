"""Operations of elements by their indices, or by a mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compiler.levels.arrays.operations.hierarchy import (
    EQUAL_INDICES,
    OUT_OF_RANGE,
    UNEQUAL,
    GraphFault,
    Indexed,
    expect,
    expect_array,
    expect_integers,
    takes,
)
from compiler.levels.arrays.operations.scalars import Row
from compiler.levels.arrays.types import Array, GraphType
from machines.types import I1, I64


@dataclass(frozen=True, slots=True)
class Index(Indexed):
    """An element by its index; one out of range faults (none counts from the end)."""

    may_fault = True

    def __str__(self) -> str:
        return "index"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("index", arguments, 2)
        expect(arguments[1] == I64, f"an index is an i64, not {arguments[1]}")
        return expect_array("index", arguments[0]).element

    def compute(self, values: Any, index: int) -> Any:
        if not 0 <= index < len(values):
            raise GraphFault(OUT_OF_RANGE)
        return values[index]


@dataclass(frozen=True, slots=True)
class Gather(Indexed):
    """The elements at these indices."""

    may_fault = True

    def __str__(self) -> str:
        return "gather"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("gather", arguments, 2)
        expect_integers("gather", arguments[1])
        return expect_array("gather", arguments[0])

    def compute(self, values: Any, indices: Any) -> Any:
        return [Index().compute(values, i) for i in indices]


@dataclass(frozen=True, slots=True)
class Scatter(Indexed):
    """An array with other values at these indices, no two of which may be equal."""

    may_fault = True

    def __str__(self) -> str:
        return "scatter"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("scatter", arguments, 3)
        expect_integers("scatter", arguments[1])
        expect(arguments[0] == arguments[2], "scatter takes values of the array's type")
        return expect_array("scatter", arguments[0])

    def compute(self, array: Any, indices: Any, values: Any) -> Any:
        if len(indices) != len(values):
            raise GraphFault(UNEQUAL)
        changed, seen = list(array), set()
        for i, value in zip(indices, values, strict=True):
            if not 0 <= i < len(array):
                raise GraphFault(OUT_OF_RANGE)
            if i in seen:
                raise GraphFault(EQUAL_INDICES)
            seen.add(i)
            changed[i] = value
        return changed


@dataclass(frozen=True, slots=True)
class ScatterReduce(Indexed):
    """An array in which values are combined into what is at these indices, in ascending order."""

    row: str
    may_fault = True

    def __str__(self) -> str:
        return f"scatter_reduce[{self.row}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        Scatter().result(arguments)
        element = expect_array("scatter_reduce", arguments[0]).element
        expect(
            Row(self.row).result((element, element)) == element, f"{self.row} combines no {element}"
        )
        return arguments[0]

    def compute(self, array: Any, indices: Any, values: Any) -> Any:
        if len(indices) != len(values):
            raise GraphFault(UNEQUAL)
        changed, combine = list(array), Row(self.row).compute
        for i, value in zip(indices, values, strict=True):
            changed[i] = combine(Index().compute(changed, i), value)
        return changed


@dataclass(frozen=True, slots=True)
class Filter(Indexed):
    """The elements where a mask is true."""

    may_fault = True

    def __str__(self) -> str:
        return "filter"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("filter", arguments, 2)
        expect(arguments[1] == Array(I1), f"filter takes a mask of i1, not {arguments[1]}")
        return expect_array("filter", arguments[0])

    def compute(self, values: Any, mask: Any) -> Any:
        if len(values) != len(mask):
            raise GraphFault(UNEQUAL)
        return [value for value, keep in zip(values, mask, strict=True) if keep]


@dataclass(frozen=True, slots=True)
class Merge(Indexed):
    """For each of a mask the next element of the first array if true, else of the second."""

    may_fault = True

    def __str__(self) -> str:
        return "merge"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("merge", arguments, 3)
        expect(arguments[0] == Array(I1), f"merge takes a mask of i1, not {arguments[0]}")
        expect(
            arguments[1] == arguments[2],
            f"merge takes arrays of one type, not {arguments[1]} and {arguments[2]}",
        )
        return expect_array("merge", arguments[1])

    def compute(self, mask: Any, then: Any, other: Any) -> Any:
        taken = sum(mask)
        if taken != len(then) or len(mask) - taken != len(other):
            raise GraphFault(UNEQUAL)
        sources = iter(other), iter(then)
        return [next(sources[bool(choice)]) for choice in mask]
