"""Register names of GNU as: the files, their aliases, and the frame that `alloc` names."""

from __future__ import annotations

import re
from dataclasses import dataclass

COUNTS = {"r": ("gr", 128), "f": ("fr", 128), "p": ("pr", 64), "b": ("br", 8)}
FIRST_STACKED, STACKED = 32, 96
_NUMBERED = re.compile(r"([rfpb])(\d+)\Z")
_FRAMED = re.compile(r"(in|loc|out)(\d+)\Z")

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
    """The stacked registers as the last `alloc` divides them."""

    inputs: int = 0
    locals: int = 0
    outputs: int = 0

    def register(self, name: str) -> tuple[str, int] | None:
        """The register `in2`, `loc0` or `out1`; None if it is no such name or outside the frame."""
        match = _FRAMED.match(name)
        if not match:
            return None
        part, number = match.group(1), int(match.group(2))
        first = {"in": 0, "loc": self.inputs, "out": self.inputs + self.locals}[part]
        size = {"in": self.inputs, "loc": self.locals, "out": self.outputs}[part]
        return ("gr", FIRST_STACKED + first + number) if number < size else None


def is_frame_name(name: str) -> bool:
    return _FRAMED.match(name) is not None


def register(name: str, frame: Frame) -> tuple[str, int] | None:
    """(file, number) of a register name, None if it is none."""
    if match := _NUMBERED.match(name):
        file, count = COUNTS[match.group(1)]
        number = int(match.group(2))
        canonical = match.group(2) == str(number)
        return (file, number) if number < count and canonical else None
    return ALIASES.get(name) or frame.register(name)
