"""What lambdas and their calls are vectorized to: each non-terminal does it itself.

A condition or a number of iterations that is the same for all lanes leaves a branch or loop as it
is.  Else the lanes of each arm are packed, computed, and merged; a loop goes on with live lanes
only; a map over each lane's own array is one map over all elements, cut into rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from compiler.levels.arrays.facts import is_total
from compiler.levels.arrays.graph_interpreter import Context, GraphInterpreter
from compiler.levels.arrays.interpret import strict
from compiler.levels.arrays.operations.calls import (
    Apply,
    Fold,
    FoldEach,
    If,
    Lambda,
    Map,
    While,
    WhileEach,
)
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import Elementwise, Structural
from compiler.levels.arrays.operations.indexed import Filter, Gather, Index, Merge
from compiler.levels.arrays.operations.scalars import Parameter, Row, scalar_rows
from compiler.levels.arrays.operations.structural import (
    Flatten,
    Item,
    Length,
    MakeTuple,
    Replicate,
    Rows,
    Spread,
    Zip,
)
from compiler.levels.arrays.table import Symbol
from compiler.levels.arrays.types import Array, GraphType, Tuple
from machines.diagnostics import input_error
from machines.types import I64
from machines.types import Type as Scalar

CHEAP = 8
"""Operations of both arms together up to which computing both is less than packing lanes."""


def call(i: GraphInterpreter, symbol: Symbol, context: Context) -> Symbol:
    """The array over the lanes of a non-terminal's value."""
    operation = i.source[symbol].operation
    handler = _HANDLERS.get(type(operation))
    if handler is None:
        raise input_error(
            f"no vectorization rule for '{operation}'",
            i.source[symbol].location,
            hint="a kind of call that a plugin adds says itself how it is vectorized",
        )
    return handler(i, symbol, context)


def _function(i: GraphInterpreter, symbol: Symbol) -> tuple[tuple[Symbol, ...], Symbol]:
    """Parameters and result of a lambda of the source."""
    node = i.source[symbol]
    return node.operation.parameters, node.arguments[0]


# Calls -------------------------------------------------------------------------------------------


def _apply(i: GraphInterpreter, symbol: Symbol, context: Context) -> Symbol:
    """apply(f, a…) => apply(/f/, A…); /f/ is built once for each choice of what varies."""
    function, *arguments = i.source[symbol].arguments
    varies = [not i.is_uniform(a, context) for a in arguments]
    new, captured = i.function(function, varies, context, hoist=True)
    values = [
        i.many(a, context) if differs else i.one(a, context)
        for a, differs in zip(arguments, varies, strict=True)
    ]
    return _called(i, context, new, values, [i.many(c, context) for c in captured])


def _called(
    i: GraphInterpreter, context: Context, function: Symbol, values: list, captured: list
) -> Symbol:
    """The call of a vectorized lambda, which takes the lanes' indices where nothing varies."""
    wanted = len(i.result[function].operation.parameters)
    more = [i.indices(context)] if wanted > len(values) + len(captured) else []
    return i.result.add(Apply(), function, *values, *captured, *more)


def _map(i: GraphInterpreter, symbol: Symbol, context: Context) -> Symbol:
    """map(f, xs…) => rows(/f/(flatten(XS)…, spread(C, lengths)…), lengths).

    Several arrays are zipped first: a lane whose arrays are of unequal lengths faults, even if all
    lanes together have as many elements of each.
    """
    function, *arrays = i.source[symbol].arguments
    add = i.result.add
    vectors = [i.many(a, context) for a in arrays]
    if len(vectors) > 1:
        i.result.place = i.source[symbol].location
        pairs = add(Each(Zip()), *vectors)
        parts = range(len(vectors))
        vectors = [add(Rows(), _part(i, pairs, k), add(Each(Length()), pairs)) for k in parts]
    lengths = add(Each(Length()), vectors[0])
    once = _once_a_lane(i, function, lengths, context)
    varies = [True] * len(arrays)
    new, captured = i.function(function, varies, context, hoist=True, given=once)
    flat = [add(Flatten(), vector) for vector in vectors]
    taken = [once[c] if c in once else i.many(c, context) for c in captured]
    spread = [add(Spread(), vector, lengths) for vector in taken]
    return add(Rows(), add(Apply(), new, *flat, *spread), lengths)


