"""Races by order, worked out by hand: who has an order to whom, and what is said of those who have
none."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from sim.cores import Failure
from sim.cores.cluster.arrays_of_host import ArraysOfHost
from sim.cores.cluster.host_steps import Copy, Launch
from sim.cores.cluster.races.accesses import FEW_PLACES, Place
from sim.cores.cluster.races.bytes_touched import Bytes
from tests.sim.cluster.chip_runs import run

HEAD = """\
x: f32[512] in dram
y: f32[512] in dram
a: f32[64] in nram
b: f32[64] in nram
s: f32[64] in sram

func @main() {
entry:
"""


def lines(text: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in text.strip().splitlines()) + "    return\n}\n"


def race(text: str, *overrides: str, **more) -> Failure:
    """Of a program that has one, as it is written."""
    failure = run(text, overrides=overrides, status="fault", **more).outcome.failure
    assert failure.kind.startswith("a race for bytes"), failure
    return failure


ONE = ("clusters=1", "cores=1")
TWO = ("clusters=1", "cores=2")


# Within a core

COPY, ADD, STORE = (
    "tensor.copy.f32 a[0:64], x[0:64]",
    "tensor.add.f32 b[0:64], a[0:64], a[0:64]",
    "tensor.copy.f32 y[0:64], b[0:64]",
)


def test_a_wait_gives_an_order():
    run(lines(f"{COPY}\nsync_io 0\n{ADD}\nsync_compute 0\n{STORE}"), overrides=ONE)


def test_a_missing_wait_is_told_with_both_commands_and_what_would_help():
    failure = race(lines(f"{COPY}\n{ADD}\nsync_io 0\nsync_compute 0\n{STORE}\nsync_io 0"), *ONE)
    assert failure.kind == (
        "a race for bytes 0 to 255 of nram of core 0 of cluster 0: 'tensor.add.f32' reads a[0:64], "
        "'tensor.copy.f32' in line 9 of core 0 of cluster 0 writes a[0:64], and nothing says which "
        "comes first"
    )
    assert failure.location.line == 10 and failure.where == "core 0 of cluster 0"
    assert failure.hint == (
        "core 0 of cluster 0 would have to wait for its queue io in between: 'sync_io 0'"
    )


@pytest.mark.parametrize("first", ["tensor.copy.f32 y[0:64], a[0:64]", COPY])
def test_time_is_no_order(first: str):
    """What has long ended is not known to have ended: so are reads before writes."""
    wait = ["k = core_id", *["k = div_s.i64 k, 2"] * 40]
    race(lines("\n".join([first, *wait, "tensor.fill.f32 a[0:8], 0.0"])), *ONE)


@pytest.mark.parametrize(("left", "ends"), [(0, "done"), (1, "done"), (2, "fault")])
def test_waits_that_count(left: int, ends: str):
    text = (
        f"{COPY}\ntensor.copy.f32 y[64:128], b[0:64]\nsync_io {left}\ntensor.fill.f32 a[0:64], 0.0"
    )
    run(lines(text), overrides=(*ONE, "waits=counted"), status=ends)


def test_a_result_ends_its_queue():
    run(lines(f"{COPY}\nz = tensor.load.f32 x[100:101]\n{ADD}"), overrides=ONE)


def test_a_queue_keeps_its_order():
    run(lines(f"{COPY}\ntensor.copy.f32 y[0:64], a[0:64]\n{COPY}"), overrides=ONE)


@pytest.mark.parametrize(
    ("one", "other", "ends"),
    [
        ("a[0:32]", "a[32:64]", "done"),
        ("a[0:33]", "a[32:64]", "fault"),
        ("a[0:4, 8 by 8]", "a[4:8, 8 by 8]", "done"),
        ("a[0:5, 7 by 8]", "a[4:8, 7 by 8]", "fault"),
        ("a[0:1, 2 by 32, 4 by 8]", "a[16:17]", "fault"),
        ("a[0:1, 2 by 32, 4 by 8]", "a[17:24]", "done"),
    ],
)
def test_bytes_in_common(one: str, other: str, ends: str):
    counts = {"0:32": 32, "0:33": 33, "0:4, 8 by 8": 32, "0:5, 7 by 8": 35}
    size = counts.get(one[2:-1], 8)
    text = f"tensor.copy.f32 {one}, x[0:{size}]\ntensor.fill.f32 {other}, 0.0"
    run(lines(text), overrides=ONE, status=ends)


# Between cores

HANDED = """\
x: f32[64] in dram
e: f32[64] in dram
y: f32[64] in dram
a: f32[64] in nram

func @main() {
entry:
    t = task_id
    p = eq.i64 t, 0
    branch p, make, use
make:
    tensor.copy.f32 a[0:64], x[0:64]
    sync_io 0
    tensor.exp.f32 a[0:64], a[0:64]
    sync_compute 0
    tensor.copy.f32 e[0:64], a[0:64]
    sync_io 0
    MEET
    return
use:
    MEET
    tensor.copy.f32 a[0:64], e[0:64]
    tensor.copy.f32 y[0:64], a[0:64]
    return
}
"""


@pytest.mark.parametrize("machine", ["teaching_chip", "mlu370"])
def test_a_forgotten_meeting(machine: str):
    """The first one reads what is not there yet; the hint says where they could meet."""
    failure = race(HANDED.replace("    MEET\n", ""), *TWO, machine=machine)
    assert failure.where == "core 0 of cluster 0" and failure.location.line == 16
    assert "'sync_all_ipu_within_cluster 0' in both" in failure.hint
    run(HANDED.replace("MEET", "sync_all_ipu 0"), machine=machine, overrides=TWO)


def test_who_meets_without_having_waited_knows_nothing():
    text = HANDED.replace("    sync_io 0\n    MEET", "    MEET").replace("MEET", "sync_all_ipu 0")
    race(text, *TWO)


PASSED_ON = """\
x: f32[64] in dram
a: f32[64] in nram

func @main() {
entry:
    t = task_id
    p = eq.i64 t, 0
    @p tensor.fill.f32 x[0:64], 1.0
    sync_io 0
    sync_all_ipu_within_cluster 0
    sync_all_ipu 1
    q = eq.i64 t, 3
    @q tensor.copy.f32 a[0:64], x[0:64]
    return
}
"""


def test_what_others_know_is_known_behind_a_meeting():
    run(PASSED_ON, overrides=("clusters=2", "cores=2"))
    apart = PASSED_ON.replace("    sync_all_ipu 1\n", "")
    assert "'sync_all_ipu 0' in both" in race(apart, "clusters=2", "cores=2").hint


@pytest.mark.parametrize("cluster", [0, 1])
def test_what_a_mem_core_did_is_passed_on_by_those_it_met(cluster: int):
    """It is not where the reader learns of it."""
    text = f"""\
x: f32[64] in dram
a: f32[64] in nram

func @main() {{
    beside = {{"mem": "serve"}}
entry:
    t = task_id
    sync_cluster 0
    sync_all_ipu 1
    q = eq.i64 t, {3 - 3 * cluster}
    @q tensor.copy.f32 a[0:64], x[0:64]
    return
}}

func @serve() {{
entry:
    c = cluster_id
    p = eq.i64 c, {cluster}
    @p tensor.fill.f32 x[0:64], 1.0
    sync_io 0
    sync_cluster 0
    return
}}
"""
    run(text, overrides=("clusters=2", "cores=2"))


LATE = "\n".join(["    d = core_id", *["    d = div_s.i64 d, 2"] * 200])


def test_a_read_does_not_answer_for_a_write():
    """The writer itself reads it again, before the other one does."""
    text = HANDED.replace(
        "    MEET\n    return", "    tensor.copy.f32 a[0:64], e[0:64]\n    return"
    )
    race(text.replace("    MEET", LATE), *TWO)


def test_a_reader_does_not_answer_for_those_of_another_task():
    """Every task reads, and one of them writes when all have read."""
    text = MIXED.replace("WRITER", "0").replace(
        "writes:\n",
        f"writes:\n    tensor.copy.f32 a[0:8], x[0:8]\n    sync_io 0\n{LATE}\n",
    )
    race(text, host={0: [Launch("mixed", "block", 2, {})]})


def test_sends_are_where_they_go():
    text = lines("""
k = core_id
p = eq.i64 k, 0
@p tensor.unicast.f32 b[0:64], a[0:64], 1
sync_bus 0
MEET
tensor.fill.f32 b[0:64], 0.0
""")
    run(text.replace("MEET", "sync_cluster 0"), overrides=TWO)
    failure = race(text.replace("MEET", "k = copy.i64 0"), *TWO)
    assert "nram of core 1 of cluster 0" in failure.kind


@pytest.mark.parametrize(("to", "ends"), [(0, "done"), (1, "fault")])
def test_what_is_sent_to_nobody_is_not_read(to: int, ends: str):
    text = (
        HEAD.replace(
            "@main() {",
            """@main() {
    beside = {"mem": "serve"}""",
        )
        + f"""    return
}}

