"""Cycles worked out by hand on teaching_gpu: each file says what happens when, and why.

// threads: 32            of a block (32 unless said); blocks: 1
// machine: scheduler.policy=lrr
// cycles: 14             when the grid has ended
// math_pipe_throttle: 2  warp-cycles of a reason
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores import Outcome
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.stall_reasons import REASONS
from sim.cores.simt.statistics import Statistics
from sim.kinds.simt.vocabulary import VOCABULARY
from sim.results.laws import check_outcome
from sim.status import DONE as ENDED
from tests.warp_programs import emitted

pytestmark = pytest.mark.quick

FILES = sorted((Path(__file__).parent / "hand_worked").glob("*.sir"))
LIMIT = 100_000
NAMES = [reason.name for reason in REASONS]
KEYS = ("threads", "blocks", "machine", "registers", "cycles", *NAMES)


def read_heading(text: str) -> dict[str, list[str]]:
    """The lines '// key: value' of a file, by key."""
    heading: dict[str, list[str]] = {}
    for line in text.splitlines():
        key, _, value = line.removeprefix("// ").partition(": ")
        if line.startswith("// ") and key in KEYS and ("=" in value or value.isdigit()):
            heading.setdefault(key, []).append(value)
    return heading


def run_file(path: Path, quantum: int = LIMIT) -> tuple[SimtCore, dict[str, list[str]]]:
    """A core that has run the program of a file."""
    text = path.read_text()
    heading = read_heading(text)
    machine = load_machine("teaching_gpu", heading.get("machine", [])).description
    memory = Memory([("x", 16384), ("y", 16384)])
    program = emitted(text, registers=int(heading.get("registers", ["0"])[0]))
    core = SimtCore(program, machine, memory)
    blocks, threads = (int(heading.get(k, [v])[0]) for k, v in (("blocks", "1"), ("threads", "32")))
    core.start(0, "k", Grid((blocks, 1, 1), (threads, 1, 1)), b"")
    while (status := core.advance(core.cycle + quantum)) == QUANTUM and core.cycle < LIMIT:
        pass
    assert status == DONE
    return core, heading


def checked_statistics(core: SimtCore) -> Statistics:
    """What a core counted, which keeps all laws."""
    statistics = Statistics(core)
    check_outcome(VOCABULARY, Outcome(ENDED, core.cycle, statistics, statistics.breakdown))
    return statistics


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cycles_are_those_worked_out(path):
    core, heading = run_file(path)
    assert core.cycle == int(heading["cycles"][0])
    reasons = dict(zip(NAMES, checked_statistics(core).stalls.sum(axis=0).tolist(), strict=True))
    for reason in NAMES:
        if reason in heading:
            assert reasons[reason] == int(heading[reason][0]), reason


@pytest.mark.parametrize("quantum", (1, 7))
@pytest.mark.parametrize("path", FILES[::3], ids=lambda path: path.stem)
def test_cycles_do_not_depend_on_how_the_run_is_cut(path, quantum):
    whole, _ = run_file(path)
    cut, _ = run_file(path, quantum)
    whole.settle()
    cut.settle()
    assert cut.cycle == whole.cycle
    for name in ("stalls", "executed", "active", "diverged", "lost", "words", "bytes"):
        assert np.array_equal(getattr(cut.state, name), getattr(whole.state, name)), name


@pytest.mark.parametrize("name", ["check_cost", "marker_alone"])
def test_a_sub_core_of_one_warp_waits_for_what_the_warp_waits_for(name):
    core, heading = run_file(next(path for path in FILES if path.stem == name))
    breakdown = checked_statistics(core).breakdown
    assert breakdown["reconvergence_check"] == int(heading["reconvergence_check"][0]) > 0
