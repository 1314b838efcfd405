"""Products of matrices."""

from __future__ import annotations

from compiler.frontends.onnx.emitting.call import FLOATS, Call, Family
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.operators.integer_products import (
    are_quantized,
    dequantized_product,
)
from compiler.frontends.onnx.operators.products import product
from machines.types import I32, I64

FAMILY = Family("matrix")
row = FAMILY.row
_TYPES = (*FLOATS, I32, I64)
_WHOLE = "Of dequantized numbers in whole ones."


@row("MatMul", 13, _TYPES, _WHOLE)
def matmul(call: Call) -> Value:
    a, b = call[0], call[1]
    if b.rank >= 2 and are_quantized(a, b, b.rank - 1):
        return dequantized_product(call.code, a.quantized, b.quantized)
    return product(call.code, a, b)


@row("Gemm", 13, _TYPES, _WHOLE)
def gemm(call: Call) -> Value:
    code, a, b = call.code, call[0], call[1]
    turns = [bool(call.attribute(name, 0)) for name in ("transA", "transB")]
    if are_quantized(a, b, 0 if turns[1] else 1):
        found = dequantized_product(code, a.quantized, b.quantized, *turns)
    else:
        a = code.transpose(a, (1, 0)) if turns[0] else a
        found = code.matmul(a, b, transposed=turns[1])
    alpha, beta = call.attribute("alpha", 1.0), call.attribute("beta", 1.0)
    if alpha != 1:
        found = code.mul(found, alpha)
    c = call.optional(2)
    if c is None or beta == 0:
        return found
    return code.add(found, c if beta == 1 else code.mul(c, beta))
