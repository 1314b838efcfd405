"""Layers that do something with each element, or with each row: tiles of all that they read, one
after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from compiler.targets.cluster.network.expressions import Expression, interval, plus, times
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.shapes import Mask, merged, of_mask, strides_of
from compiler.targets.cluster.network.tasks import (
    Chunks,
    Part,
    chunk_sizes,
    cycles,
    shared,
    whole_lines,
)
from compiler.targets.cluster.network.templates import normalizing
from compiler.targets.cluster.network.templates.tile import Held, Operand, Tile, number_of
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster
from machines.types import Type


def write(function: TileFunction) -> None:
    layer = function.layer
    space = Space.of(layer)
    choice = _choose(space, function.chip)
    if choice is None:
        normalizing.write_long_rows(function)
        return
    for tensor in function.names:
        function.see(tensor, layer.type(tensor).count)
    chunks = Chunks(space.sizes[choice.axis], choice.size)
    tiles = shared(function, *space.sizes[: choice.axis], chunks)
    with function.aside() as loop, tiles as (*outer, part):
        writer = _Writer(function, space, choice, outer, part)
        writer.write()
    for line in writer.tile.before:
        function.line(line)
    function.put(loop)


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

    def inner(self, axis: int) -> int:
        """Elements of the result behind each index of a dimension."""
        return prod(self.sizes[axis + 1 :])


@dataclass(frozen=True)
class Choice:
    """Tiles are parts of so many indices of a dimension, with all that is behind them."""

    axis: int
    size: int


def _choose(space: Space, chip: Cluster) -> Choice | None:
    """What is expected to take least; None if no row fits."""
    found: list[tuple[float, int, Choice]] = []
    layer = space.layer
    bits = layer.type(layer.head.results[0]).element.bits
    for axis in range(len(space.sizes) - space.rows):
        one, two = (_bytes_held(space, Choice(axis, size), chip) for size in (1, 2))
        room = chip.usable("nram") - (one - (two - one))
        most = min(room // max(two - one, 1), space.sizes[axis])
        if most < 1:
            continue
        outer, inner = prod(space.sizes[:axis]), space.inner(axis)
        unit = whole_lines(max(inner * bits // 8, 1))
        for size in chunk_sizes(space.sizes[axis], most, outer, chip.core_count, unit):
            tiles = outer * Chunks(space.sizes[axis], size).count
            moved = _bytes_moved(space, Choice(axis, size))
            found.append((cycles(chip, tiles, moved), -size, Choice(axis, size)))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _bytes_held(space: Space, choice: Choice, chip: Cluster) -> int:
    """What the buffers of a tile take at most, a line of which `size` is the slope."""
    total = 0

    def buffer(element: Type, count: int) -> str:
        nonlocal total
        total += element.size(count) + chip.alignment("nram")
        return "x"

    sizes = space.sizes[choice.axis + 1 :]
    tile = Tile((choice.size, *sizes), (choice.size, *sizes), buffer)
    _compute(space, choice, tile, lambda tensor, held: None, lambda tensor, held: None)
    return total


def _bytes_moved(space: Space, choice: Choice) -> int:
    total = 0
    for tensor in (*space.layer.reads, *space.layer.results):
        mask = space.masks[tensor][choice.axis :]
        count = of_mask((choice.size, *space.sizes[choice.axis + 1 :]), mask)
        total += space.layer.type(tensor).element.size(count)
    return total


def _compute(space: Space, choice: Choice, tile: Tile, load, store) -> None:
    """All nodes of the layer on a tile: `load` and `store` are given tensors and where they are."""
    layer = space.layer
    constants = layer.network.constants
    held: dict[str, Operand] = {}
    for tensor in layer.reads:
        if number := number_of(constants.get(tensor)):
            held[tensor] = number
            continue
        mask = space.masks[tensor]
        kept = not any(mask[: choice.axis + 1])
        held[tensor] = tile.take(layer.type(tensor).element, mask[choice.axis :], kept)
        load(tensor, held[tensor])
    last = _last_readers(layer)
    for k, node in enumerate(layer.nodes):
        operands = [held[name] for name in node.operands]
        gone = {held[name] for name in node.operands if last[name] == k}
        (result,) = node.results
        element = layer.type(result).element
        apply = normalizing.apply if node.operator.family == normalizing.FAMILY else Tile.apply
        found = apply(tile, node, operands, element, gone)
        if result in layer.results:
            wide = tile.expanded(found, tile.whole)
            store(result, wide)
            if wide is not found:
                tile.give_back(wide)
        held[result] = found
        if result not in last:
            tile.give_back(found)


def _last_readers(layer: Layer) -> dict[str, int]:
    """The number of the last node that reads a tensor, by tensor."""
    return {name: k for k, node in enumerate(layer.nodes) for name in node.operands}


class _Writer:
    """Writes what happens to a tile."""

    def __init__(
        self,
        function: TileFunction,
        space: Space,
        choice: Choice,
        outer: Sequence[Expression],
        part: Part,
    ):
        self.function, self.space, self.choice = function, space, choice
        self.at = (*outer, part.first)
        inner = space.sizes[choice.axis + 1 :]
        self.tile = Tile(
            (part.size, *inner),
            (choice.size, *inner),
            lambda element, count: function.buffer("a", element, [count]),
        )

    def write(self) -> None:
        _compute(self.space, self.choice, self.tile, self._load, self._store)
        for line in self.tile.lines:
            self.function.line(line)

    def _load(self, tensor: str, held: Held) -> None:
        lines = self.tile.before if held.kept else self.tile.lines
        lines.append(f"tensor.copy {self.tile.all_of(held)}, {self._in_dram(tensor, held)}")

    def _store(self, tensor: str, held: Held) -> None:
        target = self._in_dram(tensor, held)
        self.tile.lines.append(f"tensor.copy {target}, {self.tile.all_of(held)}")

    def _in_dram(self, tensor: str, held: Held) -> str:
        strides = strides_of(self.space.sizes, self.space.masks[tensor])
        terms = (times(at, stride) for at, stride in zip(self.at, strides, strict=False))
        first = plus(*(term for term in terms if term != 0))
        return interval(self.function.names[tensor], first, (self.tile.count(held.mask), 1))
