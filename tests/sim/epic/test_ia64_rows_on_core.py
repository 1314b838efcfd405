"""The hand-computed cases of the ia64 rows on the core, and the core against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.epic.interpret import interpret
from machines.description.load import load_machine
from tests.machines.ia64_cases import cases, check, prepare
from tests.sim.epic.epic_runs import simulate

MACHINE = load_machine("itanium2")
CYCLE_LIMIT = 100_000  # a case takes a few hundred cycles, most of them cache misses

ROWS: dict[str, list] = {}
for _case in cases():
    ROWS.setdefault(_case.row, []).append(_case)


@pytest.mark.parametrize("row", ROWS)
def test_cases_on_the_core(row):
    for case in ROWS[row]:
        program, memory = prepare(case, MACHINE)
        judged = memory.copy()
        outcome = simulate(program, MACHINE, memory, {}, cycle_limit=CYCLE_LIMIT)
        registers = outcome.registers
        files = {"r": registers.gr, "f": registers.fr, "p": registers.pr, "b": registers.br}

        def read(file, number, files=files, registers=registers):
            return files[file][number] if file in files else registers.ar[file]

        check(case, program, memory, outcome, read)
        expected = interpret(program, judged)
        assert (outcome.status, outcome.value) == (expected.status, expected.value), case
        assert list(registers.gr) == expected.gr, case
        assert list(registers.pr) == expected.pr, case
        assert list(registers.br) == expected.br, case
        assert repr(list(map(tuple, registers.fr))) == repr(expected.fr), case
        assert expected.ar.items() >= registers.ar.items(), case
        assert np.array_equal(memory.bytes, judged.bytes), case
        assert outcome.executed.tolist() == expected.executed, case
        if expected.fault:
            assert outcome.fault.syllable == expected.fault.syllable, case
            assert outcome.fault.address == expected.fault.address, case
