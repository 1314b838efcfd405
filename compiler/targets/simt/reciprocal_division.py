"""Integer division of 32 bits as hardware without a divider does it: by a reciprocal.

    m = 2**32 / d, a little less          once for each divisor
    q = upper half of m * a               less than the quotient by 2 at most
    r = a - q * d
    twice: if r >= d: q += 1, r -= d
    if d == 0: q = r = all ones

m comes of a float: 1 / d is rounded down far enough (0xffffffe is 2**32 as a step of exponents,
less two steps of the last place), its whole part is e, and e - d * e * e / 2**32 is one step of
Newton's.  The rows are those that ptxas 13.0 writes for sm_90, one by one.  With signs it divides
absolute values and gives the quotient the sign of both, the remainder that of the dividend.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.builder import Builder
from compiler.ir.module import Guard, Instruction, Value
from compiler.targets.simt.combination.combining import signed
from compiler.targets.simt.combination.values import write_row
from machines.diagnostics import Location
from machines.types import I1, I32

TWO_TO_32_LESS = 0x0FFFFFFE
"""What is added to a float's bits: 32 to its exponent, less two units of the last place."""
ALL_ONES = -1
DIVISIONS = {"div.u32": (False, False), "rem.u32": (True, False),
             "div.s32": (False, True), "rem.s32": (True, True)}  # fmt: skip
"""Row -> whether the remainder is wanted, and whether there are signs."""


@dataclass(frozen=True, slots=True)
class Reciprocal:
    """What all divisions by one divisor share.

    divisor   without its sign
    negative  its opposite, where that is known or kept: with signs
    multiple  2**32 / divisor, a little less
    is_there  the predicate that says that there is a divisor; None of constants
    """

    divisor: Value
    negative: Value | None
    multiple: Value
    is_there: str | None


class DivisionWriter:
    """Writes rows at one line of the source; `rows` are those written so far."""

    def __init__(self, builder: Builder, location: Location | None):
        self.builder, self.location = builder, location
        self.rows: list[Instruction] = []

    def _new(self, name: str, *operands: Value) -> str:
        result = self.builder.fresh("%q", I1 if name.startswith("setp") else I32)
        self._write(result, name, *operands)
        return result

    def _write(self, result: str, name: str, *operands: Value, guard: Guard | None = None) -> None:
        self.rows.append(write_row(name, (result,), operands, guard, self.location))

    def reciprocal(self, divisor: Value, is_signed: bool) -> Reciprocal:
        is_known = not isinstance(divisor, str)
        is_there = None if is_known else self._new("setp.ne.s32", divisor, 0)
        negative: Value | None = None
        if is_known:
            divisor = abs(signed(divisor, 32)) if is_signed else divisor & 0xFFFF_FFFF
            negative = -divisor
        elif is_signed:
            divisor = self._new("abs.s32", divisor)
            negative = self._new("neg.s32", divisor)
        number = self._new(f"cvt.rp.f32.{'s32' if is_signed else 'u32'}", divisor)
        inverse = self._new("rcp.approx.ftz.f32", number)
        scaled = self._new("add.s32", inverse, TWO_TO_32_LESS)
        estimate = self._new("cvt.rzi.ftz.u32.f32", scaled)
        if is_known:
            error = self._new("mul.lo.s32", estimate, negative)
        else:
            error = self._new("mul.lo.s32", self._new("neg.s32", estimate), divisor)
        multiple = self._new("mad.hi.u32", estimate, error, estimate)
        return Reciprocal(divisor, negative, multiple, is_there)

    def divide(self, instruction: Instruction, by: Reciprocal) -> None:
        """The quotient or remainder, into what the instruction writes."""
        wants_remainder, is_signed = DIVISIONS[instruction.operation.name]
        dividend, divisor = instruction.operands
        size = self._new("abs.s32", dividend) if is_signed else dividend
        quotient = self._new("mul.hi.u32", by.multiple, size)
        if by.negative is not None:
            rest = self._new("mad.lo.s32", quotient, by.negative, size)
        else:
            rest = self._new("mad.lo.s32", self._new("neg.s32", quotient), by.divisor, size)
        found = rest if wants_remainder else quotient
        for is_last in (False, True):
            is_over = Guard(self._new("setp.ge.u32", rest, by.divisor), False)
            if wants_remainder or not is_last:
                self._write(rest, "sub.s32", rest, by.divisor, guard=is_over)
            if not wants_remainder:
                self._write(quotient, "add.s32", quotient, 1, guard=is_over)
        if is_signed:
            sign = dividend if wants_remainder else self._new("xor.b32", dividend, divisor)
            is_positive = self._new("setp.ge.s32", sign, 0)
            self._write(found, "neg.s32", found, guard=Guard(is_positive, True))
        if by.is_there is not None:
            self._write(found, "mov.b32", ALL_ONES, guard=Guard(by.is_there, True))
        self._write(instruction.results[0], "mov.b32", found, guard=instruction.guard)
