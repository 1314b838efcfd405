"""What a program printed, as its memory has it.

A program prints into two buffers: the text is in `stdout_text`, and how long it is, also beyond the
end of that buffer, in `stdout_length` (an i64).  The C library that C programs are given does so;
a program in any other language may, too.  A kind whose programs print otherwise says so by its
`Bound`.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from machines.layout import Memory

TEXT, LENGTH = "stdout_text", "stdout_length"


@dataclass(frozen=True)
class Printed:
    """A text, and how many bytes more were printed than the buffer has room for."""

    text: str
    lost: int = 0


def prints(buffers: Container[str]) -> bool:
    """Whether a program with buffers of these names prints."""
    return TEXT in buffers and LENGTH in buffers


def printed(memory: Memory) -> Printed:
    """What stands in the memory of a run as printed."""
    held = memory.view(TEXT)
    length = int.from_bytes(memory.view(LENGTH)[:8].tobytes(), "little")
    text = held[: min(length, len(held))].tobytes().decode("utf-8", "backslashreplace")
    return Printed(text, max(0, length - len(held)))
