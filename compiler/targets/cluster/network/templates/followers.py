"""The elementwise nodes of a layer, done on a tile of its result in NRAM.

A template holds a *region* of the result, element behind element.  What else the nodes read is
loaded for it: the same region, or of what is broadcast the part that belongs to it, which rows of
the families `cycle_` and `repeat_` take as it is.

    conv in h: f32[1, 56, 56, 64]            tensor.conv_padded h…
    add h, bias[64]                          tensor.cycle_add h[0 +: n], h[0 +: n], bias[o +: 64]
    add h, x[1, 56, 56, 64]                  tensor.add h[0 +: n], h[0 +: n], x…
    relu                                     tensor.relu h[0 +: n], h[0 +: n]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import prod

from compiler.levels.network.network import Node
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.templates.tile import converting
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.diagnostics import input_error
from machines.elements import as_numbers
from machines.levels.network.tensors import Stored
from machines.types import Type

CYCLED = ("add", "sub", "mul", "max", "min", "div")
"""Rows with forms for a short operand."""
SWAPPED = {
    "add": "add", "mul": "mul", "max": "max", "min": "min", "and": "and", "or": "or", "xor": "xor",
    "eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le",
}  # fmt: skip
"""What gives the same with its operands exchanged."""
WHOLE = 16
"""An operand of one axis that is broadcast stays in NRAM as a whole if it takes no more than this
part of it."""
Expression = str | int


@dataclass(frozen=True, slots=True)
class Span:
    """What a region covers of an axis: `size` from `low` on, `most` of them at most."""

    low: Expression
    size: Expression
    most: int

    def of(self, extent: int) -> str:
        """In the brackets of a tensor that has this axis."""
        return ":" if self.low == 0 and self.size == extent else f"{self.low} +: {self.size}"


Region = Sequence[Span]


def count_of(spans: Iterable[Span]) -> Expression:
    """How many elements they cover."""
    known, others = 1, []
    for span in spans:
        if isinstance(span.size, int):
            known *= span.size
        else:
            others.append(span.size)
    if not others:
        return known
    return " * ".join([*others, *([str(known)] if known != 1 else [])])


@dataclass(frozen=True, slots=True)
class Broadcast:
    """An operand from outside of the layer, beside the result.

    axes   its extents, as many as the result has
    own    whether it has an axis of the result as it is, by axis; else it is repeated along it
    """

    tensor: str
    type: Type
    axes: tuple[int, ...]
    own: tuple[bool, ...]

    @property
    def runs(self) -> list[tuple[bool, list[int]]]:
        """Axes that stand together and are all its own, or all are not."""
        axes = groupby(range(len(self.axes)), lambda axis: self.own[axis])
        return [(own, list(some)) for own, some in axes]

    @property
    def count(self) -> int:
        return prod(self.axes)


@dataclass(slots=True)
class Storage:
    """A buffer of a tile; `is_stored` where it holds something that leaves the layer."""

    type: Type
    is_stored: bool = False


class Followers:
    """Of a layer whose template makes `held`, with axes as the template sees them.

    axes      of the result, as the template sees it: consecutive ones of the result taken together
    nodes     what is done, in order
    """

    def __init__(
        self,
        layer: Layer,
        held: Mapping[str, Type],
        axes: Sequence[Sequence[int]],
        nodes: Sequence[Node],
    ):
        self.layer, self.nodes, self.held = layer, nodes, held
        self.shape = layer.type(next(iter(held), layer.results[0])).shape or (1,)
        self.axes = [list(group) for group in axes]
        self.extents = tuple(prod(self.shape[k] for k in group) for group in self.axes)
        self.storage: dict[str, int] = {}
        self.storages: list[Storage] = []
        self._place_tensors()

    # What there is, before a tile has a size ----------------------------------------------------

    @cached_property
    def outside(self) -> dict[str, Broadcast]:
        """What is read from DRAM, by tensor; known numbers stand in the rows."""
        made = {*self.held, *(name for node in self.nodes for name in node.results)}
        names = dict.fromkeys(name for node in self.nodes for name in node.operands)
        return {
            name: broadcast_of(self.layer, name, self.shape, self.axes)
            for name in names
            if name not in made and self.number(name) is None
        }

    @property
    def shortest(self) -> int:
        """Bytes of an element of what is stored, of the shortest."""
        return min(storage.type.bytes for storage in self.storages if storage.is_stored)

    def number(self, tensor: str) -> int | float | None:
        """A constant of one element."""
        constant = self.layer.network.constants.get(tensor)
        if constant is None or constant.type.count != 1 or isinstance(constant.elements, Stored):
            return None
        return as_numbers(constant.elements).reshape(-1)[0].item()

    def _place_tensors(self) -> None:
        """A storage for every tensor: that of an operand which nobody needs any more, if it can."""
        wanted = {*self.layer.results}
        last = {name: k for k, node in enumerate(self.nodes) for name in node.operands}
        for name, type in self.held.items():
            self._new(name, type, name in wanted)
        for k, node in enumerate(self.nodes):
            (result,) = node.results
            type = self.layer.type(result).element
            free = [
                name
                for name in node.operands
                if name in self.storage and last[name] == k and name not in wanted
                and self.storages[self.storage[name]].type is type
            ]  # fmt: skip
            if free:
                self.storage[result] = self.storage[free[0]]
                self.storages[self.storage[result]].is_stored |= result in wanted
            else:
                self._new(result, type, result in wanted)

    def _new(self, tensor: str, type: Type, is_stored: bool) -> None:
        self.storage[tensor] = len(self.storages)
        self.storages.append(Storage(type, is_stored))

    def is_whole(self, one: Broadcast, room: int) -> bool:
        """Whether all of an operand is loaded before the first tile."""
        own = [axis for axis in range(len(self.axes)) if one.own[axis] and one.axes[axis] > 1]
        return len(own) <= 1 and not all(one.own) and one.type.size(one.count) * WHOLE <= room

    def bytes(self, region: Sequence[int], room: int, copies: int) -> int:
        """Of NRAM, for tiles of these extents at most; `copies` of what others fill or empty while
        this core computes."""
        tile, total = prod(region), 0
        for storage in self.storages:
            total += storage.type.size(tile) * (copies if storage.is_stored else 1)
        for one in self.outside.values():
            if self.is_whole(one, room):
                total += one.type.size(one.count)
            else:
                extents = (n for n, own in zip(region, one.own, strict=True) if own)
                total += one.type.size(prod(extents)) * copies
        return total

    def moved(self, region: Sequence[int], room: int) -> tuple[int, int]:
        """Bytes that are loaded for a tile, and stored."""
        loaded = sum(
            one.type.size(prod(n for n, own in zip(region, one.own, strict=True) if own))
            for one in self.outside.values()
            if not self.is_whole(one, room)
        )
        stored = sum(s.type.size(prod(region)) for s in self.storages if s.is_stored)
        return loaded, stored


def broadcast_of(
    layer: Layer, tensor: str, shape: Sequence[int], axes: Sequence[Sequence[int]]
) -> Broadcast:
    """How a tensor stands beside a result of this shape whose axes are taken together so."""
    type = layer.type(tensor)
    full = (*(1 for _ in range(len(shape) - len(type.shape))), *type.shape)
    extents, own = [], []
    for group in axes:
        wide = [k for k in group if shape[k] > 1]
        extents.append(prod(full[k] for k in group))
        own.append(all(full[k] == shape[k] for k in wide))
        if not own[-1] and extents[-1] > 1:
            raise input_error(
                f"{layer.title}: '{tensor}' is broadcast along some of axes {group} of its result",
                layer.location,
            )
    return Broadcast(tensor, type.element, tuple(extents), tuple(own))


def may_be_together(layer: Layer, nodes: Sequence[Node], axes: Sequence[int]) -> bool:
    """Whether everything that nodes read has all of these axes of the result, or none of them."""
    shape = layer.type(layer.results[0]).shape
    made = {name for node in layer.nodes for name in node.results}
    for node in nodes:
        for name in node.operands:
            if name in made:
                continue
            own = layer.type(name).shape
            full = (*(1 for _ in range(len(shape) - len(own))), *own)
            wide = [k for k in axes if shape[k] > 1]
            if len({full[k] == shape[k] for k in wide}) > 1:
                return False
    return True


class FollowersOnTile:
    """Writes the followers of a layer into its function.

    region  the most that a tile covers, axis by axis
    copies  2 where tiles are loaded and stored while another one is computed, in slots of two
            kinds; else 1
    """

    def __init__(
        self, function: TileFunction, followers: Followers, region: Sequence[int], copies: int
    ):
        self.function, self.followers = function, followers
        self.room = function.chip.usable("nram")
        tile = prod(region)
        self.buffers = [
            [
                function.buffer("t", storage.type, [tile])
                for _ in range(copies if storage.is_stored else 1)
            ]
            for storage in followers.storages
        ]
        self.operands: dict[str, list[str]] = {}
        for one in followers.outside.values():
            whole = followers.is_whole(one, self.room)
            extents = (n for n, own in zip(region, one.own, strict=True) if own)
            count = one.count if whole else prod(extents)
            number = 1 if whole else copies
            made = [function.buffer("o", one.type, [count]) for _ in range(number)]
            self.operands[one.tensor] = made

    def prepare(self) -> None:
        """Before the first tile: what all of them read."""
        for one in self.followers.outside.values():
            if self.followers.is_whole(one, self.room):
                name = self.function.see(one.tensor, one.count)
                self.function.line(f"tensor.copy {self.operands[one.tensor][0]}, {name}")
            else:
                self.function.see(one.tensor, *one.axes)
        for tensor in self.followers.layer.results:
            self.function.see(tensor, *self.followers.extents)

    def load(self, slot: int, region: Region, guard: str = "") -> None:
        """What is read for a tile."""
        for one in self.followers.outside.values():
            if self.followers.is_whole(one, self.room):
                continue
            part = [
                span.of(extent) if own else "0 +: 1"
                for span, extent, own in zip(region, one.axes, one.own, strict=True)
            ]
            count = count_of(span for span, own in zip(region, one.own, strict=True) if own)
            target = _of(self.operands[one.tensor], slot)
            source = f"{self.function.names[one.tensor]}[{', '.join(part)}]"
            self.function.line(f"{guard}tensor.copy {target}[0 +: {count}], {source}")

    def held(self, tensor: str, slot: int) -> str:
        """The buffer of a tensor of the layer."""
        return _of(self.buffers[self.followers.storage[tensor]], slot)

    def store(self, slot: int, region: Region, guard: str = "") -> None:
        """What leaves the layer."""
        part = ", ".join(
            span.of(extent) for span, extent in zip(region, self.followers.extents, strict=True)
        )
        for tensor in self.followers.layer.results:
            source = f"{self.held(tensor, slot)}[0 +: {count_of(region)}]"
            target = f"{self.function.names[tensor]}[{part}]"
            self.function.line(f"{guard}tensor.copy {target}, {source}")

    def compute(self, slot: int, region: Region, guard: str = "") -> None:
        """The rows of the nodes."""
        for node in self.followers.nodes:
            self._node(node, slot, region, guard)

    def _node(self, node: Node, slot: int, region: Region, guard: str) -> None:
        (result,) = node.results
        n, name = count_of(region), node.operator.name
        target = f"{self.held(result, slot)}[0 +: {n}]"
        if name == "convert":
            source, to = (self.followers.layer.type(t).element for t in (node.operands[0], result))
            name = f"{converting(node.attributes['mode'], source, to)}.{source}.{to}"
        operands = [_Operand(self, tensor, slot, region) for tensor in node.operands]
        if name == "clip":
            ends = (_number(node.attributes[end]) for end in ("low", "high"))
            self._row(guard, name, target, operands[0].dense(), *ends)
        elif len(operands) == 2:
            self._pair(guard, name, target, *operands)
        else:
            self._row(guard, name, target, *(operand.dense() for operand in operands))

    def _pair(self, guard: str, name: str, target: str, a: _Operand, b: _Operand) -> None:
        if not a.is_dense and b.is_dense and name in SWAPPED:
            name, a, b = SWAPPED[name], b, a
        if a.number is not None and name in ("sub", "div"):
            self._row(guard, f"scalar_{name}", target, _number(a.number), b.dense())
        elif b.number is not None:
            self._row(guard, f"{name}_scalar", target, a.dense(), _number(b.number))
        elif b.form and name in CYCLED:
            self._row(guard, f"{b.form}_{name}", target, a.dense(), b.short())
        else:
            self._row(guard, name, target, a.dense(), b.dense())

    def _row(self, guard: str, name: str, target: str, *operands: str) -> None:
        self.function.line(f"{guard}tensor.{name} {target}, {', '.join(operands)}")


class _Operand:
    """Of a row: in the layer, a number, or from outside."""

    def __init__(self, tile: FollowersOnTile, tensor: str, slot: int, region: Region):
        self.tile, self.tensor, self.slot, self.region = tile, tensor, slot, region
        self.number = None if tensor in tile.followers.storage else tile.followers.number(tensor)
        self.one = tile.followers.outside.get(tensor)

    @property
    def is_dense(self) -> bool:
        """Whether it has an element for each of the result's."""
        return (self.one is None and self.number is None) or (
            self.one is not None
            and all(
                own or span.most == 1 for own, span in zip(self.one.own, self.region, strict=True)
            )
        )

    @property
    def runs(self) -> list[tuple[bool, Expression]]:
        """Of one from outside: how many elements of the result stand together along axes that it
        has, or has not."""
        assert self.one is not None
        spans = [
            (own, span)
            for own, span in zip(self.one.own, self.region, strict=True)
            if span.most > 1
        ]
        return [
            (own, count_of(span for _, span in some))
            for own, some in groupby(spans, lambda pair: pair[0])
        ]

    @property
    def form(self) -> str:
        """The family of rows that takes it as it is, if one does."""
        if self.one is None:
            return ""
        kinds = [own for own, _ in self.runs]
        if kinds in ([False, True], [False], []):
            return "cycle"
        return "repeat" if kinds == [True, False] else ""

    def _part(self) -> tuple[str, Expression]:
        """The buffer and its first element."""
        assert self.one is not None
        buffer = _of(self.tile.operands[self.tensor], self.slot)
        if not self.tile.followers.is_whole(self.one, self.tile.room):
            return buffer, 0
        own = [
            span.low
            for span, is_own, extent in zip(self.region, self.one.own, self.one.axes, strict=True)
            if is_own and extent > 1
        ]
        return buffer, own[0] if own else 0

    def short(self) -> str:
        buffer, low = self._part()
        assert self.one is not None
        own = (span for span, own in zip(self.region, self.one.own, strict=True) if own)
        return f"{buffer}[{low} +: {count_of(own)}]"

    def dense(self) -> str:
        """An interval with an element for each of the result's, with strides of 0 where it has to
        be repeated."""
        n = count_of(self.region)
        if self.number is not None:
            return self._repeated_number(n)
        if self.one is None:
            return f"{self.tile.held(self.tensor, self.slot)}[0 +: {n}]"
        if self.is_dense:
            buffer, low = self._part()
            return f"{buffer}[{low} +: {n}]"
        buffer, low = self._part()
        runs = self.runs[::-1]
        first = f"{low} +: {runs[0][1]}" if runs[0][0] else f"{low} +: 1"
        steps, stride = [], runs[0][1] if runs[0][0] else 1
        for own, size in runs[runs[0][0] :]:
            steps.append(f"({size}) by {f'({stride})' if own else 0}")
            stride = f"({stride}) * ({size})" if own else stride
        if len(steps) > 2:
            layer = self.tile.followers.layer
            message = f"{layer.title}: '{self.tensor}' is broadcast along too many axes"
            raise input_error(message, layer.location)
        return f"{buffer}[{first}, {', '.join(steps)}]"

    def _repeated_number(self, n: Expression) -> str:
        """A buffer of one element, which is filled."""
        function = self.tile.function
        type = function.layer.type(self.tensor).element
        buffer = function.buffer("c", type, [1])
        function.line(f"tensor.fill {buffer}, {_number(self.number)}")
        return f"{buffer}[0 +: 1, {n} by 0]"


def _of(buffers: Sequence[str], slot: int) -> str:
    return buffers[slot % len(buffers)]


def _number(value: object) -> str:
    return repr(value)
