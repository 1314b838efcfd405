"""A case of a workload, ready to run: inputs, memory, expectations, and what the host does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from machines.description.load import machine_names
from machines.diagnostics import InputError, Location, input_error, nearest
from machines.elements import DTYPE_NAMES, bytes_in_memory, from_memory, in_memory
from machines.host_memory import free_bytes
from machines.layout import Extent, Memory
from machines.program import Program
from sim.kinds import Binding, Bound, binding_of, kinds_that_read
from sim.kinds.printed import Printed
from sim.levels import Call, call_of
from sim.workload.comparison import Expected
from sim.workload.expectations import expect
from sim.workload.inputs import as_register, extent_findings, make_input
from sim.workload.printed import STDOUT, ExpectedText, expect_text
from sim.workload.schema import Case
from sim.workload.signature import result_dtype
from sim.workload.values import is_table, is_value

STRETCH = 1 << 20
_TOO_LARGE = "needs more memory than there is"


@dataclass(frozen=True)
class PreparedCase:
    """Everything a simulator or an interpreter needs to run one case.

    compiled   the workload's program (`sim.runner.Compiled`)
    bound      the case as its kind of machine sees it
    inputs     the initial arguments by name; scalars are arrays without axes
    memory     array arguments in parameter order, then the program's buffers; holds the inputs
    arguments  the program's parameters: numbers, and addresses of arrays
    expected   what must come out, by output; 'return' is the returned value
    text       what must be printed, if anything is expected of that
    call       of a function of a level above the IR: how `case` is what the machine is given
    """

    compiled: Any
    case: Case
    bound: Bound
    inputs: dict[str, np.ndarray]
    memory: Memory
    arguments: dict[str, int | float]
    expected: dict[str, Expected]
    call: Call | None = None
    text: ExpectedText | None = None

    @property
    def program(self) -> Program:
        return self.bound.program

    def host(self) -> Mapping[int, Iterable[Any]]:
        """What the host does in each stream, made anew."""
        return self.bound.host(self.memory)

    def fault(self) -> tuple[str, Location | None, str] | None:
        """What a function of a level says that it ended with, where, and what can be done."""
        return self.call.fault(self.memory) if self.call is not None else None

    def outputs(self, is_whole: bool = True) -> dict[str, np.ndarray]:
        """The array arguments as they are now; of a function of a level its result, which is there
        once the run is whole."""
        if self.call is not None:
            return self.call.outputs(self.memory) if is_whole else {}
        return {name: self.output(name).copy() for name, a in self.inputs.items() if a.ndim}

    def printed(self) -> Printed | None:
        """What was printed so far; None if the program does not print."""
        return self.bound.printed(self.memory) if self.bound.prints else None

    def output(self, name: str) -> np.ndarray:
        """An array argument as it is now; shares the memory, unless two elements share a byte."""
        like = self.inputs[name]
        view = self.memory.view(self.bound.variables.get(name, name))
        return from_memory(view, like.dtype, like.shape)


def prepare(compiled: Any, case: Case, trusted: bool = False, values: bool = True) -> PreparedCase:
    """Make inputs and expectations and lay out memory; raises InputError with every finding.

    Oracles of the workload's own are asked only if it is `trusted`.  Without `values`, where time
    alone is wanted, what a level's call writes beside the arguments is left out: of a network it
    may be larger than all the rest.
    """
    binding = binding_of(compiled.machine.kind)
    _check_kind(compiled, case, binding)
    call = call_of(compiled, case)
    given = call.case if call else case
    bound = binding.bind(compiled, given)
    variables = bound.variables
    inputs = _make_inputs(compiled, given, bound)
    inputs |= {name: inputs[name].reshape(-1) for name in variables if not inputs[name].ndim}
    findings = bound.input_findings(inputs)
    if findings:
        raise InputError(findings)
    memory = _memory(bound, given, inputs | (call.arrays if call else {}), binding.alignment)
    if call is not None and values:
        call.write(memory)
    arguments: dict[str, int | float] = {}
    for name in bound.wanted:
        value = inputs[name]
        buffer = variables.get(name, name)
        arguments[name] = memory.address(buffer) if value.ndim else as_register(value)
    seen = call.inputs if call else inputs
    outputs = call.results if call else _outputs(compiled, bound.program, inputs)
    expected = _expected(compiled, case, seen, outputs, trusted, call is not None)
    text = _expected_text(compiled, case, outputs, bound)
    bound.ready(memory, inputs)
    if case.measure is not None and not bound.host(memory):
        raise _nothing_between(compiled, case, binding)
    return PreparedCase(compiled, case, bound, inputs, memory, arguments, expected, call, text)


def _expected_text(
    compiled: Any, case: Case, outputs: Outputs, bound: Bound
) -> ExpectedText | None:
    """What must be printed; raises InputError if the program prints nothing."""
    node = case.expect.get(STDOUT)
    if node is None or STDOUT in outputs:
        return None
    if not bound.prints:
        message = f"'{STDOUT}' cannot be compared: the program prints nothing"
        raise InputError(node.finding(message, "C programs print by printf, puts and putchar"))
    return expect_text(node, compiled.workload.folder)


def _nothing_between(compiled: Any, case: Case, binding: Binding) -> InputError:
    """A region is one of steps of the host, and there are none."""
    message = "a region begins and ends between steps of the host, and the workload has none"
    keys = " or ".join(f"'{key}'" for key in binding.section.model_fields)
    hint = f"{keys} may say several" if keys else "leave it out"
    if case.measure.is_of_command:
        return input_error(f"--measure: {message}", hint=hint)
    return InputError(compiled.workload.tree.finding(message, hint, key="measure"))


def _check_kind(compiled: Any, case: Case, binding: Binding) -> None:
    """Refuse what the workload says to machines of another kind."""
    machine = compiled.machine
    findings = []
    for key, holder in case.section.items():
        if key not in binding.section.model_fields:
            others = [name for kind in kinds_that_read(key) for name in machine_names(kind)]
            message = f"{machine.name} has no host that takes '{key}'"
            hint = f"leave it out, or --machine {' | '.join(others)}"
            findings.append(holder.finding(message, hint, key=key))
    if findings:
        raise InputError(findings)
    arguments = () if binding.values else case.arguments.values()
    values = [node for node in arguments if is_value(node) or is_table(node)]
    if values:
        message = f"programs of {machine.name} take no structures, no tables and no null"
        raise InputError([node.finding(message) for node in values])


def _memory(bound: Bound, case: Case, inputs: Mapping[str, np.ndarray], alignment: int) -> Memory:
    """The memory with arrays, buffers and what the kind writes there."""
    variables, buffers = bound.variables, bound.program.buffers
    arrays = {name: array for name, array in inputs.items() if array.ndim}
    for buffer in buffers:
        if buffer.name in arrays and buffer.name not in variables:
            message = f"'{buffer.name}' is also a buffer of the compiled program"
            raise InputError(case.arguments[buffer.name].finding(message, "rename the parameter"))
    memory = _lay_out(
        [Extent(n, bytes_in_memory(a), alignment) for n, a in arrays.items() if n not in variables]
        + [buffer.extent for buffer in buffers]
    )
    for buffer in buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[: len(buffer.data)] = np.frombuffer(buffer.data, np.uint8)
    bound.write(memory)
    bound.place(memory, inputs)
    for name, array in arrays.items():
        view = memory.view(variables.get(name, name))
        _fill(view, in_memory(array))
    return memory


def _fill(view: np.ndarray, data: np.ndarray) -> None:
    """Write bytes; where there are zeros already, zeros take no memory of the host."""
    for start in range(0, len(data), STRETCH):
        part, there = data[start : start + STRETCH], view[start : start + STRETCH]
        if part.any() or there.any():
            there[: len(part)] = part


def _make_inputs(compiled: Any, case: Case, bound: Bound) -> dict[str, np.ndarray]:
    """The arguments in the order of the program's parameters."""
    tree, findings = compiled.workload.tree, []
    wanted, inputs = bound.wanted, {}
    for name, parameter in wanted.items():
        if name not in case.arguments:
            message = f"argument '{name}' is missing: the program wants {parameter}"
            findings.append(tree.finding(message, key="arguments"))
    for name, node in case.arguments.items():
        if name not in wanted and not is_value(node):
            message = f"the program has no parameter '{name}'"
            findings.append(node.finding(message, nearest(name, wanted)))
    for name, parameter in wanted.items():
        if name not in case.arguments:
            continue
        if name in bound.made:
            inputs[name] = bound.made[name].copy()
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


