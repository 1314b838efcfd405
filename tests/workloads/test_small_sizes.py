"""Every kernel, at a size that the interpreters manage, computes what its oracle says.

The IR interpreter judges the front end and the passes, the machine interpreter the code generator
of Itanium 2 (and of every machine in the campaign).  Neither knows cycles; `simrun check` runs the
workloads on the cores.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from compiler.interpret.functions import interpret as interpret_ir
from compiler.interpret.functions import memory_for
from compiler.targets.epic.interpret import interpret as interpret_machine
from machines.description.load import machine_names
from machines.elements import DTYPES
from sim.prepared_case import PreparedCase, prepare
from sim.runner import compile_workload
from sim.workload.comparison import compare
from sim.workload.schema import read_workload
from tests.campaign.seeds import short_form

FOLDER = Path(__file__).parents[2] / "workloads"
TEXT = str(FOLDER / "data" / "text.txt")
UNIT = {"low": -1, "high": 1}
MACHINES = sorted(machine_names("epic"), key=lambda name: name != "itanium2")
LIMIT = 20_000_000  # syllables or IR steps: far more than any of these sizes needs

SMALL: dict[str, dict] = {
    "saxpy": {
        "n": 37,
        "x": {"dtype": "f32", "shape": [37], "random": {"seed": 1, **UNIT}},
        "y": {"dtype": "f32", "shape": [37], "random": {"seed": 2, **UNIT}},
    },
    "dot_product": {
        "n": 37,
        "x": {"dtype": "f64", "shape": [37], "random": {"seed": 1, **UNIT}},
        "y": {"dtype": "f64", "shape": [37], "random": {"seed": 2, **UNIT}},
    },
    "matrix_multiply": {
        "n": 7,
        "a": {"dtype": "f64", "shape": [7, 7], "random": {"seed": 1, **UNIT}},
        "b": {"dtype": "f64", "shape": [7, 7], "random": {"seed": 2, **UNIT}},
        "c": {"dtype": "f64", "shape": [7, 7], "value": 0},
    },
    "stencil_2d": {
        "n": 9,
        "pairs": 2,
        "grid": {"dtype": "f64", "shape": [9, 9], "random": {"seed": 1, "low": 0, "high": 1}},
        "scratch": {"dtype": "f64", "shape": [9, 9], "value": 0},
    },
    "fft": {
        "n": 64,
        "signal": {"dtype": "f64", "shape": [64, 2], "random": {"seed": 1, **UNIT}},
    },
    "quicksort": {
        "n": 300,
        "values": {"dtype": "i32", "shape": [300], "random": {"seed": 1, "low": -99, "high": 99}},
    },
    "sieve": {"n": 400, "flags": {"dtype": "u8", "shape": [400], "value": 0}},
    "crc32": {"n": 200, "data": {"dtype": "u8", "shape": [200], "file": TEXT, "offset": 0}},
    "sha256": {"n": 183, "data": {"dtype": "u8", "shape": [183], "file": TEXT, "offset": 0}},
    "mtf_rle": {
        "n": 500,
        "data": {"dtype": "u8", "shape": [500], "file": TEXT, "offset": 0},
        "symbols": {"dtype": "u16", "shape": [501], "value": 9},
    },
    "mandelbrot": {
        "rows": 6,
        "columns": 8,
        "step": 0.4,
        "limit": 30,
        "counts": {"dtype": "i32", "shape": [6, 8], "value": 0},
    },
    "levenshtein": {"length": 25},
    "pointer_chase": {
        "hops": 100,
        "ring": {"dtype": "i64", "shape": [256], "cycle": {"seed": 1, "stride": 16}},
    },
    "nbody_step": {
        "n": 5,
        "position": {"dtype": "f64", "shape": [5, 3], "random": {"seed": 1, **UNIT}},
        "velocity": {"dtype": "f64", "shape": [5, 3], "random": {"seed": 2, **UNIT}},
        "mass": {"dtype": "f64", "shape": [5], "random": {"seed": 3, "low": 0, "high": 1}},
    },
}
"""Arguments that differ from the workload's, by workload."""


def small_workload(name: str, folder: Path) -> Path:
    """The workload with the arguments of `SMALL`, as a file in `folder`."""
    form = yaml.safe_load((FOLDER / name / "workload.yaml").read_text(encoding="utf-8"))
    form["arguments"].update(SMALL[name])
    form.pop("variants", None)
    form["program"] = str(FOLDER / name / form["program"])
    for argument in form["arguments"].values():
        if isinstance(argument, dict) and "file" in argument:
            argument["file"] = str(FOLDER / name / argument["file"])
    path = folder / "workload.yaml"
    path.write_text(yaml.safe_dump(form), encoding="utf-8")
    return path


def check(prepared: PreparedCase, memory, returned) -> None:
    """Compare the outputs in `memory` and the returned value with the expectations."""
    for name, expected in prepared.expected.items():
        if name == "return":
            got = np.asarray(returned).astype(DTYPES[expected.dtype])
        else:
            array = prepared.inputs[name]
            got = memory.view(name, array.dtype).reshape(array.shape)
        outcome = compare(expected, got)
        assert outcome.ok, str(outcome)


def test_every_workload_has_a_small_size():
    assert sorted(SMALL) == sorted(path.parent.name for path in FOLDER.glob("*/workload.yaml"))


@pytest.mark.parametrize("name", SMALL)
def test_ir_interpreter(name: str, tmp_path: Path):
    compiled = compile_workload(read_workload(small_workload(name, tmp_path)))
    prepared = prepare(compiled, compiled.workload.case())
    arguments = {
        name: value if value.ndim else value.item() for name, value in prepared.inputs.items()
    }
    memory = memory_for(compiled.compilation.module, arguments)
    outcome = interpret_ir(compiled.function, arguments, memory, limit=LIMIT)
    assert outcome.status == "done", outcome.fault
    check(prepared, memory, outcome.value)


@pytest.mark.parametrize("machine", short_form(MACHINES, 1))
@pytest.mark.parametrize("name", SMALL)
def test_machine_interpreter(name: str, machine: str, tmp_path: Path):
    compiled = compile_workload(read_workload(small_workload(name, tmp_path)), machine)
    prepared = prepare(compiled, compiled.workload.case())
    outcome = interpret_machine(prepared.program, prepared.memory, prepared.arguments, limit=LIMIT)
    assert outcome.status == "done", outcome.fault
    check(prepared, prepared.memory, outcome.value)
