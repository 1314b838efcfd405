"""Rules for accesses to memory: see `combining`.

add.s64       %q, %p, 16
ld.global.b32 %x, [%q+8]      ->     ld.global.b32 %x, [%p+24]
"""

from __future__ import annotations

from compiler.ir.module import Instruction, Value
from compiler.targets.simt.combination.combining import Combiner, either_way, instead, signed
from machines.threads.spaces import LOCAL_BASE, SHARED_BASE

OFFSETS = range(-(1 << 31), 1 << 31)
WINDOWS = {SHARED_BASE: "shared", LOCAL_BASE: "local"}


def address_rule(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Constants that are added to an address go into the row's offset; a generic address that is
    made of one of shared or local memory becomes that again.

    An access that stays in its space is the same in both.
    """
    index = next(k for k, o in enumerate(i.operation.reads) if o.name == "address")
    address, offset = i.operands[index : index + 2]
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
            return _with_address(i, name, index, narrow.operands[0], offset)
        bits = int(found.operation.name[-2:])
        moved = offset + signed(constant, bits)
        if moved in OFFSETS and constant not in WINDOWS:
            return _with_address(i, i.operation.name, index, value, moved)
    return None


def _with_address(
    i: Instruction, name: str, index: int, address: Value, offset: int
) -> list[Instruction]:
    operands = (*i.operands[:index], address, offset, *i.operands[index + 2 :])
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
