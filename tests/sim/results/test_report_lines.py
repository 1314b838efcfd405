"""Source lines in reports: by the time that they take, issuing and lost, with what they execute."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sim
from sim.results.sections import sections, spent_by_line, sum_of

ROOT = Path(__file__).parents[3]
BUSY = """from compiler.kernel import i64, kernel


@kernel
def busy(n: i64) -> i64:
    a = 1
    b = n
    for i in range(n):
        a = (a ^ b) + (a >> 3) + (b << 2) + (a & 5) + (b | i)
    return a + b
"""
MULTIPLIED = """from compiler.kernel import i64, kernel


@kernel
def products(n: i64) -> i64:
    a = n
    for i in range(n):
        a = a * a + 1
    return a
"""


def run(text: str, machine: str = "itanium2", **arguments):
    workload = {"workload": "lines", "arguments": arguments}
    return sim.run(workload, machine=machine, source=text, language="python")


def shown(result):
    title = result.vocabulary.titles.lines
    return next(one.rows for one in sections(result) if one.title == title)


def test_a_loop_that_issues_all_the_time_is_hot():
    """It loses next to nothing, so that what is lost ranks it nowhere."""
    result = run(BUSY, n=2000)
    assert result.breakdown["issuing"] > 0.9 * result.cycles
    rows = shown(result)
    line = next(one for one in result.lines if one.line == 9)
    place, _, share, executed, most, _ = rows[0]
    assert place.endswith(":9") and most == "issuing"
    assert executed == f"{line.executed:,} ×".replace(",", " ")
    assert float(share.split()[0]) > 50


@pytest.mark.parametrize("name", ["saxpy", "gpu/saxpy"])
def test_lines_have_all_that_was_spent(name: str):
    """But for rounding: a cycle at most for each line."""
    result = sim.run(ROOT / "workloads" / name)
    spent = spent_by_line(result)
    issuing = result.breakdown[result.vocabulary.issuing]
    lost = sum(line.lost_cycles for line in result.lines)
    assert abs(sum(map(sum_of, spent)) - issuing - lost) <= len(spent)
    if result.vocabulary.in_whole:
        assert issuing + lost == result.cycles
    rows = shown(result)
    cycles = [int(row[1].replace(" ", "")) for row in rows]
    assert cycles == sorted(cycles, reverse=True) and rows


def test_integer_products_wait_for_floating_registers_and_the_report_says_so():
    result = run(MULTIPLIED, n=500)
    assert result.breakdown["float"] and not result.counters["FP_OPS_RETIRED"]
    [note] = [note for label, _, note in result.headlines if label == "floating operations"]
    assert note == "integer products and moves wait for floating registers, too"
    plain = run(BUSY, n=50)
    assert not plain.breakdown["float"]
    [note] = [note for label, _, note in plain.headlines if label == "floating operations"]
    assert note == "0.00 a cycle"


def test_time_ranks_and_not_what_is_lost():
    result = run(BUSY, n=50)
    one, two = (replace(result.lines[0], line=n) for n in (1, 2))
    lines = [replace(one, executed=10, lost={"load": 30}), replace(two, executed=990, lost={})]
    breakdown = {"issuing": 970, "load": 30}
    rows = shown(replace(result, lines=lines, breakdown=breakdown))
    assert [row[0].rpartition(":")[2] for row in rows] == ["2", "1"]
    assert [row[1:5] for row in rows] == [
        ("960", "96.0 %", "990 ×", "issuing"),
        ("40", "4.0 %", "10 ×", "load"),
    ]
