"""A box of a layer's result, the same of everything that is read beside it, and elementwise nodes
on what is held of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from compiler.levels.network.network import Node
from compiler.targets.cluster.network.expressions import interval, plus, times
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.shapes import Mask, strides_of
from compiler.targets.cluster.network.tasks import Part
from compiler.targets.cluster.network.templates import normalizing
from compiler.targets.cluster.network.templates.tile import Held, Operand, Tile, number_of
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster
from machines.types import Type

Buffer = Callable[[Type, int], str]


class Region:
    """Parts of dimensions of the result.

    sizes   of the dimensions
    masks   along which of them tensors have elements of their own, by tensor
    parts   of each dimension
    most    what a part has at most
    inside  the dimensions that a tile has; of the others a part is one index
    """

    def __init__(
        self,
        layer: Layer,
        sizes: Sequence[int],
        masks: Mapping[str, Mask],
        parts: Sequence[Part],
        most: Sequence[int],
        inside: Sequence[int],
        buffer: Buffer,
        names: Mapping[str, str],
    ):
        self.layer, self.sizes, self.masks = layer, sizes, masks
        self.parts, self.inside, self.names = parts, inside, names
        self.tile = Tile([parts[k].size for k in inside], [most[k] for k in inside], buffer)

    def take(self, tensor: str) -> Held:
        """A buffer for what the region has of a tensor; it is kept if all regions have the same."""
        whole = (
            part.first == 0 and part.size == size
            for part, size in zip(self.parts, self.sizes, strict=True)
        )
        kept = all(same for same, own in zip(whole, self.masks[tensor], strict=True) if own)
        mask = tuple(self.masks[tensor][k] for k in self.inside)
        return self.tile.take(self.layer.type(tensor).element, mask, kept)

    def load(self, tensor: str, held: Held) -> None:
        lines = self.tile.before if held.kept else self.tile.lines
        lines.append(f"tensor.copy {self.tile.all_of(held)}, {self.in_dram(tensor)}")

    def store(self, tensor: str, held: Held) -> None:
        self.tile.lines.append(f"tensor.copy {self.in_dram(tensor)}, {self.tile.all_of(held)}")

    def in_dram(self, tensor: str) -> str:
        """The region of a tensor."""
        mask = self.masks[tensor]
        strides = strides_of(self.sizes, mask)
        places = (times(p.first, stride) for p, stride in zip(self.parts, strides, strict=True))
        dimensions = (
            (part.size, stride)
            for part, stride, own in zip(self.parts, strides, mask, strict=True)
            if own
        )
        return interval(self.names[tensor], plus(*places), *dimensions)

    def compute(self, nodes: Sequence[Node], held: dict[str, Operand]) -> None:
        """Nodes, and what they read beside what is held; stores the results of the layer, those
        that are held at first, too."""
        layer, tile = self.layer, self.tile
        wanted = set(layer.results)
        for tensor in [*held]:
            if tensor in wanted:
                self.store(tensor, held[tensor])
        last = {name: k for k, node in enumerate(nodes) for name in node.operands}
        made = {*held, *(name for node in nodes for name in node.results)}
        for tensor in dict.fromkeys(name for node in nodes for name in node.operands):
            if tensor in made:
                continue
            number = number_of(layer.network.constants.get(tensor))
            held[tensor] = number or self.take(tensor)
            if not number:
                self.load(tensor, held[tensor])
        for k, node in enumerate(nodes):
            operands = [held[name] for name in node.operands]
            gone = {held[name] for name in node.operands if last[name] == k}
            (result,) = node.results
            apply = normalizing.apply if node.operator.family == normalizing.FAMILY else Tile.apply
            found = apply(tile, node, operands, layer.type(result).element, gone)
            if result in wanted:
                wide = tile.expanded(found, tile.whole)
                self.store(result, wide)
                if wide is not found:
                    tile.give_back(wide)
            held[result] = found
            if result not in last:
                tile.give_back(found)

    def moved(self) -> int:
        """Bytes of what is read beside the layer's first operand, and of the results, at most."""
        total = 0
        for tensor, mask in self.masks.items():
            own = (most for most, k in zip(self.tile.most, self.inside, strict=True) if mask[k])
            total += self.layer.type(tensor).element.size(prod(own))
        return total


class Scales:
    """Adds up what buffers take."""

    def __init__(self, chip: Cluster):
        self.bytes, self._alignment = 0, chip.alignment("nram")

    def buffer(self, element: Type, count: int) -> str:
        self.bytes += element.size(count) + self._alignment
        return "x"


def write_region(function: TileFunction, tile: Tile) -> None:
    """Write what a tile has collected for each region."""
    for line in tile.lines:
        function.line(line)
    tile.lines.clear()


def in_nram(function: TileFunction) -> Buffer:
    """Makes buffers for tiles."""
    return lambda element, count: function.buffer("a", element, [count])
