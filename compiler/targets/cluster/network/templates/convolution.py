"""Convolutions as tiles: points of images by output channels, and the window in parts.

image in DRAM        a tile's rows, clipped to the image; what is beyond is the row's padding
┌───────────────┐
│  ┌ ─ ─ ─ ┐    │    rows y · sy - top …  of which `lows` are beyond the image
│  │ tile  │    │
│  └ ─ ─ ─ ┘    │
└───────────────┘
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod

from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.templates.followers import Expression, Region, Span
from compiler.targets.cluster.network.templates.geometry import (
    Bytes,
    Multiplied,
    Part,
    Tile,
    accumulator,
    ceil_div,
    even_sizes,
    product_text,
    span_of,
    types_of,
)
from compiler.targets.cluster.network.templates.image_windows import (
    Along,
    Taps,
    Window,
    part_of,
    window_of,
)
from compiler.targets.cluster.network.templates.matmul import column_sizes
from compiler.targets.cluster.network.templates.pipelined import Step
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.diagnostics import input_error
from machines.kinds.cluster.fields import Cluster
from machines.types import Type


class ConvolutionGeometry:
    """The product of a layer whose head is `conv`."""

    derived = ("b", "y", "x")

    def __init__(self, layer: Layer):
        self.layer, head = layer, layer.head
        self.left, self.right = head.operands
        x, w = (layer.type(name) for name in head.operands)
        result = layer.type(head.results[0])
        self.source: Type = x.element
        self.target: Type = result.element
        self.images, height, width, self.channels = x.shape
        self.out = result.shape[3]
        get = head.attributes.get
        self.groups = get("groups", 1)
        strides, dilations = get("strides", (1, 1)), get("dilations", (1, 1))
        top, left, bottom, right = get("pads", (0, 0, 0, 0))
        self.down = Along(
            "y", height, result.shape[1], w.shape[1], strides[0], dilations[0], top, bottom
        )
        self.across = Along(
            "x", width, result.shape[2], w.shape[2], strides[1], dilations[1], left, right
        )
        for along in (self.down, self.across):
            if along.before >= along.reach or along.after >= along.reach:
                message = f"{layer.title}: windows lie beyond the image as a whole"
                raise input_error(message, layer.location, hint="pad less than a window reaches")
        self.axes = [[0], [1], [2], [3]]

    @property
    def each(self) -> int:
        """Input channels of a group."""
        return self.channels // self.groups

    @property
    def out_each(self) -> int:
        """Output channels of a group."""
        return self.out // self.groups

    def _tiles(self, tile: Tile) -> tuple[int, int]:
        return ceil_div(self.down.out, tile.rows[0]), ceil_div(self.across.out, tile.rows[1])

    def counts(self, tile: Tile) -> tuple[int, int, int]:
        return (
            ceil_div(self.groups, tile.problems),
            self.images * prod(self._tiles(tile)),
            ceil_div(self.out_each, tile.columns),
        )

    @cached_property
    def _splits(self) -> dict[int, list[Taps]]:
        """Windows in parts, by the number of parts: rows, then points of rows, so that the order of
        sums stays."""
        rows, points = self.down.kernel, self.across.kernel
        found = {}
        for size in even_sizes(rows, rows):
            taps = [Taps((r, min(r + size, rows)), (0, points)) for r in range(0, rows, size)]
            found.setdefault(len(taps), taps)
        for size in even_sizes(points, points):
            taps = [
                Taps((r, r + 1), (p, min(p + size, points)))
                for r in range(rows)
                for p in range(0, points, size)
            ]
            found.setdefault(len(taps), taps)
        return found

    def candidates(self, chip: Cluster) -> Sequence[Tile]:
        cores = chip.core_count
        nram, wram = chip.usable("nram"), chip.usable("wram")
        found = []
        for parts, taps in self._splits.items():
            depth = max(one.count for one in taps) * self.each
            for problems, columns in self._columns(chip):
                if self.source.size(depth * columns * problems) > wram:
                    continue
                for down in even_sizes(self.down.out, self.down.out, cores):
                    wide = [self.across.out]
                    if self._row_bytes(down, self.across.out, problems) > nram // 2 or down == 1:
                        wide = even_sizes(self.across.out, self.across.out)
                    found += [Tile((down, points), columns, problems, parts) for points in wide]
                    if self._may_be_packed and parts == 1:
                        found.append(
                            Tile((down, self.across.out), columns, problems, is_packed=True)
                        )
        return found

    @property
    def _may_be_packed(self) -> bool:
        return self.groups == 1 and self.across.kernel > 1 and self.across.dilation == 1

    @property
    def _line(self) -> int:
        """Elements of a row of a packed image, with its borders."""
        return ((self.across.out - 1) * self.across.stride + self.across.reach) * self.channels

    def _columns(self, chip: Cluster) -> list[tuple[int, int]]:
        """Groups that are taken together, and output channels of each."""
        if self.groups == 1:
            return [(1, columns) for columns in column_sizes(self.out, chip)]
        whole = [(some, self.out_each) for some in column_sizes(self.groups, chip)]
        return [*whole, *((1, columns) for columns in column_sizes(self.out_each, chip))]

    def _row_bytes(self, down: int, across: int, problems: int) -> int:
        points = self.down.covered(down) * self.across.covered(across)
        return self.source.size(points * self.each * min(problems, self.groups))

    def region_most(self, tile: Tile) -> tuple[int, ...]:
        down, across = min(tile.rows[0], self.down.out), min(tile.rows[1], self.across.out)
        return 1, down, across, tile.columns * tile.problems

    def input(self, tile: Tile, *, part: bool) -> Bytes:
        down, across = self.down.covered(tile.rows[0]), self.across.covered(tile.rows[1])
        if tile.is_packed:
            return Bytes(self.source.size(down * self._line), 1)
        channels = self.each * tile.problems
        segments = down * across if channels < self.channels else 1
        if segments == 1 and across < self.across.extent:
            segments = down
        stride = self.source.size(self.channels)
        if segments == down:
            stride *= self.across.extent
        return Bytes(self.source.size(down * across * channels), segments, stride)

    def weights(self, tile: Tile, *, part: bool) -> Bytes:
        taps = self.down.kernel * self.across.kernel
        channels = tile.columns * tile.problems
        if not part or tile.parts == 1:
            return Bytes(self.source.size(taps * self.each * channels), 1)
        most = max(one.count for one in self._splits[tile.parts])
        size = self.source.size(most * self.each * channels)
        return Bytes(size, channels, self.source.size(taps * self.each))

    def multiplications(self, tile: Tile, chip: Cluster) -> int:
        unit, name = chip.matrix, self.source.name
        rows = min(tile.rows[0], self.down.out) * min(tile.rows[1], self.across.out)
        columns = tile.columns * tile.problems
        if tile.is_packed:
            depth = self.across.kernel * self.channels
            points = self.down.covered(tile.rows[0]) * self.across.out
            order = chip.relayout.cycles(points, self.source.size(points * depth))
            each = self.down.kernel * unit.cycles(rows, depth, columns, name, name)
            return unit.issue + unit.depth + order + each
        total = 0
        for one in self._splits[tile.parts]:
            taps = one.count
            total += unit.issue + unit.depth
            if unit.takes_whole_depth:
                total += unit.cycles(rows, taps * self.each, columns, name, name)
            else:
                total += taps * unit.cycles(rows, self.each, columns, name, name)
            if one.points != (0, self.across.kernel):  # reads some of each row that was loaded
                read = self.source.size(taps * self.each * tile.problems * rows)
                total += chip.relayout.cycles(self.down.covered(tile.rows[0]), read)
        return total

    def see(self, function: TileFunction, tile: Tile) -> None:
        function.see(self.left, self.images, self.down.extent, self.across.extent, self.channels)
        function.see(self.right, self.out, self.down.kernel, self.across.kernel, self.each)

    def begin(self, function: TileFunction, tile: Tile, inputs: Sequence[str]) -> None:
        """Borders of packed images, which loads leave as they are."""
        if tile.is_packed and (self.across.before or self.across.after):
            for buffer in inputs:
                zero = "0.0" if self.source.is_float else "0"
                function.line(f"tensor.fill {buffer}, {zero}")

    def derive(self, function: TileFunction, tile: Tile, digits: dict[str, str]) -> None:
        """The image, and which tile of it."""
        down, across = self._tiles(tile)
        t = digits["t"]
        if down * across == 1:
            function.line(f"{digits['b']} = {t}")
            return
        function.line(f"{digits['b']} = {t} / {down * across}")
        function.line(f"{digits['y']} = {t} - {digits['b']} * {down * across}")
        if across > 1:
            rest = function.fresh("rest")
            function.line(f"{rest} = {digits['y']}")
            function.line(f"{digits['y']} = {rest} / {across}")
            function.line(f"{digits['x']} = {rest} - {digits['y']} * {across}")

    def _spans(
        self, function: TileFunction, tile: Tile, digits: dict[str, str]
    ) -> tuple[Span, Span]:
        down = span_of(function, "y", digits["y"], tile.rows[0], self.down.out)
        return down, span_of(function, "x", digits["x"], tile.rows[1], self.across.out)

    def _channels(
        self, function: TileFunction, tile: Tile, digits: dict[str, str]
    ) -> tuple[Span, Span]:
        """Of a tile its groups, and its output channels among all."""
        groups = span_of(function, "q", digits["q"], tile.problems, self.groups)
        if tile.columns >= self.out_each:
            low = product_text(groups.low, self.out_each)
            size = product_text(groups.size, self.out_each)
            return groups, _named(function, "o", low, size, tile.problems * self.out_each)
        inner = span_of(function, "o", digits["g"], tile.columns, self.out_each)
        low = inner.low
        if self.groups > 1:
            low = f"{product_text(groups.low, self.out_each)} + {inner.low}"
        return groups, _named(function, "o", low, inner.size, inner.most)

    def region(self, function: TileFunction, tile: Tile, digits: dict[str, str]) -> Region:
        down, across = self._spans(function, tile, digits)
        _, columns = self._channels(function, tile, digits)
        return [Span(digits["b"] if self.images > 1 else 0, 1, 1), down, across, columns]

    def load_input(
        self,
        function: TileFunction,
        tile: Tile,
        digits: dict[str, str],
        part: Part,
        buffer: str,
        guard: str,
    ) -> None:
        down, across = self._spans(function, tile, digits)
        rows = window_of(function, self.down, down)
        points = window_of(function, self.across, across)
        groups, _ = self._channels(function, tile, digits)
        channels = _named(
            function,
            "c",
            product_text(groups.low, self.each),
            product_text(groups.size, self.each),
            0,
        )
        brackets = ", ".join(
            [
                str(digits["b"] if self.images > 1 else 0),
                Span(rows.low, rows.size, 0).of(self.down.extent),
                Span(points.low, points.size, 0).of(self.across.extent),
                channels.of(self.channels),
            ]
        )
        count = product_text(rows.size, points.size, channels.size)
        place = f"0 +: {count}"
        if tile.is_packed:
            first, line = (
                self.across.before * self.channels,
                product_text(points.size, channels.size),
            )
            place = f"{first} +: {line}, {rows.size} by {self._line}"
        function.line(
            f"{guard}tensor.copy {buffer}[{place}], {function.names[self.left]}[{brackets}]"
        )

    def load_weights(
        self,
        function: TileFunction,
        tile: Tile,
        digits: dict[str, str],
        part: Part,
        buffer: str,
        guard: str,
    ) -> None:
        _, columns = self._channels(function, tile, digits)
        taps = self._taps(tile, part)
        (r0, r1), (p0, p1) = taps.rows, taps.points
        brackets = ", ".join(
            [
                columns.of(self.out),
                Span(r0, r1 - r0, 0).of(self.down.kernel),
                Span(p0, p1 - p0, 0).of(self.across.kernel),
                ":",
            ]
        )
        count = product_text(columns.size, taps.count * self.each)
        function.line(
            f"{guard}tensor.copy {buffer}[0 +: {count}], {function.names[self.right]}[{brackets}]"
        )

    def _taps(self, tile: Tile, part: Part) -> Taps:
        if part is None:
            return Taps((0, self.down.kernel), (0, self.across.kernel))
        assert isinstance(part, int)
        return self._splits[tile.parts][part]

    def multiply(
        self,
        function: TileFunction,
        tile: Tile,
        step: Step,
        digits: dict[str, str],
        buffers: Multiplied,
    ) -> None:
        down, across = self._spans(function, tile, digits)
        rows = window_of(function, self.down, down)
        points = window_of(function, self.across, across)
        groups, columns = self._channels(function, tile, digits)
        taps, guard = self._taps(tile, step.part), step.guard
        target = self.target if tile.parts == 1 else accumulator(self.target)
        size = product_text(down.size, across.size, columns.size)
        place = f"{buffers.target}[0 +: {size}]"
        channels = product_text(groups.size, self.each)
        weights = product_text(columns.size, taps.count * self.each)
        right = f"{buffers.weights}[0 +: {weights}]"
        row = f"conv_padded{'' if tile.parts == 1 else '_add'}.{types_of(self.source, target)}"
        started = f"{place}, " if tile.parts > 1 else ""
        if tile.parts > 1:
            if step.first is not None:
                function.line(f"{step.first}tensor.fill {place}, {'0.0' if target.is_float else 0}")
            rows, is_row = part_of(function, self.down, rows, taps.rows, guard)
            points, is_point = part_of(function, self.across, points, taps.points, is_row)
            guard = is_point
        if tile.is_packed:
            self._multiply_packed(function, buffers, rows, columns, place, right, guard)
            return
        whole = window_of(function, self.across, across)
        left = self._image(buffers.input, rows, points, whole, channels, tile.parts > 1)
        (r0, r1), (p0, p1) = taps.rows, taps.points
        sizes = [
            rows.size, points.size, channels, columns.size, r1 - r0, p1 - p0,
            self.down.stride, self.across.stride,
            rows.before, points.before, rows.after, points.after,
            self.down.dilation, self.across.dilation, groups.size,
        ]  # fmt: skip
        function.line(
            f"{guard}tensor.{row} {place}, {started}{left}, {right}, {', '.join(map(str, sizes))}"
        )

    def _multiply_packed(
        self,
        function: TileFunction,
        buffers: Multiplied,
        rows: Window,
        columns: Span,
        place: str,
        right: str,
        guard: str,
    ) -> None:
        along, depth = self.across, self.across.kernel * self.channels
        step = along.stride * self.channels
        left = f"{buffers.input}[0 +: {depth}, {along.out} by {step}, {rows.size} by {self._line}]"
        sizes = [
            rows.size, along.out, depth, columns.size, self.down.kernel, 1, self.down.stride, 1,
            rows.before, 0, rows.after, 0, self.down.dilation, 1, 1,
        ]  # fmt: skip
        row = f"tensor.conv_padded.{types_of(self.source, self.target)}"
        function.line(f"{guard}{row} {place}, {left}, {right}, {', '.join(map(str, sizes))}")

    def _image(
        self,
        buffer: str,
        rows: Window,
        points: Window,
        whole: Window,
        channels: Expression,
        is_part: bool,
    ) -> str:
        """The interval of the left operand: all that was loaded, or what a part of the window
        reads of it."""
        if not is_part:
            return f"{buffer}[0 +: {product_text(rows.size, points.size, channels)}]"
        line = product_text(whole.size, channels)
        first = product_text(rows.low, line)
        if points.size == whole.size:
            return f"{buffer}[{first} +: {product_text(rows.size, points.size, channels)}]"
        begin = f"{first} + {product_text(points.low, channels)}"
        length = product_text(points.size, channels)
        return f"{buffer}[{begin} +: {length}, {rows.size} by {line}]"


def _named(function: TileFunction, hint: str, low: Expression, size: Expression, most: int) -> Span:
    """A span whose ends are numbers or variables."""
    found = []
    for value in (low, size):
        if isinstance(value, str) and not value.isidentifier():
            name = function.fresh(hint)
            function.line(f"{name} = {value}")
            value = name
        found.append(value)
    return Span(found[0], found[1], most)
