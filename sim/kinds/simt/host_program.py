"""The host of a SIMT machine at work: a workload's launches, copies and loops, one after another.

    host = HostProgram(plan(…), …)
    for action in host.actions(device):      # Launch or Copy; asked for the next, it reads flags
        …

A loop is do-while, as hosts write it: clear the flag, do the steps, let arrays change places, look
whether to go on.  A name stands for the array that the swaps so far have put there, also behind the
loop; what a workload expects of a name is the array's own.  Every stream has names of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

from machines.cxx_names import demangled, named, several, usable
from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.elements import type_of
from machines.kinds.simt.clusters import clustered
from machines.kinds.simt.clusters import objection as cluster_objection
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.occupancy import occupancy
from machines.kinds.simt.program import Kernel, KernelParameter, WarpProgram
from machines.layout import Memory
from machines.threads.grid import Grid
from machines.types import F32, F64
from sim.cores.rest import Script
from sim.cores.simt.host_steps import Copy, Launch
from sim.forms import Wanted
from sim.kinds.simt.launch_values import (
    Names,
    Number,
    Pointer,
    Room,
    State,
    Structure,
    Value,
    check_structure,
    described,
    parameter_bytes,
    read_number,
    read_value,
)
from sim.kinds.simt.launches import (
    CLUSTER,
    EXTENTS,
    MOST_REPETITIONS,
    Repeat,
    StepForm,
    read_extents,
    swaps_of,
)
from sim.workload.values import is_array

if TYPE_CHECKING:
    import numpy as np

Signatures = Mapping[str, Mapping[str, Any]]
"""What the source language knows of kernels' arguments: by kernel, by parameter."""


# ---- Where it is done ---------------------------------------------------------------------------


class Device(Protocol):
    """The arrays of the device, as the host sees them."""

    def address(self, array: str) -> int: ...

    def clear(self, array: str) -> None: ...

    def is_clear(self, array: str) -> bool: ...

    def digest(self, array: str) -> str:
        """Of its content."""
        ...


@dataclass(frozen=True)
class InMemory:
    """Arrays in a simulated memory; `variables` are arguments that fill one of the program's."""

    memory: Memory
    variables: Mapping[str, str] = field(default_factory=dict)

    def address(self, array: str) -> int:
        return self.memory.address(self.variables.get(array, array))

    def view(self, array: str) -> np.ndarray:
        return self.memory.view(self.variables.get(array, array))

    def clear(self, array: str) -> None:
        self.view(array)[:] = 0

    def is_clear(self, array: str) -> bool:
        return not self.view(array).any()

    def digest(self, array: str) -> str:
        return hashlib.sha256(self.view(array)).hexdigest()


@dataclass(frozen=True)
class Remembered:
    """A device of which a script remembers what the host saw."""

    device: InMemory
    script: Script

    def address(self, array: str) -> int:
        return self.device.address(array)

    def clear(self, array: str) -> None:
        self.script.change(lambda: self.device.clear(array))

    def is_clear(self, array: str) -> bool:
        return self.script.look(lambda: self.device.is_clear(array))

    def digest(self, array: str) -> str:
        return self.script.look(lambda: self.device.digest(array))


# ---- What is planned ----------------------------------------------------------------------------


@dataclass(frozen=True)
class PlannedLaunch:
    """A launch with its kernel, and a value for each of the kernel's parameters.

    cluster  its extents as far as the launch says them
    reads  arguments that it names
    in_line  whether its blocks and threads have to lie along x
    """

    node: Node
    form: StepForm
    kernel: Kernel
    values: tuple[Value, ...]
    types: tuple[str | None, ...]
    grid: tuple[Number, ...]
    block: tuple[Number, ...]
    by_name: bool
    reads: frozenset[str]
    in_line: bool = False
    cluster: tuple[Number, ...] = ()


@dataclass(frozen=True)
class PlannedCopy:
    form: StepForm

    @property
    def reads(self) -> frozenset[str]:
        return frozenset((self.form.transfer,))


@dataclass(frozen=True)
class PlannedLoop:
    """A loop; `most` is how often at most, exactly so often if it has no condition."""

    node: Node
    repeat: Repeat
    most: Number
    steps: tuple[PlannedStep, ...]

    @property
    def reads(self) -> frozenset[str]:
        arrays = (self.repeat.flag, self.repeat.until_same)
        swapped = (name for ring in swaps_of(self.repeat) for name in ring)
        named = {*self.most.names, *swapped, *(name for name in arrays if name is not None)}
        return frozenset(named).union(*(step.reads for step in self.steps))


