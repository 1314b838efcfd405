"""How a workload runs: its arguments have their names when the program begins."""

from __future__ import annotations

from typing import Any

from sim.kinds import Binding, Bound
from sim.workload.signature import wanted_parameters


def bind(compiled: Any, case: Any) -> Bound:
    """The program and what it wants of the workload."""
    program = compiled.program
    return Bound(program, wanted_parameters(program, compiled.declared))


BINDING = Binding(bind)