func @serve() {{
entry:
    tensor.multicast.f32 a[0:64], s[0:64], {to}
    tensor.copy.f32 s[0:64], x[0:64]
    return
}}
"""
    )
    run(text, overrides=ONE, status=ends)


# Tasks and copies of the host

WRITE = """\
x: f32[512] in dram
a: f32[8] in nram

func @write(at: i64) {
entry:
    end = add.i64 at, 8
    tensor.copy.f32 x[at:end], a[0:8]
    return
}

func @read() {
entry:
    tensor.copy.f32 a[0:8], x[0:8]
    return
}
"""


def write(at: int, tasks: int = 1, **more) -> Launch:
    return Launch("write", "block", tasks, {"at": at}, **more)


def read(tasks: int = 1, **more) -> Launch:
    return Launch("read", "block", tasks, {}, **more)


def test_steps_of_a_stream_have_an_order():
    run(WRITE, host={0: [write(0), write(0), read(8), write(4), Copy("x", "host"), write(0)]})


@pytest.mark.parametrize(
    "host",
    [
        {0: [write(0, tasks=2)]},
        {0: [write(0)], 1: [write(4, arrival=100_000)]},
        {0: [write(0)], 1: [read(arrival=100_000)]},
        {0: [read(20)], 1: [write(0, arrival=100_000)]},
        {0: [read()], 1: [Copy("x", "device", arrival=100_000)]},
        {0: [Copy("x", "device"), write(100)], 1: [Copy("x", "host", arrival=100_000)]},
        {0: [write(0), write(100), Copy("x", "host")], 1: [write(0, arrival=100_000)]},
    ],
)
def test_tasks_of_a_launch_and_streams_have_none(host):
    """However late the one of the other stream comes."""
    assert (
        "stream" in race(WRITE, host=host).hint
        or "tasks of a launch" in race(WRITE, host=host).hint
    )


@pytest.mark.parametrize(
    "host",
    [
        {0: [read(20)], 1: [read(20)]},
        {0: [write(0)], 1: [write(8)]},
        {0: [Copy("x", "host")], 1: [read(), Copy("x", "host")]},
    ],
)
def test_streams_may_read_together_and_write_side_by_side(host):
    run(WRITE, host=host)


MIXED = """\
x: f32[512] in dram
a: f32[8] in nram

