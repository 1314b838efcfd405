"""Normalizations: batches, layers, groups, images, rows, and what lies beside a channel."""

from __future__ import annotations

import math

from compiler.frontends.onnx.emitting.call import FLOATS, FUNCTIONS_OF, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.operators.images import require_image
from compiler.frontends.onnx.operators.pooling import average, mean, norm_of
from compiler.frontends.onnx.operators.windows import Windows

FAMILY = Family("normalization")
row = FAMILY.row


def per_channel(code: Code, x: Value, image: Value) -> Value:
    """A number a channel, so that it is broadcast over an image with channels in front."""
    return code.reshape(x, (x.count, *(1,) * (image.rank - 2)))


@row("BatchNormalization", 15, FLOATS, "With given mean and variance: a product and a sum.")
def batch_normalization(call: Call) -> Value:
    code, x = call.code, call[0]
    call.ignore("momentum")
    if not call.attribute("spatial", 1):
        raise Refusal("form", "mean and variance of each point")
    if call.attribute("training_mode", 0):
        raise Refusal("training", "mean and variance of the batch")
    if x.rank < 2:
        raise Refusal("shape or type", f"{list(x.shape)} has no channels")
    scale, shift, center, variance = (code.in_f32(call[k]) for k in range(1, 5))
    root = code.unary("sqrt", code.add(variance, call.attribute("epsilon", 1e-5)))
    factor = code.div(scale, root)
    rest = code.sub(shift, code.mul(center, factor))
    factor, rest = (per_channel(code, code.convert(v, x.element), x) for v in (factor, rest))
    return code.add(code.mul(x, factor), rest)


@row("InstanceNormalization", 22, FLOATS)
def instance_normalization(call: Call) -> Value:
    code, x = call.code, call[0]
    require_image(x, 3, 32)
    rows = code.reshape(x, (*x.shape[:2], math.prod(x.shape[2:])))
    found = code.reshape(_standardized(code, rows, call.attribute("epsilon", 1e-5)), x.shape)
    scale, shift = (per_channel(code, call[k], x) for k in (1, 2))
    return code.add(code.mul(found, scale), shift)


