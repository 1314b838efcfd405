"""What a workload writes of the host of a chip: launches of tasks, and copies.

    tasks:
      - {copy: x, to: device}
      - {kernel: scale, type: block, dim: 64, arguments: {factor: 2.5}}
      - {kernel: sums, type: union1, dim: 8, stream: 1, arrival: 2000 cycles}

Steps of a stream follow each other, streams run side by side.  Which types there are, and how many
tasks of each are a job, `machines.kinds.cluster.tasks` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field

from machines.description.schema import Cycles
from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, nearest
from machines.instructions.cluster_control import BARRIERS, OF_ALL_CLUSTERS, is_send
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import ClusterProgram, Interval, Kernel
from machines.kinds.cluster.queues import MEM
from machines.kinds.cluster.tasks import BLOCK, TaskType, misfit
from sim.bounds import MOST_CYCLES
from sim.forms import Form
from sim.kinds import Section, Steps

MOST_TASKS = 1_000_000
OF_A_CLUSTER = set(BARRIERS) - set(OF_ALL_CLUSTERS)


class TaskForm(Form):
    """One launch or copy."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kernel: str | None = Field(None, description="The kernel to launch; the entry if left out.")
    type: TaskType | None = Field(None, description="What its tasks run on: 'block', 'union1', ….")
    dim: int | None = Field(None, ge=1, le=MOST_TASKS, description="How many tasks it has.")
    arguments: dict[str, Any] | None = Field(
        None, description="Parameters that are not as the workload's arguments of their names."
    )
    transfer: str | None = Field(None, alias="copy", description="An array to copy.")
    to: Literal["device", "host"] | None = Field(None, description="Where the copy goes.")
    stream: int = Field(0, ge=0, description="Steps of one stream follow each other.")
    arrival: Cycles = Field(
        0, ge=0, le=MOST_CYCLES, description="The cycle before which the host does not begin it."
    )


class TaskSection(Section):
    """Keys of a workload that say what the host does."""

    tasks: list[TaskForm] | None = Field(
        None, description="On a cluster machine: what the host does, launches and copies in order."
    )

    def steps(self, holder: Node) -> Steps:
        """The launches and copies of the workload or of one variant, each with its node."""
        written = holder.value["tasks"].value if self.tasks else ()
        own = tuple(zip(written, self.tasks or (), strict=True))
        return own or super().steps(holder)

    def step_findings(self, holder: Node, arguments: Mapping[str, Node]) -> Iterator[Diagnostic]:
        """Findings in launches and copies beyond their keys' types."""
        if self.tasks is not None and not self.tasks:
            yield holder.finding("the host does nothing", "leave 'tasks' out", key="tasks")
        for node, step in self.steps(holder):
            if isinstance(step, TaskForm):
                yield from _findings(node, step, arguments)
        yield from super().step_findings(holder, arguments)


def _findings(node: Node, form: TaskForm, arguments: Mapping[str, Node]) -> Iterator[Diagnostic]:
    if form.transfer is None:
        if form.to is not None:
            yield node.finding("only a copy goes somewhere", "leave 'to' out", key="to")
        for key, example in (("type", "type: union1"), ("dim", "dim: 4")):
            if getattr(form, key) is None:
                yield node.finding(f"a launch needs '{key}'", example)
        return
    for key in ("kernel", "type", "dim", "arguments"):
        if node.gives(key):
            yield node.finding(f"a copy has no '{key}'", "leave it out", key=key)
    if form.to is None:
        yield node.finding("a copy says where it goes", "to: device, or to: host", key="copy")
    if form.transfer not in arguments:
        hint = nearest(form.transfer, arguments)
        yield node.value["copy"].finding(f"there is no argument '{form.transfer}'", hint)


# What a machine and a kernel say of a launch


def launch_findings(
    node: Node, form: TaskForm, kernel: Kernel, program: ClusterProgram, chip: Cluster
) -> Iterator[Diagnostic]:
    """Why a chip cannot run a launch of a kernel."""
    problem = misfit(form.type, form.dim, chip)
    if problem is not None:
        key, message, hint = problem
        yield node.finding(message, hint, key=key)
    wants = next(_beyond_a_core(kernel, program), None) if form.type == BLOCK else None
    if wants is not None:
        message = f"a task of type block has a core for itself, and '{kernel.name}' {wants}"
        yield node.finding(message, "type: union1", key="type")
    known = {parameter.name for parameter in kernel.parameters}
    for name in form.arguments or ():
        if name not in known:
            message = f"'{kernel.name}' has no parameter '{name}'"
            yield node.value["arguments"].finding(message, nearest(name, known), key=name)


def _beyond_a_core(kernel: Kernel, program: ClusterProgram) -> Iterator[str]:
    """What it does that takes more than a core."""
    sram = {buffer.name for buffer in kernel.scratchpads if buffer.space == "sram"}
    for code in kernel.codes:
        if code.role == MEM:
            yield f"has @{code.name} for the MEM core beside it"
        for position, instruction in enumerate(code.code):
            location = program.locations[code.first + position]
            at = f"{f' at {location}' if location else ''} ('{instruction.row}')"
            if is_send(instruction.row):
                yield f"sends to others{at}"
            elif instruction.row.name in OF_A_CLUSTER:
                yield f"meets the others of its cluster{at}"
            elif any(isinstance(o, Interval) and o.buffer in sram for o in instruction.operands):
                yield f"works in SRAM{at}"
