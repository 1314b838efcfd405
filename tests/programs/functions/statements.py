"""Statements.  What judges has a function for each body: it takes what the body changes, and gives
that and what is new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.programs.functions.arrays import Arrays
from tests.programs.functions.scope import Lambda, Variable
from tests.programs.functions.text import (
    Clause,
    Expression,
    called,
    chosen,
    indexed,
    is_simple,
    joined,
    length,
    mapped,
    number,
    renamed,
    tupled,
)
from tests.programs.functions.types import INTEGERS, NUMBERS, array, is_array

MOST_NESTED = 2


@dataclass(eq=False)
class Statements(Arrays):
    """Draws statements.

    changing  what they may assign: inside of a body what it changes, and names of its own
    bodies    how many are around
    """

    changing: list[Variable] = field(default_factory=list)
    bodies: int = 0

    def declare(self, *variables: Variable) -> None:
        self.scope += variables
        self.changing += variables

    def statement(self, indent: int) -> None:
        kind = self.random.random()
        if self.subset.faults and self.chance(0.3):
            self.aside(indent)
            return
        makers = {0.45: self.local, 0.6: self.closure, 0.72: self.loop, 0.84: self.walk}
        next((make for limit, make in makers.items() if kind < limit), self.branch)(indent)

    def within(self, indent: int) -> None:
        """A statement in a body: no lambda, as what it would hold is assigned again."""
        self.features.add("nested statement")
        self.pick(self.local, self.loop, self.walk, self.branch)(indent)

    def local(self, indent: int) -> None:
        self.features.add("local")
        value = self.of(self.any(2), 3)
        variable = Variable(self.name("v"), value.type)
        self.assign(indent, variable.name, value)
        self.declare(variable)

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

    def aside(self, indent: int) -> None:
        """An array, or one of arrays, that may fault, and one that needs it for some elements: for
        none perhaps, which then do not fault."""
        self.features.add("array aside")
        element, is_table = self.pick(*NUMBERS), self.chance(0.4)
        x, y, over = self.name("x"), self.name("x"), self.named(indent, self.source(2))
        with self.inside([Variable(x, over.type[1])]):
            made = self.risky(element)
            if is_table:
                with self.inside([Variable(y, over.type[1])]):
                    made = joined("+", made, self.of(element, 1))
                made = mapped(made, Clause.plain(y, over))
        held = Variable(self.name("v"), array(made.type), needed=True)
        self.assign(indent, held.name, mapped(made, Clause.plain(x, over)))
        self.declare(held)
        user = Variable(self.name("v"), array(made.type))
        self.assign(indent, user.name, self.neighbours(held, length(over), is_table))
        self.declare(user)

    def named(self, indent: int, value: Expression) -> Expression:
        """A variable that has a value: what is said twice faults at one of these places."""
        if is_simple(value):
            return value
        variable = Variable(self.name("v"), value.type)
        self.assign(indent, variable.name, value)
        self.declare(variable)
        return self.use(variable)

    def risky(self, element: str) -> Expression:
        """A number that may fault: a quotient, or an element of an array."""
        made, part = self.of(element, 2), self.leaf(element)
        if element in INTEGERS and is_simple(part):
            return joined(self.pick("//", "%"), made, part)
        found = [v for v in self.scope if v.type == array(element)]
        if not found:
            return made
        return joined("+", made, indexed(self.use(self.pick(*found)), self.of("i64", 1)))

    def neighbours(self, held: Variable, count: Expression, is_table: bool) -> Expression:
        """For each element one of an array that stands before it, or the same, if a test says so;
        of a table, one for each element of a row."""
        name, back = self.name("i"), number(self.pick(0, 1, 1, 2))
        i, over = Expression(name, name, "i64"), renamed("range", "upto", array("i64"), count)
        at = joined("-", i, back)
        with self.inside([Variable(name, "i64")]):
            test = joined(">=", i, back) if self.chance(0.6) else self.of("boolean", 2)
            element = indexed(self.use(held), at)
            if is_table and self.chance(0.5):
                made = self.of_row(element, over)
            else:
                made = chosen(test, element, self.leaf(element.type))
        return mapped(made, Clause.plain(name, over))

    def of_row(self, row: Expression, over: Expression) -> Expression:
        """Some elements of a row, each if a test says so."""
        name = self.name("i")
        with self.inside([Variable(name, "i64")]):
            test = self.of("boolean", 1)
            element = indexed(row, Expression(name, name, "i64"))
            made = chosen(test, element, self.leaf(element.type))
        return mapped(made, Clause.plain(name, over))

    # Bodies

    def body(self, indent: int, changed: list[Variable]) -> None:
        """What a loop or an arm does: perhaps statements of its own, then each variable combined
        with something, one with all that these statements made."""
        outer, self.changing = self.changing, list(changed)
        self.bodies += 1
        with self.perhaps():
            if changed and self.bodies <= MOST_NESTED and self.budget > 0 and self.chance(0.4):
                self.within(indent)
            made = self.changing[len(changed) :]
            for v in changed:
                if not is_array(v.type):
                    self.update(indent, v, [*made, *self.others(v, changed)])
                    made = []
            self.turn(indent, [v for v in changed if is_array(v.type)])
        self.bodies -= 1
        self.changing = outer

    def others(self, changed: Variable, among: list[Variable]) -> list[Variable]:
        """Perhaps another variable that the body changes: what is the same for all lanes by itself
        may not be by way of it."""
        found = [v for v in among if v is not changed]
        return [self.random.choice(found)] if found and self.chance(0.5) else []

    def update(self, indent: int, changed: Variable, made: Sequence[Variable]) -> None:
        """A variable combined with something; perhaps by way of one of the body's own."""
        value = self.of(changed.type, 2)
        for v in made:
            held = Expression(v.name, v.name, v.type)
            value = joined("+", value, self.digest(changed.type, held))
        if self.chance(0.2):
            name = self.name("t")
            self.assign(indent, name, value)
            value = Expression(name, name, changed.type)
        op = self.pick("+", "-", "*", "max", "min")
        before = Expression(changed.name, changed.name, changed.type)
        self.assign(indent, changed.name, joined(op, before, value))

    def turn(self, indent: int, arrays: list[Variable]) -> None:
        """One array becomes what another one was, and that becomes the first one backwards."""
        if not arrays:
            return
        first, other = self.random.sample(arrays, 2)
        count, i = length(Expression(first.name, first.name, first.type)), self.name("i")
        place = joined("-", count, number(1))
        backwards = mapped(
            joined("-", place, Expression(i, i, "i64")),
            Clause.plain(i, renamed("range", "upto", array("i64"), count)),
        )
        before = Expression(first.name, first.name, first.type)
        x = Variable(self.name("x"), first.type[1])
        with self.inside([x]):
            made = joined("+", Expression(x.name, x.name, x.type), self.of(x.type, 1))
        found = called("gather", first.type, before, backwards)
        new = self.name("t")
        self.assign(indent, new, mapped(made, Clause.plain(x.name, found)))
        self.assign(indent, first.name, Expression(other.name, other.name, other.type))
        self.assign(indent, other.name, Expression(new, new, first.type))

    def accumulators(self, indent: int) -> list[Variable]:
        """Variables that a loop changes, some new."""
        found = [v for v in self.changing if v.type in NUMBERS and not v.frozen]
        made = self.random.sample(found, min(len(found), self.pick(0, 1, 1, 2)))
        if not made or self.chance(0.5):
            type = self.pick(*NUMBERS)
            value = self.literal(type) if self.chance(0.4) else self.of(type, 1)
            made.append(Variable(self.name("s"), value.type))
            self.assign(indent, made[-1].name, value)
            self.declare(made[-1])
        if not self.subset.is_regular and self.chance(0.25):
            self.features.add("arrays in loops")
            type = array(self.pick(*NUMBERS))
            for value in (self.of(type, 1), self.of(type, 1)):
                made.append(Variable(self.name("s"), type))
                self.assign(indent, made[-1].name, value)
                self.declare(made[-1])
        return made

    def gives(self, indent: int, head: int, judged: str, changed: list[Variable]) -> None:
        """The variables get the values that a statement gives, which nothing needs yet; `head` is
        the index of the line that begins it."""
        self.judged_line(indent, f"{_listed(changed)} = {judged}", head)
        for v in changed:
            v.needed = False

    # Statements that have bodies

    def loop(self, indent: int) -> None:
        self.features.add("while")
        counter = Variable(self.name("k"), "i64", frozen=True)
        self.assign(indent, counter.name, number(0))
        self.declare(counter)
        inner = self.accumulators(indent)
        limit = Variable(self.name("n"), "i64", needed=True, frozen=True)
        self.assign(indent, limit.name, self.few(2))
        self.declare(limit)
        changed = [counter, *inner]
        step = self.name("step")
        goes_on = joined("<", *(Expression(v.name, v.name, v.type) for v in (counter, limit)))
        head = len(self.text)
        self.line(indent, f"while {goes_on.text}:", f"def {step}({_names(changed)}):")
        with self.inside([], freezes=True):
            self.body(indent + 1, inner)
        after = joined("+", Expression(counter.name, counter.name, "i64"), number(1))
        self.assign(indent + 1, counter.name, after)
        self.judged_line(indent + 1, f"return {_listed(changed)}")
        test = f"lambda {_names(changed)}: {goes_on.judged}"
        self.gives(indent, head, f"loop({test}, {step}, {_listed(changed)})", changed)

    def walk(self, indent: int) -> None:
        self.features.add("for")
        changed = self.accumulators(indent)
        over = self.source(2)
        step = self.name("step")
        x = Variable(self.name("x"), over.type[1])
        head = len(self.text)
        judged = f"def {step}({x.name}, {_names(changed)}):"
        self.line(indent, f"for {x.name} in {over.text}:", judged)
        with self.inside([x]):
            self.body(indent + 1, changed)
        self.judged_line(indent + 1, f"return {_listed(changed)}")
        self.gives(indent, head, f"walk({step}, {over.judged}, {_listed(changed)})", changed)

    def branch(self, indent: int) -> None:
        self.features.add("if")
        test = self.of("boolean", 2)
        found = [v for v in self.changing if v.type in NUMBERS and not v.frozen]
        changed = self.random.sample(found, min(len(found), self.pick(0, 1, 2)))
        new = Variable(self.name("u"), self.any(2))
        made = [new] if not changed or self.chance(0.6) else []
        then, other = self.name("then"), self.name("other")
        head = len(self.text)
        self.line(indent, f"if {test.text}:", f"def {then}({_names(changed)}):")
        self.arm(indent + 1, changed, made)
        self.judged_line(indent + 1, f"return {_listed([*changed, *made])}")
        otherwise = f"def {other}({_names(changed)}):"
        if made or self.chance(0.5):
            self.line(indent, "else:", otherwise)
            self.arm(indent + 1, [] if made and self.chance(0.3) else changed, made)
        else:
            self.judged_line(indent, otherwise)
        self.judged_line(indent + 1, f"return {_listed([*changed, *made])}")
        given = f"when({test.judged}, {then}, {other}, {_listed(changed)})"
        self.declare(*made)
        self.gives(indent, head, given, [*changed, *made])

    def arm(self, indent: int, changed: list[Variable], made: list[Variable]) -> None:
        with self.perhaps():
            self.body(indent, changed)
            for new in made:
                self.assign(indent, new.name, self.of(new.type, 3))

    # The end

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


def _names(variables: Sequence[Variable]) -> str:
    return ", ".join(v.name for v in variables)


def _listed(variables: Sequence[Variable]) -> str:
    """As a tuple, which has any length."""
    return f"({''.join(f'{v.name}, ' for v in variables)})"
