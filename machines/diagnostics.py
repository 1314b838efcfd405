"""Positions in the user's text and the errors that point at them.

Libraries raise; only the command line prints and exits.  `InputError` means that what the user
gave is wrong (exit code 2) and carries every finding at once, in source order.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from machines.mistakes import code_of

WIDEST = 100  # columns of a source line that are shown
LONGEST = 400  # characters of a message

NAME_RULE = "a name is at most 64 of A-Z, a-z, 0-9, '_', '-' and '.', and begins with none of '-.'"
"""Machines, workloads and variants have such names: files are called after them."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source file; `line` and `column` count from 1, `length` is in characters."""

    file: str
    line: int
    column: int = 1
    length: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what is wrong, where, the source line it stands on, and what to do instead.

    code  the sort of mistake (`machines.mistakes`): where none is given, that of the module which
          found it
    """

    message: str
    location: Location | None = None
    source_line: str | None = None
    hint: str | None = None
    code: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.code:
            object.__setattr__(self, "code", code_of(_who_found()))

    def __str__(self) -> str:
        prefix = f"{self.location}: " if self.location else ""
        lines = [f"{prefix}error: {_cut(self.message, 0, LONGEST)}  [{self.code}]"]
        if self.location and self.source_line is not None:
            text, at = self.source_line.rstrip("\n").expandtabs(1), self.location.column - 1
            start = max(0, min(at - WIDEST // 2, len(text) - WIDEST))
            shown = _cut(text, start, WIDEST)
            carets = "^" * max(1, min(self.location.length, len(shown) - (at - start)))
            lines += [f"    {shown}", "    " + " " * (at - start) + carets]
        if self.hint:
            lines.append(f"    hint: {self.hint}")
        return "\n".join(lines)


_MAKERS = {"input_error", "diagnostic", "finding", "finding_at"}
"""Functions that make findings for those who call them."""


def _who_found() -> str:
    """The module that makes a finding: the nearest caller that is none of the makers."""
    frame = sys._getframe(2)  # what dataclasses write calls us
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if frame.f_code.co_name not in _MAKERS and module != __name__:
            return module
        frame = frame.f_back
    return ""


def _cut(text: str, start: int, length: int) -> str:
    """`length` characters of a text; '…' stands where more of it is left out."""
    part = text[start : start + length]
    if start > 0:
        part = "…" + part[1:]
    return part if start + length >= len(text) else part[:-1] + "…"


class InputError(Exception):
    """The user's input is wrong; `diagnostics` holds every finding, in source order."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]):
        found = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        self.diagnostics = sorted(found, key=_source_order)
        # SimPy, copy and pickle make it again of its arguments.
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: what is wrong, and not the way through simrun."""
        return str(self).splitlines()


def _source_order(finding: Diagnostic) -> tuple:
    location = finding.location
    return (location.file, location.line, location.column) if location else ("", 0, 0)


def input_error(
    message: str,
    location: Location | None = None,
    *,
    source: str | None = None,
    hint: str | None = None,
    code: str = "",
) -> InputError:
    """An `InputError` with one finding; `source` is the whole text that `location` points into."""
    return InputError(diagnostic(message, location, source=source, hint=hint, code=code))


def diagnostic(
    message: str,
    location: Location | None = None,
    *,
    source: str | None = None,
    hint: str | None = None,
    code: str = "",
) -> Diagnostic:
    """A finding whose source line is cut out of the whole text `source`."""
    line = None
    if location and source is not None:
        lines = source.splitlines()
        line = lines[location.line - 1] if 0 < location.line <= len(lines) else ""
    return Diagnostic(message, location, line, hint, code)


def is_name(text: str) -> bool:
    """Whether a text keeps `NAME_RULE`."""
    return _NAME.fullmatch(text) is not None


def nearest(name: str, valid: Iterable[str]) -> str:
    """A hint that names the valid name closest to `name`, or lists the valid names."""
    names = sorted(set(valid))
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"valid names: {shown}" if names else "no name is valid here"
