"""What the passes did to a program: the view `passes` of `simrun explain`."""

from __future__ import annotations

from typing import Any

from machines.load import Machine
from sim.explain import View


def view_passes(compilation: Any, machine: Machine) -> View:
    """Each pass with its counts and, below, its remarks in the order it made them."""
    steps = compilation.report.steps
    if not steps:
        return View(
            "an assembly program runs as it is written: there are no passes\n", {"passes": []}
        )
    lines = []
    for step in steps:
        lines.append(f"{step.name}: {step.changes}")
        lines += [f"    {remark}" for remark in step.changes.remarks]
    content = [
        {
            "name": step.name,
            "counts": step.changes.counts,
            "remarks": [
                {
                    "what": remark.what,
                    "line": remark.location.line if remark.location else None,
                    "why": remark.why,
                }
                for remark in step.changes.remarks
            ],
        }
        for step in steps
    ]
    return View("\n".join(lines) + "\n", {"machine": machine.name, "passes": content})