PlannedStep = PlannedLaunch | PlannedCopy | PlannedLoop


def launches_in(steps: Iterable[PlannedStep]) -> Iterator[PlannedLaunch]:
    """The launches of steps, also those in loops."""
    for step in steps:
        if isinstance(step, PlannedLaunch):
            yield step
        elif isinstance(step, PlannedLoop):
            yield from launches_in(step.steps)


@dataclass(frozen=True)
class Planner:
    """Finds the kernels of launches and the values of their parameters.

    ordered  the arguments that parameters take in order, where they have other names
    in_line  kernels whose blocks and threads have to lie along x
    """

    program: WarpProgram
    ordered: Sequence[str]
    signatures: Signatures
    in_line: Collection[str] = ()

    def plan(self, steps: Sequence[tuple[Node, StepForm]], names: Names) -> tuple[PlannedStep, ...]:
        """The steps; raises InputError, with every finding, where a launch names no kernel of the
        program or its arguments do not fit."""
        planned, findings = [], []
        for node, form in steps:
            try:
                planned.append(self._step(node, form, names))
            except InputError as error:
                findings += error.diagnostics
        if findings:
            raise InputError(findings)
        return tuple(planned)

    def _step(self, node: Node, form: StepForm, names: Names) -> PlannedStep:
        if form.transfer is not None:
            return PlannedCopy(form)
        if form.repeat is None:
            return self._launch(node, form, names)
        repeat, written = form.repeat, node.value["repeat"].value
        most = read_number(written["most" if repeat.times is None else "times"], names)
        inside = names.with_counter(repeat.counter)
        if form.steps is None:
            steps = (self._launch(node, form, inside),)
        else:
            inner = zip(node.value["steps"].value, form.steps, strict=True)
            steps = self.plan(list(inner), inside)
        return PlannedLoop(node, repeat, most, steps)

    def _launch(self, node: Node, form: StepForm, names: Names) -> PlannedLaunch:
        kernel = self._kernel(node, form)
        values, reads, by_name = self._bind(node, form, kernel, names)
        parameters = kernel.frame.parameters
        known = self.signatures.get(kernel.name, {})
        types = tuple(
            known[p.name].dtype if p.name in known and known[p.name].shape is None else None
            for p in parameters
        )
        grid, block = (read_extents(node.value[key], names) for key in ("grid", "block"))
        cluster = read_extents(node.value["cluster"], names) if node.gives("cluster") else ()
        for value in (*values, *grid, *block, *cluster):
            reads |= set(value.names)
        for value, parameter in zip(values, parameters, strict=True):
            if isinstance(value, Structure):
                check_structure(value, parameter)
        for value, parameter, type in zip(values, parameters, types, strict=True):
            if not any(value.names):
                parameter_bytes(value, parameter, type, State({}, {}, lambda array: 0))
        arguments = frozenset(reads & set(names.arguments))
        return PlannedLaunch(
            node, form, kernel, values, types, grid, block, by_name, arguments,
            kernel.name in self.in_line, cluster,
        )  # fmt: skip

    def _kernel(self, node: Node, form: StepForm) -> Kernel:
        """The kernel that a launch means."""
        kernels = self.program.kernels
        name = form.kernel or self.program.entry
        blamed = node.value.get("kernel", node)
        if name is None:
            hint = f"kernel: one of {', '.join(usable(kernels))}"
            raise InputError(blamed.finding("which kernel runs is not said", hint))
        found = named(name, kernels)
        if len(found) > 1:
            raise InputError(blamed.finding("which kernel runs is not clear", several(name, found)))
        if not found:
            message = f"the program has no kernel '{name}'"
            known = usable(dict.fromkeys((*self.signatures, *kernels)))
            raise InputError(blamed.finding(message, nearest(name, known)))
        return kernels[found[0]]

    def _bind(
        self, node: Node, form: StepForm, kernel: Kernel, names: Names
    ) -> tuple[tuple[Value, ...], set[str], bool]:
        """The values of a kernel's parameters: what the launch lists, else the arguments of their
        names, else all arguments in order; and the arguments named so."""
        parameters = kernel.frame.parameters
        by_name = form.arguments is None and all(p.name in names.arguments for p in parameters)
        if form.arguments is not None:
            written = node.value["arguments"].value
        else:
            given = [p.name for p in parameters] if by_name else self.ordered
            nodes = [names.arguments[name] for name in given]
            pairs = zip(given, nodes, strict=True)
            written = [Node(name, one.location, one.text) for name, one in pairs]
        if len(written) != len(parameters):
            wanted = ", ".join(map(described, parameters)) or "none"
            hint = f"its parameters: {wanted}"
            if form.arguments is None:
                hint += f"; it gets all arguments in order ({', '.join(self.ordered) or 'none'})"
                hint += " unless they are listed: arguments: [x, y, n]"
            name, blamed = demangled(kernel.name), node.value.get("arguments", node)
            message = f"kernel '{name}' takes {len(parameters)} arguments, not {len(written)}"
            raise InputError(blamed.finding(message, hint))
        reads = {one.value for one in written if isinstance(one.value, str)}
        return tuple(read_value(one, names) for one in written), reads, by_name


