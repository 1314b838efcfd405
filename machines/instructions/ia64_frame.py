"""The current frame marker: how the stacked registers are divided and how far registers rotated.

One number holds it, as it stands in the low bits of ar.pfs after a call:

    bits    6-0   size of the frame: registers r32 … that the function may use
           13-7   size of its locals (inputs included), where a callee's frame begins
          17-14   size of the rotating region, in eights
          24-18   how far general registers have rotated, as a register number that is added
          31-25   the same of floating registers
          37-32   the same of predicates

    alloc r34 = ar.pfs, 2, 3, 4, 8      # 2 inputs, 3 locals, 4 outputs, 8 rotate
    # size 9, locals 5, rotating 1 (eight): 0x4289; r34 keeps the caller's
"""

from __future__ import annotations

from typing import NamedTuple

SIZE_BITS, ROTATED_SHIFT, FRAME_BITS = 18, 18, 38
"""Bits that say sizes; where rotation begins; bits in all."""
SIZES = (1 << SIZE_BITS) - 1
GENERAL_SHIFT, FLOATING_SHIFT, PREDICATE_SHIFT = 18, 25, 32
LOCALS_SHIFT, REGION_SHIFT, REGION_UNIT = 7, 14, 8
NUMBER_MASK, REGION_MASK, PREDICATE_MASK = 127, 15, 63
EPILOGUE_SHIFT = 52
"""Where ar.pfs keeps ar.ec."""

ILLEGAL_FRAME = "illegal frame"
OUTSIDE_FRAME = "register outside the frame"
STACK_FULL = "register stack full"
STACK_EMPTY = "register stack empty"
"""Faults of the register stack: sizes that contradict each other or the registers; a register that
the frame does not have; more registers than the backing store holds; a return to a frame before the
program's."""


class Frame(NamedTuple):
    """A frame marker taken apart: registers, and how far each file has rotated."""

    size: int
    locals: int
    rotating: int
    general: int = 0
    floating: int = 0
    predicate: int = 0

    @classmethod
    def of(cls, marker: int) -> Frame:
        """The frame that a number says."""
        return cls(
            marker & NUMBER_MASK,
            marker >> LOCALS_SHIFT & NUMBER_MASK,
            (marker >> REGION_SHIFT & REGION_MASK) * REGION_UNIT,
            marker >> GENERAL_SHIFT & NUMBER_MASK,
            marker >> FLOATING_SHIFT & NUMBER_MASK,
            marker >> PREDICATE_SHIFT & PREDICATE_MASK,
        )

    @property
    def marker(self) -> int:
        """The number that says this frame."""
        return (
            self.size
            | self.locals << LOCALS_SHIFT
            | self.rotating // REGION_UNIT << REGION_SHIFT
            | self.general << GENERAL_SHIFT
            | self.floating << FLOATING_SHIFT
            | self.predicate << PREDICATE_SHIFT
        )

    def is_legal(self, most: int) -> bool:
        """Whether the sizes agree with each other; a frame has `most` registers at most."""
        return self.size <= most and self.locals <= self.size and self.rotating <= self.size
