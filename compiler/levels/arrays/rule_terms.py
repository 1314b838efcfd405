"""Terms and conditions of rules, staged: each is a function of where the rule is used."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NoReturn

from compiler.levels.arrays.facts import is_total, operation_is_total
from compiler.levels.arrays.operations.calls import Apply, Map
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import Elementwise, Operation
from compiler.levels.arrays.operations.names import CALLS, STRUCTURES, named
from compiler.levels.arrays.operations.scalars import Constant, Row, scalar_rows
from compiler.levels.arrays.operations.structural import Item
from compiler.levels.arrays.primitives import Primitive
from compiler.levels.arrays.rewriting import ALLOWANCES, Building, Staged
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import Array, GraphType
from machines.diagnostics import Location, input_error, nearest
from machines.types import Type as Scalar

OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
SPECIAL = ("op", "inner", "each", "first", "part", "like", "compose")


@dataclass
class TermReader:
    """Reads what stands in a rule beside its pattern.

    primitives  those that the file has declared so far, by name
    """

    text: str
    file: str
    primitives: dict[str, Primitive] = field(default_factory=dict)

    def refuse(self, message: str, at: ast.AST, hint: str | None = None) -> NoReturn:
        place = Location(self.file, at.lineno, at.col_offset + 1)
        raise input_error(message, place, source=self.text, hint=hint)

    # Terms

    def term(
        self, tree: ast.expr, bound: set[str], add: Callable[..., Symbol] = Graph.add
    ) -> Staged:
        """A term.

        add  how the node of an operation that is no scalars' gets into the graph, if it is the
             whole term's
        """
        match tree:
            case ast.Name(id=name):
                if name not in bound:
                    self.refuse(f"the pattern has no '{name}'", tree, nearest(name, bound))
                return lambda b: b.found[name]
            case ast.Constant(value=int() | float() as value):
                return lambda b: b.literal(value, _scalar(b.type))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return lambda b: b.literal(-value, _scalar(b.type))
            case ast.Subscript(value=value, slice=ast.Constant(value=int() as index)):
                whole = self.term(value, bound)
                return lambda b: b.add(Item(index), whole(b))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return self.row(OPERATORS[type(op)], [left, right], bound)
            case ast.Call(func=func, args=args, keywords=[]):
                return self.call(ast.unparse(func), tree, args, bound, add)
        hint = "a term is op(x, y) of names, literals and terms"
        return self.refuse(f"'{ast.unparse(tree)}' is no term", tree, hint)

    def row(self, key: str, operands: list[ast.expr], bound: set[str]) -> Staged:
        """An operation of scalars whose type is that of its first operand."""
        staged = [self.term(o, bound) for o in operands]

        def build(b: Building) -> Symbol:
            values = [value(b) for value in staged]
            element = _scalar(b.graph.type(values[0]))
            return b.add(Row(f"{key}.{element}"), *values)

        return build

    def call(
        self,
        key: str,
        tree: ast.Call,
        args: list[ast.expr],
        bound: set[str],
        add: Callable[..., Symbol],
    ) -> Staged:
        special = {
            "op": lambda b, v: b.graph.add(b.operation, *v),
            "inner": lambda b, v: b.graph.add(b.operation.of, *v),
            "each": lambda b, v: b.graph.add(Each(b.operation), *v),
            "first": lambda b, v: v[0][0] if isinstance(v[0], tuple) else v[0],
            "part": lambda b, v: v[0][_index_of(b.operation)],
            "like": _like,
            "compose": _compose,
        }
        values = self.arguments(args, bound)
        if key in special:
            make = special[key]
            return lambda b: make(b, values(b))
        primitive = self.primitives.get(key)
        if primitive is not None and primitive.is_scalar:
            return lambda b: b.add(primitive, *values(b))
        operation = self.structure(key)
        if operation is None:
            if f"{key}.f32" in scalar_rows() or f"{key}.i32" in scalar_rows():
                return self.row(key, args, bound)
            known = [*special, *STRUCTURES, *self.primitives, *row_keys()]
            self.refuse(f"there is no operation '{key}'", tree, nearest(key, known))
        return lambda b: add(b.graph, operation, *values(b))

    def structure(self, key: str) -> Operation | None:
        """The operation of a name that a term may have, if it needs no type."""
        return Map() if key == "map" else named(key, self.primitives) if _is_plain(key) else None

    def arguments(self, args: list[ast.expr], bound: set[str]) -> Callable[[Building], tuple]:
        """The arguments of a call; `*a` are all of a list, `*f(a)` f of each."""
        parts: list[tuple[bool, Staged]] = []
        for argument in args:
            if not isinstance(argument, ast.Starred):
                parts.append((False, self.term(argument, bound)))
            elif isinstance(argument.value, ast.Call):
                key, inner = ast.unparse(argument.value.func), argument.value.args
                operation = self.structure(key)
                if operation is None or len(inner) != 1:
                    self.refuse("'*' stands before a name or an operation of one", argument)
                parts.append((True, _of_each(operation, self.term(inner[0], bound))))
            else:
                parts.append((True, self.term(argument.value, bound)))

        def values(b: Building) -> tuple:
            made: list = []
            for is_many, part in parts:
                made += part(b) if is_many else [part(b)]
            return tuple(made)

        return values

    # Conditions

    def condition(self, tree: ast.expr, bound: set[str]) -> Callable[[Building, Mapping], bool]:
        match tree:
            case ast.BoolOp(op=ast.And(), values=values):
                parts = [self.condition(value, bound) for value in values]
                return lambda b, c: all(part(b, c) for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.condition(operand, bound)
                return lambda b, c: not inner(b, c)
            case ast.Call(func=ast.Name(id="allowed"), args=[ast.Name(id=what)]):
                if what not in ALLOWANCES:
                    self.refuse(f"nothing is called '{what}'", tree, nearest(what, ALLOWANCES))
                return lambda b, c: what in c["allowed"]
            case ast.Call(func=ast.Name(id="total"), args=[ast.Call(func=ast.Name(id="inner"))]):
                values = self.arguments(tree.args[0].args, bound)
                return lambda b, c: _op_is_total(b, values(b), c["known"])
            case ast.Call(func=ast.Name(id="total"), args=args):
                values = self.arguments(args, bound)
                return lambda b, c: all(is_total(b.graph, v, c["known"]) for v in values(b))
            case ast.Call(func=ast.Name(id=name), args=[argument]) if name in _CONDITIONS:
                test, value = _CONDITIONS[name], self.term(argument, bound)
                return lambda b, c: test(b.graph, value(b))
        known = ["allowed", "total", *_CONDITIONS]
        hint = f"known: {', '.join(known)}"
        return self.refuse(f"'{ast.unparse(tree)}' is no condition", tree, hint)


def _is_plain(key: str) -> bool:
    """Whether a name is not of what a lambda is called by, nor of a row with its type."""
    return key.rpartition("each.")[2] not in (*CALLS, *scalar_rows())


@cache
def row_keys() -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in scalar_rows())


def _scalar(type: GraphType) -> GraphType:
    return type.element if isinstance(type, Array) else type


def _of_each(operation: Operation, values: Staged) -> Callable[[Building], list[Symbol]]:
    return lambda b: [b.graph.add(operation, value) for value in values(b)]


def _index_of(operation: Operation) -> int:
    return operation.of.index if isinstance(operation, Each) else operation.index


def _like(b: Building, values: tuple) -> Symbol:
    """A length as a number of another's type."""
    length, other = values
    type = b.graph.type(other)
    return length if type.bits == 64 else b.graph.add(Row(f"trunc.i64.{type}"), length)


