"""`--emit`: a workload's compiled program with its arguments, as a file for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from machines.cache.files import check_writable, write_atomically
from machines.diagnostics import input_error
from machines.elements import in_memory
from machines.program import ProgramBuffer
from machines.types import I8, I16, I32, I64
from sim.prepared_case import PreparedCase

_BY_SIZE = {t.bytes: t for t in (I8, I16, I32, I64)}


def emit(prepared: PreparedCase, path: Path, output: Any) -> str:
    """Write the file that an output of the target (`compiler.targets.Emit`) makes of a case, and
    say what to do with it.

    Raises InputError if the program cannot be written so, or the file not at all.
    """
    if prepared.call is not None and prepared.call.arrays:
        names = ", ".join(prepared.call.arrays)
        message = f"--emit writes no call with more arrays than registers: {names}"
        raise input_error(message, hint="such a call holds addresses of the simulated memory")
    check_writable(path)
    inputs = prepared.inputs.items()
    arrays = [_buffer(name, prepared.output(name)) for name, array in inputs if array.ndim]
    scalars = {name: prepared.arguments[name] for name, array in inputs if not array.ndim}
    description = prepared.compiled.machine.description
    write_atomically(path, output.write(prepared.program, description, arrays, scalars))
    return output.usage(path, prepared.program, arrays)


def _buffer(name: str, array: np.ndarray) -> ProgramBuffer:
    content = in_memory(array).tobytes()
    data = content if any(content) else None
    return ProgramBuffer(name, _BY_SIZE[array.itemsize], len(content) // array.itemsize, data)
