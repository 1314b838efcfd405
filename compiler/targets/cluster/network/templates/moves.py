"""Elements that go from places of a tensor to places of another one, which both follow from numbers
along dimensions.

What lies side by side in both is copied by DMA alone, segment by segment.  What does not goes
through NRAM: a *block* of up to three dimensions is loaded in the order of the source, permuted
there, and stored in the order of the target, so that segments are long on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from compiler.targets.cluster.network.expressions import (
    MOST_DIMENSIONS,
    Expression,
    interval,
    plus,
    times,
)
from compiler.targets.cluster.network.memory import ALIGNMENT
from compiler.targets.cluster.network.tasks import Chunks, Part, chunk_sizes, cycles, shared
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.diagnostics import input_error


@dataclass(frozen=True, slots=True)
class Axis:
    """So many elements; how far each is from the one before, in the target and in the source."""

    count: int
    target: int
    source: int


@dataclass(frozen=True, slots=True)
class Move:
    """Elements of `source` from `first_source` on go to `target` from `first_target` on, or a
    number does.  The axes stand in the order of the target, outermost first.
    """

    target: str
    source: str | None
    axes: tuple[Axis, ...]
    first_target: int = 0
    first_source: int = 0
    value: str = ""

    def joined(self) -> Move:
        """The same by as few axes as can be."""
        found: list[Axis] = []
        for axis in self.axes:
            if axis.count == 1:
                continue
            if found and found[-1].target == axis.count * axis.target and (
                self.source is None or found[-1].source == axis.count * axis.source
            ):  # fmt: skip
                found[-1] = replace(axis, count=found[-1].count * axis.count)
            else:
                found.append(axis)
        return replace(self, axes=tuple(found) or (Axis(1, 1, 1),))

    def is_of_bytes(self, in_byte: int) -> bool:
        """Whether so many elements in a byte are one run on both sides, and begin with a byte."""
        (*_, last), firsts = self.axes, (self.first_target, self.first_source)
        numbers = (last.count, *firsts)
        run = len(self.axes) == 1 and last.target == last.source == 1
        return run and not any(number % in_byte for number in numbers)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a move is done.

    sizes   of the blocks, axis by axis; 1 of those that are not in a block
    inside  the axes of a block; in NRAM it is permuted where `permuted`
    cost    in cycles, as it is expected
    """

    sizes: tuple[int, ...]
    inside: tuple[int, ...]
    permuted: bool
    cost: float


def write_moves(function: TileFunction, moves: Sequence[Move]) -> None:
    """Write moves to places of which none are the same; each is shared by all cores."""
    for turn, move in enumerate(moves):
        whole, element = move.joined(), function.layer.type(move.target).element
        if element.in_byte > 1 and not whole.is_of_bytes(element.in_byte):
            layer = function.layer
            message = f"{layer.title}: elements of {element} move two at a time, not alone"
            raise input_error(message, layer.location)
        _Writer(function, whole, turn).write()


