"""Layers that do something with each element, or with each row: tiles of all that they read, one
after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from compiler.targets.cluster.network.expressions import Expression
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.shapes import Mask, merged
from compiler.targets.cluster.network.tasks import (
    Chunks,
    Part,
    chunk_sizes,
    cycles,
    shared,
    whole_lines,
)
from compiler.targets.cluster.network.templates import normalizing
from compiler.targets.cluster.network.templates.region import (
    Buffer,
    Region,
    Scales,
    in_nram,
    write_region,
)
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.diagnostics import input_error
from machines.kinds.cluster.fields import Cluster


def write(function: TileFunction) -> None:
    layer = function.layer
    space = Space.of(layer)
    choice = _choose(space, function.chip)
    for tensor in function.names:
        function.see(tensor, layer.type(tensor).count)
    chunks = Chunks(space.sizes[choice.axis], choice.size)
    tiles = shared(function, *space.sizes[: choice.axis], chunks)
    with function.aside() as loop, tiles as (*outer, part):
        region = space.region(choice, outer, part, in_nram(function), function.names)
        region.compute(layer.nodes, {})
        write_region(function, region.tile)
    for line in region.tile.before:
        function.line(line)
    function.put(loop)


@dataclass(frozen=True)
class Choice:
    """Tiles are parts of so many indices of a dimension, with all that is behind them."""

    axis: int
    size: int


@dataclass(frozen=True)
class Space:
    """All elements of a layer's results, by dimensions that its tensors have or have not.

    rows   whether the last dimension is a row that has to be in one tile
    masks  by tensor
    """

    layer: Layer
    sizes: tuple[int, ...]
    masks: dict[str, Mask]
    rows: bool

    @staticmethod
    def of(layer: Layer) -> Space:
        own = [name for node in layer.nodes for name in node.results]
        rows = any(node.operator.family == normalizing.FAMILY for node in layer.nodes)
        tensors = [*layer.reads, *own]
        shapes = [layer.type(name).shape for name in tensors]
        found = merged(layer.type(layer.head.results[0]).shape, shapes, apart=int(rows))
        sizes, masks = found.sizes, found.masks
        if len(sizes) < 1 + rows:
            sizes, masks = (1, *sizes), tuple((True, *mask) for mask in masks)
        return Space(layer, sizes, dict(zip(tensors, masks, strict=True)), rows)

    @property
    def packed(self) -> bool:
        """Whether elements of some tensor stand two in a byte, of which tiles have all or none."""
        return any(self.layer.type(tensor).element.in_byte > 1 for tensor in self.masks)

    def region(
        self,
        choice: Choice,
        outer: Sequence[Expression],
        part: Part,
        buffer: Buffer,
        names: dict[str, str],
    ) -> Region:
        """A tile: of each dimension in front an index, and a part of the chosen one."""
        inner = self.sizes[choice.axis + 1 :]
        return Region(
            self.layer,
            self.sizes,
            self.masks,
            [*(Part(at, 1) for at in outer), part, *(Part(0, size) for size in inner)],
            [*(1 for _ in outer), choice.size, *inner],
            range(choice.axis, len(self.sizes)),
            buffer,
            names,
        )


def fits(layer: Layer, chip: Cluster) -> bool:
    """Whether there are tiles that fit in NRAM."""
    return _best(Space.of(layer), chip) is not None


def _choose(space: Space, chip: Cluster) -> Choice:
    found, layer = _best(space, chip), space.layer
    if found is None:
        message = f"{layer.title}: rows of {space.sizes[-1]} elements do not fit in nram"
        if space.packed:
            message = f"{layer.title}: an odd number of elements that stand two in a byte"
        raise input_error(message, layer.location)
    return found


def _best(space: Space, chip: Cluster) -> Choice | None:
    """What is expected to take least."""
    found: list[tuple[float, int, Choice]] = []
    layer = space.layer
    bits = layer.type(layer.head.results[0]).element.bits
    for axis in range(len(space.sizes) - space.rows):
        one, two = (_held(space, Choice(axis, size), chip) for size in (1, 2))
        room = chip.usable("nram") - (one - (two - one))
        most = min(room // max(two - one, 1), space.sizes[axis])
        if most < 1:
            continue
        outer, inner = prod(space.sizes[:axis]), prod(space.sizes[axis + 1 :])
        unit = whole_lines(max(inner * bits // 8, 1))
        for size in chunk_sizes(space.sizes[axis], most, outer, chip.core_count, unit):
            if space.packed:
                size += size * inner % 2
                if size > most or space.sizes[axis] * inner % 2:
                    continue
            if size == space.sizes[axis] and not _fits_alone(space, axis, chip):
                continue
            tiles = outer * Chunks(space.sizes[axis], size).count
            region = _planned(space, Choice(axis, size), chip)[0]
            cost = cycles(chip, tiles, region.moved())
            found.append((cost, -size, Choice(axis, size)))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _planned(
    space: Space, choice: Choice, chip: Cluster, first: Expression = "x"
) -> tuple[Region, Scales]:
    """A tile that nobody writes, and what it takes; `first`: where its part begins."""
    scales = Scales(chip)
    outer: list[Expression] = ["x"] * choice.axis
    names = dict.fromkeys(space.masks, "x")
    return space.region(choice, outer, Part(first, choice.size), scales.buffer, names), scales


def _fits_alone(space: Space, axis: int, chip: Cluster) -> bool:
    """Whether NRAM holds a whole dimension as one tile, whose operands stay: what is computed of
    them takes buffers of its own."""
    region, scales = _planned(space, Choice(axis, space.sizes[axis]), chip, first=0)
    region.compute(space.layer.nodes, {})
    return scales.bytes <= chip.usable("nram")


def _held(space: Space, choice: Choice, chip: Cluster) -> int:
    """What the buffers of a tile take at most, a line of which `size` is the slope."""
    region, scales = _planned(space, choice, chip)
    region.compute(space.layer.nodes, {})
    return scales.bytes
