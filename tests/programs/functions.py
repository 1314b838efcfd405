"""Random programs of functions, each as text of the source language and, beside it, for the judge.

One tree is drawn and written twice: as `@function`s, and as Python that calls `lane_judge`.  The
inputs hold what breaks vectorization: no lanes, empty rows, extreme numbers.

Every variable that may fault is needed on every way (`_Function.rest`), so that it does not matter
whether what is assigned is computed where it stands or where it is needed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from tests.programs import lane_judge
from tests.programs.lane_judge import Fault

HEADER = "from compiler.kernel import boolean, f32, f64, function, i32, i64, sqrt\n"
NUMBERS = ("i32", "i64", "f32", "f64")
INTEGERS = ("i32", "i64")
FLOATS = ("f32", "f64")
FEATURES = """
abs; arithmetic; array parameter; bitwise; call; cast; closure; compare; comprehension;
comprehension if; comprehension nested 1; comprehension nested 2; division; filter; flatten; for;
gather; guarded division; guarded index; if; index; iota; lambda; len; local; logic; make tuple;
max; min; negate; not; ragged parameter; range; reduce; replicate; rows; scan; scatter;
scatter_add; select; sqrt; sum; tuple parameter; tuple part; uniform parameter; while; zip
"""
FEATURES = tuple(name.strip() for name in FEATURES.replace("\n", " ").split(";"))
LITERALS = {
    "i32": ("0", "1", "2", "3", "7", "-1", "-5", "2147483647"),
    "i64": ("0", "1", "2", "3", "-1", "-3", "4611686018427387904"),
    "f32": ("0.0", "1.0", "-0.5", "0.1", "2.5", "16777216.0"),
    "f64": ("0.0", "1.0", "-0.5", "0.1", "3.0", "1e300"),
}
MOST_DEPTH = 3
Type = Any
"""A scalar's name, ("array", element), or ("tuple", part, …)."""


def shown(type: Type) -> str:
    """A type as the source language writes it."""
    if isinstance(type, str):
        return type
    if type[0] == "array":
        return f"{shown(type[1])}[:]"
    return f"tuple[{', '.join(map(shown, type[1:]))}]"


def array(element: Type) -> Type:
    return ("array", element)


def is_array(type: Type) -> bool:
    return type[0] == "array"


def is_tuple(type: Type) -> bool:
    return type[0] == "tuple"


@dataclass(frozen=True)
class Expression:
    """One expression, for the language and for the judge."""

    text: str
    judged: str
    type: Type


@dataclass(eq=False)
class Variable:
    """A name that has a value.

    needed   whether something that is certainly computed needs it
    frozen   whether a lambda holds it, so that it is not assigned again
    """

    name: str
    type: Type
    needed: bool = False
    frozen: bool = False


@dataclass(eq=False)
class Lambda:
    """A lambda that a local name is bound to."""

    name: str
    parameters: list[Type]
    result: Type


@dataclass(frozen=True)
class Helper:
    """A function that others call."""

    name: str
    parameters: list[Type]
    result: Type


