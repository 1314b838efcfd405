"""Selection of division, remainder and square root."""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.epic.selection.division import divide_double, divide_integers, root_double
from compiler.targets.epic.selection.selector import Selector, rule
from machines.types import F32, F64, I8, I16, I32, I64

WIDTHS = (I8, I16, I32, I64)
BREAK_DIVISION_BY_ZERO = 1


def check_divisor(s: Selector, divisor: str) -> None:
    """Fault with 'division by zero' if the divisor is 0 and the IR guard holds."""
    is_zero = s.temporary("predicate")
    s.emit("cmp.eq.unc", (is_zero, "p0"), (divisor, "r0"), s.guard)
    s.emit("break.m", (), (BREAK_DIVISION_BY_ZERO,), is_zero)


def _operands(s: Selector, signed: bool) -> tuple[str, str]:
    """Dividend and divisor, extended to 64 bits, after the check for zero."""
    read = s.extended if signed else s.unsigned
    n, d = read(0), read(1)
    if not s.literal(1):
        check_divisor(s, d)
    return n, d


def _quotient_rule(name: str, signed: bool) -> None:
    @rule(name, WIDTHS)
    def quotient(s: Selector, i: Instruction) -> None:
        n, d = _operands(s, signed)
        s.define_wrapped("getf.sig", divide_integers(s, n, d, signed or s.result_type is not I64))


def _remainder_rule(name: str, signed: bool) -> None:
    @rule(name, WIDTHS)
    def remainder(s: Selector, i: Instruction) -> None:
        """n - q * d, all of it in significands: q * (-d) + n."""
        n, d = _operands(s, signed)
        q = divide_integers(s, n, d, signed or s.result_type is not I64)
        minus_d = s.floating("setf.sig", s.general("sub", "r0", d))
        rest = s.floating("xma.l", q, minus_d, s.floating("setf.sig", n))
        s.define_wrapped("getf.sig", rest)


_quotient_rule("div_s", True)
_quotient_rule("div_u", False)
_remainder_rule("rem_s", True)
_remainder_rule("rem_u", False)


@rule("div", (F64,))
def divide_doubles(s: Selector, i: Instruction) -> None:
    s.define("mov.f", divide_double(s, s.float(0), s.float(1)))


@rule("div", (F32,))
def divide_singles(s: Selector, i: Instruction) -> None:
    """The double quotient rounded again: a double has more than twice a single's bits plus two,
    so that rounding twice is harmless."""
    s.define("fnorm.s", divide_double(s, s.float(0), s.float(1)))


@rule("sqrt", (F64,))
def square_root_of_double(s: Selector, i: Instruction) -> None:
    s.define("mov.f", root_double(s, s.float(0)))


@rule("sqrt", (F32,))
def square_root_of_single(s: Selector, i: Instruction) -> None:
    """The double root rounded again; harmless as for division."""
    s.define("fnorm.s", root_double(s, s.float(0)))
