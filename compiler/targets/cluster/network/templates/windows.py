"""Layers that make one number of each window of an image: tiles of rows, points and channels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from compiler.targets.cluster.network.expressions import (
    Expression,
    interval,
    least,
    less,
    most,
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
    shared,
    whole_lines,
)
from compiler.targets.cluster.network.templates.region import (
    Buffer,
    Region,
    Scales,
    in_nram,
    write_region,
)
from compiler.targets.cluster.network.templates.tile import Held
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.diagnostics import input_error
from machines.kinds.cluster.fields import Cluster

Sizes = tuple[int, int, int]
"""Of a tile: rows, points, channels."""
_INSIDE = (1, 2, 3)


def write(function: TileFunction) -> None:
    layer = function.layer
    pool = Pool.of(layer)
    sizes = _choose(pool, function.chip)
    for tensor in function.names:
        function.see(tensor, layer.type(tensor).count)
    chunks = [Chunks(extent, size) for extent, size in zip(pool.shape[1:], sizes, strict=True)]
    with function.aside() as loop, shared(function, pool.shape[0], *chunks) as (image, *parts):
        region = pool.region(image, parts, sizes, in_nram(function), function.names)
        spans = [_span(function, side, part) for side, part in zip(pool.sides, parts, strict=False)]
        held = pool.pooled(region, sizes, spans, image, function.names)
        region.compute(layer.nodes[1:], {layer.head.results[0]: held})
        write_region(function, region.tile)
    for line in region.tile.before:
        function.line(line)
    function.put(loop)


@dataclass(frozen=True)
class Side:
    """Rows or points: of the image, of windows, how these stand, and how many there are."""

    extent: int
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    windows: int

    @property
    def reach(self) -> int:
        """What a window spans."""
        return self.dilation * (self.kernel - 1) + 1

    def read(self, windows: int) -> int:
        """What so many windows span, at most."""
        return min((windows - 1) * self.stride + self.reach, self.extent)

    def ends(self, first: int, windows: int) -> tuple[int, int]:
        """Where windows begin and end, before the image and behind it as well."""
        low = first * self.stride - self.before
        return low, low + (windows - 1) * self.stride + self.reach


@dataclass(frozen=True)
class Span:
    """What windows read: elements from `first` on, and how much of them is nothing."""

    first: Expression
    size: Expression
    before: Expression
    after: Expression


def _span(function: TileFunction, side: Side, part: Part) -> Span:
    """What the windows of a part of the result read."""
    if isinstance(part.first, int) and isinstance(part.size, int):
        low, high = side.ends(part.first, part.size)
        first, end = max(low, 0), min(high, side.extent)
        return Span(first, end - first, first - low, high - end)
    low = named(function, plus(times(part.first, side.stride), -side.before))
    high = named(function, plus(low, times(part.size, side.stride), side.reach - side.stride))
    first = named(function, most(low, 0))
    end = named(function, least(high, side.extent))
    return Span(
        first,
        named(function, less(end, first)),
        named(function, less(first, low)),
        named(function, less(high, end)),
    )


@dataclass(frozen=True)
class Pool:
    """shape  of the result: images, rows, points, channels
    sides   rows and points
    masks   by tensor, along the dimensions of the result
    """

    layer: Layer
    shape: tuple[int, ...]
    sides: tuple[Side, Side]
    masks: dict[str, Mask]

    @staticmethod
    def of(layer: Layer) -> Pool:
        node = layer.head
        (x,), (y,) = node.operands, node.results
        image, shape, said = layer.type(x).shape, layer.type(y).shape, node.attributes
        sides = tuple(
            Side(
                image[k + 1], said["kernel"][k], said["strides"][k], said["dilations"][k],
                said["pads"][k], said["pads"][k + 2], shape[k + 1],
            )
            for k in range(2)
        )  # fmt: skip
        own = [name for one in layer.nodes for name in one.results]
        masks = {}
        for name in (*(name for name in layer.reads if name != x), *own):
            other = layer.type(name).shape
            full = (*(1 for _ in range(4 - len(other))), *other)
            masks[name] = tuple(a == b for a, b in zip(full, shape, strict=True))
        if x in (name for one in layer.nodes[1:] for name in one.operands):
            masks[x] = tuple(a == b for a, b in zip(image, shape, strict=True))
        return Pool(layer, shape, sides, masks)

    def region(
        self,
        image: Expression,
        parts: Sequence[Part],
        sizes: Sizes,
        buffer: Buffer,
        names: dict[str, str],
    ) -> Region:
        whole = [Part(image, 1), *parts]
        return Region(
            self.layer, self.shape, self.masks, whole, [1, *sizes], _INSIDE, buffer, names
        )

    def pooled(
        self,
        region: Region,
        sizes: Sizes,
        spans: Sequence[Span],
        image: Expression,
        names: dict[str, str],
    ) -> Held:
        """Write the pool; where its result is held."""
        (x,), tile, node = self.layer.head.operands, region.tile, self.layer.head
        rows, points = spans
        element, channels = self.layer.type(x).element, region.parts[3]
        shape = self.layer.type(x).shape
        strides = strides_of(shape, (True,) * 4)
        source = interval(
            names[x],
            plus(
                times(image, strides[0]), times(rows.first, strides[1]),
                times(points.first, strides[2]), channels.first,
            ),
            (rows.size, strides[1]), (points.size, strides[2]), (channels.size, 1),
        )  # fmt: skip
        room = prod(side.read(n) for side, n in zip(self.sides, sizes, strict=False))
        here = tile.buffer(element, room * sizes[2])
        count = times(rows.size, points.size, channels.size)
        tile.lines.append(f"tensor.copy {here}[0 +: {count}], {source}")
        found = tile.take(element, tile.whole)
        windows = self._windows(rows, points)
        self._row(tile, found, f"{here}[0 +: {count}]", rows, points, channels.size, windows)
        pads = node.attributes["pads"]
        if node.operator.name == "pool_average" and not node.attributes["borders"] and any(pads):
            ones = tile.buffer(element, room)
            tile.before.append(f"tensor.fill {ones}, 1.0")
            inside = tile.take(element, (True, True, False))
            whole = f"{ones}[0 +: {times(rows.size, points.size)}]"
            self._row(tile, inside, whole, rows, points, 1, windows)
            found = tile.binary("div", found, inside, {found, inside})
        return found

    def _row(
        self,
        tile,
        target: Held,
        source: str,
        rows: Span,
        points: Span,
        channels: Expression,
        windows: str,
    ) -> None:
        name = f"{self.layer.head.operator.name}_padded"
        image = f"{rows.size}, {points.size}, {channels}"
        tile.lines.append(f"tensor.{name} {tile.all_of(target)}, {source}, {image}, {windows}")

    def _windows(self, rows: Span, points: Span) -> str:
        """Operands of the row behind those that say what the image is."""
        y, x = self.sides
        numbers = (
            y.kernel, x.kernel, y.stride, x.stride, rows.before, points.before, rows.after,
            points.after, y.dilation, x.dilation,
        )  # fmt: skip
        return ", ".join(map(str, numbers))


def _choose(pool: Pool, chip: Cluster) -> Sizes:
    """What is expected to take least."""
    best: tuple[float, Sizes] | None = None
    for sizes in _candidates(pool, chip):
        bytes_held, moved, computed = _scales(pool, sizes, chip)
        if bytes_held > chip.usable("nram"):
            continue
        tiles = pool.shape[0] * prod(
            Chunks(extent, size).count for extent, size in zip(pool.shape[1:], sizes, strict=True)
        )
        cost = cycles(chip, tiles, moved) + -(-tiles // chip.core_count) * computed + tiles
        if best is None or cost < best[0]:
            best = cost, sizes
    if best is None:
        message = f"{pool.layer.title}: a window of a channel does not fit in nram"
        raise input_error(message, pool.layer.location)
    return best[1]


def _candidates(pool: Pool, chip: Cluster) -> Iterator[Sizes]:
    images, rows, points, channels = pool.shape
    (x,) = pool.layer.head.operands
    unit = whole_lines(pool.layer.type(x).element.bytes)
    some = {channels, *(n for n in (1, unit, 2 * unit, 4 * unit) if n < channels)}
    for of_channels in sorted(
        some | {*chunk_sizes(channels, channels, images, chip.core_count, unit)}
    ):
        others = images * Chunks(channels, of_channels).count
        for of_points in sorted({points, -(-points // 2), -(-points // 8), 1}):
            more = others * Chunks(points, of_points).count
            high = {rows, 1, 2, 4, *chunk_sizes(rows, rows, more, chip.core_count)}
            for of_rows in sorted(n for n in high if n <= rows):
                sizes = (of_rows, of_points, of_channels)
                if all(_all_meet(s, n) for s, n in zip(pool.sides, sizes, strict=False)):
                    yield sizes


def _all_meet(side: Side, size: int) -> bool:
    """Whether some window of each part has a point in the image."""
    for first in range(0, side.windows, size):
        low, high = side.ends(first, min(size, side.windows - first))
        if high <= 0 or low >= side.extent:
            return False
    return True


def _scales(pool: Pool, sizes: Sizes, chip: Cluster) -> tuple[int, float, float]:
    """Of a tile: bytes in NRAM, bytes moved, cycles of the vector unit."""
    scales = Scales(chip)
    names = dict.fromkeys((*pool.layer.reads, *pool.masks), "x")
    parts = [Part("x", size) for size in sizes]
    region = pool.region("x", parts, sizes, scales.buffer, names)
    read = [side.read(n) for side, n in zip(pool.sides, sizes, strict=False)]
    held = pool.pooled(region, sizes, [Span("x", n, 0, 0) for n in read], "x", names)
    region.compute(pool.layer.nodes[1:], {pool.layer.head.results[0]: held})
    element = pool.layer.type(pool.layer.head.operands[0]).element
    wide = element.size(sizes[2])
    line = 64 if sizes[2] < pool.shape[3] else 1
    moved = region.moved() + prod(read) * -(-wide // line) * line
    places = prod(sizes[:2]) * prod(side.kernel for side in pool.sides)
    return scales.bytes, moved, places * -(-wide // chip.vector.width)
