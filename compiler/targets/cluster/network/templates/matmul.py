"""Products of matrices as tiles: batches, rows, columns, and the depth in parts.

A convolution with windows of one point is one, too: its images' points are the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, prod

from compiler.levels.network.network import Node
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.templates.followers import Region, Span, may_be_together
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
from compiler.targets.cluster.network.templates.pipelined import Step
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster, InnerProduct
from machines.types import Type

_EVEN = (2, 4, 6, 8, 12, 16, 22, 24, 32, 48, 64, 96, 128, 256, 512, 1024)
"""Numbers of parts that are tried."""


@dataclass(frozen=True, slots=True)
class Matrices:
    """The operands and the result of a layer as stacks of matrices.

    batches      extents of the axes of the stack
    left, right  those that either operand has; 1 where it has the same matrix all along
    """

    batches: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    m: int
    k: int
    n: int
    transposed: bool


class MatmulGeometry:
    """The product of a layer whose head is `matmul`, or `conv` with windows of one point."""

    derived: tuple[str, ...] = ()

    def __init__(self, layer: Layer):
        self.layer, head = layer, layer.head
        self.left, self.right = head.operands
        self.source: Type = layer.type(self.left).element
        self.target: Type = layer.type(head.results[0]).element
        followers = layer.nodes[1:]
        is_matmul = head.operator.name == "matmul"
        found = _of_matmul(layer, followers) if is_matmul else _of_points(layer, followers)
        self.axes, self.matrices = found

    @cached_property
    def problems(self) -> int:
        return prod(self.matrices.batches)

    def counts(self, tile: Tile) -> tuple[int, int, int]:
        m = self.matrices
        return self.problems, ceil_div(m.m, tile.rows[0]), ceil_div(m.n, tile.columns)

    def candidates(self, chip: Cluster) -> Sequence[Tile]:
        m, cores = self.matrices, chip.core_count
        nram, wram = chip.usable("nram"), chip.usable("wram")
        element = self.source
        found = []
        for depth in self._depths(chip):
            parts = ceil_div(m.k, depth)
            for columns in column_sizes(m.n, chip):
                if element.size(depth * columns) > wram:
                    continue
                widest = nram // (element.size(depth) + self.target.size(columns))
                found += [
                    Tile((rows,), columns, 1, parts, depth)
                    for rows in even_sizes(m.m, max(widest, 1), cores)
                ]
        return found

    def _depths(self, chip: Cluster) -> list[int]:
        """Depths of parts: all, and such that an even number of them covers it; multiples of what
        the matrix unit takes without padding where there are some."""
        k, unit, name = self.matrices.k, chip.matrix, self.source.name
        grains = [8 // min(self.source.bits, 8)]
        if isinstance(unit, InnerProduct):
            piece = unit.padded(1, name, name)
            grains = [lcm(piece, unit.rates[name][name]), piece, *grains]
        else:
            grains = [unit.rows, *grains]
        found = [k]
        for parts in _EVEN:
            for grain in grains:
                depth = ceil_div(ceil_div(k, parts), grain) * grain
                if ceil_div(k, depth) == parts:
                    found.append(depth)
                    break
        return found

    def region_most(self, tile: Tile) -> tuple[int, ...]:
        ones = (1 for _ in self.matrices.batches)
        return *ones, min(tile.rows[0], self.matrices.m), min(tile.columns, self.matrices.n)

    def input(self, tile: Tile, *, part: bool) -> Bytes:
        k = tile.depth if part else self.matrices.k
        rows = self._rows(tile)
        segments = rows * (1 if part else tile.parts) if tile.parts > 1 else 1
        return Bytes(self.source.size(rows * k), segments, self.source.size(self.matrices.k))

    def weights(self, tile: Tile, *, part: bool) -> Bytes:
        m = self.matrices
        k = tile.depth if part else m.k
        n = min(tile.columns, m.n)
        segments = (n if k < m.k else 1) if m.transposed else (k if n < m.n else 1)
        stride = self.source.size(m.k if m.transposed else m.n)
        return Bytes(self.source.size(n * k), segments, stride, not m.transposed)

    def multiplications(self, tile: Tile, chip: Cluster) -> int:
        m, unit = self.matrices, chip.matrix
        rows, columns = min(tile.rows[0], m.m), min(tile.columns, m.n)
        name = self.source.name
        start = unit.issue + unit.depth
        rest = m.k - (tile.parts - 1) * tile.depth
        whole = start + unit.cycles(rows, tile.depth, columns, name, name)
        return (tile.parts - 1) * whole + start + unit.cycles(rows, rest, columns, name, name)

    def see(self, function: TileFunction, tile: Tile) -> None:
        m = self.matrices
        function.see(self.left, *m.left, m.m, m.k)
        function.see(self.right, *m.right, *((m.n, m.k) if m.transposed else (m.k, m.n)))

    def begin(self, function: TileFunction, tile: Tile, inputs: Sequence[str]) -> None: ...

    def derive(self, function: TileFunction, tile: Tile, digits: dict[str, str]) -> None: ...

    def region(self, function: TileFunction, tile: Tile, digits: dict[str, str]) -> Region:
        m = self.matrices
        batches = [Span(at, 1, 1) for at in self._places(function, digits["q"], m.batches)]
        rows = span_of(function, "m", digits["t"], tile.rows[0], m.m)
        return [*batches, rows, span_of(function, "n", digits["g"], tile.columns, m.n)]

    def _places(
        self, function: TileFunction, problem: str, extents: Sequence[int]
    ) -> list[str | int]:
        """Which matrix of an operand belongs to a problem, axis by axis of its stack."""
        found: list[str | int] = []
        batches = self.matrices.batches
        for axis, extent in enumerate(extents):
            inner = prod(batches[axis + 1 :])
            text = problem if inner == 1 else f"{problem} / {inner}"
            if axis:
                text = f"{text} % {batches[axis]}"
            if extent == 1:
                found.append(0)
                continue
            name = function.fresh("b")
            function.line(f"{name} = {text}")
            found.append(name)
        return found

    def load_input(
        self,
        function: TileFunction,
        tile: Tile,
        digits: dict[str, str],
        part: Part,
        buffer: str,
        guard: str,
    ) -> None:
        m = self.matrices
        places = self._places(function, digits["q"], m.left)
        rows = span_of(function, "m", digits["t"], tile.rows[0], m.m)
        parts = range(tile.parts) if part is None else [part]
        for one in parts:
            depth = self._depth(function, tile, one)
            at = product_text(depth.low, self._rows(tile)) if part is None else 0
            count = product_text(rows.size, depth.size)
            brackets = ", ".join([*map(str, places), rows.of(m.m), depth.of(m.k)])
            source = f"{function.names[self.left]}[{brackets}]"
            function.line(f"{guard}tensor.copy {buffer}[{at} +: {count}], {source}")

    def _depth(self, function: TileFunction, tile: Tile, part: Part) -> Span:
        """What a part covers of what is summed up."""
        k = self.matrices.k
        if part is None or tile.parts == 1:
            return Span(0, k, k)
        if isinstance(part, int):
            low = part * tile.depth
            return Span(low, min(tile.depth, k - low), tile.depth)
        return span_of(function, "k", part, tile.depth, k)

    def _rows(self, tile: Tile) -> int:
        return min(tile.rows[0], self.matrices.m)

    def load_weights(
        self,
        function: TileFunction,
        tile: Tile,
        digits: dict[str, str],
        part: Part,
        buffer: str,
        guard: str,
    ) -> None:
        m = self.matrices
        places = self._places(function, digits["q"], m.right)
        columns = span_of(function, "n", digits["g"], tile.columns, m.n)
        depth = self._depth(function, tile, part)
        of_k, of_n = depth.of(m.k), columns.of(m.n)
        inner = (of_n, of_k) if m.transposed else (of_k, of_n)
        count = product_text(columns.size, depth.size)
        brackets = ", ".join([*map(str, places), *inner])
        function.line(
            f"{guard}tensor.copy {buffer}[0 +: {count}], {function.names[self.right]}[{brackets}]"
        )

    def multiply(
        self,
        function: TileFunction,
        tile: Tile,
        step: Step,
        digits: dict[str, str],
        buffers: Multiplied,
    ) -> None:
        m = self.matrices
        rows = span_of(function, "m", digits["t"], tile.rows[0], m.m)
        columns = span_of(function, "n", digits["g"], tile.columns, m.n)
        depth = self._depth(function, tile, step.part)
        target = self.target if tile.parts == 1 else accumulator(self.target)
        types = types_of(self.source, target)
        place = f"{buffers.target}[0 +: {product_text(rows.size, columns.size)}]"
        at = product_text(depth.low, self._rows(tile)) if buffers.whole_input else 0
        left = f"{buffers.input}[{at} +: {product_text(rows.size, depth.size)}]"
        right = f"{buffers.weights}[0 +: {product_text(columns.size, depth.size)}]"
        name = f"tensor.matmul{'_t' if m.transposed else ''}"
        sizes = f"{rows.size}, {depth.size}, {columns.size}"
        if step.first is not None:
            function.line(f"{step.first}{name}.{types} {place}, {left}, {right}, {sizes}")
        if step.later is not None:
            started = f"{place}, {place}"
            function.line(f"{step.later}{name}_add.{types} {started}, {left}, {right}, {sizes}")


def column_sizes(n: int, chip: Cluster) -> list[int]:
    """Whole groups of lanes, from all columns to one group, and less than that."""
    unit = chip.matrix
    lanes = unit.lanes if isinstance(unit, InnerProduct) else unit.columns
    groups = ceil_div(n, lanes)
    found = [min(size * lanes, n) for size in even_sizes(groups, groups, chip.core_count)]
    small = lanes // 2
    while small:
        if small < n:
            found.append(small)
        small //= 2
    return list(dict.fromkeys(found))


def _of_matmul(layer: Layer, followers: Sequence[Node]) -> tuple[list[list[int]], Matrices]:
    """The axes of the result as they are taken together, and the matrices."""
    a, b = (layer.type(name).shape for name in layer.head.operands)
    shape = layer.type(layer.head.results[0]).shape
    transposed = bool(layer.head.attributes.get("transposed", False))
    batch = shape[:-2]
    rank = len(batch)
    left = (*(1 for _ in range(rank - len(a) + 2)), *a[:-2])
    right = (*(1 for _ in range(rank - len(b) + 2)), *b[:-2])
    k, n = a[-1], shape[-1]
    axes = [*range(rank + 1)]
    if prod(right) == 1 and left == batch and may_be_together(layer, followers, axes):
        return [axes, [rank + 1]], Matrices((), (), (), prod(shape[:-1]), k, n, transposed)
    alone = [[axis] for axis in range(rank)]
    both = all(side in (batch, (1,) * rank) for side in (left, right))
    if both and may_be_together(layer, followers, axes[:-1]):
        alone = [axes[:-1]]
        batch, left, right = (prod(batch),), (prod(left),), (prod(right),)
    return [*alone, [rank], [rank + 1]], Matrices(batch, left, right, shape[-2], k, n, transposed)


def is_of_points(layer: Layer) -> bool:
    """Whether a convolution is a product of matrices as its operands lie."""
    head = layer.head
    x, w = (layer.type(name).shape for name in head.operands)
    shape = layer.type(head.results[0]).shape
    return (
        w[1] == w[2] == 1
        and tuple(head.attributes.get("strides", (1, 1))) == (1, 1)
        and not any(head.attributes.get("pads", (0, 0, 0, 0)))
        and head.attributes.get("groups", 1) == 1
        and x[:3] == shape[:3]
        and may_be_together(layer, layer.nodes[1:], [0, 1, 2])
    )


def _of_points(layer: Layer, followers: Sequence[Node]) -> tuple[list[list[int]], Matrices]:
    x, w = (layer.type(name).shape for name in layer.head.operands)
    return [[0, 1, 2], [3]], Matrices((), (), (), prod(x[:3]), x[3], w[0], True)
