"""The timeline of a chip: what its parts did, one after the other.  That it adds up to what they
counted, every run of `tests.sim.cluster.chip_runs` is held to."""

from __future__ import annotations

import pytest

from tests.sim.cluster.chip_runs import ChipRun, run

pytestmark = pytest.mark.quick

PROGRAM = """
x: f32[1024] in dram
a: f32[512] in nram

func @main() {
entry:
    tensor.copy.f32 a[0:512], x[0:512]
    sync_io 0
    tensor.add.f32 a[0:512], a[0:512], a[0:512]
    return
}
"""
ONE_CORE = ("clusters=1", "cores=1")


def spans(done: ChipRun, family: str) -> list[tuple[int, int, str]]:
    """Those on tracks of a family, each as begin, end, and what it says first."""
    own = [one for one in done.happened if one.track.family == family]
    return [(one.begin, one.end, next(iter(one.arguments.values()))) for one in own]


def test_a_copy_and_what_waits_for_it():
    """The engine sets the copy up, and moves its bytes while they are on the links; the core waits
    as long as that takes, and then as long as the sum does."""
    done = run(PROGRAM, overrides=ONE_CORE)
    copy, added = done.commands
    (setup, moved) = (one for one in spans(done, "engine") if one[2].startswith("iodma"))
    assert setup[2] == "iodma.setup" and setup[1] == copy.begin
    assert moved == (copy.begin, copy.cycle, "iodma.transfer")
    assert (added.begin, added.cycle, "compute.vector") in spans(done, "engine")
    links = spans(done, "link")
    assert {one[:2] for one in links} == {(copy.begin, copy.cycle)}
    assert {one[2] for one in links} >= {"dram", "ports"}
    waits = [one for one in spans(done, "core") if one[2] != "ipu.scalar"]
    assert [(one[1], one[2]) for one in waits] == [
        (copy.cycle, "ipu.wait_io"), (added.cycle, "ipu.wait_compute")
    ]  # fmt: skip
    assert spans(done, "tasks") == [(0, done.cycles, "main")]


def test_what_is_cut_off_is_told_up_to_there():
    whole = run(PROGRAM, overrides=ONE_CORE)
    (copy, _) = whole.commands
    cut = copy.begin + 1
    done = run(PROGRAM, overrides=ONE_CORE, limit=cut, status="limit")
    assert [(one.begin, one.cycle) for one in done.commands] == [(copy.begin, cut)]
    assert {one[:2] for one in spans(done, "link")} == {(copy.begin, cut)}
    assert spans(done, "tasks") == [(0, cut, "main")]
