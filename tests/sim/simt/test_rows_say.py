"""What a row of family `ptx` does is said by its fields: no name means anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.instructions import operations
from machines.kinds.simt.program import FIRST_OPERAND, Kernel, KernelFrame, WarpProgram
from machines.operations.row import Lane, Operation
from sim.cores.simt import decode, lanes

ROOT = Path(__file__).parents[3]
ROWS = operations().family("ptx")
CONSTANT_ONE = -1
"""As an operand: constant 0 of the program, which is 1."""


OF_OPERANDS = (
    "operands", "accesses", "meets", "combines", "converges", "sleeps", "asynchronous",
    "barrier_object", "group",
)  # fmt: skip
"""Fields that name operands."""


def renamed(row: Operation, number: int) -> Operation:
    """The same row by another name, its operands by others."""
    names = {operand.name: f"operand_{k}" for k, operand in enumerate(row.operands)}
    texts = {name: with_names(getattr(row, name), names) for name in OF_OPERANDS}
    meaning = with_words(row.meaning, names)
    return replace(row, name=f"row_{number}", meaning=meaning, syntax=None, quiet=None, **texts)


def with_words(text: str, names: Mapping[str, str]) -> str:
    """A text with other words."""
    return re.sub(r"\b[a-z]\w*\b", lambda word: names.get(word[0], word[0]), text)


def with_names(value, names: Mapping[str, str]):
    """A field of a row with operands by other names."""
    if isinstance(value, tuple):
        return tuple(with_names(one, names) for one in value)
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        if isinstance(value, Lane):
            return value
        return type(value)(**{name: with_names(part, names) for name, part in parts.items()})
    return names.get(value, value) if isinstance(value, str) else value


def program_of(names: list[str]) -> WarpProgram:
    """Every row once, its operands constants where they may be, else registers or small numbers."""
    rows = list(ROWS.values())
    code = np.zeros((len(rows), FIRST_OPERAND + max(len(row.operands) for row in rows)), np.int64)
    for pc, row in enumerate(rows):
        code[pc, 0] = pc
        for number, operand in enumerate(row.operands):
            is_constant = isinstance(operand.kind, Lane) and not operand.is_written
            value = CONSTANT_ONE if is_constant and number % 2 else 2 * number
            code[pc, FIRST_OPERAND + number] = 0 if "symbol" in operand.name else value
    pcs, kernel = len(rows), Kernel("k", 0, len(rows), 32, 8, KernelFrame())
    none = np.zeros(pcs, np.uint8)
    return WarpProgram(
        "all", names, code, np.array([1], np.int64), {"k": kernel}, "k", none,
        np.zeros(pcs, np.int32), none, np.zeros((pcs, 5), np.int16), symbols=["s"],
    )  # fmt: skip


UNNAMED = {f"row_{number}": renamed(row, number) for number, row in enumerate(ROWS.values())}


class Renamed:
    """The operation table with rows by other names."""

    def family(self, name: str) -> dict[str, Operation]:
        return UNNAMED


def test_decode_reads_no_name(monkeypatch):
    machine = load_machine("h200").description
    monkeypatch.setattr(decode, "meanings", lambda *given: {})
    named = decode.Decoded(program_of(list(ROWS)), machine, {"s": 0})
    monkeypatch.setattr(decode, "operations", Renamed)
    unnamed = decode.Decoded(program_of(list(UNNAMED)), machine, {"s": 0})
    assert (named.code == unnamed.code).all()


@pytest.mark.parametrize("width", [32, 64])
def test_what_runs_a_meaning_reads_no_name(width: int):
    """The texts of renamed rows are those of the rows, but for the names."""
    for row, other in zip(ROWS.values(), UNNAMED.values(), strict=True):
        if not row.meaning or row.control:
            continue
        names = {operand.name: f"operand_{k}" for k, operand in enumerate(row.operands)}
        names["mask"] = "mask"  # which is also what a function of meanings calls its lanes
        told = with_words("\n".join(lanes.case_lines(row, width)), names)
        assert told == "\n".join(lanes.case_lines(other, width)), row.name


FOLDERS = ("sim/cores/simt", "compiler/targets/simt/interpreter", "compiler/targets/simt/passes")
OF_A_NAME = ("startswith", "endswith", "split", "partition", "rpartition")
TOLD = {
    ("sim/cores/simt/write_core.py", "split"),  # functions are named for mnemonics
    ("compiler/targets/simt/passes/combine_lanes.py", "split"),  # what a report of a pass says
    ("compiler/targets/simt/passes/contract_products.py", "split"),  # what it looks for is a row
    ("compiler/targets/simt/passes/contract_products.py", "startswith"),
    ("compiler/targets/simt/passes/reuse_lanes.py", "startswith"),
}
"""Where a spelling decides nothing of what a row does."""


def spelled(file: Path):
    """Calls of a method of strings on some `….name`."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            subject = node.func.value
            is_name = isinstance(subject, ast.Attribute) and subject.attr == "name"
            if is_name and node.func.attr in OF_A_NAME:
                yield str(file.relative_to(ROOT)), node.func.attr


def test_no_spelling_of_a_name_is_looked_at():
    found = {one for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")
             for one in spelled(file)}  # fmt: skip
    assert found - TOLD == set()
