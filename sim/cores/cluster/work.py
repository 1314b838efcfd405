"""What commands compute: how many operations of which type, and how many a unit does a cycle."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import prod
from typing import NamedTuple

from machines.kinds.cluster.classes import MATRIX_CLASSES, multiplied_types
from machines.kinds.cluster.fields import Cluster
from machines.operations.row import Operand, Operation, Region
from machines.tensors.sizes import extents_of
from machines.tensors.work import Number


class Work(NamedTuple):
    """Of one command.

    of          the type of its operations: 'matrix i8', 'matrix i16 by i8', 'vector f32'
    operations  of the matrix unit products and sums; of the vector unit elements of the longest
                operand, each as often as the command goes over it
    rate        operations a cycle that one unit does at most
    """

    of: str
    operations: int
    rate: Fraction


def work_of(row: Operation, known: Mapping[str, Number], chip: Cluster) -> Work:
    """Of a command with intervals of known sizes; it is one that a unit computes."""
    if row.scheduling_class in MATRIX_CLASSES:
        extents = {**known, **extents_of(row.walk, known)}
        count = prod(extents[extent] for _, extent in row.walk.loops)
        left, right = multiplied_types(row)
        rate = Fraction(2 * chip.matrix.products(left, right))
        return Work(name_of_products(left, right), 2 * count, rate)
    longest = max(_regions(row), key=lambda o: o.kind.type.size(known[o.name]))
    elements, size = int(known[longest.name]), Fraction(longest.kind.type.bits, 8)
    if row.scheduling_class in ("pool", "sort"):
        extents = {**known, **extents_of(row.walk, known)}
        elements = prod(extents[extent] for _, extent in row.walk.loops)
    rate = Fraction(chip.vector.width, chip.vector.cost[row.scheduling_class]) / size
    return Work(name_of_elements(longest.kind.type.name), elements, rate)


def name_of_products(left: str, right: str) -> str:
    """The type of operations that multiply elements of these types."""
    return f"matrix {left}" if left == right else f"matrix {left} by {right}"


def name_of_elements(type_: str) -> str:
    """The type of operations of the vector unit on such elements."""
    return f"vector {type_}"


@cache
def _regions(row: Operation) -> tuple[Operand, ...]:
    return tuple(o for o in row.operands if isinstance(o.kind, Region))
