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


@pytest.mark.parametrize("engines", ["separate", "gdma+iodma", "iodma+mvdma", "one"])
def test_cores_in_any_order(engines: str):
    machine = machine_named("teaching_chip", f"dma_engines={engines}")
    program = program_of(SHORT_AND_LONG)
    code = compiled(program, machine)
    runs = [simulate(code, program, machine, order=order) for order in (None, 1, 2, 3, 4)]
    assert len({(run.outcome.cycles, run.outcome.stalls.tobytes(), run.bytes) for run in runs}) == 1
