"""Rules, and the rewriting of every new node of a graph by those whose root fits it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import GraphFault, IllTyped, Operation
from compiler.levels.arrays.operations.scalars import Constant, Row
from compiler.levels.arrays.operations.structural import Length, Replicate
from compiler.levels.arrays.patterns import Binding, Form, key_of
from compiler.levels.arrays.primitives import Primitive
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import GraphType
from machines.diagnostics import InputError, Location, input_error, nearest
from machines.types import Type as Scalar

ALLOWANCES = ("reassociate", "contract", "unchecked")
MOST_NESTED = 100
"""New nodes that are rewritten one within the other, after which a rule is taken to loop."""
MOST_PASSED = 200
"""Rewrites one behind the other after which one is, in addition to one for each node there was."""

UNIFORM, LANES = "uniform", "lanes"
"""The pattern `uniform(c)` of the rule that says what a value that is the same for all lanes is to
rules, and the number of lanes in its term."""

_MISFITS = (IllTyped, AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError)
"""What a term or a condition raises that is staged for other operations than it is run for."""


def allowances(names: Collection[str]) -> frozenset[str]:
    """What may change; raises InputError for what nobody could allow."""
    for name in names:
        if name not in ALLOWANCES:
            hint = nearest(name, ALLOWANCES)
            raise input_error(f"nothing is called '{name}' that could be allowed", hint=hint)
    return frozenset(names)


@dataclass(frozen=True)
class Building:
    """Where a staged term is run: the graph, what variables stand for, the operation at the root,
    its type, and whether it is done for every element."""

    graph: Graph
    found: Binding
    operation: Operation
    type: GraphType
    lifted: bool = False
    count: Symbol | None = None

    def add(self, operation: Operation, *arguments: Symbol) -> Symbol:
        """A node of the term, for every element where the rule holds lane by lane."""
        return self.graph.add(Each(operation) if self.lifted else operation, *arguments)

    def literal(self, value: int | float, type: Scalar) -> Symbol:
        constant = self.graph.constant(value, type)
        if not self.lifted:
            return constant
        return self.graph.add(Replicate(), constant, self.count)


Staged = Callable[[Building], Any]


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule: its pattern, its conditions and its term, each staged."""

    name: str
    pattern: Form
    where: Callable[[Building, Mapping], bool]
    term: Staged
    location: Location
    scalar: bool
    """Whether all its operations are of scalars: it holds lane by lane."""

    def holds(self, building: Building, context: Mapping) -> bool:
        """Whether its conditions hold."""
        try:
            return self.where(building, context)
        except _MISFITS as error:
            raise self.misfit("condition", building, error) from None

    def build(self, building: Building) -> Symbol:
        """What its term makes; raises InputError where the term does not fit what matched."""
        try:
            made = self.term(building)
            if not isinstance(made, int):
                raise IllTyped("it is a list, not one value")
        except _MISFITS as error:
            raise self.misfit("term", building, error) from None
        return made

    def misfit(self, part: str, building: Building, error: Exception) -> InputError:
        """What is said where a part of a rule cannot be for what its pattern matched."""
        reason = f": {error}" if isinstance(error, IllTyped) else ""
        return input_error(
            f"the {part} of rule '{self.name}' is not one for '{building.operation}'{reason}",
            self.location,
            hint=f"make the pattern more special, or change the {part}",
        )

    def endless(self) -> InputError:
        """What is said of a rule that makes what it matches again."""
        return input_error(
            f"rewrite rule '{self.name}' does not come to an end",
            self.location,
            hint="what replaces a node must not match the rule again without an end",
        )


@dataclass
class RuleSet:
    """Rules of one sort by the key of their root; those of a class by the class."""

    by_key: dict[str, list[tuple[Rule, bool]]] = field(default_factory=dict)
    by_class: list[Rule] = field(default_factory=list)
    order: dict[str, int] = field(default_factory=dict)

    def add(self, rule: Rule) -> None:
        self.order[rule.name] = len(self.order)
        if rule.pattern.of_class is not None:
            self.by_class.append(rule)
            return
        self.by_key.setdefault(rule.pattern.key, []).append((rule, False))
        if rule.scalar:
            self.by_key.setdefault(f"each.{rule.pattern.key}", []).append((rule, True))

    @property
    def uniform(self) -> Rule | None:
        """The rule of what is the same for all lanes: it says what kind of value /x/ is."""
        named = self.by_key.get(UNIFORM)
        return named[0][0] if named else None

    @property
    def rules(self) -> list[Rule]:
        """All rules, in the order of their declaration."""
        every = [*self.by_class, *(rule for some in self.by_key.values() for rule, _ in some)]
        return sorted(dict.fromkeys(every), key=lambda rule: self.order[rule.name])

    def before(self, others: RuleSet) -> RuleSet:
        """These rules, and behind them others; one of a name that is there already is left out."""
        both = RuleSet()
        for rule in (*self.rules, *others.rules):
            if rule.name not in both.order:
                both.add(rule)
        return both

    def for_operation(self, operation: Operation) -> list[tuple[Rule, bool]]:
        """The rules whose root fits, in the order of their declaration, and whether each is to hold
        for every element."""
        fitting = [*self.by_key.get(key_of(operation), ())]
        fitting += [(r, False) for r in self.by_class if isinstance(operation, r.pattern.of_class)]
        return sorted(fitting, key=lambda pair: self.order[pair[0].name])

    def most_special(self, operation: Operation) -> Rule | None:
        """The one rule for an operation: by its name, else by the nearest of its classes."""
        named = self.by_key.get(key_of(operation))
        if named:
            return named[0][0]
        ranks = {cls: rank for rank, cls in enumerate(type(operation).__mro__)}
        fitting = [r for r in self.by_class if r.pattern.of_class in ranks]
        return min(fitting, key=lambda r: ranks[r.pattern.of_class], default=None)


