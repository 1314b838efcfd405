"""The examples of the pages NUMBERS.md, MEMORY.md and README.md of the compiler are true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

import compiler
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.builder import canonical
from compiler.ir.module import Module
from compiler.targets.epic.interpret import interpret as interpret_epic
from compiler.targets.simt.interpret import interpret as interpret_rows
from compiler.targets.simt.interpret import memory_for as memory_of_rows
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.instructions import operations
from machines.operations.evaluate import evaluator, faults
from machines.threads.grid import Grid

FOLDER = Path(compiler.__file__).parent
PAGES = ("NUMBERS.md", "MEMORY.md", "README.md")
ROW = re.compile(r"^\| `(\S+\.\S+) ([^`]*)` \| (`[^`]*`|fault) \|", re.MULTILINE)
BLOCK = re.compile(r"^```sir\n(.*?)^```", re.MULTILINE | re.DOTALL)
CLAIM = re.compile(r"^# @(\w+)\((.*)\) (gives|faults:) (.*)$", re.MULTILINE)
CODE_CLAIM = re.compile(r"^# @(\w+)\((.*)\) on (\w+) (gives|leaves) (.*)$", re.MULTILINE)
ARGUMENT = re.compile(r"(\w+)=(\[[^]]*\]|[^,]+)")


def rows():
    return [
        pytest.param(*match.groups(), id=f"{match[1]} {match[2]}")
        for match in ROW.finditer((FOLDER / "NUMBERS.md").read_text())
    ]


@pytest.mark.parametrize(("name", "operands", "expected"), rows())
def test_row_of_numbers(name, operands, expected):
    row = operations()["ir", name]
    words = operands.split(", ")
    values = [value(w, o.kind) for w, o in zip(words, row.reads, strict=True)]
    assert faults(row)(*values) == (expected == "fault")
    if expected != "fault":
        wanted = value(expected.strip("`"), row.writes[0].kind)
        assert repr(evaluator(row)(*values)) == repr(wanted)


def value(word: str, kind) -> int | float:
    return canonical(float(word) if kind.is_float else int(word, 0), kind)


def claims():
    found = []
    for page in PAGES:
        for text in BLOCK.findall((FOLDER / page).read_text()):
            for claim in CLAIM.finditer(text):
                found.append(pytest.param(text, *claim.groups(), id=f"{page}: {claim[0]}"))
    return found


def test_pages_have_examples():
    assert len(rows()) > 40
    assert len(claims()) >= 12


@pytest.mark.parametrize(("text", "name", "arguments", "verb", "rest"), claims())
def test_example(text, name, arguments, verb, rest):
    module: Module = parse(text, "page")
    pairs = (pair.split("=") for pair in arguments.split(", "))
    given = {key: int(word, 0) for key, word in pairs}
    outcome = interpret(module.functions[name], given, memory_for(module, given))
    if verb == "gives":
        expected, _, unassigned = rest.partition(", ")
        assert outcome.value == int(expected, 0)
        assert outcome.unassigned == tuple(unassigned.removesuffix(" unassigned").split())
    else:
        fault = outcome.fault
        assert f"{fault.kind} at {fault.address:#x}, line {fault.location.line}" == rest


def code_claims():
    found = []
    for text in BLOCK.findall((FOLDER / "README.md").read_text()):
        for claim in CODE_CLAIM.finditer(text):
            found.append(pytest.param(text, *claim.groups(), id=claim[0]))
    return found


def given(text: str) -> dict[str, int | np.ndarray]:
    """Arguments: numbers, and arrays of f32."""
    return {
        name: np.array(value[1:-1].split(","), np.float32) if value[0] == "[" else int(value)
        for name, value in ARGUMENT.findall(text)
    }


def test_the_page_has_machine_code():
    assert len({text for text, *_ in (claim.values for claim in code_claims())}) >= 3


@pytest.mark.parametrize(("text", "name", "arguments", "machine", "verb", "rest"), code_claims())
def test_machine_code(text, name, arguments, machine, verb, rest):
    loaded = load_machine(machine)
    program = compiler.compile("page.sir", machine=loaded, source=text, entry=name).program
    values = given(arguments)
    arrays = {key: value for key, value in values.items() if isinstance(value, np.ndarray)}
    memory = memory_of_rows(program, arrays)
    if verb == "gives":
        assert interpret_epic(program, memory, values, machine=loaded).value == int(rest)
        return
    [(left, wanted)] = given(rest).items()
    arguments = {key: key if key in arrays else value for key, value in values.items()}
    grid = Grid((1, 1, 1), (wanted.size, 1, 1), 0)
    outcome = interpret_rows(program, loaded.description, memory, name, grid, arguments)
    assert outcome.status == "done"
    assert memory.view(left, np.float32).tolist() == wanted.tolist()


@pytest.mark.parametrize("page", PAGES)
def test_python_examples(page):
    failed, _ = doctest.testfile(str(FOLDER / page), module_relative=False)
    assert failed == 0
