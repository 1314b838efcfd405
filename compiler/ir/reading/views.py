"""What part of a buffer the text of a tensor operation means, before it is an interval.

    x: f32[256, 128] in dram
    x                      [0:32768]
    x[r +: 16]             [128·r : 128·r + 2048]        rows r … r + 15
    x[0:16, 32:64]         [32:64, 16 by 128]
    x[3, :]                [384:512]

A view is an offset and a size and a stride for each axis, the outermost first.  Axes whose elements
lie one behind the other become one when it is made an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from compiler.ir.module import Descriptor
from compiler.ir.reading.linear import Amount, minus, plus, scaled
from machines.types import Type


@dataclass(frozen=True, slots=True)
class View:
    """
    sizes, strides  of its axes, in elements; a stride is a number
    steps           counts and strides of an interval that was written with 'by', as written; then
                    it has one axis, which says how long its segments are
    """

    buffer: str
    dtype: Type
    offset: Amount
    sizes: tuple[Amount, ...]
    strides: tuple[int, ...]
    steps: tuple[tuple[Amount, Amount], ...] = ()

    @property
    def shape(self) -> tuple[Amount, ...]:
        """Its sizes; those of steps stand before them."""
        return (*(count for count, _ in reversed(self.steps)), *self.sizes)

    @property
    def axes(self) -> list[tuple[Amount, int]]:
        """Size and stride of the fewest axes that mean the same elements in the same order."""
        found: list[tuple[Amount, int]] = []
        for size, stride in zip(self.sizes, self.strides, strict=True):
            if size == 1:
                continue
            if found and isinstance(size, int) and found[-1][1] == size * stride:
                size = scaled(found.pop()[0], size)
            found.append((size, stride))
        return found

    def descriptor(self, bound: Callable[[Amount], int | str]) -> Descriptor:
        """The interval; `bound` makes a number or the name of a variable of an amount."""
        if self.steps:
            (length,), steps = self.sizes, self.steps
        else:
            axes = self.axes
            length = axes.pop()[0] if axes and axes[-1][1] == 1 else 1
            steps = tuple(reversed(axes))
        low, high = bound(self.offset), bound(plus(self.offset, length))
        return Descriptor(
            self.buffer, low, high, tuple((bound(count), bound(stride)) for count, stride in steps)
        )

    def cut(self, axis: int, low: Amount, high: Amount) -> View:
        """The part from `low` to `high` along an axis."""
        if len(self.sizes) == 1 == self.strides[0]:
            offset, size = plus(self.offset, low), minus(high, low)
            return View(self.buffer, self.dtype, offset, (size,), (1,))
        sizes = (*self.sizes[:axis], minus(high, low), *self.sizes[axis + 1 :])
        offset = plus(self.offset, low, self.strides[axis])
        return replace(self, offset=offset, sizes=sizes)

    def without(self, axis: int) -> View:
        """The same without an axis of size 1."""
        keep = [k for k in range(len(self.sizes)) if k != axis]
        sizes, strides = (tuple(of[k] for k in keep) for of in (self.sizes, self.strides))
        return replace(self, sizes=sizes, strides=strides)

    def with_axes(self, axes: int) -> View | None:
        """The same with so many axes: with axes of size 1 in front, or with the first ones as one;
        None if they are none."""
        more = axes - len(self.sizes)
        if self.steps:
            return None
        if more < 0:
            return self.reshaped((None, *self.sizes[1 - more :]))
        return replace(self, sizes=(1,) * more + self.sizes, strides=(0,) * more + self.strides)

    def reshaped(self, shape: tuple[int | None, ...]) -> View | None:
        """The same elements in another shape, in which one size may be left open; None if they do
        not lie one behind the other, or there are not as many."""
        if self.steps or any(not isinstance(size, int) for size in self.sizes):
            return None
        if len(self.axes) > 1 or any(stride != 1 for _, stride in self.axes):
            return None
        size, known = math.prod(self.sizes), math.prod(n for n in shape if n is not None)
        left = [n for n in shape if n is None]
        if len(left) > 1 or known < 1 or size % known or (not left and size != known):
            return None
        sizes = tuple(size // known if n is None else n for n in shape)
        return replace(self, sizes=sizes, strides=strides_of(sizes))


def strides_of(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Of elements that lie one behind the other, the last axis innermost."""
    return tuple(math.prod(shape[k + 1 :]) for k in range(len(shape)))


def whole(buffer: str, dtype: Type, shape: tuple[int, ...]) -> View:
    return View(buffer, dtype, 0, shape, strides_of(shape))
