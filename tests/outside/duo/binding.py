"""How a workload runs on `duo`: its arguments are the buffers of the program, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from machines.diagnostics import Diagnostic, InputError, nearest
from sim.forms import Wanted
from sim.kinds import Binding, Bound


@dataclass
class Buffers(Bound):
    """A case whose arguments fill buffers."""

    arguments: Mapping[str, Any]

    @property
    def variables(self) -> Mapping[str, str]:
        return {name: name for name in self.arguments}

    def input_findings(self, inputs: Mapping[str, np.ndarray]) -> list[Diagnostic]:
        """Arrays that are no buffer's whole content."""
        sizes = {buffer.name: buffer.size for buffer in self.program.buffers}
        return [
            self.arguments[name].finding(f"'{name}' has {sizes[name]} bytes, not {array.nbytes}")
            for name, array in inputs.items()
            if array.nbytes != sizes[name]
        ]


def bind(compiled: Any, case: Any) -> Buffers:
    """The program, and its buffers as what it wants; raises InputError."""
    program = compiled.program
    known = [buffer.name for buffer in program.buffers]
    unknown = [
        node.finding(f"the program has no buffer '{name}'", nearest(name, known))
        for name, node in case.arguments.items()
        if name not in known
    ]
    if unknown:
        raise InputError(unknown)
    wanted = {name: Wanted(name, None, ()) for name in case.arguments}
    return Buffers(program, wanted, case.arguments)


BINDING = Binding(bind)
