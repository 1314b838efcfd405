"""The units of an IPU core of a cluster machine: scalar, vector and matrix unit."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from machines.description.schema import (
    MOST_A_CYCLE,
    MOST_ENTRIES,
    MOST_UNITS,
    Bytes,
    Cycles,
    Description,
    figure,
)
from machines.kinds.cluster.classes import VECTOR_CLASSES
from machines.types import TYPES

VectorClass = Literal[*VECTOR_CLASSES]
Element = Literal[
    *(name for name, t in TYPES.items() if t.is_float or (t.is_integer and t.bits > 1))
]
SomeCycles = Annotated[Cycles, Field(ge=1)]
Products = Annotated[int, Field(ge=1, le=MOST_A_CYCLE)]


class Scalar(Description):
    """The scalar unit, which carries out the program, one operation after the other, and hands
    commands to queues."""

    simple: Cycles = figure(ge=1, description="Cycles of integer operations, moves, comparisons.")
    multiply: Cycles = figure(ge=1, description="Cycles of an integer product.")
    divide: Cycles = figure(ge=1, description="Cycles of an integer quotient or remainder.")
    floating: Cycles = figure(ge=1, description="Cycles of sums and products of floats.")
    floating_divide: Cycles = figure(ge=1, description="Cycles of quotients and roots of floats.")
    branch: Cycles = figure(ge=1, description="Cycles of a branch.")
    issue: Cycles = figure(
        ge=0, description="Cycles to hand a command to a queue, and of waits and barriers."
    )
    queue: int = figure(
        ge=1, le=MOST_ENTRIES, description="Commands that each queue holds; more have to wait."
    )


class Vector(Description):
    """The vector unit: an operation takes a step for every `width` bytes of its longest operand."""

    width: Bytes = figure(ge=1, le=MOST_A_CYCLE, description="Bytes of a step.")
    issue: Cycles = figure(ge=0, description="Cycles before its first step.")
    depth: Cycles = figure(ge=0, description="Cycles from its last step to its result.")
    cost: dict[VectorClass, SomeCycles] = figure(
        description="Cycles of a step, by scheduling class."
    )

    def steps(self, size: int) -> int:
        """Of an operation on so many bytes."""
        return -(-size // self.width)

    def cycles(self, scheduling_class: str, size: int) -> int:
        """Cycles that an operation on so many bytes occupies the unit."""
        return self.cost[scheduling_class] * self.steps(size)


class Relayout(Description):
    """What a core spends on each interval of several segments that it computes with: its vector and
    matrix unit take operands in order.

    n bytes in s segments take (s - 1) · `segment` cycles and n / `width` more, before the first
    operation for what is read, behind the last one for what is written; the unit is held meanwhile.
    """

    width: Bytes = figure(
        ge=1,
        le=MOST_A_CYCLE,
        description="Bytes a cycle that are put in order, of an operand or result in several "
        "segments.",
    )
    segment: Cycles = figure(
        ge=0, description="Cycles of every segment of an operand or result after its first."
    )

    def cycles(self, segments: int, size: int) -> int:
        """Cycles of an interval of so many bytes in so many segments."""
        if segments <= 1 or not size:
            return 0
        return (segments - 1) * self.segment + -(-size // self.width)


class MatrixUnit(Description):
    """What matrix units of both shapes have."""

    issue: Cycles = figure(ge=0, description="Cycles before its first product.")
    depth: Cycles = figure(ge=0, description="Cycles from its last product to its result.")


class InnerProduct(MatrixUnit):
    """Lanes that each compute the inner product of a row of the left operand and a column of the
    right one, a piece of both a cycle."""

    unit: Literal["inner_product"] = figure(description="The shape of the matrix unit.")
    lanes: int = figure(ge=1, le=MOST_UNITS, description="Columns of a result computed at once.")
    reduction: Bytes = figure(
        ge=1,
        le=MOST_A_CYCLE,
        description="What a lane takes of a row a cycle at most; rows are padded to multiples.",
    )
    rates: dict[Element, dict[Element, Products]] = figure(
        description="Type of the left operand, type of the right one -> products that a lane "
        "computes a cycle; types that are not here cannot be multiplied."
    )

    takes_whole_depth: ClassVar[bool] = False
    """Whether all that is summed up is one row, or each tap of a convolution a row of its own."""

    def supports(self, left: str, right: str) -> bool:
        """Whether elements of these types can be multiplied."""
        return right in self.rates.get(left, {})

    def pairs(self) -> list[str]:
        """What it multiplies, in words."""
        return [f"{left} by {right}" for left, rates in self.rates.items() for right in rates]

    def products(self, left: str, right: str) -> int:
        """That the unit computes a cycle."""
        return self.lanes * self.rates[left][right]

    def padded(self, k: int, left: str, right: str) -> int:
        """Elements of a row of k with its padding: whole pieces of the wider type."""
        piece = 8 * self.reduction // max(TYPES[left].bits, TYPES[right].bits)
        return -(-k // piece) * piece

    def cycles(self, m: int, k: int, n: int, left: str, right: str) -> int:
        """Cycles that a product of m × k by k × n occupies the unit."""
        pieces = -(-self.padded(k, left, right) // self.rates[left][right])
        return m * pieces * -(-n // self.lanes)


class Systolic(MatrixUnit):
    """An array of cells that compute a product a cycle each, whatever its types.

    A result is computed in folds: each is what the array does with all of its rows and columns,
    used or not.  Cells that hold a second weight take in those of the next fold meanwhile, and then
    folds overlap: one begins when the one before it has its last inputs.
    """

    unit: Literal["systolic"] = figure(description="The shape of the matrix unit.")
    rows: int = figure(ge=1, le=MOST_A_CYCLE, description="Rows of the array.")
    columns: int = figure(ge=1, le=MOST_A_CYCLE, description="Columns of the array.")
    dataflow: Literal["os", "ws", "is"] = figure(
        description="What stays in the cells during a fold: 'os': outputs, 'ws': weights (the "
        "right operand), 'is': inputs (the left one)."
    )
    folds: Literal["apart", "overlapped"] = figure(
        description="Whether a fold begins when all of the one before is done ('apart', as in "
        "SCALE-Sim), or as soon as inputs and what stays in the cells can come ('overlapped')."
    )

    takes_whole_depth: ClassVar[bool] = True

    def supports(self, left: str, right: str) -> bool:
        """Whether elements of these types can be multiplied."""
        return True

    def pairs(self) -> list[str]:
        """What it multiplies, in words."""
        return ["all types"]

    def products(self, left: str, right: str) -> int:
        """That the unit computes a cycle."""
        return self.rows * self.columns

    def cycles(self, m: int, k: int, n: int, left: str, right: str) -> int:
        """Cycles that a product of m × k by k × n occupies the unit.

        SCALE-Sim reports the number of the last one, counted from 0: one less.
        """
        along_rows, along_columns, time = {"os": (m, n, k), "ws": (k, n, m), "is": (k, m, n)}[
            self.dataflow
        ]
        folds = -(-along_rows // self.rows) * -(-along_columns // self.columns)
        loading = 0 if self.dataflow == "os" else self.rows
        one = loading + self.rows + self.columns + time - 2
        if self.folds == "apart" or not folds:
            return folds * one
        return (folds - 1) * max(time, loading) + one
