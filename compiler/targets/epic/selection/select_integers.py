"""Selection of integer, pointer and boolean operations."""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.epic.selection.selector import Selector, rule
from machines.types import F32, F64, I8, I16, I32, I64, PTR

WIDTHS = (I8, I16, I32, I64)
IMMEDIATE_8 = range(-128, 128)
IMMEDIATE_14 = range(-8192, 8192)


# ── constants and copies ─────────────────────────────────────────────────────────────────────


@rule("const", (*WIDTHS, PTR))
@rule("copy", (*WIDTHS, PTR))
def copy_integer(s: Selector, i: Instruction) -> None:
    value = s.literal(0)
    if value is None:
        s.define("mov", s.integer(0) if s.result_name in s.loose else s.extended(0))
    elif -(1 << 21) <= value < 1 << 21:
        s.define("addl", value, "r0")
    else:
        s.define("mov", s.constant(value))


@rule("const", (F32, F64))
@rule("copy", (F32, F64))
def copy_float(s: Selector, i: Instruction) -> None:
    s.define("mov.f", s.float(0))


@rule("address.ptr")
def address_of_buffer(s: Selector, i: Instruction) -> None:
    s.define("mov", s.address(str(i.operands[0])))


@rule("select", (*WIDTHS, PTR, F32, F64))
def select(s: Selector, i: Instruction) -> None:
    """d = b, then d = a under p; the other way round saves a move if d is a already."""
    is_float = s.result_type.is_float
    move = "mov.f" if is_float else "mov"
    read = s.float if is_float else (s.integer if s.result_name in s.loose else s.extended)
    then, other = read(1), read(2)
    name = s.result_name
    if s.guard is None and name != i.operands[0] and name in (i.operands[1], i.operands[2]):
        kept = s.variable(name)
        if other == kept:
            s.emit(move, (kept,), (then,), s.true_when(0))
        else:
            s.emit(move, (kept,), (other,), s.true_unless(0))
        return
    result = s.target()
    s.emit(move, (result,), (other,))
    s.emit(move, (result,), (then,), s.true_when(0))
    s.finish(result)


# ── addition and logic ───────────────────────────────────────────────────────────────────────


@rule("add", WIDTHS)
def add(s: Selector, i: Instruction) -> None:
    for constant, other in ((1, 0), (0, 1)):
        value = s.literal(constant)
        if value is not None and value in IMMEDIATE_14 and s.literal(other) is None:
            s.define_wrapped("adds", value, s.integer(other))
            return
    s.define_wrapped("add", s.integer(0), s.integer(1))


@rule("add.ptr")
def add_pointer(s: Selector, i: Instruction) -> None:
    add(s, i)


@rule("sub", WIDTHS)
def subtract(s: Selector, i: Instruction) -> None:
    minuend, subtrahend = s.literal(0), s.literal(1)
    if subtrahend is not None and -subtrahend in IMMEDIATE_14 and minuend is None:
        s.define_wrapped("adds", -subtrahend, s.integer(0))
    elif minuend is not None and minuend in IMMEDIATE_8:
        s.define_wrapped("sub.imm", minuend, s.integer(1))
    else:
        s.define_wrapped("sub", s.integer(0), s.integer(1))


@rule("sub.ptr")
def subtract_pointers(s: Selector, i: Instruction) -> None:
    s.define("sub", s.integer(0), s.integer(1))


@rule("neg", WIDTHS)
def negate(s: Selector, i: Instruction) -> None:
    s.define_wrapped("sub", "r0", s.integer(0))


@rule("not", WIDTHS)
def complement(s: Selector, i: Instruction) -> None:
    read = s.integer if s.result_name in s.loose else s.extended
    s.define("xor.imm", -1, read(0))


def _logic(s: Selector, operation: str) -> None:
    """And, or, xor of sign-extended operands are sign-extended."""
    define = s.define_wrapped if any(v in s.loose for v in s.instruction.operands) else s.define
    for constant, other in ((1, 0), (0, 1)):
        value = s.literal(constant)
        if value is not None and value in IMMEDIATE_8 and s.literal(other) is None:
            define(f"{operation}.imm", value, s.integer(other))
            return
    define(operation, s.integer(0), s.integer(1))


@rule("and", WIDTHS)
def bitwise_and(s: Selector, i: Instruction) -> None:
    """A mask of the low 8, 16 or 32 bits is a zero extension."""
    for constant, other in ((1, 0), (0, 1)):
        size = _LOW_BYTES.get(s.literal(constant))
        if size is not None and s.literal(other) is None:
            s.define(f"zxt{size}", s.integer(other))
            return
    _logic(s, "and")


_LOW_BYTES = {0xFF: 1, 0xFFFF: 2, 0xFFFFFFFF: 4}


@rule("or", WIDTHS)
def bitwise_or(s: Selector, i: Instruction) -> None:
    _logic(s, "or")


@rule("xor", WIDTHS)
def bitwise_xor(s: Selector, i: Instruction) -> None:
    _logic(s, "xor")


# ── shifts ───────────────────────────────────────────────────────────────────────────────────


