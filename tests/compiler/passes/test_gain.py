"""What pipelining is weighed against, by numbers worked out by hand, and what is then kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.targets.epic.pipelining.gain import Weighing, list_cycles, pipelined_cycles
from compiler.targets.epic.scheduling.reservation import reservation
from machines.description.load import load_machine
from sim.runner import compile_workload
from sim.workload.schema import read_workload
from tests.compiler.code_of_lines import code

MACHINE = load_machine("itanium2")
LOOPS = Path("workloads/loops")


def test_cycles_of_a_kernel():
    """Fourteen rounds of 48 cycles, and four around them: the last iteration begins in round 12."""
    assert pipelined_cycles(48, 3, 12) == 676


@pytest.mark.parametrize(
    "count, alone, ii, stages, is_worth_it",
    [
        (12, 50, 46, 2, False),  # 602 of 600
        (13, 50, 46, 2, False),  # 648 of 650: less than a 128th
        (20, 50, 46, 2, True),  # 970 of 1 000
        (100, 5, 1, 6, True),
        (2, 5, 1, 6, False),  # 11 of 10
        (1, 9, 1, 2, True),  # 6 of 9
    ],
)
def test_weighing(count: int, alone: int, ii: int, stages: int, is_worth_it: bool):
    assert Weighing(count, alone).is_worth_it(ii, stages) is is_worth_it


def test_the_largest_ii_that_may_be_better():
    # (12 + 1) * II + 4 < 127 / 128 * 600: 45 gives 589, 46 gives 602
    assert Weighing(12, 50).most_ii == 45
    assert Weighing(1, 3).most_ii == 0


def test_an_iteration_by_itself_waits_for_the_one_before():
    """The sum is ready 4 cycles after its row, and is asked for at the beginning."""
    lines = [
        "%s = fma.d.s0 %s, f1, %x",
        "%n = adds -1, %n",
        "%done, %more = cmp.eq.imm 0, %n",
        "@%more br.cond 2, loop",
    ]
    block = code("ia64", loop=lines).blocks["loop"]
    description = MACHINE.description
    fits = reservation("automaton", description)
    assert list_cycles(block.instructions, description, fits) == 4
    assert list_cycles(block.instructions[1:], description, fits) == 2


@pytest.mark.parametrize(
    "name", ["whiles/mean_of_means", "whiles/decimal_digits", "whiles/gcd", "livermore/k23"]
)
def test_what_was_slower_pipelined_stays(name: str):
    """12.8, 8.5, 1.7 and 10.4 % slower were these."""
    compiled = compile_workload(read_workload(LOOPS / f"{name}.yaml"))
    assert not {"br.ctop", "br.wtop"} & set(compiled.compilation.program.operations)
