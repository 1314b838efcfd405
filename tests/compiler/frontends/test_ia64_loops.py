"""Loops as they are written by hand: with macros, rotating names, local labels, without braces."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from compiler.frontends.ia64 import PLUGIN
from compiler.targets.epic.interpret import MachineOutcome, interpret
from machines.description.load import load_machine
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from machines.program import Parameter
from machines.types import F64, I64
from tests.compiler.frontends.test_ia64_bundling import check_bundles
from tests.compiler.gnu_as import complaints, needs_gnu_as

FOLDER = Path(__file__).parent / "ia64_loops"
MACHINE = load_machine("itanium2")
PREPROCESSORS = {".S": ["cpp", "-x", "assembler-with-cpp"], ".asm": ["m4"], ".s": ["cat"]}
LIMBS = np.array([0, 1, -1, 2**63 - 1, -(2**63), 12345, -2, -1], np.int64)


def text_of(name: str) -> str:
    """A loop's text, preprocessed."""
    path = FOLDER / name
    command = PREPROCESSORS[path.suffix]
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    ended = subprocess.run([*command, path.name], cwd=FOLDER, capture_output=True, text=True)
    return ended.stdout


def run(name: str, arrays: dict[str, np.ndarray], **arguments) -> tuple[MachineOutcome, Memory]:
    """Run a loop; arguments in order: names of arrays, integers, floats."""
    program: BundleProgram = PLUGIN.read(text_of(name), name, MACHINE)
    memory = Memory([(key, array.nbytes) for key, array in arrays.items()])
    for key, array in arrays.items():
        memory.view(key, array.dtype)[:] = array
    parameters, values, general = [], {}, iter(range(32, 40))
    for key, value in arguments.items():
        is_float = isinstance(value, float)
        register = "f8" if is_float else f"r{next(general)}"
        parameters.append(Parameter(key, F64 if is_float else I64, register))
        values[key] = memory.address(value) if isinstance(value, str) else value
    program = dataclasses.replace(program, parameters=parameters)
    outcome = interpret(program, memory, values, limit=100_000)
    assert outcome.status == "done", outcome.fault
    return outcome, memory


def unsigned(array: np.ndarray) -> int:
    """The number whose 64-bit digits these are, the lowest first."""
    return int.from_bytes(array.tobytes(), "little")


@pytest.mark.parametrize("count", [0, 1, 2, 5, 8])
def test_copy(count):
    arrays = {"to": np.zeros(9, np.int64), "source": LIMBS}
    _, memory = run("copy.S", arrays, to="to", count=count, source="source")
    copied = memory.view("to", np.int64)
    assert copied.tolist() == [*LIMBS[:count].tolist(), *[0] * (9 - count)]


@pytest.mark.parametrize("count", [1, 2, 7, 8])
def test_add_with_carry(count):
    a, b = LIMBS[:count], LIMBS[::-1][:count].copy()
    arrays = {"sum": np.zeros(count, np.int64), "a": a, "b": b}
    outcome, memory = run("add_n.asm", arrays, sum="sum", a="a", b="b", count=count)
    found = unsigned(memory.view("sum")) + (outcome.gr[8] << 64 * count)
    assert found == unsigned(a) + unsigned(b)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("factor", [0, 3, -1])
def test_multiply(count, factor):
    arrays = {"product": np.zeros(count, np.int64), "a": LIMBS[:count]}
    outcome, memory = run("mul_1.s", arrays, to="product", a="a", count=count, factor=factor)
    found = unsigned(memory.view("product")) + ((outcome.gr[8] % 2**64) << 64 * count)
    assert found == unsigned(LIMBS[:count]) * (factor % 2**64)


@pytest.mark.parametrize("count", [1, 11, 12, 40])
def test_daxpy(count):
    x, y = np.arange(count) * 0.5, np.arange(count) - 7.0
    _, memory = run("daxpy.s", {"x": x, "y": y}, count=count, x="x", y="y", a=3.0)
    assert memory.view("y", np.float64).tolist() == (3.0 * x + y).tolist()


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 30])
def test_string_length(length):
    text = np.zeros(40, np.uint8)
    text[:length] = 200
    outcome, _ = run("strlen.s", {"text": text}, text="text")
    assert outcome.value == length


@needs_gnu_as
@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_gnu_as_makes_the_same_bundles_and_has_no_complaint(name, tmp_path):
    text = text_of(name)
    assert not complaints(text, tmp_path)
    check_bundles(text.replace(".many", "").replace(".few", ""), tmp_path)


def test_places_name_the_file_before_the_preprocessor():
    program = PLUGIN.read(text_of("copy.S"), "copy.s", MACHINE)
    lines = (FOLDER / "copy.S").read_text().splitlines()
    places = [place for place in program.locations if place]
    assert {place.file for place in places} == {"copy.S"}
    assert "alloc" in lines[places[0].line - 1]
