"""Selection of integer arithmetic, comparisons, width conversions and boolean logic."""

from __future__ import annotations

from compiler.ir.module import Guard, Instruction, Value
from compiler.targets.simt.selection.selector import Selector, file_of, rule
from machines.types import F32, F64, I1, I8, I16, I32, I64, Type
from machines.vocabulary.numbers import sign_extend

WIDTHS = (I8, I16, I32, I64)


def sign(t: Type, letter: str = "s") -> str:
    """The type suffix that computes an IR integer: narrow ones in 32 bits."""
    return f"{letter}64" if t.bits == 64 else f"{letter}32"


# ── constants and copies ─────────────────────────────────────────────────────────────────────


@rule("const", (I1, *WIDTHS, F32, F64))
@rule("copy", (I1, *WIDTHS, F32, F64))
def copy(s: Selector, i: Instruction) -> None:
    s.define_value(s.value(0))


@rule("select", (*WIDTHS, F32, F64))
def select(s: Selector, i: Instruction) -> None:
    s.define(f"selp.{file_of(s.result_type)}", s.value(1), s.value(2), s.value(0))


# ── arithmetic ───────────────────────────────────────────────────────────────────────────────

for _name, _row in (("add", "add"), ("sub", "sub"), ("mul", "mul.lo")):

    @rule(_name, WIDTHS)
    def arithmetic(s: Selector, i: Instruction, row: str = _row) -> None:
        s.define_wrapped(f"{row}.{sign(s.result_type)}", s.value(0), s.value(1))


for _name, _row in (("mul_high_s", "mul.hi.s64"), ("mul_high_u", "mul.hi.u64")):

    @rule(_name, (I64,))
    def multiply_high(s: Selector, i: Instruction, row: str = _row) -> None:
        s.define(row, s.value(0), s.value(1))


@rule("neg", WIDTHS)
def negate(s: Selector, i: Instruction) -> None:
    s.define_wrapped(f"neg.{sign(s.result_type)}", s.value(0))


for _name in ("and", "or", "xor"):

    @rule(_name, WIDTHS)
    def logic(s: Selector, i: Instruction, row: str = _name) -> None:
        s.define(f"{row}.{file_of(s.result_type)}", s.value(0), s.value(1))


@rule("not", WIDTHS)
def complement(s: Selector, i: Instruction) -> None:
    s.define(f"not.{file_of(s.result_type)}", s.value(0))


def _extreme(name: str, letter: str) -> None:
    @rule(f"{name}_{letter}", WIDTHS)
    def extreme(s: Selector, i: Instruction) -> None:
        """Unsigned order of sign-extended values is that of the narrow ones."""
        s.define(f"{name}.{sign(s.result_type, letter)}", s.value(0), s.value(1))


for _name in ("min", "max"):
    _extreme(_name, "s")
    _extreme(_name, "u")


# ── shifts ───────────────────────────────────────────────────────────────────────────────────


def _count(s: Selector) -> Value:
    """The count of a shift as an unsigned number of 32 bits, at or past the width where the IR's
    is."""
    literal, t = s.literal(1), s.result_type
    if literal is not None:
        return min(literal % (1 << t.bits), 64)
    if t is I64:
        return s.new("cvt.u32.u64", s.new("min.u64", s.value(1), 64))
    return s.unsigned(1)


@rule("shl", WIDTHS)
def shift_left(s: Selector, i: Instruction) -> None:
    s.define_wrapped(f"shl.{file_of(s.result_type)}", s.value(0), _count(s))


@rule("shr_s", WIDTHS)
def shift_right(s: Selector, i: Instruction) -> None:
    s.define(f"shr.{sign(s.result_type)}", s.value(0), _count(s))


@rule("shr_u", WIDTHS)
def shift_right_unsigned(s: Selector, i: Instruction) -> None:
    s.define_wrapped(f"shr.{sign(s.result_type, 'u')}", s.unsigned(0), _count(s))


# ── division ─────────────────────────────────────────────────────────────────────────────────


