"""Kernels as nvcc writes them, run and compared with numpy; the CUDA source lies beside each."""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from compiler.frontends.ptx import PLUGIN
from compiler.targets.simt.verify import verify
from tests.compiler.frontends.ptx_runs import FOLDER, fixture, h200, opcodes, run

WORKLOADS = sorted((Path(__file__).parents[3] / "workloads" / "gpu").glob("*/*.ptx"))
I32, U32, I64, U64 = np.int32, np.uint32, np.int64, np.uint64


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _bits(value: int, bits: int = 32) -> int:
    return value & ((1 << bits) - 1)


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a - b * _quotient(a, b)


def test_integers_of_32_bits():
    random = np.random.default_rng(1)
    a = random.integers(-(2**31), 2**31, 40, dtype=I32)
    b = random.integers(0, 2**32, 40, dtype=U32)
    a[:4], b[:4] = (0, -1, 4, 2**31 - 1), (0, 1, 4, 2**32 - 1)
    [out, _, _] = run(fixture("integers"), "words", [np.zeros((40, 32), I32), a, b, I32(38)], 2, 20)
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        pair, ux, sy = _bits(x) << 32 | y, _bits(x), _signed(y, 32)
        clamped = min(y & 63, 32)
        permuted = struct.pack("<iI", x, y)
        wanted = [
            _quotient(x, 7),
            _remainder(x, _signed(y | 1, 32)),
            y // 7,
            y % (ux | 1),
            min(x, 3) + max(x, -5),
            min(y, 3) + max(y, 5),
            abs(x),
            x >> (y & 31),
            y >> 3,
            x << (y & 31),
            x * 77 >> 32,
            y * 77 >> 32,
            y.bit_count(),
            32 - y.bit_length(),
            int(f"{y:032b}"[::-1], 2),
            (y & -y).bit_length(),
            pair << 5 >> 32,
            pair >> clamped,
            int.from_bytes(bytes(permuted[k] for k in (4, 5, 2, 3)), "little"),
            abs(x - 3) + y,
            1 + sum(_signed(x >> k, 8) * _signed(y >> k, 8) for k in (0, 8, 16, 24)),
            _signed(x, 16) * 3 - (y & 255),
            ~(ux & y) ^ (ux | 5),
            -x if x < 3 else int(y > 9),
            _signed(x, 24) * _signed(y, 24),
            int(x == sy or (x != 4 and x <= 1000)),
        ]
        if i >= 38:
            wanted = [0] * 26
        assert out[i, :26].tolist() == [_signed(value, 32) for value in wanted], (x, y)


def test_integers_of_64_bits():
    random = np.random.default_rng(2)
    a = random.integers(-(2**63), 2**63 - 1, 32, dtype=I64)
    b = random.integers(0, 2**64 - 1, 32, dtype=U64)
    a[:3], b[:3] = (0, -1, 5), (0, 2**64 - 1, 5)
    [out, _, _] = run(fixture("integers"), "longs", [np.zeros((32, 20), I64), a, b], 1, 32)
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        ux, sy = _bits(x, 64), _signed(y, 64)
        extended = _bits(x, 128)  # as C converts x
        wide = y * extended + y - (extended << 40)
        wanted = [
            _quotient(x, 7),
            _remainder(x, _signed(y | 1, 64)),
            y // 7,
            y % 13,
            min(x, 3) + max(x, -5),
            x >> (y & 63),
            y >> 5,
            y << (x & 63),
            x * 77 >> 64,
            y * 77 >> 64,
            y.bit_count() + (64 - ux.bit_length()),
            int(f"{y:064b}"[::-1], 2),
            x * sy,
            _signed(x, 32) * _signed(y, 32),
            int(x > sy),
            int(y < ux),
            wide,
            wide >> 64,
            _bits(x) + _bits(y),
            _signed(x, 16),
        ]
        assert out[i].tolist() == [_signed(value, 64) for value in wanted], (x, y)


SPECIAL = [0.0, -0.0, 1.0, -2.5, 0.5, 1.5, 2.5, 1e-40, 3e38, 1e10, -1e10, np.inf, -np.inf, np.nan]


