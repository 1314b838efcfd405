"""Rules that make one row of two, or a cheaper one of a dear one.

    mul.wide.s32 %o, %i, 4
    add.s64      %p, %a, %o       ->     mad.wide.s32 %p, %i, 4, %a
    ld.global.b32 %x, [%q+8]      ->     ld.global.b32 %x, [%p+24]       (%q is %p + 16)

A rule is a function `rule(c, instruction)` registered for rows by name; it gives the rows to put in
the instruction's place (of which the last writes what it wrote), or None.  It may read what single
registers were made of (`c.origin`), and move those operands of theirs that are stable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.targets.simt.registers import type_of
from compiler.targets.simt.values import Values, row
from machines.isa import Operation
from machines.spaces import LOCAL_BASE, SHARED_BASE

Rule = Callable[["Combiner", Instruction], "list[Instruction] | None"]
RULES: dict[str, list[Rule]] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule for rows by name."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES.setdefault(name, []).append(function)
        return function

    return register


class Combiner:
    """What rules know and write with.

    here   register -> the row of the block before this place that wrote it last, if what that
           reads has not been written since
    """

    def __init__(self, function: Function, values: Values):
        self.function, self.values = function, values
        self.here: dict[str, Instruction] = {}
        self._made_of: dict[str, list[str]] = {}
        self._made = 0

    def origin(self, value: Value, *names: str) -> Instruction | None:
        """The row that made a value, of which the operands are still what they were; of one of
        these names, if any are given."""
        found = self.here.get(value) if isinstance(value, str) else None
        if found is None:
            found = self.values.origin(value)
            if found is None or not all(map(self.values.is_stable, found.operands)):
                return None
        return found if not names or found.operation.name in names else None

    def begin_block(self) -> None:
        self.here.clear()
        self._made_of.clear()

    def pass_by(self, instruction: Instruction) -> None:
        """Go on behind a row: what was made of what it writes is no longer known."""
        for name in instruction.results:
            self.here.pop(name, None)
            for register in self._made_of.pop(name, ()):
                self.here.pop(register, None)
        if instruction.guard is not None:
            return
        for name in instruction.results:
            if name not in instruction.operands:
                self.here[name] = instruction
                for operand in instruction.operands:
                    if isinstance(operand, str):
                        self._made_of.setdefault(operand, []).append(name)

    def is_read_once(self, value: Value) -> bool:
        return self.values.uses.get(value, 0) == 1

    def temporary(self, like: str) -> str:
        """A new register for the result of the row `like`."""
        self._made += 1
        name = f"%c{self._made}"
        while name in self.function.types:
            self._made += 1
            name = f"%c{self._made}"
        self.function.types[name] = type_of(row(like).writes[0].kind)
        return name

    def made(self, i: Instruction, name: str, *operands: Value) -> Instruction:
        """A row that reads nothing but stable operands, into a new temporary."""
        result = self.temporary(name)
        found = Instruction(row(name), (result,), operands, location=i.location)
        self.values.origins[result] = found
        self.values.uses[result] = 1
        return found


def instead(i: Instruction, name: str, *operands: Value) -> list[Instruction]:
    """Another row that writes what `i` writes."""
    return [_rewritten(i, row(name), operands, i.guard)]


def _rewritten(
    i: Instruction, operation: Operation, operands: tuple[Value, ...], guard: Guard | None
) -> Instruction:
    attributes = dict(i.attributes)
    return Instruction(operation, i.results, operands, guard, (), attributes, i.location)


def either_way(i: Instruction) -> Iterable[tuple[Value, Value]]:
    """The first two operands, and the other way round."""
    a, b = i.operands[:2]
    return (a, b), (b, a)


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
                return instead(i, i.operation.name, value, _signed(other + constant, bits))
    return None


@rule("sub.s32", "sub.s64")
def difference_of_constant(c: Combiner, i: Instruction) -> list[Instruction] | None:
    value, constant = i.operands
    if isinstance(constant, str) or not isinstance(value, str):
        return None
    bits = int(i.operation.name[-2:])
    return instead(i, i.operation.name.replace("sub", "add"), value, _signed(-constant, bits))


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


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


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
        return _signed(value, 32), []
    made = c.made(i, "cvt.u32.u64", value)
    return made.results[0], [made]


# ── addresses ────────────────────────────────────────────────────────────────────────────────

OFFSETS = range(-(1 << 31), 1 << 31)
WINDOWS = {SHARED_BASE: "shared", LOCAL_BASE: "local"}


def address_rule(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Constants that are added to an address go into the row's offset; a generic address that is
    made of one of shared or local memory becomes that again.

    An access that stays in its space is the same in both.
    """
    place = next(k for k, o in enumerate(i.operation.reads) if o.name == "address")
    address, offset = i.operands[place : place + 2]
    found = c.origin(address, "add.s64", "add.s32")
    if found is None:
        return None
    for value, constant in either_way(found):
        if isinstance(constant, str) or not isinstance(value, str):
            continue
        narrow = c.origin(value, "cvt.u64.u32")
        space = WINDOWS.get(constant)
        if ".generic." in i.operation.name and space and narrow is not None:
            name = i.operation.name.replace("generic", space)
            if space == "local" and i.operation.access.kind == "load_store":
                return None
            return _with_address(i, name, place, narrow.operands[0], offset)
        bits = int(found.operation.name[-2:])
        moved = offset + _signed(constant, bits)
        if moved in OFFSETS and constant not in WINDOWS:
            return _with_address(i, i.operation.name, place, value, moved)
    return None


