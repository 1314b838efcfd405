"""The loops that a tensor row stands for, as a function of its operands.

    tensor.matmul.i8 d, a, b, m, k, n gives

        def run(at_d, at_a, at_b, m, k, n):
            for i in range(m):
                for j in range(n):
                    d = 0
                    at_d[i * n + j] = d
            for i in range(m):
                for l in range(k):
                    for j in range(n):
                        d = at_d[i * n + j]
                        a = at_a[i * k + l]
                        b = at_b[l * n + j]
                        d = sign_extend(d + (sign_extend(a * b, 8)), 8)
                        at_d[i * n + j] = d

What is written keeps its value in a variable (`held_d_0`) where the loops that its element does not
depend on are the innermost ones; else it lies in memory between turns, as above, and every turn
must leave a value of its type.

The text is written once, in the words of a `Dialect`: here those of Python, on lists; a compiler of
it brings its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property

import numpy as np

from machines.operations.evaluate import NAMESPACE
from machines.operations.meaning import parsed
from machines.operations.row import Element, Operand, Operation, Region
from machines.tensors.elements import array_of, numbers_of
from machines.tensors.sizes import extents_of, sizes_of
from machines.types import Type

Number = int | float
Runner = Callable[[Mapping[str, np.ndarray], Mapping[str, Number]], dict[str, np.ndarray]]
"""What a row computes of the elements of the intervals that it reads, and of the sizes of intervals
and the values of all other operands: the elements of what it writes, as they stand in memory."""


class Dialect:
    """The words for elements of operands: those of lists of numbers.

    together  how many neighbours of what is written are worked out side by side, where each is a
              chain of its own: 1 or more
    """

    together = 1

    def load(self, operand: Operand, index: str) -> str:
        return f"at_{operand.name}[{index}]"

    def store(self, operand: Operand, index: str, value: str) -> str:
        return f"at_{operand.name}[{index}] = {value}"

    def held(self, operand: Operand, value: str) -> str:
        """A value of the operand's type as it is held from turn to turn."""
        return value

    def taken(self, operand: Operand, value: str) -> str:
        """The value that is held so."""
        return value


def element_type(operand: Operand) -> Type:
    """The type of a result, or of the elements of an interval."""
    return operand.kind.type if isinstance(operand.kind, Region) else operand.kind


def loop_lines(row: Operation, dialect: Dialect) -> list[str]:
    """The loops of a row as Python statements, in a dialect."""
    return [*_Loops(row, dialect).lines()]