def _compose(b: Building, values: tuple) -> Symbol:
    """x -> f(g(x))."""
    f, g = values
    x = b.graph.parameter("x", b.graph.type(g).parameters[0])
    return b.graph.function([x], b.graph.add(Apply(), f, b.graph.add(Apply(), g, x)))


def _op_is_total(b: Building, arguments: tuple, known: dict[Symbol, bool]) -> bool:
    """Whether what is done for every element cannot fault for these."""
    inner = b.operation.of
    fine = all(is_total(b.graph, argument, known) for argument in arguments)
    return fine and operation_is_total(b.graph, inner, tuple(arguments))


def _is_integer(graph: Graph, symbol: Symbol) -> bool:
    type = _scalar(graph.type(symbol))
    return isinstance(type, Scalar) and type.is_integer and type.bits > 1


def _is_floating(graph: Graph, symbol: Symbol) -> bool:
    type = _scalar(graph.type(symbol))
    return isinstance(type, Scalar) and type.is_float


def _is_cheap(graph: Graph, function: Symbol, most: int = 8) -> bool:
    """Whether a lambda is a few operations of scalars."""
    operations = [graph[s].operation for s in graph.body(function)]
    simple = all(isinstance(o, Elementwise) for o in operations)
    return simple and len(operations) <= most


_CONDITIONS: dict[str, Callable[[Graph, Symbol], bool]] = {
    "integer": _is_integer,
    "floating": _is_floating,
    "constant": lambda graph, symbol: isinstance(graph[symbol].operation, Constant),
    "cheap": _is_cheap,
}
