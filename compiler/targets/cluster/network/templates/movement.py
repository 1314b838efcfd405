"""Layers that move elements and compute nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from compiler.levels.network.network import Node
from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.shapes import strides_of
from compiler.targets.cluster.network.templates.moves import Axis, Move, write_moves
from compiler.targets.cluster.network.templates.tile import in_precision
from compiler.targets.cluster.network.tile_text import TileFunction

Shape = Sequence[int]


def write(function: TileFunction) -> None:
    layer = function.layer
    for tensor in function.names:
        function.see(tensor, layer.type(tensor).count)
    node = layer.head
    write_moves(function, list(_MOVES[node.operator.name](layer, node)))


def strides(shape: Shape) -> list[int]:
    return strides_of(shape, (True,) * len(shape))


def _transposed(layer: Layer, node: Node) -> Iterator[Move]:
    (x,), (y,) = node.operands, node.results
    order, source = node.attributes["order"], strides(layer.type(x).shape)
    shape = layer.type(y).shape
    yield _move(y, x, shape, strides(shape), [source[k] for k in order])


def _sliced(layer: Layer, node: Node) -> Iterator[Move]:
    (x,), (y,) = node.operands, node.results
    source, shape = strides(layer.type(x).shape), layer.type(y).shape
    starts, steps = node.attributes["starts"], node.attributes["steps"]
    first = sum(start * stride for start, stride in zip(starts, source, strict=True))
    stepped = [step * stride for step, stride in zip(steps, source, strict=True)]
    yield _move(y, x, shape, strides(shape), stepped, 0, first)


def _repeated(layer: Layer, node: Node) -> Iterator[Move]:
    (x,), (y,) = node.operands, node.results
    shape, own = layer.type(y).shape, layer.type(x).shape
    full = (*(1 for _ in range(len(shape) - len(own))), *own)
    source = strides_of(full, tuple(size > 1 for size in full))
    yield _move(y, x, shape, strides(shape), source)


def _concatenated(layer: Layer, node: Node) -> Iterator[Move]:
    (y,), axis = node.results, node.attributes["axis"]
    target, at = strides(layer.type(y).shape), 0
    for x in node.operands:
        shape = layer.type(x).shape
        yield _move(y, x, shape, target, strides(shape), at * target[axis])
        at += shape[axis]


def _padded(layer: Layer, node: Node) -> Iterator[Move]:
    (x,), (y,) = node.operands, node.results
    inner, outer = layer.type(x).shape, layer.type(y).shape
    target, source = strides(outer), strides(inner)
    around = [*zip(node.attributes["before"], inner, node.attributes["after"], strict=True)]
    if node.attributes["mode"] == "constant":
        value = in_precision(node.attributes["value"], layer.type(x).element)
        yield from _borders(y, value, around, target, outer)
        first = sum(b * stride for (b, _, _), stride in zip(around, target, strict=True))
        yield _move(y, x, inner, target, source, first)
        return
    sides = _SIDES[node.attributes["mode"]]
    for parts in product(*(list(_parts(sides, *one)) for one in around)):
        yield _move(
            y, x, [part[1] for part in parts], target,
            [part[3] * stride for part, stride in zip(parts, source, strict=True)],
            sum(part[0] * stride for part, stride in zip(parts, target, strict=True)),
            sum(part[2] * stride for part, stride in zip(parts, source, strict=True)),
        )  # fmt: skip


def _borders(
    y: str, value: str, around: Sequence[tuple[int, int, int]], target: Shape, outer: Shape
) -> Iterator[Move]:
    """What is filled: beyond each axis, as far as no axis before it does so."""
    for axis, (before, inside, after) in enumerate(around):
        shape = [*(one[1] for one in around[:axis]), 0, *outer[axis + 1 :]]
        first = sum(b * stride for (b, _, _), stride in zip(around[:axis], target, strict=False))
        for low, count in ((0, before), (before + inside, after)):
            if count:
                shape[axis] = count
                at = first + low * target[axis]
                yield _move(y, None, shape, target, [0] * len(shape), at, 0, value)


_SIDES: dict[str, Callable[[int, int], tuple[tuple[int, int], tuple[int, int]]]] = {
    "edge": lambda before, size: ((0, 0), (size - 1, 0)),
    "reflect": lambda before, size: ((before, -1), (size - 2, -1)),
    "wrap": lambda before, size: ((size - before, 1), (0, 1)),
}
"""Of what is before an axis, and of what is behind it: the first element, and a step."""


def _parts(sides: Callable, before: int, size: int, after: int) -> Iterator[tuple]:
    """Parts of a padded axis: where, how much, of which elements, and their step."""
    (low, low_step), (high, high_step) = sides(before, size)
    parts = (
        (0, before, low, low_step), (before, size, 0, 1), (before + size, after, high, high_step),
    )  # fmt: skip
    yield from (part for part in parts if part[1])


def _move(
    y: str,
    x: str | None,
    shape: Shape,
    target: Shape,
    source: Shape,
    first_target: int = 0,
    first_source: int = 0,
    value: str = "",
) -> Move:
    axes = tuple(Axis(*one) for one in zip(shape, target, source, strict=True))
    return Move(y, x, axes, first_target, first_source, value)


_MOVES: dict[str, Callable[[Layer, Node], Iterator[Move]]] = {
    "transpose": _transposed,
    "slice": _sliced,
    "broadcast": _repeated,
    "concat": _concatenated,
    "pad": _padded,
}