def _sum_toward_zero(x: np.float32, y: np.float32) -> np.float32:
    nearest = x + y
    if not (np.isfinite(x) and np.isfinite(y)):
        return nearest
    if np.isinf(nearest):
        return np.copysign(np.finfo(np.float32).max, nearest)
    exact = Fraction(float(x)) + Fraction(float(y))
    away = abs(Fraction(float(nearest))) > abs(exact)
    return np.nextafter(nearest, np.float32(0)) if away else nearest


@pytest.mark.filterwarnings("ignore")
def test_floats_of_32_bits():
    x = np.repeat(np.array(SPECIAL, np.float32), len(SPECIAL))
    y = np.tile(np.array(SPECIAL, np.float32), len(SPECIAL))
    n = len(x)
    [out, _, _] = run(fixture("floats"), "singles", [np.zeros((n, 24), np.float32), x, y], 1, n)
    wide_x, wide_y = x.astype(np.float64), y.astype(np.float64)
    below, same = x < y, x == y
    up = (x * y).astype(np.float32)
    up = np.where(up.astype(np.float64) < wide_x * wide_y, np.nextafter(up, np.float32(np.inf)), up)

    def as_integer(values, low, high):
        clamped = np.clip(np.nan_to_num(np.trunc(values), nan=0.0), low, high)
        return clamped.astype(np.float64)

    ints = as_integer(wide_x, -(2.0**31), 2.0**31 - 1).astype(np.float32)
    naturals = as_integer(np.abs(wide_y), 0, 2.0**32 - 1).astype(np.float32)
    longs = as_integer(wide_x, -(2.0**63), 2.0**63)
    longs = np.where(np.isnan(x), -(2.0**63), longs).astype(np.float32)
    wanted = {
        0: x + y,
        1: x - y,
        2: x * y,
        3: x / y,
        4: np.sqrt(x),
        5: (wide_x * wide_y + 1).astype(np.float32),
        6: np.fmin(x, y),
        7: np.fmax(x, y),
        8: np.abs(x),
        9: np.copysign(x, y),
        10: np.floor(x),
        11: np.ceil(x),
        12: np.trunc(x),
        13: np.rint(x),
        14: np.clip(np.nan_to_num(x, nan=0.0), 0, 1),
        15: below + 2 * (below | same) + 4 * same + 8 * (x != y),
        16: ~below + 2 * ~(below | same) + 4 * ~(x > y) + 8 * ~(x >= y),
        17: ints + naturals,
        18: longs,
        19: np.array([_sum_toward_zero(a, b) for a, b in zip(x, y, strict=True)]),
        20: up,
        21: -x,
        22: (x.view(np.uint32) ^ 1).view(np.float32),
        23: np.where(x > 1, y, np.float32(2)),
    }
    for column, values in wanted.items():
        values = values.astype(np.float32)
        np.testing.assert_array_equal(out[:, column], values, err_msg=f"column {column}")


@pytest.mark.filterwarnings("ignore")
def test_floats_of_64_bits():
    x, y = np.array(SPECIAL), np.linspace(-3, 9, len(SPECIAL)).astype(np.float32)
    n = len(x)
    [out, _, _] = run(fixture("floats"), "doubles", [np.zeros((n, 16)), x, y], 1, n)
    near = np.isfinite(x) & (np.abs(x) < 2e9)
    wanted = {
        0: x + y,
        1: x / 3,
        2: np.sqrt(x),
        4: np.fmin(x, 1) - np.fmax(x, 2),
        5: np.abs(x),
        6: np.floor(x) + 3 * np.ceil(x),
        7: np.trunc(x) - np.rint(x),
        10: x.astype(np.float32).astype(np.float64),
        11: (x < 1) + 2.0 * ~(x >= 0.5) + 4 * (x == x),
        14: np.arange(n),
        15: -x,
    }
    for column, values in wanted.items():
        np.testing.assert_array_equal(out[:, column], values, err_msg=f"column {column}")
    for column in (8, 9):
        np.testing.assert_array_equal(out[near, column], np.trunc(x[near]))
    np.testing.assert_allclose(out[2:7, 3], x[2:7] ** 2 + 1)
    high = (x.view(np.uint64) >> np.uint64(32) << np.uint64(32)).view(np.float64)
    np.testing.assert_array_equal(out[:-1, 12], high[:-1])
    assert out[2, 13] == 1.0
    assert out[3, 13] == np.nextafter(-2.5, 0)


