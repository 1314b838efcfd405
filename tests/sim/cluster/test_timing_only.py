"""Time without values is the same time, and is refused where it depends on values."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from machines.diagnostics import InputError

CHIP = Path(__file__).parents[3] / "workloads" / "chip"
SUM = """\
x: i32[16] in dram
a: i32[16] in nram

func @main() {
entry:
    tensor.copy.i32 a[0:16], x[0:16]
    s = tensor.sum.i32 a[0:16]
    p = gt_s.i32 s, 3
    branch p, more, done
more:
    tensor.fill.i32 a[0:16], 0
    jump done
done:
    return
}
"""


@pytest.mark.parametrize("path", sorted(CHIP.glob("copies/*/workload.yaml")), ids=str)
def test_the_same_time(path: Path):
    whole, time = sim.run(path), sim.run(path, timing_only=True)
    assert whole.ok and time.ok and not time.checks
    assert (time.cycles, time.breakdown, time.counters) == (
        whole.cycles,
        whole.breakdown,
        whole.counters,
    )
    assert "timing_only" not in whole.provenance and time.provenance["timing_only"]


def test_a_program_that_goes_by_values_is_refused(tmp_path: Path):
    (tmp_path / "sum.sir").write_text(SUM)
    path = tmp_path / "workload.yaml"
    path.write_text("workload: sum\nprogram: sum.sir\nmachine: mlu_single\n")
    assert sim.run(path).ok
    with pytest.raises(InputError, match=r"sum.sir:7:5.*'tensor.sum.i32' gives the core a number"):
        sim.run(path, timing_only=True)


def test_other_machines_have_no_time_of_their_own():
    with pytest.raises(InputError, match="itanium2 computes while it runs") as refused:
        sim.run(CHIP.parent / "saxpy" / "workload.yaml", timing_only=True)
    assert "mlu370" in str(refused.value)
