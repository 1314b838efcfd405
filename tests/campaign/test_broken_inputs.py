"""Broken inputs of every kind end in one message or in a run that an interpreter agrees with.

Values and structure are damaged, not only text, so that most inputs come past the first check.
No input makes simrun fail itself (exit code 70), abort, run for 30 s or take a GiB.

    pytest -m campaign -n 2 tests/campaign/test_broken_inputs.py
    python -m tests.campaign.broken_inputs 0:1000       a table of what these seeds come to
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.prepared_case import prepare
from sim.runner import compile_workload
from sim.workload.schema import read_workload
from tests.campaign.broken_inputs import corpus
from tests.campaign.broken_inputs.figures import Figures, figures_of
from tests.campaign.broken_inputs.judge import are_racing
from tests.campaign.broken_inputs.pool import run_all
from tests.campaign.seeds import campaign


def check(seeds: range) -> None:
    figures = figures_of(run_all(seeds))
    print(*figures.lines(), sep="\n")
    assert figures.problems == []
    check_reach(figures)


def check_reach(figures: Figures) -> None:
    """Inputs that are all refused at once would find nothing."""
    total = figures.total
    assert total["read"] > total["inputs"] / 2
    assert total["ended"] > total["inputs"] / 10
    assert total["judged"] > total["inputs"] / 10


def test_a_few_inputs():
    check(range(20))


@pytest.mark.parametrize(("where", "races"), [("i", False), ("0", True)])
def test_threads_that_race_are_seen(tmp_path: Path, where: str, races: bool):
    """Where an interpreter and the core differ, those of a race may."""
    for name, text in corpus.of_a_program("threads.py").files.items():
        (tmp_path / name).write_text(text.replace("y[i] =", f"y[{where}] ="))
    workload = read_workload(tmp_path / "workload.yaml")
    compiled = compile_workload(workload)
    assert are_racing(prepare(compiled, workload.cases()[0])) == races


@campaign(2000, 0, 100_000)
def test_campaign(seeds: range):
    check(seeds)
