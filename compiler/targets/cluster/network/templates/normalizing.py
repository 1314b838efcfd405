"""Rows that are scaled by what the whole of each is."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.levels.network.network import Node
from compiler.targets.cluster.network.templates.tile import (
    HALVES,
    Held,
    Number,
    Operand,
    Tile,
    in_precision,
)
from machines.types import F32, Type

FAMILY = "normalizing"


def apply(
    tile: Tile, node: Node, operands: Sequence[Operand], element: Type, last: set[Operand]
) -> Held:
    """A node on rows, which are the last dimension of a tile; halves are computed as f32."""
    x, *rows = (tile.expanded(one, tile.whole) if not k else one for k, one in enumerate(operands))
    gone = (last & {x}) | ({x} - {operands[0]})
    if element not in HALVES:
        found = _ROWS[node.operator.name](tile, node, x, rows, gone)
        tile.give_back(*((last & set(rows)) - {x}))
        return found
    wide = tile.unary("convert", x, F32, gone)
    wide_rows = [tile.unary("convert", row, F32, last) for row in rows]
    exact = _ROWS[node.operator.name](tile, node, wide, wide_rows, {wide})
    tile.give_back(*wide_rows)
    return tile.unary("convert", exact, element, {exact})


def _softmax(tile: Tile, node: Node, x: Held, rows: Sequence[Held], last: set[Operand]) -> Held:
    less = _less_of_row(tile, "reduce_max", x, last)
    found = tile.unary("exp", less, x.element, {less})
    total = tile.reduce("reduce_sum", found)
    return tile.binary("div", found, total, {found, total})


def _log_softmax(tile: Tile, node: Node, x: Held, rows: Sequence[Held], last: set[Operand]) -> Held:
    less = _less_of_row(tile, "reduce_max", x, last)
    powers = tile.unary("exp", less, x.element)
    total = tile.reduce("reduce_sum", powers)
    tile.give_back(powers)
    logarithm = tile.unary("log", total, x.element, {total})
    return tile.binary("sub", less, logarithm, {less, logarithm})


def _layer_norm(tile: Tile, node: Node, x: Held, rows: Sequence[Held], last: set[Operand]) -> Held:
    mean = _mean(tile, x)
    less = tile.binary("sub", x, mean, last | {mean})
    return _scaled(tile, node, less, rows, {less})


def _rms_norm(tile: Tile, node: Node, x: Held, rows: Sequence[Held], last: set[Operand]) -> Held:
    return _scaled(tile, node, x, rows, last)


_ROWS = {
    "softmax": _softmax, "log_softmax": _log_softmax,
    "layer_norm": _layer_norm, "rms_norm": _rms_norm,
}  # fmt: skip


def _less_of_row(tile: Tile, row: str, x: Held, last: set[Operand]) -> Held:
    found = tile.reduce(row, x)
    return tile.binary("sub", x, found, last | {found})


def _mean(tile: Tile, x: Held) -> Held:
    total = tile.reduce("reduce_sum", x)
    return tile.binary("div", total, Number(f"{float(tile.sizes[-1])!r}", x.element), {total})


def _scaled(tile: Tile, node: Node, x: Held, rows: Sequence[Held], last: set[Operand]) -> Held:
    """By the root of the mean of its squares, times the first row, plus the second."""
    squares = tile.unary("square", x, x.element)
    mean = _mean(tile, squares)
    tile.give_back(squares)
    epsilon = Number(in_precision(node.attributes["epsilon"], x.element), x.element)
    more = tile.binary("add", mean, epsilon, {mean})
    root = tile.unary("rsqrt", more, x.element, {more})
    found = tile.binary("mul", x, root, last | {root})
    for name, row in zip(("mul", "add"), rows, strict=False):
        found = tile.binary(name, found, row, {found})
    return found
