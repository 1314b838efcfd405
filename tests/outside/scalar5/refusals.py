"""What `scalar5` does not execute."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.module import Function
from machines.diagnostics import Diagnostic, InputError


def findings(function: Function) -> Iterator[Diagnostic]:
    """What this machine cannot do: threads, tensors, conditions that nothing is known of."""
    for _, instruction in function.instructions():
        row = instruction.operation
        if row.calls or row.regions or "phi" in row.flags or row.is_of_many or row.implicit_reads:
            message = f"scalar5 does not execute '{row.name}'"
            yield Diagnostic(message, instruction.location, hint="choose another with --machine")


def refuse(function: Function) -> None:
    """Raise InputError for what the machine cannot do."""
    problems = list(findings(function))
    if problems:
        raise InputError(problems)
