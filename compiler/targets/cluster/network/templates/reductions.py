"""Layers that make one element of many along axes.

The axes of the operand become dimensions of which one after the other are kept and reduced.  The
last two of these, or three, are what tiles are cut of:

    … kept, reduced            rows, each of which becomes one element
    … kept, reduced, kept      of each matrix its columns

Over those before them cores share the kept ones; the reduced ones, and parts of what does not fit
in one tile, are loops in which a core accumulates.  Halves are accumulated as f32.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from math import prod

from compiler.targets.cluster.network.expressions import (
    Expression,
    interval,
    less,
    plus,
    times,
)
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.shapes import Mask, strides_of
from compiler.targets.cluster.network.tasks import (
    Chunks,
    Part,
    chunk_sizes,
    cycles,
    named,
    part_of,
    shared,
    whole_lines,
)
from compiler.targets.cluster.network.templates import along_axis
from compiler.targets.cluster.network.templates.region import (
    Buffer,
    Region,
    Scales,
    in_nram,
    write_region,
)
from compiler.targets.cluster.network.templates.tile import HALVES, Held
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster
from machines.types import F32, Type


@dataclass(frozen=True)
class Shape:
    """What is reduced, by dimensions.

    front    sizes, and whether they are reduced
    groups   matrices that are kept one beside the other
    reduced  rows of each
    kept     columns of each; 1 where the last dimension is reduced
    """

    front: tuple[tuple[int, bool], ...]
    groups: int
    reduced: int
    kept: int

    @staticmethod
    def of(shape: Sequence[int], axes: Sequence[int]) -> Shape:
        wide = [(size, axis in axes) for axis, size in enumerate(shape) if size > 1]
        found = [(prod(size for size, _ in some), is_reduced)
                 for is_reduced, some in groupby(wide, lambda one: one[1])]  # fmt: skip
        kept = found.pop()[0] if found and not found[-1][1] else 1
        reduced = found.pop()[0] if found else 1
        groups = found.pop()[0] if found else 1
        return Shape(tuple(found), groups, reduced, kept)

    @property
    def sizes(self) -> list[int]:
        """Of all dimensions."""
        return [*(size for size, _ in self.front), self.groups, self.reduced, self.kept]

    @property
    def kept_in_front(self) -> int:
        return prod(size for size, is_reduced in self.front if not is_reduced)

    @property
    def reduced_in_front(self) -> int:
        return prod(size for size, is_reduced in self.front if is_reduced)


@dataclass(frozen=True)
class Sizes:
    """Of a tile: matrices, rows that are reduced, columns that are kept."""

    groups: int
    reduced: int
    kept: int

    @property
    def count(self) -> int:
        return self.groups * self.reduced * self.kept


@dataclass(frozen=True)
class Kind:
    """How an operator reduces.

    row       `tensor.reduce_NAME`, of rows
    pool      the same of columns, as a pool of an image of one point a row; '' where there is none
    combine   the row that accumulates
    identity  what changes nothing
    averages  whether the pool divides by how many there are
    """

    row: str
    pool: str
    combine: str
    identity: str
    averages: bool = False


def kind_of(name: str, element: Type) -> Kind:
    """Of an operator on elements of a type."""
    low, high = ("-inf", "inf") if element.is_float else (str(element.lowest), str(element.highest))
    if name == "reduce_max":
        return Kind(name, "pool_max", "max", low)
    if name == "reduce_min":
        return Kind(name, "pool_min", "min", high)
    if name == "reduce_prod":
        return Kind(name, "", "mul", "1.0" if element.is_float else "1")
    pool = "pool_average" if element.is_float else ""
    return Kind(name, pool, "add", "0.0" if element.is_float else "0", bool(pool))


class Reduction:
    """A layer with one such operator, and elementwise nodes on its result."""

    def __init__(self, layer: Layer):
        self.layer, self.node = layer, layer.head
        (self.x,), (self.y,) = self.node.operands, self.node.results
        self.element = layer.type(self.x).element
        widens = self.node.operator.name in ("reduce_sum", "reduce_prod")
        self.inner = F32 if widens and self.element in HALVES else self.element
        self.kind = kind_of(self.node.operator.name, self.inner)
        self.shape = Shape.of(layer.type(self.x).shape, self.node.attributes["axes"])
        own = [name for one in layer.nodes for name in one.results]
        self.masks: dict[str, Mask] = {}
        for name in (*(name for name in layer.reads if name != self.x), *own):
            is_whole = layer.type(name).count == layer.type(self.y).count
            self.masks[name] = (is_whole,) * 3

    @property
    def result(self) -> tuple[int, int, int]:
        """The result's dimensions: those in front, groups, columns."""
        return self.shape.kept_in_front, self.shape.groups, self.shape.kept

    def region(
        self,
        front: Expression,
        groups: Part,
        kept: Part,
        sizes: Sizes,
        buffer: Buffer,
        names: dict[str, str],
    ) -> Region:
        parts, most = [Part(front, 1), groups, kept], [1, sizes.groups, sizes.kept]
        return Region(self.layer, self.result, self.masks, parts, most, (1, 2), buffer, names)

    def steps(self, sizes: Sizes) -> int:
        """How many tiles become one of the result."""
        return self.shape.reduced_in_front * Chunks(self.shape.reduced, sizes.reduced).count

    def buffers(self, region: Region, sizes: Sizes) -> Buffers:
        tile, whole = region.tile, region.tile.whole
        here = tile.buffer(self.element, sizes.count)
        wide = here if self.inner is self.element else tile.buffer(self.inner, sizes.count)
        in_rows = wide
        if self.shape.kept > 1 and not self.kind.pool:
            in_rows = tile.buffer(self.inner, sizes.count)
        total = tile.take(self.inner, whole)
        part = tile.take(self.inner, whole) if self.steps(sizes) > 1 else total
        return Buffers(here, wide, in_rows, part, total)

    def reduce(
        self, region: Region, held: Buffers, groups: Expression, reduced: Part, kept: Expression,
        sizes: Sizes, source: str,
    ) -> None:  # fmt: skip
        """A tile becomes a part of the result."""
        lines, tile = region.tile.lines, region.tile
        count = times(groups, reduced.size, kept)
        lines.append(f"tensor.copy {held.here}[0 +: {count}], {source}")
        if held.wide != held.here:
            lines.append(f"tensor.convert {held.wide}[0 +: {count}], {held.here}[0 +: {count}]")
        target = tile.all_of(held.part)
        if self.shape.kept == 1:
            places = f"{groups}, {reduced.size}"
            lines.append(f"tensor.{self.kind.row} {target}, {held.wide}[0 +: {count}], {places}")
        elif self.kind.pool:
            self._pool(lines, target, f"{held.wide}[0 +: {count}]", groups, reduced, kept, sizes)
        else:
            turned = f"{held.in_rows}[0 +: {count}]"
            places = f"{groups}, {reduced.size}, {kept}"
            lines.append(f"tensor.permute_021 {turned}, {held.wide}[0 +: {count}], {places}")
            places = f"{times(groups, kept)}, {reduced.size}"
            lines.append(f"tensor.{self.kind.row} {target}, {turned}, {places}")

    def _pool(
        self, lines: list[str], target: str, source: str, groups: Expression, reduced: Part,
        kept: Expression, sizes: Sizes,
    ) -> None:  # fmt: skip
        """Of columns: windows of all rows; those that a smaller part has not are border."""
        rows = times(groups, reduced.size)
        border = less(sizes.reduced, reduced.size)
        places = f"{sizes.reduced}, 1, {sizes.reduced}, 1, 0, 0, {border}, 0, 1, 1"
        lines.append(
            f"tensor.{self.kind.pool}_padded {target}, {source}, {rows}, 1, {kept}, {places}"
        )
        if self.kind.averages:
            lines.append(f"tensor.mul_scalar {target}, {target}, {float(sizes.reduced)!r}")

    def finish(self, region: Region, held: Buffers) -> None:
        """The result, and what follows."""
        found = held.total
        if self.inner is not self.element:
            found = region.tile.unary("convert", found, self.element, {found})
        region.compute(self.layer.nodes[1:], {self.y: found})


