"""Data sections: every label begins a buffer that ends at the next label.

        .data
    a:  data1 1          a  offset 0, 1 byte
    b:  data8 2          b  offset 1, 15 bytes: as aligns what follows the label, not the label

Buffers lie in their section as GNU as and ld lay them out, so that what lies behind a label is
reached from the address of the one before.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compiler.frontends.ia64.expressions import ExpressionError, Values, evaluate
from compiler.frontends.ia64.statements import Statement
from machines.layout import WRITTEN_BYTES
from machines.program import ProgramBuffer
from machines.types import F32, F64, I8, I16, I32, I64, Type

INTEGERS = {
    "data1": I8, "data2": I16, "data4": I32, "data8": I64,
    "data2.ua": I16, "data4.ua": I32, "data8.ua": I64,
    ".byte": I8, ".2byte": I16, ".short": I16, ".hword": I16, ".4byte": I32, ".int": I32,
    ".long": I32, ".8byte": I64, ".quad": I64,
}  # fmt: skip
FLOATS = {
    "real4": F32, "real8": F64, "real4.ua": F32, "real8.ua": F64,
    ".float": F32, ".single": F32, ".double": F64,
}  # fmt: skip
STRINGS = ("string", "stringz", ".string", ".asciz", ".ascii")
SPACE = (".skip", ".space", ".zero")
ALIGN = ".align"
COMMON = (".comm", ".common", ".lcomm")
COMMON_SECTION = "COMMON"
STACK_SECTION = ".stack"
TABLES = ".text"
LINKAGE_SECTION = ".got"
ALIGNED = (*(name for name in INTEGERS if not name.endswith(".ua")), "real4", "real8")
"""Directives that align what they put."""
_NAME = re.compile(r"(?<![\w.$'@])[A-Za-z_.$][\w.$]*")
_ITEM = re.compile(r'\s*"(?:\\.|[^"\\])*"|[^,]+')
_ESCAPE = re.compile(rb"\\([xX][0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f"}


@dataclass(frozen=True)
class LateNumber:
    """A number at an offset; `constants` are those of its location in the text."""

    offset: int
    type: Type
    text: str
    constants: Mapping[str, int]
    statement: Statement | None = None


@dataclass
class DataBuffer:
    """A buffer while its data is read; what comes next begins at a multiple of `alignment`.

    late      numbers that labels decide, which stand only when the text has been read
    section   where it lies, with the number of the subsection
    start     its offset there, in bytes
    aligned   to what number of bytes that is
    largest   the largest alignment in the section so far
    """

    name: str
    data: bytearray = field(default_factory=bytearray)
    types: set[Type] = field(default_factory=set)
    alignment: int = 1
    late: list[LateNumber] = field(default_factory=list)
    section: tuple[str, int] = (TABLES, 0)
    start: int = 0
    aligned: int = 1
    largest: int = 1

    def following(self, name: str) -> DataBuffer:
        """The buffer that a label begins behind this one."""
        start = self.start + len(self.data)
        start += -start % self.alignment
        return DataBuffer(
            name,
            section=self.section,
            start=start,
            aligned=self.alignment,
            largest=self.largest,
        )

    @property
    def place(self) -> tuple[tuple[str, int], int]:
        """The section and the offset there."""
        return self.section, self.start

    def finished(self) -> ProgramBuffer:
        """All of one type: elements of that type; otherwise bytes."""
        t = next(iter(self.types)) if len(self.types) == 1 else I8
        if len(self.data) % t.bytes:
            t = I8
        content = bytes(self.data) if any(self.data) else None
        section = linked_section(self.section[0])
        return ProgramBuffer(
            self.name, t, len(self.data) // t.bytes, content, self.aligned, section
        )

    def write(self, late: LateNumber, value: int) -> None:
        """Write a number at its offset; raises ExpressionError."""
        data = _integer(value, late.type)
        self.data[late.offset : late.offset + len(data)] = data


def finished(buffers: Iterable[DataBuffer]) -> list[ProgramBuffer]:
    """The buffers in the order in which a linker puts their sections; the first of each has the
    section's alignment."""
    by_section: dict[tuple[str, int], list[DataBuffer]] = {}
    for buffer in buffers:
        by_section.setdefault(buffer.section, []).append(buffer)
    ordered = []
    names = list(dict.fromkeys(name for name, _ in by_section))
    for section in sorted(by_section, key=lambda one: (_rank(one[0]), names.index(one[0]), one[1])):
        own = by_section[section]
        own[0].aligned = max(own[-1].largest, own[0].aligned)
        ordered += own
    return [buffer.finished() for buffer in ordered]