# ---- What the kernels want of the workload's arguments ------------------------------------------


def wanted_arguments(
    steps: Sequence[PlannedStep], names: Names, signatures: Signatures
) -> dict[str, Wanted]:
    """What is wanted of the arguments that steps name, in the order in which they do.

    Raises InputError if two kernels want one array in ways that exclude each other.
    """
    found: dict[str, Wanted] = {}
    for step in steps:
        if isinstance(step, PlannedLaunch):
            _want(step, names, signatures, found)
        elif isinstance(step, PlannedLoop):
            for wanted in wanted_arguments(step.steps, names, signatures).values():
                _merge(step.node, found, wanted)
        for name in sorted(step.reads, key=list(names.arguments).index):
            want_plainly(name, names, found)
    return found


def want_plainly(name: str, names: Names, found: dict[str, Wanted]) -> None:
    """Want an argument that is read as whatever it is, unless more is wanted of it already."""
    argument = names.arguments[name]
    if is_array(argument):
        found.setdefault(name, Wanted(name, None, ()))
    elif isinstance(argument.value, bool | int | float):
        found.setdefault(name, Wanted(name, _own_type(argument)))


def _want(
    step: PlannedLaunch, names: Names, signatures: Signatures, found: dict[str, Wanted]
) -> None:
    signature = signatures.get(step.kernel.name, {})
    for parameter, value in zip(step.kernel.frame.parameters, step.values, strict=True):
        declared = signature.get(parameter.name)
        if isinstance(value, Pointer) and value.array is not None:
            extents: tuple = ()
            if declared is not None and declared.shape is not None and value.offset is None:
                extents = declared.shape
                if not step.by_name:  # extents name other parameters
                    extents = tuple(one if isinstance(one, int) else None for one in extents)
            dtype = declared.dtype if declared is not None else None
            _merge(step.node, found, Wanted(value.array, dtype, extents))
        elif isinstance(value, Number) and value.name in names.arguments:
            argument = names.arguments[value.name]
            dtype = _scalar_type(parameter, declared, argument)
            _merge(step.node, found, Wanted(value.name, dtype))
        elif isinstance(value, Structure):
            for _, type, part in value.parts:
                if isinstance(part, Number) and part.name in names.arguments:
                    argument = names.arguments[part.name]
                    dtype = type if type in ("f32", "f64") else _own_type(argument)
                    _merge(step.node, found, Wanted(part.name, dtype))


def _merge(node: Node, found: dict[str, Wanted], wanted: Wanted) -> None:
    """Keep what is wanted of an argument, together with what was before."""
    before = found.setdefault(wanted.name, wanted)
    if wanted.is_array and before.is_array:
        if before.dtype is None or not before.extents:
            found[wanted.name] = replace(
                before,
                dtype=before.dtype or wanted.dtype,
                extents=before.extents or wanted.extents,
            )
        if None not in (wanted.dtype, before.dtype) and wanted.dtype != before.dtype:
            message = f"'{wanted.name}' is {wanted} here, and {before} in an earlier launch"
            raise InputError(node.finding(message, "give the kernels arguments of their own"))
    elif "f64" in (wanted.dtype, before.dtype) or wanted.dtype == "f32":
        found[wanted.name] = before if before.dtype == "f64" else wanted


def _scalar_type(parameter: KernelParameter, declared: Any, argument: Node) -> str:
    """The type in which expectations see a scalar: a float as its parameter rounds it."""
    if declared is not None and declared.shape is None:
        return declared.dtype
    if parameter.type in (F32, F64):
        return parameter.type.name
    return _own_type(argument)