@dataclass(eq=False)
class _Function:
    """One function while it is drawn."""

    random: random.Random
    features: set[str]
    helpers: list[Helper]
    budget: int
    scope: list[Variable] = field(default_factory=list)
    lambdas: list[Lambda] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    certain: bool = True
    freezes: bool = False
    nesting: int = 0
    names: int = 0

    # Names

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def use(self, variable: Variable) -> Expression:
        variable.needed |= self.certain
        variable.frozen |= self.freezes
        return Expression(variable.name, variable.name, variable.type)

    @contextmanager
    def perhaps(self, bound: Sequence[Variable] = (), freezes: bool = False):
        """What is drawn inside is not certainly computed; these names are bound there."""
        before = self.certain, self.freezes
        self.certain, self.freezes = False, freezes or self.freezes
        self.scope += bound
        try:
            yield
        finally:
            if bound:
                del self.scope[-len(bound) :]
            self.certain, self.freezes = before

    # Expressions

    def of(self, type: Type, depth: int) -> Expression:
        """An expression of a type."""
        self.budget -= 1
        if depth <= 0 or self.budget <= 0:
            return self.leaf(type)
        if self.chance(0.12):
            return self.choice(type, depth)
        calls = [c for c in (*self.helpers, *self.lambdas) if c.result == type]
        if calls and self.chance(0.5):
            return self.call(self.random.choice(calls), depth)
        arrays = [v for v in self.scope if v.type == array(type)]
        if arrays and self.chance(0.25):
            return self.element(self.use(self.random.choice(arrays)), depth)
        if isinstance(type, str):
            return self.flag(depth) if type == "boolean" else self.number(type, depth)
        if is_tuple(type):
            return self.tuple(type, depth)
        return self.array(type[1], depth)

    def leaf(self, type: Type) -> Expression:
        """A variable, a part of one, or what can be written down."""
        found = [self.whole(v) for v in self.scope if v.type == type]
        for v in self.scope:
            if is_tuple(v.type) and v.type != type:
                found += [self.part(v, i) for i, t in enumerate(v.type[1:]) if t == type]
        if found and self.chance(0.85):
            return self.random.choice(found)()
        if isinstance(type, str):
            return self.literal(type)
        if is_tuple(type):
            return self.tuple(type, 0)
        if type[1] == "i64" and self.chance(0.5):
            return self.iota(0)
        return self.replicate(type[1], 0)

    def whole(self, variable: Variable):
        return lambda: self.use(variable)

    def part(self, variable: Variable, index: int):
        def made() -> Expression:
            self.features.add("tuple part")
            used = self.use(variable)
            return Expression(
                f"{used.text}[{index}]",
                f"item({used.judged}, {index})",
                variable.type[1 + index],
            )

        return made

    def literal(self, type: str) -> Expression:
        if type == "boolean":
            value = self.pick("True", "False")
            return Expression(value, value, type)
        value = self.random.choice(LITERALS[type])
        return Expression(f"{type}({value})", f"cast({type!r}, {value})", type)

    def choice(self, type: Type, depth: int) -> Expression:
        self.features.add("select")
        test = self.of("boolean", depth - 1)
        with self.perhaps():
            then, other = self.of(type, depth - 1), self.of(type, depth - 1)
        return chosen(test, then, other)

    def number(self, type: str, depth: int) -> Expression:
        options = [self.arithmetic] * 4 + [self.unary, self.extreme, self.cast, self.cast]
        options += [self.sum, self.reduce] if self.nesting < MOST_DEPTH else []
        if type in INTEGERS:
            options += [self.division] * 2
        if type == "i64":
            options.append(self.length)
        return self.random.choice(options)(type, depth)

    def arithmetic(self, type: str, depth: int) -> Expression:
        op = self.pick(*("+-*/" if type in FLOATS else "+-*&|^"))
        self.features.add("bitwise" if op in "&|^" else "arithmetic")
        return joined(op, self.of(type, depth - 1), self.of(type, depth - 1))

    def extreme(self, type: str, depth: int) -> Expression:
        op = self.pick("min", "max")
        self.features.add(op)
        return joined(op, self.of(type, depth - 1), self.of(type, depth - 1))

    def unary(self, type: str, depth: int) -> Expression:
        op = self.pick("-", "abs", *(["sqrt"] if type in FLOATS else []))
        self.features.add("negate" if op == "-" else op)
        return alone(op, self.of(type, depth - 1))

    def cast(self, type: str, depth: int) -> Expression:
        source = self.pick(*(t for t in NUMBERS if t != type))
        self.features.add("cast")
        return converted(type, self.of(source, depth - 1))

    def division(self, type: str, depth: int) -> Expression:
        op = self.pick("//", "%")
        self.features.add("division")
        a, b = self.of(type, depth - 1), self.of(type, depth - 1)
        one = Expression(f"{type}(1)", f"cast({type!r}, 1)", type)
        if self.chance(0.12) and b.text != f"{type}(0)":  # which is refused
            return joined(op, a, b)
        if self.chance(0.5) or not is_simple(b):
            return joined(op, a, joined("|", b, one))
        self.features.add("guarded division")
        test = joined("!=", b, Expression(f"{type}(0)", f"cast({type!r}, 0)", type))
        return chosen(test, joined(op, a, b), a if is_simple(a) else one)

    def length(self, type: str, depth: int) -> Expression:
        self.features.add("len")
        return length(self.of(array(self.pick(*NUMBERS)), depth - 1))

    def sum(self, type: str, depth: int) -> Expression:
        self.features.add("sum")
        values = self.of(array(type), depth - 1)
        start = f"cast({type!r}, 0)"
        judged = f"reduce(lambda a, b: binary('+', a, b), {start}, {values.judged})"
        return Expression(f"sum({values.text})", judged, type)

    def combine(self, type: str) -> Expression:
        """A lambda of two numbers that cannot fault."""
        self.features.add("lambda")
        a, b = (Expression(n, n, type) for n in "ab")
        op = self.pick("+", "*", "min", "max", *("&|^" if type in INTEGERS else ""))
        made = joined(op, a, b)
        return Expression(f"lambda a, b: {made.text}", f"lambda a, b: {made.judged}", type)

    def reduce(self, type: str, depth: int) -> Expression:
        self.features.add("reduce")
        return self.folded("reduce", type, type, depth)

    def folded(self, name: str, type: str, result: Type, depth: int) -> Expression:
        function = self.combine(type)
        parts = self.of(type, 0), self.of(array(type), depth - 1)
        return called(name, result, function, *parts)

    def flag(self, depth: int) -> Expression:
        kind = self.pick("compare", "compare", "compare", "logic", "not")
        self.features.add(kind)
        if kind == "not":
            return alone("not", self.of("boolean", depth - 1))
        if kind == "compare":
            type = self.pick(*NUMBERS)
            op = self.pick("==", "!=", "<", "<=", ">", ">=")
            return joined(op, self.of(type, depth - 1), self.of(type, depth - 1))
        a = self.of("boolean", depth - 1)
        with self.perhaps():
            b = self.of("boolean", depth - 1)
        op = self.pick("and", "or")
        arms = (b.judged, "False") if op == "and" else ("True", b.judged)
        judged = f"choose({a.judged}, lambda: {arms[0]}, lambda: {arms[1]})"
        return Expression(f"({a.text} {op} {b.text})", judged, "boolean")

    def tuple(self, type: Type, depth: int) -> Expression:
        self.features.add("make tuple")
        parts = [self.of(t, depth - 1) for t in type[1:]]
        return tupled(parts)

    def element(self, values: Expression, depth: int) -> Expression:
        """An element, mostly one that is there."""
        self.features.add("index")
        at = self.of("i64", depth - 1)
        if self.chance(0.12):
            return indexed(values, at)
        self.features.add("guarded index")
        inside = indexed(values, joined("%", at, length(values)))
        with self.perhaps():
            other = self.leaf(values.type[1])
        return chosen(joined(">", length(values), number(0)), inside, other)

    def call(self, callee: Lambda | Helper, depth: int) -> Expression:
        self.features.add("call" if isinstance(callee, Helper) else "closure")
        arguments = [self.of(t, depth - 2) for t in callee.parameters]
        return called(callee.name, callee.result, *arguments)

    # Arrays

    def array(self, element: Type, depth: int) -> Expression:
        inner = 5 + 5 * self.nesting
        options = [self.comprehension] * inner if self.nesting < MOST_DEPTH else []
        options += [self.replicate, self.gather, self.filter, self.scatter, self.flatten]
        options += [self.over_zip] if self.nesting < MOST_DEPTH else []
        if element == "i64":
            options += [self.iota] * 2
        if isinstance(element, str) and element != "boolean":
            options += [self.scan, self.scan, self.scatter_add]
        elif isinstance(element, tuple) and is_array(element):
            options += [self.rows] * 2
        return self.random.choice(options)(element, depth)

    def source(self, depth: int) -> Expression:
        """What a comprehension or a loop goes over."""
        arrays = [v for v in self.scope if is_array(v.type)]
        if self.chance(0.25):
            self.features.add("range")
            return self.upto(depth)
        if arrays and self.chance(0.75):
            return self.use(self.random.choice(arrays))
        return self.of(array(self.any(1)), depth - 1)

    def any(self, depth: int) -> Type:
        """A type."""
        kind = self.random.random()
        if depth <= 0 or kind < 0.6:
            return self.pick(*NUMBERS, "boolean") if kind < 0.1 else self.pick(*NUMBERS)
        if kind < 0.8:
            return array(self.any(depth - 1))
        return ("tuple", *(self.any(depth - 1) for _ in range(self.pick(2, 2, 3))))

    def count(self, depth: int) -> Expression:
        """A number from 0 to 4."""
        limit = self.pick(3, 4, 5)
        return joined("%", self.of("i64", min(depth - 1, 1)), number(limit))

    def upto(self, depth: int) -> Expression:
        return renamed("range", "upto", array("i64"), self.count(depth))

    def iota(self, element: Type, depth: int = 0) -> Expression:
        self.features.add("iota")
        count = self.count(depth)
        if depth > 0 and self.chance(0.1):
            count = joined("-", count, number(1))
        return called("iota", array("i64"), count)

    def replicate(self, element: Type, depth: int) -> Expression:
        self.features.add("replicate")
        return called("replicate", array(element), self.of(element, depth - 1), self.count(depth))

    @contextmanager
    def inside(self, bound: Sequence[Variable], freezes: bool = False):
        """A body with names bound, done any number of times."""
        self.nesting += 1
        try:
            with self.perhaps(bound, freezes):
                yield
        finally:
            self.nesting -= 1

    def comprehension(self, element: Type, depth: int) -> Expression:
        over = self.source(depth)
        x = Variable(self.name("x"), over.type[1])
        return self.mapped(element, depth, [x], x.name, over.text, [over.judged])

    def over_zip(self, element: Type, depth: int) -> Expression:
        self.features.add("zip")
        a = self.source(depth)
        b = self.source(depth) if self.chance(0.2) or not is_simple(a) else self.alike(a, depth)
        names = [Variable(self.name("x"), over.type[1]) for over in (a, b)]
        target = ", ".join(v.name for v in names)
        over = f"zip({a.text}, {b.text})"
        return self.mapped(element, depth, names, target, over, [a.judged, b.judged])

    def alike(self, values: Expression, depth: int) -> Expression:
        """An array of the same length."""
        if self.chance(0.3):
            return values
        x = Variable(self.name("x"), values.type[1])
        with self.inside([x]):
            made = self.of(self.pick(*NUMBERS), depth - 2)
        return mapped(made, [x.name], x.name, values.text, [values.judged])

    def mapped(
        self,
        element: Type,
        depth: int,
        bound: list[Variable],
        target: str,
        over: str,
        judged: list[str],
    ) -> Expression:
        self.features.add("comprehension")
        if self.nesting:
            self.features.add(f"comprehension nested {self.nesting}")
        test = None
        with self.inside(bound):
            if self.chance(0.25):
                self.features.add("comprehension if")
                test = self.of("boolean", depth - 2)
            if isinstance(element, str) and self.nesting < MOST_DEPTH and self.chance(0.4):
                self.features.add("reduce")
                made = self.nested(element, depth)
            else:
                made = self.of(element, depth - 1)
        return mapped(made, [v.name for v in bound], target, over, judged, test)

    def nested(self, element: str, depth: int) -> Expression:
        """A scalar by way of a comprehension of its own."""
        self.budget = max(self.budget, 4)
        if element == "boolean":
            values = self.comprehension("i32", depth - 1)
            return joined(">", length(values), number(1))
        values = self.comprehension(element, depth - 1)
        function = self.combine(element)
        return called("reduce", element, function, self.leaf(element), values)

    def indices(self, values: Expression, depth: int) -> Expression:
        """Indices, mostly of elements that are there."""
        over = self.source(1)
        x = Variable(self.name("x"), over.type[1])
        with self.inside([x]):
            at = self.of("i64", min(depth - 2, 1))
        if self.chance(0.9):
            at = joined("%", at, joined("max", length(values), number(1)))
        return mapped(at, [x.name], x.name, over.text, [over.judged])

    def held(self, element: Type, depth: int) -> Expression:
        """An array that is a variable, where there is one."""
        found = [v for v in self.scope if v.type == array(element)]
        if found and self.chance(0.9):
            return self.use(self.random.choice(found))
        return self.of(array(element), min(depth - 1, 1))

    def gather(self, element: Type, depth: int) -> Expression:
        self.features.add("gather")
        values = self.held(element, depth)
        indices = self.indices(values, depth)
        if self.chance(0.9):
            test = joined(">", length(values), number(0))
            made = called("gather", array(element), values, indices)
            return chosen(test, made, values)
        return called("gather", array(element), values, indices)

    def filter(self, element: Type, depth: int) -> Expression:
        self.features.add("filter")
        values = self.held(element, depth)
        x = Variable(self.name("x"), element)
        with self.inside([x]):
            test = self.of("boolean", depth - 2)
        mask = mapped(test, [x.name], x.name, values.text, [values.judged])
        if self.chance(0.05):
            mask = self.of(array("boolean"), depth - 1)
        return renamed("filter", "keep", array(element), mask, values)

    def scatter(self, element: Type, depth: int) -> Expression:
        self.features.add("scatter")
        values = self.held(element, depth)
        if self.chance(0.15):
            indices = self.indices(values, depth)
        else:
            last = joined("-", joined("-", length(values), number(1)), Expression("k", "k", "i64"))
            at = self.pick(Expression("k", "k", "i64"), last)
            count = joined("//", length(values), number(self.pick(1, 2)))
            over = renamed("range", "upto", array("i64"), count)
            indices = mapped(at, ["k"], "k", over.text, [over.judged])
        return self.scattered("scatter", values, indices, depth)

    def scattered(
        self, name: str, values: Expression, indices: Expression, depth: int
    ) -> Expression:
        x = Variable(self.name("x"), "i64")
        with self.inside([x]):
            new = self.of(values.type[1], depth - 2)
        changed = mapped(new, [x.name], x.name, indices.text, [indices.judged])
        if self.chance(0.05):
            changed = self.of(values.type, depth - 1)
        return called(name, values.type, values, indices, changed)

    def scatter_add(self, element: Type, depth: int) -> Expression:
        self.features.add("scatter_add")
        values = self.held(element, depth)
        made = self.scattered("scatter_add", values, self.indices(values, depth), depth)
        return chosen(joined(">", length(values), number(0)), made, values)

    def flatten(self, element: Type, depth: int) -> Expression:
        self.features.add("flatten")
        return called("flatten", array(element), self.held(array(element), depth))

    def rows(self, element: Type, depth: int) -> Expression:
        self.features.add("rows")
        values = self.held(element[1], depth)
        if self.chance(0.1):
            lengths = self.of(array("i64"), depth - 1)
        else:
            half = joined("//", length(values), number(2))
            parts = [half, joined("-", length(values), half)]
            zero = number(0)
            at = self.pick(
                lambda k: chosen(joined("==", k, zero), *parts),
                lambda k: chosen(joined("==", k, number(1)), length(values), zero),
            )(Expression("k", "k", "i64"))
            count = self.pick(2, 2, 3)
            if "==" in at.text and parts[1].text in at.text:
                count = 2
            lengths = mapped(at, ["k"], "k", f"range(i64({count}))", [f"upto({count})"])
        return called("rows", array(element), values, lengths)

    def scan(self, element: Type, depth: int) -> Expression:
        self.features.add("scan")
        return self.folded("scan", element, array(element), depth)

    # Statements

    def line(self, indent: int, text: str, judged: str | None = None) -> None:
        self.text.append("    " * indent + text)
        self.judged.append("    " * indent + (text if judged is None else judged))

    def assign(self, indent: int, name: str, value: Expression) -> None:
        self.line(indent, f"{name} = {value.text}", f"{name} = {value.judged}")

    def digest(self, type: str, value: Expression) -> Expression:
        """A number that needs all of a value."""
        if value.type == type:
            return value
        if value.type == "boolean":
            one, zero = (Expression(f"{type}({n})", f"cast({type!r}, {n})", type) for n in (1, 0))
            return chosen(value, one, zero)
        if isinstance(value.type, str):
            return converted(type, value)
        if is_array(value.type):
            return converted(type, length(value)) if type != "i64" else length(value)
        parts = [
            self.digest(type, Expression(f"{value.text}[{i}]", f"item({value.judged}, {i})", t))
            for i, t in enumerate(value.type[1:])
        ]
        made = parts[0]
        for part in parts[1:]:
            made = joined("+", made, part)
        return made

    def statement(self, indent: int) -> None:
        kind = self.random.random()
        makers = {0.45: self.local, 0.6: self.closure, 0.72: self.loop, 0.84: self.walk}
        next((make for limit, make in makers.items() if kind < limit), self.branch)(indent)

    def local(self, indent: int) -> None:
        self.features.add("local")
        value = self.of(self.any(2), 3)
        variable = Variable(self.name("v"), value.type)
        self.assign(indent, variable.name, value)
        self.scope.append(variable)

    def closure(self, indent: int) -> None:
        self.features.add("lambda")
        parameters = [Variable(self.name("p"), self.pick(*NUMBERS)) for _ in range(self.pick(1, 2))]
        result = self.pick(*NUMBERS)
        with self.perhaps(parameters, freezes=True):
            made = self.of(result, 3)
            for p in parameters:
                made = joined("+", made, self.digest(result, self.use(p)))
        callee = Lambda(self.name("f"), [p.type for p in parameters], result)
        names = ", ".join(p.name for p in parameters)
        self.line(
            indent,
            f"{callee.name} = lambda {names}: {made.text}",
            f"{callee.name} = lambda {names}: {made.judged}",
        )
        self.lambdas.append(callee)

    def accumulators(self, indent: int) -> list[Variable]:
        """Variables that a loop changes, some new."""
        found = [v for v in self.scope if v.type in NUMBERS and not v.frozen]
        made = self.random.sample(found, min(len(found), self.pick(0, 0, 1)))
        if not made or self.chance(0.3):
            value = self.of(self.pick(*NUMBERS), 1)
            made.append(Variable(self.name("s"), value.type))
            self.assign(indent, made[-1].name, value)
            self.scope.append(made[-1])
        return made

    def update(self, indent: int, changed: list[Variable]) -> None:
        """Each variable combined with something; perhaps by way of one of the body's own."""
        for v in changed:
            value = self.of(v.type, 2)
            if self.chance(0.2):
                name = self.name("t")
                self.assign(indent, name, value)
                value = Expression(name, name, v.type)
            op = self.pick("+", "-", "*", "max", "min")
            self.assign(indent, v.name, joined(op, Expression(v.name, v.name, v.type), value))

    def tainted(self, indent: int, test: str, changed: list[Variable]) -> None:
        names = "".join(f"{v.name}, " for v in changed)
        self.judged.append("    " * indent + f"{names}= taint({test}, ({names}))")

    def loop(self, indent: int) -> None:
        self.features.add("while")
        counter = Variable(self.name("k"), "i64", frozen=True)
        self.assign(indent, counter.name, number(0))
        self.scope.append(counter)
        changed = self.accumulators(indent)
        bound, limit = self.count(2), self.name("n")
        self.assign(indent, limit, bound)
        self.scope.append(Variable(limit, "i64", needed=True, frozen=True))
        test = f"binary('<', {counter.name}, {limit})"
        self.line(
            indent,
            f"while {counter.name} < {limit}:",
            f"while {test} is True:",
        )
        with self.inside([], freezes=True):
            self.update(indent + 1, changed)
        after = joined("+", Expression(counter.name, counter.name, "i64"), number(1))
        self.assign(indent + 1, counter.name, after)
        changed.append(counter)
        self.tainted(indent, f"{test}", changed)
        self.settle(changed)

    def settle(self, changed: list[Variable]) -> None:
        """They have values that nothing needs yet."""
        for v in changed:
            v.needed = False

    def walk(self, indent: int) -> None:
        self.features.add("for")
        changed = self.accumulators(indent)
        over = self.source(2)
        held = self.name("w")
        self.judged.append("    " * indent + f"{held} = {over.judged}")
        x = Variable(self.name("x"), over.type[1])
        self.line(indent, f"for {x.name} in {over.text}:", f"for {x.name} in elements({held}):")
        with self.inside([x]):
            self.update(indent + 1, changed)
        self.tainted(indent, held, changed)
        self.settle(changed)

    def branch(self, indent: int) -> None:
        self.features.add("if")
        test = self.of("boolean", 2)
        changed = [v for v in self.scope if v.type in NUMBERS and not v.frozen]
        changed = self.random.sample(changed, min(len(changed), self.pick(0, 1, 2)))
        type = self.any(2)
        new = Variable(self.name("u"), type)
        has_new = not changed or self.chance(0.6)
        held = self.name("c")
        self.judged.append("    " * indent + f"{held} = {test.judged}")
        if has_new:
            self.judged.append("    " * indent + f"{new.name} = None")
        self.line(indent, f"if {test.text}:", f"if {held} is True:")
        with self.perhaps():
            for part in range(2):
                if part and not has_new and self.chance(0.5):
                    break
                if part:
                    self.line(indent, "else:")
                if not (part and has_new and self.chance(0.3)):
                    self.update(indent + 1, changed)
                if has_new:
                    self.assign(indent + 1, new.name, self.of(type, 3))
        if has_new:
            self.scope.append(new)
            changed = [*changed, new]
        self.tainted(indent, held, changed)
        self.settle(changed)

    def rest(self, result: Expression) -> Expression:
        """The result, and with it all that nothing certainly needs yet."""
        left = [v for v in self.scope if not v.needed]
        if not left:
            return result
        if result.type in NUMBERS and self.chance(0.6):
            for v in left:
                result = joined("+", result, self.digest(result.type, self.use(v)))
            return result
        return tupled([result, *map(self.use, left)])


