"""Layers in which numbers of a tensor say which rows are taken or put, and the largest few of rows.

Rows are taken one by one, each by a copy, where the core reads its place as a scalar; or all of
them by one row of the table of operations, from a matrix that is brought as a whole, where that is
less.  Rows are put by whoever owns where they go: a core copies its part of the tensor, and then
goes through all places in their order.
"""

from __future__ import annotations

from math import prod

from compiler.targets.cluster.network.expressions import Expression, interval, plus, times
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.tasks import (
    Chunks,
    Part,
    chunk_sizes,
    cycles,
    part_of,
    shared,
    whole_lines,
)
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster
from machines.types import I32, Type

FETCH = 300
"""Cycles that a row takes whose place a core reads first."""
MOST_PLACES = 2048
"""That are held at once, where two of each take no more than half of NRAM."""


def write(function: TileFunction) -> None:
    for tensor in function.names:
        function.see(tensor, function.layer.type(tensor).count)
    _WRITERS[function.layer.head.operator.name](function)


def _most_places(chip: Cluster) -> int:
    return min(MOST_PLACES, chip.usable("nram") // (2 * 2 * I32.bytes))


def _zero(function: TileFunction, tensor: str) -> str:
    return "0.0" if function.layer.type(tensor).element.is_float else "0"


class _Places:
    """Places in NRAM, those before the first one counted from the end."""

    def __init__(self, function: TileFunction, tensor: str, most: int, extent: int):
        self.function, self.tensor, self.extent = function, tensor, extent
        self.buffer, self.before = (function.buffer("p", I32, [most]) for _ in range(2))

    def load(self, part: Part) -> None:
        whole, line = f"[0 +: {part.size}]", self.function.line
        buffer, before = f"{self.buffer}{whole}", f"{self.before}{whole}"
        line(
            f"tensor.copy {buffer}, {self.function.names[self.tensor]}[{part.first} +: {part.size}]"
        )
        line(f"tensor.lt_scalar {before}, {buffer}, 0")
        line(f"tensor.mul_scalar {before}, {before}, {self.extent}")
        line(f"tensor.add {buffer}, {buffer}, {before}")

    def at(self, index: Expression) -> str:
        """A scalar that holds one of them."""
        found, wide = self.function.fresh("place"), self.function.fresh("place")
        self.function.line(f"{found} = tensor.load.i32 {self.buffer}[{index} +: 1]")
        self.function.line(f"{wide} = sext.i32.i64 {found}")
        return wide


# Taking ------------------------------------------------------------------------------------------


def _gather(function: TileFunction) -> None:
    layer, chip = function.layer, function.chip
    x, places = layer.head.operands
    shape, axis = layer.type(x).shape, layer.head.attributes["axis"]
    outer, extent, inner = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
    count, element = layer.type(places).count, layer.type(x).element
    wide = element.size(extent)
    some = min(count, _most_places(chip))
    room = chip.usable("nram") - 2 * I32.size(some) - 8 * chip.alignment("nram")
    most = min(room // max(wide + element.size(some), 1), inner)
    rows = count * outer
    one_by_one = -(-rows // chip.core_count) * FETCH + rows
    if most >= 1:
        sizes = chunk_sizes(inner, most, outer, chip.core_count, whole_lines(element.bytes))
        ways = [
            (cycles(chip, outer * Chunks(inner, n).count, n * (wide + element.size(count))), n)
            for n in sizes
        ]
        cost, beside = min(ways)
        if cost < one_by_one:
            _gather_of_matrices(function, outer, extent, inner, beside)
            return
    _gather_rows(function, outer, extent, inner)


def _gather_of_matrices(
    function: TileFunction, outer: int, extent: int, inner: int, beside: int
) -> None:
    """Columns of a matrix are brought, and rows of them taken."""
    layer = function.layer
    (x, places), (y,) = layer.head.operands, layer.head.results
    count, element = layer.type(places).count, layer.type(x).element
    some = Chunks(count, min(count, _most_places(function.chip)))
    matrix = function.buffer("a", element, [extent * beside])
    taken = function.buffer("a", element, [some.size * beside])
    held = _Places(function, places, some.size, extent)
    if some.count == 1:
        held.load(Part(0, count))
    with shared(function, outer, Chunks(inner, beside)) as (group, part):
        first = plus(times(group, extent * inner), part.first)
        source = interval(function.names[x], first, (extent, inner), (part.size, 1))
        whole = f"{matrix}[0 +: {times(extent, part.size)}]"
        function.line(f"tensor.copy {whole}, {source}")
        index = function.fresh("s")
        with function.loop(index, 0, some.count):
            chosen = part_of(function, some, index)
            if some.count > 1:
                held.load(chosen)
            target = f"{taken}[0 +: {times(chosen.size, part.size)}]"
            said = f"{held.buffer}[0 +: {chosen.size}], {extent}, {part.size}"
            function.line(f"tensor.gather {target}, {whole}, {said}")
            at = plus(times(group, count * inner), times(chosen.first, inner), part.first)
            there = interval(function.names[y], at, (chosen.size, inner), (part.size, 1))
            function.line(f"tensor.copy {there}, {target}")


def _gather_rows(function: TileFunction, outer: int, extent: int, inner: int) -> None:
    """A copy for each row that is taken."""
    layer, cores = function.layer, function.chip.core_count
    (x, places), (y,) = layer.head.operands, layer.head.results
    count = layer.type(places).count
    most = _most_places(function.chip)
    some = Chunks(count, min(-(-count // min(cores, count)), most))
    held = _Places(function, places, some.size, extent)
    with shared(function, some, outer) as (chosen, group):
        held.load(chosen)
        index = function.fresh("i")
        with function.loop(index, 0, chosen.size):
            place, inside = held.at(index), function.fresh("inside")
            function.line(f"{inside} = lt_u.i64 {place}, {extent}")
            at = plus(times(group, count * inner), times(chosen.first, inner), times(index, inner))
            target = interval(function.names[y], at, (inner, 1))
            at = plus(times(group, extent * inner), times(place, inner))
            source = interval(function.names[x], at, (inner, 1))
            function.line(f"@{inside} tensor.copy {target}, {source}")
            function.line(f"@!{inside} tensor.fill {target}, {_zero(function, y)}")


# Putting -----------------------------------------------------------------------------------------


def _scatter(function: TileFunction) -> None:
    layer, chip = function.layer, function.chip
    (x, places, updates), (y,) = layer.head.operands, layer.head.results
    shape, element = layer.type(x).shape, layer.type(x).element
    rows, inner, count = shape[0], prod(shape[1:]), layer.type(places).count
    adds = layer.head.operator.name == "scatter_add"
    some = Chunks(count, min(count, _most_places(chip)))
    room = chip.usable("nram") - 2 * I32.size(some.size) - 8 * chip.alignment("nram")
    most = min(inner, room // (2 * element.bytes)) if adds else inner
    by_rows = min(rows, chip.core_count)
    beside = chunk_sizes(inner, most, by_rows, chip.core_count, whole_lines(element.bytes))[-1]
    own = Chunks(rows, -(-rows // by_rows))
    held = _Places(function, places, some.size, rows)
    if adds:
        here, more = (function.buffer("a", element, [beside]) for _ in range(2))
    with shared(function, own, Chunks(inner, beside)) as (mine, part):

        def row(tensor: str, index: Expression) -> str:
            at = plus(times(index, inner), part.first)
            return interval(function.names[tensor], at, (part.size, 1))

        at = plus(times(mine.first, inner), part.first)
        both = (
            interval(function.names[name], at, (mine.size, inner), (part.size, 1))
            for name in (y, x)
        )
        function.line(f"tensor.copy {', '.join(both)}")
        index = function.fresh("s")
        with function.loop(index, 0, some.count):
            chosen = part_of(function, some, index)
            held.load(chosen)
            index = function.fresh("i")
            with function.loop(index, 0, chosen.size):
                place, inside = held.at(index), function.fresh("inside")
                function.line(f"{inside} = lt_u.i64 {place} - {mine.first}, {mine.size}")
                target, source = row(y, place), row(updates, plus(chosen.first, index))
                lines = [f"copy {target}, {source}"]
                if adds:
                    a, b = f"{here}[0 +: {part.size}]", f"{more}[0 +: {part.size}]"
                    lines = [f"copy {a}, {target}", f"copy {b}, {source}", f"add {a}, {a}, {b}"]
                    lines.append(f"copy {target}, {a}")
                for line in lines:
                    function.line(f"@{inside} tensor.{line}")


# The largest few ---------------------------------------------------------------------------------


def fits(layer: Layer, chip: Cluster) -> bool:
    """Whether a row of which the largest are wanted fits in NRAM."""
    type = layer.type(layer.head.operands[0])
    return type.shape[-1] <= longest(chip, type.element, layer.head.attributes["k"])


def longest(chip: Cluster, element: Type, k: int) -> int:
    """How many elements such a row may have."""
    room = chip.usable("nram") - 8 * chip.alignment("nram") - element.size(k) - I32.size(k)
    return room // element.bytes


def _topk(function: TileFunction) -> None:
    """Tiles of whole rows."""
    layer, chip = function.layer, function.chip
    (x,), (values, places) = layer.head.operands, layer.head.results
    shape, element, k = layer.type(x).shape, layer.type(x).element, layer.head.attributes["k"]
    columns, rows = shape[-1], prod(shape[:-1])
    each = element.size(columns + k) + I32.size(k)
    most = (chip.usable("nram") - 8 * chip.alignment("nram")) // each
    assert most >= 1
    ways = [
        (cycles(chip, Chunks(rows, n).count, n * each), n)
        for n in chunk_sizes(rows, min(most, rows), 1, chip.core_count)
    ]
    _, size = min(ways)
    here, best = (function.buffer("a", element, [size * n]) for n in (columns, k))
    which = function.buffer("p", I32, [size * k])
    with shared(function, Chunks(rows, size)) as (part,):
        whole = times(part.size, columns)
        at = f"{times(part.first, columns)} +: {whole}"
        function.line(f"tensor.copy {here}[0 +: {whole}], {function.names[x]}[{at}]")
        found = times(part.size, k)
        said = f"{part.size}, {columns}, {k}"
        both = f"{best}[0 +: {found}], {which}[0 +: {found}]"
        function.line(f"tensor.topk {both}, {here}[0 +: {whole}], {said}")
        for tensor, buffer in ((values, best), (places, which)):
            if tensor in layer.results:
                target = f"{function.names[tensor]}[{times(part.first, k)} +: {found}]"
                function.line(f"tensor.copy {target}, {buffer}[0 +: {found}]")


_WRITERS = {"gather": _gather, "scatter": _scatter, "scatter_add": _scatter, "topk": _topk}
