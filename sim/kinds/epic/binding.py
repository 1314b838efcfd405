"""How a workload runs on an EPIC machine: one thread, whose arguments come in registers.

Compiled programs say where they want them.  Assembly declares no parameters at all: the workload's
arguments go to the argument registers in order.

    calls: 3           # one after the other, each in the caches and predictors that the last left
    calls: [{arguments: {n: 1000}}, {}]      # numbers that are not as the workload's
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from machines.program import Parameter
from machines.types import F64, I64, PTR
from sim.cores.epic.host_steps import Call
from sim.forms import Form, Wanted
from sim.kinds import Binding, Bound, Section
from sim.workload.inputs import as_register, make_input
from sim.workload.signature import wanted_parameters

if TYPE_CHECKING:
    import numpy as np


MOST_CALLS = 1_000_000


def _written_calls(written: Any) -> Any:
    if not isinstance(written, list) and (type(written) is not int or written < 1):
        raise ValueError("is a number of calls, or a list with what each of them is given")
    if (len(written) if isinstance(written, list) else written) > MOST_CALLS:
        raise ValueError(f"are more than {MOST_CALLS}")
    return written


class CallForm(Form):
    """One call."""

    arguments: dict[str, Any] = Field(
        {}, description="Numbers that are not as the workload's arguments of their names."
    )


class CallSection(Section):
    """Keys of a workload that say how often the program is called."""

    calls: Annotated[int | list[CallForm], BeforeValidator(_written_calls)] | None = Field(
        None, description="On an epic machine: how often the entry is called, or each call."
    )

    def step_findings(self, holder: Node, arguments: Mapping[str, Node]) -> Iterator[Diagnostic]:
        """Findings in calls beyond their keys' types."""
        if self.calls == []:
            yield holder.finding("the program is not called", "calls: 2", key="calls")
        yield from super().step_findings(holder, arguments)


@dataclass
class Thread(Bound):
    """A case of one thread.

    calls    of each call the numbers that are its own; none if the workload does not say calls
    numbers  the workload's
    """

    program: BundleProgram
    calls: Sequence[Mapping[str, int | float]] = ()
    numbers: dict[str, int | float] = field(default_factory=dict)

    def write(self, memory: Memory) -> None:
        self.program.write_addresses(memory)

    def ready(self, memory: Memory, inputs: Mapping[str, np.ndarray]) -> None:
        self.numbers = {name: as_register(one) for name, one in inputs.items() if not one.ndim}

    def host(self, memory: Memory) -> Mapping[int, Iterable[Call]]:
        return {0: [Call({**self.numbers, **own}) for own in self.calls]} if self.calls else {}


def bind(compiled: Any, case: Any) -> Thread:
    """The program with its parameters, and what they want; raises InputError."""
    program = compiled.program
    if compiled.declared is None:
        program = with_parameters(program, compiled.machine.description, case.arguments)
    wanted = wanted_parameters(program, compiled.declared)
    return Thread(program, wanted, _calls(compiled, case, wanted))


def _calls(compiled: Any, case: Any, wanted: Mapping[str, Wanted]) -> list[dict[str, int | float]]:
    """The numbers of each call that are its own; raises InputError with every finding."""
    holder = case.section.get("calls")
    if holder is None:
        return []
    if compiled.declared is not None and compiled.declared.body is not None:
        message = "a function of arrays finds its scratch memory as the call before has left it"
        raise InputError(holder.finding(message, "leave 'calls' out", key="calls"))
    written = holder.value["calls"].value
    if isinstance(written, int):
        return [{}] * written
    findings: list[Diagnostic] = []
    found = []
    for node in written:
        given = node.value["arguments"].value if node.gives("arguments") else {}
        found.append({name: _number(name, one, wanted, findings) for name, one in given.items()})
    if findings:
        raise InputError(findings)
    return found


def _number(
    name: str, node: Node, wanted: Mapping[str, Wanted], findings: list[Diagnostic]
) -> int | float:
    """An argument of a call, which is a number."""
    if name not in wanted or wanted[name].is_array or not isinstance(node.value, int | float):
        numbers = [one for one, parameter in wanted.items() if not parameter.is_array]
        message = f"'{name}' is no number that a call can be given"
        findings.append(node.finding(message, nearest(name, numbers)))
        return 0
    try:
        return as_register(make_input(node, wanted[name], Path()))
    except InputError as error:
        findings += error.diagnostics
        return 0


def with_parameters(
    program: BundleProgram, machine: Epic, arguments: Mapping[str, Node]
) -> BundleProgram:
    """An assembly program whose parameters are the workload's arguments, in their order.

    Arrays and integers take the general argument registers, floats the floating ones.  Raises
    InputError at the first argument for which no register is left.
    """
    free = {
        "r": iter(machine.registers["general"].arguments),
        "f": iter(machine.registers["floating"].arguments),
    }
    parameters = [_parameter(name, node, free) for name, node in arguments.items()]
    return replace(program, parameters=parameters)


def _parameter(name: str, node: Node, free: Mapping[str, Iterable[int]]) -> Parameter:
    is_float = isinstance(node.value, float)
    type = F64 if is_float else PTR if isinstance(node.value, list | dict) else I64
    letter = "f" if is_float else "r"
    number = next(iter(free[letter]), None)
    if number is None:
        raise InputError(node.finding("there are more arguments than argument registers"))
    return Parameter(name, type, f"{letter}{number}")


BINDING = Binding(bind, section=CallSection)
