"""The table of operators that are taken, a file a family."""

from collections.abc import Iterator

from compiler.frontends.onnx.emitting.call import Family, Row
from compiler.frontends.onnx.operators import (
    activation,
    convolution,
    creation,
    einsum,
    elementwise,
    indexed,
    matrix,
    movement,
    normalization,
    pooling,
    quantization,
    recurrent,
    reduction,
    resampling,
    trigonometry,
)
from machines.types import ELEMENTS

FAMILIES: tuple[Family, ...] = (
    creation.FAMILY,
    elementwise.FAMILY,
    activation.FAMILY,
    reduction.FAMILY,
    matrix.FAMILY,
    convolution.FAMILY,
    pooling.FAMILY,
    normalization.FAMILY,
    movement.FAMILY,
    indexed.FAMILY,
    einsum.FAMILY,
    resampling.FAMILY,
    quantization.FAMILY,
    recurrent.FAMILY,
    trigonometry.FAMILY,
)
ROWS: dict[tuple[str, str], Row] = {
    (row.domain, row.name): row for family in FAMILIES for row in family.rows
}
"""By domain and name; the domain of ONNX itself is ''."""


def listed() -> Iterator[tuple[str, ...]]:
    """The rows as `simrun list operators` has them."""
    for row in ROWS.values():
        types = " ".join(map(str, row.types)) if len(row.types) < len(ELEMENTS) else "any"
        yield row.name, row.family, f"to version {row.newest}", types, row.sentence
