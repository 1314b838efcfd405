"""Operators that move elements and compute nothing."""

from __future__ import annotations

import math

import numpy as np

from compiler.levels.network.network import (
    AttributeKind,
    Attributes,
    TensorType,
    Types,
    Unfit,
)
from compiler.levels.network.operators.elementwise import require_number
from compiler.levels.network.operators.type_rules import (
    MOVED,
    Shape,
    Values,
    broadcast_shape,
    operator,
    require_axis,
    require_count,
    require_least,
    require_one_element,
    require_row,
    shown,
)
from machines.elements import as_elements

FAMILY = "movement"
PADDINGS = ("constant", "edge", "reflect", "wrap")


def _moved(x: TensorType, shape: Shape) -> TensorType:
    require_row(x, MOVED)
    return TensorType(x.element, shape)


def _transpose_types(types: Types, attributes: Attributes) -> TensorType:
    (x,), order = types, attributes["order"]
    if sorted(order) != list(range(len(x.shape))):
        raise Unfit(f"'order' is {shown(order)}, not each axis of {shown(x.shape)} once")
    return _moved(x, tuple(x.shape[k] for k in order))


def _transpose(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    return np.transpose(arrays[0], attributes["order"])


def _reshape_types(types: Types, attributes: Attributes) -> TensorType:
    (x,), shape = types, attributes["shape"]
    require_least(shape, 1, "shape")
    if math.prod(shape) != x.count:
        raise Unfit(f"{shown(x.shape)} has {x.count} elements, {shown(shape)} {math.prod(shape)}")
    return _moved(x, shape)


def _reshape(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    return np.reshape(arrays[0], attributes["shape"])


def _broadcast_types(types: Types, attributes: Attributes) -> TensorType:
    (x,), shape = types, attributes["shape"]
    require_least(shape, 1, "shape")
    if broadcast_shape((x.shape, shape)) != shape:
        raise Unfit(f"{shown(x.shape)} is not broadcast to {shown(shape)}")
    return _moved(x, shape)


def _broadcast(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    return np.broadcast_to(arrays[0], attributes["shape"])


def _ones(types: Types, attributes: Attributes) -> Shape:
    return (1,) * len(types[0].shape)


def _slice_types(types: Types, attributes: Attributes) -> TensorType:
    (x,), (starts, sizes, steps) = types, map(attributes.get, ("starts", "sizes", "steps"))
    for name in ("starts", "sizes", "steps"):
        require_count(attributes[name], len(x.shape), name, "one for each axis")
    require_least(sizes, 1, "sizes")
    for axis, (start, size, step) in enumerate(zip(starts, sizes, steps, strict=True)):
        last = start + (size - 1) * step
        if step == 0:
            raise Unfit(f"'steps' has a 0, for axis {axis}")
        if not (0 <= start < x.shape[axis] and 0 <= last < x.shape[axis]):
            raise Unfit(
                f"of axis {axis}, which has {x.shape[axis]} elements, those from {start} to {last}"
                " are taken"
            )
    return _moved(x, sizes)


def _slice(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    cuts = []
    for start, size, step in zip(
        attributes["starts"], attributes["sizes"], attributes["steps"], strict=True
    ):
        end = start + size * step
        cuts.append(slice(start, None if end < 0 else end, step))
    return arrays[0][tuple(cuts)]


def _pad_types(types: Types, attributes: Attributes) -> TensorType:
    (x,), (before, after) = types, (attributes["before"], attributes["after"])
    mode = attributes["mode"]
    for name in ("before", "after"):
        require_count(attributes[name], len(x.shape), name, "one for each axis")
        require_least(attributes[name], 0, name)
    if mode not in PADDINGS:
        raise Unfit(f"'mode' is {', '.join(PADDINGS)}, not '{mode}'")
    require_number(attributes["value"], x.element, "value")
    for axis, extent in enumerate(x.shape):
        most = {"reflect": extent - 1, "wrap": extent}.get(mode)
        if most is not None and max(before[axis], after[axis]) > most:
            raise Unfit(f"axis {axis} has {extent} elements: '{mode}' gives at most {most} a side")
    return _moved(x, tuple(b + n + a for b, n, a in zip(before, x.shape, after, strict=True)))


def _pad(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    (x,), around = arrays, list(zip(attributes["before"], attributes["after"], strict=True))
    if attributes["mode"] != "constant":
        # numpy pads no records: the places are padded, and say what is taken.
        places = [
            np.pad(np.arange(extent), pads, mode=attributes["mode"])
            for extent, pads in zip(x.shape, around, strict=True)
        ]
        return x[np.ix_(*places)]
    found = np.empty(results[0].shape, x.dtype)
    found[...] = as_elements(attributes["value"], results[0].element)
    found[tuple(slice(b, b + n) for (b, _), n in zip(around, x.shape, strict=True))] = x
    return found


def _concat_types(types: Types, attributes: Attributes) -> TensorType:
    first, axis = types[0], attributes["axis"]
    require_one_element(types)
    require_axis(axis, len(first.shape))
    for other in types[1:]:
        fits = len(other.shape) == len(first.shape) and all(
            a == b for k, (a, b) in enumerate(zip(first.shape, other.shape, strict=True))
            if k != axis
        )  # fmt: skip
        if not fits:
            raise Unfit(
                f"{shown(first.shape)} and {shown(other.shape)} differ in more than axis {axis}"
            )
    whole = sum(type.shape[axis] for type in types)
    return _moved(first, (*first.shape[:axis], whole, *first.shape[axis + 1 :]))


def _concat(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    return np.concatenate(arrays, axis=attributes["axis"])


_SHAPE = AttributeKind(tuple, "Of the result.")

OPERATORS = (
    operator(
        FAMILY, "transpose", "Dimension k of the result is dimension order[k] of x.", "x",
        _transpose_types, _transpose,
        order=AttributeKind(tuple, "Which axis of x stands in each place."),
    ),
    operator(
        FAMILY, "reshape", "The same elements in the same order.", "x",
        _reshape_types, _reshape, shape=_SHAPE,
    ),
    operator(
        FAMILY, "broadcast", "x repeated along axes of one element, as numpy does it.", "x",
        _broadcast_types, _broadcast, shape=_SHAPE,
    ),
    operator(
        FAMILY, "slice", "Along each axis some elements, so many from one on, each a step further.",
        "x", _slice_types, _slice,
        starts=AttributeKind(tuple, "The first element along each axis, from 0 on."),
        sizes=AttributeKind(tuple, "How many elements along each axis."),
        steps=AttributeKind(tuple, "How far to the next, along each axis; may be negative.", _ones),
    ),
    operator(
        FAMILY, "pad", "x with elements before and behind, along each axis.", "x",
        _pad_types, _pad,
        before=AttributeKind(tuple, "How many before, along each axis."),
        after=AttributeKind(tuple, "How many behind, along each axis."),
        value=AttributeKind(int | float, "What they are, for mode constant.", 0),
        mode=AttributeKind(str, "constant, edge, reflect or wrap.", "constant"),
    ),
    operator(
        FAMILY, "concat", "Tensors one behind another along an axis.", "x*",
        _concat_types, _concat, axis=AttributeKind(int, "Along which axis."),
    ),
)  # fmt: skip
