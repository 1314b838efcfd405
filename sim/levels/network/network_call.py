"""A call of a network: what the machine is given for a case, and what it leaves.

Tensors are in DRAM, where the lowering put them (`machines.levels.network.function`); the program
itself has no parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from machines.diagnostics import InputError, Location, nearest
from machines.elements import DTYPES, from_memory, in_memory
from machines.layout import Memory
from machines.levels.network.function import NetworkFunction, Placed
from sim.forms import Wanted
from sim.levels.network.constants import write_constant
from sim.workload.inputs import make_input
from sim.workload.schema import Case


@dataclass(frozen=True)
class NetworkCall:
    """A network with its inputs (see `sim.levels.Call`).

    inputs  by the network's names, in its shapes
    """

    function: NetworkFunction
    case: Case
    inputs: Mapping[str, np.ndarray]
    arrays: ClassVar[dict] = {}
    gives_number: ClassVar[bool] = False

    @property
    def results(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The outputs: element type and shape."""
        return {one.name: (one.type.element.name, one.type.shape) for one in self.function.outputs}

    def write(self, memory: Memory) -> None:
        """Write constants and inputs where the program expects them."""
        for place, constant in self.function.constants:
            write_constant(constant, _bytes(memory, place))
        for place in self.function.inputs:
            _bytes(memory, place)[...] = in_memory(self.inputs[place.name])

    def fault(self, memory: Memory) -> tuple[str, Location | None, str] | None:
        """It has none of its own."""

    def outputs(self, memory: Memory) -> dict[str, np.ndarray]:
        """What the network gave, in its shapes."""
        return {
            one.name: from_memory(_bytes(memory, one), _dtype(one), one.type.shape).copy()
            for one in self.function.outputs
        }


def network_call(compiled: Any, case: Case, function: NetworkFunction) -> NetworkCall:
    """The call that a case makes; raises InputError with every finding."""
    tree, folder = compiled.workload.tree, compiled.workload.folder
    wanted = {one.name: one.type for one in function.inputs}
    findings = [
        node.finding(f"the network has no input '{name}'", nearest(name, wanted))
        for name, node in case.arguments.items()
        if name not in wanted
    ]
    inputs = {}
    for name, type in wanted.items():
        if name not in case.arguments:
            message = f"input '{name}' is missing: the network wants {type}"
            findings.append(tree.finding(message, key="arguments"))
            continue
        node = case.arguments[name]
        try:
            shape = type.shape or None
            inputs[name] = make_input(node, Wanted(name, type.element.name, shape), folder)
        except InputError as error:
            findings += error.diagnostics
    if findings:
        raise InputError(findings)
    return NetworkCall(function, replace(case, arguments={}, expect={}), inputs)


def _dtype(place: Placed) -> np.dtype:
    return DTYPES[place.type.element.name]


def _bytes(memory: Memory, place: Placed) -> np.ndarray:
    return memory.view(place.buffer)[place.offset : place.offset + place.type.size]
