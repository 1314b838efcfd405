"""Arithmetic, comparisons and logic, element by element, broadcast as in numpy."""

from __future__ import annotations

from functools import reduce

import numpy as np

from compiler.frontends.onnx.emitting.call import (
    ANY,
    FLOATS,
    FUNCTIONS_OF,
    INTEGERS,
    NUMBERS,
    Call,
    Family,
)
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from machines.types import BOOLEAN, F32, F64, I64

FAMILY = Family("elementwise")
row = FAMILY.row


def _plain(name: str, operator: str, newest: int, types, sentence: str = "") -> None:
    @row(name, newest, types, sentence)
    def lower(call: Call) -> Value:
        return call.code.unary(operator, call[0])


_plain("Abs", "abs", 13, NUMBERS, "MIN of integers wraps.")
_plain("Neg", "neg", 13, NUMBERS, "MIN of integers wraps.")
_plain("Sqrt", "sqrt", 13, FLOATS)
_plain("Reciprocal", "recip", 13, FLOATS)
_plain("Floor", "floor", 13, FLOATS)
_plain("Ceil", "ceil", 13, FLOATS)
_plain("Round", "round", 22, FLOATS, "To nearest even.")
_plain("Exp", "exp", 13, FUNCTIONS_OF)
_plain("Log", "log", 13, FUNCTIONS_OF)
_plain("Sin", "sin", 22, FUNCTIONS_OF)
_plain("Cos", "cos", 22, FUNCTIONS_OF)
_plain("Erf", "erf", 13, FUNCTIONS_OF)


@row("Tan", 22, FUNCTIONS_OF)
def tangent(call: Call) -> Value:
    code, x = call.code, call.code.in_f32(call[0])
    found = code.div(code.unary("sin", x), code.unary("cos", x))
    return code.convert(found, call[0].element)


@row("Sign", 13, NUMBERS)
def sign(call: Call) -> Value:
    return call.code.sign(call[0])


# ---- Two operands -------------------------------------------------------------------------------


def _arithmetic(name: str, operator: str) -> None:
    @row(name, 14, NUMBERS, "Integers wrap.")
    def lower(call: Call) -> Value:
        return call.code.binary(operator, call[0], call[1])


for _name, _operator in (("Add", "add"), ("Sub", "sub"), ("Mul", "mul")):
    _arithmetic(_name, _operator)


@row("Div", 14, NUMBERS, "Of integers truncated; of i64 as exact as an f64; by 0 no number.")
def divide(call: Call) -> Value:
    return quotient(call.code, call[0], call[1])


def quotient(code: Code, x: Value, y: Value, rounding: str = "") -> Value:
    """x / y; of integers towards zero, or as the operator `rounding` rounds."""
    if x.element.is_float:
        return code.div(x, y)
    exact = code.div(code.convert(x, F64), code.convert(y, F64))
    exact = code.unary(rounding, exact) if rounding else exact
    # MIN / -1 wraps, as the host's does.
    return code.convert(code.convert(exact, I64), x.element)


@row("Mod", 28, NUMBERS, "Of floats as exact as the quotient in f64.")
def modulo(call: Call) -> Value:
    code, x, y = call.code, call[0], call[1]
    truncated = call.attribute("fmod", 0)
    if not x.element.is_float:
        whole = quotient(code, x, y, "" if truncated else "floor")
        return code.sub(x, code.mul(whole, y))
    wide = [code.convert(v, F64) for v in (x, y)]
    exact = code.div(*wide)
    down = code.unary("floor", exact)
    if truncated:  # towards zero
        down = code.select(code.compare("lt", exact, 0), code.unary("ceil", exact), down)
    found = code.sub(wide[0], code.mul(down, wide[1]))
    return code.convert(_of_infinite(code, *wide, found, truncated), x.element)


def _of_infinite(code: Code, x: Value, y: Value, found: Value, truncated: int) -> Value:
    """The remainder of a division by infinity is x, or y where it has to have the other sign."""
    whole = x
    if not truncated:
        is_other = code.compare("lt", code.mul(code.sign(x), code.sign(y)), 0)
        whole = code.select(is_other, y, x)
    is_one = code.compare("eq", code.unary("abs", y), np.inf)
    is_finite = code.compare("lt", code.unary("abs", x), np.inf)
    return code.select(code.logic("and", is_one, is_finite), whole, found)


@row("Pow", 15, FUNCTIONS_OF, "A known power that is small and whole is done by products.")
def power(call: Call) -> Value:
    code, x, y = call.code, call[0], call[1]
    if y.is_known and y.count and (y.array == y.array.flat[0]).all():
        found = _power_known(code, x, float(y.array.flat[0]))
        if found is not None:
            return code.broadcast(found, np.broadcast_shapes(x.shape, y.shape))
    if y.element not in NUMBERS:
        raise Refusal("element type", f"a power of {y.element}")
    if not y.element.is_float:
        y = code.convert(y, F32)
    return code.binary("pow", x, code.convert(y, x.element))


