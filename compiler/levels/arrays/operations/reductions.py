"""Operations of many elements, in ascending order from a start value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compiler.levels.arrays.operations.hierarchy import Reduction, expect, expect_array, takes
from compiler.levels.arrays.operations.scalars import Row
from compiler.levels.arrays.types import Array, GraphType


@dataclass(frozen=True, slots=True)
class Reduce(Reduction):
    """A start value combined with every element in ascending order."""

    row: str

    def __str__(self) -> str:
        return f"reduce[{self.row}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("reduce", arguments, 2)
        element = expect_array("reduce", arguments[1]).element
        expect(arguments[0] == element, f"reduce starts with {element}, not {arguments[0]}")
        combined = Row(self.row).result((element, element))
        expect(combined == element, f"{self.row} gives {combined}, not {element}")
        expect(not Row(self.row).may_fault, f"{self.row} may fault")
        return element

    def compute(self, start: Any, values: Any) -> Any:
        combine = Row(self.row).compute
        for value in values:
            start = combine(start, value)
        return start


@dataclass(frozen=True, slots=True)
class Scan(Reduction):
    """What `reduce` comes to after each element: as many values as elements."""

    row: str

    def __str__(self) -> str:
        return f"scan[{self.row}]"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        return Array(Reduce(self.row).result(arguments))

    def compute(self, start: Any, values: Any) -> Any:
        combine, made = Row(self.row).compute, []
        for value in values:
            start = combine(start, value)
            made.append(start)
        return made
