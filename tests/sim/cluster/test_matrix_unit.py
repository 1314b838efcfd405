"""Products of matrices, each the only command of its program: a systolic array against the figures
of SCALE-Sim, the lanes of MLU270 and MLU370 against rows × pieces × turns.

SCALE-Sim tells the number of the last cycle, counted from 0, so the array takes one more.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest

from tests.sim.cluster.chip_runs import run

TABLE = Path(__file__).parent / "scale_sim.txt"
WHOLE_NET = {"os32": 4434168, "os128": 611561, "ws32": 5753486, "ws128": 876832, "is32": 5608356,
             "is128": 997762}  # fmt: skip
ROOM = ("clusters=1", "cores=1", "nram.size=64 MiB", "nram.reserved=0 B", "wram.size=64 MiB")
AT_ONCE = ("matrix.issue=0 cycles", "matrix.depth=0 cycles")
PROGRAM = """
d: {result}[{d}] in nram
a: {element}[{a}] in nram
w: {element}[{w}] in wram

func @main() {{
entry:
    tensor.{row} d[0:{d}], a[0:{a}], w[0:{w}], {numbers}
    return
}}
"""


def read_table() -> list[dict[str, str]]:
    lines = [line.split() for line in TABLE.read_text().splitlines() if line[0] != "#"]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def cycles(row: str, sizes: tuple[int, int, int], numbers: str, machine: str, *overrides: str):
    """Of the matrix unit for a row, whose intervals have these sizes."""
    _, element, *_ = types = row.split(".")
    d, a, w = sizes
    text = PROGRAM.format(
        result=types[-1], element=element, row=row, d=d, a=a, w=w, numbers=numbers
    )
    done = run(text, machine, [*ROOM, *AT_ONCE, *overrides], values=False)
    spent = done.spent["compute.matrix"]
    assert done.cycles == spent + 1  # the core hands the command on
    return spent


def product(m: int, k: int, n: int, machine: str, *overrides: str, types: str = "i8") -> int:
    sizes = (m * n, m * k, k * n)
    return cycles(f"matmul.{types}", sizes, f"{m}, {k}, {n}", machine, *overrides)


@pytest.mark.parametrize("size", (32, 128))
@pytest.mark.parametrize("dataflow", ("os", "ws", "is"))
def test_systolic_array_takes_what_scale_sim_says(dataflow, size):
    for row in read_table():
        m, n, k = (int(row[name]) for name in "MNK")
        found = product(m, k, n, f"systolic_{size}", f"matrix.dataflow={dataflow}")
        assert found == int(row[f"{dataflow}{size}"]) + 1, row["layer"]


def test_the_table_is_whole():
    layers = [row for row in read_table() if row["layer"] != "product"]
    assert sum(int(row["count"]) for row in layers) == 54
    assert len(read_table()) == len(layers) + 4
    for column, total in WHOLE_NET.items():
        assert sum(int(row["count"]) * int(row[column]) for row in layers) == total


def test_a_convolution_is_one_product_in_the_array():
    """CB3a_2: 28 × 28 × 128, 3 × 3; with cells for 32 × 32."""
    sizes = (26 * 26 * 128, 28 * 28 * 128, 9 * 128 * 128)
    assert cycles("conv.i8", sizes, "28, 28, 128, 128, 3, 3, 1, 1", "systolic_32") == 106831 + 1


@pytest.mark.parametrize("row", read_table(), ids=lambda row: f"{row['M']}-{row['N']}-{row['K']}")
def test_lanes_of_8_bits(row):
    """64 bytes of a row and 64 columns a cycle."""
    m, n, k = (int(row[name]) for name in "MNK")
    assert product(m, k, n, "mlu270") == m * ceil(k / 64) * ceil(n / 64)


@pytest.mark.parametrize(
    ("numbers", "points", "wanted"),
    [
        ((58, 58, 64, 64, 3, 3, 1, 1), 56 * 56, 28224),
        ((56, 56, 64, 256, 1, 1, 1, 1), 56 * 56, 3136 * 4),
        ((16, 16, 256, 256, 3, 3, 1, 1), 14 * 14, 196 * 9 * 4 * 4),
        ((230, 230, 3, 64, 7, 7, 2, 2), 112 * 112, 614656),
    ],
    ids=("56x56 3x3", "56x56 1x1", "14x14 3x3", "taps of three channels"),
)
def test_convolutions_in_lanes(numbers, points, wanted):
    """Each tap is padded by itself: 49 taps of 3 bytes take 49 cycles of a row."""
    height, width, ci, co, kh, kw, *_ = numbers
    sizes = (points * co, height * width * ci, kh * kw * ci * co)
    assert cycles("conv.i8", sizes, ", ".join(map(str, numbers)), "mlu270") == wanted


@pytest.mark.parametrize(
    ("types", "machine", "element", "a_cycle"),
    [
        ("i16", "mlu270", 2, 32),
        ("f16.f32", "mlu370", 2, 24),
        ("bf16.f32", "mlu370", 2, 24),
        ("f32", "mlu370", 4, 6),
    ],
)
@pytest.mark.parametrize(("m", "k", "n"), [(5, 256, 64), (3, 100, 65), (1, 7, 1), (128, 768, 768)])
def test_lanes_of_other_types(types, machine, element, a_cycle, m, k, n):
    """Rows are padded to 64 bytes, and a lane computes so many products a cycle."""
    padded = ceil(k * element / 64) * 64 // element
    wanted = m * ceil(padded / a_cycle) * ceil(n / 64)
    assert product(m, k, n, machine, types=types) == wanted