def _lay_out(buffers: list[Extent]) -> Memory:
    names = ", ".join(buffer.name for buffer in buffers)
    size = sum(buffer.size for buffer in buffers)
    what = f"the program's memory ({names}: {size >> 20} MiB) {_TOO_LARGE}"
    if size > STRETCH and size > (free := free_bytes()):
        raise input_error(what, hint=f"this computer has {free >> 20} MiB to give")
    try:
        return Memory(buffers)
    except MemoryError:
        raise input_error(what) from None


Outputs = Mapping[str, tuple[str, tuple[int, ...] | None]]
"""What can be compared, as `sim.levels.Call.results` says."""


def _outputs(compiled: Any, program: Program, inputs: Mapping[str, np.ndarray]) -> Outputs:
    """The arrays that a program may change, and what it returns."""
    returned = result_dtype(program, compiled.declared)
    arrays = {name: array for name, array in inputs.items() if array.ndim}
    found = {name: (DTYPE_NAMES[array.dtype], array.shape) for name, array in arrays.items()}
    return {**found, **({"return": (returned, ())} if returned else {})}


def _not_an_output(name: str, outputs: Outputs, is_call: bool) -> tuple[str, str | None]:
    """Why something cannot be compared, and a hint."""
    if is_call:
        return "it is no part of what the function gives", nearest(name, outputs)
    is_result = name.partition(".")[0] == "return"
    return "the program returns nothing" if is_result else "a scalar cannot change", None


def _expected(
    compiled: Any,
    case: Case,
    inputs: Mapping[str, np.ndarray],
    outputs: Outputs,
    trusted: bool,
    is_call: bool,
) -> dict[str, Expected]:
    """What must come out, before anything runs: it depends on the initial inputs alone."""
    findings, expected = [], {}
    for name, node in case.expect.items():
        if name == STDOUT and name not in outputs:
            continue
        if name not in outputs:
            problem, hint = _not_an_output(name, outputs, is_call)
            findings.append(node.finding(f"'{name}' cannot be compared: {problem}", hint))
            continue
        try:
            folder = compiled.workload.folder
            dtype, shape = outputs[name]
            expected[name] = expect(name, node, inputs, dtype, folder, trusted, shape)
        except InputError as error:
            findings += error.diagnostics
        except MemoryError:
            findings.append(node.finding(f"what is expected of '{name}' {_TOO_LARGE}"))
    if findings:
        raise InputError(findings)
    return expected
