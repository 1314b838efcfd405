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

OF_A_FORM = 5
"""Findings that are shown of those which differ in the registers they name only; of the others the
lines."""
OF_A_LIST = 20
"""Lines that are listed of them."""
MOST_FORMS = 200
"""Forms that are shown; the rest are counted."""
_REGISTER = re.compile(r"[%$][\w$]+")


_ASSEMBLY = re.compile(r"// begin inline asm\b.*?(// end inline asm\b|\Z)", re.DOTALL)
"""Inside of it LLVM counts the lines of `.loc` on, past those of the statement."""


class Refused(Exception):
    """A part of the text cannot be taken; `unsupported` if it is right but means what is not had.

    `at` and `length` say where in the text, if anywhere better than where the statement stands;
    `follows`: it would not be there without another finding, which is reported.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        at: int | None = None,
        length: int = 1,
        unsupported: bool = False,
        follows: bool = False,
    ):
        super().__init__(message)
        self.message, self.hint = message, hint
        self.at, self.length = at, length
        self.unsupported, self.follows = unsupported, follows


def unsupported(message: str, hint: str | None = None, *, at: int | None = None) -> Refused:
    """A `Refused` for what is PTX, but is not supported."""
    return Refused(message, hint, at=at, unsupported=True)


@dataclass
class Source:
    """A text and where its lines begin; the file ends at `end`, behind which stands the runtime."""

    text: str
    file: str
    end: int
    starts: list[int] = field(init=False)
    assembly: list[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.assembly = [match.span() for match in _ASSEMBLY.finditer(self.text)]
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def in_assembly(self, at: int) -> bool:
        """Whether a position is in what the source says in assembly."""
        before = bisect_right(self.assembly, (at, len(self.text)))
        return before > 0 and at < self.assembly[before - 1][1]

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
    """Findings by their position in the text and what they say, each once; (length, hint) of it."""

    source: Source
    found: dict[tuple[int, str], tuple[int, str | None]] = field(default_factory=dict)

    def add(self, refused: Refused, at: int, length: int = 1) -> None:
        """Keep a finding; `at` and `length` hold where `refused` does not say better.  What only
        follows from another finding is left out."""
        if refused.follows:
            return
        if refused.at is not None:
            at, length = refused.at, refused.length
        self.found.setdefault((at, refused.message), (length, refused.hint))

    def extend(self, other: Findings) -> None:
        self.found |= other.found

    def error(self) -> InputError:
        """All of them, in the order of the text; those of one form by the first few."""
        forms: dict[str, list[tuple[int, str]]] = {}
        for at, message in sorted(self.found):
            forms.setdefault(_REGISTER.sub("%", message), []).append((at, message))
        shown: list[tuple[int, Diagnostic]] = []
        for number, places in enumerate(forms.values()):
            if number == MOST_FORMS:
                break
            shown += [(at, self._finding(at, message)) for at, message in places[:OF_A_FORM]]
            if len(places) > OF_A_FORM:
                shown.append((places[OF_A_FORM][0], self._more(places[OF_A_FORM:])))
        shown.sort(key=lambda one: one[0])
        diagnostics = [diagnostic for _, diagnostic in shown]
        if len(forms) > MOST_FORMS:
            rest = list(forms.values())[MOST_FORMS:]
            at, _ = rest[0][0]
            message = f"{sum(map(len, rest))} more findings, of {len(rest)} other forms"
            hint = "is this a PTX file? mend those above first"
            diagnostics.append(self.source.diagnostic(Refused(message, hint), at))
        return InputError(diagnostics)

    def _finding(self, at: int, message: str) -> Diagnostic:
        length, hint = self.found[at, message]
        return self.source.diagnostic(Refused(message, hint), at, length)

    def _more(self, places: list[tuple[int, str]]) -> Diagnostic:
        """One finding for many of a form, with their lines."""
        lines = sorted({self.source.location(at).line for at, _ in places})
        listed = ", ".join(map(str, lines[:OF_A_LIST]))
        if len(lines) > OF_A_LIST:
            listed += f" and {len(lines) - OF_A_LIST} more up to line {lines[-1]}"
        at, message = places[0]
        refused = Refused(
            f"{message}, and so {len(places)} times in all from here on", f"lines {listed}"
        )
        return self.source.diagnostic(refused, at, self.found[at, message][0])
