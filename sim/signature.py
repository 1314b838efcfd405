"""What a compiled program wants of a workload: its parameters and its result.

Source languages that know more of an argument than its register say so (`Function.signature`);
for the others a pointer parameter takes an array of any type and shape.
"""

from __future__ import annotations

from typing import Any

from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, Type
from sim.inputs import Wanted

_SCALARS: dict[Type, str] = {
    I1: "boolean", I8: "i8", I16: "i16", I32: "i32", I64: "i64", F32: "f32", F64: "f64",
}  # fmt: skip
_RESULTS: dict[Type, str] = {**_SCALARS, I1: "i8", PTR: "i64"}


def wanted_parameters(compilation: Any) -> dict[str, Wanted]:
    """The parameters of a `compiler.Compilation` by name, in order."""
    signature = (_function(compilation).signature if compilation.module else None) or {}
    return {
        parameter.name: _wanted(parameter.name, parameter.type, signature.get(parameter.name))
        for parameter in compilation.program.parameters
    }


def _wanted(name: str, type: Type, argument: Any) -> Wanted:
    if argument is not None:
        return Wanted(name, argument.dtype, argument.shape)
    return Wanted(name, None, ()) if type is PTR else Wanted(name, _SCALARS[type])


def _function(compilation: Any) -> Any:
    return compilation.module.functions[compilation.entry]


def result_dtype(compilation: Any) -> str | None:
    """The element type of what the program returns; None if it returns nothing."""
    function = compilation.module.functions[compilation.entry] if compilation.module else None
    if function is not None and function.returns is not None:
        return function.returns.dtype
    result = compilation.program.result
    if result is None:
        return None
    returns = _function(compilation).returns if compilation.module else None
    if returns is not None and returns.dtype != "boolean":
        return returns.dtype
    return _RESULTS[result[1]]
