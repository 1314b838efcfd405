"""Expressions of numbers, booleans and tuples."""

from __future__ import annotations

from collections.abc import Callable

from tests.programs.functions.scope import MOST_DEPTH, Helper, Lambda, Scope, Variable
from tests.programs.functions.text import (
    Expression,
    alone,
    called,
    chosen,
    converted,
    indexed,
    is_simple,
    joined,
    length,
    number,
    tupled,
)
from tests.programs.functions.types import (
    FLOATS,
    INTEGERS,
    NUMBERS,
    Type,
    array,
    is_array,
    is_tuple,
)

LITERALS = {
    "i32": ("0", "1", "2", "3", "7", "-1", "-5", "2147483647"),
    "i64": ("0", "1", "2", "3", "-1", "-3", "4611686018427387904"),
    "u32": ("0", "1", "2", "3", "5", "2147483648", "4294967295"),
    "u64": ("0", "1", "2", "3", "9", "9223372036854775809", "18446744073709551615"),
    "f32": ("0.0", "-0.0", "1.0", "-0.5", "0.1", "2.5", "16777216.0"),
    "f64": ("0.0", "-0.0", "1.0", "-0.5", "0.1", "3.0", "1e300"),
}


class Scalars(Scope):
    """Draws what is no array."""

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
        of_calls = [
            (helper, i)
            for helper in self.helpers
            if is_tuple(helper.result)
            for i, part in enumerate(helper.result[1:])
            if part == type
        ]
        if of_calls and self.chance(0.3):
            return self.part_of_call(*self.random.choice(of_calls), depth)
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

    def whole(self, variable: Variable) -> Callable[[], Expression]:
        return lambda: self.use(variable)

    def part(self, variable: Variable, index: int) -> Callable[[], Expression]:
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
        if type.startswith("u"):
            self.features.add("unsigned")
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
        self.features.add("cast")
        others = [t for t in NUMBERS if t != type]
        calls = [c for c in (*self.helpers, *self.lambdas) if c.result in others]
        if calls and self.chance(0.5):
            return converted(type, self.call(self.random.choice(calls), depth))
        return converted(type, self.of(self.random.choice(others), depth - 1))

    def division(self, type: str, depth: int) -> Expression:
        op = self.pick("//", "%")
        self.features.add("division")
        a, b = self.of(type, depth - 1), self.of(type, depth - 1)
        one = Expression(f"{type}(1)", f"cast({type!r}, 1)", type)
        if self.risk(0.12) and b.text != f"{type}(0)":  # which is refused
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
        counters = [v for v in self.scope if v.type == "i64"]
        if counters and self.chance(0.5):
            return self.bounded(values, self.use(self.random.choice(counters)))
        at = self.of("i64", depth - 1)
        if self.risk(0.12):
            return indexed(values, at)
        self.features.add("guarded index")
        inside = indexed(values, joined("%", at, length(values)))
        with self.perhaps():
            other = self.leaf(values.type[1])
        return chosen(joined(">", length(values), number(0)), inside, other)

    def bounded(self, values: Expression, at: Expression) -> Expression:
        """The element at a number, perhaps a loop's counter, if there is one."""
        self.features.add("bounded index")
        with self.perhaps():
            others = [self.leaf(values.type[1]) for _ in range(2)]
        below = chosen(joined("<", at, length(values)), indexed(values, at), others[0])
        return chosen(joined(">=", at, number(0)), below, others[1])

    def call(self, callee: Lambda | Helper, depth: int) -> Expression:
        self.features.add("call" if isinstance(callee, Helper) else "closure")
        arguments = [self.of(t, depth - 2) for t in callee.parameters]
        return called(callee.name, callee.result, *arguments)

    def part_of_call(self, helper: Helper, index: int, depth: int) -> Expression:
        """A part of what a function gives, while nothing needs the others."""
        self.features.add("part of call")
        made = self.call(helper, depth)
        judged = f"item({made.judged}, {index})"
        return Expression(f"{made.text}[{index}]", judged, helper.result[1 + index])

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
