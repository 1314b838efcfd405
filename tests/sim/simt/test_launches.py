"""Launches, copies and streams: what happens when, and that the quantum does not matter."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import sim
from machines.diagnostics import InputError
from tests.campaign.seeds import spread

KERNELS = """\
from compiler.kernel import atomic, blockDim, blockIdx, i32, kernel, shared, syncthreads, threadIdx


@kernel
def add(n: i32, amount: i32, x: i32[n]):
    i = blockIdx.x * blockDim.x + threadIdx.x
    if i < n:
        for _ in range(i % 5):
            x[i] = x[i] + amount


@kernel
def reverse(n: i32, y: i32[n], total: i32[1]):
    tile = shared.array(64, i32)
    t = threadIdx.x
    i = blockIdx.x * 64 + t
    tile[t] = y[i]
    syncthreads()
    y[i] = tile[63 - t]
    if tile[t] > 0:
        atomic.add(total, 0, 1)


@kernel
def halve(n: i32, x: i32[n], changed: i32[1]):
    i = blockIdx.x * blockDim.x + threadIdx.x
    if i < n:
        if x[i] > 1:
            x[i] = x[i] // 2
            changed[0] = 1
"""
STREAMS = """\
workload: streams
program: kernels.py
machine: teaching_gpu
arguments:
  n: 320
  m: 256
  x: {dtype: i32, shape: [320], range: {start: 0, step: 1}}
  y: {dtype: i32, shape: [256], range: {start: -100, step: 1}}
  total: {dtype: i32, shape: [1], value: 0}
launches:
  - {kernel: add, grid: [5], block: [64], arguments: [n, 3, x]}
  - {copy: x, to: host}
  - {kernel: add, grid: [10], block: [32], arguments: [n, -1, x]}
  - {kernel: reverse, grid: [4], block: [64], arguments: [m, y, total], stream: 1}
  - {copy: y, to: host, stream: 1}
  - {kernel: reverse, grid: [4], block: [64], arguments: [m, y, total], stream: 1}
expect:
  y: {equals: y}
  total: {values: [310]}
"""
REPEATED = """\
workload: repeated
program: kernels.py
machine: teaching_gpu
arguments:
  n: 64
  x: {dtype: i32, shape: [64], range: {start: 1, step: 1}}
  changed: {dtype: i32, shape: [1], value: 7}
launches:
  - {kernel: halve, grid: [2], block: [32], repeat: {most: 40, while: changed}}
expect:
  x: {equals: "x * 0 + 1"}
  changed: {equals: "changed * 0"}
"""
SLOW_HOST = ("host.launch_latency=100 ns", "host.link_bandwidth=2 GB/s")


@pytest.fixture
def write(tmp_path: Path):
    (tmp_path / "kernels.py").write_text(KERNELS)

    def workload(text: str) -> Path:
        path = tmp_path / "workload.yaml"
        path.write_text(text)
        return path

    return workload


@pytest.mark.parametrize("policy", spread(("markers", "ipdom", "min_pc", "barriers"), 2))
def test_quanta_and_several_sms_leave_the_same(write, policy: str):
    path = write(STREAMS)
    changes = ("sms=3", f"reconvergence.policy={policy}", *SLOW_HOST)
    results = [sim.run(path, overrides=changes, quantum=q) for q in (None, 1, 7, 1000)]
    assert results[0].ok, results[0].fault or [str(check) for check in results[0].checks]
    assert len({result.to_json() for result in results}) == 1


def test_steps_of_a_stream_follow_each_other_and_streams_run_side_by_side(write):
    result = sim.run(write(STREAMS), overrides=SLOW_HOST)
    by_stream = {s: [x for x in result.steps if x["stream"] == s] for s in (0, 1)}
    for steps in by_stream.values():
        assert all(a["end"] <= b["begin"] for a, b in pairwise(steps))
    first = by_stream[0][0], by_stream[1][0]
    assert [one["begin"] for one in first] == [100, 100]  # 100 ns at 1 GHz
    copies = [one for one in result.steps if "copy" in one]
    assert len(copies) == 2 and result.cycles == max(one["end"] for one in result.steps)


def test_a_copy_takes_the_time_of_the_link(write):
    result = sim.run(
        write(STREAMS), overrides=("host.link_bandwidth=2 GB/s", "host.link_latency=1 us")
    )
    copy = next(one for one in result.steps if one.get("copy") == "x")
    assert copy["bytes"] == 1280
    assert copy["end"] - copy["begin"] == 1000 + 640  # 1 µs, and 1280 bytes at 2 a cycle


@pytest.mark.parametrize(
    "slow", ("host.launch_latency=1e9 ns", "host.link_latency=1e9 ns", "host.link_bandwidth=1 MB/s")
)
def test_what_the_host_waits_for_does_not_pass_the_cycle_limit(write, slow: str):
    result = sim.run(write(STREAMS), overrides=(slow,), cycle_limit=5000)
    assert (result.status, result.cycles) == ("limit", 5000)


def test_a_repeated_launch_ends_when_its_flag_stays_clear(write):
    result = sim.run(write(REPEATED))
    assert result.ok, [str(check) for check in result.checks]
    assert len(result.steps) == 7  # 64 is halved six times; the seventh launch changes nothing


def test_without_a_flag_a_launch_is_repeated_to_the_last(write):
    result = sim.run(write(REPEATED.replace("{most: 40, while: changed}", "{times: 3}")))
    assert len(result.steps) == 3
    assert result.outputs["x"].tolist() == [max(1, (i + 1) // 8) for i in range(64)]


def test_kernels_of_one_file_have_parameters_of_their_own(write):
    text = STREAMS.replace("{dtype: i32, shape: [320]", "{dtype: f32, shape: [320]")
    with pytest.raises(InputError, match="is an array i32"):
        sim.run(write(text))


def test_the_most_repetitions_are_not_passed(write):
    result = sim.run(write(REPEATED.replace("most: 40", "most: 3")))
    assert len(result.steps) == 3 and not result.ok


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kernel: halve", "kernel: halves", "no kernel 'halves'"),
        ("grid: [2]", "grid: [0]", "'grid': is one to three positive integers"),
        ("while: changed", "while: change", "there is no argument 'change'"),
        ("launches:", "launch: {grid: [1], block: [1]}\nlaunches:", "exclude each other"),
    ],
)
def test_wrong_launches_are_told_with_their_place(write, old: str, new: str, message: str):
    with pytest.raises(InputError, match=message) as error:
        sim.run(write(REPEATED.replace(old, new)))
    assert all(finding.location is not None for finding in error.value.diagnostics)


def test_what_is_wrong_only_in_a_later_step_is_told_with_its_place(write):
    step = "kernel: halve, grid: [2], block: [32], repeat: {most: 40, while: changed}"
    later = 'repeat: {times: 4}, steps: [{kernel: halve, grid: ["2 - step"], block: [32]}]'
    with pytest.raises(InputError, match="'grid' is 0 where step = 2") as error:
        sim.run(write(REPEATED.replace(step, later)))
    assert [finding.location.line for finding in error.value.diagnostics] == [9]


def test_a_fault_says_at_which_pc_and_in_which_thread(write, tmp_path: Path):
    path = write(REPEATED)
    (tmp_path / "kernels.py").write_text(KERNELS.replace("x[i] > 1", "x[i + n] > 1"))
    fault = sim.run(path).fault
    assert (fault["kind"], fault["block"], fault["thread"]) == (
        "out of bounds",
        [0, 0, 0],
        [0, 0, 0],
    )
    assert isinstance(fault["pc"], int) and "row" not in fault
