"""Shapes, orders of dimensions, parts and repetitions."""

from __future__ import annotations

import math

import numpy as np

from compiler.frontends.onnx.emitting.call import ANY, MOVED, NUMBERS, Call, Family
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, known
from machines.types import BOOLEAN, I4, I32, U4, Type

FAMILY = Family("movement")
row = FAMILY.row


@row("Reshape", 25, MOVED, "To a known shape.")
def reshape(call: Call) -> Value:
    code, x = call.code, call[0]
    shape = [int(n) for n in call.known(1, "the shape").reshape(-1)]
    if not call.attribute("allowzero", 0):
        if any(n == 0 and k >= x.rank for k, n in enumerate(shape)):
            raise Refusal("malformed", f"the shape {shape} copies an axis that there is not")
        shape = [x.shape[k] if n == 0 else n for k, n in enumerate(shape)]
    if shape.count(-1) > 1 or any(n < -1 for n in shape):
        raise Refusal("malformed", f"{shape} is no shape")
    if -1 in shape:
        others = -math.prod(shape)
        if not others or x.count % others:
            raise Refusal("malformed", f"{x.count} elements do not have the shape {shape}")
        shape[shape.index(-1)] = x.count // others
    return code.reshape(x, shape)


@row("Flatten", 25, MOVED)
def flatten(call: Call) -> Value:
    x, axis = call[0], call.attribute("axis", 1)
    axis = axis if axis == x.rank else call.axis(axis, max(x.rank, 1))
    return call.code.reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))


@row("Squeeze", 25, MOVED)
def squeeze(call: Call) -> Value:
    x = call[0]
    given = call.ints("axes", 1, 13)
    axes = (
        [k for k, n in enumerate(x.shape) if n == 1] if given is None else call.axes(given, x.rank)
    )
    if any(x.shape[axis] != 1 for axis in axes):
        raise Refusal("malformed", f"axes {axes} of the shape {list(x.shape)} are not all 1")
    return call.code.reshape(x, [n for k, n in enumerate(x.shape) if k not in axes])


@row("Unsqueeze", 25, MOVED)
def unsqueeze(call: Call) -> Value:
    x, given = call[0], call.ints("axes", 1, 13)
    if given is None:
        raise Refusal("malformed", "the axes are missing")
    rank = x.rank + len(given)
    axes, rest = call.axes(given, rank), iter(x.shape)
    return call.code.reshape(x, [1 if k in axes else next(rest) for k in range(rank)])


@row("Transpose", 25, MOVED)
def transpose(call: Call) -> Value:
    x = call[0]
    order = call.attribute("perm") or range(x.rank)[::-1]
    if sorted(order) != list(range(x.rank)):
        raise Refusal("malformed", f"{list(order)} is no order of {x.rank} axes")
    return call.code.transpose(x, order)


@row("Expand", 13, MOVED, "To a known shape.")
def expand(call: Call) -> Value:
    shape = [int(n) for n in call.known(1, "the shape").reshape(-1)]
    try:
        return call.code.broadcast(call[0], np.broadcast_shapes(call[0].shape, shape))
    except ValueError:
        raise Refusal("malformed", f"{list(call[0].shape)} is not broadcast to {shape}") from None


@row("Tile", 13, MOVED, "Known repeats.")
def tile(call: Call) -> Value:
    x = call[0]
    repeats = [int(n) for n in call.known(1, "the repeats").reshape(-1)]
    if len(repeats) != x.rank or any(n < 1 for n in repeats):
        raise Refusal("malformed", f"{repeats} repeats of {x.rank} axes")
    apart = [n for extent in x.shape for n in (1, extent)]
    wide = [n for pair in zip(repeats, x.shape, strict=True) for n in pair]
    found = call.code.broadcast(call.code.reshape(x, apart), wide)
    return call.code.reshape(found, [a * b for a, b in zip(repeats, x.shape, strict=True)])


@row("Concat", 13, MOVED)
def concat(call: Call) -> Value:
    axis = call.axis(call.required("axis"), max(call[0].rank, 1))
    parts = [part for part in call.all if part.count] or call.all[:1]
    return call.code.concat(parts, axis)


