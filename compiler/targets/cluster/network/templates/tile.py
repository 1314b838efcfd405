"""Tensors in NRAM and what is done with their elements: a tile of a tensor, and tiles of others
that are broadcast to it.

A tile is a box of elements.  What a tensor has along all of its dimensions is *whole*; of others a
tile has its own elements, once, and rows repeat them as they go: numbers in `_scalar` rows, what
goes along the last dimensions in `cycle_` rows, along the first ones in `repeat_` rows.  Where no
row does, elements are repeated by copies first.

`Tile` collects lines: those of `before` for all tiles together, those of `lines` for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from compiler.levels.network.network import Attribute, Constant, Node
from compiler.targets.cluster.network.expressions import (
    Dimension,
    Expression,
    fits,
    interval,
    times,
)
from compiler.targets.cluster.network.shapes import Mask
from machines.elements import as_numbers
from machines.instructions import operations
from machines.types import BF16, F16, F32, Type

COMMUTING = {"add", "mul", "max", "min", "and", "or", "xor", "eq", "ne"}
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
HALVES = (F16, BF16)


@dataclass(frozen=True, eq=False)
class Held:
    """A tile of a tensor.

    mask  along which dimensions of the box it has elements of its own
    kept  whether it is the same for all tiles, and stays
    """

    buffer: str
    element: Type
    mask: Mask
    kept: bool = False


@dataclass(frozen=True)
class Number:
    """A tensor of one element that is known."""

    text: str
    element: Type
    mask: Mask = ()
    kept: bool = True


Operand = Held | Number


def number_of(constant: Constant | None) -> Number | None:
    """A constant of one element, if it is one."""
    if (
        constant is None
        or constant.type.count != 1
        or not isinstance(constant.elements, np.ndarray)
    ):
        return None
    return Number(literal(as_numbers(constant.elements).item()), constant.type.element)


def literal(value: Attribute | float) -> str:
    """A number of the tile text."""
    return repr(value)


def in_precision(value: int | float, element: Type) -> str:
    """A number that stands beside elements of a type."""
    if not element.is_float:
        return str(int(value))
    return literal(float(np.float32(value) if element.bits <= F32.bits else value))


def has_row(name: str, *types: Type) -> bool:
    """Whether there is a tensor row."""
    return ".".join(("tensor", name, *map(str, types))) in operations().family("ir")


def converting(mode: Attribute, source: Type, to: Type) -> str:
    """The row that converts; a type that holds every number of the other one saturates none."""
    if mode == "saturate" and not has_row("convert_saturate", source, to):
        return "convert"
    return "convert" if mode == "plain" else f"convert_{mode}"


class Tile:
    """Lines that compute with a box of elements.

    sizes   of its dimensions; the first may be a variable
    most    what they are at most
    buffer  buffer(element, count) -> the name of a new buffer in NRAM
    """

    def __init__(
        self,
        sizes: Sequence[Expression],
        most: Sequence[int],
        buffer: Callable[[Type, int], str],
    ):
        self.sizes, self.most = tuple(sizes), tuple(most)
        self.before: list[str] = []
        self.lines: list[str] = []
        self.buffer = buffer
        self._free: dict[tuple[Type, Mask], list[str]] = {}
        self._expanded: dict[tuple[Operand, Mask], Held] = {}

    # Buffers ----------------------------------------------------------------------------------

    @property
    def whole(self) -> Mask:
        return (True,) * len(self.sizes)

    def take(self, element: Type, mask: Mask, kept: bool = False) -> Held:
        """A buffer for a tile."""
        free = self._free.get((element, mask))
        if free and not kept:
            return Held(free.pop(), element, mask)
        count = 1
        for most, own in zip(self.most, mask, strict=True):
            count *= most if own else 1
        return Held(self.buffer(element, count), element, mask, kept)

    def give_back(self, *tiles: Operand) -> None:
        """Tiles that nobody reads any more; in whatever order, the code is the same."""
        gone = {one for one in tiles if not one.kept}
        for one in sorted(gone, key=lambda one: (len(one.buffer), one.buffer)):
            self._free.setdefault((one.element, one.mask), []).append(one.buffer)

    def count(self, mask: Mask, most: bool = False) -> Expression:
        sizes = self.most if most else self.sizes
        return times(*(size for size, own in zip(sizes, mask, strict=True) if own))

    def all_of(self, one: Held, most: bool = False) -> str:
        """The interval of a tile."""
        return f"{one.buffer}[0 +: {self.count(one.mask, most)}]"

    # Operators ---------------------------------------------------------------------------------

    def apply(self, node: Node, operands: Sequence[Operand], element: Type, last: set[Operand]):
        """A node; the tile of its result.  Of operands those in `last` are not read again."""
        name, attributes = node.operator.name, node.attributes
        if name == "clip":
            low, high = (
                in_precision(attributes[end], operands[0].element) for end in ("low", "high")
            )
            found = self.unary("clip", operands[0], element, last, low, high)
        elif name == "convert":
            row = converting(attributes["mode"], operands[0].element, element)
            found = self.unary(row, operands[0], element, last)
        elif name == "select":
            found = self.all_whole("select", operands, element, last)
        elif len(operands) == 1:
            found = self.unary(name, operands[0], element, last)
        else:
            found = self.binary(name, *operands, last)
        return found

    def unary(
        self, row: str, x: Operand, element: Type, last: set[Operand] = frozenset(), *more: str
    ) -> Held:
        """A row of one operand."""
        x = self._in_buffer(x, x.mask or (False,) * len(self.sizes))
        self.give_back(*({x} & last))
        found = self.take(element, x.mask)
        self._line(row, self.all_of(found), self.all_of(x), *more)
        return found

    def binary(self, name: str, a: Operand, b: Operand, last: set[Operand] = frozenset()) -> Held:
        """A row of two operands, whichever says what is broadcast."""
        domain = self._domain(a, b)
        element = a.element
        ways = (
            lambda: self._scalar(name, a, b, domain),
            lambda: self._short(name, a, b, domain),
            lambda: self._mirrored(name, a, b, domain),
        )
        found = next((way for way in (way() for way in ways) if way), None)
        if found is None:
            narrow = a if a.mask != domain else b
            wide = self.expanded(narrow, domain)
            self.give_back(*({narrow} & last))
            a, b = (wide if one is narrow else one for one in (a, b))
            return self.binary(name, a, b, (last - {narrow}) | {wide})
        row, *texts = found
        self.give_back(*({a, b} & last))
        result = self.take(element, domain)
        self._line(row, self.all_of(result), *texts)
        return result

    def all_whole(
        self, row: str, operands: Sequence[Operand], element: Type, last: set[Operand]
    ) -> Held:
        """A row whose operands have to be as large as its result."""
        domain = self._domain(*operands)
        wide = [self.expanded(one, domain) for one in operands]
        made = set(wide) - set(operands)
        self.give_back(*made, *(set(operands) & last))
        found = self.take(element, domain)
        self._line(row, self.all_of(found), *map(self.all_of, wide))
        return found

    def reduce(self, row: str, x: Held) -> Held:
        """Of each row, the last dimension, one element."""
        mask = (*x.mask[:-1], False)
        found = self.take(x.element, mask)
        self._line(row, self.all_of(found), self.all_of(x), self.count(mask), self.sizes[-1])
        return found

    # Broadcasting ------------------------------------------------------------------------------

    def _domain(self, *operands: Operand) -> Mask:
        masks = [one.mask for one in operands if one.mask]
        if not masks:
            return (False,) * len(self.sizes)
        return tuple(any(column) for column in zip(*masks, strict=True))

    def _scalar(self, name: str, a: Operand, b: Operand, domain: Mask):
        if isinstance(b, Number) and a.mask == domain and has_row(f"{name}_scalar", a.element):
            return f"{name}_scalar", self.all_of(a), b.text
        if isinstance(a, Number) and b.mask == domain and has_row(f"scalar_{name}", b.element):
            return f"scalar_{name}", a.text, self.all_of(b)
        return None

    def _short(self, name: str, a: Operand, b: Operand, domain: Mask):
        if isinstance(a, Number) or isinstance(b, Number) or a.mask != domain:
            return None
        if b.mask == domain:
            return name, self.all_of(a), self.all_of(b)
        own = [mine for mine, asked in zip(b.mask, domain, strict=True) if asked]
        for way, ordered in (("cycle", own), ("repeat", own[::-1])):
            if ordered == sorted(ordered) and has_row(f"{way}_{name}", a.element):
                return f"{way}_{name}", self.all_of(a), self.all_of(b)
        return None

    def _mirrored(self, name: str, a: Operand, b: Operand, domain: Mask):
        other = name if name in COMMUTING else MIRRORED.get(name)
        if other is None:
            return None
        return self._scalar(other, b, a, domain) or self._short(other, b, a, domain)

    def _in_buffer(self, x: Operand, mask: Mask) -> Held:
        return self.expanded(x, mask) if isinstance(x, Number) else x

    def expanded(self, x: Operand, domain: Mask) -> Held:
        """A tile with its elements repeated along all dimensions that are asked for."""
        if x.mask == domain:
            return x
        if found := self._expanded.get((x, domain)):
            return found
        if isinstance(x, Number):
            found = self.take(x.element, domain, kept=True)
            self._line_before("fill", self.all_of(found, most=True), x.text)
        else:
            found = self._repeated(x, domain)
        if x.kept:
            self._expanded[x, domain] = found
        return found

    def _repeated(self, x: Held, domain: Mask) -> Held:
        line = self._line_before if x.kept else self._line
        sizes = self.most if x.kept else self.sizes
        found = x
        while found.mask != domain:
            ways = ((mask, _read(sizes, found.mask, mask)) for mask in _wider(found.mask, domain))
            mask, read = next(way for way in ways if fits(*way[1]))
            wider = self.take(x.element, mask, x.kept)
            line("copy", self.all_of(wider, x.kept), interval(found.buffer, 0, *read))
            if found is not x:
                self.give_back(found)
            found = wider
        return found

    def _line(self, row: str, *operands: Expression) -> None:
        self.lines.append(f"tensor.{row} {', '.join(map(str, operands))}")

    def _line_before(self, row: str, *operands: Expression) -> None:
        self.before.append(f"tensor.{row} {', '.join(map(str, operands))}")


def _wider(mask: Mask, domain: Mask) -> Iterator[Mask]:
    """What elements may be repeated to at once: most first, down to the last dimension alone."""
    missing = [axis for axis, own in enumerate(mask) if domain[axis] and not own]
    for first in range(len(missing)):
        more = missing[first:]
        yield tuple(own or axis in more for axis, own in enumerate(mask))


def _read(sizes: Sequence[Expression], own: Mask, mask: Mask) -> list[Dimension]:
    """Elements that lie one behind the other, read repeatedly."""
    found: list[Dimension] = []
    stride = 1
    for size, mine, asked in reversed([*zip(sizes, own, mask, strict=True)]):
        if not asked:
            continue
        found.append((size, stride if mine else 0))
        if mine:
            stride = times(stride, size)
    return found[::-1]
