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


@pytest.mark.parametrize("engines", ["separate", "gdma+iodma", "iodma+mvdma", "one"])
def test_cores_in_any_order(engines: str):
    assert len(outcomes(SHORT_AND_LONG, f"dma_engines={engines}")) == 1


def test_rows_are_opened_by_the_first_core_of_the_chip():
    assert len(outcomes(OF_ONE_ROW, ROWS)) == 1
