"""Tokens of one printed line of LLVM IR, and a cursor that reads them.

`%x = add nsw i32 %a, 1` is local 'x', mark '=', word 'add', word 'nsw', word 'i32', local 'a',
mark ',', number '1'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | ;.*)
  | (?P<bytes>c"[^"]*")
  | (?P<text>"[^"]*")
  | (?P<local>%(?:[-\w$.]+|"[^"]*"))
  | (?P<global>@(?:[-\w$.]+|"[^"]*"))
  | (?P<metadata>!(?:"[^"]*"|[-\w$.\\]*))
  | (?P<group>\#[\w]+)
  | (?P<number>0x[KLMHR]?[0-9A-Fa-f]+ | [-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)
  | (?P<word>[A-Za-z_$.][-\w$.]*)
  | (?P<mark>[=,()\[\]{}<>*|:])
    """,
    re.VERBOSE | re.ASCII,
)
_ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")


class Unreadable(Exception):
    """The line is not in the form that is read; the message says what stands there."""


@dataclass(frozen=True, slots=True)
class Token:
    """`text` of a name is without its mark and quotes."""

    kind: str
    text: str

    def __str__(self) -> str:
        return "the end of the line" if self.kind == "end" else f"'{self.text}'"


_END = Token("end", "")


def unescape(text: str) -> bytes:
    r"""The bytes of a quoted text: `\0A` is one byte, 10, and two backslashes are one."""

    def byte(found: re.Match) -> bytes:
        return b"\\" if found[1] == b"\\" else bytes([int(found[1], 16)])

    return _ESCAPE.sub(byte, text.encode())


def bare(name: str) -> str:
    """A name as it is, of one that may be quoted."""
    return unescape(name[1:-1]).decode("utf-8", "replace") if name.startswith('"') else name


def tokenize(line: str) -> list[Token]:
    """The tokens of a line; raises Unreadable."""
    tokens, column = [], 0
    while column < len(line):
        match = _TOKEN.match(line, column)
        if match is None:
            raise Unreadable(f"unexpected character {line[column]!r}")
        column = match.end()
        kind, text = match.lastgroup, match.group()
        if kind == "space":
            continue
        if kind in ("local", "global"):
            text = text[1:]
            if text.startswith('"'):
                text = unescape(text[1:-1]).decode("utf-8", "replace")
        tokens.append(Token(kind, text))
    return tokens


class Cursor:
    """Reads the tokens of a line from left to right."""

    def __init__(self, line: str):
        self._tokens = tokenize(line)
        self._at = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else _END

    def take(self) -> Token:
        token = self.next
        self._at += 1
        return token

    def accept(self, text: str, kind: str = "mark") -> bool:
        """Take the next token if it is this one."""
        found = self.next.kind == kind and self.next.text == text
        self._at += found
        return found

    def accept_word(self, *words: str) -> str | None:
        """Take the next token if it is one of these words."""
        if self.next.kind == "word" and self.next.text in words:
            return self.take().text
        return None

    def expect(self, text: str) -> None:
        if not self.accept(text) and not self.accept(text, "word"):
            raise Unreadable(f"'{text}' expected, found {self.next}")

    def name(self, kind: str) -> str:
        """The name of a token that must be of this kind."""
        if self.next.kind != kind:
            raise Unreadable(f"a {kind} expected, found {self.next}")
        return self.take().text

    def number(self) -> int:
        return int(self.name("number"))

    def skip_brackets(self) -> str:
        """Take a bracket and all up to the one that closes it; their text."""
        taken = [self.take().text]
        depth = 1
        while depth:
            token = self.take()
            if token.kind == "end":
                raise Unreadable("a bracket is not closed")
            depth += token.kind == "mark" and token.text in "([{<"
            depth -= token.kind == "mark" and token.text in ")]}>"
            taken.append(token.text)
        return " ".join(taken)