def _once_a_lane(
    i: GraphInterpreter, function: Symbol, lengths: Symbol, context: Context
) -> dict[Symbol, Symbol]:
    """What a map's lambda certainly needs and captures, and what may fault: computed once for each
    lane that has an element.  Source symbol -> its array over the lanes, with anything where a lane
    has no element."""
    add, result = i.result.add, i.result
    parameters, body = _function(i, function)
    wanted = _captured_for_certain(i, parameters, body, context)
    if not wanted:
        return {}
    none = add(Replicate(), result.constant(0, I64), context.lanes())
    some = add(Each(Row("gt_s.i64")), lengths, none)
    lanes = i.indices(context)
    kept, left = (add(Filter(), lanes, m) for m in (some, add(Each(Row("not.i1")), some)))
    outside = i.captured(wanted, frozenset(), context, True)
    vectors = {s: add(Gather(), i.many(s, context), kept) for s in outside}
    inner = context.inner(lambda: add(Length(), kept), context.varying, vectors, {})
    computed = {symbol: i.many(symbol, inner) for symbol in wanted}
    return {
        symbol: add(Merge(), some, made, add(Replicate(), _any(i, symbol), add(Length(), left)))
        for symbol, made in computed.items()
    }


def _captured_for_certain(
    i: GraphInterpreter, parameters: Sequence[Symbol], body: Symbol, context: Context
) -> list[Symbol]:
    """What a lambda's result certainly needs of what is defined outside, may fault, takes long, and
    is not computed for all lanes anyway; not what is needed only for that."""
    own = frozenset(parameters)

    def is_there(symbol: Symbol) -> bool:
        return symbol in context.vector or symbol in context.strict

    def is_wanted(symbol: Symbol) -> bool:
        node = i.source[symbol]
        return (
            node.free.isdisjoint(own)
            and not isinstance(node.operation, Parameter | Lambda)
            and not is_total(i.source, symbol, i.total)
        )

    def is_long(symbol: Symbol) -> bool:
        # What cannot fault is computed outside anyway, and a few operations cost an element less
        # than packing costs a lane.
        inside = strict(i.source, [symbol], is_there)
        return any(
            not isinstance(i.source[s].operation, Elementwise | Structural | Index | Parameter)
            and not is_there(s)
            and not is_total(i.source, s, i.total)
            for s in inside
        )

    needed = strict(i.source, [body], lambda s: is_there(s) or is_wanted(s))
    return [s for s in needed if is_wanted(s) and not is_there(s) and is_long(s)]


def _any(i: GraphInterpreter, symbol: Symbol) -> Symbol:
    """A value of a symbol's type, which one does not matter."""

    def of(type: GraphType) -> Symbol:
        if isinstance(type, Array):
            return i.result.add(Replicate(), of(type.element), i.result.constant(0, I64))
        if isinstance(type, Tuple):
            return i.result.add(MakeTuple(), *map(of, type.parts))
        return i.result.constant(0, type)

    return of(i.source.type(symbol))


def _part(i: GraphInterpreter, pairs: Symbol, k: int) -> Symbol:
    """Of rows of tuples all k-th parts, in one array."""
    return i.result.add(Each(Item(k)), i.result.add(Flatten(), pairs))


# Branches ----------------------------------------------------------------------------------------


def _if(i: GraphInterpreter, symbol: Symbol, context: Context) -> Symbol:
    condition, then, other, *arguments = i.source[symbol].arguments
    if i.is_uniform(condition, context):
        arms = [_same_lanes(i, arm, arguments, context) for arm in (then, other)]
        return i.result.add(If(), i.one(condition, context), *arms)
    _needed_by_both(i, then, other, context)
    if _selectable(i, symbol, then, other, context):
        mask = i.many(condition, context)
        made = [_inline(i, arm, arguments, context) for arm in (then, other)]
        row = Row(f"select.{i.source.type(symbol)}")
        return i.result.add(Each(row), mask, *made)
    return _packed(i, condition, (then, other), arguments, context)


