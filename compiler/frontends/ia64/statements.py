"""Cuts GNU assembly text into statements: braces, stops, labels, directives, instructions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from machines.diagnostics import Location

OPEN, CLOSE, STOP, LABEL, DIRECTIVE, ASSIGNMENT, INSTRUCTION = (
    "open", "close", "stop", "label", "directive", "assignment", "instruction",
)  # fmt: skip

_NAME = r"[A-Za-z_.$][\w.$]*"
_LABEL = re.compile(rf"\s*({_NAME})\s*:(?!:)")
_ASSIGNMENT = re.compile(rf"({_NAME})\s*=(?!=)")
_PIECES = re.compile(r'"(?:\\.|[^"\\])*"|;;|[{};]|[^{};"]+|"')
_TEMPLATE = re.compile(r"(\.[mibfxlMIBFXL]{3})(?=\s|$)")
_DATA = re.compile(r"(?:data[1248]|real[48]|stringz?)\b")
_LINE_COMMENT = re.compile(r"^(\s*)#[^\n]*", re.MULTILINE)
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement; `text` is the label's name, the directive with its arguments, …"""

    kind: str
    text: str
    location: Location


def without_comments(text: str) -> str:
    """The text with comments blanked out, every other character at its place."""

    def blank(match: re.Match) -> str:
        found = match.group()
        return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)

    return _LINE_COMMENT.sub(blank, _COMMENT.sub(blank, text))


def statements(text: str, file: str) -> Iterator[Statement]:
    """Every statement in source order."""
    for number, line in enumerate(without_comments(text).splitlines(), start=1):
        for column, piece in _pieces(line):
            yield from _classified(piece, file, number, column)


def _pieces(line: str) -> Iterator[tuple[int, str]]:
    """(column from 0, text) of braces, stops and what stands between them and semicolons."""
    start, gathered = 0, ""
    for match in _PIECES.finditer(line):
        piece = match.group()
        if piece in ("{", "}", ";;", ";"):
            yield start, gathered
            if piece != ";":
                yield match.start(), piece
            start, gathered = match.end(), ""
        else:
            gathered += piece
    yield start, gathered


def _classified(piece: str, file: str, line: int, column: int) -> Iterator[Statement]:
    while match := _LABEL.match(piece):
        name = match.group(1)
        yield Statement(LABEL, name, Location(file, line, column + match.start(1) + 1, len(name)))
        piece, column = piece[match.end() :], column + match.end()
    column += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if not piece:
        return
    place = Location(file, line, column + 1, len(piece))
    if piece in ("{", "}", ";;"):
        yield Statement({"{": OPEN, "}": CLOSE, ";;": STOP}[piece], piece, place)
    elif match := _TEMPLATE.match(piece):
        template = match.group(1)
        yield Statement(DIRECTIVE, template, Location(file, line, column + 1, len(template)))
        yield from _classified(piece[match.end() :], file, line, column + match.end())
    elif piece.startswith(".") or _DATA.match(piece):
        yield Statement(DIRECTIVE, piece, place)
    elif _ASSIGNMENT.match(piece):
        yield Statement(ASSIGNMENT, piece, place)
    else:
        yield Statement(INSTRUCTION, piece, place)
