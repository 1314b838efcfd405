"""Operators `nn.*` on values, emitted one behind another; of known operands they are evaluated at
once, so that a row of the table says only once what it means.

    y = code.add(code.matmul(x, w), b)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import (
    Tensor,
    Value,
    as_encoded,
    as_onnx,
    dtype_of,
    in_network,
    known,
)
from compiler.levels.network.checking import applied
from compiler.levels.network.network import Attribute, Operator, Unfit
from compiler.levels.network.operators import OPERATORS
from machines.diagnostics import Location
from machines.levels.network.tensors import Stored
from machines.types import BOOLEAN, F32, I32, I64, Type

MOST_FOLDED = 1 << 26
"""Elements of a result that is computed while a model is read."""


@dataclass(slots=True, eq=False)
class Emitted:
    """An operator applied to values."""

    operator: Operator
    operands: tuple[Value, ...]
    results: tuple[Tensor, ...]
    attributes: dict[str, Attribute]
    layer: str
    location: Location | None


@dataclass(slots=True)
class Code:
    """What is emitted; `layer` and `location` are those of what comes next."""

    nodes: list[Emitted] = field(default_factory=list)
    layer: str = ""
    location: Location | None = None

    def emit(self, name: str, *operands: Value, **attributes: Attribute) -> Any:
        """The result of an operator, or its results."""
        operator = OPERATORS[name]
        try:
            complete, types = applied(operator, [x.type for x in operands], attributes)
        except Unfit as wrong:
            raise Refusal("shape or type", f"nn.{name}: {wrong}") from None
        if all(operand.is_known for operand in operands):
            return _one(self._folded(operator, operands, complete, types))
        tensors = tuple(Tensor(type) for type in types)
        self.nodes.append(Emitted(operator, operands, tensors, complete, self.layer, self.location))
        return _one(tuple(Value(t.type.element, t.type.shape, t) for t in tensors))

    def _folded(self, operator, operands, attributes, types) -> tuple[Value, ...]:
        if any(type.count > MOST_FOLDED for type in types):
            raise Refusal("size", f"a constant of {types[0]} would have to be computed")
        arrays = [as_encoded(operand.array) for operand in operands]
        with np.errstate(all="ignore"):
            found = operator.evaluate(arrays, attributes, types)
        return tuple(
            known(as_onnx(array, type.element), type.element)
            for array, type in zip(found, types, strict=True)
        )

    # ---- Shapes ---------------------------------------------------------------------------------

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        shape = tuple(map(int, shape))
        if shape == x.shape:
            return x
        if math.prod(shape) != x.count:
            raise Refusal("shape or type", f"{x.type} has not as many elements as {list(shape)}")
        if isinstance(x.what, Stored) and not x.order:
            return replace(x, shape=shape)
        if x.is_known:
            return known(x.array.reshape(shape), x.element, x.name)
        return self._same_kind(x, self.emit("reshape", x, shape=shape))

    def transpose(self, x: Value, order: Sequence[int]) -> Value:
        """Dimension k of the result is dimension order[k] of x."""
        order = tuple(map(int, order))
        if order == tuple(range(x.rank)):
            return x
        shape = tuple(x.shape[k] for k in order)
        if isinstance(x.what, Stored):
            old = x.order or tuple(range(x.rank))
            new = tuple(old[k] for k in order)
            return replace(x, shape=shape, order=() if new == tuple(range(x.rank)) else new)
        if x.is_known:
            return known(x.array.transpose(order), x.element, x.name)
        return self._same_kind(x, self.emit("transpose", x, order=order))

    def broadcast(self, x: Value, shape: Sequence[int]) -> Value:
        shape = tuple(map(int, shape))
        if shape == x.shape:
            return x
        if x.is_known and x.count == 1:
            return known(np.broadcast_to(x.array.reshape(()), shape), x.element)
        return self._same_kind(x, self.emit("broadcast", x, shape=shape))

    def slice(
        self, x: Value, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int] = ()
    ) -> Value:
        """Along every axis `sizes` elements from `starts` on."""
        steps = tuple(steps) or (1,) * x.rank
        starts, sizes = tuple(map(int, starts)), tuple(map(int, sizes))
        if sizes == x.shape and not any(starts) and set(steps) <= {1}:
            return x
        if 0 in sizes:
            return known(np.zeros(sizes, dtype_of(x.element)), x.element)
        return self._same_kind(x, self.emit("slice", x, starts=starts, sizes=sizes, steps=steps))

    def cut(self, x: Value, axis: int, start: int, size: int, step: int = 1) -> Value:
        """A slice along one axis."""
        starts, sizes, steps = [0] * x.rank, list(x.shape), [1] * x.rank
        starts[axis], sizes[axis], steps[axis] = start, size, step
        return self.slice(x, starts, sizes, steps)

    def reversed(self, x: Value, axis: int) -> Value:
        return self.cut(x, axis, x.shape[axis] - 1, x.shape[axis], -1)

    def concat(self, parts: Sequence[Value], axis: int) -> Value:
        if len(parts) == 1:
            return parts[0]
        return self._same_kind(parts[0], self.emit("concat", *parts, axis=axis))

    def pad(
        self,
        x: Value,
        before: Sequence[int],
        after: Sequence[int],
        value: float | int = 0,
        mode: str = "constant",
    ) -> Value:
        if not any(before) and not any(after):
            return x
        value = float(value) if x.element.is_float else int(value)
        before, after = tuple(map(int, before)), tuple(map(int, after))
        padded = self.emit("pad", x, before=before, after=after, value=value, mode=mode)
        return self._same_kind(x, padded)

    def gather(self, x: Value, places: Value, axis: int) -> Value:
        return self._same_kind(x, self.emit("gather", x, self.index(places), axis=axis))

    def last(self, x: Value, axis: int) -> Value:
        """With an axis moved to the end."""
        order = [k for k in range(x.rank) if k != axis] + [axis]
        return self.transpose(x, order)

    def back(self, x: Value, axis: int) -> Value:
        """With the last axis moved to a place, which undoes `last`."""
        order = list(range(x.rank - 1))
        order.insert(axis, x.rank - 1)
        return self.transpose(x, order)

    # ---- Types ----------------------------------------------------------------------------------

    def convert(self, x: Value, element: Type, mode: str = "plain") -> Value:
        """The elements in another type; of booleans 0 and 1, as booleans whether they are not 0."""
        if x.element is element:
            return x
        if element is BOOLEAN:
            return self.compare("ne", x, self.number(0, x))
        if x.compared is not None and x.compared.element is element:
            return x.compared
        if in_network(x.element) is element:
            return known(x.array.astype(np.uint8)) if x.is_known else replace(x, element=element)
        if x.is_known and not isinstance(x.what, Stored) and x.count == 0:
            return known(np.zeros(x.shape, dtype_of(element)), element)
        return self.emit("convert", x, to=element, mode=mode)

    def index(self, x: Value) -> Value:
        """Places as gather takes them: i32."""
        if x.is_known and x.element is I64:
            array = x.array
            if array.size and (array.max() >= 1 << 31 or array.min() < -(1 << 31)):
                raise Refusal("shape or type", "an index is too large for i32")
            return known(array.astype(np.int32))
        return self.convert(x, I32)

    def truth(self, x: Value) -> Value:
        """A u8 that is 0 or 1 as a boolean."""
        if x.is_known:
            return known(x.array.astype(np.bool_))
        return replace(x, element=BOOLEAN)

    def _same_kind(self, x: Value, result: Value) -> Value:
        """What a movement of elements gives: booleans stay booleans."""
        return self.truth(result) if x.element is BOOLEAN else result

    # ---- Arithmetic -----------------------------------------------------------------------------

    def number(self, number: float, like: Value | Type) -> Value:
        """One number in a type."""
        element = like.element if isinstance(like, Value) else like
        return known(np.asarray(number).astype(dtype_of(element)), element)

    def numbers(self, numbers: Any, like: Value | Type) -> Value:
        """Numbers in a type."""
        return self.number(numbers, like)

    def binary(self, name: str, x: Value, y: Value | float) -> Value:
        return self.emit(name, x, y if isinstance(y, Value) else self.number(y, x))

    def add(self, x: Value, y: Value | float) -> Value:
        return self.binary("add", x, y)

    def sub(self, x: Value, y: Value | float) -> Value:
        return self.binary("sub", x, y)

    def mul(self, x: Value, y: Value | float) -> Value:
        return self.binary("mul", x, y)

    def div(self, x: Value, y: Value | float) -> Value:
        return self.binary("div", x, y)

    def unary(self, name: str, x: Value) -> Value:
        return self.emit(name, x)

    def sign(self, x: Value) -> Value:
        """1, 0 or -1."""
        return self.sub(self.binary("gt", x, 0), self.binary("lt", x, 0))

    def compare(self, relation: str, x: Value, y: Value | float) -> Value:
        """A boolean; `relation` is eq, ne, lt, le, gt or ge."""
        if x.element is BOOLEAN:
            x = self.convert(x, in_network(BOOLEAN))
            y = self.convert(y, in_network(BOOLEAN)) if isinstance(y, Value) else y
        found = self.binary(relation, x, y)
        if found.is_known:
            return known(found.array != 0)
        return replace(self.truth(self.convert(found, in_network(BOOLEAN))), compared=found)

    def select(self, p: Value, x: Value | float, y: Value | float) -> Value:
        """x where a boolean is true, else y; one of both may be a number."""
        like = x if isinstance(x, Value) else y
        x, y = (v if isinstance(v, Value) else self.number(v, like) for v in (x, y))
        if like.element is BOOLEAN:
            plain = [self.convert(v, in_network(BOOLEAN)) for v in (p, x, y)]
            return self.truth(self.emit("select", *plain))
        return self.emit("select", self.convert(p, like.element), x, y)

    def logic(self, name: str, x: Value, y: Value) -> Value:
        """`and`, `or`, `xor` of booleans."""
        plain = [self.convert(v, in_network(BOOLEAN)) for v in (x, y)]
        return self.truth(self.emit(name, *plain))

    def reduce(self, name: str, x: Value, axes: Sequence[int]) -> Value:
        """`name` is sum, max, min or prod; the axes are gone."""
        axes = tuple(sorted(axes))
        return self.emit(f"reduce_{name}", x, axes=axes) if axes else x

    def matmul(self, a: Value, b: Value, to: Type | None = None, transposed: bool = False) -> Value:
        more = {"transposed": True} if transposed else {}
        if to is not None and to is not a.element:
            more["to"] = to
        return self.emit("matmul", a, b, **more)

    def in_f32(self, x: Value) -> Value:
        """A float no narrower than f32."""
        return x if x.element.bits >= F32.bits else self.convert(x, F32)


def _one(values: tuple[Value, ...]) -> Any:
    return values[0] if len(values) == 1 else values