func @mixed() {
entry:
    t = task_id
    w = eq.i64 t, WRITER
    branch w, writes, reads
writes:
    tensor.copy.f32 x[0:8], a[0:8]
    return
reads:
    tensor.copy.f32 a[0:8], x[0:8]
    return
}
"""


@pytest.mark.parametrize("writer", [0, 1, 2, 7, 39])
def test_readers_that_answer_for_others(writer: int):
    """One of 40 tasks of a launch writes what all others read, whichever it is."""
    race(MIXED.replace("WRITER", str(writer)), host={0: [Launch("mixed", "block", 40, {})]})


MANY = f"""\
x: f32[8] in dram
y: f32[{2 * FEW_PLACES}] in dram
a: f32[8] in nram

func @many() {{
entry:
    t = task_id
    i = const.i64 0
    tensor.copy.f32 x[0:8], a[0:8]
    sync_io 0
    jump more
more:
    e = add.i64 i, 1
    p = eq.i64 t, 0
    @p tensor.copy.f32 y[i:e], a[0:1]
    sync_io 0
    i = copy.i64 e
    q = lt_s.i64 i, {2 * FEW_PLACES}
    branch q, more, out
out:
    return
}}
"""


def test_a_task_that_has_ended_is_not_forgotten_by_the_next():
    """Of two of a launch, one behind the other on the one core that there is."""
    host = {0: [Launch("many", "block", 2, {})]}
    assert "writes x[0:8]" in race(MANY, *ONE, host=host).kind


# Many places


def test_places_that_are_swept_away_are_found_again():
    """More places than are kept, over and over, and at last one that nobody waited for."""
    loads = [
        f"tensor.copy.f32 a[{k % 60}:{k % 60 + 2}], x[{k}:{k + 2}]" for k in range(3 * FEW_PLACES)
    ]
    adds = [f"sync_io 0\ntensor.fill.f32 a[{k % 61}:{k % 61 + 3}], 1.0\nsync_compute 0"
            for k in range(3 * FEW_PLACES)]  # fmt: skip
    text = "\n".join(one for pair in zip(loads, adds, strict=True) for one in pair)
    run(lines(text), overrides=ONE)
    race(lines(text + "\n" + COPY + "\ntensor.fill.f32 a[63:64], 0.0"), *ONE)


AGAIN = f"""
x: f32[64] in dram
a: f32[64] in nram
b: f32[64] in nram
many: f32[{2 * FEW_PLACES}] in nram

