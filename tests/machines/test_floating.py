"""The floating registers: hand-worked values, the sequences built on them, the jitted twins."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from machines.vocabulary import floating, numbers
from sim.cores import floating as jitted
from tests.campaign.seeds import short_form
from tests.machines import floating_sequences as sequences


def from_python(function):
    """A jitted function that only jitted code may call, for callers in Python."""
    return njit(lambda *arguments: function(*arguments))


EXACT = SimpleNamespace(**floating.VOCABULARY)
JITTED = SimpleNamespace(**{name: from_python(f) for name, f in jitted.VOCABULARY.items()})
BOTH = pytest.mark.parametrize("functions", (EXACT, JITTED), ids=("exact", "jitted"))

PRECISIONS = (24, 53, 64)
TERNARY = ("fr_xma_low", "fr_xma_high", "fr_xma_high_unsigned", "fr_select")
BINARY = (
    "fr_less", "fr_less_equal", "fr_equal", "fr_unordered", "fr_min", "fr_max",
    "fr_amin", "fr_amax", "fr_merge_sign", "fr_merge_negative", "fr_merge_exponent",
)  # fmt: skip
UNARY = (
    "fr_significand", "fr_sign_exponent", "fr_bits64", "fr_bits32", "fr_bits80_high",
    "fr_from_signed_integer", "fr_to_signed", "fr_to_signed_truncate",
    "fr_to_unsigned", "fr_to_unsigned_truncate",
)  # fmt: skip
FROM_INTEGER = (
    "fr_from_significand", "fr_from_sign_exponent", "fr_from_bits32", "fr_from_bits64",
)  # fmt: skip


def canonical(result):
    """A result in which NaN equals NaN and -0.0 differs from 0.0."""
    if isinstance(result, tuple):
        return tuple(canonical(part) for part in result)
    if isinstance(result, float):
        return "nan" if result != result else result.hex()
    return int(result)


INTEGERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-4, 4),
    st.sampled_from(
        [sign * 2**k + d for k in (52, 53, 62) for sign in (1, -1) for d in (-1, 0, 1)]
    ),
)
NEAR = st.builds(
    lambda sign, significand, exponent: floating._from_fields(sign, exponent, significand),
    st.integers(0, 1),
    st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 2048).map(lambda k: 2**64 - 1 - k),
              st.integers(0, 63).map(lambda k: 2**63 | 2**k)),
    st.one_of(st.integers(0xFFFF - 130, 0xFFFF + 130), st.integers(0, 0x1FFFF),
              st.sampled_from([0xFFFF - 1022, 0xFFFF - 1074, 0xFFFF - 149, 0xFFFF - 16382, 1, 0,
                               0xFFFF + 1023, 0xFFFF + 127, 0x1FFFE, 0x1003E])),
)  # fmt: skip
REGISTERS = st.one_of(
    st.floats(width=64).map(floating.fr_from_f64),
    st.floats(width=32).map(floating.fr_from_f64),
    st.integers(-8, 8).map(lambda n: floating.fr_from_f64(float(n))),
    INTEGERS.map(floating.fr_from_significand),
    NEAR,
)


@pytest.mark.parametrize("examples", short_form([25, 1500], 1))
def test_jitted_multiply_add_agrees(examples: int):
    @settings(max_examples=examples)
    @given(REGISTERS, REGISTERS, REGISTERS, st.sampled_from(PRECISIONS), st.integers(0, 1))
    def agree(a, b, c, bits, wide):
        for name in ("fr_fma", "fr_fms", "fr_fnma"):
            expected = getattr(EXACT, name)(a, b, c, bits, wide)
            found = getattr(JITTED, name)(a, b, c, bits, wide)
            assert canonical(found) == canonical(expected), name

    agree()


@pytest.mark.parametrize("examples", short_form([25, 800], 1))
def test_jitted_functions_agree(examples: int):
    @settings(max_examples=examples)
    @given(REGISTERS, REGISTERS, REGISTERS)
    def agree(a, b, c):
        for names, arguments in ((TERNARY, (a, b, c)), (BINARY, (a, b)), (UNARY, (a,))):
            for name in names:
                expected = getattr(EXACT, name)(*arguments)
                assert canonical(getattr(JITTED, name)(*arguments)) == canonical(expected), name

    agree()


@pytest.mark.parametrize("examples", short_form([25, 800], 1))
def test_jitted_seeds_agree(examples: int):
    @settings(max_examples=examples)
    @given(REGISTERS, REGISTERS, st.integers(0, 1))
    def agree(a, b, wide):
        for name, arguments in (("fr_reciprocal", (a, b, wide)), ("fr_reciprocal_root", (a, wide))):
            expected = getattr(EXACT, name)(*arguments)
            assert canonical(getattr(JITTED, name)(*arguments)) == canonical(expected), name

    agree()


@pytest.mark.parametrize("examples", short_form([60, 400], 1))
def test_jitted_conversions_agree(examples: int):
    @settings(max_examples=examples)
    @given(INTEGERS, INTEGERS, REGISTERS, st.integers(0, 511))
    def agree(n, m, a, mask):
        for name in FROM_INTEGER:
            expected = getattr(EXACT, name)(n)
            assert canonical(getattr(JITTED, name)(n)) == canonical(expected), name
        high = m & 0xFFFF
        assert canonical(JITTED.fr_from_bits80(n, high)) == canonical(EXACT.fr_from_bits80(n, high))
        assert JITTED.fr_class(a, mask) == EXACT.fr_class(a, mask)

    agree()


def test_every_function_is_compared_with_its_twin():
    compared = {
        *TERNARY, *BINARY, *UNARY, *FROM_INTEGER,
        "fr_fma", "fr_fms", "fr_fnma", "fr_from_bits80", "fr_class",
        "fr_reciprocal", "fr_reciprocal_root",
    }  # fmt: skip
    assert set(floating.VOCABULARY) - compared == {"fr_from_f64", "fr_value"}
    assert compared <= set(jitted.VOCABULARY)


@BOTH
def test_a_register_is_a_double_where_it_can_be_one(functions):
    half, three = (0.5, 0, 0), functions.fr_from_significand(3)
    assert three == (0.0, 3, 1 | 0x1003E << 2)
    assert functions.fr_from_signed_integer(three) == (3.0, 0, 0)
    assert functions.fr_fma(half, three, half, 64, 1) == (2.0, 0, 0)
    # 2**1024 is no double; wide it is 1.0 with exponent 1024 over the bias, in range it overflows
    large = (2.0**1023, 0, 0)
    two, zero = (2.0, 0, 0), (0.0, 0, 0)
    assert functions.fr_fma(large, two, zero, 53, 1) == (0.0, -(2**63), 1 | (0xFFFF + 1024) << 2)
    assert functions.fr_fma(large, two, zero, 53, 0) == (math.inf, 0, 0)


@BOTH
def test_rounding_happens_once(functions):
    # 1 + 2**-53 + 2**-80: to 64 bits first it is 1 + 2**-53 (a tie that goes to 1), once it is up
    tiny = functions.fr_fma((2.0**-40, 0, 0), (2.0**-40, 0, 0), (2.0**-53, 0, 0), 64, 1)
    assert functions.fr_fma(tiny, (1.0, 0, 0), (1.0, 0, 0), 53, 0) == (1.0 + 2.0**-52, 0, 0)
    # the same for a single: 1 + 2**-24 + 2**-60 goes up to 1 + 2**-23
    a, b = (1.0 + 2.0**-24, 0, 0), (2.0**-60, 0, 0)
    assert functions.fr_fma(b, (1.0, 0, 0), a, 24, 0) == (1.0 + 2.0**-23, 0, 0)


@BOTH
def test_fields_of_simple_values(functions):
    assert functions.fr_sign_exponent((-1.0, 0, 0)) == 1 << 17 | 0xFFFF
    assert functions.fr_significand((1.5, 0, 0)) == 0xC000_0000_0000_0000 - 2**64
    assert functions.fr_bits64((-2.0, 0, 0)) == 0xC000_0000_0000_0000 - 2**64
    assert functions.fr_bits32((-2.0, 0, 0)) == 0xC000_0000
    assert functions.fr_bits32((2.0**-149, 0, 0)) == 1
    assert functions.fr_bits80_high((-2.0, 0, 0)) == 0xC000  # biased exponent 16384


@BOTH
def test_conversions_out_of_range_give_the_indefinite_integer(functions):
    for x in (2.0**63, -(2.0**63) * 1.5, math.nan, math.inf):
        assert functions.fr_significand(functions.fr_to_signed_truncate((x, 0, 0))) == -(2**63)
    assert functions.fr_significand(functions.fr_to_unsigned((-1.0, 0, 0))) == -(2**63)
    assert functions.fr_significand(functions.fr_to_unsigned((-0.5, 0, 0))) == 0
    assert functions.fr_significand(functions.fr_to_signed((2.5, 0, 0))) == 2
    assert functions.fr_significand(functions.fr_to_signed_truncate((-2.9, 0, 0))) == -2


@BOTH
def test_seed_errors(functions):
    """Below 2**-8.886 and 2**-8.831, what the refinements count on."""
    reciprocal = root = 0.0
    for step in range(2048):
        for x in (1.0 + step / 2048, math.nextafter(1.0 + (step + 1) / 2048, 0.0)):
            for scale in (1.0, 2.0):
                y, _ = functions.fr_reciprocal((1.0, 0, 0), (x * scale, 0, 0), 1)
                z, _ = functions.fr_reciprocal_root((x * scale, 0, 0), 1)
                reciprocal = max(reciprocal, abs(y[0] * x * scale - 1.0))
                root = max(root, abs(z[0] * math.sqrt(x * scale) - 1.0))
    assert reciprocal < 2.0**-8.886
    assert root < 2.0**-8.831


SPECIAL = (
    0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 2.0**-1022, 1.0, -1.0, 3.0,
    math.nextafter(2.0**-1022, 0.0), 1.7976931348623157e308, 0.1, -7.5,
)  # fmt: skip


def _doubles(generator, count):
    """Doubles of all magnitudes, many subnormal or near an end of the range."""
    for _ in range(count):
        pick = generator.random()
        if pick < 0.4:
            yield numbers.f64_from_bits(numbers.wrap(generator.getrandbits(64)))
        elif pick < 0.7:
            yield math.ldexp(generator.getrandbits(53), -1074 - generator.randrange(-20, 53))
        else:
            yield generator.choice((-1, 1)) * math.ldexp(1 + generator.random(), 3)


@BOTH
def test_division_of_doubles_is_exact(functions):
    generator = random.Random(1)
    pairs = [(a, b) for a in SPECIAL for b in SPECIAL]
    pairs += zip(_doubles(generator, 3000), _doubles(generator, 3000), strict=True)
    for a, b in pairs:
        found = sequences.divide_f64(functions, a, b)
        assert canonical(found) == canonical(numbers.divide_f64(a, b)), (a.hex(), b.hex())


@BOTH
def test_square_root_of_doubles_is_exact(functions):
    for x in (*SPECIAL, *map(abs, _doubles(random.Random(2), 3000))):
        found = sequences.sqrt_f64(functions, x)
        assert canonical(found) == canonical(numbers.sqrt_f64(x)), x.hex()


@BOTH
def test_integer_division_is_exact(functions):
    generator = random.Random(3)
    extremes = (1, 2, 3, 2**31, 2**32 + 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
    pairs = [(n, d) for n in (0, *extremes) for d in extremes]
    for _ in range(2000):
        n, d = (generator.getrandbits(generator.randrange(1, 65)) for _ in range(2))
        d = d or 1
        pairs += [(n, d), (n - n % d, d), (max(n - n % d - 1, 0), d)]
    for n, d in pairs:
        signed_n, signed_d = numbers.wrap(n), numbers.wrap(d)
        found = sequences.divide_integers(functions, signed_n, signed_d)
        assert found == numbers.divide(signed_n, signed_d), (signed_n, signed_d)
        found = sequences.divide_integers(functions, signed_n, signed_d, signed=False)
        assert found == numbers.wrap(n // d), (n, d)
