"""Every ptx row on hand-computed operands, in Python and jitted."""

from __future__ import annotations

import itertools
import math
import re
from functools import cache
from pathlib import Path

import pytest
from numba import njit

from machines.instructions import operations
from machines.operations.evaluate import NAMESPACE
from machines.operations.meaning import parsed
from machines.operations.row import Lane, Operation
from machines.vocabulary.lanes import lane_bits, read_lane
from sim.cores.simt.vocabulary import VOCABULARY as JITTED

ROWS = {
    name: row
    for name, row in operations().family("ptx").items()
    if row.combines is None or not row.combines.fragments
}
"""All but those of matrices: see `tests/sim/simt/test_tensor_cores.py`."""
LEFT_OUT = ("address", "mask", "target", "otherwise")
"""Operands that hardly a meaning reads; the same holds of offsets of accesses."""


def expanded(pattern: str) -> list[str]:
    """The names that a pattern with {alternatives} stands for."""
    parts = [part.split(",") for part in re.split(r"[{}]", pattern)]
    texts = [[",".join(part)] if k % 2 == 0 else part for k, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*texts)]


def cases_of(path: Path) -> dict[str, list[tuple[list[str], list[str]]]]:
    """Row -> (operands read, operands written) as they are written down."""
    found: dict[str, list] = {}
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pattern, _, rest = line.partition(" : ")
        for text in rest.split(";"):
            given, _, expected = text.partition("->")
            for name in expanded(pattern.strip()):
                found.setdefault(name, []).append((given.split(), expected.split()))
    return found


CASES = cases_of(Path(__file__).with_name("ptx_cases.txt"))


def inputs(row: Operation) -> list[str]:
    """Names of what a meaning reads, operands first."""
    left_out = {*LEFT_OUT}
    if row.access:
        left_out = (left_out | {"offset"}) - parsed(row.meaning).names
    names = [operand.name for operand in row.reads if operand.name not in left_out]
    names += [name.replace(".", "_") for name in row.implicit_reads]
    return names + (["loaded"] if row.access else [])


def outputs(row: Operation) -> dict[str, str]:
    """Name -> lane type of what a meaning assigns."""
    if row.control:
        return {"taken": "pred"}
    kinds = {operand.name: operand.kind.type for operand in row.writes}
    if row.access:
        return {"stored": f"b{8 * row.access.bytes}", **kinds}
    if "source" in row.meaning:
        return {"source": "s32"} | ({"p": "pred"} if "p" in kinds else {})
    return kinds


def source(row: Operation) -> str:
    body = row.meaning.replace("\n", "\n    ")
    results = ", ".join(outputs(row))
    return f"def meaning({', '.join(inputs(row))}):\n    {body}\n    return ({results},)"


@cache
def in_python(row: Operation):
    space = dict(NAMESPACE)
    exec(source(row), space)
    return space["meaning"]


@cache
def compiled(text: str):
    space = dict(JITTED)
    exec(text, space)
    return njit(space["meaning"], error_model="numpy")


def number(text: str, kind: str | None) -> int | float:
    """A literal as the meaning gets it: as an operand of the kind reads its bits."""
    if kind is None:
        return int(text, 0)
    value = float(text) if kind in ("f32", "f64") else int(text, 0)
    return read_lane(lane_bits(value, kind), kind)


def arguments(row: Operation, given: list[str]) -> list[int | float]:
    kinds = {o.name: o.kind.type for o in row.reads if isinstance(o.kind, Lane)}
    named = dict(text.split("=") for text in given if "=" in text)
    positional = iter([text for text in given if "=" not in text])
    values = []
    for name in inputs(row):
        kind = "b32" if name == "loaded" and row.access.bytes == 4 else kinds.get(name)
        own = name in [operand.name for operand in row.reads]
        text = named.get(name, "0") if not own or name in named else next(positional)
        values.append(number(text, kind))
    return values


def check(row: Operation, run) -> None:
    for given, expected in CASES[row.name]:
        results = run(*arguments(row, given))
        assert len(expected) == len(results)
        for text, got, kind in zip(expected, results, outputs(row).values(), strict=True):
            held = read_lane(lane_bits(got, kind), kind)
            wanted = number(text, kind)
            same = held == wanted and math.copysign(1, held) == math.copysign(1, wanted)
            assert same or (held != held and wanted != wanted), (row.name, given, text, held)


def test_every_row_has_cases_and_every_case_a_row():
    computed = [name for name, row in ROWS.items() if row.meaning]
    assert [name for name in computed if name not in CASES] == []
    assert [name for name in CASES if name not in ROWS] == []


@pytest.mark.parametrize("first", range(0, len(CASES), 100))
def test_meanings_in_python(first):
    for name in list(CASES)[first : first + 100]:
        check(ROWS[name], in_python(ROWS[name]))


MEANINGS = list({source(ROWS[name]): ROWS[name] for name in CASES if name in ROWS}.values())
"""Rows whose meanings differ."""


@pytest.mark.parametrize("row", MEANINGS[::80], ids=str)
def test_meanings_jitted(row):
    """A sample; all of them in tests/campaign/test_ptx_rows.py."""
    check(row, compiled(source(row)))


def test_rows_are_well_formed():
    for row in ROWS.values():
        assert row.sentence.endswith(".") and row.scheduling_class, row
        row.syntax.format(**{operand.name: operand.name for operand in row.operands})
        written = [operand.is_written for operand in row.operands]
        assert written == sorted(written, reverse=True), row
        assert not {operand.name for operand in row.operands} & set(NAMESPACE), row
        if row.meaning:
            assigned = re.findall(r"^(\w+) =", row.meaning, re.MULTILINE)
            assert set(outputs(row)) <= set(assigned), row
