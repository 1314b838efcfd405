"""How a workload runs on a SIMT machine: its steps become launches of kernels and copies, its
arguments fill parameters of kernels and variables of the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from machines.cxx_names import demangled
from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError
from machines.kinds.simt import printing
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.occupancy import fits, occupancy
from machines.kinds.simt.program import WarpProgram
from machines.later import Later
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.rest import Script
from sim.cores.simt.host_steps import Copy, Launch
from sim.kinds import Binding, Bound, Steps
from sim.kinds.printed import Printed
from sim.kinds.simt.device_variables import variable_findings, variables_given, wanted_variables
from sim.kinds.simt.generators import GENERATORS
from sim.kinds.simt.host_program import (
    HostProgram,
    InMemory,
    PlannedLoop,
    PlannedStep,
    Planner,
    Remembered,
    launches_in,
    want_plainly,
    wanted_arguments,
)
from sim.kinds.simt.launch_values import Names
from sim.kinds.simt.launches import LaunchSection, StepForm, kernels_of
from sim.kinds.simt.printed_records import printed_by_kernels
from sim.kinds.simt.tables import Table, reached, read_tables
from sim.workload.values import is_array

np = Later("numpy")


@dataclass
class Grids(Bound):
    """A case of kernels on grids.

    steps      what the host does
    filled     variables of the program that arguments fill, by argument
    tables     arguments whose elements are pointers or structures
    """

    program: WarpProgram
    machine: Simt
    arguments: Mapping[str, Node]
    steps: tuple[PlannedStep, ...]
    filled: Mapping[str, str]
    tables: Mapping[str, Table]
    plan: HostProgram = field(init=False)

    @property
    def variables(self) -> Mapping[str, str]:
        return self.filled

    def input_findings(self, inputs: Mapping[str, np.ndarray]) -> list[Diagnostic]:
        return variable_findings(self.filled, self.program, self.arguments, inputs)

    @property
    def prints(self) -> bool:
        return self._has_records or super().prints

    @property
    def _has_records(self) -> bool:
        return any(buffer.name == printing.BUFFER for buffer in self.program.buffers)

    def printed(self, memory: Memory) -> Printed:
        return printed_by_kernels(memory) if self._has_records else super().printed(memory)

    @property
    def made(self) -> Mapping[str, np.ndarray]:
        return {name: self.tables[name].empty() for name in self.tables if name in self.wanted}

    def place(self, memory: Memory, inputs: Mapping[str, np.ndarray]) -> None:
        state = self._plan(inputs).state(InMemory(memory, self.filled))
        for name in self.made:
            data = np.frombuffer(self.tables[name].bytes(state), inputs[name].dtype)
            inputs[name][...] = data.reshape(inputs[name].shape)

    def ready(self, memory: Memory, inputs: Mapping[str, np.ndarray]) -> None:
        self.plan = self._plan(inputs)
        self.plan.check(InMemory(memory, self.filled))

    def _plan(self, inputs: Mapping[str, np.ndarray]) -> HostProgram:
        numbers = {
            name: node.value
            for name, node in self.arguments.items()
            if isinstance(node.value, bool | int | float)
        }
        sizes = {name: (array.dtype, array.size) for name, array in inputs.items() if array.ndim}
        tables = {name: (table.size, len(table.elements)) for name, table in self.tables.items()}
        shapes = {name: array.shape for name, array in inputs.items() if array.ndim}
        return HostProgram(self.machine, self.steps, numbers, sizes, tables, shapes)

    def actions(self, memory: Memory) -> Iterator[Launch | Copy]:
        """What the host does, all streams in the order of the file, for who runs it without
        time."""
        return self.plan.actions(InMemory(memory, self.filled))

    def host(self, memory: Memory) -> Mapping[int, Iterable[Any]]:
        return {stream: self._script(memory, stream) for stream in self.plan.streams}

    def _script(self, memory: Memory, stream: int) -> Script:
        device = InMemory(memory, self.filled)
        return Script(lambda script: self.plan.actions(Remembered(device, script), stream))


def bind(compiled: Any, case: Any) -> Grids:
    """The launches of a case with their kernels, and what they want; raises InputError."""
    machine, program = compiled.machine, compiled.program
    steps = case.steps or _whole_machine(compiled)
    if not steps:
        message = f"{machine.name} runs kernels on a grid of threads, and none is given"
        tree = compiled.workload.tree
        raise InputError(tree.finding(message, "launch: {grid: [64], block: [256]}"))
    variables = variables_given(program, case.arguments)
    names = Names(case.arguments)
    tables = read_tables(names)
    named = frozenset().union(*(table.names - {name} for name, table in tables.items()))
    behind = {name for name in named if is_array(case.arguments[name])}
    ordered = [name for name in case.arguments if name not in variables and name not in behind]
    in_line = [name for name, one in compiled.made.functions.items() if one.body is not None]
    planned = Planner(program, ordered, compiled.signatures, in_line).plan(steps, names)
    _launched_once(planned)
    for launch in launches_in(planned):
        if launch.by_name:
            for parameter in launch.kernel.frame.parameters:
                variables.pop(parameter.name, None)
    read = reached(tables, frozenset().union(variables, *(step.reads for step in planned)))
    _must_be_read(case.arguments, read, program)
    wanted = wanted_arguments(planned, names, compiled.signatures)
    for name in case.arguments:
        if name in read and name not in variables:
            want_plainly(name, names, wanted)
    wanted |= wanted_variables(variables, program, case.arguments)
    machine = machine.description
    return Grids(program, wanted, machine, case.arguments, planned, variables, tables)


def _launched_once(planned: Sequence[PlannedStep]) -> None:
    """Refuse a second launch of a function that all threads execute together: words in which they
    count each other are 0 as the first begins, and no longer as it ends."""
    again = [one for one in launches_in(planned) if one.in_line][1:]
    for step in planned:
        if isinstance(step, PlannedLoop):
            again += [one for one in launches_in(step.steps) if one.in_line]
    if again:
        message = f"'{again[0].kernel.name}' is a function of arrays, which is launched once"
        raise InputError(again[0].node.finding(message, "a loop of it stands in the function"))


def _whole_machine(compiled: Any) -> Steps:
    """The launch of a function that all threads execute together, where the workload has none: as
    many blocks as are resident at once, smaller ones where registers do not suffice; none of a
    kernel."""
    program, machine = compiled.program, compiled.machine.description
    kernel = program.kernels.get(program.entry)
    function = compiled.made.functions.get(program.entry)
    if kernel is None or function is None or function.body is None:
        return ()
    shared = kernel.frame.shared_bytes(0)
    threads = THREADS
    while threads > machine.warp_width and not fits(machine, threads, kernel.registers, shared):
        threads //= 2
    found = occupancy(machine, threads, kernel.registers, shared)
    form = StepForm(grid=[found.ctas * machine.sms], block=[threads], cooperative=True)
    tree = compiled.workload.tree

    def node(value: Any) -> Node:
        return Node(value, tree.location, tree.text)

    extents = {key: node([node(one) for one in getattr(form, key)]) for key in ("grid", "block")}
    return ((node(extents), form),)


def _must_be_read(
    arguments: Mapping[str, Node], read: frozenset[str], program: WarpProgram
) -> None:
    unread = [name for name in arguments if name not in read]
    if unread:
        hint = "leave it out"
        if program.buffers:
            known = ", ".join(demangled(buffer.name) for buffer in program.buffers[:8])
            hint += f"; variables of its kernels: {known}"
        raise InputError(
            [arguments[name].finding(f"no launch reads '{name}'", hint) for name in unread]
        )


def entries(workload: Any) -> tuple[str, ...]:
    """The kernels that launches name, the entry first; none if only the entry is launched."""
    steps = [form for case in workload.cases() for _, form in case.steps]
    own = [form for form in steps if isinstance(form, StepForm)]
    named = dict.fromkeys(name for form in own for name in kernels_of(form))
    if not named:
        return ()
    entry = [workload.form.entry] if workload.form.entry else []
    return tuple(dict.fromkeys((*entry, *named)))


def nothing(program: WarpProgram) -> Mapping[int, Iterable[Any]]:
    """A launch of the entry, of one thread."""
    return {0: (Launch(program.entry or next(iter(program.kernels)), Grid((1, 1, 1), (1, 1, 1))),)}


THREADS = 256
"""Threads of a block where the workload says nothing: enough to hide latencies at any occupancy."""
ALLOCATION = 512
"""Bytes of which addresses that cuMemAlloc gives are multiples, and the least from one to the next,
as an H100 with driver 580.159 returns them."""
BINDING = Binding(
    bind,
    section=LaunchSection,
    entries=entries,
    nothing=nothing,
    values=True,
    alignment=ALLOCATION,
    generators=GENERATORS,
)
