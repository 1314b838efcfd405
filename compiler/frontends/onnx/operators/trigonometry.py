"""Hyperbolic functions and inverse ones, made of exponentials, logarithms, roots and a polynomial;
they are worked out in f32."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from compiler.frontends.onnx.emitting.call import FUNCTIONS_OF, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.values import Value

FAMILY = Family("trigonometry")
DEGREE = 8
"""Of the polynomial of the arc tangent: it errs by less than 2 units of f32."""


def _row(name: str, newest: int, work: Callable[[Code, Value], Value], sentence: str = "") -> None:
    @FAMILY.row(name, newest, FUNCTIONS_OF, sentence)
    def lower(call: Call) -> Value:
        code, x = call.code, call[0]
        return code.convert(work(code, code.in_f32(x)), x.element)


def _half_sum(code: Code, x: Value, sign: int) -> Value:
    """Half the sum, or the difference, of e to the power of x and of -x."""
    e = code.unary("exp", x)
    other = code.unary("recip", e)
    return code.mul(code.add(e, other) if sign > 0 else code.sub(e, other), 0.5)


def _signed(code: Code, x: Value, of_size: Callable[[Value], Value]) -> Value:
    """An odd function, by what it is of magnitudes."""
    found = of_size(code.unary("abs", x))
    return code.select(code.compare("lt", x, 0), code.unary("neg", found), found)


def _inverse_sinh(code: Code, x: Value) -> Value:
    def of_size(size: Value) -> Value:
        root = code.unary("sqrt", code.add(code.unary("square", size), 1))
        return code.unary("log", code.add(size, root))

    return _signed(code, x, of_size)


def _inverse_cosh(code: Code, x: Value) -> Value:
    root = code.unary("sqrt", code.mul(code.sub(x, 1), code.add(x, 1)))
    return code.unary("log", code.add(x, root))


def _inverse_tanh(code: Code, x: Value) -> Value:
    quotient = code.div(code.add(x, 1), code.sub(code.number(1, x), x))
    return code.mul(code.unary("log", quotient), 0.5)


@cache
def _coefficients() -> tuple[float, ...]:
    """Of atan(root of t) / root of t for t from 0 to the square of tan(pi / 8), ascending."""
    end = math.tan(math.pi / 8) ** 2

    def quotient(t: np.ndarray) -> np.ndarray:
        root = np.sqrt(np.maximum(t, 1e-300))
        return np.arctan(root) / root

    found = np.polynomial.Chebyshev.interpolate(quotient, DEGREE, [0, end])
    return tuple(map(float, found.convert(kind=np.polynomial.Polynomial).coef))


def _arc_tangent(code: Code, x: Value) -> Value:
    """Of a magnitude beyond 1 by its reciprocal, and beyond tan(pi / 8) from pi / 4 on."""

    def of_size(size: Value) -> Value:
        large = code.compare("gt", size, 1)
        inside = code.select(large, code.unary("recip", size), size)
        middle = code.compare("gt", inside, math.tan(math.pi / 8))
        shifted = code.div(code.sub(inside, 1), code.add(inside, 1))
        t = code.select(middle, shifted, inside)
        square, total = code.unary("square", t), None
        for coefficient in _coefficients()[::-1]:
            one = code.number(coefficient, x)
            total = one if total is None else code.add(code.mul(square, total), one)
        found = code.mul(t, total)
        found = code.select(middle, code.add(found, math.pi / 4), found)
        return code.select(large, code.sub(code.number(math.pi / 2, x), found), found)

    return _signed(code, x, of_size)


def _arc_sine(code: Code, x: Value) -> Value:
    rest = code.mul(code.sub(code.number(1, x), x), code.add(x, 1))
    return _arc_tangent(code, code.div(x, code.unary("sqrt", rest)))


def _arc_cosine(code: Code, x: Value) -> Value:
    return code.sub(code.number(math.pi / 2, x), _arc_sine(code, x))


_row("Sinh", 22, lambda code, x: _half_sum(code, x, -1))
_row("Cosh", 22, lambda code, x: _half_sum(code, x, 1))
_row("Asinh", 22, _inverse_sinh)
_row("Acosh", 22, _inverse_cosh)
_row("Atanh", 22, _inverse_tanh)
_row("Atan", 22, _arc_tangent)
_row("Asin", 22, _arc_sine)
_row("Acos", 22, _arc_cosine)
