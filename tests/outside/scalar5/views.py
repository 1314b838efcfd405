"""`simrun explain --show pipeline`: how long each instruction keeps EX."""

from __future__ import annotations

from typing import Any

from scalar5.fields import cycles_in_ex
from sim.views import COMPILED, Shown, View


def show(compilation: Any) -> Shown:
    """The program's instructions, each with its cycles in EX."""
    program, machine = compilation.program, compilation.machine.description
    times = [cycles_in_ex(line.operation, machine) for line in program.code]
    rows = [
        {"instruction": place, "text": text, "cycles": cycles}
        for place, (text, cycles) in enumerate(zip(program.texts, times, strict=True))
    ]
    lines = [f"{row['instruction']:5} {row['cycles']:3}  {row['text']}\n" for row in rows]
    return Shown("".join(lines), rows)


VIEWS = (View("pipeline", "How long each instruction keeps the stage EX.", COMPILED, show),)
