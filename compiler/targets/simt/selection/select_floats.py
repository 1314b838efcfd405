"""Selection of floating-point arithmetic and of conversions between floats and integers.

The rows named here round as the IR does: to nearest even, subnormals kept, fused only where fma is
written; min and max prefer a number to NaN, and -0 is below +0.
"""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.simt.selection.selector import NARROW, Selector, rule
from machines.types import F32, F64, I8, I16, I32, I64, Type

FLOATS = (F32, F64)


def _row(name: str, row: str, count: int) -> None:
    @rule(name, FLOATS)
    def compute(s: Selector, i: Instruction) -> None:
        s.define(f"{row}.{s.result_type}", *(s.value(k) for k in range(count)))


for _name in ("add", "sub", "mul", "div"):
    _row(_name, f"{_name}.rn", 2)
_row("sqrt", "sqrt.rn", 1)
_row("fma", "fma.rn", 3)
_row("neg", "neg", 1)
_row("abs", "abs", 1)
_row("min", "min", 2)
_row("max", "max", 2)


def _relation(name: str, relation: str) -> None:
    @rule(name, FLOATS)
    def compare(s: Selector, i: Instruction) -> None:
        s.define(f"setp.{relation}.{s.operand_type(0)}", s.value(0), s.value(1))


for _name in ("eq", "lt", "le", "gt", "ge"):
    _relation(_name, _name)
_relation("ne", "neu")  # true of NaN, as everywhere


# ── conversions ──────────────────────────────────────────────────────────────────────────────


@rule("extend.f32.f64")
def widen(s: Selector, i: Instruction) -> None:
    s.define("cvt.f64.f32", s.value(0))


@rule("round.f64.f32")
def narrow(s: Selector, i: Instruction) -> None:
    s.define("cvt.rn.f32.f64", s.value(0))


@rule("bits.i64.f64")
@rule("bits.i32.f32")
def from_bits(s: Selector, i: Instruction) -> None:
    s.define(f"mov.b{s.result_type.bits}", s.value(0))


CANONICAL_NAN = {F32: 0x7FC0_0000, F64: 0x7FF8_0000_0000_0000}
"""The bits that the IR shows of NaN; the machine's own differ."""


def _bits(f: Type) -> None:
    @rule(f"bits.{f}.i{f.bits}")
    def to_bits(s: Selector, i: Instruction) -> None:
        value = s.value(0)
        is_number = s.new(f"setp.eq.{f}", value, value)
        s.define(f"selp.b{f.bits}", value, CANONICAL_NAN[f], is_number)


_bits(F32)
_bits(F64)


def _from_integer(i: Type, f: Type) -> None:
    bits = max(32, i.bits)

    @rule(f"float_s.{i}.{f}")
    def signed(s: Selector, instruction: Instruction) -> None:
        s.define(f"cvt.rn.{f}.s{bits}", s.value(0))

    @rule(f"float_u.{i}.{f}")
    def unsigned(s: Selector, instruction: Instruction) -> None:
        s.define(f"cvt.rn.{f}.u{bits}", s.unsigned(0))


def _to_integer(f: Type, i: Type) -> None:
    @rule(f"int_s.{f}.{i}")
    def signed(s: Selector, instruction: Instruction) -> None:
        if i is I64:
            _to_64_bits(s, f"cvt.rzi.s64.{f}", f)
            return
        if i is I32:
            s.define(f"cvt.rzi.s32.{f}", s.value(0))
            return
        least = -(1 << (i.bits - 1))
        low = s.new("max.s32", s.new(f"cvt.rzi.s32.{f}", s.value(0)), least)
        s.define("min.s32", low, -least - 1)

    @rule(f"int_u.{f}.{i}")
    def unsigned(s: Selector, instruction: Instruction) -> None:
        if i is I64:
            _to_64_bits(s, f"cvt.rzi.u64.{f}", f)
            return
        if i in NARROW:
            whole = s.new(f"cvt.rzi.u32.{f}", s.value(0))
            s.define_wrapped("min.u32", whole, (1 << i.bits) - 1)
            return
        s.define(f"cvt.rzi.u32.{f}", s.value(0))


def _to_64_bits(s: Selector, row: str, f: Type) -> None:
    """The machine makes of NaN the lowest number of 64 bits; the IR makes it 0."""
    value = s.value(0)
    is_number = s.new(f"setp.eq.{f}", value, value)
    s.define("selp.b64", s.new(row, value), 0, is_number)


for _i in (I8, I16, I32, I64):
    for _f in FLOATS:
        _from_integer(_i, _f)
        _to_integer(_f, _i)