# Both texts of an expression ---------------------------------------------------------------------


def is_simple(value: Expression) -> bool:
    return value.text.isidentifier()


def number(value: int) -> Expression:
    return Expression(f"i64({value})", f"cast('i64', {value})", "i64")


def joined(op: str, a: Expression, b: Expression) -> Expression:
    type = "boolean" if op[0] in "=!<>" else a.type
    judged = f"binary({op!r}, {a.judged}, {b.judged})"
    is_call = op in ("min", "max")
    text = f"{op}({a.text}, {b.text})" if is_call else f"({a.text} {op} {b.text})"
    return Expression(text, judged, type)


def alone(op: str, a: Expression) -> Expression:
    text = f"{op}({a.text})" if op in ("abs", "sqrt") else f"({op} {a.text})"
    return Expression(text, f"unary({op!r}, {a.judged})", a.type)


def converted(type: str, a: Expression) -> Expression:
    return Expression(f"{type}({a.text})", f"cast({type!r}, {a.judged})", type)


def chosen(test: Expression, then: Expression, other: Expression) -> Expression:
    return Expression(
        f"({then.text} if {test.text} else {other.text})",
        f"choose({test.judged}, lambda: {then.judged}, lambda: {other.judged})",
        then.type,
    )


def tupled(parts: Sequence[Expression]) -> Expression:
    text = ", ".join(p.text for p in parts)
    judged = ", ".join(p.judged for p in parts)
    type = ("tuple", *(p.type for p in parts))
    return Expression(f"({text})", f"make({judged})", type)


