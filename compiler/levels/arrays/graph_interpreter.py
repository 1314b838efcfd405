"""What walks a function's definitions and holds the context, and what evaluates one of them.

The parts of `compiler.levels.arrays.vectorize`, which tells how they go together.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Container, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field

from compiler.levels.arrays.facts import is_total
from compiler.levels.arrays.interpret import strict
from compiler.levels.arrays.operations.calls import Lambda
from compiler.levels.arrays.operations.scalars import Parameter
from compiler.levels.arrays.operations.structural import Iota, Length, Replicate
from compiler.levels.arrays.patterns import Variable, key_of
from compiler.levels.arrays.rewriting import LANES, Building, Rewriter, Rule, RuleSet
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import Array, GraphType
from machines.diagnostics import input_error
from machines.types import I64


@dataclass(frozen=True)
class Step:
    """One symbol added to the context.

    source     the node's symbol in the source graph
    rule       the rule's name; of lambdas and calls what was done
    arguments  the symbols the rule was applied to, in the result graph
    symbol     the new symbol
    rewrites   (rule, replaced symbol, new symbol) of what was rewritten meanwhile
    """

    source: Symbol
    rule: str
    arguments: tuple[Symbol, ...]
    symbol: Symbol
    rewrites: tuple[tuple[str, Symbol, Symbol], ...]


@dataclass(eq=False)
class Context:
    """What symbols of the source stand for in one lambda of the result.

    lanes    gives the symbol of the number of lanes, made when first asked for
    varying  the source symbols of parameters that differ between lanes
    vector   source symbol -> its array over the lanes
    uniform  source symbol -> its one value
    strict   source symbols that are certainly evaluated for every lane
    """

    lanes: Callable[[], Symbol]
    varying: frozenset[Symbol]
    vector: MutableMapping[Symbol, Symbol] = field(default_factory=dict)
    uniform: MutableMapping[Symbol, Symbol] = field(default_factory=dict)
    strict: MutableMapping[Symbol, None] = field(default_factory=dict)
    around: Context | None = None

    def inner(
        self,
        lanes: Callable[[], Symbol],
        varying: frozenset[Symbol],
        vectors: MutableMapping[Symbol, Symbol],
        uniform: dict[Symbol, Symbol],
    ) -> Context:
        """The context of a lambda inside: what is uniform here is uniform there."""
        known = ChainMap(dict(uniform), *_maps(self.uniform))
        return Context(lanes, varying, vectors, known, dict.fromkeys(vectors), self)

    def same_lanes(self, vectors: dict[Symbol, Symbol], uniform: dict[Symbol, Symbol]) -> Context:
        """The context of a lambda for the same lanes: what is known here is known there."""
        known = ChainMap(dict(vectors), *_maps(self.vector))
        varying = self.varying | vectors.keys()
        inner = self.inner(self.lanes, varying, known, uniform)
        inner.strict = ChainMap(dict.fromkeys(vectors), *_maps(self.strict))
        return inner

    def home(self, free: frozenset[Symbol]) -> Context:
        """The outermost context in which these parameters have values: where what depends on them
        alone is kept, so that it is there for all lambdas in it."""
        context = self
        while context.around is not None and all(p in context.around.uniform for p in free):
            context = context.around
        return context


def _maps(known: MutableMapping) -> list[MutableMapping]:
    return list(known.maps) if isinstance(known, ChainMap) else [known]


@dataclass(eq=False)
class StagedEvaluator:
    """Steps 1 to 5 for one terminal; the rule base is what configures it."""

    source: Graph
    result: Graph
    rules: RuleSet
    selected: dict[object, Rule] = field(default_factory=dict)
    lifted: dict[GraphType, GraphType] = field(default_factory=dict)

    def uniform(self, graph: Graph, value: Symbol, lanes: Symbol) -> Symbol:
        """What a value that is the same for all lanes is to rules: a view of it, unless one says
        otherwise."""
        rule = self.rules.uniform
        if rule is None:
            return graph.add(Replicate(), value, lanes)
        found = {rule.pattern.arguments[0].name: value, LANES: lanes}
        node = graph[value]
        return rule.build(Building(graph, found, node.operation, node.type))

    def lift(self, type: GraphType) -> GraphType:
        """The type of /x/ for an x of this type."""
        if type not in self.lifted:
            sketch = Graph()
            value, lanes = sketch.parameter("x", type), sketch.parameter("n", I64)
            self.lifted[type] = sketch.type(self.uniform(sketch, value, lanes))
        return self.lifted[type]

    def described(self, operation: object, name: str) -> str:
        """A rule, and where it is declared, for messages."""
        rule = self.selected.get(operation)
        return f"'{name}', at {rule.location}" if rule is not None else f"'{name}'"

    def evaluate(self, symbol: Symbol, mapped: Sequence[Symbol]) -> tuple[str, Symbol]:
        """The rule's name and the new symbol, for arguments that the context has mapped."""
        node = self.source[symbol]
        rule = self.selected.get(node.operation)
        if rule is None:
            rule = self.rules.most_special(node.operation)
            if rule is None:
                raise input_error(
                    f"no vectorization rule for '{node.operation}'",
                    node.location,
                    hint=f"in a file of rules: @vectorize({key_of(node.operation)}(*a))",
                )
            self.selected[node.operation] = rule
        found: dict = {}
        for pattern, value in zip(rule.pattern.arguments, mapped, strict=False):
            if not hasattr(pattern, "match"):
                found[pattern.name] = tuple(mapped)
                break
            found[pattern.name] = value
        names = rule.pattern.arguments
        if names and isinstance(names[0], Variable) and len(names) != len(mapped):
            raise input_error(
                f"rule '{rule.name}' names {len(names)} arguments, and '{node.operation}' "
                f"has {len(mapped)}",
                rule.location,
                hint="name each once: op(x, y), or all: op(*a)",
            )
        building = Building(self.result, found, node.operation, node.type)
        return rule.name, rule.build(building)


