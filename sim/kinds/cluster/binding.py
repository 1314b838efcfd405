"""How a workload runs on a chip of clusters: its arguments are parameters of the program, and the
contents of its buffers in DRAM, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.kinds.cluster.program import ClusterProgram
from machines.program import ProgramBuffer
from machines.types import Type
from sim.kinds import Binding, Bound
from sim.workload.element_types import DTYPE_NAMES
from sim.workload.inputs import Wanted
from sim.workload.signature import wanted_parameters

if TYPE_CHECKING:
    import numpy as np


@dataclass
class Filled(Bound):
    """A case whose arguments fill parameters and buffers."""

    program: ClusterProgram
    arguments: Mapping[str, Node]

    @property
    def variables(self) -> Mapping[str, str]:
        buffers = {buffer.name for buffer in self.program.buffers}
        return {name: name for name in self.arguments if name in buffers}

    def input_findings(self, inputs: Mapping[str, np.ndarray]) -> list[Diagnostic]:
        """Arrays that are not the whole content of their buffers."""
        sizes = {buffer.name: buffer for buffer in self.program.buffers}
        return self._types(inputs, sizes) or [
            self.arguments[name].finding(
                f"buffer '{name}' has {sizes[name].size} bytes, {sizes[name].count} elements of "
                f"type {sizes[name].dtype}, and {inputs[name].nbytes} are given"
            )
            for name in self.variables
            if inputs[name].nbytes != sizes[name].size
        ]

    def _types(
        self, inputs: Mapping[str, np.ndarray], buffers: Mapping[str, ProgramBuffer]
    ) -> list[Diagnostic]:
        """Arrays whose elements are of other types; of bf16, which no array has, its bits."""
        return [
            self.arguments[name].finding(
                f"buffer '{name}' has elements of type {buffers[name].dtype}, and {dtype} are given"
            )
            for name in self.variables
            for dtype in [DTYPE_NAMES[inputs[name].dtype]]
            if dtype not in _types_for(buffers[name].dtype)
        ]


def _types_for(type: Type) -> tuple[str, ...]:
    """The types of arrays that fill a buffer: its own, and those of its bits without a sign."""
    bits = f"u{8 * type.bytes}"
    return (type.name, bits) if type.name not in ("f16", "bf16") else (type.name, bits, "i16")


def bind(compiled: Any, case: Any) -> Filled:
    """The program, its parameters and its buffers; raises InputError."""
    program = compiled.program
    wanted = wanted_parameters(program, None)
    buffers = [buffer.name for buffer in program.buffers]
    unknown = [
        node.finding(
            f"the program has no parameter and no buffer in DRAM '{name}'",
            nearest(name, [*wanted, *buffers]),
        )
        for name, node in case.arguments.items()
        if name not in wanted and name not in buffers
    ]
    if unknown:
        raise InputError(unknown)
    wanted |= {name: Wanted(name, None, ()) for name in buffers if name in case.arguments}
    return Filled(program, wanted, case.arguments)


BINDING = Binding(bind)
