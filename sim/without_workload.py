"""Programs that run without a workload: of a level whose functions say what they take, so that
their arguments can be made up.

    compiled = compile_alone(Path("model.onnx"), "mlu370")
    result = execute(prepare(compiled, compiled.workload.case()))
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import InputError, input_error, nearest
from machines.levels import not_callable
from machines.plugins import load_part
from sim.levels import binding_of_program
from sim.prepared_case import PreparedCase
from sim.runner import Compiled, Passes, compile_workload
from sim.workload.schema import Workload, workload_of


def compile_alone(
    path: Path,
    machine: str | Machine | None,
    overrides: Sequence[str] = (),
    passes: Passes = None,
    dimensions: Mapping[str, int] | None = None,
    tensors: Sequence[str] = (),
) -> Compiled:
    """A program with a workload that nobody wrote: its inputs are seeded, and nothing is expected.

    dimensions  that the program leaves open
    tensors     that are outputs, too
    Raises InputError.
    """
    if machine is None:
        raise input_error(f"{path} names no machine", hint="--machine NAME, mlu370 say")
    name = machine.name if isinstance(machine, Machine) else machine
    workload = workload_alone(path, dimensions, name, tensors=tensors)
    compiled = compile_workload(workload, machine, overrides, passes)
    arguments = binding_of_program(str(path)).seeded(compiled.declared.body)
    workload = workload_alone(path, dimensions, name, arguments, tensors)
    return replace(compiled, workload=workload)


def workload_alone(
    path: Path,
    dimensions: Mapping[str, int] | None = None,
    machine: str = "none",
    arguments: Mapping[str, Any] | None = None,
    tensors: Sequence[str] = (),
) -> Workload:
    """The workload that nobody wrote; raises InputError if there is no such file."""
    if not path.is_file():
        raise input_error(f"cannot read {path}: there is no such file")
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", path.stem).lstrip("._-") or "program"
    content = {"workload": name, "program": str(path), "machine": machine}
    said = {
        "dimensions": dict(dimensions or {}),
        "tensors": list(tensors),
        "arguments": dict(arguments or {}),
    }
    return workload_of({**content, **{key: one for key, one in said.items() if one}})


def judged(prepared: PreparedCase, name: str) -> PreparedCase:
    """A case whose outputs are to be those of another program that computes the same; raises
    InputError."""
    program = prepared.compiled.workload.program
    binding = binding_of_program(str(program))
    judges = binding.judges if binding is not None else {}
    if name not in judges:
        hint = nearest(name, judges) if judges else "leave --against out"
        raise input_error(f"there is no '{name}' that computes what {program.name} does", hint=hint)
    expectations = load_part(f"judge '{name}'", "function", judges[name], not_callable)
    found = expectations(prepared)
    twice = [node for output, node in prepared.case.expect.items() if output in found]
    if twice:
        message = "--against says what it must be, too"
        raise InputError([node.finding(message, "leave one out") for node in twice])
    return replace(prepared, expected={**prepared.expected, **found})