@row("Split", 18, MOVED, "Of known sizes.")
def split(call: Call) -> list[Value]:
    code, x = call.code, call[0]
    axis = call.axis(call.attribute("axis", 0), max(x.rank, 1))
    sizes, extent = call.ints("split", 1, 13, "the sizes"), x.shape[axis]
    count = call.attribute("num_outputs", call.results)
    if sizes is None:
        each = -(-extent // count)
        sizes = [min(each, extent - k * each) for k in range(count)]
    if sum(sizes) != extent or len(sizes) != call.results or any(n < 0 for n in sizes):
        raise Refusal("malformed", f"parts of {sizes} of an axis of {extent}")
    starts = np.cumsum([0, *sizes])
    return [code.cut(x, axis, int(s), n) for s, n in zip(starts, sizes, strict=False)]


@row("Slice", 13, MOVED, "From known places.")
def slice_of(call: Call) -> Value:
    code, x = call.code, call[0]
    if call.version < 10:
        lists = [call.required("starts"), call.required("ends"), call.attribute("axes")]
    else:
        names = ("the starts", "the ends", "the axes", "the steps")
        lists = [call.known_or_none(k + 1, name) for k, name in enumerate(names)]
    lists = [None if given is None else [int(n) for n in given] for given in lists]
    begins, ends, axes, *rest = lists
    steps_given = rest[0] if rest and rest[0] is not None else [1] * len(begins)
    axes = call.axes(range(len(begins)) if axes is None else axes, x.rank)
    starts, sizes, steps = [0] * x.rank, list(x.shape), [1] * x.rank
    for axis, begin, end, step in zip(axes, begins, ends, steps_given, strict=True):
        if step == 0:
            raise Refusal("malformed", "a step is 0")
        taken = range(x.shape[axis])[slice(begin, end, step)]
        starts[axis], sizes[axis], steps[axis] = taken.start, len(taken), step
    return code.slice(x, starts, sizes, steps)


@row("Pad", 25, (*NUMBERS, BOOLEAN), "By known counts with a known number; negative ones cut.")
def pad(call: Call) -> Value:
    code, x = call.code, call[0]
    counts = call.ints("pads", 1, 11, "the counts")
    if call.version < 11:
        value = call.attribute("value", 0.0)
    else:
        given = call.known_or_none(2, "the number")
        value = 0 if given is None else given.reshape(()).item()
    axes = call.known_or_none(3, "the axes")
    axes = range(x.rank) if axes is None else call.axes([int(n) for n in axes], x.rank)
    mode = call.attribute("mode", "constant")
    if counts is None or len(counts) != 2 * len(axes):
        raise Refusal("malformed", f"pads {counts} of {len(axes)} axes")
    before, after = [0] * x.rank, [0] * x.rank
    for k, axis in enumerate(axes):
        before[axis], after[axis] = counts[k], counts[k + len(axes)]
    cut = [[max(-n, 0) for n in side] for side in (before, after)]
    sizes = [n - a - b for n, a, b in zip(x.shape, *cut, strict=True)]
    if min(sizes, default=1) < 1:
        raise Refusal("no elements", f"pads {counts} leave nothing")
    x = code.slice(x, cut[0], sizes)
    grown = [[max(n, 0) for n in side] for side in (before, after)]
    return code.pad(x, *grown, value, mode)


@row("DepthToSpace", 28, MOVED)
def depth_to_space(call: Call) -> Value:
    code, x, size = call.code, call[0], call.required("blocksize")
    n, c, high, wide = _image(x)
    if size < 1 or c % (size * size):
        raise Refusal("malformed", f"blocks of {size} of {c} channels")
    deep = c // (size * size)
    if call.attribute("mode", "DCR") == "DCR":
        apart, order = (n, size, size, deep, high, wide), (0, 3, 4, 1, 5, 2)
    else:
        apart, order = (n, deep, size, size, high, wide), (0, 1, 4, 2, 5, 3)
    moved = code.transpose(code.reshape(x, apart), order)
    return code.reshape(moved, (n, deep, high * size, wide * size))


@row("SpaceToDepth", 28, MOVED)
def space_to_depth(call: Call) -> Value:
    code, x, size = call.code, call[0], call.required("blocksize")
    n, c, high, wide = _image(x)
    if size < 1 or high % size or wide % size:
        raise Refusal("malformed", f"blocks of {size} of an image of {high} x {wide}")
    apart = code.reshape(x, (n, c, high // size, size, wide // size, size))
    order = (0, 3, 5, 1, 2, 4)
    if call.attribute("mode", "DCR") != "DCR":
        order = (0, 1, 3, 5, 2, 4)
    moved = code.transpose(apart, order)
    return code.reshape(moved, (n, c * size * size, high // size, wide // size))


def _image(x: Value) -> tuple[int, ...]:
    if x.rank != 4:
        raise Refusal("malformed", f"{list(x.shape)} is no image of two axes")
    return x.shape


@row("Cast", 28, (*MOVED, I4, U4), "Of floats to integers truncated and saturated, NaN is 0.")
def cast(call: Call) -> Value:
    return _cast(call, call.required("to"))


@row("CastLike", 25, (*MOVED, I4, U4), "As Cast.")
def cast_like(call: Call) -> Value:
    return _cast(call, call[1].element)


def _cast(call: Call, to: Type) -> Value:
    code, x = call.code, call[0]
    saturate = call.attribute("saturate", 1)
    call.ignore("round_mode")
    is_small = to.is_float and to.bits == 8 and x.element.is_float
    if to.is_integer and to.bits == 4 and x.element is not to:
        x = code.convert(x, I32)  # of which the low bits are kept
    mode = "saturate" if is_small and saturate and to.bits < x.element.bits else "plain"
    return code.convert(x, to, mode)


@row("ReverseSequence", 28, ANY, "Of known lengths.")
def reverse_sequence(call: Call) -> Value:
    code, x = call.code, call[0]
    lengths = [int(n) for n in call.known(1, "the lengths").reshape(-1)]
    batch, time = call.attribute("batch_axis", 1), call.attribute("time_axis", 0)
    if {batch, time} != {0, 1}:
        raise Refusal("malformed", f"axes {batch} and {time} are not 0 and 1")
    if len(lengths) != x.shape[batch] or any(not 0 <= n <= x.shape[time] for n in lengths):
        raise Refusal("malformed", f"lengths {lengths} of a tensor of {list(x.shape)}")
    steps = np.arange(x.shape[time])
    places = np.array([np.where(steps < n, n - 1 - steps, steps) for n in lengths])
    rows = code.transpose(x, (batch, time, *range(2, x.rank)))
    flat = code.reshape(rows, (x.shape[0] * x.shape[1], *x.shape[2:]))
    places = places + np.arange(len(lengths))[:, None] * x.shape[time]
    found = code.gather(flat, known(places.astype(np.int32)), 0)
    return code.transpose(found, (batch, time, *range(2, x.rank)))