def test_approximations():
    x = np.linspace(0.1, 3, 32).astype(np.float32)
    [out, _] = run(fixture("floats"), "approximations", [np.zeros((32, 8), np.float32), x], 1, 32)
    with np.errstate(all="ignore"):
        wanted = np.stack(
            [np.exp(x), np.log(x), np.sin(x), np.cos(x), x / 2.5, 1 / np.sqrt(x), 1 / x, np.tanh(x)]
        )
    np.testing.assert_allclose(out, wanted.T, rtol=2e-6, atol=2e-6)


def test_library_functions():
    """Slow paths included: 1e6 and 1e22 take the long reduction of angles."""
    x = np.array([0.0, 0.5, -1.25, 3.75, 100.0, 1e6, 1e22, -1e9])
    [out, _] = run(fixture("floats"), "library", [np.zeros((8, 3)), x], 1, 8)
    np.testing.assert_allclose(out[:, 0], np.sin(x), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(out[:, 1], np.abs(x) ** 2.5, rtol=1e-13)
    angles = x.astype(np.float32).astype(np.float64)
    np.testing.assert_allclose(out[:, 2], np.sin(angles), rtol=1e-5, atol=1e-6)


def test_spaces_and_structures():
    values = np.random.default_rng(3).integers(-5, 5, 128).astype(np.float32)
    mixed = struct.pack("<ifdhhhbx", 7, 1.5, 2.25, 1, 2, 3, -4)
    vector = np.array([1, 2, 3, 4], np.float32).tobytes()
    n, ch = 5, 60
    arguments = [np.zeros(128, np.float32), mixed, values, vector, I32(n), np.int8(ch), np.int8(1)]
    [out, _] = run(fixture("memory"), "spaces", arguments, 2, 64, dynamic=256)
    wanted = np.zeros(128, np.float32)
    for block in range(2):
        tile = np.zeros((32, 33))
        for t in range(64):
            local = [values[(64 * block + t + k) & 127] for k in range(16)]
            local[(n + t) & 15] += 1
            tile[t & 31][t >> 5] = local[(n * t) & 15]
        for t in range(64):
            s = tile[t >> 1][t & 1] + values[64 * block + 63 - t] + 2.25 + (ch + t % 40)
            s += [1.5, 2.5, -3.0, 0.25][t & 3] + 7 + 1.5 + [1, 2, 3][t % 3] - 4 + 30 + 1
            s += [1, 2, 3, 4, 5][t % 5] + [1, -2, 3][t % 3] + 5
            wanted[64 * block + t] = s + (t & 1) + 22 + 100
    np.testing.assert_array_equal(out, wanted)


def test_widths_of_accesses():
    random = np.random.default_rng(4)
    f = random.normal(size=(8, 4)).astype(np.float32)
    i = random.integers(-9, 9, (8, 2)).astype(I32)
    s = random.integers(-99, 99, (8, 2)).astype(np.int16)
    c = random.integers(0, 255, (8, 4)).astype(np.uint8)
    d = random.normal(size=(8, 2))
    b = random.integers(-128, 128, 8).astype(np.int8)
    arrays = run(fixture("memory"), "widths", [f, i, s, c, d, b], 1, 8)
    swapped = s[:, ::-1].copy()
    wanted_i = i[:, ::-1].copy()
    wanted_i[:, 0] += swapped.view(I32)[:, 0]
    square = (b.astype(I64) ** 2 - 3).astype(np.int8)
    for got, wanted in zip(
        arrays, [f[:, ::-1], wanted_i, swapped, c[:, ::-1], d[:, ::-1], square], strict=True
    ):
        np.testing.assert_array_equal(got, wanted)


def test_atomics():
    a, u = np.zeros(16 + 128, I32), np.zeros(8, U32)
    a[6], u[0], u[5] = 3, 2**32 - 1, 1000
    arguments = [a, u, np.zeros(1, np.float32), np.zeros(1), np.zeros(4, U64)]
    a, u, f, d, long = run(fixture("memory"), "atomics", arguments, 2, 64)
    g = np.arange(128)
    total = int(g.sum())
    assert a[:7].tolist() == [total, -total, -127, 127, 5, 3, 109]
    folded = int(np.bitwise_xor.reduce(g * 77))
    assert u[:7].tolist() == [0, 2**32 - 1, folded, 128 % 7, (7 - 128 % 7) % 7, 3, 127]
    assert (f[0], d[0]) == (192.0, 320.0)
    assert long.tolist() == [5 * total, 7, 9 + 127, 2**64 - 4 - 127]
    np.testing.assert_array_equal(a[16:], np.tile(np.arange(64) + 3 + 128 + 8, 2))


def _collatz(n: int) -> tuple[int, int]:
    k = 0
    while n != 1:
        n, k = (3 * n + 1 if n & 1 else n // 2), k + 1
        if k > 100:
            return -1, 0
    return k, k


def test_device_functions():
    """Results by reference, structures by value, narrow parameters."""
    a = np.array([1, 7, 27, 97, 31, 6, 871, 2], I32)
    f = np.arange(16, dtype=np.float32).reshape(8, 2)
    point = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "i4", 5)])
    p = np.zeros(8, point)
    p["w"], p["x"] = 7, np.arange(8)
    bytes_of_p = p.view(np.uint8).copy()
    got_a, got_f, got_p = run(fixture("control"), "calls", [a, f, bytes_of_p, I32(13)], 1, 8)
    for i, n in enumerate(a.tolist()):
        value, steps = _collatz(n)
        third = _signed(i * 3, 8)
        narrow = i * (i * 77 & 255) if i & 1 else i - third
        assert got_a[i] == value + 1000 * steps + _signed(narrow, 16), i
        p["w"][i][(13 + i) & 3] = 13 + i
    p["x"] += 1
    np.testing.assert_array_equal(got_f, np.stack([f[:, 1] * 13, f[:, 0]], axis=1))
    np.testing.assert_array_equal(got_p.view(point), p)


