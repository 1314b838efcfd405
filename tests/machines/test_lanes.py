"""The vocabulary of the ptx rows: Python against its definition, jitted twins against Python."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from machines.vocabulary import lanes, rounding, special_functions
from sim.cores.simt.vocabulary import VOCABULARY as JITTED
from tests.campaign.seeds import short_form
from tests.machines.test_numbers import F32, FLOATS, INTEGERS, same

HALF = st.floats(width=16)
WORDS = st.integers(0, (1 << 32) - 1)
SMALL = st.builds(math.ldexp, st.floats(-2.0, 2.0), st.integers(-1100, -1000))
NEAR = st.builds(math.ldexp, st.integers(-(1 << 54), 1 << 54).map(float), st.integers(-60, 8))
NUMBERS = st.one_of(FLOATS, F32, SMALL, NEAR)
BY_PARAMETER = {
    "mode": st.integers(0, 3),
    "digits": st.sampled_from([11, 24, 53]),
    "lane": st.integers(0, 63),
    "table": st.integers(0, 255),
    "selector": WORDS,
    "mask": WORDS,
    "base": st.one_of(st.integers(0, 40), WORDS),
    "offset": st.one_of(st.integers(-33, 33), st.integers(-(1 << 31), (1 << 31) - 1)),
}


def _strategy(name, parameter):
    if parameter.name in BY_PARAMETER:
        return BY_PARAMETER[parameter.name]
    if name == "permute_bytes" or name.startswith("shuffle"):
        return WORDS
    if parameter.annotation == "int":
        return INTEGERS
    if lanes.VOCABULARY[name] in special_functions.FUNCTIONS and not name.endswith("_f64"):
        return F32
    return {"bits_of_f32": F32, "flush": F32, "bits_of_f16": HALF}.get(name, NUMBERS)


def _jitted(name):
    """The twin, callable from Python; intrinsics need a function around them."""
    arguments = ", ".join(inspect.signature(lanes.VOCABULARY[name]).parameters)
    space = {"twin": JITTED[name]}
    exec(f"def caller({arguments}):\n    return twin({arguments})\n", space)
    return njit(space["caller"], error_model="numpy")


@pytest.mark.parametrize("examples", short_form([40, 2000], 1))
@pytest.mark.parametrize("name", lanes.VOCABULARY)
def test_twins_agree(name, examples):
    function, twin = lanes.VOCABULARY[name], _jitted(name)
    parameters = inspect.signature(function).parameters.values()

    @settings(max_examples=examples)
    @given(st.tuples(*(_strategy(name, parameter) for parameter in parameters)))
    def agree(arguments):
        expected, got = function(*arguments), twin(*arguments)
        assert same(expected, got), (arguments, expected, got)

    agree()


def _exact(name, a, b, c):
    a, b, c = map(Fraction, (a, b, c))
    return (
        {"add_toward": a + b, "multiply_toward": a * b, "fma_toward": a * b + c}.get(name)
        if name != "divide_toward"
        else a / b
    )


def _neighbour(x, digits, way):
    """The next number of a format from `x` up (1) or down (-1)."""
    if digits == 53:
        return math.nextafter(x, way * math.inf)
    kind = np.float32 if digits == 24 else np.float16
    with np.errstate(over="ignore"):
        return float(np.nextafter(kind(x), kind(way * math.inf)))


@settings(max_examples=500)
@given(
    st.sampled_from(["add_toward", "multiply_toward", "divide_toward", "fma_toward"]),
    st.tuples(*[NUMBERS.filter(math.isfinite)] * 3),
    st.integers(0, 3),
    st.sampled_from([11, 24, 53]),
)
def test_directed_rounding_by_its_definition(name, operands, mode, digits):
    """The result is the last number on its side of the exact value, or the nearest one."""
    a, b, c = operands
    if name == "divide_toward" and b == 0.0:
        return
    exact = _exact(name, a, b, c)
    arguments = (a, b, c) if name == "fma_toward" else (a, b)
    got = getattr(rounding, name)(*arguments, mode, digits)
    if exact == 0:
        assert got == 0.0
        return
    if mode == 1:
        mode = 2 if exact > 0 else 3
    if math.isinf(got):
        highest = _neighbour(math.inf, digits, -1)
        half = highest - _neighbour(highest, digits, -1) if digits < 53 else 2.0**971
        limit = Fraction(highest) + (Fraction(half) / 2 if mode == 0 else 0)
        assert abs(exact) >= limit if mode == 0 else abs(exact) > limit
        assert mode == 0 or (got > 0) == (mode == 3)
        return
    below, above = _neighbour(got, digits, -1), _neighbour(got, digits, 1)
    if mode == 2:
        assert Fraction(got) <= exact and (math.isinf(above) or exact < Fraction(above))
    elif mode == 3:
        assert Fraction(got) >= exact and (math.isinf(below) or exact > Fraction(below))
    else:
        error = abs(exact - Fraction(got))
        for other in (below, above):
            assert math.isinf(other) or error <= abs(exact - Fraction(other))


@settings(max_examples=300)
@given(F32, F32, F32)
def test_nearest_f32_is_numpys(a, b, c):
    with np.errstate(all="ignore"):
        x, y = np.float32(a), np.float32(b)
        assert same(rounding.add_toward(a, b, 0, 24), float(x + y))
        assert same(rounding.multiply_toward(a, b, 0, 24), float(x * y))
        assert same(rounding.divide_toward(a, b, 0, 24), float(x / y))
        assert same(rounding.sqrt_toward(a, 0, 24), float(np.sqrt(x)))


@settings(max_examples=300)
@given(INTEGERS, st.integers(0, 3), st.sampled_from([24, 53]))
def test_integers_round_by_the_definition(a, mode, digits):
    got = rounding.signed_toward(a, mode, digits)
    assert same(
        got, rounding.fma_toward(float(a >> 32), 2.0**32, float(a & 0xFFFF_FFFF), mode, digits)
    )


@settings(max_examples=300)
@given(st.floats(allow_nan=False, allow_infinity=False, min_value=0.0), st.integers(0, 3))
def test_square_roots_by_their_definition(x, mode):
    root = rounding.sqrt_toward(x, mode, 53)
    exact, square = Fraction(x), Fraction(root) ** 2
    if mode in (1, 2):
        assert square <= exact < Fraction(math.nextafter(root, math.inf)) ** 2
    elif mode == 3:
        assert square >= exact and (x == 0.0 or Fraction(math.nextafter(root, 0.0)) ** 2 < exact)
    else:
        assert root == math.sqrt(x)


@pytest.mark.parametrize("kind, value, bits, back", [
    ("s32", -1, 0xFFFF_FFFF, -1),
    ("u32", -1, 0xFFFF_FFFF, 0xFFFF_FFFF),
    ("s16", -2, 0xFFFE, -2),
    ("u16", 0x1_2345, 0x2345, 0x2345),
    ("b64", 1 << 63, -(1 << 63), -(1 << 63)),
    ("f32", 1.5, 0x3FC0_0000, 1.5),
    ("f32", math.nan, 0x7FFF_FFFF, math.nan),
    ("f64", -0.0, -(1 << 63), -0.0),
    ("b32", -2.0, 0xC000_0000, 0xC000_0000),
    ("pred", 1, 1, 1),
])  # fmt: skip
def test_registers_hold_bits(kind, value, bits, back):
    assert lanes.lane_bits(value, kind) == bits
    assert same(lanes.read_lane(bits, kind), back)