def _division(name: str, letter: str) -> None:
    @rule(f"{name}_{letter}", WIDTHS)
    def division(s: Selector, i: Instruction) -> None:
        read = s.unsigned if letter == "u" else s.value
        _refuse_zero(s)
        s.define_wrapped(f"{name}.{sign(s.result_type, letter)}", read(0), read(1))


for _name in ("div", "rem"):
    _division(_name, "s")
    _division(_name, "u")


def _refuse_zero(s: Selector) -> None:
    """Stop with a fault if the divisor is 0 (the machine's division gives some number then)."""
    if s.literal(1):
        return
    is_zero = s.new(f"setp.eq.{sign(s.operand_type(1))}", s.value(1), 0)
    if s.guard is not None:
        allowed = s.guard.name
        if s.guard.negated:
            allowed = s.new("not.pred", allowed)
        is_zero = s.new("and.pred", is_zero, allowed)
    s.emit("trap.division", (), (), Guard(is_zero))


# ── comparisons ──────────────────────────────────────────────────────────────────────────────


def _relation(name: str, relation: str, letter: str, types) -> None:
    @rule(name, types)
    def compare(s: Selector, i: Instruction) -> None:
        row = f"setp.{relation}.{sign(s.operand_type(0), letter)}"
        s.define(row, s.value(0), s.value(1))


for _name in ("eq", "ne"):
    _relation(_name, _name, "s", WIDTHS)
for _name in ("lt", "le", "gt", "ge"):
    _relation(f"{_name}_s", _name, "s", WIDTHS)
    _relation(f"{_name}_u", _name, "u", WIDTHS)


# ── width conversions ────────────────────────────────────────────────────────────────────────


def _conversions(narrow: Type, wide: Type) -> None:
    @rule(f"sext.{narrow}.{wide}")
    def extend(s: Selector, i: Instruction) -> None:
        if wide is I64 and s.literal(0) is None:
            s.define("cvt.s64.s32", s.value(0))
        else:
            s.define_value(s.value(0))

    @rule(f"zext.{narrow}.{wide}")
    def extend_unsigned(s: Selector, i: Instruction) -> None:
        if s.literal(0) is not None:
            s.define_value(s.literal(0) & ((1 << narrow.bits) - 1))
        elif wide is I64:
            s.define("cvt.u64.u32", s.unsigned(0))
        else:
            s.define_value(s.unsigned(0))

    @rule(f"trunc.{wide}.{narrow}")
    def truncate(s: Selector, i: Instruction) -> None:
        if s.literal(0) is not None:
            s.define_value(sign_extend(s.literal(0), narrow.bits))
        elif narrow is I32:
            s.define("cvt.u32.u64", s.value(0))
        else:
            value = s.new("cvt.u32.u64", s.value(0)) if wide is I64 else s.value(0)
            s.define(f"cvt.s32.s{narrow.bits}", value)


for _narrow in WIDTHS:
    for _wide in WIDTHS:
        if _narrow.bits < _wide.bits:
            _conversions(_narrow, _wide)


@rule("zext.i1", WIDTHS)
def boolean_to_integer(s: Selector, i: Instruction) -> None:
    s.define(f"selp.{file_of(s.result_type)}", 1, 0, s.value(0))


# ── booleans ─────────────────────────────────────────────────────────────────────────────────

for _name in ("and", "or", "xor"):

    @rule(_name, (I1,))
    def boolean_logic(s: Selector, i: Instruction, row: str = _name) -> None:
        s.define(f"{row}.pred", s.value(0), s.value(1))


@rule("not", (I1,))
def not_boolean(s: Selector, i: Instruction) -> None:
    s.define("not.pred", s.value(0))


@rule("select", (I1,))
def select_boolean(s: Selector, i: Instruction) -> None:
    condition = s.value(0)
    first = s.new("and.pred", condition, s.value(1))
    second = s.new("and.pred", s.new("not.pred", condition), s.value(2))
    s.define("or.pred", first, second)