@row("GroupNormalization", 21, FLOATS)
def group_normalization(call: Call) -> Value:
    code, x = call.code, call[0]
    require_image(x, 3, 32)
    call.ignore("stash_type")
    groups, channels = call.required("num_groups"), x.shape[1]
    if groups < 1 or channels % groups:
        raise Refusal("malformed", f"{groups} groups of {channels} channels")
    rows = code.reshape(x, (x.shape[0], groups, x.count // (x.shape[0] * groups)))
    found = code.reshape(_standardized(code, rows, call.attribute("epsilon", 1e-5)), x.shape)
    scale, shift = call[1], call[2]
    if scale.count != channels:  # version 18: one a group
        scale, shift = (
            code.broadcast(code.reshape(v, (groups, 1)), (groups, channels // groups))
            for v in (scale, shift)
        )
        scale, shift = (code.reshape(v, (channels,)) for v in (scale, shift))
    scale, shift = (per_channel(code, v, x) for v in (scale, shift))
    return code.add(code.mul(found, scale), shift)


def _standardized(code: Code, rows: Value, epsilon: float) -> Value:
    """Rows less their mean, divided by their standard deviation."""
    size = rows.shape[-1]
    one, none = code.number([1.0] * size, rows), code.number([0.0] * size, rows)
    return code.emit("layer_norm", rows, one, none, epsilon=float(epsilon))


def _row_of(code: Code, x: Value, axis: int, given: Value | None, default: float) -> Value:
    """A scale or shift as one row of all axes from one on."""
    shape = x.shape[axis:]
    if given is None:
        return code.number([default] * math.prod(shape), x)
    return code.reshape(code.broadcast(given, shape), (math.prod(shape),))


def _is_row(x: Value, axis: int, given: Value | None) -> bool:
    """Whether a scale is the same for all rows."""
    if given is None or given.count == 1:
        return True
    shape = (1,) * (x.rank - given.rank) + given.shape
    return set(shape[:axis]) <= {1}


@row("LayerNormalization", 17, FLOATS)
def layer_normalization(call: Call) -> tuple[Value, Value | None, Value | None]:
    code, x = call.code, call[0]
    call.ignore("stash_type")
    axis = call.axis(call.attribute("axis", -1), x.rank)
    epsilon = float(call.attribute("epsilon", 1e-5))
    outer, size = x.shape[:axis], math.prod(x.shape[axis:])
    rows = code.reshape(x, (math.prod(outer), size))
    scale, shift = call[1], call.optional(2)
    if _is_row(x, axis, scale) and _is_row(x, axis, shift):
        scale, shift = _flat(code, x, axis, scale, 1.0), _flat(code, x, axis, shift, 0.0)
        found = code.reshape(code.emit("layer_norm", rows, scale, shift, epsilon=epsilon), x.shape)
    else:
        found = code.mul(code.reshape(_standardized(code, rows, epsilon), x.shape), scale)
        found = found if shift is None else code.add(found, shift)
    if call.results < 2:
        return found, None, None
    middle = mean(code, rows, [1])
    apart = code.sub(rows, code.reshape(middle, (rows.shape[0], 1)))
    variance = mean(code, code.unary("square", apart), [1])
    deviation = code.unary("recip", code.unary("sqrt", code.add(variance, epsilon)))
    shape = (*outer, *(1,) * (x.rank - axis))
    return found, code.reshape(middle, shape), code.reshape(deviation, shape)


def _flat(code: Code, x: Value, axis: int, given: Value | None, default: float) -> Value:
    if given is not None and given.rank > x.rank - axis:
        given = code.reshape(given, given.shape[given.rank - (x.rank - axis) :])
    return _row_of(code, x, axis, given, default)


@row("RMSNormalization", 23, FLOATS)
def rms_normalization(call: Call) -> Value:
    code, x = call.code, call[0]
    call.ignore("stash_type")
    axis = call.axis(call.attribute("axis", -1), x.rank)
    epsilon = float(call.attribute("epsilon", 1e-5))
    rows = code.reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))
    scale = call[1]
    if _is_row(x, axis, scale):
        scale = _flat(code, x, axis, scale, 1.0)
        return code.reshape(code.emit("rms_norm", rows, scale, epsilon=epsilon), x.shape)
    one = code.number([1.0] * rows.shape[1], x)
    found = code.reshape(code.emit("rms_norm", rows, one, epsilon=epsilon), x.shape)
    return code.mul(found, scale)


@row("LRN", 13, FUNCTIONS_OF)
def local_response(call: Call) -> Value:
    code, x, size = call.code, call[0], call.required("size")
    require_image(x, 3, 32)
    alpha, beta, bias = (
        call.attribute(name, default)
        for name, default in (("alpha", 1e-4), ("beta", 0.75), ("bias", 1.0))
    )
    # The mean over a window of channels is that over points of an image of one channel.
    order = (0, *range(2, x.rank), 1)
    last = code.transpose(x, order)
    channels = x.shape[1]
    plane = code.reshape(code.unary("square", last), (1, x.count // channels, channels, 1))
    before = (size - 1) // 2
    one_row = Windows(
        (1, size), (1, 1), (1, 1), (0, before), (0, size - 1 - before),
        (plane.shape[1], channels), (0, 0),
    )  # fmt: skip
    means = code.reshape(average(code, plane, one_row, True), last.shape)
    base = code.add(code.mul(means, alpha), bias)
    found = code.div(last, _power(code, base, beta))
    return code.transpose(found, (0, x.rank - 1, *range(1, x.rank - 1)))


def _power(code: Code, x: Value, power: float) -> Value:
    """Of a positive number: by roots, where few will do."""
    if power == 1:
        return x
    root = code.unary("sqrt", x) if power in (0.5, 0.75) else x
    if power == 0.5:
        return root
    if power == 0.75:
        return code.mul(root, code.unary("sqrt", root))
    return code.unary("exp", code.mul(code.unary("log", x), power))


@row("LpNormalization", 22, FLOATS, "What has norm 0 stays 0.")
def norm_of_rows(call: Call) -> Value:
    code, x = call.code, call[0]
    axis = call.axis(call.attribute("axis", -1), x.rank)
    shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])

    def total(powers: Value) -> Value:
        return code.reduce("sum", powers, [axis])

    norm = code.reshape(norm_of(code, x, call.attribute("p", 2), total), shape)
    divisor = code.select(code.compare("eq", norm, 0), 1, norm)
    return code.div(x, divisor)
