"""Tasks worked out by hand on teaching_chip: two clusters of two cores.

A launch reaches the chip after 50 cycles; the module starts a job in 6, one after the other.  A
byte takes 4 cycles over 16 of the link to the host, a copy 30 more before its first.
"""

from __future__ import annotations

import numpy as np
import pytest

from sim.cores.cluster.host_steps import Copy, Launch
from tests.sim.cluster.chip_runs import ChipRun, run

pytestmark = pytest.mark.quick

WAIT = """\
x: f32[1024] in dram
a: f32[1024] in nram

func @short() {
entry:
    tensor.copy.f32 a[0:16], x[0:16]
    return
}

func @long() {
entry:
    tensor.copy.f32 a[0:512], x[0:512]
    return
}
"""
SHORT = 1 + 5 + 3 + 20 + 3 + 64 // 16
"""Issue, setup, a hop, the controller, a hop, 64 bytes at 16 a cycle."""
LONG = 1 + 5 + 3 + 20 + 3 + 2048 // 16
"""2 KiB at 16 bytes a cycle."""


def block(kernel: str, tasks: int, arrival: int = 0) -> Launch:
    return Launch(kernel, "block", tasks, {}, arrival)


def union(kernel: str, clusters: int, tasks: int | None = None, arrival: int = 0) -> Launch:
    return Launch(kernel, f"union{clusters}", tasks or 2 * clusters, {}, arrival)


def begun(done: ChipRun) -> list[tuple]:
    """When each job began, where, and which it was."""
    return sorted((j.begin, j.clusters, j.cores, j.kernel, j.first_task) for j in done.jobs)


# Where jobs go, and when


def test_tasks_of_a_block_spread_over_clusters():
    done = run(WAIT, host={0: [block("short", 4)]})
    assert begun(done) == [
        (56, [0], [0], "short", 0),
        (62, [1], [0], "short", 1),
        (68, [0], [1], "short", 2),
        (74, [1], [1], "short", 3),
    ]
    assert done.cycles == 74 + SHORT


def test_the_fifth_waits_for_the_first_core_that_is_free():
    done = run(WAIT, host={0: [block("long", 5)]}, overrides=["dram.bandwidth=400GB/s"])
    first_end = min(job.cycle for job in done.jobs)
    assert first_end == 56 + LONG
    assert begun(done)[-1] == (first_end + 6, [0], [0], "long", 4)


def test_a_launch_follows_the_one_before_in_its_stream():
    done = run(WAIT, host={0: [block("short", 1), block("short", 1)]})
    assert [job.begin for job in done.jobs] == [56, 56 + SHORT + 50 + 6]


def test_streams_run_side_by_side_the_lower_first():
    done = run(WAIT, host={3: [union("short", 1)], 1: [union("long", 1)]})
    assert begun(done) == [(56, [0], [0, 1], "long", 0), (62, [1], [0, 1], "short", 0)]


def test_jobs_of_a_launch_have_clusters_of_their_own():
    done = run(WAIT, host={0: [union("short", 1, tasks=6)]})
    assert begun(done)[:2] == [(56, [0], [0, 1], "short", 0), (62, [1], [0, 1], "short", 2)]
    begin, clusters, _, _, first = begun(done)[2]
    assert (begin, clusters, first) == (done.jobs[0].cycle + 6, [0], 4)


def test_nothing_is_launched_before_it_arrives():
    done = run(WAIT, host={0: [block("short", 1, arrival=1000)]})
    assert [job.begin for job in done.jobs] == [1056]


LATE = {
    0: [block("long", 1)],
    1: [union("short", 2, arrival=10)],
    2: [block("short", 1, arrival=20)],
}
"""Two clusters are wanted when a core of one is taken; then comes what needs one core."""


def test_in_order_what_comes_later_waits_behind_who_waits():
    done = run(WAIT, host=LATE)
    end = 56 + LONG
    assert begun(done) == [
        (56, [0], [0], "long", 0),
        (end + 6, [0, 1], [0, 1], "short", 0),
        (end + 6 + max_end(done) + 6, [0], [0], "short", 0),
    ]


def max_end(done: ChipRun) -> int:
    """Cycles of the job on two clusters, whose four copies share two controllers."""
    job = next(job for job in done.jobs if len(job.clusters) == 2)
    return job.cycle - job.begin


def test_first_that_fits_goes_past_who_waits():
    done = run(WAIT, host=LATE, overrides=["peripheral.order=first_that_fits"])
    assert begun(done)[:2] == [(56, [0], [0], "long", 0), (76, [1], [0], "short", 0)]
    longest = next(job for job in done.jobs if job.kernel == "long")
    assert begun(done)[2][:2] == (longest.cycle + 6, [0, 1])


