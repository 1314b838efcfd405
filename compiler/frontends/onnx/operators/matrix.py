"""Products of matrices."""

from __future__ import annotations

from compiler.frontends.onnx.emitting.call import FLOATS, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from machines.types import I32, I64, Type

FAMILY = Family("matrix")
row = FAMILY.row
_TYPES = (*FLOATS, I32, I64)


@row("MatMul", 13, _TYPES)
def matmul(call: Call) -> Value:
    return product(call.code, call[0], call[1])


def product(code: Code, a: Value, b: Value, to: Type | None = None) -> Value:
    """As numpy.matmul has it: vectors are rows on the left, and columns on the right."""
    if not a.rank or not b.rank:
        raise Refusal("malformed", "one number is no matrix")
    wide_a = code.reshape(a, (1, *a.shape)) if a.rank == 1 else a
    wide_b = code.reshape(b, (*b.shape, 1)) if b.rank == 1 else b
    if wide_b.rank == 2 < wide_a.rank:  # one matrix of all rows
        *outer, k = wide_a.shape
        rows = code.reshape(wide_a, (wide_a.count // max(k, 1), k))
        found = code.reshape(code.matmul(rows, wide_b, to), (*outer, wide_b.shape[1]))
    else:
        found = code.matmul(wide_a, wide_b, to)
    shape = list(found.shape)
    if b.rank == 1:
        del shape[-1]
    if a.rank == 1:
        del shape[-1 if b.rank == 1 else -2]
    return code.reshape(found, shape)


@row("Gemm", 13, _TYPES)
def gemm(call: Call) -> Value:
    code, a, b = call.code, call[0], call[1]
    if call.attribute("transA", 0):
        a = code.transpose(a, (1, 0))
    found = code.matmul(a, b, transposed=bool(call.attribute("transB", 0)))
    alpha, beta = call.attribute("alpha", 1.0), call.attribute("beta", 1.0)
    if alpha != 1:
        found = code.mul(found, alpha)
    c = call.optional(2)
    if c is None or beta == 0:
        return found
    return code.add(found, c if beta == 1 else code.mul(c, beta))