def _power_known(code: Code, x: Value, power: float) -> Value | None:
    """By products and roots, where few will do."""
    if power == 0.5:
        return code.unary("sqrt", x)
    if power != int(power) or not -8 <= power <= 8:
        return None
    size, found, square = abs(int(power)), None, x
    while size:
        if size & 1:
            found = square if found is None else code.mul(found, square)
        size >>= 1
        square = code.unary("square", square) if size else square
    if found is None:
        return code.broadcast(code.number(1, x), x.shape)
    return code.unary("recip", found) if power < 0 else found


def _many(name: str, operator: str, types, sentence: str) -> None:
    @row(name, 13, types, sentence)
    def lower(call: Call) -> Value:
        return reduce(lambda x, y: call.code.binary(operator, x, y), call.all)


_many("Sum", "add", FLOATS, "From the first operand on.")
_many("Max", "max", NUMBERS, "Of NaN and a number the number.")
_many("Min", "min", NUMBERS, "Of NaN and a number the number.")


@row("Mean", 13, FLOATS)
def mean(call: Call) -> Value:
    found = reduce(call.code.add, call.all)
    return call.code.mul(found, 1 / len(call.all))


@row("Clip", 13, NUMBERS, "Bounds may be data.")
def clip(call: Call) -> Value:
    code, x = call.code, call[0]
    if call.version < 11:
        low, high = call.attribute("min"), call.attribute("max")
        return _clipped(code, x, low, high)
    low, high = call.optional(1), call.optional(2)
    ends = [None if end is None else code.reshape(end, ()) for end in (low, high)]
    if all(end is None or end.is_known for end in ends):
        return _clipped(code, x, *(None if end is None else end.array.item() for end in ends))
    x = x if ends[0] is None else code.binary("max", x, ends[0])
    return x if ends[1] is None else code.binary("min", x, ends[1])


def _clipped(code: Code, x: Value, low, high) -> Value:
    given = {"low": low, "high": high}
    given = {
        name: float(end) if x.element.is_float else int(end)
        for name, end in given.items()
        if end is not None
    }
    return code.emit("clip", x, **given) if given else x


# ---- Comparisons, logic -------------------------------------------------------------------------


def _comparison(name: str, relation: str, newest: int, types) -> None:
    @row(name, newest, types)
    def lower(call: Call) -> Value:
        return call.code.compare(relation, call[0], call[1])


_comparison("Equal", "eq", 19, ANY)
_comparison("Less", "lt", 13, NUMBERS)
_comparison("Greater", "gt", 13, NUMBERS)
_comparison("LessOrEqual", "le", 16, NUMBERS)
_comparison("GreaterOrEqual", "ge", 16, NUMBERS)


def _logic(name: str, operator: str) -> None:
    @row(name, 7, (BOOLEAN,))
    def lower(call: Call) -> Value:
        return call.code.logic(operator, call[0], call[1])


for _name in ("And", "Or", "Xor"):
    _logic(_name, _name.lower())


@row("Not", 1, (BOOLEAN,))
def negation(call: Call) -> Value:
    return call.code.compare("eq", call[0], 0)


@row("Where", 16, (BOOLEAN,))
def where(call: Call) -> Value:
    return call.code.select(call[0], call[1], call[2])


@row("IsNaN", 20, FLOATS)
def is_nan(call: Call) -> Value:
    return call.code.compare("ne", call[0], call[0])


@row("IsInf", 20, FLOATS)
def is_infinite(call: Call) -> Value:
    code, x = call.code, call[0]
    negative = call.attribute("detect_negative", 1)
    positive = call.attribute("detect_positive", 1)
    if positive and negative:
        return code.compare("eq", code.unary("abs", x), np.inf)
    if not positive and not negative:
        return code.compare("lt", x, -np.inf)
    return code.compare("eq", x, np.inf if positive else -np.inf)


def _bitwise(name: str, operator: str) -> None:
    @row(f"Bitwise{name}", 18, INTEGERS)
    def lower(call: Call) -> Value:
        return call.code.binary(operator, call[0], call[1])


for _name in ("And", "Or", "Xor"):
    _bitwise(_name, _name.lower())


@row("BitwiseNot", 18, INTEGERS)
def complement(call: Call) -> Value:
    return call.code.unary("not", call[0])


@row("BitShift", 28, INTEGERS, "Signed ones to the right arithmetically.")
def shift(call: Call) -> Value:
    direction = call.required("direction")
    names = {"LEFT": "shl", "RIGHT": "shr_s" if call[0].element.signed else "shr_u"}
    if direction not in names:
        raise Refusal("malformed", f"direction '{direction}' is neither LEFT nor RIGHT")
    return call.code.binary(names[direction], call[0], call[1])
