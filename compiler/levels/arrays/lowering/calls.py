"""What lambdas and their calls are lowered to: calls are inlined, branches and loops are made.

A loop of all lanes (`while.each`, `fold.each`) is a loop inside of each lane: its vectorized
lambdas take any number of lanes, so they are called with arrays of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from compiler.levels.arrays.lowering.arena import Halves
from compiler.levels.arrays.lowering.choices import choice, selected
from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import for_each, once_for_all, value_of, words_of
from compiler.levels.arrays.lowering.staged import (
    ArrayValue,
    Closure,
    Flat,
    Frame,
    NotAsAssumed,
    Operand,
    Position,
    Shape,
    Staged,
)
from compiler.levels.arrays.lowering.terminals import LOOP, together
from compiler.levels.arrays.operations.calls import Apply, Fold, FoldEach, If, Map, While, WhileEach
from compiler.levels.arrays.operations.hierarchy import Operation
from compiler.levels.arrays.operations.scalars import Row
from compiler.levels.arrays.table import Symbol
from compiler.levels.arrays.types import Array, GraphType, Tuple, holds
from machines.levels.arrays.types import words
from machines.types import I1, I64


@singledispatch
def lower(
    operation: Operation, low: Context, symbol: Symbol, frame: Frame, *values: Staged
) -> Staged:
    """The value of a node that calls lambdas."""
    raise NotImplementedError(f"no lowering for '{operation}'")


@lower.register(Apply)
def _(operation: Apply, low: Context, symbol: Symbol, frame: Frame, *values: Staged) -> Staged:
    function, *arguments = values
    return low.call(function, arguments)


@lower.register(If)
def _(operation: If, low: Context, symbol: Symbol, frame: Frame, *values: Staged) -> Staged:
    condition, then, other, *arguments = values
    type = frame.graph.type(symbol)
    low.evaluate_common(then, other)
    if not holds(type, Array) and low.is_cheap(then) and low.is_cheap(other):
        made = [low.call(arm, arguments) for arm in (then, other)]
        return selected(low, condition, type, *made)
    return choice(
        low,
        condition,
        type,
        lambda: low.call(then, arguments),
        lambda: low.call(other, arguments),
    )


@lower.register(Map)
def _(operation: Map, low: Context, symbol: Symbol, frame: Frame, *values: Staged) -> Staged:
    function, *arrays = values
    types = [frame.graph.type(a) for a in frame.graph[symbol].arguments[1:]]
    low.hoist(function)
    shape, arrays = together(low, arrays, types)
    function = _prepared(low, function, shape)
    place = low.place

    def at(position: Position) -> Staged:
        with low.at(place):
            return low.call(function, [low.element(array, position) for array in arrays])

    def index(k: Operand) -> Staged:
        with low.at(place):
            return low.call(function, [array.index(k) for array in arrays])

    has_index = all(array.index is not None for array in arrays)
    made = ArrayValue(shape, at, index if has_index else None, cost=LOOP)
    made.faults = any(a.faults for a in arrays) or not low.is_total(function)
    made.distinct = arrays[0].distinct and _is_sum(function)
    return made


def _is_sum(function: Closure) -> bool:
    """Whether a lambda adds something that is always the same to its parameter."""
    graph = function.frame.graph
    node = graph[function.function]
    parameter, body = node.operation.parameters[0], graph[node.arguments[0]]
    if body.operation not in (Row("add.i64"), Row("sub.i64")):
        return False
    fixed = [a for a in body.arguments if graph[a].free.isdisjoint(node.operation.parameters)]
    return len(fixed) == 1 and parameter in body.arguments


def _prepared(low: Context, function: Closure, shape: Shape) -> Closure:
    """The lambda, with what it captures and certainly needs evaluated, if there is an element."""
    needed = [s for s in low.needed(function) if not low.is_known(s, function.frame)]
    if not needed or not isinstance(shape, Flat):
        return function
    own = low.frame(function.frame, frozenset(), {})
    own.is_prepared = True

    def evaluate() -> None:
        for symbol in needed:
            own.values[symbol] = low.value(symbol, function.frame)

    low.code.choose(low.code.emit("gt_s.i64", shape.length, 0), evaluate)
    return Closure(function.function, own)


class _States:
    """The state of a loop in variables."""

    def __init__(self, low: Context, types: Sequence[GraphType], values: Sequence[Staged]):
        self.low, self.types = low, tuple(types)
        self.type = Tuple(self.types)
        self.held = [low.code.builder.fresh("state", word) for word in words(self.type)]
        self._begin = words_of(low, self.type, tuple(values))
        self._assign(self._begin)
        self._assumed = self._lengths(low)
        self._has_arrays = holds(self.type, Array)
        self._halves: Halves | None = None
        if self._has_arrays:
            self._end = low.code.emit("copy.i64", low.arena.end)
            self._in_second = low.code.variable("second", I1, 0)
            self._floor = low.code.variable("floor", I64, 0)

    @property
    def values(self) -> tuple:
        """The states as an iteration begins, in variables that stay what they are."""
        return self._values(moves=True)

    def _values(self, moves: bool) -> tuple:
        emit = self.low.code.builder.emit
        now = [
            self._assumed[k][0] if k in self._assumed else emit(f"copy.{word}", name)
            for k, (word, name) in enumerate(zip(words(self.type), self.held, strict=True))
        ]
        return value_of(self.low, self.type, now, moves)

    def become(self, values: Sequence[Staged]) -> None:
        """All states at once."""
        new = words_of(self.low, self.type, tuple(values))
        for k, (length, origin) in self._assumed.items():
            if not self.low.same(Flat(new[k]), Flat(length)):
                raise NotAsAssumed(origin)
        self._assign(new)

    def _move_to_first(self) -> None:
        self._halves.take_first()
        self._assign(words_of(self.low, self.type, self.values))

    def _lengths(self, low: Context) -> dict[int, tuple[Operand, object]]:
        """Which words are lengths that are assumed to stay what they are, as states over lanes do,
        with what they are and what assumes it."""
        found, at = {}, 0
        for k, part in enumerate(self.types):
            origin = (low.place.origin, k)
            if isinstance(part, Array) and origin not in low.refuted:
                found[at] = self._begin[at], origin
            at += len(words(part))
        return found

    def _assign(self, new: Sequence[Operand]) -> None:
        for name, word, value in zip(self.held, words(self.type), new, strict=True):
            self.low.code.assign(name, word, value)

    def iteration(self, do: Callable[[], None]) -> None:
        """An iteration of the loop, whose memory is given back but for new states."""
        if self._halves is None:
            self.low.arena.iteration(do)
        else:
            self._halves.begin_iteration()
            with self.low.arena.inside(self._halves):
                do()
            emit, end_of_next = self.low.code.builder.emit, self._halves.bounds[1]
            emit("eq.i64", end_of_next, self._halves.middle, result=self._in_second)

    def begin(self) -> None:
        """Before the first iteration."""
        if self._has_arrays:
            self._halves = self.low.arena.halves(self._floor)

    def end(self) -> tuple:
        """The states, once the loop has ended; they lie in the first half, so that the second one
        is not lost, unless something that stays lies there."""
        if self._halves is not None:
            self._leave_second()
            self.low.code.assign(self.low.arena.end, I64, self._end)
        return self._values(moves=False)

    def _leave_second(self) -> None:
        code, top = self.low.code, self.low.arena.top
        move = lambda: code.choose(self._in_second, self._move_to_first)  # noqa: E731
        if not self._halves.keeps:
            move()
            return
        stays = code.emit("ne.i64", self._floor, 0)
        above = lambda: code.builder.emit("max_s.i64", top, self._floor, result=top)  # noqa: E731
        code.choose(stays, above, move)


@lower.register(While)
def _(operation: While, low: Context, symbol: Symbol, frame: Frame, *values: Staged) -> Staged:
    test, step, *begin = values
    low.hoist_needed(test)
    low.hoist(step)
    types = [frame.graph.type(a) for a in frame.graph[symbol].arguments[2:]]

    def loop() -> tuple:
        states = _States(low, types, begin)

        def before() -> None:
            low.hoist_needed(step)
            states.begin()

        low.code.repeat(
            lambda: low.arena.iteration(lambda: low.call(test, states.values)),
            lambda: states.iteration(lambda: states.become(low.call(step, states.values))),
            before,
        )
        return states.end()

    return _by_one_or_all(low, types, (test, step), loop)


def _by_one_or_all(
    low: Context,
    types: Sequence[GraphType],
    functions: Sequence[Closure],
    loop: Callable[[], tuple],
) -> tuple:
    """The states that a loop ends with.  One thread goes through it if it is of scalars alone, and
    all do if it has arrays, whose elements they share."""
    state = Tuple(tuple(types))
    if holds(state, Array) or any(map(low.has_arrays, functions)):
        return loop()
    held = once_for_all(low, words(state), lambda: words_of(low, state, loop()))
    return value_of(low, state, held)


@lower.register(Fold)
def _(operation: Fold, low: Context, symbol: Symbol, frame: Frame, *values: Staged) -> Staged:
    step, array, *begin = values
    low.hoist(step)
    types = [frame.graph.type(a) for a in frame.graph[symbol].arguments[2:]]

    def loop() -> tuple:
        states = _States(low, types, begin)

        def before() -> None:
            if isinstance(array.shape, Flat):
                low.hoist_needed(step)
            states.begin()

        def iteration(position: Position) -> None:
            value = low.element(array, position)
            states.become(low.call(step, [value, *states.values]))

        for_each(
            low,
            array.shape,
            lambda position: states.iteration(lambda: iteration(position)),
            before,
            keep=True,
        )
        return states.end()

    return _by_one_or_all(low, types, (step,), loop)


def _one(value: Staged) -> ArrayValue:
    """An array of one lane."""
    return ArrayValue(Flat(1), lambda p: value, lambda k: value, cost=0)


def _only(low: Context, array: ArrayValue) -> Staged:
    """The element of an array of one."""
    return low.element(array, Position(array.shape, 0))


@lower.register(WhileEach)
def _(operation: WhileEach, low: Context, symbol: Symbol, frame: Frame, *values: Staged) -> Staged:
    test, step, *arrays = values
    low.hoist(test, step)
    types = [frame.graph.type(a) for a in frame.graph[symbol].arguments[2:]]
    shape, arrays = together(low, arrays, types)
    count = len(arrays) - operation.captured
    place = low.place

    def at(position: Position) -> Staged:
        elements = [
            low.kept(low.element(array, position), type.element)
            for array, type in zip(arrays, types, strict=True)
        ]
        captured = [_one(e) for e in elements[count:]]
        states = _States(low, [t.element for t in types[:count]], elements[:count])

        def called(function: Closure) -> Staged:
            lanes = [_one(value) for value in states.values]
            return _only(low, low.call(function, [*lanes, *captured]))

        with low.at(place):
            low.code.repeat(
                lambda: low.arena.iteration(lambda: called(test)),
                lambda: states.iteration(lambda: states.become(called(step))),
                states.begin,
            )
            return states.end()

    return ArrayValue(shape, at, cost=LOOP, faults=True)  # a loop need not end


@lower.register(FoldEach)
def _(operation: FoldEach, low: Context, symbol: Symbol, frame: Frame, *values: Staged) -> Staged:
    step, *arrays = values
    low.hoist(step)
    types = [frame.graph.type(a) for a in frame.graph[symbol].arguments[1:]]
    shape, arrays = together(low, arrays, types)
    count = len(arrays) - operation.captured
    place = low.place

    def at(position: Position) -> Staged:
        row, *elements = [low.element(array, position) for array in arrays]
        elements = [
            low.kept(value, type.element) for value, type in zip(elements, types[1:], strict=True)
        ]
        captured = [_one(e) for e in elements[count - 1 :]]
        states = _States(low, [t.element for t in types[1:count]], elements[: count - 1])

        def iteration(place: Position) -> None:
            lanes = [_one(value) for value in (low.element(row, place), *states.values)]
            states.become(_only(low, low.call(step, [*lanes, *captured])))

        with low.at(place):
            for_each(
                low,
                row.shape,
                lambda p: states.iteration(lambda: iteration(p)),
                states.begin,
                keep=True,
            )
            return states.end()

    faults = any(a.faults for a in arrays) or not low.is_total(step)
    return ArrayValue(shape, at, cost=LOOP, faults=faults)