# What tasks know of themselves

WHO = """\
y: i64[64] in dram
a: i64[8] in nram
b: i64[8] in nram

func @who(base: i64) {
entry:
    t = task_id
    d = task_dim
    c = cluster_id
    n = cluster_dim
    k = core_id
    m = core_dim
    tensor.fill.i64 a[0:1], t
    tensor.fill.i64 a[1:2], d
    tensor.fill.i64 a[2:3], c
    tensor.fill.i64 a[3:4], n
    tensor.fill.i64 a[4:5], k
    tensor.fill.i64 a[5:6], m
    tensor.fill.i64 a[6:7], base
    i = mul.i64 t, 8
    j = add.i64 i, 8
    sync_compute 0
    tensor.copy.i64 y[i:j], a[0:8]
    return
}
"""


@pytest.mark.parametrize(
    ("type", "tasks", "clusters", "cores"), [("block", 3, 1, 1), ("union1", 4, 1, 2)]
)
def test_identities(type, tasks, clusters, cores):
    done = run(WHO, host={0: [Launch("who", type, tasks, {"base": 7})]})
    found = done.memory.view("y", "<i8").reshape(-1, 8)[:tasks, :7]
    wanted = [[t, tasks, 0, clusters, t % cores, cores, 7] for t in range(tasks)]
    assert found.tolist() == wanted


