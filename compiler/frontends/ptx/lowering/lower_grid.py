"""Where the blocks of a grid meet: what %envreg1 and %envreg2 hold of a cooperative launch.

    mov.u32 %r1, %envreg2;     ->     the low half of the address of the launch's word

The two are the halves of an address behind which, from byte 4 on, is a word that code of
cooperative groups counts in: every launch has its own, cleared when the program begins and left by
each barrier with the count it found.
"""

from __future__ import annotations

from compiler.frontends.ptx.lowering.operands import Context
from compiler.ir.module import Buffer
from machines.types import I32, I64

GRID_REGISTERS = {"envreg1": 1, "envreg2": 0}
"""Special registers -> which half of the address they hold."""
MEETINGS = 128
"""Launches that may be under way at once, of which each has its own word."""
_BUFFER, _BYTES = "cooperative_grids", 8


def meeting_buffer() -> Buffer:
    """Where the words are."""
    return Buffer(_BUFFER, I64, MEETINGS, alignment=_BYTES)


def grid_register(context: Context, name: str) -> str:
    """What a register of `GRID_REGISTERS` holds; the kernel's blocks have to be resident then."""
    code = context.code
    context.kernel.layout.frame.meets = True
    launch = code.compute("cvt.u32.u64", I32, code.compute("mov.gridid", I64))
    slot = code.compute("and.b32", I32, launch, MEETINGS - 1)
    words = code.compute("mov.address", I64, _BUFFER)
    address = code.compute("mad.wide.u32", I64, slot, _BYTES, words)
    if GRID_REGISTERS[name]:
        address = code.compute("shr.u64", I64, address, 32)
    return code.compute("cvt.u32.u64", I32, address)