class _Loops:
    def __init__(self, row: Operation, dialect: Dialect):
        self.row, self.walk, self.dialect = row, row.walk, dialect
        self.operands = {operand.name: operand for operand in row.operands}
        self.elements = {element.name: element for element in row.walk.elements}
        self.written = [self.elements[name] for name in row.written_names]
        self.start = dict(row.walk.start)
        own = {name for element in self.written for name in parsed(element.index).reads}
        self.own = [loop for loop in row.walk.loops if loop[0] in own]
        self.inner = [loop for loop in row.walk.loops if loop[0] not in own]
        self.is_held = row.walk.loops == (*self.own, *self.inner)
        others = [e for e in row.walk.elements if e.operand in row.written_names]
        self.are_apart = len(others) == len(self.written)  # none reads what another one is

    def lines(self) -> Iterator[str]:
        for name, text in self.walk.derived:
            yield f"{name} = {text}"
        if not self.start:
            yield from _nest(self.walk.loops, [*self.turn(), *self.stores()])
        elif self.is_held and self.own and self.are_apart and self.dialect.together > 1:
            *outer, (index, extent) = self.own
            many = self.dialect.together
            block = [f"{index} = first + {k}" for k in range(many)]
            yield from _nest(
                outer,
                [
                    *_nest([("first", f"0, {extent} - {many - 1}, {many}")], self.chains(block)),
                    *_nest([(index, f"{extent} // {many} * {many}, {extent}")], self.chains([""])),
                ],
            )
        elif self.is_held:
            yield from _nest(self.own, self.chains([""]))
        else:
            yield from _nest(self.own, [*self.starts(), *self.stores()])
            loads = [self.load(element) for element in self.written]
            yield from _nest(self.walk.loops, [*loads, *self.turn(), *self.stores()])

    def chains(self, neighbours: list[str]) -> list[str]:
        """The turns of some written elements; each begins with the line that says where it is."""
        body, turns, ends = [], [], []
        for k, place in enumerate(neighbours):
            body += [place, *self.starts(), *self.hold(k)]
            turns += [place, *self.take(k), *self.turn(), *self.hold(k)]
            ends += [place, *self.take(k), *self.walk.end.splitlines(), *self.stores()]
        return [line for line in (*body, *_nest(self.inner, turns), *ends) if line.strip()]

    def starts(self) -> Iterator[str]:
        for name, text in self.start.items():
            yield from self.loads(text)
            yield f"{name} = {text}"

    def turn(self) -> Iterator[str]:
        """The meaning, for one element of each operand."""
        yield from self.loads(self.row.meaning)
        yield from self.row.meaning.splitlines()

    def loads(self, text: str) -> Iterator[str]:
        """What a text reads of the intervals that are read; an index may name others."""
        wanted = set(parsed(text).reads)
        for element in reversed(self.walk.elements):
            if element.name in wanted:
                wanted |= parsed(element.index).reads
        for element in self.walk.elements:
            if element.name in wanted and element not in self.written:
                yield self.load(element)

    def load(self, element: Element) -> str:
        operand = self.operands[element.operand]
        return f"{element.name} = {self.dialect.load(operand, element.index)}"

    def stores(self) -> Iterator[str]:
        for element in self.written:
            operand = self.operands[element.operand]
            yield self.dialect.store(operand, element.index, element.name)

    def hold(self, chain: int) -> Iterator[str]:
        for element in self.written:
            value = element.name
            if not self.walk.end:  # else it need not be of its type yet
                value = self.dialect.held(self.operands[element.operand], value)
            yield f"held_{element.name}_{chain} = {value}"

    def take(self, chain: int) -> Iterator[str]:
        for element in self.written:
            value = f"held_{element.name}_{chain}"
            if not self.walk.end:
                value = self.dialect.taken(self.operands[element.operand], value)
            yield f"{element.name} = {value}"


def _nest(loops: Iterable[tuple[str, str]], body: list[str]) -> Iterator[str]:
    depth = 0
    for depth, (index, extent) in enumerate(loops, start=1):
        yield f"{'    ' * (depth - 1)}for {index} in range({extent}):"
    for line in body:
        yield "    " * depth + line


class Signature:
    """The parameters of a row's loops, in this order.

    written, read   results and intervals, which are called at_NAME there
    numbers         all other operands, and the extents that are none
    """

    def __init__(self, row: Operation):
        self.walk = row.walk
        self.written = [o for o in row.operands if o.name in row.written_names]
        self.read = [o for o in row.reads if isinstance(o.kind, Region) and o not in self.written]
        places = {o.name for o in (*self.written, *self.read)}
        self.scalars = [o for o in row.reads if o.name not in places]
        names = {o.name for o in self.scalars}
        self.free = [name for name in row.walk.extents if name not in names]

    @cached_property
    def numbers(self) -> list[str]:
        return [*(operand.name for operand in self.scalars), *self.free]

    def given(self, known: Mapping[str, Number]) -> tuple[list[Number], dict[str, int]]:
        """The numbers, and how many elements each written operand has."""
        extents = extents_of(self.walk, known)
        numbers = {**known, **extents}
        return [numbers[name] for name in self.numbers], sizes_of(self.walk, extents)


@cache
def python_loops(row: Operation) -> Runner:
    """The row on lists of numbers, one by one: about a microsecond an element."""
    signature = Signature(row)
    places = [f"at_{o.name}" for o in (*signature.written, *signature.read)]
    lines = [f"def run({', '.join((*places, *signature.numbers))}):"]
    lines += [f" {line}" for line in loop_lines(row, Dialect())]
    space = dict(NAMESPACE)
    exec("\n".join(lines) + "\n", space)

    def run(arrays: Mapping[str, np.ndarray], known: Mapping[str, Number]) -> dict[str, np.ndarray]:
        numbers, sizes = signature.given(known)
        found = [[0] * sizes[o.name] for o in signature.written]
        given = [numbers_of(arrays[o.name], element_type(o)) for o in signature.read]
        if any(found):  # without elements another extent may be any number
            space["run"](*found, *given, *numbers)
        written = zip(signature.written, found, strict=True)
        return {o.name: array_of(values, element_type(o)) for o, values in written}

    return run
