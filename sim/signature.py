"""What a compiled program wants of a workload: its parameters and its result.

Source languages that know more of an argument than its register say so (`Function.signature`);
for the others a pointer parameter takes an array of any type and shape.  Assembly declares no
parameters at all: the workload's arguments go to the argument registers in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BundleProgram
from machines.program import Parameter
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, Type
from sim.workload.inputs import Wanted

_SCALARS: dict[Type, str] = {
    I1: "boolean", I8: "i8", I16: "i16", I32: "i32", I64: "i64", F32: "f32", F64: "f64",
}  # fmt: skip
_RESULTS: dict[Type, str] = {**_SCALARS, PTR: "i64"}


def wanted_parameters(program: BundleProgram, function: Any) -> dict[str, Wanted]:
    """The parameters by name, in order; `function` is the IR function, None for assembly."""
    signature = (function.signature if function else None) or {}
    return {
        parameter.name: _wanted(parameter.name, parameter.type, signature.get(parameter.name))
        for parameter in program.parameters
    }


def _wanted(name: str, type: Type, argument: Any) -> Wanted:
    if argument is not None:
        return Wanted(name, argument.dtype, argument.shape)
    return Wanted(name, None, ()) if type is PTR else Wanted(name, _SCALARS[type])


def result_dtype(program: BundleProgram, function: Any) -> str | None:
    """The element type of what the program returns; None if it returns nothing."""
    if program.result is None:
        return None
    returns = function.returns if function else None
    return _RESULTS[program.result[1]] if returns is None else returns.dtype


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
