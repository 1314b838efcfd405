"""Cycles of single commands of the vector and the matrix unit of teaching_chip, worked out by hand.

Vector unit: issue 1, depth 4, a step of 32 bytes takes what its class says.  Matrix unit: issue 1,
depth 5, 4 lanes that each take 8 bytes of a row a cycle.
"""

from __future__ import annotations

import pytest

from tests.sim.cluster.chip_runs import run

pytestmark = pytest.mark.quick

ONE = ("clusters=1", "cores=1")
ISSUED = 1
"""When a program's first command begins."""
PROGRAM = """
d: {written}[128] in nram
e: i32[64] in nram
a: {read}[128] in nram
b: {read}[128] in nram
w: {read}[768] in wram

func @main() {{
entry:
    {row}
    return
}}
"""
VECTOR = [
    ("f32", "f32", "tensor.fill.f32 d[0:64], 0.0", 8, "256 bytes are 8 steps"),
    ("f32", "f32", "tensor.add.f32 d[0:64], a[0:64], b[0:64]", 8, "8 steps of 1"),
    ("f32", "f32", "tensor.add.f32 d[0:65], a[0:65], b[0:65]", 9, "a step for the last 4 bytes"),
    ("i8", "i8", "tensor.add.i8 d[0:64], a[0:64], b[0:64]", 2, "64 bytes"),
    ("f32", "f32", "tensor.cycle_add.f32 d[0:64], a[0:64], b[0:16]", 8, "as the long operand"),
    ("f32", "f32", "tensor.div.f32 d[0:64], a[0:64], b[0:64]", 8 * 4, "8 steps of 4"),
    ("f32", "f32", "tensor.exp.f32 d[0:64], a[0:64]", 8 * 6, "8 steps of 6"),
    ("f32", "i8", "tensor.convert.i8.f32 d[0:64], a[0:64]", 8, "as the wider side"),
    ("i8", "f32", "tensor.convert.f32.i8 d[0:64], a[0:64]", 8, "as the wider side"),
    ("i8", "i8", "tensor.lookup.i8.i8 d[0:128], a[0:128], b[0:64]", 4 * 2, "4 steps of 2"),
    ("f32", "f32", "tensor.reduce_sum.f32 d[0:4], a[0:64], 4, 16", 8 + 3, "8 lanes: 3 levels"),
    ("i32", "i8", "tensor.reduce_argmax.i8.i32 d[0:4], a[0:128], 4, 32", 4 + 5, "32 lanes of a"),
    ("f32", "f32", "tensor.pool_max.f32 d[0:32], a[0:128], 4, 4, 8, 2, 2, 2, 2", 16, "2·2 windows "
     "of 2·2 points, each one step of 8 channels"),
    ("f32", "f32", "tensor.pool_average.f32 d[0:32], a[0:128], 4, 4, 8, 2, 2, 2, 2", 16,
     "the same"),
    ("f32", "f32", "tensor.pool_max.f32 d[0:24], a[0:48], 2, 2, 12, 1, 2, 1, 1", 2 * 2 * 2,
     "windows 2·1, points 1·2, and 48 bytes are two steps"),
    ("f32", "f32", "tensor.transpose.f32 d[0:64], a[0:64], 4, 16", 8 * 2, "8 steps of 2"),
    ("f32", "f32", "tensor.topk.f32 d[0:4], e[0:4], a[0:32], 2, 16, 2", 2 * 2 * 2 * 8,
     "2 rows, 2 places, 2 steps of 8"),
    ("i8", "i8", "tensor.topk.i8 d[0:4], e[0:4], a[0:32], 2, 16, 2", 2 * 2 * 8, "16 bytes: a step"),
]  # fmt: skip
MATRIX = [
    ("i8", "i8", "tensor.matmul.i8 d[0:18], a[0:60], w[0:120], 3, 20, 6", 3 * 3 * 2,
     "20 elements are padded to 3 pieces of 8; 6 columns are 2 turns of 4 lanes"),
    ("i8", "i8", "tensor.matmul_t.i8 d[0:18], a[0:60], w[0:120], 3, 20, 6", 3 * 3 * 2, "the same"),
    ("i8", "i8", "tensor.matmul_add.i8 d[0:18], b[0:18], a[0:60], w[0:120], 3, 20, 6", 3 * 3 * 2,
     "the same"),
    ("i32", "i8", "tensor.matmul.i8.i32 d[0:4], a[0:8], w[0:32], 1, 8, 4", 1, "one piece"),
    ("i16", "i16", "tensor.matmul.i16 d[0:8], a[0:10], w[0:20], 2, 5, 4", 2 * 2,
     "5 are padded to 8, 4 a cycle"),
    ("f32", "f16", "tensor.matmul.f16.f32 d[0:4], a[0:10], w[0:10], 2, 5, 2", 2 * 3,
     "5 are padded to 8, 3 a cycle"),
    ("f32", "f32", "tensor.matmul.f32 d[0:8], a[0:10], w[0:20], 2, 5, 4", 2 * 6,
     "5 are padded to 6, 1 a cycle"),
    ("i8", "i8", "tensor.conv.i8 d[0:20], a[0:48], w[0:135], 4, 4, 3, 5, 3, 3, 1, 1", 4 * 9 * 2,
     "2·2 points, 9 taps with 3 channels padded to 8, 5 channels are 2 turns"),
    ("i8", "i8", "tensor.conv.i8 d[0:4], a[0:128], w[0:32], 2, 4, 16, 1, 1, 2, 1, 2", 2 * 2 * 2 * 2,
     "2·2 points, 2 taps, 2 pieces of 8; one channel takes a turn of its own"),
]  # fmt: skip


def cycles(written: str, read: str, row: str, unit: str) -> int:
    """What a row takes in the unit, which is all that the program does."""
    done = run(PROGRAM.format(written=written, read=read, row=row), overrides=ONE)
    assert done.cycles == ISSUED + done.spent[f"compute.{unit}"]
    return done.spent[f"compute.{unit}"]


@pytest.mark.parametrize(("written", "read", "row", "steps", "why"), VECTOR)
def test_vector_unit(written, read, row, steps, why):
    assert cycles(written, read, row, "vector") == 1 + 4 + steps, why


@pytest.mark.parametrize(("written", "read", "row", "steps", "why"), MATRIX)
def test_matrix_unit(written, read, row, steps, why):
    assert cycles(written, read, row, "matrix") == 1 + 5 + steps, why