def _own_type(argument: Node) -> str:
    value = argument.value
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float):
        return "f64"
    return "u64" if value >= 1 << 63 else "i64"


# ---- Doing it -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class HostProgram:
    """Steps that can be done, as often as one likes.

    numbers  the workload's scalars, as written
    arrays   (type of an element, elements) of its arrays
    tables   (bytes of an element, elements) of those that are tables
    shapes   their extents
    """

    machine: Simt
    steps: tuple[PlannedStep, ...]
    numbers: Mapping[str, int | float | bool]
    arrays: Mapping[str, tuple[np.dtype, int]]
    tables: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def streams(self) -> list[int]:
        return sorted({_stream(step) for step in self.steps})

    def actions(self, device: Device, stream: int | None = None) -> Iterator[Launch | Copy]:
        """What is done, in order: all of it, or what one stream does.

        Raises InputError where an extent, an offset or a number of a launch is none.
        """
        steps = [step for step in self.steps if stream is None or _stream(step) == stream]
        yield from _Walk(self, device, self.state(device)).steps(steps)

    def check(self, device: Device) -> None:
        """Raise InputError, with every finding, if a launch cannot be: all those without loops, and
        the first ones in loops."""
        findings = list(_first_findings(self.machine, self.steps, self.state(device)))
        if findings:
            raise InputError(list(dict.fromkeys(findings)))

    def state(self, device: Device) -> State:
        """What names stand for before the first step."""
        return State(
            dict(self.numbers),
            self.arrays,
            device.address,
            tables=self.tables,
            shapes=self.shapes,
        )


def _stream(step: PlannedStep) -> int:
    if isinstance(step, PlannedLoop):
        return step.node.value["stream"].value if step.node.gives("stream") else 0
    return step.form.stream


class _Walk:
    """Goes through steps once; counts repetitions, so that empty loops end too."""

    def __init__(self, host: HostProgram, device: Device, state: State):
        self.machine, self.device, self.state = host.machine, device, state
        self.repetitions = 0

    def steps(self, steps: Iterable[PlannedStep], stream: int | None = None):
        for step in steps:
            if isinstance(step, PlannedLoop):
                yield from self.loop(step, _stream(step) if stream is None else stream)
            elif isinstance(step, PlannedCopy):
                array = self.state.array(step.form.transfer)
                dtype, count = self.state.arrays[array]
                size = type_of(dtype).size(count)
                yield Copy(array, step.form.to, size, _stream(step) if stream is None else stream)
            else:
                made = launch_of(self.machine, step, self.state)
                yield made if stream is None else replace(made, stream=stream)

    def loop(self, loop: PlannedLoop, stream: int) -> Iterator[Launch | Copy]:
        state, device, repeat = self.state, self.device, loop.repeat
        for number in range(_times(loop, state)):
            self.repetitions += 1
            if self.repetitions > MOST_REPETITIONS:
                message = f"loops are repeated more than {MOST_REPETITIONS} times"
                raise InputError(loop.node.finding(message, key="repeat"))
            flag = state.array(repeat.flag) if repeat.flag else None
            if flag is not None:
                device.clear(flag)
            before = self._watched(repeat)
            state.numbers[repeat.counter] = number
            yield from self.steps(loop.steps, stream)
            del state.numbers[repeat.counter]
            for ring in swaps_of(repeat):
                arrays = [state.array(name) for name in ring]
                state.aliases |= zip(ring, arrays[1:] + arrays[:1], strict=True)
            if flag is not None and device.is_clear(flag):
                break
            if repeat.until_same is not None and before == self._watched(repeat):
                break

    def _watched(self, repeat: Repeat) -> str | None:
        if repeat.until_same is None:
            return None
        return self.device.digest(self.state.array(repeat.until_same))


def _times(loop: PlannedLoop, state: State) -> int:
    least, what = (0, "times") if loop.repeat.times is not None else (1, "most")
    return loop.most.integer(state, f"'{what}'", least, MOST_REPETITIONS)


def _first_findings(
    machine: Simt, steps: Iterable[PlannedStep], state: State
) -> Iterator[Diagnostic]:
    for step in steps:
        try:
            if isinstance(step, PlannedLaunch):
                launch_of(machine, step, state)
            elif isinstance(step, PlannedLoop) and _times(step, state):
                yield from _ring_findings(step, state)
                inside = {**state.numbers, step.repeat.counter: 0}
                yield from _first_findings(machine, step.steps, replace(state, numbers=inside))
        except InputError as error:
            yield from error.diagnostics


