"""What the benchmark of speed runs is what it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.interpret.functions import interpret
from sim.cores.epic.packets import packet_of
from sim.prepared_case import prepare
from sim.runner import compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks.then_and_now import programs, table
from tests.programs.deciding_program import DecidingProgram
from tests.sim.epic.switched_code import without_code


@pytest.mark.campaign
def test_the_long_program_is_long(tmp_path: Path):
    (row,) = (row for row in programs.measured() if row.name == "deciding")
    assert row.program == DecidingProgram(programs.DIAMONDS).text
    changes = {"arguments": {"rounds": 300}}
    short = replace(row, changes=changes).write(tmp_path, shortest=False)
    compiled = compile_workload(read_workload(short))
    with without_code() as cores:
        execute(prepare(compiled, compiled.workload.case()))
    looped = [n for n in cores[0].issued() if cores[0].state.packet_counts[n] > 5]
    assert sum(len(packet_of(cores[0].state, n).syllables) for n in looped) >= 2_000


def test_data_decide_the_branches_of_the_long_program(tmp_path: Path):
    diamonds, rounds = 6, 100
    text = DecidingProgram(diamonds).text
    long = {"arguments": {"rounds": rounds}}
    row = programs.Measured("deciding", programs.DECIDING, long, text, ".sir")
    compiled = compile_workload(read_workload(row.write(tmp_path, shortest=False)))
    case = prepare(compiled, compiled.workload.case())
    assert compiled.function is not None
    judged = interpret(compiled.function, case.arguments, case.memory)
    result = execute(prepare(compiled, compiled.workload.case()))
    assert (result.status, result.returned) == ("done", judged.value)
    surprising = result.counters["BR_MISPRED_DETAIL.WRONG_PATH"]
    assert diamonds * rounds / 3 < surprising < diamonds * rounds * 2 / 3


def test_every_row_is_a_workload_longer_than_the_shipped_one(tmp_path: Path):
    rows = programs.measured()
    assert len({row.name for row in rows}) == len(rows)
    for shortest in (True, False):
        folder = tmp_path / str(shortest)
        folder.mkdir()
        for row in rows:
            (case,) = read_workload(row.write(folder, shortest)).cases()
            assert not case.expect and case.arguments.keys() == row.content["arguments"].keys()


def test_a_ratio_is_of_its_own_pair(capsys):
    name, then, now, ratio, low, _, high = table.line("row", [1, 2, 4, 8], [1, 1, 1, 1]).split()
    assert (name, then, now, ratio) == ("row", "3.000", "1.000", "0.38")
    assert float(low) < 0.38 < float(high)
    assert table.ratios_of([2, 4], [1, 1]) == pytest.approx([0.5, 0.25])
