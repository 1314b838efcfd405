"""Loops that test at their end a counter of constant step against a bound that stays the same.

    entry: c = lt_s.i64 0, n                 relation lt, first 1, step 1, bound n; guarded, as
           branch c, loop, done              0 < n is known where the loop is entered
    loop:  i = phi [entry: 0, loop: j]
           …                                 so the body runs n times
           j = add.i64 i, 1
           d = lt_s.i64 j, n
           branch d, loop, done

How often the body runs is then known before the loop, for all numbers there may be: what compares
may be of any width and sign, and it is proven that the counter does not pass the end of its type,
or that the loop never ends if it does (the step is a power of two, so that the counter comes to the
same numbers again).  For functions in SSA form.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.loops import Loop
from compiler.analyses.values.affine import Iteration, Polynomial, Range
from compiler.analyses.values.induction import ClosedForms, closed_forms
from compiler.analyses.values.known_conditions import Comparison, comparison, known_on
from compiler.ir.module import Function
from machines.types import Type


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """The loop goes on while `first + step·k relation bound`, k = 0, 1, … iterations after the
    first; numbers of `type`, compared with or without a sign.

    latch       the block that ends with this test
    relation    lt, le (step > 0), gt, ge (step < 0) or ne
    first       the counter in the first test; `bound` is what it is compared with; both in terms
                of variables from outside the loop
    is_guarded  first - step relation bound is known, so that both can be counted from there
    may_wrap    the counter may pass the end of its type; then the loop never ends
    zeros       how many low bits of bound - first are certainly 0
    """

    latch: str
    relation: str
    first: Polynomial
    step: int
    bound: Polynomial
    type: Type
    signed: bool
    is_guarded: bool
    may_wrap: bool
    zeros: int


def counted_loop(function: Function, loop: Loop) -> CountedLoop | str:
    """The test of an innermost loop, or why it is none of this kind."""
    if loop.is_irreducible:
        return "it has several entries"
    if len(loop.latches) > 1:
        return "it goes back from several places"
    if any(source not in loop.latches for source, _ in loop.exits):
        return "it is left in the middle"
    (latch,) = loop.latches
    last = function.blocks[latch].terminator
    if last.operation.name != "branch":
        return "no branch goes back"
    if not loop.exits:
        return "it never ends"
    held = comparison(function, last.operands[0])
    if held is None:
        return "its test compares no integers"
    if last.operands[1] != loop.header:
        held = held.negated
    return _Reading(function, loop, latch).read(held)


class _Reading:
    """`inside` are the polynomials in what is known in the loop, `forms` in what is known of all
    the function: the former can be computed before the loop, the latter compared with guards."""

    def __init__(self, function: Function, loop: Loop, latch: str):
        self.function, self.loop, self.latch = function, loop, latch
        self.forms = closed_forms(function)
        self.inside = ClosedForms(function, loop)
        self.here = Iteration(loop.header)

    def read(self, held: Comparison) -> CountedLoop | str:
        for one in (held, held.flipped):
            bound = self._form(self.inside, one.right, one.type)
            if self.here not in bound.atoms and not self._changing(bound):
                return self._counter(one, bound)
        return "both sides of its test change"

    def _counter(self, held: Comparison, bound: Polynomial) -> CountedLoop | str:
        counter = self._form(self.inside, held.left, held.type)
        changing = self._changing(counter)
        if changing or not counter.is_affine_in([self.here]):
            reason = self.inside.refused.get(str(changing), "its form is not known")
            return f"its counter does not go along with it: {reason}"
        step = counter.stride(self.here).constant
        if step is None:
            return "the step of its counter is no constant"
        if step == 0:
            return "its test does not change"
        if held.relation == "eq":
            return "it goes on only while two numbers are equal"
        if held.relation != "ne" and (held.relation in ("lt", "le")) != (step > 0):
            return "its counter goes away from its bound"
        first, everywhere = counter.start(self.here), self._everywhere(held, step)
        apart = everywhere[1] - everywhere[0] - Polynomial.number(step, first.bits)
        may_wrap = held.relation != "ne" and self._may_wrap(held, step, everywhere[1])
        if may_wrap and abs(step) & (abs(step) - 1):
            return "its counter may pass the end of its type"
        return CountedLoop(
            self.latch, held.relation, first, step, bound, held.type, held.signed,
            is_guarded=held.relation != "ne" and self._is_guarded(held, step, everywhere),
            may_wrap=may_wrap,
            zeros=self.forms.zeros(apart),
        )  # fmt: skip

    def _form(self, forms: ClosedForms, value, type: Type) -> Polynomial:
        return forms.form(value, self.latch).with_bits(type.bits)

    def _changing(self, form: Polynomial):
        """Something in it, but the iteration number, that may change in the loop."""
        for atom in form.atoms:
            if atom != self.here and self.inside.varies(atom, self.loop):
                return atom
        return None

    # What is known before the loop

    def _everywhere(self, held: Comparison, step: int) -> tuple[Polynomial, Polynomial]:
        """The counter a step before the first test, and the bound."""
        forms = self.forms
        if self._form(forms, held.left, held.type).stride(self.here).constant != step:
            forms = self.inside
        counter, bound = (self._form(forms, v, held.type) for v in (held.left, held.right))
        return counter.start(self.here) - counter.stride(self.here), bound

    def _limits(self, type: Type, signed: bool) -> Range:
        if signed:
            return -(1 << type.bits - 1), (1 << type.bits - 1) - 1
        return 0, (1 << type.bits) - 1

    def _range(self, form: Polynomial, type: Type, signed: bool) -> Range:
        """Between which numbers of the type it lies as it is compared."""
        low, high = self.forms.range(form, self.loop.header)
        lowest, highest = self._limits(type, signed)
        return (low, high) if lowest <= low and high <= highest else (lowest, highest)

    def _may_wrap(self, held: Comparison, step: int, bound: Polynomial) -> bool:
        """Whether the counter may pass the end of its type in the step that ends the loop."""
        low, high = self._range(bound, held.type, held.signed)
        lowest, highest = self._limits(held.type, held.signed)
        beyond = 0 if held.relation in ("le", "ge") else 1
        if step > 0:
            return high - beyond + step > highest
        return low + beyond + step < lowest

    def _is_guarded(
        self, held: Comparison, step: int, everywhere: tuple[Polynomial, Polynomial]
    ) -> bool:
        """Whether the test is known to hold for the number a step before the first."""
        before, bound = everywhere
        left, right = (self._range(f, held.type, held.signed) for f in everywhere)
        if step < 0:
            left, right = right, left
        if left[1] + (held.relation in ("lt", "gt")) <= right[0]:
            return True
        if len(self.loop.entering) != 1:
            return False
        wanted = _strict(held.relation, before, bound, self._limits(held.type, held.signed))
        for block, known in known_on(self.function, self.loop.entering[0]):
            for one in (known, known.flipped):
                if (one.type, one.signed) == (held.type, held.signed):
                    a, b = (
                        self.forms.form(v, block).with_bits(one.type.bits)
                        for v in (one.left, one.right)
                    )
                    limits = self._limits(held.type, held.signed)
                    if _implies(_strict(one.relation, a, b, limits), wanted):
                        return True
        return False


Strict = tuple[str, Polynomial, Polynomial]
"""A relation that is lt or gt where it can be: with a number, `a <= 5` is `a < 6`."""


def _strict(relation: str, a: Polynomial, b: Polynomial, limits: Range) -> Strict:
    step = {"le": 1, "ge": -1}.get(relation)
    if step is None:
        return relation, a, b
    strict = "lt" if step > 0 else "gt"
    for form, sign in ((b, step), (a, -step)):
        number = form.constant
        if number is not None:
            number = number if limits[0] else number % (limits[1] + 1)
            if limits[0] <= number + sign <= limits[1]:
                moved = Polynomial.number(number + sign, form.bits)
                return (strict, a, moved) if form is b else (strict, moved, b)
    return relation, a, b


def _implies(known: Strict, wanted: Strict) -> bool:
    """Whether a comparison follows from another one."""
    weaker = {"lt": ("lt", "le"), "gt": ("gt", "ge")}.get(known[0], (known[0],))
    return wanted[0] in weaker and known[1:] == wanted[1:]
