"""Words, numbers, strings and marks of a PTX text.

    ld.global.f32 %f1, [%rd1+-4];  ->  word ld.global.f32 · word %f1 · , · [ · word %rd1 · + · …

An instruction with its modifiers is one word, and so is '%tid.x'; '.reg.b32' are two.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from compiler.frontends.ptx.findings import Findings, Refused

LONGEST_NUMBER = 80
"""Characters; the longest that fits is 0b and 64 digits."""
WORD, NUMBER, STRING, MARK, END = "word", "number", "string", "mark", "end"

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*(?s:.*?)\*/)
    |(?P<open_comment>/\*)
    |(?P<number>(?:0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?|0[bB][01]+U?
        |\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+U?)(?![\w$.]))
    |(?P<bad_number>\d[\w$.]*)
    |(?P<word>\.[\w$]+(?:::\w+)*|(?:[A-Za-z_$]|%(?=[\w$]))[\w$.]*(?:::[\w.]+)*)
    |(?P<string>"[^"\n]*")
    |(?P<mark>[{}()\[\],;:+\-|@!<>=~*/%^&?])
    |(?P<bad>.)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """`at` is where it stands in the text."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Real:
    """A floating literal: its bits, and how many (0f…: 32; 0d… and decimal ones: 64)."""

    bits: int
    width: int

    @property
    def value(self) -> float:
        """As a Python float (a NaN loses its payload)."""
        code = "<f" if self.width == 32 else "<d"
        return struct.unpack(code, self.bits.to_bytes(self.width // 8, "little"))[0]


def tokens_of(findings: Findings) -> list[Token]:
    """The tokens of the source, and one of kind END; what is none is reported and left out."""
    text, found = findings.source.text, []
    for match in _TOKEN.finditer(text):
        kind, at = match.lastgroup, match.start()
        if kind == "space":
            continue
        if kind == NUMBER and len(match[0]) > LONGEST_NUMBER:
            kind = "bad_number"
        if kind in (WORD, NUMBER, STRING, MARK):
            found.append(Token(kind, match[0], at))
        elif kind == "open_comment":
            findings.add(Refused("this comment has no end", "close it with */"), at, 2)
            break
        elif kind == "bad_number":
            hint = "0x1F, 42, 1.5, 0f3F800000 (f32), 0d3FF0000000000000 (f64) are numbers"
            written = match[0][:LONGEST_NUMBER]
            findings.add(Refused(f"'{written}' is no number", hint), at, len(match[0]))
            found.append(Token(NUMBER, "0", at))
        else:
            findings.add(Refused(f"'{match[0]}' has no meaning in PTX"), at)
    found.append(Token(END, "end of file", len(text)))
    return found


def number_of(text: str) -> int | Real:
    """The value of a literal.

    >>> number_of("0x1F"), number_of("017"), number_of("0f3F800000").value
    (31, 15, 1.0)
    """
    head = text[:2].lower()
    if head == "0f":
        return Real(int(text[2:], 16), 32)
    if head == "0d":
        return Real(int(text[2:], 16), 64)
    plain = text.rstrip("U")
    if head in ("0x", "0b"):
        return int(plain, 0)
    if "." in plain or "e" in plain.lower():
        bits = struct.unpack("<q", struct.pack("<d", float(plain)))[0]
        return Real(bits & 0xFFFF_FFFF_FFFF_FFFF, 64)
    is_octal = len(plain) > 1 and plain[0] == "0" and set(plain) <= set("01234567")
    return int(plain, 8 if is_octal else 10)
