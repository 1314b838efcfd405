"""Every tensor row against hand-computed cases (tensor_cases.txt), in Python and compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from compiler.ir.builder import canonical
from machines.elements import encodings, rounded
from machines.instructions import operations
from machines.operations.row import Operation
from machines.tensors.elements import array_of, as_numbers_of, numbers_of, stored_type
from machines.tensors.loops import Runner, element_type, python_loops
from machines.tensors.sizes import misfit
from machines.types import TYPES, Type
from sim.cores.tensor_loops import compiled_loops
from tests.campaign.seeds import spread
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


@pytest.mark.parametrize("name", spread(BY_NAME, 3))
def test_compiled_loops(name):
    """To compile them takes most of it: of every third name in every run."""
    chosen = some(name)
    for row, given, expected in cases():
        if row.name in chosen:
            check(row, given, expected, compiled_loops(row))


OF_FEW_BITS = (
    "add.u8", "convert.e4m3.f32", "convert.f32.e4m3", "convert_saturate.f32.e5m2", "convert.u4.i8",
    "convert.i8.i4", "matmul.e5m2.f32", "matmul.i4.i32",
)  # fmt: skip


def test_compiled_loops_of_few_bits():
    for row, given, expected in cases():
        if row.name.removeprefix("tensor.") in OF_FEW_BITS:
            check(row, given, expected, compiled_loops(row))


@pytest.mark.parametrize("name", ["f16", "bf16", "e4m3", "e5m2"])
def test_values_of_types_survive(name):
    """What stands in memory is what it was, whatever the bits; a NaN becomes the one we make."""
    row = ROWS[f"tensor.copy.{name}"]
    type = row.regions[0].type
    bits = np.arange(1 << type.bits, dtype=f"u{type.bytes}")
    elements = bits.view(stored_type(type))
    known = {"a": len(bits), "d": len(bits)}
    both = [loops(row)({"a": elements}, known)["d"] for loops in (python_loops, compiled_loops)]
    assert both[0].tobytes() == both[1].tobytes()
    found, numbers = both[0].view(bits.dtype), np.array(numbers_of(elements, type))
    assert np.array_equal(found[~np.isnan(numbers)], bits[~np.isnan(numbers)])
    assert set(found[np.isnan(numbers)].tolist()) == {type.format.nan}


@pytest.mark.parametrize("name", ["f16", "bf16", "e4m3", "e5m2"])
def test_rounding_is_that_of_arrays(name):
    """Rows, compiled or not, round as `machines.elements` does."""
    type, draw = TYPES[name], np.random.default_rng(3)
    near = as_numbers_of(
        np.arange(1 << type.bits, dtype=f"u{type.bytes}").view(stored_type(type)), type
    ).astype(np.float64)
    near = np.unique(near[np.isfinite(near)])[:: max(1, (1 << type.bits) // 512)]
    middle = (near[1:] + near[:-1]) / 2
    beside = [np.nextafter(middle, to) for to in (np.inf, -np.inf)]
    large = type.format.largest * np.array([1.0, 1.03, 1.07, 1.2, 3.0, np.inf, np.nan])
    random = draw.standard_normal(300) * 10.0 ** draw.integers(-8, 6, 300)
    values = np.concatenate([near, middle, *beside, large, -large, random])
    wanted = rounded(values, type)
    known = {"a": len(values), "d": len(values)}
    to, back = (ROWS[f"tensor.convert.{way}"] for way in (f"f64.{name}", f"{name}.f64"))
    for loops in (python_loops, compiled_loops):
        codes = loops(to)({"a": values}, known)["d"]
        assert codes.tobytes() == encodings(wanted, type).tobytes()
        found = loops(back)({"a": codes}, known)["d"]
        assert np.array_equal(found, wanted, equal_nan=True)
