"""What is wrong with a text, gathered while it is read: every finding with its location and line.

Findings in a function are that function's: they refuse it and the kernels that call it.  Others are
the file's.

add.s33 %r1, %r2, 1;   ->   saxpy.ptx:12:2: error: there is no type '.s33'
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from machines.diagnostics import Diagnostic, InputError, Location

MOST_FINDINGS = 100
"""That are reported of a file."""


class Refused(Exception):
    """A part of the text cannot be taken; `unsupported` if it is right but means what is not had.

    `at` and `length` say where in the text, if anywhere better than where the statement stands.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        at: int | None = None,
        length: int = 1,
        unsupported: bool = False,
    ):
        super().__init__(message)
        self.message, self.hint = message, hint
        self.at, self.length = at, length
        self.unsupported = unsupported


def unsupported(message: str, hint: str | None = None, *, at: int | None = None) -> Refused:
    """A `Refused` for what is PTX, but is not supported."""
    return Refused(message, hint, at=at, unsupported=True)


@dataclass
class Source:
    """A text and where its lines begin."""

    text: str
    file: str
    starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def location(self, at: int, length: int = 1) -> Location:
        line = bisect_right(self.starts, at)
        return Location(self.file, line, at - self.starts[line - 1] + 1, length)

    def diagnostic(self, refused: Refused, at: int, length: int = 1) -> Diagnostic:
        """The finding; `at` and `length` hold where `refused` does not say better."""
        if refused.at is not None:
            at, length = refused.at, refused.length
        location = self.location(at, length)
        first = self.starts[location.line - 1]
        last = self.starts[location.line] if location.line < len(self.starts) else len(self.text)
        line = self.text[first:last].rstrip("\r\n")
        return Diagnostic(refused.message, location, line, refused.hint)


@dataclass
class Findings:
    """Findings, each once, with their positions in the text."""

    source: Source
    found: dict[Diagnostic, int] = field(default_factory=dict)

    def add(self, refused: Refused, at: int, length: int = 1) -> None:
        finding = self.source.diagnostic(refused, at, length)
        if len(self.found) < MOST_FINDINGS:
            self.found.setdefault(finding, at if refused.at is None else refused.at)

    def extend(self, other: Findings) -> None:
        self.found |= other.found

    @property
    def is_full(self) -> bool:
        """Whether there may be more than are kept."""
        return len(self.found) >= MOST_FINDINGS

    def error(self) -> InputError:
        """All of them, in the order of the text."""
        return InputError(sorted(self.found, key=self.found.get)[:MOST_FINDINGS])
