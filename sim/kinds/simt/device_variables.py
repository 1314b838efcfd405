"""`__constant__` and `__device__` variables of a program that a workload's arguments fill.

    arguments: {mask: {dtype: f32, values: [1, 2, 1]}}      # __constant__ float mask[64];

An argument that is called like a variable of the program is copied to its beginning before time
starts, as cudaMemcpyToSymbol does; the rest keeps its initial values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from machines.cxx_names import called, several
from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError
from machines.elements import bytes_in_memory, type_of
from machines.kinds.simt.program import WarpProgram
from machines.program import ProgramBuffer
from machines.types import F32, F64, I8, I16, I32, I64, Type
from sim.forms import Wanted

if TYPE_CHECKING:
    import numpy as np

_SCALARS: dict[Type, str] = {
    I8: "i8", I16: "i16", I32: "i32", I64: "i64", F32: "f32", F64: "f64",
}  # fmt: skip


def variables_given(program: WarpProgram, arguments: Mapping[str, Node]) -> dict[str, str]:
    """The variables that arguments are called like: names of buffers by names of arguments.

    Raises InputError if a name is that of several.
    """
    found = {}
    for name, node in arguments.items():
        buffers = called(name, (buffer.name for buffer in program.buffers))
        if len(buffers) > 1:
            message = f"which variable '{name}' is meant is not clear"
            raise InputError(node.finding(message, several(name, buffers)))
        if buffers:
            found[name] = buffers[0]
    return found


def wanted_variables(
    variables: Mapping[str, str], program: WarpProgram, arguments: Mapping[str, Node]
) -> dict[str, Wanted]:
    """What is wanted of arguments that fill variables; a number fills one that is no array."""
    buffers = {buffer.name: buffer for buffer in program.buffers}
    wanted = {}
    for name, variable in variables.items():
        buffer, value = buffers[variable], arguments[name].value
        is_number = isinstance(value, bool | int | float)
        if is_number and buffer.count == 1 and buffer.dtype in _SCALARS:
            wanted[name] = Wanted(name, _number_type(buffer, value))
        else:
            wanted[name] = Wanted(name, None, ())
    return wanted


def _number_type(buffer: ProgramBuffer, value: bool | int | float) -> str:
    dtype = _SCALARS[buffer.dtype]
    unsigned = isinstance(value, int) and value >= 1 << (8 * buffer.dtype.bytes - 1)
    return dtype.replace("i", "u") if unsigned else dtype


def variable_findings(
    variables: Mapping[str, str],
    program: WarpProgram,
    arguments: Mapping[str, Node],
    inputs: Mapping[str, np.ndarray],
) -> list[Diagnostic]:
    """Arrays that are too large for their variables, or of other elements."""
    buffers = {buffer.name: buffer for buffer in program.buffers}
    findings = []
    for name, variable in variables.items():
        buffer, array, node = buffers[variable], inputs[name], arguments[name]
        size = bytes_in_memory(array)
        if size > buffer.size:
            message = f"'{name}' has {buffer.size} bytes in the program, {size} are given"
            elements = f"given are {array.size} elements of {type_of(array.dtype)}"
            findings.append(node.finding(message, elements))
        elif buffer.dtype is not I8 and array.itemsize != buffer.dtype.bytes:
            message = f"'{name}' is an array of {buffer.dtype} in the program"
            findings.append(node.finding(message, f"given are elements of {array.itemsize} bytes"))
    return findings
