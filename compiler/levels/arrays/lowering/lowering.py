"""A function of arrays is interpreted with *staged* values: what comes out is its IR.

As `compiler.levels.arrays.interpret` does, it evaluates what something that is evaluated needs,
once for each call of the lambda that it depends on; but numbers are variables, and arrays are code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from compiler.levels.arrays.facts import cannot_fault, is_total
from compiler.levels.arrays.interpret import strict
from compiler.levels.arrays.lowering import calls, indexed, reductions, structures, terminals
from compiler.levels.arrays.lowering.arena import Arena
from compiler.levels.arrays.lowering.code import Code
from compiler.levels.arrays.lowering.context import Place
from compiler.levels.arrays.lowering.memory import length_of, stored
from compiler.levels.arrays.lowering.once import once
from compiler.levels.arrays.lowering.sharing import Sharing
from compiler.levels.arrays.lowering.staged import (
    NO_INDEX,
    ArrayValue,
    Closure,
    Frame,
    LengthOf,
    Operand,
    Packed,
    Position,
    Segmented,
    Shape,
    Staged,
    same,
)
from compiler.levels.arrays.lowering.storing import Use, Uses, uses
from compiler.levels.arrays.lowering.team import Team
from compiler.levels.arrays.operations.calls import If, Lambda
from compiler.levels.arrays.operations.hierarchy import Elementwise
from compiler.levels.arrays.operations.scalars import Parameter
from compiler.levels.arrays.operations.structural import Item, MakeTuple
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import Array, GraphType, holds
from machines.diagnostics import input_error

_FILES = (terminals, structures, indexed, reductions)
"""What adds to `terminals.lower`, so that all of it is there."""
MOST_VARIABLES = 200_000
"""Of an IR function; functions that call each other twice at every level multiply."""
MOST_IN_ARM = 4
"""Operations of an arm that is computed whether it is taken or not."""
_NO_USE = Use()


class Lowering:
    """One function being lowered.

    allow    'unchecked': indices are taken to be in range; 'reassociate'
    refuted  assumptions that do not hold (see `staged.NotAsAssumed`)
    chosen   a mask's key -> arrays from which lanes are taken where it is true, and where not
    place    for what code is emitted now
    team     the threads that execute the function together, if there are several
    """

    def __init__(
        self,
        code: Code,
        graph: Graph,
        function: Symbol,
        allow: frozenset[str],
        refuted: frozenset[object],
    ):
        self.code = code
        self.allow = allow
        self.refuted = refuted
        self.chosen: dict[object, tuple[list[ArrayValue], list[ArrayValue]]] = {}
        self.place = Place(code.builder.location)
        self.arena = Arena(code)
        self.team: Team | None = None
        self._uses: dict[int, Uses] = {}
        self._sharing: dict[int, Sharing] = {}
        self._look_at(graph, function)
        self._plans: dict[tuple[int, Symbol], list[Symbol]] = {}
        self._totals: dict[int, dict[Symbol, bool]] = {}

    def _look_at(self, graph: Graph, function: Symbol) -> None:
        self._uses[id(graph)] = uses(graph, function)
        self._sharing[id(graph)] = Sharing(graph, self._uses[id(graph)])

    # Definitions and calls

    def call(self, closure: Closure, values: Sequence[Staged]) -> Staged:
        """What a lambda gives for values; raises InputError if so much has been inlined already
        that nobody could compile it."""
        graph = closure.frame.graph
        node = graph[closure.function]
        if len(self.code.builder.function.types) > MOST_VARIABLES:
            raise input_error(
                f"more than {MOST_VARIABLES} variables, as every call is inlined",
                self.place.location,
                hint="call a function from a loop instead of from many places",
            )
        parameters = node.operation.parameters
        bound = {
            p: self._settled(graph, p, value) for p, value in zip(parameters, values, strict=True)
        }
        return self.value(
            node.arguments[0], self.frame(closure.frame, frozenset(parameters), bound)
        )

    def frame(self, outer: Frame, parameters: frozenset[Symbol], values: dict) -> Frame:
        """A call that is made here, of a lambda that is defined in another one."""
        return Frame(outer.graph, parameters, values, outer, *self._depths())

    def _depths(self) -> tuple[int, int]:
        return len(self.code.loops), self.arena.iterations

    def call_closed(self, graph: Graph, function: Symbol, values: Sequence[Staged]) -> Staged:
        """What a lambda of another graph, which captures nothing, gives."""
        if id(graph) not in self._uses:
            self._look_at(graph, function)
        outermost = Frame(graph, frozenset(), {}, None, *self._depths())
        return self.call(Closure(function, outermost), values)

    def value(self, symbol: Symbol, frame: Frame) -> Staged:
        """The value of a symbol in a call."""
        found = self._known(symbol, frame)
        if found is not None:
            return found[symbol]

        def is_last(one: Symbol) -> bool:
            return self.is_known(one, frame) or self._is_shared(one, self._home(one, frame))

        for needed in strict(frame.graph, [symbol], is_last):
            if not self.is_known(needed, frame):
                home = self._home(needed, frame)
                how = self._once if self._is_shared(needed, home) else self._evaluate
                self.code.remember(home.values, needed, how(needed, home))
        return self._known(symbol, frame)[symbol]

    def _is_shared(self, symbol: Symbol, home: Frame) -> bool:
        """Whether a loop inside of the call that defines a symbol needs it, in some of its
        iterations perhaps, and would compute it anew in each of these."""
        if home.loops == len(self.code.loops):
            return False
        return self._sharing[id(home.graph)].takes_long(symbol)

    def _once(self, symbol: Symbol, home: Frame) -> Staged:
        """A value that is computed by the first iteration that needs it."""
        graph = home.graph
        node = graph[symbol]

        def compute() -> Staged:
            for argument in node.arguments:
                self.value(argument, home)
            return self._evaluate(symbol, home)

        with self.at(Place(node.location, (id(graph), symbol))):
            return once(self, (home, symbol), node.type, home.loops, home.iterations, compute)

    def is_known(self, symbol: Symbol, frame: Frame) -> bool:
        """Whether a symbol's value is there."""
        return self._known(symbol, frame) is not None

    def _known(self, symbol: Symbol, frame: Frame | None) -> dict | None:
        while frame is not None:
            if symbol in frame.values:
                return frame.values
            frame = frame.outer
        return None

    def _home(self, symbol: Symbol, frame: Frame) -> Frame:
        """The innermost call on whose parameters a symbol depends, or the outermost; or what has
        been prepared for calls, as the symbol may need that."""
        free = frame.graph[symbol].free
        while frame.outer is not None and frame.own.isdisjoint(free) and not frame.is_prepared:
            frame = frame.outer
        return frame

    def _plan(self, graph: Graph, symbol: Symbol) -> list[Symbol]:
        key = (id(graph), symbol)
        if key not in self._plans:
            self._plans[key] = strict(graph, [symbol])
        return self._plans[key]

    def _evaluate(self, symbol: Symbol, frame: Frame) -> Staged:
        graph = frame.graph
        node = graph[symbol]
        if isinstance(node.operation, Lambda):
            return Closure(symbol, frame)
        values = [self._known(a, frame)[a] for a in node.arguments]
        with self.at(Place(node.location, (id(graph), symbol))):
            if node.operation.is_terminal:
                types = [*(graph.type(a) for a in node.arguments), node.type]
                made = terminals.lower(node.operation, self, types, *values)
                if isinstance(made, ArrayValue) and cannot_fault(graph, symbol):
                    made.faults = any(v.faults for v in values if isinstance(v, ArrayValue))
            else:
                made = calls.lower(node.operation, self, symbol, frame, *values)
            return self._settled(graph, symbol, made)

    def _settled(self, graph: Graph, symbol: Symbol, value: Staged) -> Staged:
        """A value as it is kept: an array that is better stored is."""
        if not isinstance(value, ArrayValue) or value.words is not None:
            return value
        use = self._uses[id(graph)].of.get(symbol, _NO_USE)
        again = use.repeats or len(use.loops) > 1 or use.is_picked
        whole = len(use.loops) == 1 and not use.is_partly and not use.is_picked
        if (value.cost > terminals.CHEAP and again) or (value.faults and not whole):
            return stored(self, value, graph.type(symbol).element)
        return value

    def hoist(self, *functions: Closure) -> None:
        """Evaluate what lambdas that are called often capture and what cannot fault."""
        for function in functions:
            graph = function.frame.graph
            totals = self._totals.setdefault(id(graph), {})
            for symbol in self._captured(function):
                if is_total(graph, symbol, totals):
                    self.value(symbol, function.frame)

    def is_cheap(self, arm: Closure) -> bool:
        """Whether to compute an arm costs no more than to branch around it: few operations of
        scalars that cannot fault."""
        count = self._operations(arm.frame, arm.function)
        return count is not None and count <= MOST_IN_ARM and self.is_total(arm)

    def _operations(self, frame: Frame, arm: Symbol) -> int | None:
        """How many operations of scalars an arm computes, arms of its branches included; None if
        there are others."""
        graph, count = frame.graph, 0
        for symbol in self._plan(graph, graph[arm].arguments[0]):
            node = graph[symbol]
            if self.is_known(symbol, frame) or not node.arguments:
                continue
            if isinstance(node.operation, If):
                inside = [self._operations(frame, a) for a in node.arguments[1:3]]
                if holds(node.type, Array) or None in inside:
                    return None
                count += sum(inside)
            elif isinstance(node.operation, Lambda):
                continue
            elif not isinstance(node.operation, Elementwise | MakeTuple | Item):
                return None
            count += 1
            if count > MOST_IN_ARM:
                break
        return count

    def evaluate_common(self, then: Closure, other: Closure) -> None:
        """Evaluate what both arms of a branch certainly need."""
        graph, frame = then.frame.graph, then.frame
        if other.frame is not frame:
            return
        plans = [self._plan(graph, graph[arm.function].arguments[0]) for arm in (then, other)]
        common = frozenset(plans[1])
        for symbol in plans[0]:
            if symbol in common and self._is_defined(symbol, frame):
                self.value(symbol, frame)

    def _is_defined(self, symbol: Symbol, frame: Frame) -> bool:
        """Whether a definition depends only on parameters that have values."""
        node = frame.graph[symbol]
        return not isinstance(node.operation, Parameter) and all(
            self.is_known(parameter, frame) for parameter in node.free
        )

    def needed(self, function: Closure) -> list[Symbol]:
        """What a lambda captures, and needs whenever it is called."""
        graph = function.frame.graph
        certain = frozenset(self._plan(graph, graph[function.function].arguments[0]))
        return [symbol for symbol in self._captured(function) if symbol in certain]

    def hoist_needed(self, *functions: Closure) -> None:
        """Evaluate what lambdas that are certainly called need, and capture."""
        for function in functions:
            for symbol in self.needed(function):
                self.value(symbol, function.frame)

    def _captured(self, function: Closure) -> list[Symbol]:
        graph = function.frame.graph
        captured = self._uses[id(graph)].captured.get(function.function, ())
        return [symbol for symbol in captured if self._is_defined(symbol, function.frame)]

    def kept(self, value: Staged, type: GraphType) -> Staged:
        """A value that a loop is about to use in every iteration."""
        if isinstance(value, ArrayValue) and (value.cost > terminals.CHEAP or value.faults):
            return stored(self, value, type.element)
        return value

    # Arrays

    def same(self, one: Shape, other: Shape) -> bool:
        """Whether two shapes are known to have the same positions."""
        return same(one, other, self.code.equal)

    def element(self, array: ArrayValue, position: Position) -> Staged:
        """The element of an array at a position of its shape, or of one that is as long."""
        if array not in position.known:
            if self.same(array.shape, position.shape):
                value = array.at(position)
            else:
                if position.index == NO_INDEX or array.index is None:
                    raise RuntimeError(f"{array.shape} is not gone through as {position.shape} is")
                value = array.index(position.index)
            self.code.remember(position.known, array, value)
        return position.known[array]

    def per_position(self, make: Callable[[Position], Staged]) -> Callable[[Position], Staged]:
        """The same value each time that something at a position is asked for."""

        def at(position: Position) -> Staged:
            if at not in position.known:
                self.code.remember(position.known, at, make(position))
            return position.known[at]

        return at

    def inside(self, outer: Position, inner: Position, shape: Segmented) -> Position:
        """The position of a segmented shape that is a place in a row; it has no index."""
        key = (inner, shape.key)
        if key not in outer.known:
            self.code.remember(outer.known, key, Position(shape, NO_INDEX, outer, inner))
        return outer.known[key]

    def packed(self, base: Position, shape: Packed) -> Position:
        """The position of a packed shape at a place where its mask is true; it has no index."""
        key = ("packed", shape.mask.key)
        if key not in base.known:
            self.code.remember(base.known, key, Position(shape, NO_INDEX, base))
        return base.known[key]

    # What is known

    def is_total(self, function: Closure) -> bool:
        """Whether a lambda cannot fault, whatever it is called with."""
        graph = function.frame.graph
        totals = self._totals.setdefault(id(graph), {})
        return is_total(graph, graph[function.function].arguments[0], totals)

    def has_arrays(self, function: Closure) -> bool:
        """Whether a lambda makes arrays, other than those that it captures."""
        graph = function.frame.graph
        return any(
            holds(graph.type(symbol), Array) and not self.is_known(symbol, function.frame)
            for symbol in graph.reached([graph[function.function].arguments[0]])
            if not isinstance(graph[symbol].operation, Lambda)
        )

    def as_length(self, operand: Operand) -> Operand:
        """Note that a number is a length."""
        if isinstance(operand, str):
            self.code.lengths.add(operand)
        return operand

    def is_length(self, value: Staged) -> bool:
        """Whether a value is a number that is certainly not negative."""
        if isinstance(value, str):
            return value in self.code.lengths
        return isinstance(value, LengthOf) or (type(value) is int and value >= 0)

    def number(self, value: Staged) -> Operand:
        """A scalar as an operand; a length that nobody has counted is counted."""
        if isinstance(value, LengthOf):
            return self.as_length(length_of(self, value.shape))
        return value

    @contextmanager
    def at(self, place: Place) -> Iterator[None]:
        """What is emitted inside is emitted for a definition."""
        before = self.place
        self.place = place if place.location else Place(before.location, place.origin)
        self.code.builder.location = self.place.location
        yield
        self.place = before
        self.code.builder.location = before.location