class _Writer:
    def __init__(self, function: TileFunction, move: Move, turn: int):
        self.function, self.move, self.turn = function, move, turn
        self.element = function.layer.type(move.target).element

    def write(self) -> None:
        way = min(self._ways(), key=lambda one: one.cost)
        axes = self.move.axes
        chunks = [Chunks(axis.count, size) for axis, size in zip(axes, way.sizes, strict=True)]
        with shared(self.function, *chunks, turn=self.turn) as parts:
            if way.permuted:
                self._permuted(way, parts)
            else:
                self._direct(parts)

    def _direct(self, parts: Sequence[Part]) -> None:
        target = self._target(parts)
        if self.move.source is None:
            self.function.line(f"tensor.fill {target}, {self.move.value}")
        else:
            self.function.line(f"tensor.copy {target}, {self._source(parts)}")

    def _target(self, parts: Sequence[Part]) -> str:
        steps = [axis.target for axis in self.move.axes]
        return self._interval(self.move.target, self.move.first_target, parts, steps)

    def _source(self, parts: Sequence[Part], order: Sequence[int] | None = None) -> str:
        steps = [axis.source for axis in self.move.axes]
        return self._interval(self.move.source, self.move.first_source, parts, steps, order)

    def _interval(
        self,
        tensor: str,
        first: int,
        parts: Sequence[Part],
        steps: Sequence[int],
        order: Sequence[int] | None = None,
    ) -> str:
        places = (times(part.first, step) for part, step in zip(parts, steps, strict=True))
        order = range(len(parts)) if order is None else order
        dimensions = ((parts[k].size, steps[k]) for k in order)
        return interval(self.function.names[tensor], plus(*places, first), *dimensions)

    # Through NRAM ------------------------------------------------------------------------------

    def _permuted(self, way: _Way, parts: Sequence[Part]) -> None:
        axes, count = self.move.axes, prod(way.sizes)
        order = sorted(way.inside, key=lambda k: -abs(axes[k].source))
        here, there = (self.function.buffer("block", self.element, [count]) for _ in range(2))
        sizes = [parts[k].size for k in order]
        whole = times(*sizes)
        outside = [k for k in range(len(axes)) if k not in way.inside]
        source = self._source(parts, [*outside, *order])
        self.function.line(f"tensor.copy {here}[0 +: {whole}], {source}")
        row, operands = _permutation([order.index(k) for k in sorted(way.inside)], sizes)
        places = ", ".join(map(str, operands))
        self.function.line(f"tensor.{row} {there}[0 +: {whole}], {here}[0 +: {whole}], {places}")
        self.function.line(f"tensor.copy {self._target(parts)}, {there}[0 +: {whole}]")

    # What to do --------------------------------------------------------------------------------

    def _ways(self) -> Iterator[_Way]:
        yield from self._direct_ways()
        if self.move.source is not None:
            for inside in self._blocks():
                yield from self._block_ways(inside)

    def _direct_ways(self) -> Iterator[_Way]:
        """A DMA takes the last axes; one of them is shared by the cores."""
        axes, chip = self.move.axes, self.function.chip
        sides = [axis.target for axis in axes], [axis.source for axis in axes]
        side_by_side = all(side[-1] == 1 for side in sides[: 1 + (self.move.source is not None)])
        first = max(len(axes) - MOST_DIMENSIONS + (not side_by_side), 0)
        for start in range(first, len(axes)):
            outer = prod(axis.count for axis in axes[:start])
            for shared_axis in range(start, len(axes)):
                count = axes[shared_axis].count
                unit = ALIGNMENT // self.element.bytes if shared_axis == len(axes) - 1 else 1
                for size in chunk_sizes(count, count, outer, chip.core_count, unit):
                    sizes = [1] * start + [axis.count for axis in axes[start:]]
                    sizes[shared_axis] = size
                    yield self._way(sizes, range(start, len(axes)), False)

    def _blocks(self) -> Iterator[tuple[int, ...]]:
        """Axes that are worth permuting together: those of elements side by side, and more."""
        axes = self.move.axes
        if axes[-1].target != 1:
            return
        near = next((k for k, axis in enumerate(axes) if axis.source == 1), None)
        last = len(axes) - 1
        if near is None or len(axes) < 2:
            return
        if near != last:
            if axes[last].source > 0:
                yield near, last
                for more in range(len(axes)):
                    if more not in (near, last) and axes[more].source > 0:
                        yield tuple(sorted((near, last, more)))
            return
        rest = sorted(range(last), key=lambda k: abs(axes[k].source))
        if rest and rest[0] != last - 1 and axes[rest[0]].source > 0 and axes[last - 1].source > 0:
            yield tuple(sorted((rest[0], last - 1, last)))

    def _block_ways(self, inside: tuple[int, ...]) -> Iterator[_Way]:
        axes = self.move.axes
        most = self.function.chip.usable("nram") // (2 * self.element.bytes) - 2 * ALIGNMENT
        for some in product(*(self._sizes(axes[k].count) for k in inside)):
            if prod(some) > most:
                continue
            sizes = [1] * len(axes)
            for k, size in zip(inside, some, strict=True):
                sizes[k] = size
            yield self._way(sizes, inside, True)

    def _way(self, sizes: Sequence[int], inside: Sequence[int], permuted: bool) -> _Way:
        axes, chip = self.move.axes, self.function.chip
        tiles = prod(-(-axis.count // size) for axis, size in zip(axes, sizes, strict=True))
        sides = [[axis.target for axis in axes]]
        if self.move.source is not None:
            sides.append([axis.source for axis in axes])
        moved, segments = 0.0, 0
        for side, steps in enumerate(sides):
            found = self._segments(sizes, steps, any_order=permuted)
            moved += self._bytes(*found, writes=side == 0)
            segments += found[1]
        rounds = -(-tiles // chip.core_count)
        cost = cycles(chip, tiles, moved) + rounds * segments * chip.iodma.segment
        if permuted:
            each = prod(sizes) * self.element.bytes / chip.vector.width * _PERMUTED
            cost += rounds * each
        return _Way(tuple(sizes), tuple(inside), permuted, cost + tiles)

    def _segments(
        self, sizes: Sequence[int], steps: Sequence[int], any_order: bool
    ) -> tuple[int, int]:
        """How many elements of a block lie side by side, and how often: in the order of the target,
        or in whichever order has most."""
        pairs = [*zip(sizes, steps, strict=True)]
        pairs = sorted(pairs, key=lambda one: abs(one[1])) if any_order else pairs[::-1]
        segment = 1
        for size, step in pairs:
            if size > 1 and step != segment:
                break
            segment *= size
        return segment, prod(sizes) // segment

    def _bytes(self, segment: int, segments: int, writes: bool) -> float:
        """What segments move of DRAM, in whole lines; one that is written in part is read, too."""
        wide = segment * self.element.bytes
        lines = -(-wide // ALIGNMENT) + (wide % ALIGNMENT != 0) / 2
        return segments * lines * ALIGNMENT * (2 if writes and wide % ALIGNMENT else 1)

    def _sizes(self, count: int) -> list[int]:
        """Sizes of blocks worth a try."""
        some = (1, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
        shares = chunk_sizes(count, count, 1, self.function.chip.core_count, 16)
        return sorted({count, *shares, *(size for size in some if size < count)})


_PERMUTED = 4
"""Steps of the vector unit that a permutation takes for each of an operation."""


def _permutation(order: Sequence[int], sizes: Sequence[Expression]) -> tuple[str, list[Expression]]:
    """The row that brings dimensions of these sizes into an order, and its operands."""
    text = "".join(map(str, order))
    if text == "10":
        return "transpose", list(sizes)
    if text == "120":
        return "transpose", [sizes[0], times(*sizes[1:])]
    if text == "201":
        return "transpose", [times(*sizes[:2]), sizes[2]]
    return f"permute_{text}", list(sizes)
