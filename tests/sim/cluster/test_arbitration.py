"""Where turns of `arbitration` bytes matter, and where shares are rates: as the page says."""

from __future__ import annotations

import pytest

from tests.sim.cluster.chip_runs import run

PROGRAM = """
x: f32[1024] in dram
a: f32[512] in nram

func @main() {
entry:
    t = task_id
    p = eq.i64 t, 0
    branch p, one, two
one:
    tensor.copy.f32 a[0:512], x[0:512]
    return
two:
    tensor.copy.f32 a[0:128], x[512:640]
    return
}
"""
ONE = "dram.controllers=1"


@pytest.mark.parametrize(
    ("chip", "matters"), [(("clusters=2", "cores=1"), True), (("clusters=1", "cores=2"), False)]
)
def test_turns_matter_where_ways_meet_once(chip, matters):
    found = {
        tuple(
            c.cycle for c in run(PROGRAM, overrides=[*chip, ONE, f"arbitration={turn} B"]).commands
        )
        for turn in (64, 1024)
    }
    assert len(found) == (2 if matters else 1)