func @main() {{
entry:
    i = const.i64 0
    jump head
head:
    {COPY}
    is_again = ge_s.i64 i, 1
    branch is_again, read, others
others:
    sync_io 0
    end = add.i64 i, 1
    tensor.fill.f32 many[i:end], 0.0
    sync_compute 0
    i = copy.i64 end
    more = lt_s.i64 i, {2 * FEW_PLACES}
    branch more, others, head
read:
    {ADD}
    return
}}
"""


def test_a_command_that_comes_again_to_a_place_that_was_swept_away():
    """The copy is given twice and waited for once; what came in between sweeps its place away."""
    assert "writes a[0:64]" in race(AGAIN, *ONE).kind


def test_intervals_have_bytes_in_common_as_sets_have():
    stream = random.Random(1)

    def one() -> Bytes:
        steps = tuple((stream.randint(1, 4), stream.choice((-9, -3, 0, 1, 2, 4, 5, 8, 16)))
                      for _ in range(stream.randint(0, 2)))  # fmt: skip
        return Bytes("a", "nram", True, stream.randint(100, 140), stream.randint(1, 6), steps)

    def every(one: Bytes) -> set[int]:
        return {byte for begin in one.begins.tolist() for byte in range(begin, begin + one.length)}

    def place(one: Bytes) -> Place:
        return Place(one, one.stores, one.is_dense, *one.span)

    for _ in range(3000):
        a, b = one(), one()
        common, both = a.common(b), every(a) & every(b)
        assert (common is not None) == bool(both), (a, b)
        assert common is None or set(range(*common)) <= both, (a, b)
        assert not place(a).covers(place(b)) or every(b) <= every(a), (a, b)
        low, high = max(a.span[0], b.span[0]), min(a.span[1], b.span[1])
        assert low >= high or a.meets(b) == bool(both), (a, b)
        assert a.is_dense == (every(a) == set(range(*a.span))), a


# Workloads


@pytest.fixture
def workload(tmp_path: Path) -> Path:
    (tmp_path / "handed.sir").write_text(HANDED.replace("    MEET\n", ""))
    path = tmp_path / "workload.yaml"
    path.write_text(
        "workload: handed\nprogram: handed.sir\nmachine: teaching_chip\narguments:\n"
        "  x: {dtype: f32, shape: [64], value: 1}\n  y: {dtype: f32, shape: [64], value: 0}\n"
        "  e: {dtype: f32, shape: [64], value: 0}\n"
    )
    return path


def test_a_run_ends_with_what_results_say(simrun, workload: Path):
    one = ("--set", "clusters=1")
    found = simrun(str(workload), *one, "--json")
    fault = json.loads(found.out)["fault"]
    assert found.code == 3
    assert fault["race"]["later"] == {
        "operation": "tensor.copy.f32",
        "cluster": 0,
        "core": 0,
        "location": {"file": "handed.sir", "line": 16, "column": 5},
        "does": "writes",
        "interval": "e[0:64]",
    }
    assert fault["race"]["earlier"]["core"] == 1 and fault["race"]["memory"] == "DRAM"
    shown = simrun(str(workload), *one)
    assert f"  hint: {fault['hint']}\n" in shown.out


def test_without_the_search_it_ends_as_it_happens_to(simrun, workload: Path):
    found = simrun(str(workload), "--no-races", "--json")
    assert found.code == 0 and json.loads(found.out)["provenance"]["races"] is False
    result = sim.run(workload, races=False)
    assert result.status == "done" and not np.any(result.outputs["y"])
    assert sim.run(workload).status == "fault"


def test_machines_that_look_for_none_say_so(simrun):
    refused = simrun("workloads/crc32", "--no-races")
    assert refused.code == 2 and "look for no races" in refused.err


# Arrays that only the host has

TASKS = """\
x: f32[64] in dram
y: f32[64] in dram
a: f32[64] in nram