def _with_address(
    i: Instruction, name: str, place: int, address: Value, offset: int
) -> list[Instruction]:
    operands = (*i.operands[:place], address, offset, *i.operands[place + 2 :])
    return instead(i, name, *operands)


BYTES_KEPT = {"u8": 0xFF, "u16": 0xFFFF}
EXTENSIONS = {
    "u8": ("cvt.s32.s8", "cvt.u32.u8", "cvt.u32.s8", "cvt.s32.u8"),
    "u16": ("cvt.s32.s16", "cvt.u32.u16", "cvt.u32.s16", "cvt.s32.u16"),
}


def stored_narrow(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """What is above the bytes that are stored need not be right."""
    kind = i.operation.name.rpartition(".")[2]
    address, offset, *values = i.operands
    for place, value in enumerate(values):
        found = c.origin(value, "and.b32", *EXTENSIONS[kind])
        if found is None:
            continue
        if found.operation.name == "and.b32":
            mask = found.operands[1]
            if isinstance(mask, str) or mask & BYTES_KEPT[kind] != BYTES_KEPT[kind]:
                continue
        values[place] = found.operands[0]
        return instead(i, i.operation.name, address, offset, *values)
    return None


# ── predicates ───────────────────────────────────────────────────────────────────────────────

COMPLEMENTS = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


@rule("not.pred")
def opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Compare the other way round; of floats the opposite of an ordered relation is unordered."""
    found = c.origin(i.operands[0])
    if found is None:
        return None
    name, *rest = found.operation.name.split(".")
    if name == "not":
        return instead(i, "mov.pred", found.operands[0])
    if name != "setp" or not c.is_read_once(i.operands[0]):
        return None
    relation = rest[0]
    is_float = rest[-1][0] == "f"
    if relation.removesuffix("u") not in COMPLEMENTS:
        return None
    other = COMPLEMENTS[relation.removesuffix("u")]
    if is_float and not relation.endswith("u"):
        other += "u"
    return instead(i, ".".join((name, other, *rest[1:])), *found.operands)


@rule("setp.ne.s32", "setp.eq.s32", "setp.ne.s16", "setp.eq.s16")
def test_of_boolean(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """(p ? 1 : 0) != 0 is p."""
    value, zero = i.operands
    found = c.origin(value, "selp.b32", "selp.b16")
    if found is None or zero != 0 or found.operands[:2] not in ((1, 0), (0, 1)):
        return None
    is_same = (".ne." in i.operation.name) == (found.operands[0] == 1)
    return instead(i, "mov.pred" if is_same else "not.pred", found.operands[2])


@rule("selp.b16", "selp.b32", "selp.b64")
def selected_by_opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    a, b, p = i.operands
    found = c.origin(p, "not.pred")
    return instead(i, i.operation.name, b, a, found.operands[0]) if found else None


@rule("bra")
def branch_on_opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    p, taken, otherwise = i.operands
    found = c.origin(p, "not.pred")
    return instead(i, "bra", found.operands[0], otherwise, taken) if found else None


def guarded_by_opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """For any row under a guard."""
    found = c.origin(i.guard.name, "not.pred")
    if found is None or not isinstance(found.operands[0], str):
        return None
    guard = Guard(found.operands[0], not i.guard.negated)
    return [_rewritten(i, i.operation, i.operands, guard)]
