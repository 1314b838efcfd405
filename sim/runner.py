"""Workload → machine → compiled program → memory → simulation → checks → Result.

    result = run("workloads/saxpy/workload.yaml", machine="epic3")

The steps are functions of their own, so that tests can put an interpreter in the simulator's place:
`compile_workload`, `launch`, `execute`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from compiler import Compilation, compile
from compiler.ir.module import Function
from machines.description.load import Machine, load_machine, machine_names
from machines.diagnostics import InputError, input_error, nearest
from machines.kinds.epic.program import BundleProgram
from machines.kinds.simt.grid import Grid
from machines.kinds.simt.kernel_names import demangled
from machines.kinds.simt.program import WarpProgram
from machines.layout import Memory
from sim import options
from sim.cores import Request, core_of, simulate
from sim.cores.simt.host_steps import Launch as LaunchStep
from sim.kinds.simt.device_variables import variable_findings, variables_given, wanted_variables
from sim.kinds.simt.host_program import (
    HostProgram,
    InMemory,
    PlannedStep,
    Planner,
    launches_in,
    wanted_arguments,
)
from sim.kinds.simt.launch_values import Names, is_value
from sim.kinds.simt.launches import kernels_of
from sim.results.profile import failure_of, line_costs
from sim.results.result import Result
from sim.results.vocabulary import vocabulary_of
from sim.signature import result_dtype, wanted_parameters, with_parameters
from sim.status import DONE
from sim.version import release
from sim.workload.comparison import Check, Expected, compare
from sim.workload.expectations import expect
from sim.workload.given_arguments import as_arguments
from sim.workload.inputs import DTYPE_NAMES, DTYPES, Wanted, extent_findings, make_input
from sim.workload.schema import Case, Workload, read_workload

Passes = str | list | None
SIMT = "simt"
"""The kind of machine whose programs are launched on grids of threads."""

_TOO_LARGE = "needs more memory than there is"

NOTHING = "func @nothing() {\nentry:\n    return\n}\n"


@dataclass(frozen=True)
class Compiled:
    """A workload's program for one machine; it serves every case."""

    workload: Workload
    machine: Machine
    overrides: tuple[str, ...]
    compilation: Compilation
    passes: str | list
    seconds: float

    @property
    def function(self) -> Function | None:
        """The IR function that was compiled, None for assembly."""
        module = self.compilation.module
        return module.functions[self.compilation.entry] if module else None

    @property
    def signatures(self) -> dict[str, dict]:
        """What the source says of each function's parameters, where it says anything."""
        module = self.compilation.module
        functions = module.functions if module else {}
        return {name: function.signature or {} for name, function in functions.items()}


@dataclass(frozen=True)
class Launch:
    """Everything a simulator or an interpreter needs to run one case.

    inputs     the initial arguments by name; scalars are arrays without axes
    memory     array arguments in parameter order, then the program's buffers; holds the inputs
    arguments  the program's parameters: numbers, and addresses of arrays
    expected   what must come out, by output; 'return' is the returned value
    host       of a simt machine: what the host does
    variables  variables of the program that arguments fill, by argument
    """

    compiled: Compiled
    case: Case
    program: BundleProgram | WarpProgram
    inputs: dict[str, np.ndarray]
    memory: Memory
    arguments: dict[str, int | float]
    expected: dict[str, Expected]
    host: HostProgram | None = None
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def device(self) -> InMemory:
        """The arrays as the host sees them."""
        return InMemory(self.memory, self.variables)

    def output(self, name: str) -> np.ndarray:
        """An array argument as it is now; shares the memory."""
        like = self.inputs[name]
        return self.device.view(name)[: like.nbytes].view(like.dtype).reshape(like.shape)


