"""Cycles worked out by hand on teaching_chip, from its file and the rules of the engines: each file
of hand_worked/ says what happens when, and why.

// machine: cores=1       an override of the machine
// cycles: 48             when the run has ended
// iodma.transfer: 16     cycles of what cores and engines did

A command is issued in 1 cycle.  Where nothing else is said the chip has one cluster of one core.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sim.cluster.chip_runs import run

pytestmark = pytest.mark.quick

FILES = sorted((Path(__file__).parent / "hand_worked").glob("*.sir"))
HEADING = re.compile(r"^// (machine|cycles|[a-z]+\.[a-z_]+): (\S.*)$", re.MULTILINE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cycles_are_those_worked_out(path):
    text = path.read_text()
    heading = HEADING.findall(text)
    done = run(text, overrides=[value for key, value in heading if key == "machine"])
    found = {"cycles": done.cycles, **done.spent}
    wanted = {key: int(value) for key, value in heading if key != "machine"}
    assert {key: found[key] for key in wanted} == wanted


def test_there_are_programs_enough():
    assert len(FILES) >= 50
