"""Compiled loops of tensor rows give the bits that Python gives, and those that numpy gives where
it says the same."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.interpret.functions import interpret, memory_for
from compiler.ir.builder import canonical
from compiler.text_form import parse
from machines.operations.row import Operation, Region
from machines.tensors.elements import array_of, stored_type
from machines.tensors.loops import python_loops
from machines.tensors.sizes import extents_of, misfit, sizes_of
from machines.types import Type
from sim.cores import tensor_loops
from sim.cores.tensor_loops import AT_LEAST, compiled_loops, jitted_loops
from tests.campaign.seeds import short_form
from tests.machines.instructions.test_tensor_cases import BY_NAME, ROWS, some

FLOATS = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e-40, 3e38, 1e-3)


def elements(type: Type, count: int, random: Random) -> np.ndarray:
    """Any bits, or numbers that are near each other, and special ones."""
    if random.random() < 0.3:
        return np.frombuffer(random.randbytes(type.size(count)), stored_type(type))
    if not type.is_float:
        return array_of([canonical(random.randrange(-4, 5), type) for _ in range(count)], type)
    choices = [lambda: random.choice(FLOATS), lambda: float(random.randrange(-4, 5))]
    choices += [lambda: random.uniform(-9, 9)] * 3
    return array_of([canonical(random.choice(choices)(), type) for _ in range(count)], type)


def scalar(type: Type, random: Random) -> int | float:
    if type.is_float:
        return canonical(random.choice((*FLOATS, 1.5, -2.25)), type)
    return canonical(random.choice((random.randrange(-9, 9), random.getrandbits(64))), type)


def some_work(row: Operation, random: Random) -> tuple[dict, dict]:
    """Intervals that fit together, and all sizes and scalars."""
    walk = row.walk
    free = {name for name in walk.extents if name not in row.extents}
    while True:
        known = {name: random.choice((1, 2, 3, 5, 8)) for name in row.extents}
        known |= {n: random.choice((1, 2, 4, 8, 16)) for n, text in walk.sizes if text in free}
        if misfit(walk, known) is None:
            known |= sizes_of(walk, extents_of(walk, known))
            break
    arrays = {}
    for operand in row.reads:
        if isinstance(operand.kind, Region) and operand.kind.access == "load":
            arrays[operand.name] = elements(operand.kind.type, known[operand.name], random)
        elif operand.name not in known:
            known[operand.name] = scalar(operand.kind, random)
    return arrays, known


FEW = sorted(name for names in map(some, BY_NAME) for name in names)


@pytest.mark.parametrize("name", short_form([*FEW, *sorted({*ROWS} - {*FEW})], len(FEW)))
def test_both_ways_give_the_same_bits(name):
    row, random = ROWS[name], Random(name)
    for _ in range(12):
        work = some_work(row, random)
        ways = [loops(row)(*work) for loops in (python_loops, compiled_loops)]
        for operand, found in ways[0].items():
            assert found.tobytes() == ways[1][operand].tobytes(), work


def test_a_row_begins_in_python():
    row = ROWS["tensor.add.f32"]
    tensor_loops._RUNNERS.clear()
    loops, count = jitted_loops(row), AT_LEAST // 4
    ones = np.ones(count, np.float32)
    for turn in range(6):
        assert loops.turns == min(turn, 4) * count
        assert (loops({"a": ones, "b": ones}, {"a": count, "b": count})["d"] == 2.0).all()


PRODUCT = """
a: f32[4096] in global
b: f32[4096] in global
d: f32[4096] in global
func @f(n: i64) -> f32 {
entry:
    tensor.fill.f32 a[0:4096], 0.1
    tensor.add.f32 b[0:64, 64 by 64], a[0:64, 64 by 64], a[4095:4096, 4096 by -1]
    tensor.matmul.f32 d[0:4096], a[0:4096], b[0:4096], n, n, n
    s = tensor.sum.f32 d[0:4096]
    return s
}
"""


def test_the_interpreter_runs_compiled_loops():
    module = parse(PRODUCT)
    outcomes = []
    for loops in (python_loops, compiled_loops):
        memory = memory_for(module, {})
        outcome = interpret(module.functions["f"], {"n": 64}, memory, loops=loops)
        outcomes.append((outcome.value, memory.bytes.tobytes()))
    assert outcomes[0] == outcomes[1]


# Against numpy


def matrices(m: int, k: int, n: int, seed: int, type: str) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(seed)
    shapes = (m, n), (m, k), (k, n)
    if type.startswith("i"):
        return tuple(random.integers(-128, 128, shape).astype(type) for shape in shapes)
    return tuple(random.standard_normal(shape).astype(type) for shape in shapes)


SIDES = st.integers(1, 40)


@settings(max_examples=40)
@given(SIDES, SIDES, SIDES, st.integers(0, 99))
def test_products_of_matrices(m, k, n, seed):
    acc, a, b = matrices(m, k, n, seed, "f4")
    wanted = acc.copy()
    for step in range(k):
        wanted += a[:, step, None] * b[None, step, :]
    arrays = {"acc": acc.ravel(), "a": a.ravel(), "b": b.ravel()}
    known = {name: array.size for name, array in arrays.items()} | {"m": m, "k": k, "n": n}
    for name, second in (("matmul_add", b), ("matmul_t_add", b.T)):
        given = arrays | {"b": np.ascontiguousarray(second).ravel()}
        found = compiled_loops(ROWS[f"tensor.{name}.f32"])(given, known)["d"]
        assert found.tobytes() == wanted.tobytes()


@settings(max_examples=40)
@given(SIDES, SIDES, SIDES, st.integers(0, 99))
def test_products_of_small_integers(m, k, n, seed):
    _, a, b = matrices(m, k, n, seed, "i1")
    known = {"a": a.size, "b": b.size, "m": m, "k": k, "n": n}
    row = ROWS["tensor.matmul.i8.i32"]
    found = compiled_loops(row)({"a": a.ravel(), "b": b.ravel()}, known)["d"]
    assert (found.reshape(m, n) == a.astype(np.int32) @ b.astype(np.int32)).all()


@pytest.mark.parametrize("cut", [1, 7, 16, 39])
def test_a_product_in_parts_is_the_product(cut):
    """What `matmul_add` is for: no tiling of k changes a bit."""
    _, a, b = matrices(20, 40, 30, cut, "f4")
    row, more = ROWS["tensor.matmul.f32"], ROWS["tensor.matmul_add.f32"]

    def product(row, low, high, **acc):
        arrays = {"a": a[:, low:high].ravel(), "b": b[low:high].ravel(), **acc}
        known = {name: array.size for name, array in arrays.items()}
        return compiled_loops(row)(arrays, known | {"m": 20, "k": high - low, "n": 30})["d"]

    whole = product(row, 0, 40)
    assert product(more, cut, 40, acc=product(row, 0, cut)).tobytes() == whole.tobytes()


@settings(max_examples=40)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 3), st.integers(1, 3), st.data())
def test_convolutions(height, width, ci, co, data):
    kh, kw = data.draw(st.integers(1, height)), data.draw(st.integers(1, width))
    sy, sx = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    random = np.random.default_rng(height * 100 + width)
    a = random.integers(-128, 128, (height, width, ci)).astype(np.int8)
    b = random.integers(-128, 128, (co, kh, kw, ci)).astype(np.int8)
    windows = np.lib.stride_tricks.sliding_window_view(a, (kh, kw), (0, 1))[::sy, ::sx]
    wanted = np.einsum("yxckl,oklc->yxo", windows.astype(np.int32), b.astype(np.int32))
    known = {"height": height, "width": width, "ci": ci, "co": co, "kh": kh, "kw": kw}
    known |= {"sy": sy, "sx": sx, "a": a.size, "b": b.size}
    row = ROWS["tensor.conv.i8.i32"]
    found = compiled_loops(row)({"a": a.ravel(), "b": b.ravel()}, known)["d"]
    assert (found == wanted.ravel()).all()


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.data())
def test_the_largest(numbers, data):
    k = data.draw(st.integers(0, len(numbers)))
    places = sorted(range(len(numbers)), key=lambda place: (-numbers[place], place))[:k]
    known = {"a": len(numbers), "rows": 1, "columns": len(numbers), "k": k}
    row = ROWS["tensor.topk.i32"]
    found = compiled_loops(row)({"a": np.array(numbers, np.int32)}, known)
    assert found["e"].tolist() == places
    assert found["d"].tolist() == [numbers[place] for place in places]


FUNCTIONS = {
    "exp": np.exp, "log": np.log, "tanh": np.tanh,
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "silu": lambda x: x / (1.0 + np.exp(-x)),
    "erf": np.vectorize(math.erf),
    "gelu": np.vectorize(lambda x: 0.5 * x * math.erfc(-x * math.sqrt(0.5))),
    "sin": np.sin, "cos": np.cos,
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_near_what_they_are_called_after(name):
    """Within one unit in the last place of f32, gelu within one of its argument."""
    random = np.random.default_rng(1)
    x = (random.uniform(-12, 12, 4000) * random.choice([1, 0.1, 1e-3, 1e-8], 4000)).astype("f4")
    x = np.abs(x) if name == "log" else x
    found = compiled_loops(ROWS[f"tensor.{name}.f32"])({"a": x}, {"a": x.size})["d"]
    wanted = FUNCTIONS[name](x.astype(np.float64))
    unit = np.spacing(np.abs((x if name == "gelu" else wanted).astype("f4")))
    assert (np.abs(found - wanted) <= unit).all()


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_angles_of_any_size(name):
    """glibc reduces any angle to the last bit, in f64."""
    random = np.random.default_rng(2)
    x = np.concatenate([
        random.integers(0, 1 << 32, 20000, dtype=np.uint32).view("f4"),
        (np.arange(1, 20000) * (np.pi / 2)).astype("f4"),
    ])  # fmt: skip
    x = x[np.isfinite(x)]
    found = compiled_loops(ROWS[f"tensor.{name}.f32"])({"a": x}, {"a": x.size})["d"]
    exact = np.vectorize(getattr(math, name))(x.astype(np.float64))
    assert (np.abs(found - exact) <= np.spacing(np.abs(exact.astype("f4"))) * 0.5001).all()


def test_powers():
    """glibc's pow in f64, rounded; what is no number, zeros and infinities as IEEE 754 has them."""
    random = np.random.default_rng(3)
    odd = np.array([0.0, -0.0, 1, -1, 2, -2, 0.5, 3, -3, np.inf, -np.inf, np.nan], "f4")
    pairs = np.array([(a, b) for a in odd for b in odd], "f4")
    x = np.concatenate([pairs[:, 0], random.uniform(-9, 9, 4000).astype("f4"),
                        random.integers(0, 1 << 32, 4000, dtype=np.uint32).view("f4")])  # fmt: skip
    y = np.concatenate([pairs[:, 1], random.integers(-20, 20, 2000).astype("f4"),
                        random.uniform(-30, 30, 6000).astype("f4")])  # fmt: skip
    known = {"a": x.size, "b": x.size}
    found = compiled_loops(ROWS["tensor.pow.f32"])({"a": x, "b": y}, known)["d"]
    with np.errstate(all="ignore"):
        wanted = np.power(x.astype(np.float64), y.astype(np.float64))
        exact = wanted.astype("f4")
        near = np.abs(found - wanted) <= np.spacing(np.abs(exact)) * 0.501
    same = (found == exact) & (np.signbit(found) == np.signbit(exact)) | np.isnan(found) & np.isnan(
        exact
    )
    assert (same | near).all()