func @twice() {
entry:
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.add.f32 a[0:64], a[0:64], a[0:64]
    tensor.copy.f32 y[0:64], a[0:64]
    return
}

func @more() {
entry:
    tensor.copy.f32 a[0:32], y[0:32]
    tensor.add.f32 a[0:32], a[0:32], a[0:32]
    tensor.copy.f32 y[0:32], a[0:32]
    return
}
"""
UP, DOWN = {"copy": "x", "to": "device"}, {"copy": "y", "to": "host"}
TWICE, MORE = ({"kernel": name, "type": "block", "dim": 1} for name in ("twice", "more"))


def tasks(*steps: dict) -> dict:
    return {
        "workload": "tasks",
        "program": "tasks.sir",
        "machine": "teaching_chip",
        "arguments": {
            "x": {"dtype": "f32", "shape": [64], "value": 1},
            "y": {"dtype": "f32", "shape": [64], "value": 0},
        },
        "tasks": list(steps),
        "expect": {"y": {"equals": "y"} if TWICE not in steps else {"equals": "2 * x"}},
    }


def run_tasks(*steps: dict, **more) -> sim.Result:
    content = {**tasks(*steps), **more}
    return sim.run(content, source=TASKS)


def test_what_was_copied_or_written_is_there():
    assert run_tasks(UP, TWICE, DOWN).ok
    assert run_tasks(TWICE).ok, "a host that copies nothing to the device finds its arrays there"
    assert run_tasks(UP, TWICE, MORE, DOWN, expect={}).ok


@pytest.mark.parametrize(
    ("steps", "buffer"),
    [
        ((TWICE, UP, DOWN), "x"),  # behind the launch
        (({**UP, "copy": "y"}, TWICE, DOWN), "x"),  # of another array
        ((UP, MORE, TWICE, DOWN), "y"),  # what a later kernel writes
    ],
)
def test_a_forgotten_copy_to_the_device(steps, buffer: str):
    result = run_tasks(*steps, expect={})
    assert result.status == "fault"
    assert f"and no copy has brought '{buffer}' to the device" in result.fault["message"]
    assert result.fault["hint"].startswith(f"{{copy: {buffer}, to: device}}")


def test_a_copy_in_another_stream_races():
    result = run_tasks(UP, {**TWICE, "stream": 1, "arrival": "100000 cycles"}, expect={})
    assert result.status == "fault" and "a race for bytes" in result.fault["message"]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((UP, TWICE, {**DOWN, "copy": "x"}), "'y' is expected, and no copy brings it to the host"),
        ((UP, DOWN, TWICE), "'y' is expected, and 'twice' writes it behind its last copy"),
    ],
)
def test_a_forgotten_copy_to_the_host(steps, message: str):
    with pytest.raises(InputError, match=message):
        run_tasks(*steps)


def test_what_is_there_is_what_a_set_of_bytes_says():
    stream = random.Random(2)
    for _ in range(100):
        arrays, there = ArraysOfHost(), set()
        for _ in range(30):
            start, length = stream.randint(0, 60), stream.randint(1, 12)
            one = Bytes("x", "dram", True, start, length, ((stream.randint(1, 3), 15),))
            every = {b for begin in one.begins.tolist() for b in range(begin, begin + length)}
            assert (arrays.missing(one) is None) == (every <= there), one
            if stream.random() < 0.5:
                arrays.written(one)
                there |= every


# The view


def test_the_view_shows_all_races(simrun, workload: Path):
    shown = simrun("explain", str(workload), "--show", "races", "--set", "clusters=1")
    *sides, where = shown.out.splitlines()[:3]
    assert sides == [
        "handed.sir:20:5: 'tensor.copy.f32' of core 1 of cluster 0 reads e[0:64]",
        "handed.sir:16:5: 'tensor.copy.f32' of core 0 of cluster 0 writes e[0:64]",
    ]
    assert where.startswith("    bytes ") and where.endswith(" of DRAM")
    found = simrun("explain", str(workload), "--show", "races", "--format", "json")
    races = json.loads(found.out)["races"]
    assert {(one["earlier"]["interval"], one["times"]) for one in races} >= {("y[0:64]", 3)}
    refused = simrun("explain", str(workload.parent / "handed.sir"), "--show", "races")
    assert refused.code == 2 and "runs a workload" in refused.err
    text = (workload.parent / "handed.sir").read_text().replace("use:", "use:\n    return\nthere:")
    (workload.parent / "handed.sir").write_text(text)
    shown = simrun("explain", str(workload), "--show", "races")
    assert shown.out == "no races: the run leaves what every order leaves\n"


# Runs that are kept


def test_a_run_that_is_taken_up_knows_what_was_done_before(tmp_path: Path):
    """A stream's late copy races with what another stream did before the run was kept."""
    late = {**UP, "stream": 1, "arrival": "200000 cycles"}
    content = tasks(TWICE, {**DOWN, "copy": "x"}, late)
    content = {**content, "expect": {}, "tasks": [{**UP, "copy": "y"}, *content["tasks"]]}
    content["tasks"][0] = {**UP, "arrival": "0 cycles"}
    with sim.session(content, source=TASKS) as session:
        assert session.rest(3)
        session.checkpoint(tmp_path / "kept.npz")
        whole = session.finish()
    assert whole.status == "fault" and "a race for bytes" in whole.fault["message"]
    again = sim.run(content, source=TASKS, checkpoint=tmp_path / "kept.npz")
    assert again.to_json() == whole.to_json()
    with pytest.raises(InputError, match="looked for races, or did not"):
        sim.run(content, source=TASKS, checkpoint=tmp_path / "kept.npz", races=False)
