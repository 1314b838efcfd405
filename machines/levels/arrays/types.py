"""Types of arrays and tuples, and how their values are held in variables and in memory: as *words*.

    a scalar             the scalar
    a tuple              the words of its parts
    an array             its length, and for each word of its elements the place of a column that
                         holds that word of all elements, in bytes from the arena's begin

So an array of tuples is a tuple of columns, and an array of arrays has a column of lengths and one
of places of rows: rows lie anywhere, and one may be named twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from machines.types import I1, I64, Type


@dataclass(frozen=True, slots=True)
class Array:
    """Elements of one type, as many as the value has.

    >>> from machines.types import F32
    >>> str(Array(Array(F32)))
    'f32[:][:]'
    """

    element: Any

    def __str__(self) -> str:
        return f"{self.element}[:]"


@dataclass(frozen=True, slots=True)
class Tuple:
    """A fixed number of parts, each of its own type."""

    parts: tuple[Any, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.parts))}]"


def words(type: Any) -> list[Any]:
    """The types of a value's words.

    >>> from machines.types import F32
    >>> [str(word) for word in words(Array(Tuple((F32, Array(F32)))))]
    ['i64', 'i64', 'i64', 'i64']
    """
    if isinstance(type, Array):
        return [I64, *(I64 for _ in words(type.element))]
    if isinstance(type, Tuple):
        return [word for part in type.parts for word in words(part)]
    return [type]


def size_in_memory(word: Type) -> int:
    """Bytes of a word in a column; a boolean is a byte."""
    return 1 if word is I1 else word.bytes


def columns(type: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Name and element type of each array in memory that holds the elements of an argument.

    Rows lie one behind another: `name.starts` and `name.lengths` say which elements of the columns
    behind them are a row.

    >>> from machines.types import F32
    >>> [name for name, _ in columns(Array(F32), "x")]
    ['x.starts', 'x.lengths', 'x.values']
    """
    if isinstance(type, Array):
        yield f"{name}.starts", I64
        yield f"{name}.lengths", I64
        yield from columns(type.element, f"{name}.values")
    elif isinstance(type, Tuple):
        for k, part in enumerate(type.parts):
            yield from columns(part, f"{name}.{k}")
    else:
        yield name, type


@dataclass(frozen=True, slots=True)
class Carrier:
    """A value of the machine that carries a part of an argument.

    leaf       the element type of a column, else the type of a scalar
    is_column  whether it is the address of a column
    is_length  whether it is the length of an array
    """

    name: str
    leaf: Any
    is_column: bool = False
    is_length: bool = False


def carriers(type: Any, name: str) -> Iterator[Carrier]:
    """What carries an argument: its scalars, and of its arrays columns and a length.

    >>> from machines.types import F32
    >>> [carrier.name for carrier in carriers(Array(F32), "x")]
    ['x', 'x.length']
    """
    if isinstance(type, Tuple):
        for k, part in enumerate(type.parts):
            yield from carriers(part, f"{name}.{k}")
    elif isinstance(type, Array):
        for column, leaf in columns(type.element, name):
            yield Carrier(column, leaf, is_column=True)
        yield Carrier(f"{name}.length", I64, is_length=True)
    else:
        yield Carrier(name, type)


ARENA = "scratch"
"""Name of the parameter that is the arena's address."""
ARENA_SIZE = Carrier("scratch.size", I64, is_length=True)
ARENA_UNIT = 64
"""Bytes of which an arena's size, and the place where what is free of it begins, are multiples; no
machine has cache lines that are longer than twice that."""
ARENA_TOO_SMALL = "scratch memory too small"
"""The fault of a run that the arena has no room for."""
MOST_IN_REGISTERS = 7
"""Carriers that are parameters, beside the arena: every machine has registers for as many."""


@dataclass(frozen=True, slots=True)
class Passing:
    """How arguments are passed: carriers that are parameters, and those that stand in the arena's
    first words, 8 bytes each; how the run ended, and the words of the result, stand behind them.

    together  whether all threads of a grid execute the function together: two words are behind how
              the run ended, 0 as the run begins, in which they tell each other something
    """

    in_registers: tuple[Carrier, ...]
    in_arena: tuple[Carrier, ...]
    together: bool = False

    @property
    def all(self) -> tuple[Carrier, ...]:
        """All carriers."""
        return (*self.in_registers, *self.in_arena)

    @property
    def status(self) -> int:
        """The place, in bytes, of the number of the fault that ended the run, 0 if none did."""
        return 8 * len(self.in_arena)

    @property
    def result(self) -> int:
        """The place of the result's first word, in bytes."""
        return self.status + (24 if self.together else 8)

    @property
    def arrived(self) -> int:
        """The place, in bytes, of the word where blocks of threads are counted at barriers."""
        return self.status + 8

    @property
    def wanted(self) -> int:
        """The place of the word where threads say what all shall compute together."""
        return self.status + 16


def passing(parameters: Iterable[tuple[str, Any]], together: bool = False) -> Passing:
    """How parameters, by name and type, are passed: lengths in the arena, and what else there is
    no register for."""
    all = [carrier for name, type in parameters for carrier in carriers(type, name)]
    values = [carrier for carrier in all if not carrier.is_length]
    first = tuple(values[:MOST_IN_REGISTERS])
    rest = [carrier for carrier in all if carrier not in first]
    return Passing(first, (ARENA_SIZE, *rest), together)


def arena_head(passed: Passing, result: Any) -> int:
    """The bytes at an arena's begin that arguments and a result of a type take, in whole units."""
    return -(-(passed.result + 8 * len(words(result))) // ARENA_UNIT) * ARENA_UNIT