def _needed_by_both(i: GraphInterpreter, then: Symbol, other: Symbol, context: Context) -> None:
    """Compute the scalars that both arms certainly need for all lanes, before these are packed."""
    own = frozenset().union(*(_function(i, arm)[0] for arm in (then, other)))
    common = frozenset(_inside(i, other, context))
    for symbol in _inside(i, then, context):
        node = i.source[symbol]
        is_common = symbol in common and node.free.isdisjoint(own)
        if is_common and isinstance(node.operation, Elementwise):
            i.many(symbol, context)


def _selectable(
    i: GraphInterpreter, symbol: Symbol, then: Symbol, other: Symbol, context: Context
) -> bool:
    """Whether both arms are cheap scalars that cannot fault."""
    type = i.source.type(symbol)
    if not isinstance(type, Scalar) or f"select.{type}" not in scalar_rows():
        return False
    results = [i.source[arm].arguments[0] for arm in (then, other)]
    if not all(is_total(i.source, result, i.total) for result in results):
        return False
    inside = [s for arm in (then, other) for s in _inside(i, arm, context)]
    return len(inside) <= CHEAP and all(
        isinstance(i.source[s].operation, Elementwise) for s in inside
    )


def _inside(i: GraphInterpreter, arm: Symbol, context: Context) -> list[Symbol]:
    """What is computed to have an arm's result, besides what is there anyway."""

    def is_there(symbol: Symbol) -> bool:
        return symbol in context.vector or i.is_uniform(symbol, context)

    needed = strict(i.source, i.source[arm].arguments, is_there)
    return [s for s in needed if not is_there(s) and i.source[s].arguments]


def _bind(
    i: GraphInterpreter, function: Symbol, arguments: Sequence[Symbol], context: Context
) -> tuple[dict[Symbol, Symbol], dict[Symbol, Symbol]]:
    """A lambda's parameters that vary -> arrays, and those that do not -> values."""
    vectors, uniform = {}, {}
    for parameter, argument in zip(_function(i, function)[0], arguments, strict=True):
        if i.is_uniform(argument, context):
            uniform[parameter] = i.one(argument, context)
        else:
            vectors[parameter] = i.many(argument, context)
    return vectors, uniform


def _inline(
    i: GraphInterpreter, function: Symbol, arguments: Sequence[Symbol], context: Context
) -> Symbol:
    """A lambda's result for the same lanes, in the place of the call."""
    result = _function(i, function)[1]
    vectors, uniform = _bind(i, function, arguments, context)
    return i.many(result, context.same_lanes(vectors, uniform))


def _same_lanes(
    i: GraphInterpreter, function: Symbol, arguments: Sequence[Symbol], context: Context
) -> Symbol:
    """A lambda without parameters whose result is that of `function` for the same lanes."""
    return i.result.function([], _inline(i, function, arguments, context))


def _packed(
    i: GraphInterpreter,
    condition: Symbol,
    arms: tuple[Symbol, Symbol],
    arguments: Sequence[Symbol],
    context: Context,
) -> Symbol:
    """Each arm computes its own lanes only: pack, compute, merge."""
    add = i.result.add
    mask = i.many(condition, context)
    lanes = i.indices(context)
    masks = (mask, add(Each(Row("not.i1")), mask))
    made = []
    for arm, chosen in zip(arms, masks, strict=True):
        varies = [not i.is_uniform(a, context) for a in arguments]
        new, captured = i.function(arm, varies, context, hoist=False)
        kept = add(Filter(), lanes, chosen)

        def pack(vector: Symbol, kept: Symbol = kept) -> Symbol:
            return add(Gather(), vector, kept)

        values = [
            pack(i.many(a, context)) if differs else i.one(a, context)
            for a, differs in zip(arguments, varies, strict=True)
        ]
        values += [pack(i.many(c, context)) for c in captured]
        wanted = len(i.result[new].operation.parameters)
        values += [kept] * (wanted - len(values))
        made.append(add(Apply(), new, *values))
    return add(Merge(), mask, *made)