def linked_section(name: str) -> str:
    """Of `machines.layout.SECTIONS` that into which a linker puts a section."""
    if name in (STACK_SECTION, TABLES) or name.startswith(".rodata"):
        return "stack" if name == STACK_SECTION else "rodata"
    return "bss" if name.startswith((".bss", ".sbss")) or name == COMMON_SECTION else "data"


def _rank(name: str) -> int:
    """Sections of small data stand at the border of data and zeros, what is common at the end."""
    return {".sdata": 1, LINKAGE_SECTION: 2, ".sbss": -1, COMMON_SECTION: 1}.get(name, 0)


def is_data(directive: str) -> bool:
    """Whether a directive puts something into a data section."""
    return directive in INTEGERS or directive in FLOATS or directive in (*STRINGS, *SPACE, ALIGN)


def append(
    buffer: DataBuffer,
    directive: str,
    text: str,
    constants: Mapping[str, int],
    room: int,
    statement: Statement,
) -> None:
    """Append what a data directive says, gaps of at most `room` bytes; raises ExpressionError."""
    if directive == ALIGN:
        alignment = _bounded(text, constants, "an alignment", room) or 1
        buffer.alignment = max(buffer.alignment, alignment)
        buffer.largest = max(buffer.largest, alignment)
        return
    t = INTEGERS.get(directive) or FLOATS.get(directive)
    if t and directive in ALIGNED:
        buffer.alignment = max(buffer.alignment, t.bytes)
        buffer.largest = max(buffer.largest, t.bytes)
    buffer.data += bytes(-(buffer.start + len(buffer.data)) % buffer.alignment)
    buffer.alignment = 1
    if directive in STRINGS:
        for item in _ITEM.findall(text):
            buffer.data += _string(item.strip())
            if directive not in (".ascii", "string"):
                buffer.data.append(0)
        buffer.types.add(I8)
    elif directive in SPACE:
        buffer.data += bytes(_bounded(text, constants, "a size", room))
    else:
        for item in text.split(","):
            if t.is_integer and _names_a_label(item, constants):
                buffer.late.append(LateNumber(len(buffer.data), t, item, constants, statement))
                item = "0"
            buffer.data += _number(item.strip(), t, constants)
        buffer.types.add(t)


def _names_a_label(text: str, constants: Mapping[str, int]) -> bool:
    """Whether there is a name in an expression that is no constant, nor one of another kind."""
    names = _NAME.findall(text)
    return any(name not in constants for name in names)


def _bounded(text: str, constants: Mapping[str, int], what: str, room: int) -> int:
    value = evaluate(text.split(",")[0], constants)
    if not 0 <= value <= room:
        limit = f"{room}, which is left of {WRITTEN_BYTES >> 20} MiB"
        raise ExpressionError(f"{value} is not {what} between 0 and {limit}")
    return value


def _number(text: str, t: Type, constants: Values) -> bytes:
    if t.is_float:
        try:
            return struct.pack("<f" if t is F32 else "<d", float(text))
        except (ValueError, OverflowError):
            raise ExpressionError(f"'{text}' is not a number of type {t}") from None
    return _integer(evaluate(text, constants), t)


def _integer(value: int, t: Type) -> bytes:
    if not -(1 << (t.bits - 1)) <= value < 1 << t.bits:
        raise ExpressionError(f"{value} does not fit {t.bits} bits")
    return (value & ((1 << t.bits) - 1)).to_bytes(t.bytes, "little")


def _string(text: str) -> bytes:
    """The bytes between the quotes, as GNU as has them: a character stands for its UTF-8 bytes, a
    number for its lowest 8 bits; of `\\x41` all hexadecimal digits count."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise ExpressionError(f"expected a string in double quotes, not '{text}'")

    def unescaped(match: re.Match) -> bytes:
        code = match.group(1)
        if code[:1] in b"xX" and len(code) > 1:
            return bytes([int(code[1:], 16) & 0xFF])
        return bytes([int(code, 8) & 0xFF]) if code[0] in b"01234567" else _ESCAPES.get(code, code)

    return _ESCAPE.sub(unescaped, text[1:-1].encode())
