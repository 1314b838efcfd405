"""Time without values is the same time, and is refused where it depends on values."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from compiler import compile
from machines.description.load import load_machine
from machines.diagnostics import InputError
from sim.cores import Request
from sim.cores.cluster.run import needs_values
from sim.simulate import simulate
from tests.campaign.seeds import campaign, check_all
from tests.programs.random_tiles import generate
from tests.programs.tile_runs import LIMIT, compiled, filled, machine_named

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
    tensor.copy.i32 x[0:16], a[0:16]
    jump done
done:
    return
}
"""


WITH_NUMBERS = [CHIP / name / "workload.yaml" for name in ("softmax", "attention")]
"""In which cores go on with numbers that commands give, and nothing goes by them."""


@pytest.mark.parametrize(
    "path", [*sorted(CHIP.glob("copies/*/workload.yaml")), *WITH_NUMBERS], ids=str
)
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
    with pytest.raises(
        InputError, match=r"sum.sir:7:5.*'tensor.sum.i32' gives the core a number"
    ) as refused:
        sim.run(path, timing_only=True)
    assert "by which 'branch' in line 9 goes" in str(refused.value)


# What a number feeds decides

HEAD = """
x: i64[64] in dram
a: i64[64] in nram
b: i64[64] in nram
f: f32[64] in nram
g: f32[64] in nram

func @main(n: i64) {
entry:
    p = gt_s.i64 n, 3
    s = tensor.load.i64 x[0:1]
"""
FREE = {
    "an element": "tensor.fill.i64 a[0:8], s",
    "an element, by way of others": "t = add.i64 s, n\nu = mul.i64 t, t\ntensor.fill.i64 a[0:8], u",
    "a float": "t = float_s.i64.f32 s\nu = div.f32 1.0, t\ntensor.mul_scalar.f32 f[0:8], f[0:8], u",
    "what is chosen": "t = select.i64 p, s, n\ntensor.fill.i64 a[0:8], t",
    "nothing": "t = gt_s.i64 s, 3",
    "written over": "s = add.i64 n, 1\n@p s = add.i64 n, 2\ntensor.fill.i64 a[0:s], 1",
    "memory": "tensor.store.i64 x[1:2], s",
    "a bound on another way": "branch p, one, two\none:\ns = add.i64 n, 1\njump three\n"
    "two:\ntensor.fill.i64 a[0:8], s\nreturn\nthree:\ntensor.fill.i64 a[0:s], 1",
}
BOUND = {
    "a bound": "tensor.fill.i64 a[0:s], 1",
    "a low bound": "tensor.fill.i64 a[s:16], 1",
    "a number of segments": "tensor.fill.i64 a[0:4, s by 8], 1",
    "a stride": "tensor.fill.i64 a[0:4, 2 by s], 1",
    "a size": "tensor.transpose.i64 a[0:16], b[0:16], s, 4",
    "a guard": "q = eq.i64 s, 3\n@q tensor.fill.i64 a[0:8], 1",
    "a guard of what the core does": "q = eq.i64 s, 3\n@q n = add.i64 n, 1",
    "a branch": "q = eq.i64 s, 3\nbranch q, more, done\nmore:\njump done\ndone:\nn = add.i64 n, 1",
    "a quotient that may fault": "t = div_s.i64 n, s\ntensor.fill.i64 a[0:8], t",
    "a bound, by way of what is chosen": "t = select.i64 p, s, n\ntensor.fill.i64 a[0:t], 1",
    "a bound, perhaps": "@p s = add.i64 n, 1\ntensor.fill.i64 a[0:s], 1",
    "a bound in the next turn": "t = const.i64 0\nu = const.i64 0\njump loop\nloop:\n"
    "tensor.fill.i64 a[0:u], 1\nu = add.i64 t, 0\nt = add.i64 s, 0\nn = sub.i64 n, 1\n"
    "q = gt_s.i64 n, 0\nbranch q, loop, done\ndone:\nn = add.i64 n, 1",
}


SENDING = """
x: i64[64] in dram
c: i64[64] in sram
a: i64[64] in nram

func @main() {
    beside = {"mem": "load"}
entry:
    sync_cluster 0
    return
}

func @load() {
entry:
    s = tensor.load.i64 x[0:1]
    tensor.unicast.i64 a[0:8], c[0:8], s
    sync_cluster 0
    return
}
"""


def refusals(text: str) -> list[str]:
    passes = ["allocate_scratchpads", "place_waits"]
    machine = load_machine("teaching_chip", [])
    code = compile("s.sir", source=text, machine=machine, entry="main", passes=passes)
    return [finding.message for finding in needs_values(code.program)]


@pytest.mark.parametrize("use", FREE)
def test_a_number_that_feeds_only_values_is_left_out(use):
    assert refusals(f"{HEAD}{FREE[use]}\nreturn\n}}") == []


@pytest.mark.parametrize("use", BOUND)
def test_a_number_that_something_goes_by_is_refused(use):
    (message,) = refusals(f"{HEAD}{BOUND[use]}\nreturn\n}}")
    assert "'tensor.load.i64' gives the core a number by which" in message


def test_a_number_of_a_core_is_refused():
    (message,) = refusals(SENDING)
    assert "'tensor.load.i64' gives the core a number by which 'tensor.unicast.i64'" in message


def check_times(seed: int) -> bool:
    """Where no number counts, time without values is the same."""
    machine = machine_named("teaching_chip")
    program = generate(seed, machine)
    code = compiled(program, machine)
    if list(needs_values(code.program)):
        return False
    timed, whole = (
        simulate(
            Request(
                code.program,
                machine,
                filled(code.module, program),
                program.arguments,
                cycle_limit=LIMIT,
                values=values,
            )
        )
        for values in (False, True)
    )
    assert (timed.status, timed.cycles, timed.breakdown) == ("done", whole.cycles, whole.breakdown)
    return True


def test_random_programs_take_the_same_time():
    assert sum(map(check_times, range(8))) >= 3


@campaign(200, 100, 600)
def test_times_campaign(seeds):
    check_all(check_times, seeds)


def test_other_machines_have_no_time_of_their_own():
    with pytest.raises(InputError, match="itanium2 computes while it runs") as refused:
        sim.run(CHIP.parent / "saxpy" / "workload.yaml", timing_only=True)
    assert "mlu370" in str(refused.value)
