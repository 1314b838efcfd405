"""The units of an SM: what each declares has one number, one sentence and one owner."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from importlib import import_module

import pytest

from machines.instructions import operations
from sim.cores.simt import units
from sim.cores.simt.decode import kind_of
from sim.cores.simt.tables import NEVER, Numbers, Table, code, numbered
from sim.cores.simt.unit import STEP, STEP_BITS, kinds
from sim.cores.simt.units import UNITS

HOSTILE = """
import json
from sim.cores.simt.{first} import *
from tests.sim.simt.test_units import numbers_by_unit
print(json.dumps(numbers_by_unit()))
"""


def numbers_by_unit() -> dict[str, dict[str, dict[str, int]]]:
    """What every unit declares: by its own name, its groups' and the numbers'."""
    return {
        name: {
            group: {each: int(number) for each, number in zip(found.sentences, found, strict=True)}
            for group, found in vars(import_module(f"{units.__name__}.{name}")).items()
            if isinstance(found, Numbers)
        }
        for name in units.NAMES
    }


@pytest.mark.parametrize("first", ["units.faults", "cycle.barriers", "host.shortcuts"])
@pytest.mark.campaign
def test_numbers_are_the_same_whoever_is_imported_first(first: str):
    """Else the machine code that is kept would look for columns where they are not."""
    words = [sys.executable, "-c", HOSTILE.format(first=first)]
    found = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == json.loads(json.dumps(numbers_by_unit()))


def test_only_units_declare():
    for declare in (Table("mine").columns, code.columns, partial(kinds, STEP.COMPUTES)):
        with pytest.raises(ValueError, match="their unit is not listed"):
            declare(MINE="…")


def test_every_number_has_a_sentence():
    for groups in (vars(import_module(f"{units.__name__}.{name}")) for name in units.NAMES):
        for found in groups.values():
            if isinstance(found, Numbers):
                assert all(sentence.strip() for sentence in found.sentences.values())


def test_a_table_counts():
    table = Table("a table", line=4)
    assert table.width == 0
    assert NEVER not in numbered(A="a", B="b")
    assert [*numbered(A="a", B="b")] == [0, 1]


def test_every_row_has_one_unit_that_executes_it():
    executed = {kind: unit.name for unit in UNITS for kind in unit.executes}
    assert len(executed) == sum(len(unit.executes) for unit in UNITS)
    for row in operations().family("ptx").values():
        unit = executed[kind_of(row)]
        step = kind_of(row) >> STEP_BITS
        multiplies = row.group is not None and row.group.does == "multiply"
        is_access, is_fault = bool(row.accesses) or multiplies, row.fault is not None
        assert (step == STEP.ACCESSES, step == STEP.FAULTS) == (is_access, is_fault), row.name
        is_plain = not (row.accesses or row.meets or row.control)
        assert (unit == "instructions") == (bool(row.meaning) and is_plain), row.name
