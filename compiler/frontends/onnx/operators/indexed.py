"""Elements by their places."""

from __future__ import annotations

import math

import numpy as np

from compiler.frontends.onnx.emitting.call import ANY, BOOLEAN, MOVED, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, known

FAMILY = Family("indexed")
row = FAMILY.row


@row("Gather", 13, ANY, "Places beyond the end give zeros.")
def gather(call: Call) -> Value:
    axis = call.axis(call.attribute("axis", 0), max(call[0].rank, 1))
    return call.code.gather(call[0], call[1], axis)


@row("GatherElements", 13, ANY)
def gather_elements(call: Call) -> Value:
    code, x, places = call.code, call[0], call[1]
    axis = call.axis(call.attribute("axis", 0), x.rank)
    flat = _flat_places(code, places, x.shape, axis)
    return code.gather(code.reshape(x, (x.count,)), flat, 0)


def _flat_places(code: Code, places: Value, shape: tuple[int, ...], axis: int) -> Value:
    """Places along an axis, one for each of its own places along the others, as places in all."""
    if len(places.shape) != len(shape):
        raise Refusal("shape or type", f"places {list(places.shape)} in {list(shape)}")
    steps = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
    numbers = np.indices(places.shape, dtype=np.int32)
    others = sum(numbers[k] * steps[k] for k in range(len(shape)) if k != axis)
    from_start = _from_start(code, code.index(places), shape[axis])
    found = code.mul(from_start, steps[axis])
    return code.add(found, known(np.asarray(others, np.int32)))


def _from_start(code: Code, places: Value, extent: int) -> Value:
    """Places (i32) of which negative ones count from the end, as such from 0 on."""
    if places.is_known and (places.array >= 0).all():
        return places
    return code.select(code.compare("lt", places, 0), code.add(places, extent), places)


@row("GatherND", 13, ANY)
def gather_nd(call: Call) -> Value:
    code, x, places = call.code, call[0], call[1]
    batch = call.attribute("batch_dims", 0)
    depth = places.shape[-1]
    if not 0 <= batch <= min(x.rank, places.rank - 1) or batch + depth > x.rank:
        raise Refusal("shape or type", f"places {list(places.shape)} in {list(x.shape)}")
    rows = _row_places(code, places, x.shape[: batch + depth], batch)
    flat = code.reshape(x, (math.prod(x.shape[: batch + depth]), *x.shape[batch + depth :]))
    return code.gather(flat, rows, 0)


def _row_places(code: Code, places: Value, shape: tuple[int, ...], batch: int) -> Value:
    """Tuples of places along the last axis as places of rows; the first `batch` axes of both go
    together."""
    steps = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
    numbers, found = code.index(places), None
    for k in range(places.shape[-1]):
        column = code.reshape(code.cut(numbers, places.rank - 1, k, 1), places.shape[:-1])
        column = code.mul(_from_start(code, column, shape[batch + k]), steps[batch + k])
        found = column if found is None else code.add(found, column)
    if batch:
        others = np.indices(places.shape[:-1], dtype=np.int32)[:batch]
        start = sum(numbers * step for numbers, step in zip(others, steps, strict=False))
        found = code.add(found, known(start.astype(np.int32)))
    return found


def _scattered(call: Call, x: Value, rows: Value, updates: Value) -> Value:
    """x with rows replaced, or added to: `rows` are places, one for each row of `updates`."""
    code, how = call.code, call.attribute("reduction", "none")
    names = {"none": "scatter", "add": "scatter_add"}
    if how not in names:
        raise Refusal("form", f"reduction '{how}'; none and add are taken")
    found = code.emit(names[how], x, rows, updates)
    return code.truth(found) if x.element is BOOLEAN else found


def _scatter_elements(name: str, newest: int) -> None:
    @row(name, newest, ANY, "Replaced or added to; of places that stand twice the last counts.")
    def lower(call: Call) -> Value:
        code, x, places, updates = call.code, call[0], call[1], call[2]
        axis = call.axis(call.attribute("axis", 0), x.rank)
        flat = _flat_places(code, places, x.shape, axis)
        count = (places.count,)
        found = _scattered(
            call,
            code.reshape(x, (x.count,)),
            code.reshape(flat, count),
            code.reshape(updates, count),
        )
        return code.reshape(found, x.shape)


_scatter_elements("Scatter", 11)
_scatter_elements("ScatterElements", 18)


@row("ScatterND", 18, ANY, "Replaced or added to; of places that stand twice the last counts.")
def scatter_nd(call: Call) -> Value:
    code, x, places, updates = call.code, call[0], call[1], call[2]
    depth = places.shape[-1]
    if depth > x.rank:
        raise Refusal("shape or type", f"places {list(places.shape)} in {list(x.shape)}")
    count, rest = math.prod(places.shape[:-1]), x.shape[depth:]
    rows = code.reshape(_row_places(code, places, x.shape[:depth], 0), (count,))
    flat = code.reshape(x, (math.prod(x.shape[:depth]), *rest))
    found = _scattered(call, flat, rows, code.reshape(updates, (count, *rest)))
    return code.reshape(found, x.shape)


@row("TensorScatter", 24, MOVED, "A cache of keys or values, written from given places on.")
def tensor_scatter(call: Call) -> Value:
    code, x, update = call.code, call[0], call[1]
    axis, mode = call.axis(call.attribute("axis", -2), x.rank), call.attribute("mode", "linear")
    if mode not in ("linear", "circular"):
        raise Refusal("malformed", f"mode '{mode}' is neither linear nor circular")
    if axis == 0 or update.rank != x.rank:
        raise Refusal("shape or type", f"an update {list(update.shape)} of {list(x.shape)}")
    moved = [0, axis, *(k for k in range(1, x.rank) if k != axis)]
    back = [moved.index(k) for k in range(x.rank)]
    rows, news = code.transpose(x, moved), code.transpose(update, moved)
    batch, extent, count = x.shape[0], x.shape[axis], update.shape[axis]
    starts = call.optional(2)
    starts = known(np.zeros(batch, np.int32)) if starts is None else code.index(starts)
    places = code.add(code.reshape(starts, (batch, 1)), known(np.arange(count, dtype=np.int32)))
    if mode == "circular":
        over = code.compare("ge", places, extent)
        places = code.select(over, code.sub(places, extent), places)
    offsets = known((np.arange(batch, dtype=np.int32) * extent)[:, None])
    places = code.reshape(code.add(places, offsets), (batch * count,))
    flat = code.reshape(rows, (batch * extent, *rows.shape[2:]))
    news = code.reshape(news, (batch * count, *news.shape[2:]))
    found = code.reshape(code.emit("scatter", flat, places, news), rows.shape)
    found = code.transpose(found, back)
    return code.truth(found) if x.element is BOOLEAN else found


@row("Compress", 28, ANY, "Of a known condition.")
def compress(call: Call) -> Value:
    code, x = call.code, call[0]
    chosen = np.flatnonzero(call.known(1, "the condition")).astype(np.int32)
    axis = call.attribute("axis")
    if axis is None:
        x, axis = code.reshape(x, (x.count,)), 0
    return code.gather(x, known(chosen), call.axis(axis, x.rank))
