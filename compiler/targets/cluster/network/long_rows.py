"""Rows that are too long for a tile: operators that look at whole rows become several, each of
which works on parts of rows.

    softmax(x)         m = reduce_max(x); e = exp(x - m); e / reduce_sum(e)
    argmax(x)          m = reduce_max(x); reduce_min(the places where x is m, elsewhere too many)
    cumulative_sum(x)  of each part, plus what all parts before it add up to
    topk(x)            the largest of the largest of each part
    reduce_sum(x)      of all elements to one: that of as many parts as there are cores, or more
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from compiler.levels.network.checking import applied
from compiler.levels.network.network import Attribute, Constant, Network, Node, TensorType
from compiler.levels.network.operators import OPERATORS
from compiler.targets.cluster.network.layer import REDUCING, layers_of
from compiler.targets.cluster.network.templates import along_axis, elementwise, indexed
from compiler.targets.cluster.network.templates.tile import HALVES
from machines.elements import as_elements
from machines.kinds.cluster.fields import Cluster
from machines.types import F32, I32, Type


def with_rows_in_parts(network: Network, chip: Cluster) -> Network:
    """The network with such operators replaced; itself if all rows fit."""
    long: set[int] = set()
    for layer in layers_of(network):
        if _parts_of_all(layer.head, network, chip) > 1:
            long.add(id(layer.head))
        fits = _FITS.get(layer.head.operator.family, elementwise.fits)
        expanded = {id(node) for node in layer.nodes if node.operator.name in _EXPANSIONS}
        if expanded and not fits(layer, chip):
            long |= expanded
    if not long:
        return network
    found = network.copied()
    found.nodes = []
    for node in network.nodes:
        if id(node) in long:
            _EXPANSIONS.get(node.operator.name, _all)(_Parts(found, node, chip))
        else:
            found.nodes.append(node)
    return found


class _Parts:
    """Adds nodes in place of one."""

    def __init__(self, network: Network, node: Node, chip: Cluster):
        self.network, self.node, self.chip = network, node, chip
        self.result = node.results[0]
        self.shape = network.types[node.operands[0]].shape
        self.axis = int(node.attributes.get("axis", len(self.shape) - 1))

    @property
    def along(self) -> tuple[int, ...]:
        """The shape of what is left of rows beside them."""
        return (*self.shape[: self.axis], 1, *self.shape[self.axis + 1 :])

    def add(self, operator: str, *operands: str, last: bool = False, **said: Attribute) -> str:
        """A node; `last` makes the result."""
        results = (self.result,) if last else ()
        return self.add_all(operator, *operands, results=results, **said)[0]

    def add_all(
        self, operator: str, *operands: str, results: tuple[str, ...] = (), **said: Attribute
    ) -> tuple[str, ...]:
        """A node; the names of its results, which are new ones where they are not given."""
        row, types = OPERATORS[operator], [self.network.types[name] for name in operands]
        attributes, found = applied(row, types, said)
        for type in found[len(results) :]:
            results += (self._new(operator),)
            self.network.types[results[-1]] = type
        layer, location = self.node.layer, self.node.location
        self.network.nodes.append(Node(row, results, operands, attributes, layer, location))
        return results

    def cut(self, x: str, first: int, size: int) -> str:
        """A part of each row."""
        shape = self.network.types[x].shape
        starts = tuple(first if axis == self.axis else 0 for axis in range(len(shape)))
        sizes = tuple(size if axis == self.axis else n for axis, n in enumerate(shape))
        return self.add("slice", x, starts=starts, sizes=sizes)

    def reduced(self, operator: str, x: str) -> str:
        """One element of each row, which is broadcast along it."""
        return self.add("reshape", self.add(operator, x, axes=(self.axis,)), shape=self.along)

    def constant(self, values: np.ndarray | float, element: Type) -> str:
        array = np.asarray(as_elements(np.asarray(values), element.name))
        name = self._new("number")
        self.network.types[name] = TensorType(element, array.shape)
        self.network.constants[name] = Constant(self.network.types[name], array)
        return name

    def mean(self, x: str) -> str:
        count = self.constant(float(self.shape[self.axis]), self.network.types[x].element)
        return self.add("div", self.reduced("reduce_sum", x), count)

    def _new(self, hint: str) -> str:
        number = len(self.network.types)
        while (name := f"{self.result}.{hint}{number}") in self.network.types:
            number += 1
        return name


def _exact(expand: Callable[[_Parts, list[str]], str]) -> Callable[[_Parts], None]:
    """What is computed in f32 where elements are halves."""

    def whole(parts: _Parts) -> None:
        operands = list(parts.node.operands)
        element = parts.network.types[operands[0]].element
        if element in HALVES:
            operands = [parts.add("convert", name, to=F32) for name in operands]
        found = expand(parts, operands)
        if element in HALVES:
            parts.add("convert", found, to=element, last=True)
        else:
            parts.add("reshape", found, shape=parts.shape, last=True)

    return whole


def _softmax(parts: _Parts, operands: list[str]) -> str:
    less = parts.add("sub", operands[0], parts.reduced("reduce_max", operands[0]))
    powers = parts.add("exp", less)
    return parts.add("div", powers, parts.reduced("reduce_sum", powers))


def _log_softmax(parts: _Parts, operands: list[str]) -> str:
    less = parts.add("sub", operands[0], parts.reduced("reduce_max", operands[0]))
    total = parts.reduced("reduce_sum", parts.add("exp", less))
    return parts.add("sub", less, parts.add("log", total))


def _layer_norm(parts: _Parts, operands: list[str]) -> str:
    less = parts.add("sub", operands[0], parts.mean(operands[0]))
    return _scaled(parts, less, operands[1:])


def _rms_norm(parts: _Parts, operands: list[str]) -> str:
    return _scaled(parts, operands[0], operands[1:])


def _scaled(parts: _Parts, x: str, rows: list[str]) -> str:
    epsilon = parts.constant(parts.node.attributes["epsilon"], parts.network.types[x].element)
    square = parts.mean(parts.add("square", x))
    found = parts.add("mul", x, parts.add("rsqrt", parts.add("add", square, epsilon)))
    for name, row in zip(("mul", "add"), rows, strict=False):
        found = parts.add(name, found, row)
    return found


def _place(reduction: str) -> Callable[[_Parts], None]:
    """The first place of an extreme: of NaN alone 0, as where nothing is equal to it."""

    def expand(parts: _Parts) -> None:
        (x,) = parts.node.operands
        count = parts.shape[parts.axis]
        behind = len(parts.shape) - parts.axis - 1
        places = parts.constant(np.arange(count).reshape(-1, *(1,) * behind), I32)
        too_many, zero = parts.constant(count, I32), parts.constant(0, I32)
        same = parts.add("eq", x, parts.reduced(reduction, x))
        if parts.network.types[x].element is not I32:
            same = parts.add("convert", same, to=I32)
        chosen = parts.add("select", same, places, too_many)
        least = parts.add("reduce_min", chosen, axes=(parts.axis,))
        is_none = parts.add("eq", least, too_many)
        parts.add("select", is_none, zero, least, last=True)

    return expand


def _sums(parts: _Parts) -> None:
    """Part after part; what is not in its own sum is shifted first."""
    (x,), reverse = parts.node.operands, parts.node.attributes["reverse"]
    count = parts.shape[parts.axis]
    if parts.node.attributes["exclusive"]:
        one = tuple(int(axis == parts.axis) for axis in range(len(parts.shape)))
        none = (0,) * len(one)
        around = {"before": none, "after": one} if reverse else {"before": one, "after": none}
        x = parts.cut(parts.add("pad", x, **around), int(reverse), count)
    element = parts.network.types[x].element
    size = along_axis.longest(parts.chip, element)
    firsts = range(0, count, size)
    found: list[str] = []
    for first in reversed(firsts) if reverse else firsts:
        length = min(size, count - first)
        part = parts.cut(x, first, length)
        sums = parts.add("cumulative_sum", part, axis=parts.axis, reverse=reverse)
        if found:
            before = parts.network.types[found[-1]].shape[parts.axis]
            end = parts.cut(found[-1], 0 if reverse else before - 1, 1)
            sums = parts.add("add", sums, end)
        found.append(sums)
    parts.add("concat", *(found[::-1] if reverse else found), axis=parts.axis, last=True)


def _largest(parts: _Parts) -> None:
    """Those of each part are candidates, and stand in the order of their places: so of equal ones
    the first comes first again."""
    (x,), k = parts.node.operands, parts.node.attributes["k"]
    count, rows = parts.shape[-1], parts.shape[:-1]
    size = indexed.longest(parts.chip, parts.network.types[x].element, k)
    values, places = [], []
    for first in range(0, count, size):
        length = min(size, count - first)
        best, at = parts.add_all("topk", parts.cut(x, first, length), k=min(k, length))
        values.append(best)
        places.append(parts.add("add", at, parts.constant(first, I32)))
    candidates = parts.add("concat", *values, axis=parts.axis)
    numbers = parts.add("concat", *places, axis=parts.axis)
    type = parts.network.types[candidates]
    chosen = parts.add_all("topk", candidates, results=parts.node.results[:1], k=k)[1]
    of_row = np.arange(prod(rows)).reshape(*rows, 1) * type.shape[-1]
    flat = parts.add("reshape", numbers, shape=(type.count,))
    at = parts.add("add", chosen, parts.constant(of_row, I32))
    parts.add_all("gather", flat, at, results=parts.node.results[1:], axis=0)


def _all(parts: _Parts) -> None:
    """Of parts of all elements, one after the other, then of what these give."""
    (x,), name = parts.node.operands, parts.node.operator.name
    count = parts.network.types[x].count
    number = _parts_of_all(parts.node, parts.network, parts.chip)
    rows = parts.add("reshape", x, shape=(number, count // number))
    columns = parts.add(name, rows, axes=(1,))
    if parts.network.types[parts.result].shape == ():
        parts.add(name, columns, axes=(0,), last=True)
    else:
        one = parts.add(name, columns, axes=(0,))
        parts.add("reshape", one, shape=parts.network.types[parts.result].shape, last=True)


LEAST = 1 << 14
"""Elements of which it is worth to reduce parts, on cores of their own."""


def _parts_of_all(node: Node, network: Network, chip: Cluster) -> int:
    """In how many parts all elements are reduced to one; 1 where that is not what a node does."""
    if node.operator.name not in REDUCING or network.types[node.results[0]].count > 1:
        return 1
    count, cores = network.types[node.operands[0]].count, chip.core_count
    if cores == 1 or count < LEAST:
        return 1
    numbers = (number for number in range(cores, 8 * cores) if count % number == 0)
    return next(numbers, 1)


_PLACES = {"argmax": _place("reduce_max"), "argmin": _place("reduce_min")}
_EXPANSIONS = {
    "softmax": _exact(_softmax),
    "log_softmax": _exact(_log_softmax),
    "layer_norm": _exact(_layer_norm),
    "rms_norm": _exact(_rms_norm),
    **_PLACES,
    "cumulative_sum": _sums,
    "topk": _largest,
}
_FITS = {"reduction": along_axis.fits, "indexed": indexed.fits}
