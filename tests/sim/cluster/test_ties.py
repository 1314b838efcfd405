"""What happens in one cycle goes by place in the chip, not by who was asked first."""

from __future__ import annotations

import pytest

from tests.programs.tile_runs import compiled, machine_named, program_of, simulate

SHORT_AND_LONG = """\
x: f32[256] in dram
a: f32[64] in nram
b: f32[64] in nram

func @main() {
entry:
    c = core_id
    k = task_id
    other = sub.i64 1, c
    n = mul.i64 c, 48
    n = add.i64 n, 16
    i = mul.i64 k, 64
    e = add.i64 i, n
    tensor.copy.f32 a[0:n], x[i:e]
    sync_cluster 0
    tensor.unicast.f32 b[0:n], a[0:n], other
    return
}
"""
"""Both cores of a cluster use one engine, or one bus, in one cycle, for more and fewer bytes."""


STEPS_AND_COMMANDS = """\
x: f32[1024] in dram
y: f32[1024] in dram
s: f32[256] in sram
a: f32[256] in nram
b: f32[128] in nram
c: f32[128] in nram

func @main() {
    beside = {"mem": "serve"}
entry:
    k = task_id
    i = mul.i64 k, 256
    e = add.i64 i, 256
    tensor.copy.f32 a[0:256], x[i:e]
    tensor.copy.f32 b[0:64], s[0:64]
    tensor.copy.f32 b[64:128], s[0:64]
    tensor.copy.f32 c[0:64], b[0:64]
    tensor.copy.f32 y[i:e], a[0:256]
    tensor.copy.f32 a[0:64], x[0:64]
    return
}

func @serve() {
entry:
    k = cluster_id
    i = mul.i64 k, 128
    e = add.i64 i, 128
    tensor.copy.f32 s[128:256], x[i:e]
    tensor.copy.f32 s[128:256], x[i:e]
    return
}
"""
"""Steps of copies of all cores, their moves and copies of the MEM core meet in engines."""

JOINED = ("separate", "gdma+iodma", "iodma+mvdma")


OF_ONE_ROW = SHORT_AND_LONG.replace("mul.i64 k, 64", "mul.i64 k, 0")
"""All cores need one row of DRAM, of which the first one finds it closed."""
ROWS = "dram.banks={count: 2, row: 512 B, page: open, read: 10 ns, write: 20 ns}"


def outcomes(text: str, *overrides: str) -> set[tuple]:
    """Of runs in which the events of a cycle have other orders."""
    machine = machine_named("teaching_chip", *overrides)
    program = program_of(text)
    code = compiled(program, machine)
    runs = [simulate(code, program, machine, order=order) for order in (None, 1, 2, 3, 4)]
    return {(run.outcome.cycles, run.outcome.stalls.tobytes(), run.bytes) for run in runs}


@pytest.mark.parametrize("engines", [*JOINED, "one"])
def test_cores_in_any_order(engines: str):
    assert len(outcomes(SHORT_AND_LONG, f"dma_engines={engines}")) == 1


def test_rows_are_opened_by_the_first_core_of_the_chip():
    assert len(outcomes(OF_ONE_ROW, ROWS)) == 1


@pytest.mark.parametrize("figures", [(), ("scalar.issue=0 cycles", "sram.staging.piece=64 B")])
@pytest.mark.parametrize("engines", JOINED)
@pytest.mark.parametrize("way", ["gdma_mvdma", "auto"])
@pytest.mark.parametrize("text", [SHORT_AND_LONG, STEPS_AND_COMMANDS], ids=["cores", "steps"])
def test_steps_in_any_order(text: str, way: str, engines: str, figures: tuple[str, ...]):
    overrides = (f"dram_path={way}", f"dma_engines={engines}", *figures)
    assert len(outcomes(text, *overrides)) == 1
