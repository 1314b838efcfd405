"""Types of arrays and tuples, and how their values are held in variables and in memory: as *words*.

    a scalar             the scalar
    a tuple              the words of its parts
    an array             its length, and for each word of its elements the place of a column that
                         holds that word of all elements, in bytes from the arena's begin

So an array of tuples is a tuple of columns, and an array of arrays has a column of lengths and one
of places of rows: rows lie anywhere, and one may be named twice.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def arguments(type: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The parameters that carry an argument: scalars with their type, columns with None.

    >>> from machines.types import F32
    >>> [name for name, _ in arguments(Array(F32), "x")]
    ['x', 'x.length']
    """
    if isinstance(type, Tuple):
        for k, part in enumerate(type.parts):
            yield from arguments(part, f"{name}.{k}")
    elif isinstance(type, Array):
        yield from ((column, None) for column, _ in columns(type.element, name))
        yield f"{name}.length", I64
    else:
        yield name, type
