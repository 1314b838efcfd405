"""Every tensor row against hand-computed cases (tensor_cases.txt), in Python and compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from compiler.ir.builder import canonical
from machines.instructions import operations
from machines.operations.row import Operation
from machines.tensors.elements import array_of, numbers_of
from machines.tensors.loops import Runner, element_type, python_loops
from machines.tensors.sizes import misfit
from machines.types import Type
from sim.cores.tensor_loops import compiled_loops
from tests.machines.instructions.test_ir_cases import expand, number, same

ROWS = {name: row for name, row in operations().family("ir").items() if row.walk}
TEXT = Path(__file__).with_name("tensor_cases.txt").read_text()
_WORDS = re.compile(r"\[[^\]]*\]|\S+")


def values(word: str, type: Type) -> list:
    """What a word says, as values of a type; of a scalar a list of one."""
    inside = word.strip("[]")
    if ":" in inside:
        return [canonical(n, type) for n in range(*map(int, inside.split(":")))]
    return [number(one, type) for one in inside.split()]


def cases() -> Iterator[tuple[Operation, list[str], list[str]]]:
    for line in TEXT.splitlines():
        if line and not line.startswith("#"):
            pattern, rest = line.split(None, 1)
            for case in rest.split(";"):
                given, _, expected = case.partition("->")
                for name in expand(pattern):
                    yield ROWS[name], _WORDS.findall(given), _WORDS.findall(expected)


def check(row: Operation, given: list[str], expected: list[str], run: Runner) -> None:
    written = [operand for operand in row.operands if operand.name in row.written_names]
    read = [operand for operand in row.reads if operand not in written]
    wanted = {
        operand.name: values(word, element_type(operand))
        for operand, word in zip(written, expected, strict=True)
    }
    arrays, known = {}, {name: len(found) for name, found in wanted.items()}
    for operand, word in zip(read, given, strict=True):
        found = values(word, element_type(operand))
        if word.startswith("["):
            arrays[operand.name] = array_of(found, element_type(operand))
            known[operand.name] = len(found)
        else:
            (known[operand.name],) = found
    assert misfit(row.walk, known) is None, f"{row} {given}"
    results = run(arrays, known)
    for operand in written:
        found = numbers_of(results[operand.name], element_type(operand))
        pairs = zip(found, wanted[operand.name], strict=True)
        assert all(same(*pair) for pair in pairs), f"{row} {given}: {operand.name} is {found}"


def test_every_row_has_cases():
    assert {row.name for row, _, _ in cases()} == set(ROWS)


def test_python_loops():
    for row, given, expected in cases():
        check(row, given, expected, python_loops(row))


BY_NAME = sorted({name.split(".")[1] for name in ROWS})


def some(name: str) -> set[str]:
    """Of the rows of one name some, so that all types come up with many."""
    rows = [row for row in sorted(ROWS) if row.split(".")[1] == name]
    return set(rows) if name == "matmul" else {rows[BY_NAME.index(name) % len(rows)]}


@pytest.mark.parametrize("name", BY_NAME)
def test_compiled_loops(name):
    chosen = some(name)
    for row, given, expected in cases():
        if row.name in chosen:
            check(row, given, expected, compiled_loops(row))


def test_values_of_types_survive():
    """What stands in memory is what it was, whatever the bits."""
    for row in (ROWS["tensor.copy.f16"], ROWS["tensor.copy.bf16"]):
        type = row.regions[0].type
        bits = np.arange(1 << 16, dtype=np.uint16)
        elements = bits if type.name == "bf16" else bits.view(np.float16)
        known = {"a": len(bits), "d": len(bits)}
        both = [loops(row)({"a": elements}, known)["d"] for loops in (python_loops, compiled_loops)]
        assert both[0].tobytes() == both[1].tobytes()
        numbers = np.array(numbers_of(elements, type))
        assert both[0].view(np.uint16)[~np.isnan(numbers)].tobytes() == (
            bits[~np.isnan(numbers)].tobytes()
        )
        assert len(set(both[0].view(np.uint16)[np.isnan(numbers)].tolist())) == 1
