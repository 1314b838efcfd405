"""Operators where numbers say which elements are taken or put, and the largest few."""

from __future__ import annotations

import numpy as np

from compiler.levels.network.network import (
    AttributeKind,
    Attributes,
    TensorType,
    Types,
    Unfit,
)
from compiler.levels.network.operators.numbers import elements, numbers
from compiler.levels.network.operators.type_rules import (
    Values,
    operator,
    require_axis,
    require_element,
    require_one_element,
    require_rank,
    require_row,
    shown,
)
from machines.types import I32

FAMILY = "indexed"


def _gather_types(types: Types, attributes: Attributes) -> TensorType:
    (x, places), axis = types, attributes["axis"]
    require_row(x, "tensor.gather.i32")
    require_element(places, (I32,))
    require_axis(axis, len(x.shape))
    return TensorType(x.element, (*x.shape[:axis], *places.shape, *x.shape[axis + 1 :]))


def _from_end(places: np.ndarray, extent: int) -> tuple[np.ndarray, np.ndarray]:
    """Places from 0 on, and which are there; negative ones count from the end."""
    found = np.where(places < 0, places.astype(np.int64) + extent, places)
    return found, (found >= 0) & (found < extent)


def _gather(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    (x, places), axis = arrays, attributes["axis"]
    places, there = _from_end(places, x.shape[axis])
    found = np.asarray(np.take(x, np.where(there, places, 0), axis=axis))
    if not there.all():
        missing = ~np.asarray(there).reshape((*there.shape, *(1,) * (x.ndim - axis - 1)))
        found[np.broadcast_to(missing, found.shape)] = np.zeros((), x.dtype)
    return found


def _scatter_types(types: Types, attributes: Attributes) -> TensorType:
    x, places, updates = types
    require_one_element((x, updates))
    require_row(x, "tensor.scatter.i32")
    require_element(places, (I32,))
    require_rank(places, "places", (1,), "[rows that are put]")
    if not x.shape:
        raise Unfit("'x' is one number, and has no rows")
    wanted = (places.shape[0], *x.shape[1:])
    if updates.shape != wanted:
        raise Unfit(f"'updates' is {shown(updates.shape)}, not {shown(wanted)}")
    return x


def _scatter(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x, places, updates = arrays
    places, there = _from_end(places, x.shape[0])
    found = x.copy()
    for place, update in zip(places[there], updates[there], strict=True):
        found[place] = update
    return found


def _scatter_add(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x, places, updates = arrays
    places, there = _from_end(places, x.shape[0])
    found = numbers(x).copy()
    np.add.at(found, places[there], numbers(updates)[there])
    return elements(found, results[0].element)


def _topk_types(types: Types, attributes: Attributes) -> tuple[TensorType, ...]:
    (x,), k = types, attributes["k"]
    require_row(x, "tensor.reduce_max")
    require_axis(len(x.shape) - 1, len(x.shape), "the last axis")
    if not 1 <= k <= x.shape[-1]:
        raise Unfit(f"'k' is {k}; the last axis has {x.shape[-1]} elements")
    shape = (*x.shape[:-1], k)
    return TensorType(x.element, shape), TensorType(I32, shape)


def _topk(arrays: Values, attributes: Attributes, results: Types) -> tuple[np.ndarray, ...]:
    x = numbers(arrays[0])
    descending = -x if x.dtype.kind == "f" else ~x
    places = np.argsort(descending, axis=-1, kind="stable")[..., : attributes["k"]]
    return np.take_along_axis(arrays[0], places, -1), places.astype(np.int32)


OPERATORS = (
    operator(
        FAMILY, "gather", "Along an axis the elements that places name; of places beyond, zeros.",
        "x places", _gather_types, _gather,
        axis=AttributeKind(int, "The axis of x that is replaced by those of places."),
    ),
    operator(
        FAMILY, "scatter", "x with the rows replaced that places name; the last one stays.",
        "x places updates", _scatter_types, _scatter,
    ),
    operator(
        FAMILY, "scatter_add", "x with rows added to those that places name.",
        "x places updates", _scatter_types, _scatter_add,
    ),
    operator(
        FAMILY, "topk", "The largest along the last axis, the largest first, and their places.",
        "x", _topk_types, _topk, k=AttributeKind(int, "How many."),
    ),
)  # fmt: skip
