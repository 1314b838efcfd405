"""Tokens of the text form of graphs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from machines.diagnostics import Location, input_error

LONGEST = 200
"""Characters of a word: no name, number or operation needs more, and `each.each.…` ends here."""

_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | \#.*)
  | (?P<arrow>->)
  | (?P<number>-?(?:0[xX][0-9a-fA-F]+ | (?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) | -inf\b)
  | (?P<name>[A-Za-z_][\w.]* | /+[A-Za-z_][\w.]*/+)
  | (?P<function>@(?:[A-Za-z_][\w.]*|/+[A-Za-z_][\w.]*/+))
  | (?P<mark>[:,=()\[\]{}])
    """,
    re.VERBOSE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is 'name', 'function' (a name behind '@'), 'number', 'end', or the mark itself; `inf`
    and `nan` are names, for parameters may be called so."""

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
                message = f"unexpected character {line[column]!r}"
                hint = None if line[column].isascii() else "names are made of A-Z, a-z, 0-9, '_.'"
                raise input_error(message, location, source=text, hint=hint)
            kind, word, column = match.lastgroup, match.group(), match.end()
            if kind == "space":
                continue
            if length > LONGEST:
                message = f"a word of {length} characters"
                hint = f"the longest have {LONGEST}"
                raise input_error(message, location, source=text, hint=hint)
            tokens.append(Token(word if kind in ("mark", "arrow") else kind, word, location))
    last = lines[-1] if lines else ""
    tokens.append(Token("end", "", Location(file, max(1, len(lines)), len(last) + 1)))
    return tokens
