"""A line of a listing of nvdisasm or cuobjdump, decoded.

    /*0080*/  @!P0 IMAD.WIDE R2, R0.reuse, 0x4, R2 ;   /* 0x0000000400028825 */
                                                       /* 0x008fca00078e0202 */

is operation IMAD, modifiers (WIDE,), guard '!P0', operands R2, R0, 0x4, R2 of which the second
stays in the reuse cache, and of the control bits: stall 5, no yield, waits for counter 3.  They
stand in bits 105 to 125 of the 128, as of all chips from Volta on (Jia et al., *Dissecting the
NVIDIA Volta GPU Architecture via Microbenchmarking*, 2018, 2.1):

    105-108 stall | 109 no yield | 110-112 counter set when the result is there (7: none) |
    113-115 counter set when the operands are read | 116-121 counters waited for | 122-125 reuse
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

NO_COUNTER = 7
_LINE = re.compile(r"\s*/\*(?P<at>[0-9a-f]{4,})\*/\s+(?P<text>.*?)\s*;\s*/\* (?P<bits>0x[0-9a-f]+)")
_SECOND = re.compile(r"\s*/\* (0x[0-9a-f]{16}) \*/\s*$")
_LABEL = re.compile(r"(?:\.text\.)?(?P<name>[\w.$]+):\s*$")
_SOURCE = re.compile(r'\s*//## File "(?P<file>[^"]*)", line (?P<line>\d+)')
_GUARD = re.compile(r"@(!?U?P\w+)\s+")
_TARGET = re.compile(r"^`\(([\w.$]+)\)$|^(0x[0-9a-f]+)$")
TRANSFERS = ("BRA", "BRX", "JMP", "JMX", "CALL", "RET", "EXIT", "BSSY", "KILL", "BPT")
"""Operations of which the last operand may be a place in the code."""


@dataclass(frozen=True, slots=True)
class Control:
    """The control bits: cycles until the warp's next instruction; whether another warp should be
    preferred; the counters that are set when the result is there (`writes`) and when the operands
    have been read (`reads`), None for none; those waited for; the operands that stay cached."""

    stall: int
    yields: bool
    writes: int | None
    reads: int | None
    waits: tuple[int, ...]
    reuse: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    at      its place in the section in bytes
    target  the place or label that it may go on at, as it is written
    source  (file, line) that it was compiled from, None if the listing says none
    labels  that stand before it
    """

    at: int
    operation: str
    modifiers: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str | None
    control: Control
    target: str | None = None
    source: tuple[str, int] | None = None
    labels: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """With its modifiers: 'IMAD.WIDE.U32'."""
        return ".".join((self.operation, *self.modifiers))

    def __str__(self) -> str:
        guard = f"@{self.guard} " if self.guard else ""
        return f"{guard}{self.name} {', '.join(self.operands)}".rstrip()


def decode(listing: Iterable[str]) -> Iterator[Instruction]:
    """The instructions of a section's listing, padding behind the last one included."""
    source: tuple[str, int] | None = None
    labels: list[str] = []
    pending: re.Match[str] | None = None
    for line in listing:
        if found := _SOURCE.match(line):
            source = found["file"], int(found["line"])
        elif found := _LABEL.match(line):
            labels.append(found["name"])
        elif found := _LINE.match(line):
            pending = found
        elif pending and (second := _SECOND.match(line)):
            bits = int(pending["bits"], 16) | int(second[1], 16) << 64
            yield _instruction(pending, bits, source, tuple(labels))
            pending, labels = None, []


def control_of(bits: int) -> Control:
    """Of an instruction's 128 bits."""
    word = bits >> 105
    writes, reads = word >> 5 & 7, word >> 8 & 7
    return Control(
        stall=word & 15,
        yields=not word >> 4 & 1,
        writes=None if writes == NO_COUNTER else writes,
        reads=None if reads == NO_COUNTER else reads,
        waits=tuple(k for k in range(6) if word >> 11 + k & 1),
        reuse=word >> 17 & 15,
    )


def _instruction(
    line: re.Match[str], bits: int, source: tuple[str, int] | None, labels: tuple[str, ...]
) -> Instruction:
    text, guard = line["text"], None
    if found := _GUARD.match(text):
        guard, text = found[1], text[found.end() :]
    name, _, rest = text.partition(" ")
    operation, *modifiers = name.split(".")
    operands = tuple(part.strip() for part in _split(rest)) if rest.strip() else ()
    target = None
    if operation in TRANSFERS and operands and (found := _TARGET.match(operands[-1])):
        target = found[1] or found[2]
    place = int(line["at"], 16)
    return Instruction(
        place,
        operation,
        tuple(modifiers),
        operands,
        guard,
        control_of(bits),
        target,
        source,
        labels,
    )


def _split(text: str) -> Iterator[str]:
    """At commas outside brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]
