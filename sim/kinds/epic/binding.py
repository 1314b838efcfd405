"""How a workload runs on an EPIC machine: one thread, whose arguments come in registers.

Compiled programs say where they want them.  Assembly declares no parameters at all: the workload's
arguments go to the argument registers in order.

    calls: 3           # one after the other, each in the caches and predictors that the last left
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import Field

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from machines.program import Parameter
from machines.types import F64, I64, PTR
from sim.cores.epic.host_steps import Call
from sim.kinds import Binding, Bound, Section
from sim.workload.inputs import as_register
from sim.workload.signature import wanted_parameters

if TYPE_CHECKING:
    import numpy as np


MOST_CALLS = 1_000_000


class CallSection(Section):
    """Keys of a workload that say how often the program is called."""

    calls: int | None = Field(
        None, ge=1, le=MOST_CALLS, description="On an epic machine: how often the entry is called."
    )


@dataclass
class Thread(Bound):
    """A case of one thread.

    calls  how often it is called; None if the workload does not say it
    """

    program: BundleProgram
    calls: int | None = None
    numbers: dict[str, int | float] = field(default_factory=dict)

    def write(self, memory: Memory) -> None:
        self.program.write_addresses(memory)

    def ready(self, memory: Memory, inputs: Mapping[str, np.ndarray]) -> None:
        self.numbers = {name: as_register(one) for name, one in inputs.items() if not one.ndim}

    def host(self, memory: Memory) -> Mapping[int, Iterable[Call]]:
        return {0: [Call(self.numbers)] * self.calls} if self.calls is not None else {}


def bind(compiled: Any, case: Any) -> Thread:
    """The program with its parameters, and what they want; raises InputError."""
    program = compiled.program
    if compiled.declared is None:
        program = with_parameters(program, compiled.machine.description, case.arguments)
    return Thread(program, wanted_parameters(program, compiled.declared), _calls(compiled, case))


def _calls(compiled: Any, case: Any) -> int | None:
    """How often it is called; raises InputError for a program that cannot be called again."""
    holder = case.section.get("calls")
    if holder is None:
        return None
    if compiled.declared is not None and compiled.declared.arrays is not None:
        message = "a function of arrays finds its scratch memory as the call before has left it"
        raise InputError(holder.finding(message, "leave 'calls' out", key="calls"))
    return holder.value["calls"].value


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
