"""Selection of floating-point arithmetic, comparisons and conversions."""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.epic.selection.select_compares import emit_compare
from compiler.targets.epic.selection.selector import Selector, rule
from machines.types import F32, F64, I8, I16, I32, I64, Type

WIDTHS = (I8, I16, I32, I64)
FLOATS = (F32, F64)
CLASS_NEGATIVE_ZERO = 0x006  # masks of fclass.m: @neg | @zero
CLASS_POSITIVE_ZERO = 0x005  # @pos | @zero


def _suffix(t: Type) -> str:
    return ".s" if t is F32 else ".d"


def _arithmetic_rule(name: str) -> None:
    @rule(name, FLOATS)
    def arithmetic(s: Selector, i: Instruction) -> None:
        operation = "fmpy" if name == "mul" else f"f{name}"
        second = s.addend(1) if name == "add" else s.float(1)
        s.define(operation + _suffix(s.result_type), s.float(0), second)


for _name in ("add", "sub", "mul"):
    _arithmetic_rule(_name)


@rule("fma", FLOATS)
def fused_multiply_add(s: Selector, i: Instruction) -> None:
    s.define(f"fma{_suffix(s.result_type)}.s0", s.float(0), s.float(1), s.addend(2))


@rule("neg", FLOATS)
def negate(s: Selector, i: Instruction) -> None:
    s.define("fneg", s.float(0))


@rule("abs", FLOATS)
def magnitude(s: Selector, i: Instruction) -> None:
    s.define("fabs", s.float(0))


def _extreme_rule(name: str, operation: str, smaller_zero: int) -> None:
    @rule(name, FLOATS)
    def extreme(s: Selector, i: Instruction) -> None:
        """fmin a, b is a < b ? a : b, so b if one is NaN or both are zeros.

        That is wrong if b is NaN, and if a is the zero to prefer (-0 for a minimum): in both cases
        fmin b, a is right.
        """
        a, b = s.float(0), s.float(1)
        result = s.target()
        nan = s.compare("fcmp.unord", b, b)
        zero = s.compare("fclass.m", a, smaller_zero)
        s.emit(operation, (result,), (a, b))
        s.emit(operation, (result,), (b, a), nan)
        s.emit(operation, (result,), (b, a), zero)
        s.finish(result)


_extreme_rule("min", "fmin.s0", CLASS_NEGATIVE_ZERO)
_extreme_rule("max", "fmax.s0", CLASS_POSITIVE_ZERO)


# ── comparisons: the complement of a compare is true if an operand is NaN ────────────────────

_RELATIONS = {
    "eq": ("fcmp.eq", False, False),
    "ne": ("fcmp.eq", False, True),
    "lt": ("fcmp.lt", False, False),
    "le": ("fcmp.le", False, False),
    "gt": ("fcmp.lt", True, False),
    "ge": ("fcmp.le", True, False),
}
"""Relation -> row, operands swapped, predicates swapped."""


def _relation_rule(name: str) -> None:
    row, swap_operands, swap_targets = _RELATIONS[name]

    @rule(name, FLOATS)
    def compare(s: Selector, i: Instruction) -> None:
        operands = (s.float(0), s.float(1))
        targets = s.pair()
        s.emit(
            row,
            targets[::-1] if swap_targets else targets,
            operands[::-1] if swap_operands else operands,
            s.guard,
        )


for _name in _RELATIONS:
    _relation_rule(_name)


# ── conversions ──────────────────────────────────────────────────────────────────────────────


@rule("extend.f32.f64")
def widen(s: Selector, i: Instruction) -> None:
    s.define("mov.f", s.float(0))


@rule("round.f64.f32")
def narrow(s: Selector, i: Instruction) -> None:
    s.define("fnorm.s", s.float(0))


def _from_integer_rules(integer: Type, float: Type) -> None:
    normalise = f"fnorm{_suffix(float)}"

    @rule(f"float_s.{integer}.{float}")
    def from_signed(s: Selector, i: Instruction) -> None:
        exact = s.floating("fcvt.xf", s.floating("setf.sig", s.extended(0)))
        s.define(normalise, exact)

    @rule(f"float_u.{integer}.{float}")
    def from_unsigned(s: Selector, i: Instruction) -> None:
        """A significand is an unsigned integer already; it only has to be rounded."""
        s.define(normalise, s.floating("setf.sig", s.unsigned(0)))


def _to_signed_64(s: Selector, x: str) -> str:
    """Truncated and saturated, NaN -> 0, as a temporary.

    The conversion gives -2**63 for whatever is out of range; of those NaN becomes 0, and a positive
    number with a negative result becomes one less, 2**63 - 1.
    """
    result = s.general("getf.sig", s.floating("fcvt.fx.trunc.s0", x))
    positive = s.compare("fcmp.lt", "f0", x)
    nan = s.compare("fcmp.unord", x, x)
    too_large = s.compare("cmp.lt.unc", result, "r0", guard=positive)
    s.emit("adds", (result,), (-1, result), too_large)
    s.emit("adds", (result,), (0, "r0"), nan)
    return result


def _clamp(s: Selector, register: str, low: int, high: int) -> None:
    """Limit a signed temporary in place."""
    for bound, relation in ((low, "lt"), (high, "gt")):
        outside = s.temporary("predicate")
        limit = s.constant(bound)
        emit_compare(s, "cmp", relation, (outside, "p0"), register, limit)
        s.emit("mov", (register,), (limit,), outside)


def _to_integer_rules(float: Type, integer: Type) -> None:
    bits = integer.bits

    @rule(f"int_s.{float}.{integer}")
    def to_signed(s: Selector, i: Instruction) -> None:
        result = _to_signed_64(s, s.float(0))
        if bits < 64:
            _clamp(s, result, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        s.define("mov", result)

    @rule(f"int_u.{float}.{integer}")
    def to_unsigned(s: Selector, i: Instruction) -> None:
        if bits == 64:
            _to_unsigned_64(s, s.float(0))
            return
        result = _to_signed_64(s, s.float(0))
        _clamp(s, result, 0, (1 << bits) - 1)
        s.define_wrapped("mov", result)


def _to_unsigned_64(s: Selector, x: str) -> None:
    """Negative numbers and NaN give 0, numbers from 2**64 on all ones."""
    result = s.general("getf.sig", s.floating("fcvt.fxu.trunc.s0", x))
    not_negative, other = s.temporary("predicate"), s.temporary("predicate")
    s.emit("fcmp.le", (not_negative, other), ("f0", x))
    too_large = s.compare("fcmp.le", s.float_constant(2.0**64), x)
    s.emit("adds", (result,), (-1, "r0"), too_large)
    s.emit("adds", (result,), (0, "r0"), other)
    s.define("mov", result)


for _integer in WIDTHS:
    for _float in FLOATS:
        _from_integer_rules(_integer, _float)
        _to_integer_rules(_float, _integer)


# ── encodings ────────────────────────────────────────────────────────────────────────────────


@rule("bits.f64.i64")
def bits_of_double(s: Selector, i: Instruction) -> None:
    s.define("getf.d", s.float(0))


@rule("bits.i64.f64")
def double_of_bits(s: Selector, i: Instruction) -> None:
    s.define("setf.d", s.integer(0))


@rule("bits.f32.i32")
def bits_of_single(s: Selector, i: Instruction) -> None:
    s.define_wrapped("getf.s", s.float(0))


@rule("bits.i32.f32")
def single_of_bits(s: Selector, i: Instruction) -> None:
    s.define("setf.s", s.integer(0))
