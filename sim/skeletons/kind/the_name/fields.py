"""The fields of a machine, each with type, bounds and a sentence, and rules across them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from machines.description.schema import Cycles, MachineDescription, Problem, figure
from machines.operations.row import Operation

LONG = ("mul", "div", "rem", "sqrt")


class TheName(MachineDescription):
    """A processor of one instruction at a time."""

    load: Cycles = figure(ge=1, le=1000, description="Cycles that a load takes.")
    long: Cycles = figure(ge=1, description="Cycles of a product, quotient, remainder or root.")

    def cycles_of(self, row: Operation) -> int:
        """How long an operation takes."""
        if row.loads:
            return self.load
        return self.long if row.name.startswith(LONG) else 1


RULES: tuple[Callable[[TheName], Iterator[Problem]], ...] = ()
"""A rule yields what is wrong across fields: `yield ("load",), "why it cannot be", "a hint"`."""
