"""View `passes`: what each pass did, in the order of the passes.

number_values: operation removed: 1
    saxpy.py:6:5: mul.i64: operation removed, 'a1' is the same       with --explain
"""

from __future__ import annotations

from typing import Any

from compiler import Compilation
from compiler.transformation import Remark
from machines.diagnostics import input_error
from sim.views import COMPILED, Option, Shown, View


def show_passes(compilation: Compilation, explain: bool = False) -> Shown:
    """How often each pass did what; `explain`: also what it says of single instructions, in the
    order it said it."""
    steps = compilation.report.steps
    if not steps:
        message = "an assembly program runs as it is written: there are no passes"
        raise input_error(message, hint="--show asm prints it")
    lines, content = [], []
    several = any(step.function != steps[0].function for step in steps)
    for before, step in zip([None, *steps], steps, strict=False):
        if several and (before is None or before.function != step.function):
            lines.append(f"@{step.function}")
        lines.append(f"{step.name}: {step.changes}")
        counts = step.changes.counts
        content.append({"function": step.function, "name": step.name, "counts": counts})
        if explain:
            lines += [f"    {remark}" for remark in step.changes.remarks]
            content[-1]["remarks"] = [_remark(remark) for remark in step.changes.remarks]
    return Shown("\n".join(lines) + "\n", {"machine": compilation.machine.name, "passes": content})


def _remark(remark: Remark) -> dict[str, Any]:
    location = remark.location
    return {
        "line": location.line if location else None,
        "column": location.column if location else None,
        "operation": remark.operation,
        "what": remark.what,
        "why": remark.why,
    }


VIEWS = (
    View(
        "passes",
        "What each pass did, in the order of the passes.",
        COMPILED,
        show_passes,
        options=(Option("explain", "What was done where, and why not."),),
    ),
)
