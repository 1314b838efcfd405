"""Tensors that come from shapes and numbers alone, and what is asked of a tensor's shape."""

from __future__ import annotations

import math

import numpy as np

from compiler.frontends.onnx.emitting.call import ANY, MOVED, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, known
from machines.types import BOOLEAN, ELEMENTS, I64, Type

FAMILY = Family("creation")
row = FAMILY.row
EVERY = tuple(ELEMENTS.values())


@row("Constant", 25, EVERY)
def constant(call: Call) -> Value:
    for name in ("value", "value_float", "value_int", "value_floats", "value_ints"):
        found = call.attribute(name)
        if found is None:
            continue
        if name != "value":
            found = known(np.array(found, np.float32 if "float" in name else np.int64))
        return found
    raise Refusal("no row", "only constants of numbers are taken")


@row("ConstantOfShape", 25, (I64,))
def constant_of_shape(call: Call) -> Value:
    shape = [int(n) for n in call.known(0, "the shape")]
    if any(n < 0 for n in shape):
        raise Refusal("malformed", f"the shape {shape} has a negative extent")
    value = call.attribute("value")
    number = known(np.zeros(1, np.float32)) if value is None else value
    return known(np.broadcast_to(number.array.reshape(()), shape), number.element)


@row("Shape", 25, EVERY)
def shape(call: Call) -> Value:
    start, end = call.attribute("start", 0), call.attribute("end")
    return known(np.array(call[0].shape[start:end], np.int64))


@row("Size", 25, EVERY)
def size(call: Call) -> Value:
    return known(np.array(math.prod(call[0].shape), np.int64))


@row("Range", 27, ANY, "Of known ends.")
def numbers(call: Call) -> Value:
    start, limit, delta = (
        call.known(k, what).reshape(()) for k, what in enumerate(("start", "limit", "delta"))
    )
    if delta == 0:
        raise Refusal("malformed", "a range with delta 0 has no end")
    count = max(math.ceil((limit.item() - start.item()) / delta.item()), 0)
    wide = (
        start.item()
        + np.arange(count, dtype=np.float64 if call[0].element.is_float else np.int64)
        * delta.item()
    )
    return call.code.number(wide, call[0])


@row("EyeLike", 22, ANY)
def identity_matrix(call: Call) -> Value:
    x = call[0]
    element = call.attribute("dtype", x.element)
    if x.rank != 2:
        raise Refusal("malformed", f"the shape {list(x.shape)} is no matrix")
    return call.code.number(np.eye(*x.shape, k=call.attribute("k", 0)), element)


@row("OneHot", 28, ANY, "Of known depth.")
def one_hot_values(call: Call) -> Value:
    code, places = call.code, call[0]
    depth = int(call.known(1, "the depth").reshape(()))
    axis = call.axis(call.attribute("axis", -1), places.rank + 1)
    if places.element.is_float:
        places = code.convert(places, I64)
    places = code.index(places)
    if not places.is_known or (places.array < 0).any():
        below = code.compare("lt", places, 0)
        places = code.select(below, code.add(places, depth), places)
    values = call[2]
    is_there = code.truth(one_hot(code, places, depth, ELEMENTS["u8"]))
    off, on = (code.reshape(code.cut(values, 0, k, 1), ()) for k in (0, 1))
    return code.back(code.select(is_there, on, off), axis)


def one_hot(code: Code, places: Value, count: int, element: Type) -> Value:
    """With a last axis more, 1 at the place (i32) and 0 elsewhere."""
    numbers = known(np.arange(count, dtype=np.int32))
    found = code.binary("eq", code.reshape(places, (*places.shape, 1)), numbers)
    return code.convert(found, element)


@row("Trilu", 14, MOVED, "Of a known diagonal.")
def triangle(call: Call) -> Value:
    code, x = call.code, call[0]
    k = call.known_or_none(1, "the diagonal")
    k = 0 if k is None else int(k.reshape(()))
    if x.rank < 2:
        raise Refusal("malformed", f"the shape {list(x.shape)} is no matrix")
    rows, columns = np.indices(x.shape[-2:])
    kept = columns - rows >= k if call.attribute("upper", 1) else columns - rows <= k
    return code.select(known(kept), x, 0 if x.element is not BOOLEAN else False)


@row("Dropout", 22, ANY, "Nothing is dropped: networks are not trained here.")
def dropout(call: Call) -> tuple[Value, Value]:
    call.ignore("ratio", "seed")
    call.optional(1)
    training = call.known_or_none(2, "training_mode")
    if training is not None and training.reshape(()):
        raise Refusal("training", "a dropout in training")
    return call[0], known(np.ones(call[0].shape, np.bool_))


@row("Identity", 25, EVERY)
def identity(call: Call) -> Value:
    return call[0]
