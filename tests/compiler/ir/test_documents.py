"""The examples of the pages NUMBERS.md, MEMORY.md and README.md of the compiler are true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import compiler
from compiler.ir.builder import canonical
from compiler.ir.interpret.functions import interpret, memory_for
from compiler.ir.module import Module
from compiler.ir.text import parse
from machines.instructions import operations
from machines.operations.evaluate import evaluator, faults

FOLDER = Path(compiler.__file__).parent
PAGES = ("NUMBERS.md", "MEMORY.md", "README.md")
ROW = re.compile(r"^\| `(\S+\.\S+) ([^`]*)` \| (`[^`]*`|fault) \|", re.MULTILINE)
BLOCK = re.compile(r"^```sir\n(.*?)^```", re.MULTILINE | re.DOTALL)
CLAIM = re.compile(r"^# @(\w+)\((.*)\) (gives|faults:) (.*)$", re.MULTILINE)


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


@pytest.mark.parametrize("page", PAGES)
def test_python_examples(page):
    failed, _ = doctest.testfile(str(FOLDER / page), module_relative=False)
    assert failed == 0
