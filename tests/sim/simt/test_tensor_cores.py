"""Products of matrices: all tiles that an H100 multiplied, and every row against whole numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from machines.instructions import operations
from machines.instructions.ptx_matrix import Shape, Types, fragments
from tests.campaign.seeds import campaign, spread
from tests.matrix_kernels import kernel_of, on_core, on_interpreter
from tests.matrix_model import FORM, multiplied
from tests.sim.simt.measured_tiles import DIGESTS, MMA_TYPES, digest, mma_inputs

MEASURED = dict(
    zip(
        MMA_TYPES,
        (
            "m16n8k16.row.col.f32.f16.f16.f32",
            "m16n8k16.row.col.f32.bf16.bf16.f32",
            "m16n8k8.row.col.f32.tf32.tf32.f32",
            "m16n8k32.row.col.f32.e4m3.e4m3.f32",
            "m16n8k32.row.col.f32.e5m2.e5m2.f32",
            "m16n8k16.row.col.f16.f16.f16.f16",
        ),
        strict=True,
    )
)
MULTIPLIED = [name for name in operations().family("ptx") if FORM.match(name)]


def registers_of(name: str) -> dict[str, tuple[str, int]]:
    m, n, k, _, *types = FORM.match(name).groups()
    return fragments(Shape(int(m), int(n), int(k)), Types(*types))


@cache
def kernel(name: str) -> tuple[str, int]:
    """PTX of a kernel of one product, and how many words of results a lane has."""
    registers = registers_of(name)
    kind, count = registers["d"]
    return kernel_of(name, registers), count * (2 if kind == "b64" else 1)


def tiles(name: str, count: int, seed: int) -> np.ndarray:
    """Words of random tiles: any bits, and numbers whose products meet."""
    random = np.random.default_rng(seed)
    words = sum(
        n * (2 if kind == "b64" else 1)
        for matrix, (kind, n) in registers_of(name).items()
        if matrix != "d"
    )
    found = random.integers(0, 1 << 32, (count, 32, words), dtype=np.uint64).astype(np.uint32)
    near = {"f16": 0x43FF43FF, "bf16": 0x40FF40FF, "tf32": 0x40FFFFFF, "f64": 0x40FFFFFF}
    kind = FORM.match(name)[6]
    if kind in near:
        found[1::2] &= np.uint32(near[kind])
    return found


def expected(name: str, words: np.ndarray) -> np.ndarray:
    """By the model, tile by tile."""
    registers = registers_of(name)
    found = []
    for tile in words:
        matrices, at = {}, 0
        for matrix in "abc":
            kind, count = registers[matrix]
            size = count * (2 if kind == "b64" else 1)
            part = np.ascontiguousarray(tile[:, at : at + size])
            matrices[matrix] = part.view(np.uint64) if kind == "b64" else part
            at += size
        found.append(multiplied(name, *matrices.values()))
    return np.array(found).view(np.uint32)


@pytest.mark.parametrize("kind", spread(list(MMA_TYPES), 2))
def test_measured_tiles(kind):
    """All elements of 500 tiles, to the bit."""
    source, results = kernel(f"mma.sync.aligned.{MEASURED[kind]}")
    words = mma_inputs()[kind]
    if results == 2:
        words = words[:, :, :8]
    found = on_core(source, words, results)
    assert digest(found) == DIGESTS["mma"][kind]
    some = slice(60, None, 125)
    assert np.array_equal(on_interpreter(source, words[some], results), found[some])


def check(name: str, count: int, seed: int) -> None:
    source, results = kernel(name)
    words = tiles(name, count, seed)
    wanted = expected(name, words)
    found = on_core(source, words, results)
    assert np.array_equal(found, wanted), f"{name}, seed {seed}"
    assert np.array_equal(on_interpreter(source, words[:1], results), wanted[:1])


@pytest.mark.parametrize("name", spread(MULTIPLIED, 18))
def test_against_whole_numbers(name):
    check(name, 2, 1)


@campaign(500)
@pytest.mark.parametrize("name", MULTIPLIED)
def test_many_against_whole_numbers(name, seeds):
    check(name, len(seeds), seeds[0])


BF16 = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
PAIRS = [
    (0x0000_2200, 0x7F00_2200),  # 0 · 2¹²⁷ does not raise the place that terms are aligned to
    (0x0000_1C7F, 0x0000_1FFF),  # a product below 2⁻¹²⁶ becomes a subnormal f32, cut
    (0x0000_8001, 0x0000_7F7F),  # a subnormal factor
    (0x7F80_0000, 0x0000_3F80),  # ∞ · 0
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_rare_elements(left, right):
    """Two products in every sum: the low halves of the words, and the high ones."""
    words = np.zeros((1, 32, 10), np.uint32)
    words[0, ::4, 0], words[0, ::4, 4] = left, right
    wanted = expected(BF16, words)
    assert wanted.any()
    source, results = kernel(BF16)
    for run in (on_core, on_interpreter):
        assert np.array_equal(run(source, words, results), wanted)
