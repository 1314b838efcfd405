"""Reading the text form token by token; what cannot be read is reported and its line skipped."""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir.reading.lexer import RESERVED, Token, tokenize
from machines.diagnostics import Diagnostic, Location, diagnostic


class Skip(Exception):
    """The rest of the line cannot be read."""


class Cursor:
    """The tokens of a text, from `position` on, and what was found wrong with it."""

    def __init__(self, text: str, file: str):
        self.tokens, self.findings = tokenize(text, file)
        self.unclear = {finding.location.line for finding in self.findings if finding.location}
        self.text = text
        self.position = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    @property
    def ahead(self) -> str:
        """The kind of the token behind the next one."""
        return self.tokens[min(self.position + 1, len(self.tokens) - 1)].kind

    def take(self) -> Token:
        token = self.next
        if token.kind != "end":
            self.position += 1
        return token

    def accept(self, kind: str) -> Token | None:
        return self.take() if self.next.kind == kind else None

    def accept_word(self, word: str) -> Token | None:
        return self.take() if self.next.kind == "name" and self.next.text == word else None

    def expect(self, kind: str, meaning: str | None = None, hint: str | None = None) -> Token:
        if self.next.kind != kind:
            wanted = meaning or f"'{kind}'"
            self.fail(f"expected {wanted}, found {self.next}", self.next.location, hint)
        return self.take()

    def end_of_line(self) -> None:
        if self.next.kind not in ("newline", "end", "}"):
            self.fail(f"unexpected {self.next} at the end of the line", self.next.location)

    def report(self, message: str, location: Location, hint: str | None = None) -> None:
        """A finding, unless the line has characters that were left out: that has been said."""
        if location.line not in self.unclear:
            finding: Diagnostic = diagnostic(message, location, source=self.text, hint=hint)
            self.findings.append(finding)

    def fail(self, message: str, location: Location, hint: str | None = None) -> None:
        self.report(message, location, hint)
        raise Skip

    def new_name(self, meaning: str) -> Token:
        """A name that is being declared."""
        token = self.expect("name", meaning)
        if token.text in RESERVED:
            self.report(f"'{token.text}' is a reserved word", token.location, "choose another name")
        return token

    def line(self, read: Callable[[], None]) -> None:
        """Read one line's worth with `read`; if that fails, skip to the next line."""
        try:
            read()
            self.end_of_line()
        except Skip:
            while self.next.kind not in ("newline", "end"):
                self.take()
        self.accept("newline")
