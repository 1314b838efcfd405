"""A call of a network: what the machine is given for a case, and what it leaves.

Tensors are in DRAM, where the lowering put them (`machines.levels.network.function`); the program
itself has no parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from machines.diagnostics import Diagnostic, InputError, Location, nearest
from machines.elements import DTYPES, from_memory, in_memory
from machines.layout import Memory
from machines.levels.network.function import NetworkFunction, Placed
from sim.forms import Wanted
from sim.levels.network.constants import write_constant
from sim.workload.inputs import make_input
from sim.workload.schema import Case


@dataclass(frozen=True)
class NetworkCall:
    """Networks with their inputs (see `sim.levels.Call`): one, or all that a host launches.

    inputs     by the names that a workload has for them, in their shapes
    functions  by kernel
    """

    case: Case
    inputs: Mapping[str, np.ndarray]
    functions: Mapping[str, NetworkFunction]
    arrays: ClassVar[dict] = {}
    gives_number: ClassVar[bool] = False

    @property
    def results(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The outputs: element type and shape."""
        places = _named(self.functions, "outputs")
        return {name: (one.type.element.name, one.type.shape) for name, one in places.items()}

    def write(self, memory: Memory) -> None:
        """Write constants and inputs where the program expects them."""
        for function in self.functions.values():
            for place, constant in function.constants:
                write_constant(constant, _bytes(memory, place))
        for name, place in _named(self.functions, "inputs").items():
            _bytes(memory, place)[...] = in_memory(self.inputs[name])

    def fault(self, memory: Memory) -> tuple[str, Location | None, str] | None:
        """It has none of its own."""

    def outputs(self, memory: Memory) -> dict[str, np.ndarray]:
        """What networks gave, in their shapes."""
        return {
            name: from_memory(_bytes(memory, one), _dtype(one), one.type.shape).copy()
            for name, one in _named(self.functions, "outputs").items()
        }


def network_call(compiled: Any, case: Case, function: NetworkFunction) -> NetworkCall:
    """The call that a case makes; raises InputError with every finding."""
    tree, folder = compiled.workload.tree, compiled.workload.folder
    functions, findings = _launched(compiled, case, function)
    if findings:
        raise InputError(findings)
    wanted = {name: one.type for name, one in _named(functions, "inputs").items()}
    findings += [
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
        try:
            shape = type.shape or None
            asked = Wanted(name, type.element.name, shape)
            inputs[name] = make_input(case.arguments[name], asked, folder)
        except InputError as error:
            findings += error.diagnostics
    if findings:
        raise InputError(findings)
    return NetworkCall(replace(case, arguments={}, expect={}), inputs, functions)


def _launched(
    compiled: Any, case: Case, function: NetworkFunction
) -> tuple[dict[str, NetworkFunction], list[Diagnostic]]:
    """The networks of a case, by their kernels; what is wrong with how they are launched: each is
    divided among so many tasks of one job."""
    made = compiled.made
    launches = [(node, form) for node, form in case.steps if form.transfer is None]
    if not launches:
        message = "the network is lowered for a part of the machine"
        wrong = [compiled.workload.tree.finding(message, _hint(function), key="program")]
        return {made.entry: function}, wrong if function.launch is not None else []
    found, findings = {}, []
    for node, form in launches:
        name = form.kernel or made.entry
        body = made.functions[name].body if name in made.functions else None
        if body is None:
            message = f"the program has no network '{name}'"
            findings.append(node.finding(message, nearest(name, made.functions), key="kernel"))
            continue
        found[name] = body
        if body.launch is None:
            message = f"network '{name}' is lowered for all of the machine"
            findings.append(node.finding(message, "'clusters: 1' lowers it for a part"))
        elif (form.type, form.dim) != body.launch:
            message = f"network '{name}' is lowered for another launch"
            findings.append(node.finding(message, _hint(body)))
    return found, findings


def _hint(function: NetworkFunction) -> str:
    """The launch for which a network was lowered."""
    type, dim = function.launch or ("", 0)
    return f"tasks: [{{type: {type}, dim: {dim}}}]"


def _named(functions: Mapping[str, NetworkFunction], part: str) -> dict[str, Placed]:
    """Inputs or outputs of networks by the names that a workload has for them: of several networks
    'network.tensor'."""
    return {
        one.name if len(functions) == 1 else f"{name}.{one.name}": one
        for name, function in functions.items()
        for one in getattr(function, part)
    }


def _dtype(place: Placed) -> np.dtype:
    return DTYPES[place.type.element.name]


def _bytes(memory: Memory, place: Placed) -> np.ndarray:
    return memory.view(place.buffer)[place.offset : place.offset + place.type.size]
