"""The head of a GPU's report: kernels and gaps, occupancy, use of resources, what bounds a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sim
from sim.kinds.simt.summary import _covered, summary

ROOT = Path(__file__).parents[3]


def rows(result) -> dict[str, tuple[str, str]]:
    return {label: (value, note) for label, value, note in result.headlines}


@pytest.fixture(scope="module")
def saxpy():
    return sim.run(ROOT / "workloads" / "gpu" / "saxpy")


def test_the_head_says_what_the_counts_say(saxpy):
    told = rows(saxpy)
    [step] = saxpy.steps
    gaps = saxpy.cycles - (step["end"] - step["begin"])
    assert told["kernels"][0] == "1" and f"{100 * gaps / saxpy.cycles:.1f} %" in told["kernels"][1]
    total, empty = sum(saxpy.breakdown.values()), saxpy.breakdown["empty"]
    resident = total - empty  # cycles of sub-cores that have warps
    warps = sum(line.executed + line.lost_cycles for line in saxpy.lines)
    most = 16  # 64 an SM, of four sub-cores
    occupancy = float(told["occupancy"][0].split()[0])
    assert occupancy == pytest.approx(100 * warps / resident / most, rel=0.05)
    assert told["issue slots"][0] == f"{100 * saxpy.breakdown['issued'] / resident:.1f} %"
    moved = saxpy.counters["DRAM_BYTES_READ"] + saxpy.counters["DRAM_BYTES_WRITTEN"]
    assert told["DRAM bandwidth"][0] == f"{moved / saxpy.seconds / 1e9:.1f} GB/s"


def test_what_bounds_a_run(saxpy):
    def bound(**changed) -> str:
        return rows(replace(saxpy, **changed))["bound by"][0]

    assert bound() == "gaps between kernels"
    whole = [{**saxpy.steps[0], "begin": 0, "end": saxpy.cycles}]
    assert bound(steps=whole) == "latency"
    issued = {**saxpy.breakdown, "issued": 10**9}
    assert bound(steps=whole, breakdown=issued) == "issue slots"
    peak = saxpy.described.description.memory.dram.bandwidth
    counters = {**saxpy.counters, "DRAM_BYTES_READ": int(0.9 * peak * saxpy.seconds)}
    assert bound(steps=whole, counters=counters) == "DRAM"


def test_a_region_and_a_result_without_its_machine_say_less(saxpy):
    region = {"after": 0, "until": 1, "begin": 0, "end": 9, "run_cycles": 99}
    assert "kernels" not in rows(replace(saxpy, region=region))
    told = rows(replace(saxpy, described=None))
    assert "warps at a time" in told and "DRAM bandwidth" not in told
    nothing = dict.fromkeys(saxpy.breakdown, 0)
    assert [one[0] for one in summary(replace(saxpy, breakdown=nothing))] == ["kernels"]


def test_kernels_that_overlap_are_counted_once():
    steps = [{"begin": 5, "end": 9}, {"begin": 0, "end": 3}, {"begin": 6, "end": 8},
             {"begin": 8, "end": 12}]  # fmt: skip
    assert _covered(steps) == 3 + 7
