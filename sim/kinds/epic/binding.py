"""How a workload runs on an EPIC machine: one thread, whose arguments come in registers.

Compiled programs say where they want them.  Assembly declares no parameters at all: the workload's
arguments go to the argument registers in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from machines.program import Parameter
from machines.types import F64, I64, PTR
from sim.kinds import Binding, Bound
from sim.workload.signature import wanted_parameters


@dataclass
class Thread(Bound):
    """A case of one thread."""

    program: BundleProgram

    def write(self, memory: Memory) -> None:
        self.program.write_addresses(memory)


def bind(compiled: Any, case: Any) -> Thread:
    """The program with its parameters, and what they want; raises InputError."""
    program = compiled.program
    if compiled.declared is None:
        program = with_parameters(program, compiled.machine.description, case.arguments)
    return Thread(program, wanted_parameters(program, compiled.declared))


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


BINDING = Binding(bind)
