"""What a product multiplies, tile by tile: the same questions to products of matrices and to
convolutions.

A tile of the result is `rows` of it (points of images, rows of a matrix) by some of its `columns`
(output channels), of one or several *problems* that do not know of one another (batches, groups of
channels).  What is summed up may be taken in parts.  Three digits say which tile it is: q, the
problem; t, its rows; g, its columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.templates.followers import Expression, Region, Span
from compiler.targets.cluster.network.templates.pipelined import Step
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster
from machines.types import F32, F64, Type


@dataclass(frozen=True, slots=True)
class Tile:
    """Sizes of tiles.

    rows      along each axis of the rows: of a matrix one, of images rows and points of a row
    columns   of the result
    problems  that are taken together
    parts     in which what is summed up is taken
    depth     of a part, where all but the last are as deep; 0 where each is another.  There are one
              or an even number of such parts
    is_packed whether the points of a window's row are taken as one with all their channels
    """

    rows: tuple[int, ...]
    columns: int
    problems: int
    parts: int = 1
    depth: int = 0
    is_packed: bool = False


@dataclass(frozen=True, slots=True)
class Bytes:
    """Of a copy: elements as bytes, and in how many segments they lie in DRAM, so many bytes from
    one to the next; `beside` where the next tile's segments lie right behind these."""

    size: int
    segments: int
    stride: int = 0
    beside: bool = False


Part = int | str | None
"""A part of a tile: its number, or the variable that holds it; None: all of them."""


class Geometry(Protocol):
    """A layer's product, and how its tiles lie in its tensors."""

    layer: Layer
    axes: list[list[int]]
    derived: tuple[str, ...]

    def counts(self, tile: Tile) -> tuple[int, int, int]:
        """Tiles of each digit: q, t, g."""
        ...

    def candidates(self, chip: Cluster) -> Sequence[Tile]:
        """Sizes worth looking at."""
        ...

    def region_most(self, tile: Tile) -> tuple[int, ...]:
        """Of the result, the most that a tile covers, axis by axis."""
        ...

    def input(self, tile: Tile, *, part: bool) -> Bytes:
        """The most that a tile reads of the left operand, or a part of it."""
        ...

    def weights(self, tile: Tile, *, part: bool) -> Bytes:
        """The same of the right operand."""
        ...

    def multiplications(self, tile: Tile, chip: Cluster) -> int:
        """Cycles of the matrix unit for a tile, in all parts."""
        ...

    def see(self, function: TileFunction, tile: Tile) -> None:
        """Give the operands the axes that the copies name."""
        ...

    def derive(self, function: TileFunction, tile: Tile, digits: dict[str, str]) -> None:
        """Write what follows from a tile's digits."""
        ...

    def region(self, function: TileFunction, tile: Tile, digits: dict[str, str]) -> Region:
        """What a tile covers of the result."""
        ...

    def begin(self, function: TileFunction, tile: Tile, inputs: Sequence[str]) -> None:
        """Write what the buffers of the left operand need before the first load."""
        ...

    def load_input(
        self,
        function: TileFunction,
        tile: Tile,
        digits: dict[str, str],
        part: Part,
        buffer: str,
        guard: str,
    ) -> None: ...

    def load_weights(
        self,
        function: TileFunction,
        tile: Tile,
        digits: dict[str, str],
        part: Part,
        buffer: str,
        guard: str,
    ) -> None: ...

    def multiply(
        self,
        function: TileFunction,
        tile: Tile,
        step: Step,
        digits: dict[str, str],
        buffers: Multiplied,
    ) -> None:
        """Write the product of a part of a tile."""
        ...


@dataclass(frozen=True, slots=True)
class Multiplied:
    """Buffers of a product: where it goes, and what is multiplied; whether the left one holds all
    of its depth, or only the part."""

    target: str
    input: str
    weights: str
    whole_input: bool


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def accumulator(target: Type) -> Type:
    """What a result is accumulated in, in parts that are to have the bits of the whole."""
    return F32 if target.is_float and target not in (F32, F64) else target


def span_of(function: TileFunction, name: str, digit: str, size: int, extent: int) -> Span:
    """What tile `digit` covers of an axis that is cut into pieces of `size`."""
    if size >= extent:
        return Span(0, extent, extent)
    low = function.fresh(f"{name}_low")
    function.line(f"{low} = {digit} * {size}")
    if extent % size == 0:
        return Span(low, size, size)
    count = function.fresh(name)
    function.line(f"{count} = min({size}, {extent} - {low})")
    return Span(low, count, size)


def types_of(source: Type, target: Type) -> str:
    return f"{source}" if source is target else f"{source}.{target}"


def product_text(*factors: Expression) -> Expression:
    """A product with what is known computed."""
    known, others = 1, []
    for factor in factors:
        if isinstance(factor, int):
            known *= factor
        else:
            others.append(f"({factor})" if any(c in factor for c in " +-") else factor)
    if not others:
        return known
    return " * ".join([*others, *([str(known)] if known != 1 else [])])


def even_sizes(extent: int, most: int, cores: int = 1) -> list[int]:
    """Sizes of pieces that an axis may be cut into, so that numbers of cores that share it have as
    many each, or nearly; each the least for its number of pieces."""
    shares = [share for share in range(1, cores + 1) if cores % share == 0]
    pieces = {share * each for share in shares for each in _EACH if share * each <= extent}
    sizes = {-(-extent // some) for some in (*pieces, extent)}
    return sorted((size for size in sizes if size <= most), reverse=True)


_EACH = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 128, 256, 512, 1024)
