"""Rules as declarations in the source language: staged once, looked up by root operation.

    @rewrite(x * 1)                     @vectorize(terminal(*a))
    def times_one(x):                   def for_every_lane(*a):
        return x                            return each(*a)

A pattern's names are variables; `*a` takes any number of arguments, `*replicate(a, n)` as many that
all look so (a names what they hold, n is the same in all), `(r := …)` names a part.  Operations
have the names that the graph's text has, without their types; `+ - * /` are those of any type.  In
what replaces, `op` is the operation at the root, `each(…)` that operation for every element,
`inner` what the one at the root does for every element.

A rule of scalar operations holds lane by lane: its operations may be `each.` ones, all of them,
with literals replicated.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from compiler.graph.facts import is_total, operation_is_total
from compiler.graph.language.calls import NAMES
from compiler.graph.language.module import is_marked, read_primitive
from compiler.graph.operations import (
    CALLS,
    STRUCTURES,
    Apply,
    Constant,
    Each,
    Elementwise,
    GraphFault,
    IllTyped,
    Item,
    Length,
    Map,
    Operation,
    Replicate,
    Row,
    Terminal,
    named,
    scalar_rows,
)
from compiler.graph.primitives import Primitive
from compiler.graph.table import Graph, Symbol
from compiler.graph.types import Array, GraphType
from machines.diagnostics import InputError, Location, input_error, nearest
from machines.reading import MOST_SOURCE, read_text
from machines.types import Type as Scalar

ALLOWANCES = ("reassociate", "contract", "unchecked")
MOST_REWRITES = 200
"""Rewrites in a row of one new node after which a rule is taken to loop."""

UNIFORM, LANES = "uniform", "lanes"
"""The pattern `uniform(c)` of the rule that says what a value that is the same for all lanes is to
rules, and the number of lanes in its term."""

_MISFITS = (IllTyped, AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError)
"""What a term or a condition raises that is staged for other operations than it is run for."""
_OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
_COMBINING = ("reduce", "scan", "scatter_reduce")
_COUNTED = ("item", "while.each", "fold.each")
_SPECIAL = ("op", "inner", "each", "first", "part", "like", "compose")
_CLASSES = {"terminal": Terminal, "elementwise": Elementwise, "each": Each}

Binding = dict[str, Any]


def key_of(operation: Operation) -> str:
    """An operation's name without its type and what else it knows: what tables are keyed by.

    >>> key_of(Row("add.f32")), key_of(Each(Reduce("add.f32")))
    ('add', 'each.reduce.add')
    """
    if isinstance(operation, Each):
        return f"each.{key_of(operation.of)}"
    text = str(operation)
    if isinstance(operation, Row | Constant):
        return text.partition(".")[0]
    name, bracket, inside = text.partition("[")
    if bracket and not inside[0].isdigit():
        return f"{name}.{inside.partition('.')[0]}"
    return name


# Patterns ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """Any argument; all of one name are one symbol."""

    name: str

    def match(self, graph: Graph, symbol: Symbol, lifted: bool, found: Binding) -> bool:
        return found.setdefault(self.name, symbol) == symbol


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant of this value, of any type (0 and 0.0 are two)."""

    value: int | float

    def match(self, graph: Graph, symbol: Symbol, lifted: bool, found: Binding) -> bool:
        node = graph[symbol]
        if lifted:
            if not isinstance(node.operation, Replicate):
                return False
            node = graph[node.arguments[0]]
        operation = node.operation
        if not isinstance(operation, Constant):
            return False
        if isinstance(self.value, float) and not operation.type.is_float:
            return False
        return operation == Constant.of(self.value, operation.type)


@dataclass(frozen=True, slots=True)
class Star:
    """The rest of the arguments; with a pattern, each looks like it and its first variable is the
    list of what it names."""

    name: str
    pattern: Form | None = None

    def match_all(self, graph: Graph, symbols: Sequence[Symbol], found: Binding) -> bool:
        if self.pattern is None:
            return found.setdefault(self.name, tuple(symbols)) == tuple(symbols)
        inner = []
        for symbol in symbols:
            one = {name: value for name, value in found.items() if name != self.name}
            if not self.pattern.match(graph, symbol, False, one):
                return False
            inner.append(one.pop(self.name))
            found.update(one)
        found[self.name] = tuple(inner)
        return bool(inner)