@dataclass
class RuleBase:
    """Vectorization rules and rewrites, which know nothing of each other, and the primitives that
    are declared beside them, by name."""

    vectorization: RuleSet = field(default_factory=RuleSet)
    rewrites: RuleSet = field(default_factory=RuleSet)
    primitives: dict[str, Primitive] = field(default_factory=dict)

    def before(self, others: RuleBase) -> RuleBase:
        """Both bases, this one's rules first; its vectorization rules alone if they say
        what is uniform, as its vectors are something else then."""
        own = self.vectorization
        vectorization = own if own.uniform is not None else own.before(others.vectorization)
        for name in self.primitives.keys() & others.primitives.keys():
            one, other = self.primitives[name], others.primitives[name]
            if one != other:
                raise input_error(
                    f"there is a primitive '{name}' already, at {other.meaning.location}",
                    one.meaning.location,
                    hint="use another name",
                )
        primitives = {**others.primitives, **self.primitives}
        return RuleBase(vectorization, self.rewrites.before(others.rewrites), primitives)


@dataclass
class Rewriter:
    """Rewrites each new node of a graph: call it with the node's symbol.

    used     (rule, replaced symbol, new symbol) of every rewrite, in order
    allowed  what else is (see ALLOWANCES)
    open     rules of which the term is run, or what it made is rewritten
    nested   how many nodes are being rewritten
    """

    rules: RuleSet
    allowed: frozenset[str] = frozenset()
    used: list[tuple[str, Symbol, Symbol]] = field(default_factory=list)
    known: dict[Symbol, bool] = field(default_factory=dict)
    kept: dict[Operation, list[tuple[Rule, bool]]] = field(default_factory=dict)
    open: list[Rule] = field(default_factory=list)
    nested: int = 0

    def __call__(self, graph: Graph, symbol: Symbol) -> Symbol:
        """What stands for a new node: what is made for it is rewritten in turn.

        That is a loop, and no recursion: `length(each(x))` is passed on along a chain of any depth.
        """
        passed: list[tuple[str, Symbol]] = []
        begun, most = len(self.open), len(graph) + MOST_PASSED
        self.nested += 1
        while (step := self._step(graph, symbol)) is not None:
            name, new = step
            passed.append((name, symbol))
            symbol = graph.replaced.get(new, new)
            if new in graph.replaced:
                break
            graph.replaced[symbol] = symbol
            if len(passed) > most:
                raise self._endless()
        self.nested -= 1
        del self.open[begun:]
        for name, old in reversed(passed):
            self.used.append((name, old, symbol))
            graph.replaced[old] = symbol
        return symbol

    def _step(self, graph: Graph, symbol: Symbol) -> tuple[str, Symbol] | None:
        """The first rule that holds for a node, and what it makes; None if none does.

        The rule stays open.
        """
        node = graph[symbol]
        operation = node.operation
        if not node.arguments:
            return None
        folded = _fold_constants(graph, symbol)
        if folded is not None:
            return "fold_constants", folded
        if operation not in self.kept:
            self.kept[operation] = self.rules.for_operation(operation)
        for rule, lifted in self.kept[operation]:
            found: Binding = {}
            if not rule.pattern.match(graph, symbol, lifted, found):
                continue
            building = Building(graph, found, operation, node.type, lifted)
            if not rule.holds(building, {"allowed": self.allowed, "known": self.known}):
                continue
            self.open.append(rule)
            if self.nested > MOST_NESTED:
                raise self._endless()
            if lifted:
                length = graph.add(Length(), symbol)
                building = Building(graph, found, operation, node.type, True, length)
            new = rule.build(building)
            if graph.type(new) != node.type:
                raise input_error(
                    f"rewrite rule '{rule.name}' makes {graph.type(new)} of {node.type}",
                    rule.location,
                    hint="what replaces a node has its type",
                )
            return rule.name, new
        return None

    def _endless(self) -> InputError:
        """What is said of the rule that is open most often."""
        (rule, _), *_ = Counter(self.open).most_common(1)
        return rule.endless()


def _fold_constants(graph: Graph, symbol: Symbol) -> Symbol | None:
    """The constant that a row of constants is, unless it faults."""
    node = graph[symbol]
    if not isinstance(node.operation, Row):
        return None
    operands = [graph[a].operation for a in node.arguments]
    if not all(isinstance(operand, Constant) for operand in operands):
        return None
    try:
        value = node.operation.compute(*(operand.value for operand in operands))
    except GraphFault:
        return None
    return graph.constant(value, node.type)
