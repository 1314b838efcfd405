"""What vectorization makes of terminals: operations done for every element of arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compiler.levels.arrays.operations.hierarchy import (
    UNEQUAL,
    GraphFault,
    Terminal,
    expect,
    expect_array,
)
from compiler.levels.arrays.types import Array, GraphType


@dataclass(frozen=True, slots=True)
class Each(Terminal):
    """A terminal done for every element of arrays of one length: what vectorization makes of it."""

    of: Terminal

    def __str__(self) -> str:
        return f"each.{self.of}"

    @property
    def may_fault(self) -> bool:  # type: ignore[override]
        return self.of.may_fault

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(bool(arguments), f"{self} takes arrays")
        return Array(self.of.result(tuple(expect_array(str(self), a).element for a in arguments)))

    def compute(self, *arrays: Any) -> Any:
        if len({len(array) for array in arrays}) > 1:
            raise GraphFault(UNEQUAL)
        return [self.of.compute(*lane) for lane in zip(*arrays, strict=True)]
