"""Stand-alone programs: GNU as and ld take them, and they compute and write what the program does.

The system calls are done here: `_start` runs in the machine interpreter up to each `break`.
"""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from compiler.frontends.ia64 import PLUGIN
from compiler.targets import target_for
from compiler.targets.epic.interpret import interpret
from compiler.targets.epic.standalone import SYSTEM_CALL, standalone
from machines.description.load import load_machine, machine_names
from machines.diagnostics import InputError
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from machines.program import Parameter, ProgramBuffer
from machines.types import F64, I64
from sim.emit import emit
from sim.prepared_case import prepare
from sim.runner import compile_workload
from sim.workload.schema import read_workload
from tests.compiler.gnu_as import complaints, needs_gnu_as

MACHINE = load_machine("itanium2")
WORKLOADS = Path(__file__).parents[3] / "workloads"
LINKER = shutil.which("ia64-linux-gnu-ld")
SUM = """
    .global add
add:
    alloc r2 = ar.pfs, 3, 0, 0, 0 ;;
    ld8 r14 = [r32] ;;
    add r14 = r14, r33 ;;
    st8 [r32] = r14
    setf.sig f6 = r33 ;;
    fcvt.xf f6 = f6 ;;
    fma.d f8 = f8, f1, f6
    movl r15 = table ;;
    ld8 r8 = [r15]
    br.ret.sptk b0 ;;
    .data
table: data8 77
"""


def of_text(text: str, **changes) -> BundleProgram:
    """A program of three parameters: an array, an integer, a float."""
    program = PLUGIN.read(text, "add.s", MACHINE)
    registers = {"x": (I64, "r32"), "count": (I64, "r33"), "scale": (F64, "f8")}
    parameters = [Parameter(name, t, register) for name, (t, register) in registers.items()]
    return dataclasses.replace(program, parameters=parameters, **changes)


X = ProgramBuffer("x", I64, 2, (5).to_bytes(8, "little"))


def shown(program: BundleProgram) -> str:
    return standalone(program, MACHINE.description, [X], {"count": 3, "scale": 0.5})


def first_write(text: str) -> tuple[list[int], dict[str, int], Memory]:
    """What stands in out0, out1, out2 at the first system call, and the memory then."""
    program = PLUGIN.read(text, "emitted.s", MACHINE)
    memory = Memory(buffer.extent for buffer in program.buffers)
    for buffer in program.buffers:
        if buffer.data:
            memory.view(buffer.name)[: len(buffer.data)] = np.frombuffer(buffer.data, np.uint8)
    outcome = interpret(program, memory, limit=50_000_000)
    assert outcome.fault.kind == f"break {SYSTEM_CALL}", outcome.fault
    assert outcome.gr[15] == 1027
    places = {name: place.address for name, place in memory.placements.items()}
    return outcome.gr[32:35], places, memory


@pytest.mark.parametrize(("result", "value"), [(("r8", I64), 77), (("f8", F64), 3.5), (None, None)])
def test_arguments_go_in_and_results_come_out(result, value):
    registers, places, memory = first_write(shown(of_text(SUM, result=result)))
    assert registers == [1, places["x"], 16]
    assert memory.view("x", np.int64).tolist() == [8, 0]
    if result:
        dtype = np.float64 if result[1] is F64 else np.int64
        assert memory.view("returned$", dtype).tolist() == [value]


def test_labels_and_buffers_of_one_name():
    program = of_text(SUM.replace("add:", "x:").replace(".global add", ".global x"))
    text = shown(program)
    assert "x$:" in text and "br.call.sptk.many b0 = x$ ;;" in text
    first_write(text)


def test_a_program_that_has_the_name_of_the_entry():
    with pytest.raises(InputError, match="_start"):
        shown(of_text(SUM.replace("add", "_start", 2)))


@needs_gnu_as
@pytest.mark.skipif(not LINKER, reason="GNU ld for ia64 is not installed")
def test_gnu_as_and_ld_take_it(tmp_path):
    assert not complaints(shown(of_text(SUM)), tmp_path)
    made = subprocess.run([LINKER, "-static", tmp_path / "text.o", "-o", tmp_path / "text"])
    assert made.returncode == 0


def emitted(workload: Path, machine: str, path: Path) -> tuple[str, object]:
    """The text of a workload's first case, and the case prepared."""
    described = read_workload(workload)
    prepared = prepare(compile_workload(described, machine), described.cases()[0])
    [output] = target_for("epic").emits
    emit(prepared, path, output)
    return path.read_text(), prepared


def check_workload(workload: Path, machine: str, folder: Path) -> None:
    """GNU as takes it without a warning; our front end reads the program's code back equal."""
    text, prepared = emitted(workload, machine, folder / "emitted.s")
    assert not complaints(text, folder), (workload, machine)
    again, before = PLUGIN.read(text, "emitted.s", MACHINE), prepared.program
    start = again.bundles - before.bundles
    assert again.templates[start:].tolist() == before.templates.tolist()
    names = [
        [program.operations[code] if code >= 0 else "" for code in program.code[:, 0]]
        for program in (again, before)
    ]
    assert names[0][3 * start :] == names[1]


@needs_gnu_as
@pytest.mark.parametrize("name", ["nbody_step", "mandelbrot"])
def test_workloads(name, tmp_path):
    check_workload(WORKLOADS / name / "workload.yaml", "itanium2", tmp_path)


KERNEL = """from compiler.kernel import f32, i64, kernel


@kernel
def weigh(n: i64, a: f32, x: f32[n], y: f32[n]) -> i64:
    for i in range(n):
        y[i] = a * x[i] + y[i]
    return n + 1
"""
WORKLOAD = """workload: weigh
program: weigh.py
machine: itanium2
arguments: {n: 9, a: 2.5, x: {dtype: f32, shape: [9], range: {}}, y: {dtype: f32, shape: [9]}}
expect: {return: 10}
"""


def test_an_emitted_workload_computes_its_outputs(tmp_path):
    (tmp_path / "weigh.py").write_text(KERNEL)
    (tmp_path / "workload.yaml").write_text(WORKLOAD.replace("[9]}}", "[9], value: 1}}"))
    text, prepared = emitted(tmp_path / "workload.yaml", "itanium2", tmp_path / "weigh.s")
    _, places, memory = first_write(text)
    outcome = interpret(prepared.program, prepared.memory, prepared.arguments)
    assert outcome.status == "done"
    for name, array in prepared.inputs.items():
        if array.ndim:
            assert np.array_equal(memory.view(name), prepared.memory.view(name)), name
            assert name in places


def all_machines() -> list[str]:
    """Every machine that runs ia64 instructions."""
    loaded = {name: load_machine(name).description for name in machine_names()}
    return [n for n, d in loaded.items() if getattr(d, "instructions", None) == "ia64"]
