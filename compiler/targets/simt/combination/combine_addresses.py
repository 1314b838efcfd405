"""Rules for accesses to memory: see `combining`.

add.s64       %q, %p, 16
ld.global.b32 %x, [%q+8]      ->     ld.global.b32 %x, [%p+24]
"""

from __future__ import annotations

from compiler.ir.module import Instruction, Value
from compiler.targets.simt.combination.combining import Combiner, either_way, instead, signed
from machines.operations.row import Access
from machines.threads.spaces import LOCAL_BASE, SHARED_BASE

OFFSETS = range(-(1 << 31), 1 << 31)
WINDOWS = {SHARED_BASE: "shared", LOCAL_BASE: "local"}


def address_rule(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Constants that are added to an address go into the row's offset; a generic address that is
    made of one of shared or local memory becomes that again.

    An access that stays in its space is the same in both.
    """
    for access in i.operation.accesses:
        if access.offset is not None and (found := _moved_into(c, i, access)):
            return found
    return None


def _moved_into(c: Combiner, i: Instruction, access: Access) -> list[Instruction] | None:
    """The same for one of its accesses."""
    names = [operand.name for operand in i.operation.reads]
    where = names.index(access.address), names.index(access.offset)
    address, offset = (i.operands[position] for position in where)
    found = c.origin(address, "add.s64", "add.s32")
    if found is None:
        return None
    for value, constant in either_way(found):
        if isinstance(constant, str) or not isinstance(value, str):
            continue
        narrow = c.origin(value, "cvt.u64.u32")
        space = WINDOWS.get(constant)
        if access.space == "generic" and space and narrow is not None:
            name = i.operation.name.replace("generic", space)
            if space == "local" and access.kind == "load_store":
                return None
            return _with_operands(i, name, where, narrow.operands[0], offset)
        bits = int(found.operation.name[-2:])
        moved = offset + signed(constant, bits)
        if moved in OFFSETS and constant not in WINDOWS:
            return _with_operands(i, i.operation.name, where, value, moved)
    return None


def _with_operands(
    i: Instruction, name: str, where: tuple[int, ...], *values: Value
) -> list[Instruction]:
    """A row with other operands at some positions."""
    operands = dict(enumerate(i.operands)) | dict(zip(where, values, strict=True))
    return instead(i, name, *operands.values())


STORED = {1: "u8", 2: "u16"}
"""The type of a narrow store by its bytes."""
BYTES_KEPT = {"u8": 0xFF, "u16": 0xFFFF}
EXTENSIONS = {
    "u8": ("cvt.s32.s8", "cvt.u32.u8", "cvt.u32.s8", "cvt.s32.u8"),
    "u16": ("cvt.s32.s16", "cvt.u32.u16", "cvt.u32.s16", "cvt.s32.u16"),
}


def stored_narrow(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """What is above the bytes that are stored need not be right."""
    kind = STORED[i.operation.access.bytes]
    address, offset, *values = i.operands
    for index, value in enumerate(values):
        found = c.origin(value, "and.b32", *EXTENSIONS[kind])
        if found is None:
            continue
        if found.operation.name == "and.b32":
            mask = found.operands[1]
            if isinstance(mask, str) or mask & BYTES_KEPT[kind] != BYTES_KEPT[kind]:
                continue
        values[index] = found.operands[0]
        return instead(i, i.operation.name, address, offset, *values)
    return None
