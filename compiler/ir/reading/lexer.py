"""Tokens of the text form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from machines.diagnostics import Diagnostic, Location, diagnostic

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+ | (?:\#|//).*)
  | (?P<arrow>->)
  | (?P<number>-?(?:0[xX](?!_)[0-9a-fA-F_]+ | (?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) | -inf\b)
  | (?P<name>[A-Za-z_$][\w.$]*)
  | (?P<register>%!?[\w.$]+)
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<mark>[@!:,=()\[\]{}+*/%-])
    """,
    re.VERBOSE | re.ASCII,
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_NAMES = "names are made of A-Z, a-z, 0-9, '_', '.' and '$'"
_RESTART = re.compile(r"\s*(func\b|(jump|branch|return)(\s|$)|\}|[\w.$]+:\s*$)")
"""Lines at which a bracket that was never closed is given up, so that the rest is still read."""
_FLOAT_WORDS = ("inf", "nan")
_LONGEST_NUMBER = 2000
"""More characters than the longest floating number has digits."""
RESERVED = frozenset({*_FLOAT_WORDS, "else", "opaque", "true", "false", "func", "in", "zeros"})
"""Words that no variable, block, buffer or function may be called."""


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is 'name', 'register', 'number', 'text', 'newline', 'end', or the mark itself (`->`
    included)."""

    kind: str
    text: str
    location: Location

    def __str__(self) -> str:
        return {"newline": "the end of the line", "end": "the end of the file"}.get(
            self.kind, f"'{self.text}'"
        )


def number_of(token: Token) -> int | float:
    """What a token of kind 'number' says: a whole number has neither point nor exponent."""
    text = token.text.replace("_", "").lower()
    if "x" in text:
        return int(text, 16)
    return int(text) if text.lstrip("-").isdigit() else float(text)


def tokenize(text: str, file: str) -> tuple[list[Token], list[Diagnostic]]:
    """All tokens, then one of kind 'end'; line ends inside ( ) and [ ] are dropped."""
    tokens: list[Token] = []
    findings: list[Diagnostic] = []
    depth = 0
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        column = 0
        if depth and _RESTART.match(line):
            depth = 0
            tokens.append(Token("newline", "", Location(file, number, 1)))
        while column < len(line):
            match = _TOKEN.match(line, column)
            if match is None:
                foreign = _NOT_ASCII.match(line, column)
                word = foreign.group() if foreign else line[column]
                location = Location(file, number, column + 1, len(word))
                hint = _NAMES if foreign else None
                message = f"unexpected character{'s' if len(word) > 1 else ''} {word!r}"
                findings.append(diagnostic(message, location, source=text, hint=hint))
                column += len(word)
                continue
            location = Location(file, number, column + 1, match.end() - column)
            column = match.end()
            kind, word = match.lastgroup, match.group()
            if kind == "space":
                continue
            if kind in ("mark", "arrow"):
                kind = word
                depth = max(0, depth + (word in "([") - (word in ")]"))
            elif word in _FLOAT_WORDS:
                kind = "number"
            elif kind == "number" and len(word) > _LONGEST_NUMBER:
                message = f"a number of {len(word)} characters"
                hint = f"the longest have {_LONGEST_NUMBER}"
                findings.append(diagnostic(message, location, source=text, hint=hint))
                word = "0"
            tokens.append(Token(kind, word, location))
        if depth == 0:
            tokens.append(Token("newline", "", Location(file, number, len(line) + 1)))
    tokens.append(Token("end", "", Location(file, max(1, len(lines)), 1)))
    return tokens, findings