@dataclass(frozen=True, slots=True)
class Form:
    """An operation by its key, or by its class, and patterns of its arguments."""

    key: str
    of_class: type | None
    arguments: tuple[Any, ...]
    name: str | None = None

    def match(self, graph: Graph, symbol: Symbol, lifted: bool, found: Binding) -> bool:
        node = graph[symbol]
        if self.of_class is not None:
            if not isinstance(node.operation, self.of_class):
                return False
        else:
            key = key_of(node.operation)
            wanted = f"each.{self.key}" if lifted else self.key
            if key != wanted:
                return False
        if self.name is not None and found.setdefault(self.name, symbol) != symbol:
            return False
        if self.arguments and isinstance(self.arguments[0], Star):
            return self.arguments[0].match_all(graph, node.arguments, found)
        if len(node.arguments) != len(self.arguments):
            return False
        before = dict(found)
        if self._match_all(graph, node.arguments, lifted, found):
            return True
        if not _commutes(node.operation):
            return False
        found.clear()
        found.update(before)
        first, second, *rest = node.arguments
        return self._match_all(graph, (second, first, *rest), lifted, found)

    def _match_all(
        self, graph: Graph, symbols: Sequence[Symbol], lifted: bool, found: Binding
    ) -> bool:
        return all(
            pattern.match(graph, symbol, lifted, found)
            for pattern, symbol in zip(self.arguments, symbols, strict=True)
        )


def _commutes(operation: Operation) -> bool:
    """Whether the two operands of a row may change places: patterns match in both orders."""
    row = operation.of if isinstance(operation, Each) else operation
    return isinstance(row, Row) and row.row.commutes


# Rules -------------------------------------------------------------------------------------------


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
        except RecursionError:
            raise self.endless() from None
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
    """

    rules: RuleSet
    allowed: frozenset[str] = frozenset()
    used: list[tuple[str, Symbol, Symbol]] = field(default_factory=list)
    known: dict[Symbol, bool] = field(default_factory=dict)
    kept: dict[Operation, list[tuple[Rule, bool]]] = field(default_factory=dict)
    depth: int = 0

    def __call__(self, graph: Graph, symbol: Symbol) -> Symbol:
        node = graph[symbol]
        operation = node.operation
        if not node.arguments:
            return symbol
        folded = _fold_constants(graph, symbol)
        if folded is not None:
            return self._done("fold_constants", graph, symbol, folded)
        if operation not in self.kept:
            self.kept[operation] = self.rules.for_operation(operation)
        for rule, lifted in self.kept[operation]:
            found: Binding = {}
            if not rule.pattern.match(graph, symbol, lifted, found):
                continue
            building = Building(graph, found, operation, node.type, lifted)
            if not rule.holds(building, {"allowed": self.allowed, "known": self.known}):
                continue
            if self.depth > MOST_REWRITES:
                raise rule.endless()
            self.depth += 1
            try:
                if lifted:
                    length = graph.add(Length(), symbol)
                    building = Building(graph, found, operation, node.type, True, length)
                new = rule.build(building)
            finally:
                self.depth -= 1
            if graph.type(new) != node.type:
                raise input_error(
                    f"rewrite rule '{rule.name}' makes {graph.type(new)} of {node.type}",
                    rule.location,
                    hint="what replaces a node has its type",
                )
            return self._done(rule.name, graph, symbol, new)
        return symbol

    def _done(self, name: str, graph: Graph, old: Symbol, new: Symbol) -> Symbol:
        self.used.append((name, old, new))
        return new


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


# Reading -----------------------------------------------------------------------------------------


def read_rules(path: Path) -> RuleBase:
    """The rules of a file; raises InputError."""
    return parse_rules(read_text(path, MOST_SOURCE), str(path))


def parse_rules(text: str, file: str) -> RuleBase:
    """The rules of a text: functions marked `@vectorize(pattern)` or `@rewrite(pattern, where=…)`,
    and the primitives, marked `@primitive`.

    Raises InputError at what is neither.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (RecursionError, MemoryError):
        message = "expressions nest too deep"
        raise input_error(message, Location(file, 1), hint="write smaller rules") from None
    except (SyntaxError, ValueError) as error:
        place = Location(
            file, getattr(error, "lineno", 1) or 1, max(1, getattr(error, "offset", 1) or 1)
        )
        message = f"not Python: {getattr(error, 'msg', error)}"
        hint = "a file of rules has Python's syntax"
        raise input_error(message, place, source=text, hint=hint) from None
    reader, base = _Reader(text, file), RuleBase()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            try:
                reader.declaration(statement, base)
            except RecursionError:
                reader.refuse("expressions nest too deep", statement, "write smaller rules")
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            reader.refuse(
                "a file of rules has rules and primitives only",
                statement,
                "mark functions @primitive, @vectorize(pattern) or @rewrite(pattern, where=…)",
            )
    return base


