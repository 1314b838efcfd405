"""Moves between a register of 64 bits and its halves, which cost nothing where they are in place.

    mov.unpack.b64 %l, %h, %d      low and high are halves of %d
    cvt.u32.u64    %l, %d          %l is the low half
    cvt.s64.s32    %d, %l          %l is the low half; the high one is made of it

The hardware has no pairs but neighbouring registers, so that the allocator gives halves those of
their pair where it can (`registers.colouring`), and `write_halves` leaves out what is there.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.module import Instruction, Value

PACK, UNPACK = "mov.pack.b64", "mov.unpack.b64"
NARROW, WIDE = ("u32", "s32"), ("u64", "s64")
LOW_OF = tuple(f"cvt.{narrow}.{wide}" for narrow in NARROW for wide in WIDE)
"""Rows whose result is the low half of what they read."""
EXTENDED = {f"cvt.{wide}.{narrow}": narrow == "s32" for narrow in NARROW for wide in WIDE}
"""Rows that read the low half of their result -> whether the high one is its sign."""
LOW, HIGH = 0, 1


def parts(i: Instruction) -> Iterator[tuple[Value, Value, int]]:
    """(pair, half, LOW or HIGH) of the registers that a row names, as long as it is a move."""
    name = i.operation.name
    if name == PACK:
        yield i.results[0], i.operands[0], LOW
        yield i.results[0], i.operands[1], HIGH
    elif name == UNPACK:
        yield i.operands[0], i.results[0], LOW
        yield i.operands[0], i.results[1], HIGH
    elif name in LOW_OF:
        yield i.operands[0], i.results[0], LOW
    elif name in EXTENDED:
        yield i.results[0], i.operands[0], LOW