def _branches(i: int, a: int, b: list[int], n: int) -> int:
    a = {
        0: 5,
        1: n * 3,
        2: a ^ n,
        3: a * 5 + n,
        4: a + n,
        5: a - n * n,
        6: _quotient(a, n),
        7: a,
    }[i & 7]
    t, left = 0, False
    for k in range(n):
        if b[k] == 3 or 70 < a < 1000:
            left = True
            break
        t += b[k]
        if t > 11:
            break
    a = (a if left else a + t) ^ t
    if i == 7:
        return a
    a = a + 7 if a < 50 else 9
    return a if i == 9 else a + 1


@pytest.mark.parametrize("seed", range(4))
def test_unstructured_branches(seed: int):
    random = np.random.default_rng(seed)
    a = random.integers(-90, 90, 32).astype(I32)
    b = random.integers(-1, 4 + seed, 16).astype(I32)
    [out, _] = run(fixture("control"), "branches", [a, b, I32(11)], 1, 32)
    wanted = [_branches(i, x, b.tolist(), 11) for i, x in enumerate(a.tolist())]
    assert out.tolist() == wanted


def test_votes_and_shuffles():
    random = np.random.default_rng(5)
    x = random.integers(0, 64, 32).astype(I32)
    f = random.normal(size=32).astype(np.float32)
    a, u, g = run(fixture("control"), "warps", [x, np.zeros((32, 16), U32), f], 1, 32)
    i = np.arange(32)
    every = 2**32 - 1
    wanted = [
        np.full(32, x[3]),
        np.where(i > 0, x[i - 1], x),
        np.where(i % 16 < 14, x[np.minimum(i + 2, 31)], x),
        x[i ^ 4],
        np.full(32, sum(1 << j for j in range(32) if x[j] > 3)),
        np.full(32, int((x == 2).any())),
        np.full(32, 1),
        [sum(1 << j for j in range(32) if x[j] & 3 == x[k] & 3) for k in range(32)],
        np.full(32, every),
        np.full(32, 1),
        np.full(32, x.sum()),
        np.full(32, x.min()),
        np.full(32, np.bitwise_or.reduce(x)),
        np.full(32, int(x[3]) << 7 >> 3),
        [sum(int(x[j]) & 1 for j in range(k)) for k in range(32)],
        np.full(32, 1),
    ]
    for column, values in enumerate(wanted):
        np.testing.assert_array_equal(u[:, column], values, err_msg=f"column {column}")
    np.testing.assert_array_equal(g, f + f[i ^ 4])
    assert (a == 1).all()


