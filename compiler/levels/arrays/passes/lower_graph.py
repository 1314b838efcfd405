"""From a function of arrays to IR: loops, branches, and memory for what has to lie in memory."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.module import Function
from compiler.levels.arrays.passes.vectorize import names
from compiler.targets import threads_of
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class LowerOptions:
    """Exact and checked, unless something else is allowed."""

    allow: str = option("", "What may change: reassociate,unchecked.")


def run(function: Function, machine: Machine | None, options: LowerOptions) -> Changes:
    # Here, as programs that are no graphs do without it.
    from compiler.levels.arrays.programs import lower_function

    changes = Changes()
    width = threads_of(machine)
    changes.count("columns put into memory", lower_function(function, names(options.allow), width))
    return changes


PLUGIN = Pass(
    "lower_graph",
    "Lower a function of arrays to IR.",
    run,
    forms={"arrays": "ir"},
    options=LowerOptions,
)