@dataclass
class _Reader:
    text: str
    file: str
    primitives: dict[str, Primitive] = field(default_factory=dict)

    def refuse(self, message: str, at: ast.AST, hint: str | None = None) -> NoReturn:
        place = Location(self.file, at.lineno, at.col_offset + 1)
        raise input_error(message, place, source=self.text, hint=hint)

    def declaration(self, function: ast.FunctionDef, base: RuleBase) -> None:
        if is_marked(function, "primitive"):
            self.primitive(function)
            base.primitives = self.primitives
        else:
            self.rule(function, base)

    def primitive(self, function: ast.FunctionDef) -> None:
        """A primitive, whose meaning is read in its place: all else of the text is left blank."""
        name = function.name
        if name in self.primitives:
            place = self.primitives[name].meaning.location
            message = f"there is a primitive '{name}' already, at {place}"
            self.refuse(message, function, "use another name")
        if not (name.isascii() and name.isidentifier()):
            message = f"a primitive cannot be called '{name}'"
            self.refuse(message, function, "use letters, digits and '_'")
        if name in _operation_keys() or name in _taken():
            self.refuse(f"'{name}' is an operation already", function, "use another name")
        first = min(mark.lineno for mark in function.decorator_list)
        lines = self.text.split("\n")
        text = "\n" * (first - 1) + "\n".join(lines[first - 1 : function.end_lineno])
        self.primitives[name] = read_primitive(text, self.file, name, self.primitives)

    def rule(self, function: ast.FunctionDef, base: RuleBase) -> None:
        sorts = {"vectorize": base.vectorization, "rewrite": base.rewrites}
        marks = [d for d in function.decorator_list if isinstance(d, ast.Call)]
        if len(marks) != 1 or len(function.decorator_list) != 1 or len(marks[0].args) != 1:
            self.refuse(
                f"'{function.name}' is no rule",
                function,
                "mark it @primitive, @vectorize(pattern) or @rewrite(pattern, where=…)",
            )
        (mark,) = marks
        name = mark.func.id if isinstance(mark.func, ast.Name) else ""
        if name not in sorts:
            self.refuse(
                f"'{ast.unparse(mark.func)}' is no sort of rule", mark, "vectorize, rewrite"
            )
        rules = sorts[name]
        if function.name in rules.order:
            self.refuse(f"there is a rule '{function.name}' already", function, "rename one")
        pattern = self.pattern(mark.args[0])
        if not isinstance(pattern, Form):
            self.refuse("the pattern of a rule is an operation", mark.args[0], "op(x, y)")
        if rules is base.vectorization:
            self.check_names(pattern, mark.args[0])
        elif pattern.key == UNIFORM:
            self.refuse(f"'{UNIFORM}' is no operation", mark.args[0], "mark it @vectorize")
        for keyword in (k for k in mark.keywords if k.arg != "where"):
            self.refuse("a rule says nothing but where=…", keyword, "where=total(x)")
        where = next((k.value for k in mark.keywords if k.arg == "where"), None)
        body = [s for s in function.body if not _is_docstring(s)]
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            self.refuse(f"rule '{function.name}' has one statement", function, "return term")
        bound = _bound(pattern) | ({LANES} if pattern.key == UNIFORM else set())
        rules.add(
            Rule(
                function.name,
                pattern,
                self.condition(where, bound) if where is not None else lambda b, c: True,
                self.term(body[0].value, bound),
                Location(self.file, function.lineno, function.col_offset + 1),
                self.is_scalar(pattern),
            )
        )

    # Patterns

    def check_names(self, pattern: Form, tree: ast.expr) -> None:
        """That a vectorization rule is for all of an operation, with as many names as it takes."""
        arguments = pattern.arguments
        plain = all(isinstance(a, Variable | Star) for a in arguments)
        plain = plain and all(a.pattern is None for a in arguments if isinstance(a, Star))
        names = [a.name for a in arguments if isinstance(a, Variable | Star)]
        if not plain or not arguments or len(set(names)) < len(names):
            self.refuse(
                "a vectorization rule is for all arguments of an operation",
                tree,
                "name each once: op(x, y), or all: op(*a)",
            )
        primitive = self.primitives.get(pattern.key)
        many = isinstance(arguments[0], Star)
        if primitive is not None and not many and len(arguments) != len(primitive.types):
            wanted = len(primitive.types)
            message = f"{pattern.key} takes {wanted} arguments, not {len(arguments)}"
            self.refuse(message, tree, "name each once")

    def is_scalar(self, pattern: Any) -> bool:
        """Whether a pattern is of rows and primitives of scalars alone."""
        if not isinstance(pattern, Form):
            return not isinstance(pattern, Star)
        primitive = self.primitives.get(pattern.key)
        is_row = any(f"{pattern.key}.{type}" in scalar_rows() for type in ("f32", "i32", "i1"))
        fits = primitive.is_scalar if primitive is not None else is_row
        return fits and all(self.is_scalar(a) for a in pattern.arguments)

    def check_key(self, key: str, tree: ast.expr) -> None:
        plain = key
        while plain.startswith("each."):
            plain = plain.removeprefix("each.")
        known = {*_operation_keys(), *self.primitives, *_CLASSES, UNIFORM}
        if plain not in known:
            self.refuse(f"there is no operation '{key}'", tree, nearest(plain, known))

    def pattern(self, tree: ast.expr) -> Any:
        match tree:
            case ast.Name(id=name):
                return Variable(name)
            case ast.Constant(value=int() | float() as value):
                return Literal(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return Literal(-value)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                key = _OPERATORS[type(op)]
                return Form(key, None, (self.pattern(left), self.pattern(right)))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                form = self.pattern(value)
                if not isinstance(form, Form):
                    self.refuse("':=' names an operation", tree, "(r := op(x))")
                return Form(form.key, form.of_class, form.arguments, name)
            case ast.Call(func=func, args=args, keywords=[]):
                key = ast.unparse(func)
                self.check_key(key, func)
                if len(args) == 1 and isinstance(args[0], ast.Starred):
                    arguments: tuple = (self.star(args[0]),)
                else:
                    arguments = tuple(self.pattern(a) for a in args)
                return Form(key, _CLASSES.get(key), arguments)
        hint = "a pattern is op(x, y) of names, literals, patterns, or op(*a)"
        return self.refuse(f"'{ast.unparse(tree)}' is no pattern", tree, hint)

    def star(self, tree: ast.Starred) -> Star:
        if isinstance(tree.value, ast.Name):
            return Star(tree.value.id)
        form = self.pattern(tree.value)
        if not isinstance(form, Form) or not isinstance([*form.arguments, None][0], Variable):
            message = "a starred pattern is a name, or an operation of names"
            self.refuse(message, tree, "op(*a) or op(*replicate(a, n))")
        return Star(form.arguments[0].name, form)

    # Terms

    def term(self, tree: ast.expr, bound: set[str]) -> Staged:
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
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self.row(_OPERATORS[type(op)], [left, right], bound)
            case ast.Call(func=func, args=args, keywords=[]):
                return self.call(ast.unparse(func), tree, args, bound)
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

    def call(self, key: str, tree: ast.Call, args: list[ast.expr], bound: set[str]) -> Staged:
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
            known = [*special, *STRUCTURES, *self.primitives, *_row_keys()]
            self.refuse(f"there is no operation '{key}'", tree, nearest(key, known))
        return lambda b: b.graph.add(operation, *values(b))

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


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _bound(pattern: Any) -> set[str]:
    """The names that a pattern gives symbols to."""
    if isinstance(pattern, Variable):
        return {pattern.name}
    if isinstance(pattern, Star):
        return {pattern.name} | (_bound(pattern.pattern) if pattern.pattern else set())
    if isinstance(pattern, Form):
        own = {pattern.name} if pattern.name else set()
        return own.union(*(_bound(a) for a in pattern.arguments))
    return set()


def _is_plain(key: str) -> bool:
    """Whether a name is not of what a lambda is called by, nor of a row with its type."""
    return key.rpartition("each.")[2] not in (*CALLS, *scalar_rows())


@cache
def _row_keys() -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in scalar_rows())


@cache
def _operation_keys() -> frozenset[str]:
    """What patterns call operations: see `key_of`."""
    combining = {f"{kind}.{row}" for kind in _COMBINING for row in _row_keys()}
    return frozenset({*_row_keys(), *combining, *STRUCTURES, *CALLS, *_COUNTED, "const", "lambda"})


def _taken() -> frozenset[str]:
    """Other names that mean something in rules or in the language."""
    return frozenset({*NAMES, *_SPECIAL, *_CLASSES, *_COMBINING, UNIFORM, LANES})


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


def is_cheap(graph: Graph, function: Symbol, most: int = 8) -> bool:
    """Whether a lambda is a few operations of scalars."""
    operations = [graph[s].operation for s in graph.body(function)]
    simple = all(isinstance(o, Elementwise) for o in operations)
    return simple and len(operations) <= most


_CONDITIONS: dict[str, Callable[[Graph, Symbol], bool]] = {
    "integer": _is_integer,
    "floating": _is_floating,
    "constant": lambda graph, symbol: isinstance(graph[symbol].operation, Constant),
    "cheap": is_cheap,
}
