"""Give loops whose number of iterations can be computed before them a counter of their own.

    entry: c = lt_s.i64 0, n                  entry: c = lt_s.i64 0, n
           branch c, before, done                    branch c, before, done
    before:jump loop                          before:jump loop
    loop:  i = phi [before: 0, loop: j]       loop:  i = phi [before: 0, loop: j]
           …                             ->          left = phi [before: n, loop: less]
           j = add.i64 i, 1                          …
           d = lt_s.i64 j, n                         j = add.i64 i, 1
           branch d, loop, done                      less = sub.i64 left, 1
                                                     goes_on = ne.i64 less, 0
                                                     branch goes_on, loop, done

A machine that counts in a register of its own then needs neither the subtraction nor the comparison
in the loop, and knows before it when it ends; the old counter is dead if nothing else reads it.
With Q the number of whole steps from x to the last number for which the test holds, it holds Q + 1
times in a row from x on, so the body runs

    Q + 1 times     with x = first - step, if the test is known to hold there
    Q + 2 times     with x = first, the counter in the first test; once if the test fails there
    2**64 times     (written 0) if the counter may pass the end of its type and does

For `ne` the first k with first + step·k = bound, modulo the type: step = odd·2**t, so k is the
quotient of bound - first by 2**t, times the inverse of `odd`, and there is none if that leaves a
remainder.  For innermost loops of functions in SSA form.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.def_use import def_use
from compiler.analyses.loops import Loop, loops
from compiler.analyses.values.affine import Polynomial
from compiler.analyses.values.counted_loops import CountedLoop, counted_loop
from compiler.analyses.values.value_ranges import trailing_zeros
from compiler.ir.builder import Builder, canonical
from compiler.ir.module import Block, Function, Value
from compiler.rewriting.polynomial_code import PolynomialCode
from compiler.rewriting.preheaders import preheaders
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.instructions import operations
from machines.operations.evaluate import evaluator
from machines.types import I64, PTR

NEVER = 0
"""The number of iterations of a loop that does not end."""


@dataclass(frozen=True, slots=True)
class CountOptions:
    divide: bool = option(True, "Divide by steps that are no power of two, before the loop.")


def count_loops(function: Function, divide: bool) -> Changes:
    """Count all innermost loops that can be counted."""
    changes = Changes()
    found: list[tuple[Loop, CountedLoop]] = []
    for loop in loops(function).by_header.values():
        if loop.children:
            continue
        about = function.blocks[loop.latches[-1]].terminator
        counted = counted_loop(function, loop)
        if isinstance(counted, str):
            changes.note("loop not counted", about, counted)
        elif counts_already(function, loop, counted):
            changes.note("loop not counted", about, "it counts down to 0 already")
        elif not divide and counted.relation != "ne" and abs(counted.step) & abs(counted.step) - 1:
            changes.note("loop not counted", about, f"it would take a division by {counted.step}")
        else:
            found.append((loop, counted))
    before = preheaders(function, [loop for loop, _ in found])
    builder = Builder(function)
    for loop, counted in found:
        about = function.blocks[counted.latch].terminator
        count = _Counting(builder, before[loop.header], loop, counted).count()
        changes.note("loop counted", about, f"it runs {count or '2**64'} times")
    return changes


def counts_already(function: Function, loop: Loop, counted: CountedLoop) -> bool:
    """Whether the test is of the form this pass makes, of a variable that nothing else reads."""
    last = function.blocks[counted.latch].terminator
    definition, uses = def_use(function).definition, def_use(function).uses
    _, test = definition[last.operands[0]]
    less, against = test.operands
    if (counted.relation, counted.step, against) != ("ne", -1, 0) or less not in definition:
        return False
    _, subtraction = definition[less]
    if not subtraction.operation.name.startswith(("sub.", "add.")):
        return False
    left = subtraction.operands[0]
    is_phi = left in definition and definition[left][1].is_phi
    return is_phi and len(uses[less]) == 2 and len(uses[left]) == 1


class _Counting:
    """Of one loop: code in front of it, and its new test."""

    def __init__(self, builder: Builder, before: Block, loop: Loop, counted: CountedLoop):
        self.builder, self.before, self.loop, self.counted = builder, before, loop, counted
        self.function = builder.function
        self.type = I64 if counted.type is PTR else counted.type
        self.location = self.function.blocks[counted.latch].terminator.location
        self.code = PolynomialCode(builder, before, self.location)

    def count(self) -> Value:
        """Replace the test; gives the number or the variable of iterations."""
        is_equal = self.counted.relation == "ne"
        count = self._until_equal() if is_equal else self._while_ordered()
        self._replace_test(count)
        return count

    # How often the body runs

    def _while_ordered(self) -> Value:
        counted = self.counted
        size, beyond = abs(counted.step), 1 if counted.relation in ("lt", "gt") else 0
        ahead = 1 if counted.step > 0 else -1
        start = counted.first
        if counted.is_guarded:
            start = start - self._number(counted.step)
        distance = (counted.bound - start).times(ahead) - self._number(beyond)
        more = 1 if counted.is_guarded else 2
        if size == 1 and (counted.type.bits == 64 or more == beyond == 1):
            count = self._wide(distance + self._number(more))
        else:
            count = self._emit("add.i64", self._divided(self._wide(distance), size), more)
        if counted.may_wrap:
            count = self._unless_it_wraps(count, start, distance, more)
        if not counted.is_guarded:
            count = self._emit("select.i64", self._holds(counted.first), count, 1)
        return count

    def _unless_it_wraps(
        self, count: Value, start: Polynomial, distance: Polynomial, more: int
    ) -> Value:
        """Never ends if the test holds for the number it should fail for."""
        counted, kind = self.counted, self.type
        if abs(counted.step) == 1:
            last = self.code.value(counted.bound + self._number(counted.step), kind)
        else:
            steps = self._narrow(self._emit("sub.i64", count, more - 1))
            way = self._emit(f"mul.{kind}", steps, canonical(counted.step, kind))
            last = self._emit(f"add.{kind}", self.code.value(start, kind), way)
        again = self._compare(counted.relation, last, self.code.value(counted.bound, kind))
        return self._emit("select.i64", again, NEVER, count)

    def _until_equal(self) -> Value:
        counted = self.counted
        bits, shift = counted.type.bits, trailing_zeros(counted.step)
        inverse = pow(counted.step >> shift, -1, 1 << bits)
        apart = counted.bound - counted.first
        steps = apart.times(inverse)
        if shift == 0 and bits == 64:
            return self._wide(steps + self._number(1))
        count = self._emit("add.i64", self._emit("shr_u.i64", self._wide(steps), shift), 1)
        if counted.zeros >= shift:
            return count
        rest = self._emit(f"and.{self.type}", self.code.value(apart, self.type), (1 << shift) - 1)
        meets = self._compare("eq", rest, 0)
        return self._emit("select.i64", meets, count, NEVER)

    def _holds(self, form: Polynomial) -> Value:
        """Whether the test holds for a number."""
        left, right = (self.code.value(f, self.type) for f in (form, self.counted.bound))
        return self._compare(self.counted.relation, left, right)

    def _compare(self, relation: str, left: Value, right: Value) -> Value:
        sign = "_s" if self.counted.signed else "_u"
        name = relation if relation in ("eq", "ne") else relation + sign
        return self._emit(f"{name}.{self.type}", left, right)

    def _divided(self, distance: Value, by: int) -> Value:
        if by & (by - 1):
            return self._emit("div_u.i64", distance, by)
        return self._emit("shr_u.i64", distance, trailing_zeros(by))

    def _number(self, value: int) -> Polynomial:
        return Polynomial.number(value, self.counted.type.bits)

    def _wide(self, form: Polynomial) -> Value:
        """A polynomial of the type as an i64 without a sign."""
        value = self.code.value(form, self.type)
        return value if self.type is I64 else self._emit(f"zext.{self.type}.i64", value)

    def _narrow(self, value: Value) -> Value:
        return value if self.type is I64 else self._emit(f"trunc.i64.{self.type}", value)

    def _emit(self, operation: str, *operands: Value) -> Value:
        """An operation before the loop, or its result if that is known."""
        row = operations()["ir", operation]
        kinds = [operand.kind for operand in row.reads]
        operands = tuple(
            v if isinstance(v, str) else canonical(v, kind)
            for v, kind in zip(operands, kinds, strict=True)
        )
        if not any(isinstance(v, str) for v in operands):
            return canonical(evaluator(row)(*operands), row.writes[0].kind)
        if operation in ("add.i64", "shr_u.i64") and operands[1] == 0:
            return operands[0]
        self.builder.at(self.before, len(self.before.instructions) - 1)
        return self.builder.emit(operation, *operands, location=self.location)

    # The loop's end

    def _replace_test(self, count: Value) -> None:
        builder, latch = self.builder, self.function.blocks[self.counted.latch]
        left, less = builder.fresh("left", I64), builder.fresh("less", I64)
        builder.at(self.function.blocks[self.loop.header], 0)
        pairs = (self.before.name, count, latch.name, less)
        builder.emit("phi.i64", *pairs, result=left, location=self.location)
        _, then, other = latch.terminator.operands
        builder.at(latch, len(latch.instructions) - 1)
        builder.emit("sub.i64", left, 1, result=less, location=self.location)
        relation = "ne" if then == self.loop.header else "eq"
        goes_on = builder.emit(f"{relation}.i64", less, 0, location=self.location)
        builder.change(latch.terminator, operands=(goes_on, then, other))


def run(function: Function, machine: Machine, options: CountOptions) -> Changes:
    return count_loops(function, options.divide)


PLUGIN = Pass(
    "count_loops",
    "Count loops down whose number of iterations is known before them.",
    run,
    forms={"ssa": "ssa"},
    options=CountOptions,
)