@rule("shl", WIDTHS)
def shift_left(s: Selector, i: Instruction) -> None:
    count, bits = s.literal(1), s.result_type.bits
    if count is None:
        s.define_wrapped("shl", s.integer(0), s.unsigned(1))
        return
    count %= 1 << bits
    if count >= bits:
        s.define("mov", "r0")
    elif count == 0:
        s.define_wrapped("mov", s.integer(0))
    else:
        s.define_wrapped("shl.imm", s.integer(0), count)


@rule("shr_s", WIDTHS)
def shift_right(s: Selector, i: Instruction) -> None:
    count, bits = s.literal(1), s.result_type.bits
    if count is None:
        s.define("shr", s.extended(0), s.unsigned(1))
    else:
        count = min(count % (1 << bits), bits - 1)
        s.define("extr", s.integer(0), count, bits - count)


@rule("shr_u", WIDTHS)
def shift_right_unsigned(s: Selector, i: Instruction) -> None:
    count, bits = s.literal(1), s.result_type.bits
    if count is None:
        s.define_wrapped("shr.u", s.unsigned(0), s.unsigned(1))
        return
    count %= 1 << bits
    if count >= bits:
        s.define("mov", "r0")
    elif count == 0:
        s.define_wrapped("mov", s.integer(0))
    else:
        s.define("extr.u", s.integer(0), count, bits - count)


# ── multiplication ───────────────────────────────────────────────────────────────────────────


@rule("mul", WIDTHS)
def multiply(s: Selector, i: Instruction) -> None:
    """By a constant through shifts and adds if two of them do; else through the FP multiplier."""
    for constant, other in ((1, 0), (0, 1)):
        value = s.literal(constant)
        if value is not None and s.literal(other) is None and _multiply_short(s, other, value):
            return
    product = s.floating("xmpy.l", *(s.floating("setf.sig", s.integer(k)) for k in (0, 1)))
    s.define_wrapped("getf.sig", product)


for _name, _row in (("mul_high_s", "xmpy.h"), ("mul_high_u", "xmpy.hu")):

    @rule(_name, (I64,))
    def multiply_high(s: Selector, i: Instruction, row: str = _row) -> None:
        """The FP multiplier gives either half of its product."""
        product = s.floating(row, *(s.floating("setf.sig", s.integer(k)) for k in (0, 1)))
        s.define("getf.sig", product)


def _multiply_short(s: Selector, index: int, factor: int) -> bool:
    """Emit operand `index` times `factor` in two shifts and adds at most; False if that is not
    enough."""
    if factor == 0:
        s.define("mov", "r0")
        return True
    x = s.integer(index)
    size = abs(factor)
    low = (size & -size).bit_length() - 1
    odd = size >> low
    negative = factor < 0
    if odd == 1:
        if low == 0:
            s.define_wrapped(*(("sub", "r0", x) if negative else ("mov", x)))
        elif negative:
            s.define_wrapped("sub", "r0", s.general("shl.imm", x, low))
        else:
            s.define_wrapped("shl.imm", x, low)
        return True
    if negative:
        return False
    for shift in (1, 2, 3, 4):  # x * (2**shift + 1)
        if odd == (1 << shift) + 1:
            if low == 0:
                s.define_wrapped("shladd", x, shift, x)
            else:
                s.define_wrapped("shl.imm", s.general("shladd", x, shift, x), low)
            return True
    rest = size - (1 << (size.bit_length() - 1))
    if rest.bit_count() == 1 and rest.bit_length() - 1 <= 4:  # 2**high + 2**low
        high = s.general("shl.imm", x, size.bit_length() - 1)
        if rest == 1:
            s.define_wrapped("add", high, x)
        else:
            s.define_wrapped("shladd", x, rest.bit_length() - 1, high)
        return True
    if (odd + 1).bit_count() == 1 and low == 0:  # 2**n - 1
        s.define_wrapped("sub", s.general("shl.imm", x, odd.bit_length()), x)
        return True
    return False


# ── width conversions ────────────────────────────────────────────────────────────────────────


def _extension_rules() -> None:
    for narrow in WIDTHS:
        for wide in WIDTHS:
            if narrow.bits < wide.bits:

                @rule(f"sext.{narrow}.{wide}")
                def sign_extension(s: Selector, i: Instruction) -> None:
                    value = i.operands[0]
                    if isinstance(value, str) and value in s.loose:
                        s.define(f"sxt{s.operand_type(0).bits // 8}", s.variable(value))
                    else:
                        s.define("mov", s.integer(0))

                @rule(f"zext.{narrow}.{wide}")
                def zero_extension(s: Selector, i: Instruction) -> None:
                    if s.literal(0) is None:
                        s.define(f"zxt{s.operand_type(0).bits // 8}", s.integer(0))
                    else:
                        s.define("mov", s.unsigned(0))

            elif narrow.bits > wide.bits:

                @rule(f"trunc.{narrow}.{wide}")
                def truncation(s: Selector, i: Instruction) -> None:
                    s.define_wrapped("mov", s.integer(0))


_extension_rules()


@rule("int.ptr.i64")
@rule("ptr.i64.ptr")
def reinterpret_pointer(s: Selector, i: Instruction) -> None:
    s.define("mov", s.integer(0))


@rule("zext.i1", WIDTHS)
def boolean_to_integer(s: Selector, i: Instruction) -> None:
    result = s.target()
    s.emit("addl", (result,), (0, "r0"))
    s.emit("addl", (result,), (1, "r0"), s.true_when(0))
    s.finish(result)
