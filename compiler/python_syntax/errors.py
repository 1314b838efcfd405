"""Findings in a kernel file: where they are, and how checking goes on after one."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NoReturn

from machines.diagnostics import Diagnostic, InputError, Location, diagnostic


class Refused(Exception):
    """The expression or statement at hand cannot be used; the finding has been recorded.

    Raised to leave it; the statement list around it catches it and goes on with the next.
    """


class Unfit(Exception):
    """A function of arrays that kernels cannot call: why, and what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class Source:
    """One kernel file: its text, the findings so far, and positions of syntax nodes."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.lines = text.splitlines() or [""]
        self.findings: list[Diagnostic] = []

    def locate(self, node: ast.AST) -> Location:
        """The location of a node; a node over several lines ends, for the caret, with its first."""
        line = getattr(node, "lineno", 1)
        column = self._column(line, getattr(node, "col_offset", 0))
        if getattr(node, "end_lineno", line) == line:
            end = self._column(line, getattr(node, "end_col_offset", 0))
        else:
            end = len(self._line(line).rstrip()) + 1
        return Location(self.file, line, column, max(1, end - column))

    def report(self, node: ast.AST, message: str, hint: str | None = None) -> None:
        """Record a finding."""
        self.report_at(self.locate(node), message, hint)

    def report_at(self, location: Location, message: str, hint: str | None = None) -> None:
        """Record a finding at a location that no node stands for."""
        finding = diagnostic(message, location, source=self.text, hint=hint)
        if finding not in self.findings:
            self.findings.append(finding)

    def adopt(self, findings: Iterable[Diagnostic]) -> None:
        """Record what another reader of the file has found, where nothing is known to be wrong."""
        known = {finding.location for finding in self.findings}
        self.findings += [finding for finding in findings if finding.location not in known]

    def report_nesting(self, location: Location) -> None:
        """Record that what stands at a location is nested too deeply to be followed."""
        message = "an expression, a block or a chain of calls is nested too deeply"
        self.report_at(location, message, "split it into several lines or kernels")

    def refuse(self, node: ast.AST, message: str, hint: str | None = None) -> NoReturn:
        """Record a finding and leave the expression or statement at hand."""
        self.report(node, message, hint)
        raise Refused

    def raise_findings(self) -> None:
        """Raise InputError with every finding, if there is one."""
        if self.findings:
            raise InputError(self.findings)

    def quote(self, node: ast.AST, longest: int = 40) -> str:
        """The node as the user could have written it, shortened."""
        text = ast.unparse(node)
        return text if len(text) <= longest else text[: longest - 1] + "…"

    def _line(self, line: int) -> str:
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def _column(self, line: int, offset: int) -> int:
        """The column, in characters from 1, of a byte offset (`ast` counts UTF-8 bytes)."""
        head = self._line(line).encode("utf-8", "replace")[:offset]
        return len(head.decode("utf-8", "replace")) + 1
