"""Steps of a chip's host with the kernels that they launch: from a workload to actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, nearest
from machines.elements import DTYPES
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import ClusterProgram, Kernel
from sim.cores.cluster.host_steps import Copy, Launch
from sim.kinds.cluster.tasks import TaskForm, launch_findings
from sim.workload.inputs import literal
from sim.workload.signature import wanted_parameters


@dataclass(frozen=True)
class Planned:
    """A step; a copy has no kernel.

    given  values of parameters that the step itself says
    """

    form: TaskForm
    kernel: Kernel | None = None
    given: Mapping[str, int | float] = field(default_factory=dict)

    @property
    def asks(self) -> list[str]:
        """The parameters that the workload's arguments give values."""
        parameters = self.kernel.parameters if self.kernel else ()
        return [p.name for p in parameters if p.name not in self.given]

    def action(
        self, numbers: Mapping[str, int | float], of_host: tuple[str, ...] = ()
    ) -> Launch | Copy:
        """What the host does; `numbers` are the workload's arguments, and `of_host` its arrays that
        are not in DRAM until a copy brings them."""
        form = self.form
        if self.kernel is None:
            return Copy(form.transfer, form.to, form.arrival)
        arguments = {**{name: numbers[name] for name in self.asks}, **self.given}
        return Launch(self.kernel.name, form.type, form.dim, arguments, form.arrival, of_host)


def plan(node: Node, form: TaskForm, program: ClusterProgram, chip: Cluster) -> Planned:
    """A step of a workload; raises InputError for what the chip cannot do."""
    if form.transfer is not None:
        buffers = [buffer.name for buffer in program.buffers]
        if form.transfer not in buffers:
            message = f"'{form.transfer}' fills no buffer in DRAM"
            hint = nearest(form.transfer, buffers)
            raise InputError(node.value["copy"].finding(message, hint))
        return Planned(form)
    kernel = _kernel(node, form, program)
    findings = [*launch_findings(node, form, kernel, program, chip)]
    if findings:
        raise InputError(findings)
    dtypes = {name: one.dtype for name, one in wanted_parameters(kernel, None).items()}
    given = {
        name: literal(node.value["arguments"].value[name], DTYPES[dtypes[name]], f"'{name}'").item()
        for name in form.arguments or ()
    }
    return Planned(form, kernel, given)


def _kernel(node: Node, form: TaskForm, program: ClusterProgram) -> Kernel:
    name = form.kernel or program.entry
    known = [kernel.name for kernel in program.kernels]
    if name is None:
        hint = f"kernel: {' | '.join(known)}"
        raise InputError(node.finding("which kernel is launched is not said", hint))
    if name not in known:
        message = f"the program has no kernel '{name}'"
        raise InputError(node.value["kernel"].finding(message, nearest(name, known)))
    return program.kernel(name)