def test_identities_on_two_clusters():
    done = run(WHO, host={0: [Launch("who", "union2", 4, {"base": 0})]})
    found = done.memory.view("y", "<i8").reshape(-1, 8)[:4, :6]
    assert found.tolist() == [[t, 4, t // 2, 2, t % 2, 2] for t in range(4)]


SENT = """\
y: i64[8] in dram
s: i64[4] in sram
a: i64[4] in nram
b: i64[4] in nram

func @send(first: i64) {
    beside = {"mem": "serve"}
entry:
    k = core_id
    other = sub.i64 1, k
    t = task_id
    at = add.i64 first, t
    end = add.i64 at, 1
    tensor.fill.i64 a[0:1], at
    sync_compute 0
    tensor.unicast.i64 b[0:1], a[0:1], other
    sync_bus 0
    sync_cluster 0
    tensor.copy.i64 y[at:end], b[0:1]
    return
}

func @serve(first: i64) {
entry:
    sync_cluster 0
    return
}
"""


def test_jobs_send_to_their_own_cores():
    """Both jobs of one launch, and then a job on the second cluster alone."""
    done = run(SENT, host={0: [Launch("send", "union1", 4, {"first": 0})]})
    assert done.memory.view("y", "<i8")[:4].tolist() == [1, 0, 3, 2]


FAR = """\
y: i64[8] in dram
s: i64[4] in sram
r: i64[4] in sram
a: i64[4] in nram

func @far() {
    beside = {"mem": "serve"}
entry:
    k = core_id
    c = cluster_id
    sync_all 0
    is_first = eq.i64 k, 0
    @is_first tensor.copy.i64 a[0:1], r[0:1]
    sync_move 0
    e = add.i64 c, 1
    @is_first tensor.copy.i64 y[c:e], a[0:1]
    return
}

func @serve() {
entry:
    c = cluster_id
    other = sub.i64 1, c
    n = add.i64 c, 5
    tensor.fill.i64 s[0:1], n
    sync_io 0
    tensor.to_cluster.i64 r[0:1], s[0:1], other
    sync_move 0
    sync_all 0
    return
}
"""


def test_clusters_of_a_job_are_counted_from_its_first():
    """A block takes a core of cluster 0 of four; the job gets clusters 1 and 2."""
    text = FAR + WAIT.replace("a: f32", "q: f32").replace("a[", "q[")
    host = {0: [block("long", 1)], 1: [union("far", 2, arrival=1)]}
    done = run(text, host=host, overrides=["clusters=4"])
    job = next(job for job in done.jobs if job.kernel == "far")
    assert job.clusters == [1, 2]
    assert done.memory.view("y", "<i8")[:2].tolist() == [6, 5]
    # 8 bytes each way through two ports, 8 to DRAM from each, and what the block reads.
    assert done.outcome.statistics.links["ports"] == 2 * (8 + 8) + 2 * 8 + 2048


def test_a_job_finds_zeros_in_scratchpads():
    """Not what another one left there."""
    text = """\
y: i64[8] in dram
a: i64[4] in nram

func @leave(n: i64) {
entry:
    e = add.i64 n, 1
    tensor.copy.i64 y[n:e], a[0:1]
    sync_io 0
    tensor.fill.i64 a[0:1], 9
    return
}
"""
    launches = [Launch("leave", "block", 1, {"n": n}) for n in range(2)]
    done = run(text, host={0: launches})
    assert done.memory.view("y", "<i8")[:2].tolist() == [0, 0]
    assert [job.cores for job in done.jobs] == [[0], [0]]


# Copies of the host


def test_a_copy_takes_latency_and_link():
    """4 KiB at 4 bytes a cycle, 30 cycles before."""
    done = run(WAIT, host={0: [Copy("x", "device")]}, entry="short")
    assert done.cycles == 30 + 4096 // 4
    (step,) = done.outcome.steps
    assert step == {
        "copy": "x",
        "to": "device",
        "bytes": 4096,
        "stream": 0,
        "begin": 0,
        "end": 1054,
    }


TWO = "x: f32[64] in dram\nz: f32[64] in dram\nfunc @none() {\nentry:\n    return\n}\n"


@pytest.mark.parametrize(("to", "cycles"), [("host", 30 + 64), ("device", 30 + 128)])
def test_directions_are_links_of_their_own(to, cycles):
    """256 bytes each: side by side in two directions, in turns of one."""
    host = {0: [Copy("x", "device"), block("none", 1)], 1: [Copy("z", to)]}
    done = run(TWO, host=host)
    ends = [step["end"] for step in done.outcome.steps if "copy" in step]
    assert max(ends) == cycles


def test_a_copy_shares_the_controllers():
    """The link could carry 64 bytes a cycle, the two controllers 32: 128 cycles."""
    done = run(
        WAIT,
        host={0: [Copy("x", "host")]},
        overrides=["host.link_bandwidth=64GB/s"],
        entry="short",
    )
    assert done.cycles == 30 + 4096 // 32


def test_a_copy_opens_rows():
    """2 KiB of each controller are 4 rows of its only bank: 128 cycles of bytes, 10 for each."""
    banks = "{count: 1, row: 512 B, page: closed, read: 10 ns, write: 20 ns}"
    overrides = ["host.link_bandwidth=64GB/s", f"dram.banks={banks}"]
    done = run(WAIT, host={0: [Copy("x", "host")]}, overrides=overrides, entry="short")
    assert done.cycles == 30 + 128 + 4 * 10
    assert done.outcome.statistics.rows == 2 * 4


FILL = """\
x: f32[1024] in dram
func @write() {
entry:
    tensor.fill.f32 x[ALL], 1.0
    return
}
"""


def test_a_copy_beside_a_task_that_writes_races():
    text = FILL.replace("ALL", "8:16")
    host = {0: [block("write", 1)], 1: [Copy("x", "host")]}
    failed = run(text, host=host, status="fault").outcome.failure
    assert "a race for bytes" in failed.kind and "the copy of 'x' of the host" in failed.kind
    assert failed.location.line == 4


def test_tasks_beside_each_other_race_for_dram():
    text = FILL.replace("ALL", "0:512")
    failed = run(text, host={0: [block("write", 2)]}, status="fault").outcome.failure
    assert "a race for bytes" in failed.kind and "core 0 of cluster 0" in failed.kind
    assert failed.where == "core 0 of cluster 1"


# What is counted


def test_cores_without_a_job_are_idle():
    done = run(WAIT, host={0: [block("short", 1)]})
    cores = sum(cycles for name, cycles in done.spent.items() if name.startswith("ipu."))
    assert cores == 4 * done.cycles
    assert done.spent["ipu.idle"] == 4 * done.cycles - SHORT
    assert done.outcome.executed.sum() == 2


def test_steps_say_what_the_host_did():
    done = run(WAIT, host={0: [union("short", 1, tasks=4)]})
    (step,) = done.outcome.steps
    assert step == {"kernel": "short", "type": "union1", "tasks": 4, "stream": 0,
                    "begin": 50, "end": done.cycles}  # fmt: skip


def test_a_job_that_hangs_says_who_waits():
    text = """\
func @meet() {
entry:
    k = core_id
    p = eq.i64 k, 0
    branch p, wait, end
wait:
    sync_all_ipu 0
    jump end
end:
    return
}
"""
    hang = run(text, host={0: [union("meet", 2)]}, status="hang").outcome
    assert "core 0 of cluster 0 waits" in hang.waits_for
    assert "core 1 of cluster 1 ended" in hang.waits_for


def test_values_do_not_change_time():
    host = {0: [Launch("send", "union1", 4, {"first": 0}), Copy("y", "host")]}
    assert run(SENT, host=host).cycles == run(SENT, host=host, values=False).cycles


def test_results_are_those_of_any_order_of_the_streams():
    forward = run(WAIT, host=LATE)
    backward = run(WAIT, host=dict(reversed(LATE.items())))
    assert begun(forward) == begun(backward) and forward.cycles == backward.cycles
    assert np.array_equal(forward.outcome.stalls, backward.outcome.stalls)
