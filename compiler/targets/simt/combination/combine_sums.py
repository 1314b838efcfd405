"""Rules for sums, products and shifts: see `combining`.

shl.b32 %a, %t, 4
add.s32 %b, %a, %c        ->     mad.lo.s32 %b, %t, 16, %c
"""

from __future__ import annotations

from compiler.ir.module import Instruction, Value
from compiler.targets.simt.combination.combining import Combiner, either_way, instead, rule, signed

# ── sums of products ─────────────────────────────────────────────────────────────────────────


@rule("add.s64")
def wide_sum(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Even if the product is read elsewhere too: a sum of 64 bits is two instructions."""
    if _is_offset(c, i):
        return None
    for product, other in either_way(i):
        found = c.origin(product, "mul.wide.s32", "mul.wide.u32")
        if found is not None:
            name = found.operation.name.replace("mul", "mad")
            return instead(i, name, *found.operands, other)
    return None


@rule("add.s64")
def sum_of_narrow(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """A narrow number is widened by what adds it."""
    for widened, other in either_way(i):
        found = c.origin(widened, "cvt.s64.s32", "cvt.u64.u32")
        if found is not None and isinstance(other, str):
            return instead(i, f"mad.wide.{found.operation.name[-3:]}", found.operands[0], 1, other)
    return None


@rule("sub.s32")
def difference_of_product(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """a - b * 29 is b * -29 + a."""
    whole, product = i.operands
    found = c.origin(product, "mul.lo.s32")
    if found is None or not c.is_read_once(product):
        return None
    for value, factor in either_way(found):
        if isinstance(factor, int):
            return instead(i, "mad.lo.s32", value, signed(-factor, 32), whole)
    return None


@rule("add.s32")
def sum_of_product(c: Combiner, i: Instruction) -> list[Instruction] | None:
    if _is_offset(c, i):
        return None
    for product, other in either_way(i):
        found = c.origin(product, "mul.lo.s32")
        if found is not None and c.is_read_once(product):
            return instead(i, "mad.lo.s32", *found.operands, other)
        found = c.origin(product, "shl.b32")
        if found is not None and c.is_read_once(product) and isinstance(found.operands[1], int):
            value, count = found.operands
            if 0 <= count < 32:
                return instead(i, "mad.lo.s32", value, 1 << count, other)
    return None


def _is_offset(c: Combiner, i: Instruction) -> bool:
    """Whether accesses will take a constant that is added here into their offsets."""
    has_constant = not all(isinstance(value, str) for value in i.operands)
    return has_constant and i.results[0] in c.values.addresses


@rule("mul.lo.s64")
def product_of_narrow(c: Combiner, i: Instruction) -> list[Instruction] | None:
    for value, factor in either_way(i):
        found = c.origin(value, "cvt.s64.s32", "cvt.u64.u32")
        if found is None:
            continue
        kind = found.operation.name[-3:]
        other = c.origin(factor, found.operation.name)
        if other is not None:
            return instead(i, f"mul.wide.{kind}", found.operands[0], other.operands[0])
        low, high = (-(1 << 31), 1 << 31) if kind == "s32" else (0, 1 << 32)
        if isinstance(factor, int) and low <= factor < high:
            return instead(i, f"mul.wide.{kind}", found.operands[0], factor)
    return None


@rule("shl.b64")
def shift_of_narrow(c: Combiner, i: Instruction) -> list[Instruction] | None:
    value, count = i.operands
    found = c.origin(value, "cvt.s64.s32", "cvt.u64.u32")
    if found is None or not isinstance(count, int):
        return None
    kind = found.operation.name[-3:]
    if 0 <= count < (31 if kind == "s32" else 32):
        return instead(i, f"mul.wide.{kind}", found.operands[0], 1 << count)
    return None


# ── halves of 64 bits ────────────────────────────────────────────────────────────────────────


@rule("and.b64")
def mask_of_narrow(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """What is masked has zeros above, before and after."""
    for value, mask in either_way(i):
        found = c.origin(value, "cvt.u64.u32")
        if found is not None and isinstance(mask, int):
            low = c.made(i, "and.b32", found.operands[0], mask & (1 << 32) - 1)
            return [low, *instead(i, "cvt.u64.u32", low.results[0])]
    return None


@rule("cvt.u32.u64")
def upper_half_of_product(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """How compilers write a division by a constant."""
    shifted = c.origin(i.operands[0], "shr.u64", "shr.s64")
    if shifted is None or not c.is_read_once(i.operands[0]):
        return None
    value, count = shifted.operands
    product = c.origin(value, "mul.wide.u32", "mul.wide.s32")
    if product is None or not isinstance(count, int) or not 32 <= count < 64:
        return None
    upper, kind = f"mul.hi.{product.operation.name[-3:]}", shifted.operation.name[-3]
    if count == 32:
        return instead(i, upper, *product.operands)
    high = c.made(i, upper, *product.operands)
    return [high, *instead(i, f"shr.{kind}32", high.results[0], count - 32)]


# ── constants together ───────────────────────────────────────────────────────────────────────


@rule("add.s32", "add.s64")
def sum_of_sum(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """(x + 3) + 4 is x + 7."""
    bits = int(i.operation.name[-2:])
    for inner, constant in either_way(i):
        found = c.origin(inner, i.operation.name)
        if found is None or isinstance(constant, str):
            continue
        for value, other in either_way(found):
            if isinstance(value, str) and not isinstance(other, str):
                return instead(i, i.operation.name, value, signed(other + constant, bits))
    return None


@rule("sub.s32", "sub.s64")
def difference_of_constant(c: Combiner, i: Instruction) -> list[Instruction] | None:
    value, constant = i.operands
    if isinstance(constant, str) or not isinstance(value, str):
        return None
    bits = int(i.operation.name[-2:])
    return instead(i, i.operation.name.replace("sub", "add"), value, signed(-constant, bits))


@rule("add.s32", "add.s64", "or.b32", "or.b64", "xor.b32", "xor.b64")
def nothing_added(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """x + 0, x | 0, x ^ 0 are x."""
    for value, zero in either_way(i):
        if zero == 0 and isinstance(value, str):
            return instead(i, f"mov.b{i.operation.name[-2:]}", value)
    return None


@rule("shl.b32", "shl.b64", "shr.s32", "shr.u32", "shr.s64", "shr.u64", "sub.s32", "sub.s64")
def not_changed(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """x << 0, x >> 0, x - 0 are x."""
    value, zero = i.operands
    if zero == 0 and isinstance(value, str):
        return instead(i, f"mov.b{i.operation.name[-2:]}", value)
    return None


@rule("mul.lo.s32", "mul.lo.s64")
def product_with_one(c: Combiner, i: Instruction) -> list[Instruction] | None:
    for value, factor in either_way(i):
        if factor == 1 and isinstance(value, str):
            return instead(i, f"mov.b{i.operation.name[-2:]}", value)
    return None


# ── the low half of 64 bits ──────────────────────────────────────────────────────────────────

NARROWER = {
    "add.s64": "add.s32",
    "sub.s64": "sub.s32",
    "mul.lo.s64": "mul.lo.s32",
    "and.b64": "and.b32",
    "or.b64": "or.b32",
    "xor.b64": "xor.b32",
}
"""Rows whose low half depends on the low halves of their operands alone."""
LOW_HALVES = tuple(f"cvt.{to}.{source}" for to in ("s32", "u32") for source in ("s64", "u64"))


@rule(*LOW_HALVES)
def low_half(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Compute in 32 bits what is wanted in 32."""
    value = i.operands[0]
    whole = c.origin(value)
    if whole is None:
        return None
    name, operands = whole.operation.name, whole.operands
    if name in ("cvt.s64.s32", "cvt.u64.u32"):
        return instead(i, "mov.b32", operands[0])
    if name == "mov.pack.b64":
        return instead(i, "mov.b32", operands[0])
    if name in ("mul.wide.s32", "mul.wide.u32"):
        return instead(i, "mul.lo.s32", *operands)
    if not c.is_read_once(value):
        return None
    if name in ("mad.wide.s32", "mad.wide.u32"):
        low, before = _low(c, i, operands[2])
        product = c.made(i, "mul.lo.s32", *operands[:2])
        return [*before, product, *instead(i, "add.s32", product.results[0], low)]
    if name == "shl.b64":
        low, before = _low(c, i, operands[0])
        return [*before, *instead(i, "shl.b32", low, operands[1])]
    if name in NARROWER:
        halves = [_low(c, i, operand) for operand in operands]
        before = [made for _, rows in halves for made in rows]
        return [*before, *instead(i, NARROWER[name], *(low for low, _ in halves))]
    return None


def _low(c: Combiner, i: Instruction, value: Value) -> tuple[Value, list[Instruction]]:
    """The low half of an operand of 64 bits, and the rows that make it."""
    if not isinstance(value, str):
        return signed(value, 32), []
    made = c.made(i, "cvt.u32.u64", value)
    return made.results[0], [made]
