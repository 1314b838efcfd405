"""Which numbers an integer variable may hold, as far as its own definition says.

    m = and.i64 x, 56        m: 0 … 56, a multiple of 8
    b = load.i8 p            b: -128 … 127
    i = zext.i8.i64 b        i: 0 … 255
    o = shl.i64 i, 2         o: 0 … 1020, a multiple of 4

One walk over the definitions of a function in SSA form, each before its uses; what comes round a
loop is not followed, so a phi may hold any number of its type that the ways known so far do not
exclude.  Interval arithmetic as in Harrison, *Compiler Analysis of the Value Ranges for Variables*,
1977, without its loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.ir.module import Function, Instruction, Value
from machines.types import Type

MOST_ZEROS = 64


@dataclass(frozen=True, slots=True)
class ValueRange:
    """Numbers from `low` to `high` that are multiples of 2**zeros.

    >>> ValueRange.of_number(24)
    ValueRange(low=24, high=24, zeros=3)
    """

    low: int
    high: int
    zeros: int = 0

    @classmethod
    def of_number(cls, number: int) -> ValueRange:
        return cls(number, number, trailing_zeros(number))

    @classmethod
    def of_type(cls, t: Type) -> ValueRange:
        """Everything a variable of an integer or pointer type may hold."""
        if t.bits == 1:
            return cls(0, 1)
        return cls(-(1 << t.bits - 1), (1 << t.bits - 1) - 1)

    def united(self, other: ValueRange) -> ValueRange:
        low, high = min(self.low, other.low), max(self.high, other.high)
        return ValueRange(low, high, min(self.zeros, other.zeros))

    def within(self, other: ValueRange) -> bool:
        return other.low <= self.low and self.high <= other.high


def trailing_zeros(number: int) -> int:
    """How many low bits of a number are 0 (of 0: all 64)."""
    return (number & -number).bit_length() - 1 if number else MOST_ZEROS


@cached_by_version
def value_ranges(function: Function) -> dict[str, ValueRange]:
    """The range of every integer and pointer variable that is defined in a reached block."""
    types = function.types
    ranges = {n: ValueRange.of_type(t) for n, t in function.parameters if not t.is_float}
    for name in control_flow(function).reverse_postorder:
        for instruction in function.blocks[name].instructions:
            for result in instruction.results:
                if not types[result].is_float:
                    ranges[result] = _range_of(instruction, types[result], ranges)
    return ranges


def _range_of(instruction: Instruction, t: Type, ranges: dict[str, ValueRange]) -> ValueRange:
    anything = ValueRange.of_type(t)

    def known(value: Value) -> ValueRange:
        if isinstance(value, str):
            return ranges.get(value, anything)
        return ValueRange.of_number(int(value))

    if instruction.is_phi:
        found, *others = map(known, instruction.values)
        for other in others:
            found = found.united(other)
        return found
    name, *conversion = instruction.operation.name.split(".")
    rule = _RULES.get(name)
    if rule is None:
        return anything
    operands = [known(v) for v in instruction.operands]
    found = rule(_Operands(operands, t.bits, conversion))
    if not found.within(anything):  # it wraps, which leaves the zeros
        found = ValueRange(anything.low, anything.high, min(found.zeros, t.bits - 1))
    for value in instruction.otherwise:
        found = found.united(known(value))
    return found


@dataclass(frozen=True, slots=True)
class _Operands:
    """What a rule looks at: the operands' ranges, the result's width and the types in the name."""

    ranges: list[ValueRange]
    bits: int
    types: list[str]

    def __iter__(self) -> Iterator[ValueRange]:
        return iter(self.ranges)

    @property
    def count(self) -> int | None:
        """The second operand if it is one number that is neither negative nor past the width."""
        second = self.ranges[1]
        known = second.low == second.high and 0 <= second.low < self.bits
        return second.low if known else None

    @property
    def divisor(self) -> int | None:
        """The second operand if it is one positive number."""
        second = self.ranges[1]
        return second.low if second.low == second.high and second.low > 0 else None

    @property
    def anything(self) -> ValueRange:
        return ValueRange(-(1 << self.bits - 1), (1 << self.bits - 1) - 1)

    @property
    def unsigned(self) -> ValueRange:
        """The first operand read without a sign."""
        first = self.ranges[0]
        return first if first.low >= 0 else ValueRange(0, (1 << self.bits) - 1, first.zeros)


def _add(o: _Operands) -> ValueRange:
    a, b = o
    return ValueRange(a.low + b.low, a.high + b.high, min(a.zeros, b.zeros))


def _sub(o: _Operands) -> ValueRange:
    a, b = o
    return ValueRange(a.low - b.high, a.high - b.low, min(a.zeros, b.zeros))


def _mul(o: _Operands) -> ValueRange:
    a, b = o
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return ValueRange(min(corners), max(corners), min(a.zeros + b.zeros, MOST_ZEROS))


def _shl(o: _Operands) -> ValueRange:
    if o.count is None:
        return o.anything
    a = o.ranges[0]
    zeros = min(a.zeros + o.count, MOST_ZEROS)
    return ValueRange(a.low << o.count, a.high << o.count, zeros)


def _and(o: _Operands) -> ValueRange:
    highs = [r.high for r in o if r.low >= 0]
    zeros = max(r.zeros for r in o)
    low = 0 if highs else o.anything.low
    return ValueRange(low, min(highs, default=o.anything.high), zeros)


def _or(o: _Operands) -> ValueRange:
    a, b = o
    zeros = min(a.zeros, b.zeros)
    if min(a.low, b.low) < 0:
        return ValueRange(o.anything.low, o.anything.high, zeros)
    return ValueRange(max(a.low, b.low), (1 << max(a.high, b.high).bit_length()) - 1, zeros)


def _xor(o: _Operands) -> ValueRange:
    joined = _or(o)
    return ValueRange(min(joined.low, 0), joined.high, joined.zeros)


def _shr_u(o: _Operands) -> ValueRange:
    if not o.count:
        return o.anything
    a = o.unsigned
    return ValueRange(a.low >> o.count, a.high >> o.count, max(a.zeros - o.count, 0))


def _shr_s(o: _Operands) -> ValueRange:
    if o.count is None:
        return o.anything
    a = o.ranges[0]
    return ValueRange(a.low >> o.count, a.high >> o.count, max(a.zeros - o.count, 0))


def _rem_u(o: _Operands) -> ValueRange:
    return o.anything if o.divisor is None else ValueRange(0, o.divisor - 1)


def _rem_s(o: _Operands) -> ValueRange:
    if o.divisor is None:
        return o.anything
    return ValueRange(0 if o.ranges[0].low >= 0 else 1 - o.divisor, o.divisor - 1)


def _div_u(o: _Operands) -> ValueRange:
    if o.divisor is None or o.divisor == 1:
        return o.anything
    return ValueRange(o.unsigned.low // o.divisor, o.unsigned.high // o.divisor)


def _div_s(o: _Operands) -> ValueRange:
    if o.divisor is None:
        return o.anything
    low, high = (abs(n) // o.divisor * (1 if n >= 0 else -1) for n in _ends(o.ranges[0]))
    return ValueRange(low, high)


def _ends(r: ValueRange) -> tuple[int, int]:
    return r.low, r.high


def _smaller(o: _Operands) -> ValueRange:
    a, b = o
    return ValueRange(min(a.low, b.low), min(a.high, b.high), min(a.zeros, b.zeros))


def _larger(o: _Operands) -> ValueRange:
    a, b = o
    return ValueRange(max(a.low, b.low), max(a.high, b.high), min(a.zeros, b.zeros))


def _neg(o: _Operands) -> ValueRange:
    (a,) = o
    return ValueRange(-a.high, -a.low, a.zeros)


def _not(o: _Operands) -> ValueRange:
    (a,) = o
    return ValueRange(~a.high, ~a.low)


def _zext(o: _Operands) -> ValueRange:
    (a,) = o
    width = int(o.types[0].removeprefix("i"))
    return a if a.low >= 0 else ValueRange(0, (1 << width) - 1, a.zeros)


def _same(o: _Operands) -> ValueRange:
    return o.ranges[0]


def _select(o: _Operands) -> ValueRange:
    _, a, b = o
    return a.united(b)


_RULES: dict[str, Callable[[_Operands], ValueRange]] = {
    "const": _same,
    "copy": _same,
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "shl": _shl,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "shr_u": _shr_u,
    "shr_s": _shr_s,
    "rem_u": _rem_u,
    "rem_s": _rem_s,
    "div_u": _div_u,
    "div_s": _div_s,
    "min_s": _smaller,
    "max_s": _larger,
    "neg": _neg,
    "not": _not,
    "zext": _zext,
    "sext": _same,
    "trunc": _same,
    "select": _select,
}
"""Operation name without its type -> the range of its result before it wraps."""
