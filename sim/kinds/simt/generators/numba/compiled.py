"""A function under @numba.cuda.jit, compiled for a machine that is not there."""

from __future__ import annotations

import inspect
from typing import Any

from machines.diagnostics import input_error
from sim.kinds.simt.generators.calls import Call, Made, axes_of, elements_of, failed

_TYPES = {
    "i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32",
    "u32": "uint32", "i64": "int64", "u64": "uint64", "f16": "float16", "f32": "float32",
    "f64": "float64", "boolean": "boolean",
}  # fmt: skip
PASSED_ON = ("debug", "lineinfo", "fastmath", "opt")
"""Options of `cuda.jit` that `cuda.compile_ptx` takes."""


def make(kernel: Any, call: Call) -> Made:
    """The workload of a call; raises InputError."""
    import numba
    from numba import cuda

    function = kernel.py_func
    name, names = function.__name__, list(inspect.signature(function).parameters)
    given = call.named(name, names, names)
    types = tuple(_type(own, given[own], numba) for own in names)
    chosen = {key: one for key, one in kernel.targetoptions.items() if key in PASSED_ON}
    chosen |= call.options
    shared = chosen.pop("shared", None)
    try:
        text, _ = cuda.compile_ptx(function, types, cc=call.capability, **chosen)
    except Exception as error:  # whatever a compiler of others raises at what it does not take
        raise failed("Numba", name, error, line=1) from None
    program = call.folder / f"{name}.ptx"
    program.write_text(text)
    launch = {"grid": call.extents(), "block": call.threads(), "arguments": names}
    return Made(
        {
            "workload": name,
            "program": str(program),
            "arguments": given,
            "launch": launch | ({} if shared is None else {"shared": f"{int(shared)} B"}),
        }
    )


def _type(name: str, value: Any, numba: Any) -> Any:
    """Numba's type of an argument: arrays have their rows one after the other."""
    elements = elements_of(name, value)
    if elements is None:
        return numba.typeof(value)
    if elements not in _TYPES:
        raise input_error(f"arguments: Numba has no arrays of {elements}, as '{name}' is")
    return numba.types.Array(getattr(numba.types, _TYPES[elements]), axes_of(value), "C")
