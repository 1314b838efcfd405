"""From a function of a graph program to one of the IR.

    func @f(x: ptr, …, scratch: ptr) -> i64

The arguments are passed as `machines.levels.arrays.types.passing` says.  It returns 0, or the
number of the fault that stopped it, from 1 in the order of `Lowered.faults`, and leaves the same in
the arena, as kernels of a grid return nothing.  A function of scalars alone may also become one
that takes and gives them in variables (`lower_scalars`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.levels.arrays.depth import deep
from compiler.levels.arrays.lowering.code import Code
from compiler.levels.arrays.lowering.context import Place
from compiler.levels.arrays.lowering.lowering import Lowering
from compiler.levels.arrays.lowering.memory import given, words_of
from compiler.levels.arrays.lowering.staged import Closure, Frame, NotAsAssumed, Operand
from compiler.levels.arrays.lowering.team import Team
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import GraphType
from machines.diagnostics import Location
from machines.levels.arrays.types import ARENA, Passing, arena_head, passing, words
from machines.types import I1, I64, PTR

Made = TypeVar("Made")


@dataclass(frozen=True)
class Lowered:
    """What lowering found of a function.

    faults  what a run may end with: kind and source place
    stored  how many columns it puts into the arena
    """

    faults: tuple[tuple[str, Location | None], ...]
    stored: int


def lower_into(
    function: Function,
    graph: Graph,
    symbol: Symbol,
    allow: frozenset[str] = frozenset(),
    width: int = 0,
) -> Lowered:
    """Write the blocks of an IR function, whose parameters become those of a lambda that captures
    nothing.

    width  threads of a warp, if all threads of a grid execute the function together
    """
    return _refuting(lambda refuted: _lower(function, graph, symbol, allow, width, refuted))


def lower_scalars(
    graph: Graph, symbol: Symbol, name: str
) -> tuple[Function, tuple[tuple[str, Location | None], ...]]:
    """A lambda of scalars, which captures nothing, as an IR function that returns once, at its end;
    and what it may fault with, for which that function has no blocks.

    Raises NoArena if it needs memory.
    """
    return _refuting(lambda refuted: _lower_scalars(graph, symbol, name, refuted))


def _refuting(lower: Callable[[frozenset[object]], Made]) -> Made:
    """Lower as often as something else turns out not to be as it was assumed."""
    refuted: frozenset[object] = frozenset()
    while True:
        try:
            return lower(refuted)
        except NotAsAssumed as error:
            refuted |= {error.origin}


def _lower_scalars(
    graph: Graph, symbol: Symbol, name: str, refuted: frozenset[object]
) -> tuple[Function, tuple[tuple[str, Location | None], ...]]:
    node = graph[symbol]
    parameters = [(graph[p].operation.name, graph.type(p)) for p in node.operation.parameters]
    function = Function(name, parameters, graph.type(node.arguments[0]), location=node.location)
    function.types = dict(parameters)
    builder = Builder(function)
    builder.location = node.location
    builder.block("entry", node.location)
    code = Code(builder)
    low = Lowering(code, graph, symbol, frozenset(), refuted)
    with deep(node.location, "lowered"):
        made = low.call_closed(graph, symbol, [parameter for parameter, _ in parameters])
        builder.return_(low.number(made))
    return function, code.faults


def _lower(
    function: Function,
    graph: Graph,
    symbol: Symbol,
    allow: frozenset[str],
    width: int,
    refuted: frozenset[object],
) -> Lowered:
    node = graph[symbol]
    parameters = tuple((graph[p].operation.name, graph.type(p)) for p in node.operation.parameters)
    passed = passing(parameters, together=width > 0)
    function.parameters = [
        *((c.name, PTR if c.is_column else c.leaf) for c in passed.in_registers),
        (ARENA, PTR),
    ]
    function.types = dict(function.parameters)
    function.noalias = frozenset(name for name, type in function.parameters if type is PTR)
    function.result, function.blocks = I64, {}
    builder = Builder(function)
    builder.location = node.location
    builder.block("entry", node.location)
    code = Code(builder)
    low = Lowering(code, graph, symbol, allow, refuted)
    _load_arguments(code, low, passed)
    if width:
        low.team = Team(code, low.arena, width, passed)
    result = graph[node.arguments[0]]
    with deep(node.location, "lowered"):
        low.arena.begin(arena_head(passed, result.type))
        values = [given(code, type, name) for name, type in parameters]
        made = low.call(Closure(symbol, Frame(graph, frozenset(), {}, None)), values)
        with low.at(Place(result.location)):
            held = words_of(low, result.type, made)
            store = lambda: _store_result(code, passed, result.type, held)  # noqa: E731
            store() if low.team is None else low.team.alone(store)
    builder.location = node.location
    if low.team is None:
        _end(code, passed, 0)
    else:
        builder.return_(0)  # other threads may be in a region still, and fault
        low.team.write_stop()
    code.finish(
        lambda number: _end(code, passed, number), lambda number: _note(code, passed, number)
    )
    return Lowered(code.faults, low.arena.taken)


def _load_arguments(code: Code, low: Lowering, passed: Passing) -> None:
    """Variables for what is passed in the arena, by name."""
    for k, carrier in enumerate(passed.in_arena):
        type = PTR if carrier.is_column else carrier.leaf
        pointer, builder = code.address(ARENA, k, 8), code.builder
        if type is I1:
            byte = builder.emit("load.i8", pointer)
            builder.emit("ne.i8", byte, 0, result=builder.declare(carrier.name, I1))
        else:
            builder.emit(f"load.{type}", pointer, result=builder.declare(carrier.name, type))
        code.stays(carrier.name)
        if carrier.is_length:
            low.as_length(carrier.name)


def _store_result(code: Code, passed: Passing, type: GraphType, held: list[Operand]) -> None:
    first = passed.result // 8
    for k, (word, value) in enumerate(zip(words(type), held, strict=True), first):
        pointer = code.address(ARENA, k, 8)
        if word is I1:
            byte = code.emit("zext.i1.i8", value) if isinstance(value, str) else value
            code.builder.emit("store.i8", pointer, byte)
        else:
            code.builder.emit(f"store.{word}", pointer, value)


def _end(code: Code, passed: Passing, number: int) -> None:
    """End the function with a number, which also stays in the arena."""
    _note(code, passed, number)
    code.builder.return_(number)


def _note(code: Code, passed: Passing, number: int) -> None:
    """Leave the number of a fault, or 0, in the arena."""
    code.builder.emit("store.i64", code.address(ARENA, passed.status // 8, 8), number)
