"""IR rows: tensor operations, which work on intervals of buffers.

    tensor.matmul.f32 c[0:4], a[0:6], b[0:6], 2, 3, 2

They are rows of memory, like `load` and `store`: what they write is the interval in their first
operand; only reductions have a result.  All elements are read before any is written.  What happens
to an element is what the scalar row of its type says, named here, so both round and wrap alike.

Sums and products of floats are accumulated one by one in the order of ascending indices, from +0;
a product is rounded before it is added.  The maximum begins with the lowest value of the type (-inf
for floats) and passes over NaN, as `max` does.
"""

from __future__ import annotations

from machines.instructions import ir_arithmetic
from machines.operations.meaning import parsed
from machines.operations.row import Operand, OperandKind, Operation, Region, Walk
from machines.types import F32, F64, I8, I16, I32, I64, Type

TENSOR_TYPES = (I8, I16, I32, I64, F32, F64)
_SCALAR = {row.name: row for row in ir_arithmetic.ROWS}


def _scalar(name: str, **operands: str) -> str:
    """What a scalar row computes, with expressions in place of its operands."""
    return parsed(_SCALAR[name].meaning).value.placed(operands)


def _walk(loops: str, start: str = "0", **intervals: tuple[str, str]) -> Walk:
    """_walk('i<rows j<columns', d=('j * rows + i', 'rows columns'), …)."""
    pairs = (loop.split("<") for loop in loops.split())
    return Walk(
        tuple((index, extent) for index, extent in pairs),
        tuple((name, element) for name, (element, _) in intervals.items()),
        tuple((name, tuple(extents.split())) for name, (_, extents) in intervals.items()),
        start,
    )


_EACH = ("i", "size")
_MATMUL = {
    "d": ("i * n + j", "m n"),
    "a": ("i * k + l", "m k"),
    "b": ("l * n + j", "k n"),
}
_TRANSPOSE = {
    "d": ("j * rows + i", "rows columns"),
    "a": ("i * columns + j", "rows columns"),
}


def _rows_of(t: Type):
    source, target = Region(t, "load"), Region(t, "store")
    zero, lowest = ("0.0", "-inf") if t.is_float else ("0", str(-(1 << (t.bits - 1))))
    maximum = f"max.{t}" if t.is_float else f"max_s.{t}"

    def row(name: str, reads: dict[str, OperandKind], meaning: str, sentence: str, walk: Walk):
        operands = (Operand("d", target), *(Operand(n, kind) for n, kind in reads.items()))
        full = f"tensor.{name}.{t}"
        return Operation(full, "ir", operands, f"d = {meaning}", sentence, walk=walk)

    def elementwise(name: str, sources: str, meaning: str, sentence: str) -> Operation:
        walk = _walk("i<size", **dict.fromkeys(["d", *sources], _EACH))
        return row(name, dict.fromkeys(sources, source), meaning, sentence, walk)

    def reduction(name: str, meaning: str, start: str, sentence: str) -> Operation:
        operands = (Operand("d", t, "w"), Operand("a", source))
        walk = _walk("i<size", start, d=("0", ""), a=_EACH)
        full = f"tensor.{name}.{t}"
        return Operation(full, "ir", operands, f"d = {meaning}", sentence, walk=walk)

    yield elementwise("copy", "a", "a", "Copy elements.")
    yield row("fill", {"a": t}, "a", "Write one value to every element.", _walk("i<size", d=_EACH))
    yield elementwise("add", "ab", _scalar(f"add.{t}"), "Sums of elements.")
    yield elementwise("mul", "ab", _scalar(f"mul.{t}"), "Products of elements.")
    yield elementwise("max", "ab", _scalar(maximum), "Maxima of elements, signed.")
    yield elementwise("relu", "a", _scalar(maximum, b=f"({zero})"), "Maxima of elements and 0.")
    product = _scalar(f"mul.{t}")
    yield row(
        "matmul",
        {"a": source, "b": source, "m": I64, "k": I64, "n": I64},
        _scalar(f"add.{t}", a="d", b=f"({product})"),
        "The matrix product: d, m × n, is a, m × k, times b, k × n; each a row after the other.",
        _walk("i<m j<n l<k", zero, **_MATMUL),
    )
    yield row(
        "transpose",
        {"a": source, "rows": I64, "columns": I64},
        "a",
        "The transposed copy of a matrix of `rows` × `columns`.",
        _walk("i<rows j<columns", **_TRANSPOSE),
    )
    yield reduction("sum", _scalar(f"add.{t}", a="d", b="a"), zero, "The sum; 0 of no element.")
    yield reduction(
        "maximum",
        _scalar(maximum, a="d", b="a"),
        lowest,
        "The maximum, signed; the lowest value of the type of no element.",
    )


ROWS = tuple(row for t in TENSOR_TYPES for row in _rows_of(t))
