"""Activation functions."""

from __future__ import annotations

import math

from compiler.frontends.onnx.emitting.call import FLOATS, FUNCTIONS_OF, NUMBERS, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.operators.creation import one_hot

FAMILY = Family("activation")
row = FAMILY.row


def _plain(name: str, operator: str, newest: int, types, sentence: str = "") -> None:
    @row(name, newest, types, sentence)
    def lower(call: Call) -> Value:
        return call.code.unary(operator, call[0])


_plain("Relu", "relu", 14, NUMBERS, "Of NaN and of -0 it is 0.")
_plain("Tanh", "tanh", 13, FUNCTIONS_OF)
_plain("Sigmoid", "sigmoid", 13, FUNCTIONS_OF)


def _at_zero(code: Code, x: Value, below: Value) -> Value:
    """x where it is not negative, else `below`."""
    return code.select(code.compare("lt", x, 0), below, x)


@row("LeakyRelu", 16, FLOATS)
def leaky_relu(call: Call) -> Value:
    return _at_zero(call.code, call[0], call.code.mul(call[0], call.attribute("alpha", 0.01)))


@row("PRelu", 16, NUMBERS)
def prelu(call: Call) -> Value:
    return _at_zero(call.code, call[0], call.code.mul(call[0], call[1]))


def _less_one(code: Code, x: Value) -> Value:
    """e to the power of x, less 1."""
    return code.sub(code.unary("exp", x), 1)


@row("Elu", 22, FUNCTIONS_OF)
def elu(call: Call) -> Value:
    code = call.code
    return _at_zero(code, call[0], code.mul(_less_one(code, call[0]), call.attribute("alpha", 1.0)))


@row("Selu", 22, FUNCTIONS_OF)
def selu(call: Call) -> Value:
    code, alpha = call.code, call.attribute("alpha", 1.67326319217681884765625)
    found = _at_zero(code, call[0], code.mul(_less_one(code, call[0]), alpha))
    return code.mul(found, call.attribute("gamma", 1.05070102214813232421875))


@row("Celu", 28, FUNCTIONS_OF)
def celu(call: Call) -> Value:
    code, alpha = call.code, call.attribute("alpha", 1.0)
    below = code.mul(_less_one(code, code.mul(call[0], 1 / alpha)), alpha)
    return _at_zero(code, call[0], below)


@row("ThresholdedRelu", 22, FLOATS)
def thresholded_relu(call: Call) -> Value:
    code, x = call.code, call[0]
    return code.select(code.compare("gt", x, call.attribute("alpha", 1.0)), x, 0)


@row("HardSigmoid", 22, FLOATS)
def hard_sigmoid(call: Call) -> Value:
    alpha, beta = call.attribute("alpha", 0.2), call.attribute("beta", 0.5)
    return _hard_sigmoid(call.code, call[0], alpha, beta)


def _hard_sigmoid(code: Code, x: Value, alpha: float, beta: float) -> Value:
    return code.emit("clip", code.add(code.mul(x, alpha), beta), low=0.0, high=1.0)


@row("HardSwish", 22, FLOATS)
def hard_swish(call: Call) -> Value:
    return call.code.mul(call[0], _hard_sigmoid(call.code, call[0], 1 / 6, 0.5))


@row("Softplus", 22, FUNCTIONS_OF)
def softplus(call: Call) -> Value:
    return _softplus(call.code, call[0])


def _softplus(code: Code, x: Value) -> Value:
    """log(1 + e**x), as max(x, 0) + log(1 + e**-|x|), which never overflows."""
    small = code.unary("exp", code.unary("neg", code.unary("abs", x)))
    return code.add(code.unary("relu", x), code.unary("log", code.add(small, 1)))


@row("Softsign", 22, FLOATS)
def softsign(call: Call) -> Value:
    code, x = call.code, call[0]
    return code.div(x, code.add(code.unary("abs", x), 1))


@row("Mish", 22, FUNCTIONS_OF)
def mish(call: Call) -> Value:
    code, x = call.code, call[0]
    return code.mul(x, code.unary("tanh", _softplus(code, x)))


@row("Swish", 24, FUNCTIONS_OF)
def swish(call: Call) -> Value:
    code, x, alpha = call.code, call[0], call.attribute("alpha", 1.0)
    if alpha == 1:
        return code.unary("silu", x)
    return code.mul(x, code.unary("sigmoid", code.mul(x, alpha)))


@row("Gelu", 20, FUNCTIONS_OF)
def gelu(call: Call) -> Value:
    code, x = call.code, call[0]
    how = call.attribute("approximate", "none")
    if how == "none":
        return code.unary("gelu", x)
    if how != "tanh":
        raise Refusal("malformed", f"approximate '{how}' is neither none nor tanh")
    cube = code.mul(code.unary("square", x), x)
    inside = code.mul(code.add(x, code.mul(cube, 0.044715)), math.sqrt(2 / math.pi))
    return code.mul(code.mul(x, 0.5), code.add(code.unary("tanh", inside), 1))


@row("Shrink", 9, FLOATS)
def shrink(call: Call) -> Value:
    code, x = call.code, call[0]
    bias, bound = call.attribute("bias", 0.0), call.attribute("lambd", 0.5)
    above = code.select(code.compare("gt", x, bound), code.sub(x, bias), 0)
    return code.select(code.compare("lt", x, -bound), code.add(x, bias), above)


# ---- Along an axis ------------------------------------------------------------------------------


def _rows(call: Call) -> tuple[Value, list[int]]:
    """The operand as rows along which the function goes, and the shape to be restored; before
    version 13 a row is all from the axis on."""
    code, x = call.code, call[0]
    axis = call.axis(call.attribute("axis", -1 if call.version >= 13 else 1), max(1, x.rank))
    if call.version >= 13 or axis == x.rank - 1:
        return code.last(x, axis), [axis]
    return code.reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))), []


def _along(name: str, lower_rows) -> None:
    @row(name, 13, FUNCTIONS_OF, "Before opset 13 along all axes from one on.")
    def lower(call: Call) -> Value:
        rows, moved = _rows(call)
        found = lower_rows(call.code, rows)
        return call.code.back(found, *moved) if moved else call.code.reshape(found, call[0].shape)


def _hardmax(code: Code, x: Value) -> Value:
    return one_hot(code, code.emit("argmax", x, axis=x.rank - 1), x.shape[-1], x.element)


_along("Softmax", lambda code, x: code.unary("softmax", x))
_along("LogSoftmax", lambda code, x: code.unary("log_softmax", x))
_along("Hardmax", _hardmax)
