"""Expressions of arrays."""

from __future__ import annotations

from dataclasses import replace

from tests.programs.functions.scalars import Scalars
from tests.programs.functions.scope import MOST_DEPTH, Variable
from tests.programs.functions.text import (
    Clause,
    Expression,
    called,
    chosen,
    joined,
    length,
    mapped,
    number,
    renamed,
)
from tests.programs.functions.types import NUMBERS, Type, array, is_array


class Arrays(Scalars):
    """Draws arrays, and what goes over them."""

    def array(self, element: Type, depth: int) -> Expression:
        options = [self.replicate, self.gather, self.scatter]
        if self.nesting < MOST_DEPTH:
            options += [self.comprehension] * (6 + 5 * self.nesting) + [self.map]
        if not self.subset.is_regular:
            options += [self.filter, self.flatten]
        if self.subset.faults and not self.subset.is_regular:
            options += [self.listed, self.behind]
        if element == "i64":
            options += [self.iota] * 2
        if isinstance(element, str) and element != "boolean":
            options += [self.scan, self.scan, self.scatter_add]
        elif is_array(element) and not self.subset.is_regular:
            options += [self.rows] * 2
        return self.random.choice(options)(element, depth)

    def listed(self, element: Type, depth: int) -> Expression:
        self.features.add("list")
        parts = [self.of(element, depth - 1) for _ in range(self.pick(1, 2, 3, 5))]
        text, judged = (", ".join(getattr(p, side) for p in parts) for side in ("text", "judged"))
        return Expression(f"[{text}]", f"listed({judged})", array(element))

    def behind(self, element: Type, depth: int) -> Expression:
        self.features.add("concatenation")
        one, other = (self.held(element, depth - 1) for _ in range(2))
        judged = f"behind({one.judged}, {other.judged})"
        return Expression(f"({one.text} + {other.text})", judged, array(element))

    def source(self, depth: int) -> Expression:
        """What a comprehension or a loop goes over."""
        arrays = [v for v in self.scope if is_array(v.type)]
        if self.chance(0.25):
            self.features.add("range")
            return self.upto(depth)
        if arrays and self.chance(0.75):
            return self.use(self.random.choice(arrays))
        return self.of(array(self.any(1)), depth - 1)

    def few(self, depth: int) -> Expression:
        """A number from 0 to 4."""
        return joined("%", self.of("i64", min(depth - 1, 1)), number(self.pick(3, 4, 5)))

    def count(self, depth: int) -> Expression:
        """The length of an array."""
        return number(self.subset.length) if self.subset.is_regular else self.few(depth)

    def upto(self, depth: int) -> Expression:
        return renamed("range", "upto", array("i64"), self.count(depth))

    def iota(self, element: Type, depth: int = 0) -> Expression:
        self.features.add("iota")
        count = self.count(depth)
        if depth > 0 and self.risk(0.1):
            count = joined("-", count, number(1))
        return called("iota", array("i64"), count)

    def replicate(self, element: Type, depth: int) -> Expression:
        self.features.add("replicate")
        return called("replicate", array(element), self.of(element, depth - 1), self.count(depth))

    # Comprehensions

    def comprehension(self, element: Type, depth: int) -> Expression:
        self.features.add("comprehension")
        if self.nesting:
            self.features.add(f"comprehension nested {self.nesting}")
        clause, bound = self.clause(depth)
        is_last = self.subset.is_regular or self.nesting + 1 == MOST_DEPTH
        with self.inside(bound):
            clause = self.kept(clause, depth)
            if is_last or self.chance(0.8):
                return mapped(self.made(element, depth), clause)
            self.features.add("several for")
            second, bound = self.clause(depth - 1)
            with self.inside(bound):
                second = self.kept(second, depth)
                return mapped(self.made(element, depth), clause, second)

    def clause(self, depth: int) -> tuple[Clause, list[Variable]]:
        """A `for`, and the variables that it binds."""
        kind = self.random.random()
        xs = self.source(depth)
        x = Variable(self.name("x"), xs.type[1])
        if kind < 0.12:
            self.features.add("zip")
            ys = self.alike(xs, depth)
            y = Variable(self.name("x"), ys.type[1])
            over, judged = f"zip({xs.text}, {ys.text})", [xs.judged, ys.judged]
            return Clause([x.name, y.name], f"{x.name}, {y.name}", over, judged), [x, y]
        if kind < 0.24:
            self.features.add("enumerate")
            i = Variable(self.name("i"), "i64")
            judged = [f"upto(length({xs.judged}))", xs.judged]
            over = f"enumerate({xs.text})"
            return Clause([i.name, x.name], f"{i.name}, {x.name}", over, judged), [i, x]
        return Clause.plain(x.name, xs), [x]

    def kept(self, clause: Clause, depth: int) -> Clause:
        """A `for`, perhaps with an `if`."""
        if self.subset.is_regular or not self.chance(0.25):
            return clause
        self.features.add("comprehension if")
        return replace(clause, test=self.of("boolean", depth - 2))

    def made(self, element: Type, depth: int) -> Expression:
        """What a comprehension makes of an element."""
        if isinstance(element, str) and self.nesting < MOST_DEPTH and self.chance(0.4):
            self.features.add("reduce")
            return self.nested(element, depth)
        return self.of(element, depth - 1)

    def map(self, element: Type, depth: int) -> Expression:
        """A lambda, or a function that has a name, for the elements of one array or several."""
        self.features.add("map")
        named = [c for c in (*self.helpers, *self.lambdas) if c.result == element]
        if named and self.chance(0.7):
            callee = self.random.choice(named)
            first = self.of(array(callee.parameters[0]), depth - 1)
            arrays = [first, *(self.alike(first, depth, p) for p in callee.parameters[1:])]
            text = judged = callee.name
        else:
            first = self.source(depth)
            arrays = [first, *(self.alike(first, depth) for _ in range(self.pick(0, 1, 1, 2)))]
            bound = [Variable(self.name("x"), xs.type[1]) for xs in arrays]
            with self.inside(bound):
                made = self.of(element, depth - 1)
            head = f"lambda {', '.join(v.name for v in bound)}"
            text, judged = f"{head}: {made.text}", f"{head}: {made.judged}"
        if len(arrays) > 1:
            self.features.add("map of several")
        return Expression(
            f"map({', '.join([text, *(xs.text for xs in arrays)])})",
            f"each({', '.join([judged, 'None', *(xs.judged for xs in arrays)])})",
            array(element),
        )

    def alike(self, values: Expression, depth: int, element: Type = None) -> Expression:
        """An array of the same length."""
        if self.risk(0.12):
            return self.of(array(element or self.pick(*NUMBERS)), depth - 1)
        if self.chance(0.3) and element in (None, values.type[1]):
            return values
        x = Variable(self.name("x"), values.type[1])
        with self.inside([x]):
            made = self.of(element or self.pick(*NUMBERS), depth - 2)
        return mapped(made, Clause.plain(x.name, values))

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
        if not self.risk(0.1):
            at = joined("%", at, joined("max", length(values), number(1)))
        return mapped(at, Clause.plain(x.name, over))

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
        made = called("gather", array(element), values, indices)
        if self.risk(0.1):
            return made
        return chosen(joined(">", length(values), number(0)), made, values)

    def filter(self, element: Type, depth: int) -> Expression:
        self.features.add("filter")
        values = self.held(element, depth)
        x = Variable(self.name("x"), element)
        with self.inside([x]):
            test = self.of("boolean", depth - 2)
        mask = mapped(test, Clause.plain(x.name, values))
        if self.risk(0.05):
            mask = self.of(array("boolean"), depth - 1)
        return renamed("filter", "keep", array(element), mask, values)

    def scatter(self, element: Type, depth: int) -> Expression:
        self.features.add("scatter")
        values = self.held(element, depth)
        if self.risk(0.15):
            indices = self.indices(values, depth)
        else:
            last = joined("-", joined("-", length(values), number(1)), Expression("k", "k", "i64"))
            at = self.pick(Expression("k", "k", "i64"), last)
            count = joined("//", length(values), number(self.pick(1, 2)))
            over = renamed("range", "upto", array("i64"), count)
            indices = mapped(at, Clause.plain("k", over))
        return self.scattered("scatter", values, indices, depth)

    def scattered(
        self, name: str, values: Expression, indices: Expression, depth: int
    ) -> Expression:
        x = Variable(self.name("x"), "i64")
        with self.inside([x]):
            new = self.of(values.type[1], depth - 2)
        changed = mapped(new, Clause.plain(x.name, indices))
        if self.risk(0.05):
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
        if self.risk(0.1):
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
            over = renamed("range", "upto", array("i64"), number(count))
            lengths = mapped(at, Clause.plain("k", over))
        return called("rows", array(element), values, lengths)

    def scan(self, element: Type, depth: int) -> Expression:
        self.features.add("scan")
        return self.folded("scan", element, array(element), depth)
