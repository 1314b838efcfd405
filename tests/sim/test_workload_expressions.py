"""The expression language of expectations: what it computes, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines.diagnostics import InputError, Location
from sim.expressions import evaluate, parse

INPUTS = {
    "n": np.asarray(4, np.int64),
    "a": np.asarray(2.5, np.float64),
    "x": np.array([1.0, -2.0, 3.0, -4.0]),
    "y": np.array([0.5, 0.5, 0.5, 0.5], np.float32),
    "i": np.array([3, 2, 1, 0], np.int32),
    "u": np.array([2**64 - 1], np.uint64),
    "m": np.arange(6, dtype=np.float64).reshape(2, 3),
}


def value(text: str) -> object:
    return evaluate(parse(text, INPUTS), INPUTS).value.tolist()


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a * x + y", [3.0, -4.5, 8.0, -9.5]),
        ("x[1:3]", [-2.0, 3.0]),
        ("x[i]", [-4.0, 3.0, -2.0, 1.0]),
        ("x[::-1][0]", -4.0),
        ("sum(x)", -2.0),
        ("sum(m, 0)", [3.0, 5.0, 7.0]),
        ("m @ transpose(m)", [[5.0, 14.0], [14.0, 50.0]]),
        ("dot(x, x)", 30.0),
        ("cumsum(i)", [3, 5, 6, 6]),
        ("min(x)", -4.0),
        ("max(x, 0)", [1.0, 0.0, 3.0, 0.0]),
        ("where(x > 0, x, -x)", [1.0, 2.0, 3.0, 4.0]),
        ("(x > 0) & (x < 2)", [1, 0, 0, 0]),
        ("7 // 2 - 7 % 4", 0),
        ("-7 // 2", -4),
        ("7 / 2", 3.5),
        ("2 ** 10", 1024),
        ("arange(n)", [0, 1, 2, 3]),
        ("reshape(arange(6), 2, 3)[1, 2]", 5),
        ("concatenate(i, 9)", [3, 2, 1, 0, 9]),
        ("length(x) * 2", 8),
        ("int(-2.7)", -2),
        ("1 << 62 >> 60", 4),
        ("i ^ 1", [2, 3, 0, 1]),
        ("cos(pi)", -1.0),
        ("f32(0.1)", float(np.float32(0.1))),
        ("0x7fffffffffffffff + 1", -(2**63)),  # 64-bit integers wrap, as in the machine
        ("u8(256 + i) + i8(200)", [-53, -54, -55, -56]),
        ("i16(40000) + u16(-1)", -25536 + 65535),
        ("i32(1 << 31) + u32(-1)", -(2**31) + 2**32 - 1),
        ("u[0]", -1),  # a u64 is its bit pattern
    ],
)
def test_values(text: str, expected: object):
    assert value(text) == expected


@pytest.mark.parametrize(
    "text, column, message",
    [
        ("__import__('os')", 1, "no function '__import__'"),
        ("a + open('f')", 5, "no function 'open'"),
        ("x.tofile", 1, "an attribute is not part"),
        ("(lambda: 1)()", 2, "only the functions"),
        ("[v for v in x]", 1, "is not part of the expression language"),
        ("a + 'text'", 5, "only numbers"),
        ("a + True", 5, "only numbers"),
        ("x if a else y", 1, "'if … else' is not part"),
        ("a and x", 1, "is not part"),
        ("0 < x < 1", 1, "single comparisons"),
        ("a + z", 5, "'z' is not an argument"),
        ("sum(x, axis=0)", 13, "no named arguments"),
        ("sum()", 1, "takes 1 to 2 arguments"),
        ("a $ x", 3, "cannot be read"),
        ("a := 1", 3, "cannot be read"),
        ("99999999999999999999", 1, "does not fit into 64 bits"),
        ("~i", 1, "operator is not part"),
    ],
)
def test_refusals_point_at_the_place(text: str, column: int, message: str):
    where = Location("w.yaml", 7, 10)
    source = "\n" * 6 + " " * 9 + text
    with pytest.raises(InputError, match=message) as caught:
        parse(text, INPUTS, where, source)
    place = caught.value.diagnostics[0].location
    assert (place.line, place.column) == (7, 9 + column)


@pytest.mark.parametrize(
    "text, message",
    [
        ("x + arange(3)", "shapes 4 and 3 do not fit"),
        ("x[9]", "has no such element"),
        ("x[a]", "integers are needed"),
        ("1 // 0", "divides by zero"),
        ("1 << 64", "shift count"),
        ("x & 1", "takes integers"),
        ("2 ** -1", "negative power"),
        ("m @ m", "cannot multiply shapes 2×3 and 2×3"),
        ("reshape(x, 3)", "cannot be computed"),
        ("zeros(1 << 40)", "more than"),
        ("int(1e300)", "does not fit into 64 bits"),
        ("int(nan)", "does not fit into 64 bits"),
        ("u8(a)", "integers are needed"),
        ("reshape(arange(1 << 14), 1 << 14, 1) * arange(1 << 14)", "more than"),
    ],
)
def test_values_that_do_not_exist(text: str, message: str):
    with pytest.raises(InputError, match=message):
        value(text)


def test_depth_and_length_are_bounded():
    for text in ("-" * 5000 + "1", "+".join("1" * 3000), "(" * 3000 + "1" + ")" * 3000):
        with pytest.raises(InputError):
            parse(text, ())


def test_powers_do_not_explode():
    """Python would need gigabytes for this; 64-bit integers wrap."""
    assert isinstance(value("9 ** 9 ** 9"), int)


def test_terms_measure_cancellation():
    """1e16 - 1e16 is exact to the size of its terms, not to its own size."""
    result = evaluate(parse("sum(x) + 1e16 - 1e16", INPUTS), INPUTS)
    assert result.terms == pytest.approx(2e16)


_NUMBERS = st.integers(-1000, 1000) | st.floats(-1000, 1000)


@given(_NUMBERS, _NUMBERS, st.sampled_from("+-*"))
def test_arithmetic_is_pythons(a: float, b: float, operator: str):
    text = f"({a!r}) {operator} ({b!r})"
    expected = {"+": a + b, "-": a - b, "*": a * b}[operator]
    assert math.isclose(value(text), expected, rel_tol=0, abs_tol=0)
