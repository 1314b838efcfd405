"""The page that describes the language says what the front end does."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from compiler.frontends import python
from compiler.frontends.python.check_module import check_module
from compiler.python_syntax.errors import Source
from compiler.python_syntax.fold import LARGEST_EXPONENT
from machines.description.load import load_machine
from machines.diagnostics import InputError

PAGE = (Path(python.__file__).parents[1] / "PYTHON.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def table(title: str) -> list[list[str]]:
    """The rows of the table whose first column has this title, without backquotes."""
    lines = PAGE[PAGE.index(f"| {title} |") :].split("\n")[2:]
    rows = lines[: next(i for i, line in enumerate(lines) if not line.startswith("|"))]
    assert rows
    return [[cell.strip().strip("`") for cell in row.strip("| ").split(" | ")] for row in rows]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_compile_and_give_what_they_say(example, read, run):
    assert read(example).functions
    for entry, arguments, value in re.findall(r"^# (\w+)\((.*)\) = (.+)$", example, re.MULTILINE):
        names = list(read(example).functions[entry].signature)
        given = ast.literal_eval(f"[{arguments}]")
        named = dict(zip(names, given, strict=True))
        assert run(example, entry=entry, **named).value == ast.literal_eval(value)


def test_examples_with_results_exist():
    assert len(re.findall(r"^# \w+\(.*\) = ", PAGE, re.MULTILINE)) >= 5


def test_figures():
    assert f"the exponent is a constant from 0 to {LARGEST_EXPONENT};" in PAGE
    registers = load_machine("itanium2").description.registers
    general, floats = (len(registers[file].arguments) for file in ("general", "floating"))
    assert f"at most {general} that are integers, booleans or arrays, and\n{floats} floats" in PAGE


@pytest.mark.parametrize("expression, a, b, type", table("Expression"))
def test_types_of_operations(expression, a, b, type):
    text = (
        "from compiler.kernel import kernel, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, "
        f"boolean\n@kernel\ndef f(a: {a}, b: {b}):\n    x = {expression}\n"
    )
    source = Source(text, "f.py")
    declarations = check_module(source, ast.parse(text))
    source.raise_findings()
    assert declarations.kernels["f"].variables["x"].name == type


@pytest.mark.parametrize("statement, message", table("Refused"))
def test_what_is_refused(read, statement, message):
    parameters = "n: i64, m: i32, u: u32, c: u8, t: f32, d: f64, x: f32[:]"
    with pytest.raises(InputError) as caught:
        read(f"@kernel\ndef f({parameters}):\n    {statement}\n")
    [finding] = caught.value.diagnostics
    assert finding.message.startswith(message)