def run(
    workload: str | Path,
    *,
    machine: str | Path | None = None,
    overrides: options.Overrides = (),
    passes: options.Passes = None,
    variant: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    trust: bool = False,
    cycle_limit: int | None = None,
    quantum: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Result:
    """Run one case of a workload file (the first variant unless one is named).

    overrides    changes of the machine: "memory.l1d.size=32KiB", a list of such, or a mapping
    passes       compiler passes: names, or one text with commas ("default,-bundle")
    arguments    in place of the workload's, by name: numbers, lists, numpy arrays, or mappings as
                 in a workload; files are those of the current folder
    trust        whether oracles of the workload's own may run (Python code beside it)
    cycle_limit  where the run ends although the program has not
    quantum      cycles between looks at the clock; no result depends on it
    on_progress  called with the cycle now and then

    Raises InputError if anything the user gave is wrong; a simulated fault is a Result.
    """
    described = read_workload(options.path("workload", workload))
    given = as_arguments(arguments if arguments is not None else {})
    case = described.case(options.text("variant", variant)).with_arguments(given)
    limit, step = options.cycles("cycle_limit", cycle_limit), options.cycles("quantum", quantum)
    trusted = options.flag("trust", trust)
    watch = options.function("on_progress", on_progress)
    compiled = compile_workload(
        described,
        options.machine(machine),
        options.overrides(overrides),
        options.passes(passes),
    )
    prepared = launch(compiled, case, trusted)
    return execute(prepared, cycle_limit=limit, quantum=step, on_progress=watch)


def compile_workload(
    workload: Workload,
    machine: str | None = None,
    overrides: Sequence[str] = (),
    passes: Passes = None,
    entry: str | None = None,
) -> Compiled:
    """Load the machine and compile the program for it; raises InputError.

    `entry` is the function to compile, where it is not the workload's.
    """
    loaded = (
        _own_machine(workload, overrides) if machine is None else load_machine(machine, overrides)
    )
    chosen = passes if passes is not None else workload.form.passes
    written = workload.tree.value.get("passes") if passes is None else None
    begin = time.perf_counter()
    compilation = compile(
        workload.program,
        machine=loaded,
        entry=entry or workload.form.entry,
        kernels=_kernels(workload) if loaded.kind == SIMT else (),
        passes=None if chosen == "default" else chosen,
        passes_location=written.location if written else None,
    )
    seconds = time.perf_counter() - begin
    return Compiled(workload, loaded, tuple(overrides), compilation, chosen, seconds)


def _kernels(workload: Workload) -> tuple[str, ...]:
    """The kernels that launches name, the entry first; none if only the entry is launched."""
    steps = [form for case in workload.cases() for _, form in case.steps]
    named = dict.fromkeys(name for form in steps for name in kernels_of(form))
    if not named:
        return ()
    entry = [workload.form.entry] if workload.form.entry else []
    return tuple(dict.fromkeys((*entry, *named)))


def launch(compiled: Compiled, case: Case, trusted: bool = False) -> Launch:
    """Make inputs and expectations and lay out memory; raises InputError with every finding.

    Oracles of the workload's own are asked only if it is `trusted`.
    """
    program = compiled.compilation.program
    planned, variables = _plan(compiled, case)
    if planned:
        wanted = wanted_arguments(planned, Names(case.arguments), compiled.signatures)
        wanted |= wanted_variables(variables, program, case.arguments)
    else:
        if compiled.function is None:
            program = with_parameters(program, compiled.machine.description, case.arguments)
        wanted = wanted_parameters(program, compiled.function)
    inputs = _make_inputs(compiled, case, wanted)
    inputs |= {name: inputs[name].reshape(-1) for name in variables if not inputs[name].ndim}
    findings = variable_findings(variables, program, case.arguments, inputs)
    if findings:
        raise InputError(findings)
    arrays = {name: array for name, array in inputs.items() if array.ndim}
    for buffer in program.buffers:
        if buffer.name in arrays and buffer.name not in variables:
            message = f"'{buffer.name}' is also a buffer of the compiled program"
            raise InputError(case.arguments[buffer.name].finding(message, "rename the parameter"))
    memory = _lay_out(
        [(name, array.nbytes) for name, array in arrays.items() if name not in variables]
        + [(buffer.name, buffer.size) for buffer in program.buffers]
    )
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[: len(buffer.data)] = np.frombuffer(buffer.data, np.uint8)
    if isinstance(program, BundleProgram):
        program.write_addresses(memory)
    for name, array in arrays.items():
        place = memory.view(variables.get(name, name))
        place[: array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    arguments: dict[str, int | float] = {}
    for name in wanted:
        value = inputs[name]
        place = variables.get(name, name)
        arguments[name] = memory.address(place) if value.ndim else _as_register(value)
    expected = _expected(compiled, program, case, inputs, trusted)
    host = _host(compiled, case, planned, arrays) if planned else None
    made = Launch(compiled, case, program, inputs, memory, arguments, expected, host, variables)
    if host is not None:
        host.check(made.device)
    return made


def _host(
    compiled: Compiled, case: Case, steps: tuple[PlannedStep, ...], arrays: dict[str, np.ndarray]
) -> HostProgram:
    """What the host does; numbers are as the workload writes them."""
    numbers = {
        name: node.value
        for name, node in case.arguments.items()
        if isinstance(node.value, bool | int | float)
    }
    sizes = {name: (array.dtype, array.size) for name, array in arrays.items()}
    return HostProgram(compiled.machine.description, steps, numbers, sizes)


def _plan(compiled: Compiled, case: Case) -> tuple[tuple[PlannedStep, ...], dict[str, str]]:
    """The launches of a simt machine with their kernels, and the variables of the program that
    arguments fill; other machines have none."""
    tree = compiled.workload.tree
    if compiled.machine.kind != SIMT:
        if case.steps:
            message = f"{compiled.machine.name} runs one thread: there is nothing to launch"
            raise InputError(case.steps[0][0].finding(message, "leave it out, or --machine h200"))
        for node in case.arguments.values():
            if is_value(node):
                raise InputError(node.finding("only kernels of a GPU take structures and null"))
        return (), {}
    if not case.steps:
        message = f"{compiled.machine.name} runs kernels on a grid of threads, and none is given"
        raise InputError(tree.finding(message, "launch: {grid: [64], block: [256]}"))
    program = compiled.compilation.program
    variables = variables_given(program, case.arguments)
    ordered = [name for name in case.arguments if name not in variables]
    planner = Planner(program, ordered, compiled.signatures)
    planned = planner.plan(case.steps, Names(case.arguments))
    for launch in launches_in(planned):
        if launch.by_name:
            for parameter in launch.kernel.frame.parameters:
                variables.pop(parameter.name, None)
    read = frozenset().union(variables, *(step.reads for step in planned))
    unread = [name for name in case.arguments if name not in read]
    if unread:
        hint = "leave it out"
        if program.buffers:
            known = ", ".join(demangled(buffer.name) for buffer in program.buffers[:8])
            hint += f"; variables of its kernels: {known}"
        findings = [
            case.arguments[name].finding(f"no launch reads '{name}'", hint) for name in unread
        ]
        raise InputError(findings)
    return planned, variables


def execute(
    prepared: Launch,
    *,
    cycle_limit: int | None = None,
    quantum: int | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_trace: Callable[[Any], None] | None = None,
) -> Result:
    """Simulate, compare the outputs, and gather the result."""
    case, compiled, host = prepared.case, prepared.compiled, prepared.host
    limit = case.cycle_limit if cycle_limit is None else cycle_limit
    begin = time.perf_counter()
    outcome = simulate(
        Request(
            prepared.program,
            compiled.machine,
            prepared.memory,
            prepared.arguments,
            {} if host is None else {s: host.actions(prepared.device, s) for s in host.streams},
            cycle_limit=limit,
            quantum=quantum,
            on_progress=on_progress,
            on_trace=on_trace,
        )
    )
    seconds = time.perf_counter() - begin
    outputs = {
        name: prepared.output(name).copy() for name, array in prepared.inputs.items() if array.ndim
    }
    returned = _returned(outcome.value, result_dtype(prepared.program, compiled.function))
    checks = _check(prepared.expected, outputs, returned) if outcome.status == DONE else []
    vocabulary = vocabulary_of(compiled.machine.kind)
    counters = vocabulary.count(outcome.statistics)
    return Result(
        workload=compiled.workload.name,
        variant=case.name,
        machine=compiled.machine.name,
        clock=compiled.machine.description.clock,
        status=outcome.status,
        cycles=outcome.cycles,
        counters=counters,
        breakdown=dict(outcome.breakdown),
        returned=returned,
        outputs=outputs,
        checks=checks,
        lines=line_costs(outcome, prepared.program, compiled.workload.folder),
        fault=failure_of(outcome, compiled.workload.folder, limit),
        provenance=_provenance(prepared),
        host={
            "workload": str(compiled.workload.path.resolve()),
            "machine": compiled.machine.file,
            "compile_seconds": compiled.seconds,
            "simulate_seconds": seconds,
        },
        steps=[dict(step) for step in outcome.steps],
        headlines=[
            describe(counters, max(outcome.cycles, 1))
            for counter, describe in vocabulary.headlines
            if counter in counters
        ],
    )


def _own_machine(workload: Workload, overrides: Sequence[str]) -> Machine:
    """The machine the workload names: one of simrun's, or a file beside the workload."""
    name = workload.form.machine
    if name.endswith((".yaml", ".yml")) or "/" in name:
        name = str(workload.folder / name)
    elif name not in machine_names():
        place = workload.tree.value["machine"]
        hint = nearest(name, machine_names())
        raise InputError(place.finding(f"there is no machine '{name}'", hint))
    return load_machine(name, overrides)


def _make_inputs(
    compiled: Compiled, case: Case, wanted: dict[str, Wanted]
) -> dict[str, np.ndarray]:
    """The arguments in the order of the program's parameters."""
    tree, findings = compiled.workload.tree, []
    for name, parameter in wanted.items():
        if name not in case.arguments:
            message = f"argument '{name}' is missing: the program wants {parameter}"
            findings.append(tree.finding(message, key="arguments"))
    for name, node in case.arguments.items():
        if name not in wanted and not is_value(node):
            message = f"the program has no parameter '{name}'"
            findings.append(node.finding(message, nearest(name, wanted)))
    inputs = {}
    for name, parameter in wanted.items():
        if name not in case.arguments:
            continue
        try:
            inputs[name] = make_input(case.arguments[name], parameter, compiled.workload.folder)
        except InputError as error:
            findings += error.diagnostics
        except MemoryError:
            findings.append(case.arguments[name].finding(f"'{name}' {_TOO_LARGE}"))
    if not findings:
        findings = extent_findings(case.arguments, wanted, inputs)
    if findings:
        raise InputError(findings)
    return inputs


def _lay_out(buffers: list[tuple[str, int]]) -> Memory:
    try:
        return Memory(buffers)
    except MemoryError:
        names = ", ".join(name for name, _ in buffers)
        size = sum(size for _, size in buffers) >> 20
        raise input_error(f"the program's memory ({names}: {size} MiB) {_TOO_LARGE}") from None


def _as_register(value: np.ndarray) -> int | float:
    """A scalar as a register holds it: an integer as its sign-extended bit pattern."""
    if value.dtype.kind == "u":
        value = value.view(value.dtype.str.replace("u", "i"))
    return value.item()


def _returned(value: int | float | None, dtype: str | None) -> int | float | None:
    """The returned value in the type the program declares (u32 is not negative)."""
    if value is None or dtype not in DTYPES:
        return value
    return np.asarray(value).astype(DTYPES[dtype]).item()


def _expected(
    compiled: Compiled,
    program: BundleProgram,
    case: Case,
    inputs: dict[str, np.ndarray],
    trusted: bool,
) -> dict[str, Expected]:
    """What must come out, before anything runs: it depends on the initial inputs alone."""
    returned = result_dtype(program, compiled.function)
    dtypes = {name: DTYPE_NAMES[array.dtype] for name, array in inputs.items() if array.ndim}
    dtypes |= {"return": returned} if returned else {}
    findings, expected = [], {}
    for name, node in case.expect.items():
        if name not in dtypes:
            problem = (
                "the program returns nothing" if name == "return" else "a scalar cannot change"
            )
            findings.append(node.finding(f"'{name}' cannot be compared: {problem}"))
            continue
        try:
            folder = compiled.workload.folder
            expected[name] = expect(name, node, inputs, dtypes[name], folder, trusted)
        except InputError as error:
            findings += error.diagnostics
        except MemoryError:
            findings.append(node.finding(f"what is expected of '{name}' {_TOO_LARGE}"))
    if findings:
        raise InputError(findings)
    return expected


def _check(
    expected: dict[str, Expected], outputs: dict[str, np.ndarray], returned: int | float | None
) -> list[Check]:
    return [
        compare(
            e, np.asarray(returned).astype(DTYPES[e.dtype]) if name == "return" else outputs[name]
        )
        for name, e in expected.items()
    ]


def _provenance(prepared: Launch) -> dict:
    compiled = prepared.compiled
    return {
        "simrun": release(),
        "model": core_of(compiled.machine).model,
        "machine": compiled.machine.content_hash,
        "overrides": list(compiled.overrides),
        "arguments": dict(prepared.case.given),
        "program": prepared.program.content_hash,
        "passes": compiled.passes,
    }


def kinds_of_machines() -> list[str]:
    """The kinds of the machines that there are."""
    return sorted({load_machine(name).kind for name in machine_names()})


def warm_up(kind: str) -> float:
    """Run a program that does nothing on every machine of a kind, so that its core is compiled;
    seconds."""
    begin = time.perf_counter()
    for machine in map(load_machine, machine_names()):
        if machine.kind != kind:
            continue
        nothing = compile("nothing.sir", machine=machine, source=NOTHING)
        nothing_to_do = LaunchStep("nothing", Grid((1, 1, 1), (1, 1, 1)))
        steps = {0: (nothing_to_do,)} if machine.kind == SIMT else {}
        request = Request(nothing.program, machine, Memory([]), {}, steps, cycle_limit=10**6)
        simulate(request)
    return time.perf_counter() - begin
