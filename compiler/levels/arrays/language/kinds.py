"""The types of the language, which know signs, and what its expressions come to.

A scalar is a `Value` of the kernel front end: a literal, a choice between literals, or `Read` of a
symbol, written in decimal.  So its checks and its lowering serve both languages.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from compiler.levels.arrays.types import Array, GraphType, Tuple
from compiler.python_syntax.scalars import Scalar
from compiler.python_syntax.tree import Value


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """Elements of one kind."""

    element: Kind

    def __str__(self) -> str:
        return f"{self.element}[:]"


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A part of each kind."""

    parts: tuple[Kind, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.parts))}]"


@dataclass(frozen=True, slots=True)
class FunctionOf:
    """A function that another one takes: `Callable[[i64], f64]`."""

    parameters: tuple[Kind, ...]
    result: Kind

    def __str__(self) -> str:
        return f"Callable[[{', '.join(map(str, self.parameters))}], {self.result}]"


Kind = Scalar | ArrayOf | TupleOf


def graph_type(kind: Kind) -> GraphType:
    """The type in the graph, which knows no signs."""
    match kind:
        case ArrayOf():
            return Array(graph_type(kind.element))
        case TupleOf():
            return Tuple(tuple(map(graph_type, kind.parts)))
    return kind.type


def declared(kind: Kind) -> Any:
    """The type with the names of scalars as leaves."""
    match kind:
        case ArrayOf():
            return Array(declared(kind.element))
        case TupleOf():
            return Tuple(tuple(map(declared, kind.parts)))
    return kind.name


def scalars(kind: Kind) -> int:
    """How many scalars there are in a type."""
    if isinstance(kind, ArrayOf):
        return scalars(kind.element)
    return sum(map(scalars, kind.parts)) if isinstance(kind, TupleOf) else 1


@dataclass(frozen=True, slots=True)
class Made:
    """An array or a tuple: the symbol of its node."""

    symbol: int
    kind: ArrayOf | TupleOf


@dataclass(frozen=True, slots=True)
class Parts:
    """A tuple as it is written: its literals may still take the types of what they meet."""

    values: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """An array as it is written: its literals may still take the types of what they meet."""

    nodes: tuple[ast.expr, ...]
    values: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Closure:
    """A lambda, with the names where it stands (`scope.Scope`); it is put in place of its calls.

    kind  the types that a function which takes it says it has
    """

    node: ast.Lambda
    scope: Any
    kind: FunctionOf | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A function of the file or of the language, by name; `kind` as of a `Closure`."""

    name: str
    kind: FunctionOf | None = None


Found = Value | Made | Parts | Written
Callee = Closure | Named
