"""From a function of a graph program to one of the IR.

    func @f(x: ptr, x.length: i64, …, scratch: ptr, scratch.size: i64) -> i64

The parameters are those that `machines.array_types.arguments` names.  The words of the result stand at the begin
of the arena, 8 bytes each, and arrays behind them.  It returns 0, or the number of the fault that
stopped it, from 1 in the order of `Lowered.faults`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from compiler.graph.lowering.code import Code
from compiler.graph.lowering.lowering import Lowering
from compiler.graph.lowering.memory import ARENA, ARENA_SIZE, given, store, words_of
from compiler.graph.lowering.staged import Closure, Frame
from machines.array_types import arguments, words
from compiler.graph.table import Graph, Symbol
from compiler.graph.types import GraphType
from compiler.ir.builder import Builder
from compiler.ir.module import Function
from machines.diagnostics import Location
from machines.types import I1, I8, I64, PTR

_DEPTH = 100_000
"""Python calls that nested definitions may take; definitions stand thousands behind each other."""


@dataclass(frozen=True)
class Lowered:
    """What lowering found of a function.

    parameters  name and type of each
    result      type of the result
    faults      what a run may end with: kind and source place
    """

    parameters: tuple[tuple[str, GraphType], ...]
    result: GraphType
    faults: tuple[tuple[str, Location | None], ...]


def ir_parameters(graph: Graph, function: Symbol) -> list[tuple[str, object]]:
    """The IR's parameters of a function of a graph."""
    found = []
    for parameter in graph[function].operation.parameters:
        name, type = graph[parameter].operation.name, graph.type(parameter)
        found += [(name, PTR if word is None else word) for name, word in arguments(type, name)]
    return [*found, (ARENA, PTR), (ARENA_SIZE, I64)]


def lower_into(function: Function, graph: Graph, symbol: Symbol) -> Lowered:
    """Write the blocks of an IR function, whose parameters become those of a lambda that captures
    nothing."""
    function.parameters = ir_parameters(graph, symbol)
    function.types = dict(function.parameters)
    function.result = I64
    builder = Builder(function)
    code = Code(builder)
    node = graph[symbol]
    builder.location = node.location
    builder.block("entry", node.location)
    low = Lowering(code, graph, symbol)
    parameters = [
        (graph[p].operation.name, graph.type(p)) for p in node.operation.parameters
    ]
    low.lengths.update(n for n, _ in function.parameters if n.endswith(".length"))
    result = graph[node.arguments[0]]
    with _deep():
        low.arena.begin(result.type)
        values = [given(code, type, name) for name, type in parameters]
        made = low.call(Closure(symbol, Frame(graph, frozenset(), {}, None)), values)
        with low.at(result.location):
            held = words_of(low, result.type, made)
            for k, (word, value) in enumerate(zip(words(result.type), held, strict=True)):
                if word is I1:
                    value = code.emit("zext.i1.i8", value) if isinstance(value, str) else value
                    word = I8
                pointer = code.address(ARENA, k, 8)
                builder.emit(f"store.{word}", pointer, value)
    builder.location = node.location
    builder.return_(0)
    code.finish()
    return Lowered(tuple(parameters), result.type, tuple(code.faults))


@contextmanager
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