# Loops -------------------------------------------------------------------------------------------


def _uniform_states(
    i: GraphInterpreter,
    step: Symbol,
    states: Sequence[Symbol],
    context: Context,
    more: Sequence[Symbol] = (),
) -> list[bool]:
    """Which states of a loop are the same in all lanes all the time: they begin so, and what they
    become depends on such states only.  `more` are parameters before the states, which are."""
    own, result = _function(i, step)
    own = own[len(more) :]
    node = i.source[result]
    parts = node.arguments if isinstance(node.operation, MakeTuple) else ()
    same = [i.is_uniform(s, context) and bool(parts) for s in states]
    while True:
        varying = context.varying | {p for p, is_same in zip(own, same, strict=True) if not is_same}
        inner = _varying(context, varying)
        now = [
            is_same and i.is_uniform(part, inner)
            for is_same, part in zip(same, parts or states, strict=True)
        ]
        if now == same:
            return same
        same = now


def _varying(context: Context, varying: frozenset[Symbol]) -> Context:
    """The context, if these parameters vary."""
    return replace(context, varying=varying)


def _loop_lambda(
    i: GraphInterpreter,
    function: Symbol,
    same: Sequence[bool],
    context: Context,
    wrap: Callable[[Context, Symbol], Symbol],
) -> Symbol:
    """A lambda of a loop that stays, for the lanes of the context: it takes the states that are the
    same in all lanes as they are, of others the arrays."""
    own, result = _function(i, function)
    vectors, uniform, parameters = {}, {}, []
    for symbol, is_same in zip(own, same, strict=True):
        inner = i.source[symbol]
        type = inner.type if is_same else i.evaluator.lift(inner.type)
        new = i.result.parameter(inner.operation.name, type)
        (uniform if is_same else vectors)[symbol] = new
        parameters.append(new)
    inner_context = context.same_lanes(vectors, uniform)
    return i.result.function(parameters, wrap(inner_context, result))


def _next_states(i: GraphInterpreter, same: Sequence[bool]) -> Callable[[Context, Symbol], Symbol]:
    """What a loop's step gives: a tuple whose parts are values, or arrays over the lanes."""

    def wrap(inner: Context, result: Symbol) -> Symbol:
        node = i.source[result]
        if isinstance(node.operation, MakeTuple):
            parts = [
                i.one(part, inner) if is_same else i.many(part, inner)
                for part, is_same in zip(node.arguments, same, strict=True)
            ]
        else:
            whole = i.many(result, inner)
            parts = [i.result.add(Each(Item(k)), whole) for k in range(len(same))]
        return i.result.add(MakeTuple(), *parts)

    return wrap


def _tuples(i: GraphInterpreter, loop: Symbol, same: Sequence[bool], context: Context) -> Symbol:
    """The array of tuples over the lanes that a loop which stays gives."""
    parts = []
    for k, is_same in enumerate(same):
        part = i.result.add(Item(k), loop)
        parts.append(i.replicated(part, context) if is_same else part)
    return i.result.add(Each(MakeTuple()), *parts)


def _fold(i: GraphInterpreter, symbol: Symbol, context: Context) -> Symbol:
    function, array, *states = i.source[symbol].arguments
    add = i.result.add
    if i.is_uniform(array, context):
        element = _function(i, function)[0][:1]
        same = _uniform_states(i, function, states, context, element)
        step = _loop_lambda(i, function, [True, *same], context, _next_states(i, same))
        begin = [
            i.one(s, context) if is_same else i.many(s, context)
            for s, is_same in zip(states, same, strict=True)
        ]
        return _tuples(i, add(Fold(), step, i.one(array, context), *begin), same, context)
    inner = _of_each_lane(i, [function], context)
    new, captured = i.function(function, [True] * (1 + len(states)), inner, hoist=True)
    values = [i.many(v, context) for v in (array, *states)]
    values += [i.many(c, inner) for c in captured]
    return add(FoldEach(len(captured)), new, *values)


