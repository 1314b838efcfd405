"""The scheduling classes of tensor rows: which unit or engine they go to, and what is in them."""

from __future__ import annotations

from machines.operations.row import Operation, Region

VECTOR_CLASSES = {
    "fill": "one value to every element",
    "simple": "add, sub, mul, min, max, abs, neg, relu, square, multiply-add, compare, select, "
    "logic, shifts, and those that repeat a short operand along a long one",
    "divide": "div, reciprocal, square root and its reciprocal",
    "transcendental": "exp, log, sin, cos, tanh, sigmoid, gelu, erf and their like",
    "convert": "from one type of elements to another",
    "lookup": "elements replaced by those of a table",
    "reduce": "one value of many: sum, largest, smallest, and where they are",
    "pool": "sums and maxima of windows",
    "transpose": "elements put into another order",
    "sort": "the largest elements in order",
}
"""What the vector unit does."""
MATRIX_CLASSES = {
    "matmul": "products of matrices",
    "conv": "convolutions, as products of matrices",
}
"""What the matrix unit does."""
COPY = "copy"
"""What a DMA or the broadcast bus does: which one follows from the memories of its operands."""


def multiplied_types(row: Operation) -> tuple[str, str]:
    """The types of the elements that a product multiplies: its last two intervals are they."""
    left, right = [o.kind.type.name for o in row.reads if isinstance(o.kind, Region)][-2:]
    return left, right
