"""Rows of `.approx` against what an H100 returned, to the bit: in Python, and jitted."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from machines.instructions import operations
from machines.vocabulary.lanes import lane_bits, read_lane
from machines.vocabulary.special_functions import truncated_square
from sim.cores.numbers import f32_from_bits
from sim.cores.simt.vocabulary import VOCABULARY as JITTED
from tests.machines.instructions.test_ptx_cases import in_python
from tests.machines.special_functions import measured

ROWS = operations().family("ptx")


def in_python_of(instruction: str, *operands: np.ndarray) -> np.ndarray:
    """Result bits of a row for operands given as bits."""
    meaning = in_python(ROWS[instruction])
    lists = [operand.tolist() for operand in operands]
    return np.array(
        [
            lane_bits(*meaning(*(read_lane(bits, "f32") for bits in lane)), "f32")
            for lane in zip(*lists, strict=True)
        ]
    )


@cache
def _loop(instruction: str):
    """The same for arrays of one or two operands, jitted."""
    value = ROWS[instruction].meaning.removeprefix("d = ")
    names = [operand.name for operand in ROWS[instruction].reads]
    reads = "; ".join(f"{name} = as_f32(of_{name}[lane])" for name in names)
    space = {**JITTED, "as_f32": f32_from_bits}
    exec(
        f"def loop(results, {', '.join('of_' + name for name in names)}):\n"
        f"    for lane in range(results.size):\n"
        f"        {reads}\n"
        f"        results[lane] = bits_of_f32({value})\n",
        space,
    )
    return njit(space["loop"], error_model="numpy")


def jitted_of(instruction: str, *operands: np.ndarray) -> np.ndarray:
    """Result bits of a row for operands given as bits, jitted."""
    results = np.empty(operands[0].size, np.int64)
    _loop(instruction)(results, *(operand.astype(np.int64) for operand in operands))
    return results


@pytest.fixture(scope="module")
def single():
    return measured.single_outputs()


@pytest.mark.parametrize("instruction", measured.INSTRUCTIONS)
def test_every_exponent(instruction, single):
    inputs = measured.single_inputs()
    for results in (in_python_of(instruction, inputs), jitted_of(instruction, inputs)):
        wrong = np.flatnonzero(results != single[instruction])
        shown = [f"{inputs[k]:08x}: {results[k]:08x}" for k in wrong[:5]]
        assert len(wrong) == 0, (shown, single[instruction][wrong[:5]])


@pytest.mark.parametrize("name", measured.RANGES)
def test_a_sample_of_an_octave(name):
    entry, inputs = measured.RANGES[name], measured.range_inputs(name, measured.STEP)
    assert measured.digest(in_python_of(entry["instruction"], inputs)) == entry["sample"]


@pytest.mark.campaign
@pytest.mark.parametrize("name", measured.RANGES)
def test_a_whole_octave(name):
    entry, inputs = measured.RANGES[name], measured.range_inputs(name)
    assert measured.digest(jitted_of(entry["instruction"], inputs)) == entry["all"]


@pytest.mark.parametrize("instruction", measured.QUOTIENTS)
def test_quotients(instruction):
    operands = [bits[:: measured.STEP] for bits in measured.quotient_operands()]
    results = in_python_of(instruction, *operands)
    assert measured.digest(results) == measured.QUOTIENTS[instruction]["sample"]


@pytest.mark.campaign
@pytest.mark.parametrize("instruction", measured.QUOTIENTS)
def test_all_quotients(instruction):
    results = jitted_of(instruction, *measured.quotient_operands())
    assert measured.digest(results) == measured.QUOTIENTS[instruction]["all"]


@pytest.mark.parametrize(("instruction", "function", "error", "first", "last"), [
    ("rcp.approx.f32", lambda x: 1 / x, 2.0**-23, -126, 125),
    ("sqrt.approx.f32", np.sqrt, 2.0**-23, -126, 127),
    ("rsqrt.approx.f32", lambda x: 1 / np.sqrt(x), 2.0**-22.9, -126, 127),
    ("ex2.approx.f32", np.exp2, 2.0**-22, -126, 6),
    ("lg2.approx.f32", np.log2, 2.0**-22, 1, 127),
    ("tanh.approx.f32", np.tanh, 2.0**-16.5, -126, 127),
])  # fmt: skip
def test_octaves_that_were_not_measured(instruction, function, error, first, last):
    """The relative error is no greater than in PTX ISA 9.0; that of tanh, of which 2**-11 is said
    there, no greater than in the octaves that were measured."""
    inputs = np.random.default_rng(1).integers(127 + first << 23, 128 + last << 23, 1 << 16)
    exact = function(inputs.astype(np.uint32).view(np.float32).astype(np.float64))
    results = jitted_of(instruction, inputs).astype(np.uint32).view(np.float32)
    assert np.max(np.abs(results / exact - 1)) < error


@given(st.integers(0, (1 << 17) - 1))
def test_the_square_by_its_partial_products(x):
    """Of the products of single bits, those below 2**18 fall away; the sum is halved."""
    products = sum(x >> (18 - bit) for bit in range(17) if x >> bit & 1)
    assert truncated_square(x) == products >> 1


@pytest.mark.parametrize(("instruction", "operand", "result"), [
    ("rcp.approx.ftz.f64", 3.0, 0x3FD55555_00000000),
    ("rsqrt.approx.f64", 3.0, 0x3FE279A7_4590331C),
])  # fmt: skip
def test_double(instruction, operand, result):
    (value,) = in_python(ROWS[instruction])(operand)
    assert lane_bits(value, "f64") == result


def test_large_divisors():
    """Their reciprocal is subnormal, which the unit does not give."""
    one, large = np.array([0x3F800000]), np.array([0x7F000000])
    assert in_python_of("div.approx.f32", one, large) == [0]
    assert in_python_of("div.full.f32", one, large) == [0x00400000]
