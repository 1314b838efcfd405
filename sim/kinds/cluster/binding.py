"""How a workload runs on a chip of clusters: its arguments are parameters of the program, and the
contents of its buffers in DRAM, by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.elements import DTYPE_NAMES, bytes_in_memory
from machines.kinds.cluster.program import ClusterProgram
from machines.layout import PAGE, Memory
from machines.program import ProgramBuffer
from machines.types import ELEMENTS, IN_MEMORY, Type
from sim.cores.cluster.host_steps import Copy, Launch
from sim.forms import Wanted
from sim.kinds import Binding, Bound
from sim.kinds.cluster.copies import arrays_of_host, copy_findings
from sim.kinds.cluster.plan import Planned, plan
from sim.kinds.cluster.tasks import TaskForm, TaskSection
from sim.workload.signature import wanted_parameters

if TYPE_CHECKING:
    import numpy as np


@dataclass
class Filled(Bound):
    """A case whose arguments fill parameters and buffers.

    steps  of the host by stream; none: one program has the chip to itself
    """

    program: ClusterProgram
    arguments: Mapping[str, Node]
    steps: Mapping[int, Sequence[Planned]] = field(default_factory=dict)
    numbers: dict[str, int | float] = field(default_factory=dict)

    def ready(self, memory: Memory, inputs: Mapping[str, np.ndarray]) -> None:
        self.numbers = {name: array.item() for name, array in inputs.items() if not array.ndim}

    def host(self, memory: Memory) -> Mapping[int, Iterable[Launch | Copy]]:
        every = [step for steps in self.steps.values() for step in steps]
        of_host = arrays_of_host(every, self.variables)
        return {
            stream: [step.action(self.numbers, of_host) for step in steps]
            for stream, steps in self.steps.items()
        }

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
                f"type {sizes[name].dtype}, and {bytes_in_memory(inputs[name])} are given"
            )
            for name in self.variables
            if bytes_in_memory(inputs[name]) != sizes[name].size
        ]

    def _types(
        self, inputs: Mapping[str, np.ndarray], buffers: Mapping[str, ProgramBuffer]
    ) -> list[Diagnostic]:
        """Arrays whose elements are of other types, and not the bits of theirs."""
        return [
            self.arguments[name].finding(
                f"buffer '{name}' has elements of type {buffers[name].dtype}, and {dtype} are given"
            )
            for name in self.variables
            for dtype in [DTYPE_NAMES[inputs[name].dtype]]
            if dtype not in _types_for(buffers[name].dtype)
        ]


def _types_for(type: Type) -> tuple[str, ...]:
    """The types of arrays that fill a buffer: its own, and integers of as many bits."""
    bits = [f"u{type.bits}", *([f"i{type.bits}"] if type in IN_MEMORY else [])]
    return (type.name, *(name for name in bits if name in ELEMENTS))


def bind(compiled: Any, case: Any) -> Filled:
    """The program, its parameters, its buffers, and what the host does; raises InputError."""
    program, machine = compiled.program, compiled.machine.description
    planned = [plan(node, form, program, machine) for node, form in case.steps]
    _must_mean_one(planned, case)
    asked = {name for step in planned for name in step.asks}
    if not planned:
        _must_have_an_entry(compiled)
        asked = {parameter.name for parameter in program.parameters}
    wanted = {n: one for n, one in wanted_parameters(program, None).items() if n in asked}
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
    streams: dict[int, list[Planned]] = {}
    for step in planned:
        streams.setdefault(step.form.stream, []).append(step)
    findings = [*copy_findings(streams, case.expect)]
    if findings:
        raise InputError(findings)
    return Filled(program, wanted, case.arguments, dict(sorted(streams.items())))


def _must_mean_one(planned: Sequence[Planned], case: Any) -> None:
    """Raises InputError for an argument that is a parameter of one type here, of another there."""
    first: dict[str, tuple[str, Type]] = {}
    for step, (node, _) in zip(planned, case.steps, strict=True):
        for parameter in step.kernel.parameters if step.kernel else ():
            name, own = parameter.name, (step.kernel.name, parameter.type)
            kernel, type = first.setdefault(name, own) if name in step.asks else own
            if type is not parameter.type:
                message = f"'{name}' is {type} of '{kernel}' and {parameter.type} of '{own[0]}'"
                hint = f"give it here: arguments: {{{name}: …}}, or another name there"
                raise InputError(node.finding(message, hint, key="kernel"))


def _must_have_an_entry(compiled: Any) -> None:
    if compiled.program.entry is None:
        known = ", ".join(kernel.name for kernel in compiled.program.kernels)
        message = f"which kernel runs is not said: {known}"
        hint = "entry: NAME, or tasks: [{kernel: NAME, type: union1, dim: 4}]"
        raise InputError(compiled.workload.tree.finding(message, hint, key="program"))


def entries(workload: Any) -> tuple[str, ...]:
    """The kernels that launches name, the entry first; none if only the entry is launched."""
    steps = [form for case in workload.cases() for _, form in case.steps]
    named = [form.kernel for form in steps if isinstance(form, TaskForm) and form.kernel]
    if not named:
        return ()
    entry = [workload.form.entry] if workload.form.entry else []
    return tuple(dict.fromkeys((*entry, *named)))


BINDING = Binding(bind, section=TaskSection, entries=entries, alignment=PAGE)