def _while(i: GraphInterpreter, symbol: Symbol, context: Context) -> Symbol:
    test, step, *states = i.source[symbol].arguments
    add = i.result.add
    same = _uniform_states(i, step, states, context)
    own, condition = _function(i, test)
    varying = context.varying | {p for p, is_same in zip(own, same, strict=True) if not is_same}
    if i.is_uniform(condition, _varying(context, varying)):

        def goes_on(inner: Context, result: Symbol) -> Symbol:
            some = add(Row("gt_s.i64"), context.lanes(), i.result.constant(0, I64))
            return add(Row("and.i1"), i.one(result, inner), some)

        begin = [
            i.one(s, context) if is_same else i.many(s, context)
            for s, is_same in zip(states, same, strict=True)
        ]
        tested = _loop_lambda(i, test, same, context, goes_on)
        stepped = _loop_lambda(i, step, same, context, _next_states(i, same))
        return _tuples(i, add(While(), tested, stepped, *begin), same, context)
    inner = _of_each_lane(i, [test, step], context)
    tested, stepped, captured = _pair(i, test, step, inner)
    values = [i.many(v, context) for v in states]
    values += [i.many(c, inner) for c in captured]
    return add(WhileEach(len(captured)), tested, stepped, *values)


def _of_each_lane(i: GraphInterpreter, functions: list[Symbol], context: Context) -> Context:
    """The context for a loop that live lanes go on with: what is the same for all lanes in a loop
    around it is each lane's own there, since of lanes of lanes some may leave that loop before
    others, and it is not the same for all then."""
    free = frozenset().union(*(i.source[f].free for f in functions)) - context.varying
    inside = [p for p in sorted(free) if context.home(frozenset({p})).around is not None]
    held = {p: i.replicated(i.one(p, context), context) for p in inside}
    return context.same_lanes(held, {}) if held else context


def _pair(
    i: GraphInterpreter, test: Symbol, step: Symbol, context: Context
) -> tuple[Symbol, Symbol, list[Symbol]]:
    """The vectorized condition and step of a loop, which capture the same symbols."""
    made = []
    wanted = [
        i.captured([_function(i, f)[1]], frozenset(_function(i, f)[0]), context, True)
        for f in (test, step)
    ]
    captured = list(dict.fromkeys([*wanted[0], *wanted[1]]))
    for function in (test, step):
        own, result = _function(i, function)
        vectors, parameters = {}, []
        for symbol in (*own, *captured):
            inner = i.source[symbol]
            new = i.result.parameter(
                getattr(inner.operation, "name", "c"), i.evaluator.lift(inner.type)
            )
            vectors[symbol] = new
            parameters.append(new)
        first = parameters[0]
        new = i.within(
            result, own, vectors, {}, context, lambda first=first: i.result.add(Length(), first)
        )
        made.append(i.result.function(parameters, new))
    return made[0], made[1], captured


# What vectorization made, vectorized again -------------------------------------------------------


def _lanes_of_lanes(i: GraphInterpreter, symbol: Symbol, context: Context) -> Symbol:
    """while.each and fold.each over the lanes of all lanes: flattened, and cut into rows again.

    Their lambdas are those for any number of lanes, as long as what they capture besides does not
    vary now.
    """
    node = i.source[symbol]
    count = 2 if isinstance(node.operation, WhileEach) else 1
    functions, arrays = node.arguments[:count], node.arguments[count:]
    add = i.result.add
    for function in functions:
        if not i.source[function].free.isdisjoint(context.varying):
            raise input_error(
                f"'{node.operation}' captures what varies now",
                node.location,
                hint="vectorize the function itself once more instead of its vectorized version",
            )
    vectors = [i.many(a, context) for a in arrays]
    lengths = add(Each(Length()), vectors[0])
    flat = [add(Flatten(), vector) for vector in vectors]
    made = add(node.operation, *(i.one(f, context) for f in functions), *flat)
    return add(Rows(), made, lengths)


_HANDLERS: dict[type, Callable[[GraphInterpreter, Symbol, Context], Symbol]] = {
    Apply: _apply,
    If: _if,
    While: _while,
    Map: _map,
    Fold: _fold,
    WhileEach: _lanes_of_lanes,
    FoldEach: _lanes_of_lanes,
}
