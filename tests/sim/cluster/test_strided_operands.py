"""Strides of what is computed cost what the MVDMA takes to put the same bytes in order, where both
are as wide: no re-layout is had for nothing."""

from __future__ import annotations

import pytest

from tests.sim.cluster.chip_runs import run

pytestmark = pytest.mark.quick

ONE = ("clusters=1", "cores=1", "nram.size=64KiB", "sram.size=64KiB")
SETUP = 4
"""Of the MVDMA of teaching_chip, whose width and cost of a segment its `relayout` has as well."""
STRIDES = {
    "rows of a larger matrix": ("0:8, 4 by 16", 32),
    "a column": ("0:1, 32 by 32", 32),
    "a transpose": ("0:1, 8 by 8, 8 by 1", 64),
    "windows that overlap": ("0:3, 3 by 10, 8 by 1", 72),
    "each element again and again": ("0:1, 4 by 0, 8 by 1", 32),
    "one segment": ("0:32, 1 by 64", 32),
}
OVERLAPPING = ("windows that overlap", "each element again and again")
"""Nothing may be written so."""
ROWS = {
    "a sum's operand": "tensor.add.f32 d[0:{n}], a[{strided}], b[0:{n}]",
    "a result": "tensor.add.f32 a[{strided}], b[0:{n}], b[0:{n}]",
    "a reduction": "s = tensor.sum.f32 a[{strided}]",
    "a product's operand": "tensor.matmul.f32 d[0:16], a[{strided}], w[0:{n}], 4, {quarter}, 4",
    "a transpose": "tensor.transpose.f32 d[0:{n}], a[{strided}], 4, {quarter}",
}
PROGRAM = """
a: f32[1024] in nram
b: f32[1024] in nram
d: f32[1024] in nram
w: f32[256] in wram
s: f32[1024] in sram

func @main() {{
entry:
    {row}
    return
}}
"""


def spent(row: str, what: str) -> int:
    return run(PROGRAM.format(row=row), overrides=ONE).spent[what]


PAIRS = [(s, r) for s in STRIDES for r in ROWS if not (s in OVERLAPPING and r == "a result")]


@pytest.mark.parametrize(("shape", "row"), PAIRS)
def test_strides_cost_what_a_copy_costs(shape, row):
    strided, n = STRIDES[shape]
    unit = "compute.matrix" if "product" in row else "compute.vector"
    taken = [
        spent(ROWS[row].format(strided=some, n=n, quarter=n // 4), unit)
        for some in (strided, f"0:{n}")
    ]
    copied = spent(f"tensor.copy.f32 s[0:{n}], a[{strided}]", "mvdma.transfer")
    assert taken[0] - taken[1] == (0 if shape == "one segment" else copied)


def test_a_transpose_by_strides_is_no_cheaper_than_a_transpose():
    """64 x 64 elements; by strides alone it took half as long once."""
    text = PROGRAM.replace("1024", "4096")
    rows = (
        "tensor.transpose.f32 d[0:4096], a[0:4096], 64, 64",
        "tensor.max.f32 d[0:4096], a[0:1, 64 by 64, 64 by 1], a[0:1, 64 by 64, 64 by 1]",
    )
    transposed, by_strides = (run(text.format(row=row), overrides=ONE).cycles for row in rows)
    assert transposed < by_strides