def renamed(name: str, judge: str, type: Type, *parts: Expression) -> Expression:
    text, judged = (", ".join(getattr(p, side) for p in parts) for side in ("text", "judged"))
    return Expression(f"{name}({text})", f"{judge}({judged})", type)


def called(name: str, type: Type, *parts: Expression) -> Expression:
    return renamed(name, name, type, *parts)


def length(values: Expression) -> Expression:
    return Expression(f"len({values.text})", f"length({values.judged})", "i64")


def indexed(values: Expression, at: Expression) -> Expression:
    judged = f"index({values.judged}, {at.judged})"
    return Expression(f"{values.text}[{at.text}]", judged, values.type[1])


def mapped(
    made: Expression,
    names: Sequence[str],
    target: str,
    over: str,
    judged: Sequence[str],
    test: Expression | None = None,
) -> Expression:
    """A comprehension."""
    head = f"lambda {', '.join(names)}"
    kept, keeps = ("", "None") if test is None else (f" if {test.text}", f"{head}: {test.judged}")
    return Expression(
        f"[{made.text} for {target} in {over}{kept}]",
        f"each({head}: {made.judged}, {keeps}, {', '.join(judged)})",
        array(made.type),
    )


# Programs ----------------------------------------------------------------------------------------


@dataclass(eq=False)
class Program:
    """Functions as text, and what they give.

    parameters  of the entry, with the types as text
    over        those that differ between lanes; the others are uniform
    features    the names of the constructs it uses
    """

    text: str
    entry: str
    parameters: list[tuple[str, str]]
    over: list[str]
    features: set[str]
    types: dict[str, Type]
    result: Type
    judged: str
    _names: dict[str, Any] | None = None

    def inputs(self, seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The values of uniform parameters, and for every lane those of the others."""
        source = random.Random(f"inputs {seed}")
        form = source.choice(["any", "any", "any", "empty first and last", "all empty"])
        uniform = {
            name: random_value(source, self.types[name], form == "all empty" and i % 2)
            for i, (name, _) in enumerate(self.parameters)
            if name not in self.over
        }
        count = source.choice([0, 1, 2, 3, 4, 6])
        lanes = []
        for i in range(count):
            is_empty = form == "all empty" or (form != "any" and i in (0, count - 1))
            lanes.append({n: random_value(source, self.types[n], is_empty) for n in self.over})
        return uniform, lanes

    def arguments(self, values: dict[str, Any]) -> list[Any]:
        """By name to in order."""
        return [values[name] for name, _ in self.parameters]

    def judge(self, arguments: Sequence[Any]) -> Any:
        """What the entry gives for one lane, in plain numbers; or a Fault."""
        if self._names is None:
            self._names = dict(lane_judge.NAMES)
            exec(compile(self.judged, f"<{self.entry}>", "exec"), self._names)
        typed = zip(self.parameters, arguments, strict=True)
        held = [lane_judge.held(self.types[name], value) for (name, _), value in typed]
        return lane_judge.plain(self._names[self.entry](*held))


EXTREMES = {
    "i32": (-(2**31), 2**31 - 1, 65536),
    "i64": (-(2**63), 2**63 - 1, 2**32),
    "f32": (float("nan"), float("inf"), float("-inf"), -0.0, 1e-45, -3e-39, 3.4e38, 2147483648.0),
    "f64": (float("nan"), float("inf"), float("-inf"), -0.0, 5e-324, -1e-310, 1.7e308, 1e19),
}


def random_value(source: random.Random, type: Type, is_empty: bool | int) -> Any:
    """A value of a type; arrays without elements if wanted."""
    if type == "boolean":
        return source.randrange(2)
    if isinstance(type, str):
        if source.random() < 0.2:
            value = source.choice(EXTREMES[type])
        elif type in INTEGERS:
            return source.randrange(-3, 6)
        else:
            value = source.choice([0.0, 1.0, -1.5, 0.25, source.uniform(-8, 8)])
        return float(np.float32(value)) if type == "f32" else value
    if is_tuple(type):
        return tuple(random_value(source, part, is_empty) for part in type[1:])
    count = 0 if is_empty else source.choice([0, 1, 2, 3, 5])
    made = [random_value(source, type[1], False) for _ in range(count)]
    if count and is_array(type[1]) and source.random() < 0.5:
        made[0], made[-1] = [], []
    return made


def _drawn(
    source: random.Random, name: str, features: set[str], helpers: list[Helper], size: int
) -> tuple[_Function, list[Variable], Expression]:
    function = _Function(source, features, helpers, size)
    count = source.choice([1, 2, 2] if name != "main" else [1, 2, 3, 3, 4])
    parameters = []
    for _ in range(count):
        kind = source.random()
        scalar = source.choice(NUMBERS)
        options: list[Type] = [scalar, array(scalar), array(array(scalar))]
        type = options[0 if kind < 0.4 else 1 if kind < 0.7 else 2]
        if kind > 0.86:
            features.add("tuple parameter")
            pair = ("tuple", scalar, source.choice([*NUMBERS, "boolean", array("f32")]))
            type = pair if kind > 0.93 else array(pair)
        is_free = name == "main"
        parameters.append(Variable(function.name("a"), type, needed=is_free))
    if any("array" in shown_kind(v.type) for v in parameters):
        features.add("array parameter")
    function.scope += parameters
    for v in parameters:
        if is_array(v.type) and is_array(v.type[1]):
            features.add("ragged parameter")
    for _ in range(source.choice([0, 1, 2, 3]) if name == "main" else source.choice([0, 0, 1])):
        if function.budget > 0:
            function.statement(1)
    result = function.of(function.any(2), 4)
    return function, parameters, function.rest(result)


def shown_kind(type: Type) -> str:
    return "scalar" if isinstance(type, str) else type[0]


def random_program(seed: int) -> Program:
    """The program of a seed."""
    source = random.Random(f"functions {seed}")
    features: set[str] = set()
    helpers: list[Helper] = []
    texts, judged = [HEADER], []
    names = [f"helper{i}" for i in range(source.choice([0, 0, 1, 2]))] + ["main"]
    for name in names:
        size = source.randrange(12, 45) if name == "main" else source.randrange(4, 14)
        function, parameters, result = _drawn(source, name, features, list(helpers), size)
        typed = ", ".join(f"{v.name}: {shown(v.type)}" for v in parameters)
        plain = ", ".join(v.name for v in parameters)
        head = f"@function\ndef {name}({typed}) -> {shown(result.type)}:"
        texts.append("\n".join([head, *function.text, f"    return {result.text}", ""]))
        judged.append("\n".join([f"def {name}({plain}):", *function.judged]))
        judged[-1] += f"\n    return {result.judged}\n"
        helpers.append(Helper(name, [v.type for v in parameters], result.type))
    over = [v.name for v in parameters if source.random() < 0.6]
    over = over or [source.choice(parameters).name]
    if len(over) < len(parameters):
        features.add("uniform parameter")
    return Program(
        text="\n\n".join(texts),
        entry="main",
        parameters=[(v.name, shown(v.type)) for v in parameters],
        over=over,
        features=features,
        types={v.name: v.type for v in parameters},
        result=result.type,
        judged="\n".join(judged),
    )


def pairs_covered(seeds: Sequence[int]) -> tuple[float, set[tuple[str, str]]]:
    """Of all pairs of features, the part that some program has; and the pairs none has."""
    found: set[tuple[str, str]] = set()
    for seed in seeds:
        found.update(combinations(sorted(random_program(seed).features), 2))
    wanted = set(combinations(sorted(FEATURES), 2))
    return len(found & wanted) / len(wanted), wanted - found


__all__ = ["FEATURES", "Fault", "Program", "pairs_covered", "random_program"]