def _ring_findings(loop: PlannedLoop, state: State) -> Iterator[Diagnostic]:
    """Arrays that change places are of one type: kernels read them as what they were."""
    for ring in swaps_of(loop.repeat):
        types = [state.arrays[name][0] for name in ring]
        if len(set(types)) > 1:
            message = f"arrays of {' and '.join(map(str, types))} cannot change places"
            yield loop.node.value["repeat"].finding(message, key="swap")


def _rooms(step: PlannedLaunch, state: State) -> tuple[dict[str, int], int]:
    """Where in shared memory each parameter's room begins, and how much dynamic shared memory that
    takes: what the launch asks for comes first."""
    frame = step.kernel.frame
    begin = frame.shared_bytes(1) - 1
    found, end = {}, begin + step.form.shared
    for parameter, value in zip(frame.parameters, step.values, strict=True):
        if isinstance(value, Room) and parameter.room:
            end = -(-end // parameter.room) * parameter.room
            found[parameter.name] = end
            end += value.bytes(state)
    return found, end - begin


def launch_of(machine: Simt, step: PlannedLaunch, state: State) -> Launch:
    """A launch as it is when its turn comes.

    Raises InputError if an extent or an argument is none, or a block fits no SM.
    """
    extents = []
    given_extents = step.grid, step.block, step.cluster
    for (key, _, most), given in zip((*EXTENTS, CLUSTER), given_extents, strict=True):
        numbers = [
            one.integer(state, f"'{key}'", 1, highest)
            for one, highest in zip(given, most, strict=False)
        ]
        extents.append((*numbers, 1, 1)[:3])
    kernel = step.kernel
    rooms, dynamic = _rooms(step, state)
    *three, cluster = extents
    grid = clustered(kernel.frame, Grid(*three, dynamic, cluster if step.cluster else None))
    if step.in_line and grid.block_threads % machine.warp_width:
        message = f"'{kernel.name}' is a function of arrays, whose blocks are of whole warps"
        hint = f"block: [{-(-grid.block_threads // machine.warp_width) * machine.warp_width}]"
        raise InputError(step.node.value["block"].finding(message, hint))
    for key, extents in (("grid", grid.blocks), ("block", grid.threads)):
        if step.in_line and max(extents[1:]) > 1:
            message = f"'{kernel.name}' is a function of arrays, whose threads lie along x alone"
            raise InputError(step.node.value[key].finding(message, f"{key}: [{prod(extents)}]"))
    if objection := kernel.frame.objection(grid.threads):
        raise InputError(step.node.value["block"].finding(*objection))
    if found := cluster_objection(machine, kernel.frame, grid):
        blamed = step.node.value["cluster" if step.cluster else "grid"]
        raise InputError(blamed.finding(*found))
    try:
        shared = kernel.frame.shared_bytes(grid.dynamic_shared)
        found = occupancy(machine, prod(grid.threads), kernel.registers, shared)
    except InputError as error:
        block = step.node.value["block"]
        raise InputError([block.finding(d.message, d.hint) for d in error.diagnostics]) from None
    if kernel.frame.meets and not step.form.cooperative:
        message = f"the blocks of '{kernel.name}' wait for each other, which a plain launch forbids"
        raise InputError(step.node.finding(message, "cooperative: true", key="grid"))
    if step.form.cooperative and grid.block_count > found.ctas * machine.sms:
        message = f"a cooperative launch of {grid.block_count} blocks, of which no more than "
        message += f"{found.ctas * machine.sms} are resident at once ({found.ctas} on each SM)"
        raise InputError(step.node.value["grid"].finding(message, "launch fewer blocks"))
    space = bytearray(max((p.offset + p.bytes for p in kernel.frame.parameters), default=0))
    for parameter, value, type in zip(
        kernel.frame.parameters, step.values, step.types, strict=True
    ):
        encoded = parameter_bytes(value, parameter, type, state)
        if isinstance(value, Room):
            encoded = rooms[parameter.name].to_bytes(parameter.bytes, "little")
        space[parameter.offset : parameter.offset + parameter.bytes] = encoded
    return Launch(kernel.name, grid, bytes(space), step.form.stream)
