"""Rules for rows that hardware has and sources write as several: see `combining`.

add.s32 %t, %a, %b
add.s32 %s, %t, %c        ->     add3.s32 %s, %a, %b, %c, 0

shl.b32 %l, %x, 5
shr.u32 %h, %x, 27        ->     lea.hi.b32 %s, %x, %c, %x, 5
add.s32 %r, %l, %h
add.s32 %s, %r, %c

What ptxas 13.0 makes of them for sm_90 (IADD3, SHF, LEA.HI, PRMT, IMAD of bits that are apart).
"""

from __future__ import annotations

from compiler.ir.module import Instruction, Value
from compiler.targets.simt.combination.combining import (
    Combiner,
    Rule,
    either_way,
    instead,
    rule,
    signed,
)

MACHINE_RULES: dict[str, list[Rule]] = {}
BITS = 32
ALL = (1 << BITS) - 1


# ── shifts that are parts of one ─────────────────────────────────────────────────────────────


@rule("or.b32", "xor.b32", "add.s32", among=MACHINE_RULES)
def funnel_shift(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Two words that are shifted until their bits are beside each other; of one word a rotation."""
    for left, right in either_way(i):
        high, low = c.nearby(left, "shl.b32"), c.nearby(right, "shr.u32")
        if high is None or low is None:
            continue
        (upper, count), (lower, other) = high.operands, low.operands
        are_known = isinstance(count, int) and isinstance(other, int) and 0 < count < BITS
        if are_known and count + other == BITS:
            return instead(i, "shf.l.wrap.b32", lower, upper, count)
    return None


@rule("add.s32", among=MACHINE_RULES)
def sum_of_high_half(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """What is shifted down, or around, and added."""
    for value, other in either_way(i):
        made = c.nearby(value, "shf.l.wrap.b32", "shf.r.wrap.b32", "shr.u32", "shr.s32")
        if made is None or not isinstance(made.operands[-1], int):
            continue
        *words, count = made.operands
        if not 0 < count < BITS:
            continue
        match made.operation.name:
            case "shf.l.wrap.b32":
                return instead(i, "lea.hi.b32", words[0], other, words[1], count)
            case "shf.r.wrap.b32":
                return instead(i, "lea.hi.b32", words[0], other, words[1], BITS - count)
            case "shr.u32":
                return instead(i, "lea.hi.b32", words[0], other, 0, BITS - count)
            case _:
                return instead(i, "lea.hi.sx32.s32", words[0], other, BITS - count)
    return None


# ── sums ─────────────────────────────────────────────────────────────────────────────────────


@rule("add.s32", "sub.s32", among=MACHINE_RULES)
def sum_of_three(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """A sum of a sum, of which at most one term is a constant."""
    second = -1 if i.operation.name == "sub.s32" else 1
    for position, sign in ((0, 1), (1, second)):
        made = c.nearby(i.operands[position], "add.s32", "sub.s32")
        if made is None:
            continue
        inner = -sign if made.operation.name == "sub.s32" else sign
        other = i.operands[1 - position], second if position == 0 else 1
        terms = [(made.operands[0], sign), (made.operands[1], inner), other]
        if sum(not isinstance(value, str) for value, _ in terms) > 1:
            continue
        negated = sum(1 << k for k, (_, sign) in enumerate(terms) if sign < 0)
        return instead(i, "add3.s32", *(value for value, _ in terms), negated)
    return None


@rule("or.b32", "xor.b32", among=MACHINE_RULES)
def sum_of_bits_apart(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """x << 8 | y, with y below 256, is x * 256 + y."""
    for value, other in either_way(i):
        made = c.nearby(value, "shl.b32")
        if made is None or not isinstance(made.operands[1], int):
            continue
        word, count = made.operands
        if 0 < count < BITS and _width(c, other) <= count:
            return instead(i, "mad.lo.s32", word, 1 << count, other)
    return None


def _width(c: Combiner, value: Value) -> int:
    """How many low bits of a value may be other than 0."""
    if not isinstance(value, str):
        return (value & ALL).bit_length()
    made = c.origin(value, "and.b32", "shr.u32", "cvt.u32.u8", "cvt.u32.u16")
    if made is None:
        return BITS
    constant = made.operands[-1]
    match made.operation.name:
        case "and.b32" if isinstance(constant, int):
            return (constant & ALL).bit_length()
        case "shr.u32" if isinstance(constant, int) and 0 <= constant < BITS:
            return BITS - constant
        case "cvt.u32.u8":
            return 8
        case "cvt.u32.u16":
            return 16
    return BITS


# ── fields of bits ───────────────────────────────────────────────────────────────────────────


@rule("bfe.u32", "bfe.s32", among=MACHINE_RULES)
def constant_field(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """A field of which place and length are known: a byte, or two shifts."""
    value, begin, length = i.operands
    if isinstance(begin, str) or isinstance(length, str) or not isinstance(value, str):
        return None
    begin, length = begin & 255, length & 255
    if not (length > 0 and begin + length <= BITS):
        return None
    is_signed = i.operation.name == "bfe.s32"
    if length == 8 and begin % 8 == 0:
        byte = begin // 8
        above = (8 | byte) * 0x1110 if is_signed else 0x4440
        return instead(i, "prmt.b32", value, 0, above | byte)
    shift = "shr.s32" if is_signed else "shr.u32"
    if begin + length == BITS:
        return instead(i, shift, value, begin)
    if not is_signed:
        if begin == 0:
            return instead(i, "and.b32", value, (1 << length) - 1)
        low = c.made(i, shift, value, begin)
        return [low, *instead(i, "and.b32", low.results[0], (1 << length) - 1)]
    high = c.made(i, "shl.b32", value, BITS - begin - length)
    return [high, *instead(i, shift, high.results[0], BITS - length)]


CHOICE = 0xE2
"""Table of b ? a : c."""


@rule("bfi.b32", among=MACHINE_RULES)
def constant_insertion(c: Combiner, i: Instruction) -> list[Instruction] | None:
    value, around, begin, length = i.operands
    if isinstance(begin, str) or isinstance(length, str) or not isinstance(value, str):
        return None
    begin, length = begin & 255, length & 255
    if not (length > 0 and begin + length <= BITS):
        return None
    mask = signed(((1 << length) - 1) << begin, BITS)
    if begin == 0:
        return instead(i, "lop3.b32", value, mask, around, CHOICE)
    high = c.made(i, "shl.b32", value, begin)
    return [high, *instead(i, "lop3.b32", high.results[0], mask, around, CHOICE)]