@pytest.mark.parametrize("path", WORKLOADS, ids=lambda path: path.stem)
def test_workloads_are_read(path: Path):
    module = PLUGIN.read(path.read_text(), str(path))
    assert module.functions and not module.refused
    for function in module.functions.values():
        assert verify(function, "virtual", h200()) == []
        source = ".cu" if path.with_suffix(".cu").exists() else ".ptx"
        assert all(i.location.file.endswith(source) for _, i in function.instructions())


COMMON = (
    "add mov ld fma mul setp bra st sub cvt shr selp shl and or xor not div cvta mad neg bar abs "
    "max min call ret rcp ex2 lg2 sin cos rsqrt sqrt shfl prmt atom madc addc subc rem copysign "
    "vote match activemask clz popc brev bfi shf dp4a sad membar"
)
"""What nvcc emits for the Rodinia benchmarks and ordinary kernels, by frequency."""


def test_every_common_instruction_is_in_a_file_of_nvcc():
    seen = set()
    for path in [*FOLDER.glob("*.ptx"), *WORKLOADS]:
        seen |= opcodes(path.read_text())
    assert set(COMMON.split()) <= seen


@pytest.mark.filterwarnings("ignore")
def test_halves():
    values = np.array([0.0, -0.0, 1.0, -2.5, 6e-8, 1e-4, 65504, 3.14159, np.inf, np.nan], "f2")
    x, y = np.repeat(values, len(values)), np.tile(values, len(values))
    n, f = len(x), np.linspace(-70000, 70000, len(x)).astype(np.float32)
    [out, *_] = run(fixture("half"), "halves", [np.zeros((n, 12), "f2"), x, y, f], 1, n)
    wide = x.astype(float) * y.astype(float) + x.astype(float)
    integers = (np.arange(n) * 1001).astype(np.float64).astype("f2")
    wanted = [x + y, x - y, x * y, wide.astype("f2"), np.fmax(x, y), np.fmin(x, y), -x, np.abs(y)]
    wanted += [f.astype("f2"), (x.astype("f4") + 1).astype("f2"), np.where(x < y, x, y), integers]
    for column, expected in enumerate(wanted):
        np.testing.assert_array_equal(out[:, column], expected, err_msg=f"column {column}")


@pytest.mark.filterwarnings("ignore")
def test_pairs_of_halves():
    random = np.random.default_rng(6)
    x, y = random.normal(size=(2, 16, 2)).astype("f2")
    f = random.normal(size=16).astype(np.float32)
    [out, *_] = run(fixture("half"), "pairs", [np.zeros((16, 4, 2), "f2"), x, y, f], 1, 16)
    np.testing.assert_array_equal(out[:, 0], x + y)
    exact = x.astype(float) * y.astype(float) + y.astype(float)
    np.testing.assert_array_equal(out[:, 1], exact.astype("f2"))
    np.testing.assert_array_equal(out[:, 2], np.stack([f, np.full(16, 2)], 1).astype("f2"))
    lows = np.stack([x[:, 0], y[:, 0]], axis=1)
    np.testing.assert_array_equal(out[:, 3], x * lows)
