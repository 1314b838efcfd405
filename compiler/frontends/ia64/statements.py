"""Cuts GNU assembly text into statements: braces, stops, labels, directives, instructions.

# 12 "sum.S"                 a marker of the C preprocessor: the next line is sum.S:12
1:  { .mib; (p6) add r8 = r8, r9 ;; }
                             label 1, open, directive .mib, instruction, stop, close
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from machines.diagnostics import Location

OPEN, CLOSE, STOP, LABEL, TAG, DIRECTIVE, ASSIGNMENT, INSTRUCTION = (
    "open", "close", "stop", "label", "tag", "directive", "assignment", "instruction",
)  # fmt: skip

_NAME = r"[A-Za-z_.$][\w.$]*"
_LABEL = re.compile(rf"\s*({_NAME}|\d+)(#?)\s*:(?!:)")
_TAG = re.compile(rf"\s*\[\s*({_NAME}|\d+)\s*:\s*\]")
_ASSIGNMENT = re.compile(rf"({_NAME})\s*=(?!=)")
_PIECES = re.compile(r'"(?:\\.|[^"\\])*"|;;|[{};]|[^{};"]+|"')
_TEMPLATE = re.compile(r"(\.[mibfxlMIBFXL]{3})(?=\s|$)")
_DATA = re.compile(r"(?:data[1248](?:\.ua)?|real[48](?:\.ua)?|stringz?)\b", re.IGNORECASE)
_MARKER = re.compile(r'\s*#\s*(?:line\s+)?(\d+)(?:\s+"((?:\\.|[^"\\])*)")?[\s\d]*$')
_LINE_COMMENT = re.compile(r"^(\s*)#[^\n]*", re.MULTILINE)
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement; `text` is the label's name, the directive with its arguments, …

    `written` is the line of the text that it stands on, which a marker may number otherwise.
    """

    kind: str
    text: str
    location: Location
    written: str


def without_comments(text: str) -> str:
    """The text with comments blanked out, every other character at its place."""

    def blank(match: re.Match) -> str:
        found = match.group()
        return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)

    return _LINE_COMMENT.sub(blank, _COMMENT.sub(blank, text))


def statements(text: str, file: str) -> Iterator[Statement]:
    """Every statement in source order, at the location that the preprocessor's markers give."""
    number = 0
    bare = without_comments(text).split("\n")
    for written, line in zip(text.split("\n"), bare, strict=True):
        number += 1
        if marker := _MARKER.match(written):
            number = int(marker.group(1)) - 1
            file = file if marker.group(2) is None else marker.group(2)
            continue
        for column, piece in _pieces(line):
            yield from _classified(piece, file, number, column, written)


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


def _classified(piece: str, file: str, line: int, column: int, written: str) -> Iterator[Statement]:
    def location(start: int, length: int) -> Location:
        return Location(file, line, start + 1, length)

    while (label := _LABEL.match(piece)) or (tag := _TAG.match(piece)):
        match, kind = (label, LABEL) if label else (tag, TAG)
        name = match.group(1)
        yield Statement(kind, name, location(column + match.start(1), len(name)), written)
        piece, column = piece[match.end() :], column + match.end()
    column += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if not piece:
        return
    whole = location(column, len(piece))
    if piece in ("{", "}", ";;"):
        yield Statement({"{": OPEN, "}": CLOSE, ";;": STOP}[piece], piece, whole, written)
    elif match := _TEMPLATE.match(piece):
        template = match.group(1)
        yield Statement(DIRECTIVE, template, location(column, len(template)), written)
        yield from _classified(piece[match.end() :], file, line, column + match.end(), written)
    elif piece.startswith(".") or _DATA.match(piece):
        yield Statement(DIRECTIVE, piece, whole, written)
    elif _ASSIGNMENT.match(piece):
        yield Statement(ASSIGNMENT, piece, whole, written)
    else:
        yield Statement(INSTRUCTION, piece, whole, written)
