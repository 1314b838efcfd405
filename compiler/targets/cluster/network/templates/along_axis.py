"""Layers that look at all elements along an axis, one by one: places of extremes, and sums up to
each element."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from compiler.levels.network.network import Node
from compiler.targets.cluster.network.expressions import Expression, interval, plus, times
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.tasks import (
    Chunks,
    Part,
    chunk_sizes,
    cycles,
    shared,
    whole_lines,
)
from compiler.targets.cluster.network.templates.tile import HALVES
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.diagnostics import input_error
from machines.kinds.cluster.fields import Cluster
from machines.types import F32, I32, Type


@dataclass(frozen=True)
class Line:
    """Along one axis: matrices of `along` rows and `beside` columns, `groups` of them."""

    groups: int
    along: int
    beside: int

    @staticmethod
    def of(layer: Layer, node: Node) -> Line:
        shape, axis = layer.type(node.operands[0]).shape, node.attributes["axis"]
        return Line(prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :]))


def fits(layer: Layer, chip: Cluster) -> bool:
    """Whether all that is along the axis once fits in NRAM."""
    node = layer.head
    element = layer.type(node.operands[0]).element
    is_sum = node.operator.name == "cumulative_sum"
    each = _for_sums(element) if is_sum else _for_places(element)
    return _room(chip, Line.of(layer, node), each) >= 1


def longest(chip: Cluster, element: Type) -> int:
    """How many elements may be along the axis of a cumulative sum."""
    return _room(chip, Line(1, 1, 1), _for_sums(element))


def _for_sums(element: Type) -> int:
    """Bytes that a sum takes at most."""
    return 2 * (F32 if element in HALVES else element).bytes


def _for_places(element: Type) -> int:
    """Bytes that the place of an extreme takes at most for each element."""
    return 2 * element.bytes + I32.bytes


def _room(chip: Cluster, line: Line, bytes_each: int) -> int:
    """How many columns NRAM has room for."""
    return (chip.usable("nram") - 8 * chip.alignment("nram")) // (bytes_each * line.along)


def _lines(function: TileFunction, line: Line, bytes_each: int, element: Type) -> tuple[int, int]:
    """How many matrices a tile has, and how many of their columns; `bytes_each` for an element."""
    chip, unit = function.chip, whole_lines(element.bytes)
    room = _room(chip, line, bytes_each)
    if room < 1:
        layer = function.layer
        message = f"{layer.title}: {line.along} elements along an axis do not fit in nram"
        raise input_error(message, layer.location)
    if line.beside <= room and (line.groups >= chip.core_count or line.beside < 2 * unit):
        most, wide = min(room // line.beside, line.groups), line.beside * line.along * bytes_each
        sizes = chunk_sizes(line.groups, most, 1, chip.core_count)
        ways = [(cycles(chip, Chunks(line.groups, n).count, n * wide), n) for n in sizes]
        return min(ways)[1], line.beside
    most = min(room, line.beside)
    return 1, chunk_sizes(line.beside, most, line.groups, chip.core_count, unit)[-1]


def write_places(function: TileFunction) -> None:
    """argmax, argmin: rows are what is looked at; columns become rows first."""
    layer, node = function.layer, function.layer.head
    (x,), (y,) = node.operands, node.results
    element, line = layer.type(x).element, Line.of(layer, node)
    groups, beside = _lines(function, line, _for_places(element), element)
    room = groups * line.along * beside
    here = function.buffer("a", element, [room])
    turned = function.buffer("a", element, [room]) if beside > 1 else here
    found = function.buffer("p", I32, [groups * beside])
    with shared(function, Chunks(line.groups, groups), Chunks(line.beside, beside)) as (
        group,
        part,
    ):
        count, rows = times(group.size, line.along, part.size), times(group.size, part.size)
        function.line(
            f"tensor.copy {here}[0 +: {count}], {_of_lines(function, x, line, group, part)}"
        )
        if turned != here:
            sizes = f"{group.size}, {line.along}, {part.size}"
            function.line(
                f"tensor.permute_021 {turned}[0 +: {count}], {here}[0 +: {count}], {sizes}"
            )
        function.line(
            f"tensor.reduce_{node.operator.name} {found}[0 +: {rows}], {turned}[0 +: {count}], "
            f"{rows}, {line.along}"
        )
        target = _of_lines(function, y, Line(line.groups, 1, line.beside), group, part)
        function.line(f"tensor.copy {target}, {found}[0 +: {rows}]")


def _of_lines(function: TileFunction, tensor: str, line: Line, group: Part, part: Part) -> str:
    """Some matrices of a tensor, or some columns of one."""
    first = plus(times(group.first, line.along * line.beside), part.first)
    return interval(
        function.names[tensor], first,
        (group.size, line.along * line.beside), (line.along, line.beside), (part.size, 1),
    )  # fmt: skip


def write_sums(function: TileFunction) -> None:
    """cumulative_sum: all elements so far, of 1, 2, 4 … before each."""
    layer, node = function.layer, function.layer.head
    (x,), (y,) = node.operands, node.results
    element, line = layer.type(x).element, Line.of(layer, node)
    inner = F32 if element in HALVES else element
    groups, beside = _lines(function, line, _for_sums(element), element)
    room = groups * line.along * beside
    here = function.buffer("a", element, [room])
    sums = function.buffer("a", inner, [room]) if inner is not element else here
    with shared(function, Chunks(line.groups, groups), Chunks(line.beside, beside)) as (
        group,
        part,
    ):
        count = times(group.size, line.along, part.size)
        whole = f"[0 +: {count}]"
        source = _of_lines(function, x, line, group, part)
        function.line(f"tensor.copy {here}{whole}, {source}")
        if sums != here:
            function.line(f"tensor.convert {sums}{whole}, {here}{whole}")
        scan = _Scan(function, sums, line.along, group.size, part.size, node.attributes["reverse"])
        if node.attributes["exclusive"]:
            zero = "0.0" if element.is_float else "0"
            scan.shift(zero)
        scan.write()
        if sums != here:
            function.line(f"tensor.convert {here}{whole}, {sums}{whole}")
        function.line(f"tensor.copy {_of_lines(function, y, line, group, part)}, {here}{whole}")


@dataclass(frozen=True)
class _Scan:
    """Sums along matrices in a buffer; a row reads all elements before it writes one."""

    function: TileFunction
    buffer: str
    along: int
    groups: Expression
    beside: Expression
    reverse: bool

    def _rows(self, first: int, count: int) -> str:
        """Rows of each matrix."""
        if self.beside == 1 or self.groups != 1:
            assert isinstance(self.beside, int)
            matrix = self.along * self.beside
            dimensions = ((self.groups, matrix), (count * self.beside, 1))
            return interval(self.buffer, first * self.beside, *dimensions)
        return interval(self.buffer, times(self.beside, first), (times(self.beside, count), 1))

    def shift(self, zero: str) -> None:
        """By one, with a zero in front."""
        size = self.along - 1
        ends = (0, 1, 0) if self.reverse else (1, 0, size)
        target, source, _ = ends
        if size:
            rows = self._rows(target, size), self._rows(source, size)
            self.function.line(f"tensor.copy {rows[0]}, {rows[1]}")
        self.function.line(f"tensor.fill {self._rows(size if self.reverse else 0, 1)}, {zero}")

    def write(self) -> None:
        step = 1
        while step < self.along:
            size = self.along - step
            low, high = self._rows(0, size), self._rows(step, size)
            target, other = (low, high) if self.reverse else (high, low)
            self.function.line(f"tensor.add {target}, {target}, {other}")
            step *= 2


WRITERS = {"argmax": write_places, "argmin": write_places, "cumulative_sum": write_sums}
"""By operator."""