@dataclass(eq=False)
class GraphInterpreter:
    """Walks the source and holds the context.

    call  what lambdas' calls become: call(self, symbol, context) -> symbol
    """

    source: Graph
    result: Graph
    evaluator: StagedEvaluator
    rewriter: Rewriter | None
    call: Callable[[GraphInterpreter, Symbol, Context], Symbol]
    steps: list[Step] = field(default_factory=list)
    total: dict[Symbol, bool] = field(default_factory=dict)
    made: dict[tuple, Symbol] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)
    """Which of the rewrites stand in a step: those of a lambda's body stand in its own steps."""

    # Values

    def is_uniform(self, symbol: Symbol, context: Context) -> bool:
        """Whether a symbol has one value for all lanes, which can be computed once."""
        node = self.source[symbol]
        if isinstance(node.operation, Parameter):
            return symbol not in context.varying
        return node.free.isdisjoint(context.varying) and is_total(self.source, symbol, self.total)

    def one(self, symbol: Symbol, context: Context) -> Symbol:
        """A uniform symbol's value in the result graph."""
        if symbol in context.uniform:
            return context.uniform[symbol]
        order = self.source.reached([symbol], context.uniform)
        bound = {
            parameter
            for needed in order
            for parameter in getattr(self.source[needed].operation, "parameters", ())
        }
        # What depends on the parameters of a lambda that is copied is of this copy alone: the same
        # lambda may be vectorized elsewhere, with other parameters.
        inside: dict[Symbol, Symbol] = {}
        known = ChainMap(inside, context.uniform)
        for needed in order:
            free = self.source[needed].free
            kept = context.home(free).uniform if free.isdisjoint(bound) else inside
            kept[needed] = self._copy(needed, known)
        return context.uniform[symbol]

    def _copy(self, symbol: Symbol, known: Mapping[Symbol, Symbol]) -> Symbol:
        """The same node in the result graph, of what its arguments are there."""
        node, result = self.source[symbol], self.result
        result.place = node.location
        if isinstance(node.operation, Parameter):
            return result.parameter(node.operation.name, node.type)
        if isinstance(node.operation, Lambda):
            parameters = [known[p] for p in node.operation.parameters]
            return result.function(parameters, known[node.arguments[0]])
        return result.add(node.operation, *(known[a] for a in node.arguments))

    def many(self, symbol: Symbol, context: Context) -> Symbol:
        """A symbol's array over the lanes."""
        if symbol in context.vector:
            return context.vector[symbol]
        if self.is_uniform(symbol, context):
            return self.replicated(self.one(symbol, context), context)
        self.walk(symbol, context)
        return context.vector[symbol]

    def replicated(self, value: Symbol, context: Context) -> Symbol:
        """One value for all lanes, as rules see it."""
        return self.evaluator.uniform(self.result, value, context.lanes())

    def indices(self, context: Context) -> Symbol:
        """The indices of all lanes."""
        return self.result.add(Iota(), context.lanes())

    # The walk

    def walk(self, symbol: Symbol, context: Context) -> None:
        """Put a symbol and what it strictly needs into the context, arguments first."""
        needed = strict(
            self.source,
            [symbol],
            lambda s: s in context.vector or self.is_uniform(s, context),
        )
        context.strict.update(dict.fromkeys(needed))
        for one in needed:
            node = self.source[one]
            if one in context.vector or isinstance(node.operation, Lambda):
                continue
            if self.is_uniform(one, context):
                continue
            begun = len(self.rewriter.used) if self.rewriter else 0
            self.result.place = node.location
            if node.operation.is_terminal:
                mapped = [self.many(a, context) for a in node.arguments]
                self.result.place = node.location
                rule, new = self.evaluator.evaluate(one, mapped)
            else:
                mapped, rule = [], str(node.operation)
                new = self.call(self, one, context)
            wanted = self.evaluator.lift(node.type)
            if self.result.type(new) != wanted:
                raise input_error(
                    f"the vectorization of '{node.operation}' has type {self.result.type(new)}, "
                    f"not {wanted}",
                    node.location,
                    hint=f"the rule is {self.evaluator.described(node.operation, rule)}",
                )
            context.vector[one] = new
            used = self.rewriter.used if self.rewriter else []
            new_ones = range(begun, len(used))
            rewrites = tuple(used[k] for k in new_ones if k not in self.told)
            self.told.update(new_ones)
            self.steps.append(Step(one, rule, tuple(mapped), new, rewrites))

    # Lambdas

    def within(
        self,
        result: Symbol,
        own: Sequence[Symbol],
        vectors: dict[Symbol, Symbol],
        uniform: dict[Symbol, Symbol],
        context: Context,
        lanes: Callable[[], Symbol],
    ) -> Symbol:
        """The array over the lanes of a lambda's result, in a context of its own.

        own      the lambda's source parameters
        vectors  those, and captured symbols, that vary -> their arrays
        uniform  those that do not -> their values
        """
        varying = (context.varying - set(own)) | {s for s in own if s in vectors}
        inner = context.inner(lanes, varying, vectors, uniform)
        return self.many(result, inner)

    def captured(
        self,
        roots: Sequence[Symbol],
        own: frozenset[Symbol],
        context: Context,
        hoist: bool,
        given: Container[Symbol] = (),
    ) -> list[Symbol]:
        """The source symbols outside of a lambda whose arrays its body needs: those that are
        evaluated for every lane anyway, parameters, what is `given`, and with `hoist` what cannot
        fault."""
        found: dict[Symbol, None] = {}
        seen: set[Symbol] = set()
        bound = set(own)
        waiting = list(reversed(roots))
        while waiting:
            symbol = waiting.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            if symbol in given:
                found[symbol] = None
                continue
            node = self.source[symbol]
            if isinstance(node.operation, Lambda):
                bound.update(node.operation.parameters)
                waiting += node.arguments
                continue
            if symbol in bound or node.free.isdisjoint(context.varying):
                if not isinstance(node.operation, Parameter) and not self.is_uniform(
                    symbol, context
                ):
                    waiting += node.arguments
                continue
            ready = node.free.isdisjoint(bound) and (
                symbol in context.vector
                or symbol in context.strict
                or isinstance(node.operation, Parameter)
                or (hoist and is_total(self.source, symbol, self.total))
            )
            if ready:
                found[symbol] = None
            else:
                waiting += node.arguments
        return list(found)

    def function(
        self,
        function: Symbol,
        varies: Sequence[bool],
        context: Context,
        *,
        hoist: bool,
        given: Container[Symbol] = (),
    ) -> tuple[Symbol, list[Symbol]]:
        """/L/ of a lambda, and the captured source symbols that it takes as further parameters.

        varies  which of its parameters differ between lanes; the others are passed as they are
        given   what it captures besides, whatever it is
        Where nothing varies it takes the lanes' indices.
        """
        node = self.source[function]
        own = node.operation.parameters
        captured = self.captured(node.arguments, frozenset(own), context, hoist, given)
        closed = not captured and node.free.isdisjoint(context.varying)
        values = tuple(sorted((s, context.uniform.get(s)) for s in node.free))
        key = (function, tuple(varies), values)
        if closed and key in self.made:
            return self.made[key], captured
        result = self.result
        result.place = node.location
        parameters: list[Symbol] = []
        vectors: dict[Symbol, Symbol] = {}
        uniform: dict[Symbol, Symbol] = {}
        for symbol, differs in zip(own, varies, strict=True):
            inner = self.source[symbol]
            type = self.evaluator.lift(inner.type) if differs else inner.type
            new = result.parameter(inner.operation.name, type)
            (vectors if differs else uniform)[symbol] = new
            parameters.append(new)
        for symbol in captured:
            inner = self.source[symbol]
            called = getattr(inner.operation, "name", "c")
            new = vectors[symbol] = result.parameter(called, self.evaluator.lift(inner.type))
            parameters.append(new)
        first = next(iter(vectors.values()), None)
        if first is None:
            first = result.parameter("lanes", Array(I64))
            parameters.append(first)
        made = self.within(
            node.arguments[0], own, vectors, uniform, context, lambda: lanes_of(result, first)
        )
        new = result.function(parameters, made)
        if closed:
            self.made[key] = new
        return new, captured


def lanes_of(graph: Graph, vector: Symbol) -> Symbol:
    """The number of lanes of an array over them; of other kinds of rules there is one."""
    if isinstance(graph.type(vector), Array):
        return graph.add(Length(), vector)
    return graph.constant(1, I64)
