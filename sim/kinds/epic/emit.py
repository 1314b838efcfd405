"""`--emit`: a workload's compiled program with its arguments as one assembly file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from machines.diagnostics import input_error
from machines.program import ProgramBuffer
from machines.types import I8, I16, I32, I64
from sim.files import check_writable, write_atomically

INSTRUCTIONS = "ia64"
_BY_SIZE = {t.bytes: t for t in (I8, I16, I32, I64)}


def emit(prepared: Any, path: Path, write: Callable[..., str]) -> str:
    """Write the file of a prepared launch, which `write` makes, and say what to do with it.

    Raises InputError if the machine has other instructions or the file cannot be written.
    """
    machine = prepared.compiled.machine
    if getattr(machine.description, "instructions", None) != INSTRUCTIONS:
        raise input_error(
            f"--emit writes IA-64 assembly, which {machine.name} does not run",
            hint="choose another with --machine",
        )
    check_writable(path)
    inputs = prepared.inputs.items()
    arrays = [
        _buffer(name, array, prepared.memory.view(name).tobytes())
        for name, array in inputs
        if array.ndim
    ]
    scalars = {name: prepared.arguments[name] for name, array in inputs if not array.ndim}
    write_atomically(path, write(prepared.program, machine.description, arrays, scalars))
    stem = path.with_suffix("")
    return (
        f"{path} writes {_outputs(prepared)} to standard output; to assemble and link it:\n"
        f"  ia64-linux-gnu-as -x --fatal-warnings {path} -o {stem}.o\n"
        f"  ia64-linux-gnu-ld -static {stem}.o -o {stem}"
    )


def _buffer(name: str, array: np.ndarray, content: bytes) -> ProgramBuffer:
    data = content if any(content) else None
    return ProgramBuffer(name, _BY_SIZE[array.itemsize], array.size, data)


def _outputs(prepared: Any) -> str:
    names = [
        f"{name} ({array.nbytes} bytes)" for name, array in prepared.inputs.items() if array.ndim
    ]
    if prepared.program.result:
        names.append("the returned value (8 bytes)")
    return ", ".join(names) or "nothing"
