"""Headlines of a run that ended early: no word on what a program does of which only a part ran."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sim
from sim.status import FAULT, HANG, INTERRUPTED, LIMIT

ROOT = Path(__file__).parents[3]
CHIP = """x: f32[64] in dram
a: f32[64] in nram

func @main(n: i64) {
entry:
    h = add.i64 n, 64
    tensor.copy.f32 a[n:h], x[n:h]
    return
}
"""


def chip(n: int) -> sim.Result:
    """A program whose first command faults unless n is 0."""
    x = {"dtype": "f32", "shape": [64], "value": 0}
    workload = {"workload": "w", "machine": "teaching_chip", "arguments": {"n": n, "x": x}}
    return sim.run({**workload, "expect": {}}, source=CHIP, language=".sir")


def test_no_command_had_ended():
    def note(result: sim.Result) -> str:
        return {label: note for label, _, note in result.headlines}["commands"]

    assert note(chip(64)) == "none had ended when the run did"
    whole = chip(0)
    assert "commands" not in [label for label, *_ in whole.headlines]
    nothing = replace(whole, counters=dict.fromkeys(whole.counters, 0))
    assert "removed (explain --show passes" in note(nothing)
    for status in (FAULT, LIMIT, HANG, INTERRUPTED):
        assert note(replace(nothing, status=status)) == "none had ended when the run did"
    region = {"after": 0, "until": 1, "begin": 0, "end": 9, "run_cycles": 99}
    assert note(replace(nothing, region=region)) == "none ended in these steps"


@pytest.mark.parametrize("status", [FAULT, LIMIT, HANG, INTERRUPTED])
def test_a_kernel_that_was_at_work_is_no_gap(status: str):
    """What the host says it did has ended; the kernel that faults is not among it."""
    result = sim.run(ROOT / "workloads" / "gpu" / "saxpy")
    told = [label for label, *_ in replace(result, status=status).headlines]
    assert "kernels" not in told and "occupancy" in told
    none = dict.fromkeys(result.counters, 0)
    told = [label for label, *_ in replace(result, status=status, counters=none).headlines]
    assert "bound by" not in told
