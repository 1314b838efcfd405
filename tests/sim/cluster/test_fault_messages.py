"""What a fault of a command says: which interval, of how many elements, or which number."""

from __future__ import annotations

import pytest

from tests.sim.cluster.chip_runs import run

pytestmark = pytest.mark.quick

ONE = ("clusters=1", "cores=1")
PROGRAM = """
x: f32[64] in dram
a: f32[64] in nram
b: f32[64] in nram
w: f32[64] in wram

func @main() {{
entry:
    k = task_id
    m = sub.i64 k, 1
    n = add.i64 k, 10
    e = add.i64 n, 60
    {row}
    return
}}
"""
FAULTS = {
    "tensor.copy.f32 a[0:60], x[n:e]": ("out of bounds", "x[10:70] of 64 elements"),
    "tensor.copy.f32 a[n:e], x[0:60]": ("out of bounds", "a[10:70] of 64 elements"),
    "tensor.abs.f32 a[n:4], b[0:4]": ("out of bounds", "a[10:4] of 64 elements"),
    "tensor.abs.f32 a[0:40], b[0:4, n by 8]": ("out of bounds", "b[0:4, 10 by 8] of 64 elements"),
    "tensor.abs.f32 a[0:40], b[0:4, m by 8]": (
        "size mismatch", "b[0:4, -1 by 8] of 64 elements"),
    "tensor.abs.f32 a[0:4, n by 2], b[0:40]": (
        "overlapping segments", "a[0:4, 10 by 2] of 64 elements"),
    "tensor.add.f32 a[0:8], b[0:8], b[0:n]": (
        "size mismatch", "b[0:10] has 10 elements, but operand 'b' must have 8"),
    "tensor.matmul.f32 a[0:6], b[0:4], w[0:6], n, 2, 3": (
        "size mismatch", "a[0:6] has 6 elements, but operand 'd' must have 30: it has m"),
    "tensor.transpose.f32 a[0:4], b[0:4], m, 4": (
        "size mismatch", "-1, and no dimension is negative"),
}  # fmt: skip


@pytest.mark.parametrize("row", FAULTS)
def test_a_fault_names_what_does_not_fit(row):
    kind, about = FAULTS[row]
    failure = run(PROGRAM.format(row=row), overrides=ONE, status="fault").outcome.failure
    assert failure.kind == kind
    assert about in failure.about
    assert (failure.address is None) == (kind != "out of bounds")
