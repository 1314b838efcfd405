"""The vocabulary of meanings: Python against its definition, jitted twins against Python."""

from __future__ import annotations

import inspect
import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from machines.vocabulary import numbers
from sim.cores.numbers import VOCABULARY as JITTED
from tests.campaign.seeds import short_form

MIN, MAX = -(1 << 63), (1 << 63) - 1
UNSIGNED = 1 << 64

INTEGERS = st.one_of(
    st.integers(MIN, MAX),
    st.integers(-70, 70),
    st.builds(
        lambda bit, offset: numbers.wrap((1 << bit) + offset),
        st.integers(0, 63),
        st.integers(-2, 2),
    ),
)
FLOATS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(
        [0.0, -0.0, math.nan, math.inf, -math.inf, 5e-324, 2.0**63, 2.0**64, -(2.0**63)]
    ),
    st.builds(
        lambda bits, offset: math.ldexp(1.0, bits) + offset,
        st.integers(-60, 70),
        st.sampled_from([-1.0, -0.5, 0.5, 1.0]),
    ),
)
F32 = st.floats(width=32, allow_nan=True, allow_infinity=True)


def same(a, b) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return a == b


def strategy(function, parameter):
    if parameter.name == "bits":
        return st.sampled_from([8, 16, 32, 64])
    if parameter.annotation == "int":
        divides = function.__name__.startswith(("divide", "remainder")) and parameter.name == "b"
        return INTEGERS.filter(bool) if divides else INTEGERS
    return F32 if function.__name__ in ("fma_f32", "bits_from_f32") else FLOATS


@pytest.fixture(scope="module")
def jitted():
    """The twins, callable from Python; intrinsics need a function around them."""
    callers = {}
    for name, function in numbers.VOCABULARY.items():
        arguments = ", ".join(inspect.signature(function).parameters)
        space = {"twin": JITTED[name]}
        exec(f"def caller({arguments}):\n    return twin({arguments})\n", space)
        callers[name] = njit(space["caller"], error_model="numpy")
    return callers


@pytest.mark.parametrize("examples", short_form([40, 2000], 1))
@pytest.mark.parametrize("name", numbers.VOCABULARY)
def test_twins_agree(name, examples, jitted):
    function = numbers.VOCABULARY[name]
    parameters = inspect.signature(function).parameters.values()
    strategies = [strategy(function, parameter) for parameter in parameters]

    @settings(max_examples=examples)
    @given(st.tuples(*strategies))
    def agree(values):
        assert same(function(*values), jitted[name](*values))

    agree()


EDGES = (0, 1, -1, 2, -2, 7, 63, 64, 65, 1 << 31, 1 << 32, MAX, MIN, MIN + 1)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(EDGES, EDGES)))
def test_integers_are_those_of_the_definition(a, b):
    """Against unbounded integers: the value modulo 2**64, read as signed."""
    unsigned_a, unsigned_b = a % UNSIGNED, b % UNSIGNED
    assert numbers.below(a, b) == (unsigned_a < unsigned_b)
    assert numbers.shift_left(a, b) % UNSIGNED == a * 2 ** min(unsigned_b, 200) % UNSIGNED
    assert numbers.shift_right(a, b) == math.floor(Fraction(a, 2 ** min(unsigned_b, 200)))
    assert numbers.shift_right_unsigned(a, b) % UNSIGNED == unsigned_a // 2 ** min(unsigned_b, 200)
    assert numbers.multiply_high(a, b) == a * b // UNSIGNED
    assert numbers.multiply_high_unsigned(a, b) % UNSIGNED == unsigned_a * unsigned_b // UNSIGNED
    if b:
        exact = math.trunc(Fraction(a, b))
        assert numbers.divide(a, b) % UNSIGNED == exact % UNSIGNED
        assert numbers.remainder(a, b) == a - b * exact
        assert numbers.divide_unsigned(a, b) % UNSIGNED == unsigned_a // unsigned_b
        assert numbers.remainder_unsigned(a, b) % UNSIGNED == unsigned_a % unsigned_b


def test_minimum_divided_by_minus_one_wraps():
    assert numbers.divide(MIN, -1) == MIN
    assert numbers.remainder(MIN, -1) == 0


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(FINITE, FINITE, FINITE)
def test_fma_is_the_nearest_double(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    result = numbers.fma_f64(a, b, c)
    if math.isinf(result):
        assert abs(exact) >= Fraction(2) ** 1024 - Fraction(2) ** 970
        return
    distance = abs(Fraction(result) - exact)
    for other in (math.nextafter(result, math.inf), math.nextafter(result, -math.inf)):
        if math.isfinite(other):
            rival = abs(Fraction(other) - exact)
            assert distance < rival or (distance == rival and is_even(result))


def is_even(x: float) -> bool:
    return numbers.bits_from_f64(x) % 2 == 0


NARROW = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(NARROW, NARROW, NARROW)
def test_fma_f32_is_the_nearest_single(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    result = numbers.fma_f32(a, b, c)
    if math.isinf(result):
        assert abs(exact) >= Fraction(2) ** 128 - Fraction(2) ** 103
        return
    bits = numbers.bits_from_f32(abs(result))
    distance = abs(Fraction(result) - exact)
    for other_bits in (bits - 1, bits + 1):
        if 0 <= other_bits < 0x7F80_0000:
            other = math.copysign(numbers.f32_from_bits(other_bits), result)
            rival = abs(Fraction(other) - exact)
            assert distance < rival or (distance == rival and bits % 2 == 0)


def test_fma_f32_is_rounded_once():
    """An f64 sum would drop 2**-70 and leave a tie, which then goes to the even neighbour."""
    tie = 1.0 + 2.0**-12  # squared: 1 + 2**-11 + 2**-24, exactly between two singles
    assert numbers.fma_f32(tie, tie, 0.0) == 1.0 + 2.0**-11
    assert numbers.fma_f32(tie, tie, 2.0**-70) == 1.0 + 2.0**-11 + 2.0**-23
    assert numbers.fma_f32(tie, tie, -(2.0**-70)) == 1.0 + 2.0**-11


@pytest.mark.parametrize(
    ("value", "f32"),
    [
        ((1 << 53) + (1 << 29) + 1, float((1 << 53) + (1 << 30))),
        (-(1 << 53) - (1 << 29) - 1, -float((1 << 53) + (1 << 30))),
        ((1 << 53) + (1 << 29), float(1 << 53)),
    ],
)
def test_integer_to_f32_is_rounded_once(value, f32):
    assert numbers.f32_from_signed(value) == f32


def test_nan_is_canonical_where_it_can_be_seen():
    strange = numbers.f64_from_bits(numbers.wrap(0xFFF0_0000_0000_0001))
    assert strange != strange
    assert numbers.bits_from_f64(strange) == 0x7FF8_0000_0000_0000
    assert numbers.bits_from_f32(numbers.f32_from_bits(0xFF80_0001)) == 0x7FC0_0000
