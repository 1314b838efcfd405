"""What is known while a function is read: the file's names, and the function's own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce

from compiler.levels.arrays.facts import cannot_fault
from compiler.levels.arrays.language.emit import Emitter, lower
from compiler.levels.arrays.language.kinds import (
    ArrayOf,
    Callee,
    Closure,
    Found,
    FunctionOf,
    Kind,
    Made,
    Named,
    Parts,
    TupleOf,
    Written,
    graph_type,
    scalars,
)
from compiler.levels.arrays.operations.hierarchy import Operation
from compiler.levels.arrays.operations.structural import Item, MakeArray, MakeTuple
from compiler.levels.arrays.primitives import Primitive
from compiler.levels.arrays.table import Graph
from compiler.python_syntax import conversions
from compiler.python_syntax.errors import Refused, Source
from compiler.python_syntax.scalars import common
from compiler.python_syntax.scope import IMPORTABLE, Declarations
from compiler.python_syntax.tree import Constant, Read, Value

Primitives = Mapping[str, Primitive]
MOST_PARTS = 256
"""Scalars and arrays of scalars in a tuple, with those of the tuples in it."""


@dataclass(eq=False)
class Program:
    """A file while it is read.

    declarations  its constants, as the kernel front end's checks want them
    function      gives the symbol of a function, read now if it has not been
    find          whether the library has a function of a name; it is then among the headers
    inlined       calls of lambdas so far
    headers       parameters and result of every function, by name
    kernels       names of the kernels beside them
    primitives    those that files of rules declare, by name
    tables        declarations of the file's constant tables, by name
    takers        functions that take functions, by name, whose bodies are read at their calls
    taking        those whose bodies are being read
    """

    graph: Graph
    source: Source
    declarations: Declarations
    function: Callable[[ast.AST, str], int]
    find: Callable[[str], bool]
    inlined: int = 0
    headers: dict[str, tuple[dict[str, Kind | FunctionOf], Kind]] = field(default_factory=dict)
    kernels: set[str] = field(default_factory=set)
    primitives: Primitives = field(default_factory=dict)
    tables: dict[str, ast.AnnAssign] = field(default_factory=dict)
    takers: dict[str, ast.FunctionDef] = field(default_factory=dict)
    taking: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        graph: Graph,
        source: Source,
        function: Callable[[ast.AST, str], int],
        find: Callable[[str], bool],
    ) -> Program:
        return cls(graph, source, Declarations(source, imported=set(IMPORTABLE)), function, find)


@dataclass(eq=False)
class Scope:
    """The names of a function, at one place of it.

    values  what those are that have a value on every way to this place
    kinds   the type each name keeps once it has one, wherever it is assigned
    result  what the function gives
    """

    program: Program
    values: dict[str, Found | Callee]
    kinds: dict[str, Kind]
    result: Kind

    @property
    def source(self) -> Source:
        return self.program.source

    @property
    def graph(self) -> Graph:
        return self.program.graph

    @property
    def declarations(self) -> Declarations:
        return self.program.declarations

    def branch(self, **values: Found) -> Scope:
        """Where other values may be given to names, which does not matter here."""
        return Scope(self.program, {**self.values, **values}, self.kinds, self.result)

    def inner(self) -> Scope:
        """Where names may be bound that have other types here."""
        return Scope(self.program, dict(self.values), dict(self.kinds), self.result)

    def names(self, name: str) -> bool:
        """That no name of programs of threads means something here."""
        return True

    def read(self, node: ast.Name) -> Value:
        """What the kernel front end's checks find for a name: the operand behind it."""
        return node.held

    @contextmanager
    def at(self, node: ast.AST) -> Iterator[None]:
        """Nodes that are added stand here."""
        before = self.graph.place
        self.graph.place = self.source.locate(node)
        try:
            yield
        finally:
            self.graph.place = before

    @contextmanager
    def perhaps(self) -> Iterator[None]:
        """What is added here may not be computed although what follows is."""
        before = len(self.graph)
        yield
        added = range(before + 1, len(self.graph) + 1)
        self.graph.aside.update(s for s in added if not cannot_fault(self.graph, s))

    def add(self, operation: Operation, *symbols: int) -> int:
        return self.graph.add(operation, *symbols)

    def arm(self, symbol: int) -> int:
        """A lambda without parameters: what is done if it is called."""
        return self.graph.function([], symbol)

    def parameter(self, name: str, kind: Kind) -> tuple[int, Found]:
        """A parameter's symbol, and its value."""
        symbol = self.graph.parameter(name, graph_type(kind))
        return symbol, self.value(symbol, kind)

    def value(self, symbol: int, kind: Kind) -> Found:
        """What a symbol of such a type stands for."""
        if isinstance(kind, ArrayOf | TupleOf):
            return Made(symbol, kind)
        return Read(str(symbol), type=kind, location=self.graph.place)

    def typed(self, node: ast.AST, found: Found) -> Found:
        """A value whose literals have the types they take when nothing gives them one."""
        if isinstance(found, Closure | Named):
            self.source.refuse(
                node, "a function is called, not stored", "call it, or pass it to map or reduce"
            )
        if isinstance(found, Parts):
            return Parts(tuple(self.typed(node, part) for part in found.values))
        return conversions.alone(self.source, node, found) if isinstance(found, Value) else found

    def hold(self, node: ast.AST, found: Found) -> tuple[int, Kind]:
        """The symbol and the type of a value."""
        found = self.typed(node, found)
        match found:
            case Made():
                return found.symbol, found.kind
            case Written():
                return self._written(found, self._element_kind(found))
            case Parts():
                parts = [self.hold(node, part) for part in found.values]
                symbol = self.add(MakeTuple(), *(symbol for symbol, _ in parts))
                return symbol, self.tuple_of(node, [kind for _, kind in parts])
        emitter = Emitter(self.graph)
        return emitter.symbol(lower(emitter, found), found.type.type), found.type

    def _element_kind(self, found: Written) -> Kind:
        """The type of what is written: numbers meet as in arithmetic, all else has one."""
        if not all(isinstance(value, Value) for value in found.values):
            return self.kind(found.nodes[0], found.values[0])
        types = [value.type for value in found.values if value.type is not None]
        if not types:
            typed = map(self.typed, found.nodes, found.values)
            types = [value.type for value in typed]
        return types[0] if len(set(types)) == 1 else reduce(common, types)

    def _written(self, found: Written, element: Kind) -> tuple[int, Kind]:
        """An array of such elements, each as one of a type."""
        symbols = []
        for node, value in zip(found.nodes, found.values, strict=True):
            held = self.assign(node, value, element, "an element of the list")
            symbols.append(self.hold(node, held)[0])
        return self.add(MakeArray(), *symbols), ArrayOf(element)

    def held(self, node: ast.AST, found: Found) -> Found:
        """A value that is computed once and has a type; no literal any more."""
        return self.value(*self.hold(node, found))

    def kind(self, node: ast.AST, found: Found) -> Kind:
        return self.hold(node, found)[1]

    def tuple_of(self, node: ast.AST, kinds: list[Kind]) -> TupleOf:
        """The type of a tuple; tuples of tuples double with every line."""
        if sum(map(scalars, kinds)) > MOST_PARTS:
            self.source.refuse(node, f"a tuple has more than {MOST_PARTS} parts in all")
        return TupleOf(tuple(kinds))

    def parts(self, found: Found) -> tuple[Found, ...] | None:
        """The parts of a tuple; None: it is none."""
        if isinstance(found, Parts):
            return found.values
        if isinstance(found, Made) and isinstance(found.kind, TupleOf):
            kinds = enumerate(found.kind.parts)
            return tuple(self.value(self.add(Item(i), found.symbol), kind) for i, kind in kinds)
        return None

    def assign(
        self, node: ast.AST, found: Found, kind: Kind, what: str, hint: str | None = None
    ) -> Found:
        """The value as one of a type that holds all of it; refuses otherwise."""
        if isinstance(found, Value) and not isinstance(kind, ArrayOf | TupleOf):
            made = conversions.assignable(self.source, node, found, kind, what, hint)
            return made if isinstance(made, Constant) else self.held(node, made)
        if isinstance(found, Made) and found.kind == kind:
            return found
        if isinstance(found, Written) and isinstance(kind, ArrayOf):
            return self.value(*self._written(found, kind.element))
        parts = None if isinstance(found, Closure | Named) else self.parts(found)
        if isinstance(kind, TupleOf) and parts is not None and len(parts) == len(kind.parts):
            nodes = node.elts if isinstance(node, ast.Tuple) else [node] * len(parts)
            if not isinstance(node, ast.Tuple):
                hint = f"make a tuple of converted parts of {self.source.quote(node)}"
            triples = enumerate(zip(nodes, parts, kind.parts, strict=True))
            return Parts(
                tuple(self.assign(*own, f"part {k} of {what}", hint) for k, own in triples)
            )
        given, hint = self.kind(node, found), None
        if isinstance(given, ArrayOf) and isinstance(kind, ArrayOf):
            if isinstance(given.element, ArrayOf | TupleOf):
                hint = "convert the elements in a comprehension"
            else:
                hint = f"write [{kind.element}(x) for x in {self.source.quote(node)}]"
        return self.source.refuse(node, f"{what} is {kind}, not {given}", hint)

    def broken(self, name: str) -> None:
        """Leaves, without a further finding, if a name's declaration was refused."""
        if name in self.declarations.broken:
            raise Refused
