"""Reductions along axes; those of nothing are refused, for tensors have elements here."""

from __future__ import annotations

import math
from collections.abc import Callable

from compiler.frontends.onnx.emitting.call import (
    BOOLEAN,
    FLOATS,
    FUNCTIONS_OF,
    NUMBERS,
    Call,
    Family,
)
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.values import Value
from machines.types import F64, I64, U8

FAMILY = Family("reduction")
row = FAMILY.row
Reduced = Callable[[Code, Value, list[int]], Value]


def _reduction(name: str, axes_since: int, types, reduce: Reduced, sentence: str = "") -> None:
    newest = 20 if name in ("ReduceMax", "ReduceMin") else axes_since
    newest = 28 if name.startswith("ReduceLogSum") else newest

    @row(name, newest, types, sentence)
    def lower(call: Call) -> Value:
        code, x = call.code, call[0]
        given = call.ints("axes", 1, axes_since)
        keep, idle = call.attribute("keepdims", 1), call.attribute("noop_with_empty_axes", 0)
        axes = sorted(call.axes(given, x.rank)) if given else list(range(x.rank))
        if not given and idle:
            axes = []
        found = reduce(code, x, axes)
        if not keep:
            return found
        return code.reshape(found, [1 if k in axes else n for k, n in enumerate(x.shape)])


def _sum(code: Code, x: Value, axes: list[int]) -> Value:
    return code.reduce("sum", x, axes)


def _of(name: str, function: Reduced) -> Reduced:
    """A reduction of what an operator makes of the elements."""
    return lambda code, x, axes: function(code, code.unary(name, x), axes)


def _extreme(name: str) -> Reduced:
    def reduce(code: Code, x: Value, axes: list[int]) -> Value:
        if x.element is not BOOLEAN:
            return code.reduce(name, x, axes)
        return code.truth(code.reduce(name, code.convert(x, U8), axes))

    return reduce


def _mean(code: Code, x: Value, axes: list[int]) -> Value:
    total, count = _sum(code, x, axes), math.prod(x.shape[axis] for axis in axes)
    if x.element.is_float:
        return code.mul(total, 1 / count)
    exact = code.div(code.convert(total, F64), count)
    return code.convert(code.convert(exact, I64), x.element)


def _log_sum_exp(code: Code, x: Value, axes: list[int]) -> Value:
    """With the largest taken out first, so that nothing overflows."""
    if not axes:
        return x
    largest = code.reduce("max", x, axes)
    kept = code.reshape(largest, [1 if k in axes else n for k, n in enumerate(x.shape)])
    apart = code.reduce("sum", code.unary("exp", code.sub(x, kept)), axes)
    return code.add(code.unary("log", apart), largest)


def _log_sum(code: Code, x: Value, axes: list[int]) -> Value:
    return code.unary("log", _sum(code, x, axes))


def _euclidean(code: Code, x: Value, axes: list[int]) -> Value:
    return code.unary("sqrt", _sum(code, code.unary("square", x), axes))


_reduction("ReduceSum", 13, NUMBERS, _sum)
_reduction("ReduceMax", 18, (*NUMBERS, BOOLEAN), _extreme("max"), "NaN is passed over.")
_reduction("ReduceMin", 18, (*NUMBERS, BOOLEAN), _extreme("min"), "NaN is passed over.")
_reduction("ReduceProd", 18, NUMBERS, lambda code, x, axes: code.reduce("prod", x, axes))
_reduction("ReduceMean", 18, NUMBERS, _mean)
_reduction("ReduceL1", 18, NUMBERS, _of("abs", _sum))
_reduction("ReduceL2", 18, FLOATS, _euclidean)
_reduction("ReduceSumSquare", 18, NUMBERS, _of("square", _sum))
_reduction("ReduceLogSum", 18, FUNCTIONS_OF, _log_sum)
_reduction("ReduceLogSumExp", 18, FUNCTIONS_OF, _log_sum_exp)


def _place(name: str) -> None:
    @row(name, 13, NUMBERS, "NaN only if all are.")
    def lower(call: Call) -> Value:
        code, x = call.code, call[0]
        axis = call.axis(call.attribute("axis", 0), max(x.rank, 1))
        last, keep = call.attribute("select_last_index", 0), call.attribute("keepdims", 1)
        found = code.emit(name.lower(), code.reversed(x, axis) if last else x, axis=axis)
        if last:
            found = code.sub(code.number(x.shape[axis] - 1, found), found)
        if keep:
            found = code.reshape(found, [1 if k == axis else n for k, n in enumerate(x.shape)])
        return code.convert(found, I64)


_place("ArgMax")
_place("ArgMin")


@row("TopK", 24, NUMBERS, "Of known k; always sorted.")
def topk(call: Call) -> tuple[Value, Value]:
    code, x = call.code, call[0]
    call.ignore("sorted")
    k = int(call.known(1, "k").reshape(()))
    axis, largest = call.axis(call.attribute("axis", -1), x.rank), call.attribute("largest", 1)
    rows = code.last(x, axis)
    turned = "neg" if x.element.is_float else "not"
    rows = rows if largest else code.unary(turned, rows)
    values, places = code.emit("topk", rows, k=k)
    values = values if largest else code.unary(turned, values)
    return code.back(values, axis), code.back(code.convert(places, I64), axis)


@row("CumSum", 14, NUMBERS, "Of a known axis.")
def cumulative_sum(call: Call) -> Value:
    axis = call.axis(int(call.known(1, "the axis").reshape(())), call[0].rank)
    return call.code.emit(
        "cumulative_sum", call[0], axis=axis,
        exclusive=bool(call.attribute("exclusive", 0)),
        reverse=bool(call.attribute("reverse", 0)),
    )  # fmt: skip
