"""Register names of GNU as: the files, their aliases, the frame and the rotating names.

alloc r2 = ar.pfs, 2, 3, 1, 8      in0 in1 loc0 loc1 loc2 out0 are r32 … r37
.rotr a[3], b[2]                   a[0] … a[2] are r32 … r34, b[0] and b[1] r35 and r36
total = r14                        total is r14
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

COUNTS = {"r": ("gr", 128), "f": ("fr", 128), "p": ("pr", 64), "b": ("br", 8)}
FIRST_STACKED, STACKED = 32, 96
ROTATING = {"r": (32, 96), "f": (32, 96), "p": (16, 48)}
"""First rotating register and how many there are (of the general ones: at most)."""
_NUMBERED = re.compile(r"([rfpb])(\d+)\Z")
_FRAMED = re.compile(r"(in|loc|out)(\d+)\Z")

Register = tuple[str, int]
"""A register file ('gr') and a number."""

ALIASES = {
    "gp": ("gr", 1), "sp": ("gr", 12), "tp": ("gr", 13), "rp": ("br", 0),
    **{f"ret{n}": ("gr", 8 + n) for n in range(4)},
    **{f"farg{n}": ("fr", 8 + n) for n in range(8)},
    **{f"fret{n}": ("fr", 8 + n) for n in range(8)},
}  # fmt: skip

APPLICATION_ALIASES = {
    "ar32": "ar.ccv", "ar40": "ar.fpsr", "ar64": "ar.pfs", "ar65": "ar.lc", "ar66": "ar.ec",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """The stacked registers as the last `alloc` or `.regstk` divides them."""

    inputs: int = 0
    locals: int = 0
    outputs: int = 0
    rotating: int = 0

    def register(self, name: str) -> Register | None:
        """The register `in2`, `loc0` or `out1`; None if it is no such name or outside the frame."""
        match = _FRAMED.match(name)
        if not match:
            return None
        part, number = match.group(1), int(match.group(2))
        first = {"in": 0, "loc": self.inputs, "out": self.inputs + self.locals}[part]
        size = {"in": self.inputs, "loc": self.locals, "out": self.outputs}[part]
        return ("gr", FIRST_STACKED + first + number) if number < size else None


@dataclass(frozen=True, slots=True)
class RegisterNames:
    """What register names mean from some statement on.

    frame     of in0, loc0, out0, …
    rotating  of `.rotr`, `.rotf`, `.rotp`: a name -> letter, first register, how many
    equal     of `name = r14`
    """

    frame: Frame = Frame()
    rotating: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)
    equal: Mapping[str, Register] = field(default_factory=dict)

    def find(self, name: str) -> Register | None:
        """The register of a name, None if it is none."""
        if match := _NUMBERED.match(name):
            file, count = COUNTS[match.group(1)]
            number = int(match.group(2))
            if number < count and match.group(2) == str(number):  # r01 and r128 are free names
                return file, number
        return ALIASES.get(name) or self.equal.get(name) or self.frame.register(name)


def is_frame_name(name: str) -> bool:
    return _FRAMED.match(name) is not None
