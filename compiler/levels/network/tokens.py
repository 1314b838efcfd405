"""Tokens of the text form of networks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from machines.diagnostics import Location, input_error

LONGEST = 1000
"""Characters of a word; names of layers are long, where tools make them of paths."""

_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | \#.*)
  | (?P<arrow>->)
  | (?P<number>[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf\b))
  | (?P<name>[A-Za-z_][\w.]*)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<mark>[:,=()\[\]{}@])
    """,
    re.VERBOSE | re.ASCII,
)
NAME = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
"""Names that need no quotes."""


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is 'name', 'number', 'string', 'end', or the mark itself."""

    kind: str
    text: str
    location: Location

    def __str__(self) -> str:
        return "the end of the file" if self.kind == "end" else f"'{self.text}'"


def tokenize(text: str, file: str) -> list[Token]:
    """All tokens, then one of kind 'end'; raises InputError.  Lines mean nothing."""
    tokens: list[Token] = []
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        column = 0
        while column < len(line):
            match = _TOKEN.match(line, column)
            length = match.end() - column if match else 1
            location = Location(file, number, column + 1, length)
            if match is None:
                is_open = line[column] == '"'
                message = "a text that does not end" if is_open else None
                message = message or f"unexpected character {line[column]!r}"
                hint = "write '\"' at its end, on the same line" if is_open else None
                hint = hint or "names with other characters than A-Z, a-z, 0-9, '_.' stand in '\"'"
                raise input_error(message, location, source=text, hint=hint)
            kind, word, column = match.lastgroup, match.group(), match.end()
            if kind == "space":
                continue
            if length > LONGEST:
                message, hint = f"a word of {length} characters", f"the longest have {LONGEST}"
                raise input_error(message, location, source=text, hint=hint)
            tokens.append(Token(word if kind in ("mark", "arrow") else kind, word, location))
    last = lines[-1] if lines else ""
    tokens.append(Token("end", "", Location(file, max(1, len(lines)), len(last) + 1)))
    return tokens
