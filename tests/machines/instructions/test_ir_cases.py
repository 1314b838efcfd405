"""Every IR row against hand-computed cases (ir_cases.txt), in Python and jitted."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import pytest
from numba import njit

from compiler.ir.builder import canonical
from machines.instructions import operations
from machines.operations.evaluate import NAMESPACE as PYTHON
from machines.operations.row import Label, Operation, Symbol
from machines.types import PTR, Type
from sim.cores.tensor_vocabulary import VOCABULARY as JITTED

ROWS = operations().family("ir")
TEXT = Path(__file__).with_name("ir_cases.txt").read_text()


def expand(pattern: str) -> list[str]:
    """'add.{i8,i16}' -> ['add.i8', 'add.i16']."""
    parts = re.split(r"\{(.*?)\}", pattern)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def number(word: str, kind) -> int | float:
    if isinstance(kind, Type) and kind.is_float:
        return canonical(float(word), kind)
    if not isinstance(kind, Type):
        return int(word, 0)
    limits = {"MAX": (1 << (kind.bits - 1)) - 1, "MIN": -(1 << (kind.bits - 1))}
    known = {"-MAX": -limits["MAX"], "MAX-1": limits["MAX"] - 1, **limits}
    return known[word] if word in known else int(word, 0)


def value_operands(row: Operation) -> list:
    """(name, kind) of what a case gives: addresses are not values, a load reads `loaded`."""
    if row.access and row.access.kind == "load":
        return [("loaded", None)]
    skip = row.access.address if row.access else None
    loaded = [("loaded", None)] if row.access and row.access.kind == "load_store" else []
    kinds = loaded + [(o.name, o.kind) for o in row.reads if o.name != skip]
    return [(n, PTR if isinstance(k, Symbol) else k) for n, k in kinds if not isinstance(k, Label)]


def puts(row: Operation) -> bool:
    """Whether the row's result goes to memory."""
    return row.access is not None and row.access.kind in ("store", "load_store")


def result_of(row: Operation) -> tuple[str, object]:
    if puts(row):
        return "stored", None
    return (row.writes[0].name, row.writes[0].kind) if row.writes else ("taken", None)


def cases() -> list[tuple[Operation, tuple, object]]:
    found = []
    for line in TEXT.splitlines():
        if not line or line.startswith("#"):
            continue
        pattern, rest = line.split(None, 1)
        for name, case in itertools.product(expand(pattern), rest.split(";")):
            row = ROWS[name]
            given, _, expected = case.partition("->")
            kinds = [kind for _, kind in value_operands(row)]
            values = tuple(number(w, k) for w, k in zip(given.split(), kinds, strict=True))
            wanted = expected.strip()
            kind = result_of(row)[1]
            found.append((row, values, wanted if wanted == "fault" else number(wanted, kind)))
    return found


CASES = cases()


def source(row: Operation, index: int) -> str:
    """A function of the case's operands that returns (does it fault, its result)."""
    names = ", ".join(name for name, _ in value_operands(row))
    name, kind = result_of(row)
    zero = "0.0" if isinstance(kind, Type) and kind.is_float else "0"
    return (
        f"def row{index}({names}):\n"
        f"    if {row.faults_if or False}:\n        return True, {zero}\n"
        + "".join(f"    {line}\n" for line in row.meaning.splitlines())
        + f"    return False, {name}\n"
    )


def same(a, b) -> bool:
    if isinstance(a, float) != isinstance(b, float):
        return False
    if isinstance(a, float):
        return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return int(a) == int(b)


def check(row: Operation, values: tuple, expected: object, outcome: tuple) -> None:
    faulted, result = outcome
    if expected == "fault":
        assert faulted, f"{row} {values} must fault"
        return
    assert not faulted
    if puts(row) and row.access.bytes < 8:
        result &= (1 << 8 * row.access.bytes) - 1
    assert same(result, expected), f"{row} {values}: {result}, by hand {expected}"


def test_every_row_has_cases():
    """Those of tensors are made of other rows' meanings: tests/compiler/ir/test_tensors.py."""
    without_cases = {
        n for n, row in ROWS.items() if not row.meaning or row.implicit_reads or row.walk
    }
    assert set(ROWS) - {row.name for row, _, _ in CASES} == without_cases


@pytest.mark.parametrize("name", sorted({row.name for row, _, _ in CASES}))
def test_python_meaning(name):
    space = dict(PYTHON)
    exec(source(ROWS[name], 0), space)
    for row, values, expected in CASES:
        if row.name == name:
            check(row, values, expected, space["row0"](*values))


@pytest.mark.campaign
def test_jitted_meanings():
    """All rows with one shape of operands become one jitted function, dispatched by number."""
    shapes: dict[tuple, list[Operation]] = {}
    for row in dict.fromkeys(row for row, _, _ in CASES):
        shapes.setdefault(shape(row), []).append(row)
    compiled = {key: jit(rows) for key, rows in shapes.items()}
    for row, values, expected in CASES:
        key = shape(row)
        number_ = shapes[key].index(row)
        check(row, values, expected, compiled[key](number_, *values))


def shape(row: Operation) -> tuple[bool, ...]:
    """Which operands and result are floats."""
    kinds = [kind for _, kind in value_operands(row)] + [result_of(row)[1]]
    given = tuple(isinstance(kind, Type) and kind.is_float for kind in kinds)
    stores_float = row.access is not None and row.access.kind == "store"
    return (*given[:-1], given[-1] and not stores_float)


def jit(rows: list[Operation]):
    """f(number of the row, *operands) -> (faults, result), by binary decision."""
    count = len(value_operands(rows[0]))
    arguments = [f"x{i}" for i in range(count)]
    is_float = shape(rows[0])[-1]
    zero = "0.0" if is_float else "0"
    lines = [f"def run({', '.join(['number', *arguments])}):"]

    def decide(first: int, end: int, depth: int) -> None:
        pad = "    " * depth
        if end - first > 1:
            middle = (first + end) // 2
            lines.append(f"{pad}if number < {middle}:")
            decide(first, middle, depth + 1)
            lines.append(f"{pad}else:")
            decide(middle, end, depth + 1)
            return
        row = rows[first]
        for (name, _), argument in zip(value_operands(row), arguments, strict=True):
            lines.append(f"{pad}{name} = {argument}")
        lines.append(f"{pad}if {row.faults_if or False}:")
        lines.append(f"{pad}    return True, {zero}")
        lines.extend(f"{pad}{line}" for line in row.meaning.splitlines())
        lines.append(f"{pad}return False, {result_of(row)[0]}")

    decide(0, len(rows), 1)
    space = dict(JITTED)
    exec("\n".join(lines) + "\n", space)
    return njit(space["run"], error_model="numpy")