@dataclass(frozen=True)
class Buffers:
    """here     the tile, as it is loaded
    wide     in the type in which it is accumulated
    in_rows  with columns as rows, where no pool reduces them
    part     what becomes of the tile
    total    of all tiles
    """

    here: str
    wide: str
    in_rows: str
    part: Held
    total: Held


def write(function: TileFunction) -> None:
    layer = function.layer
    for tensor in function.names:
        function.see(tensor, layer.type(tensor).count)
    if layer.head.operator.name in along_axis.WRITERS:
        along_axis.WRITERS[layer.head.operator.name](function)
        return
    _write_reduction(function, Reduction(layer))


def _write_reduction(function: TileFunction, of: Reduction) -> None:
    shape, sizes = of.shape, _choose(of, function.chip)
    kept_in_front = [size for size, is_reduced in shape.front if not is_reduced]
    chunks = [Chunks(shape.groups, sizes.groups), Chunks(shape.kept, sizes.kept)]
    with (
        function.aside() as loop,
        shared(function, *kept_in_front, *chunks) as (*front, groups, kept),
    ):
        at = prod_index(function, front, kept_in_front)
        region = of.region(at, groups, kept, sizes, in_nram(function), function.names)
        held = of.buffers(region, sizes)
        with ExitStack() as loops:
            several = of.steps(sizes) > 1
            total = region.tile.all_of(held.total)
            if several:
                function.line(f"tensor.fill {total}, {of.kind.identity}")
            indices, reduced = _reduced(function, loops, shape, sizes, iter(front))
            of.reduce(
                region, held, groups.size, reduced, kept.size, sizes,
                _source(of, function, indices, groups, reduced, kept),
            )  # fmt: skip
            if several:
                part = region.tile.all_of(held.part)
                region.tile.lines.append(f"tensor.{of.kind.combine} {total}, {total}, {part}")
            write_region(function, region.tile)
        of.finish(region, held)
        write_region(function, region.tile)
    for line in region.tile.before:
        function.line(line)
    function.put(loop)


