"""What a compiled program wants of a workload: its parameters and its result.

Source languages that know more of an argument than its register say so (`Declared`); for the others
a pointer parameter takes an array of any type and shape.
"""

from __future__ import annotations

from typing import Any

from machines.program import Declared, Program
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, Type
from sim.forms import Wanted

_SCALARS: dict[Type, str] = {
    I1: "boolean", I8: "i8", I16: "i16", I32: "i32", I64: "i64", F32: "f32", F64: "f64",
}  # fmt: skip
_RESULTS: dict[Type, str] = {**_SCALARS, PTR: "i64"}


def wanted_parameters(program: Program, declared: Declared | None) -> dict[str, Wanted]:
    """The parameters by name, in order; nothing is declared for assembly."""
    signature = (declared.signature if declared else None) or {}
    return {
        parameter.name: _wanted(parameter.name, parameter.type, signature.get(parameter.name))
        for parameter in program.parameters
    }


def _wanted(name: str, type: Type, argument: Any) -> Wanted:
    if argument is not None:
        return Wanted(name, argument.dtype, argument.shape)
    return Wanted(name, None, ()) if type is PTR else Wanted(name, _SCALARS[type])


def result_dtype(program: Program, declared: Declared | None) -> str | None:
    """The element type of what the program returns; None if it returns nothing."""
    if program.result is None:
        return None
    returns = declared.returns if declared else None
    return _RESULTS[program.result[1]] if returns is None else returns.dtype