def prod_index(
    function: TileFunction, indices: Sequence[Expression], sizes: Sequence[int]
) -> Expression:
    """The number of an element, by its indices in dimensions of these sizes."""
    found: Expression = 0
    for index, size in zip(indices, sizes, strict=True):
        found = plus(times(found, size), index)
    return named(function, found)


def _reduced(
    function: TileFunction, loops: ExitStack, shape: Shape, sizes: Sizes,
    front: Iterator[Expression],
) -> tuple[list[Expression], Part]:  # fmt: skip
    """Open the loops over what is reduced; the index in each dimension in front, and the part."""
    indices: list[Expression] = []
    for size, is_reduced in shape.front:
        if is_reduced:
            indices.append(function.fresh("r"))
            loops.enter_context(function.loop(str(indices[-1]), 0, size))
        else:
            indices.append(next(front))
    chunks = Chunks(shape.reduced, sizes.reduced)
    if chunks.count == 1:
        return indices, Part(0, shape.reduced)
    index = function.fresh("r")
    loops.enter_context(function.loop(index, 0, chunks.count))
    return indices, part_of(function, chunks, index)


def _source(
    of: Reduction, function: TileFunction, indices: Sequence[Expression], groups: Part,
    reduced: Part, kept: Part,
) -> str:  # fmt: skip
    """A tile of the operand."""
    sizes = of.shape.sizes
    strides = strides_of(sizes, (True,) * len(sizes))
    parts = (groups, reduced, kept)
    places = (times(at, stride) for at, stride in zip(indices, strides, strict=False))
    more = (times(part.first, stride) for part, stride in zip(parts, strides[-3:], strict=True))
    dimensions = ((part.size, stride) for part, stride in zip(parts, strides[-3:], strict=True))
    return interval(function.names[of.x], plus(*places, *more), *dimensions)


def _choose(of: Reduction, chip: Cluster) -> Sizes:
    """What is expected to take least."""
    best: tuple[float, Sizes] | None = None
    for sizes in _candidates(of.shape, of.element, chip):
        scales, moved = _scales(of, sizes, chip)
        if scales > chip.usable("nram"):
            continue
        tiles = of.shape.kept_in_front * prod(
            Chunks(extent, size).count
            for extent, size in ((of.shape.groups, sizes.groups), (of.shape.kept, sizes.kept))
        )
        steps = of.steps(sizes)
        cost = cycles(chip, tiles, 0) * (steps - 1) + cycles(chip, tiles, moved * steps) + tiles
        if best is None or cost < best[0]:
            best = cost, sizes
    assert best is not None
    return best[1]


def _candidates(shape: Shape, element: Type, chip: Cluster) -> Iterator[Sizes]:
    """Parts of one dimension, the others being whole or one."""
    cores, unit = chip.core_count, whole_lines(element.bytes)
    front = shape.kept_in_front
    room = chip.usable("nram") // element.bytes
    for groups in _some(shape.groups, shape.groups, front, cores):
        yield Sizes(groups, shape.reduced, shape.kept)
    for kept in (
        *_some(shape.kept, shape.kept, front * shape.groups, cores, unit), unit, 1,
    ):  # fmt: skip
        if kept <= shape.kept:
            for count in (1, 2, 3, 4, 6, 8):
                most = max(room // (kept * count), 1)
                yield Sizes(1, min(shape.reduced, most), kept)
            yield Sizes(1, 1, kept)
    if shape.kept == 1:
        for count in (1, 2, 3, 4, 6, 8):
            for groups in (*_some(shape.groups, shape.groups, front, cores), 1):
                most = max(room // (groups * count), 1)
                yield Sizes(groups, min(shape.reduced, most), 1)


def _some(extent: int, most: int, others: int, cores: int, unit: int = 1) -> list[int]:
    """Sizes worth a try, down to one."""
    found = set(chunk_sizes(extent, most, others, cores, unit))
    size = extent
    while size > 1:
        size = -(-size // 4)
        found.add(size)
    return sorted(found)


def _scales(of: Reduction, sizes: Sizes, chip: Cluster) -> tuple[int, float]:
    """Of a tile: bytes in NRAM, bytes moved."""
    scales = Scales(chip)
    names = dict.fromkeys((*of.layer.reads, *of.masks), "x")
    groups, kept = Part("x", sizes.groups), Part("x", sizes.kept)
    region = of.region("x", groups, kept, sizes, scales.buffer, names)
    held = of.buffers(region, sizes)
    of.finish(region, held)
    wide = of.element.size(sizes.kept if of.shape.kept > 1 else sizes.reduced)
    is_cut = sizes.kept < of.shape.kept or sizes.reduced < of.shape.reduced
    line = 64 if is_cut else 1
    segments = sizes.count * of.element.bytes / wide
    return scales.bytes, region.moved() / of.steps(sizes) + segments * -(-wide // line) * line
