"""The expression language of expectations: what it computes, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines.diagnostics import InputError, Location
from machines.elements import type_of
from sim.workload.expressions import evaluate, parse

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


def test_words_of_python_name_arguments():
    """No expression has a use for them; a place in the text stays where it is."""
    names = {word: np.asarray(k) for k, word in enumerate(["in", "is", "aa", "lambda", "not"])}
    assert evaluate(parse("in + 10 * is + 100 * aa", names), names).value.tolist() == 210
    assert evaluate(parse("lambda * not", names), names).value.tolist() == 12
    with pytest.raises(InputError) as refused:
        parse("in + in_", names, Location("w.yaml", 3, 5, 1))
    assert refused.value.diagnostics[0].location.column == 10
    with pytest.raises(InputError, match="invalid syntax"):
        parse("n + in", {"n": 1})


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
        ("0x7fffffffffffffff + 1", 2**63),  # nothing wraps
        ("2 ** 64", 2**64),
        ("2 ** 62 * 4 // 3 % 1000003", 2**64 // 3 % 1000003),
        ("7 ** 77 - 7 ** 77 + (1 << 100 >> 98)", 4),
        ("99999999999999999999 ** 3 % 1000000007", (10**20 - 1) ** 3 % 1000000007),
        ("i64(0x7fffffffffffffff + 1) + u64(-2)", -(2**63) + 2**64 - 2),
        ("sum(u64(0 - arange(1, 5))) - cumsum(u + u)", [4 * 2**64 - 10 - (2**65 - 2)]),
        ("u @ u", (2**64 - 1) ** 2),
        ("where(u > 1 << 63, u, 0)", [2**64 - 1]),
        ("max(abs(-u), u // 2)", [2**64 - 1]),
        ("int(1e30)", int(1e30)),
        ("u8(256 + i) + i8(200)", [-53, -54, -55, -56]),
        ("i16(40000) + u16(-1)", -25536 + 65535),
        ("i32(1 << 31) + u32(-1)", -(2**31) + 2**32 - 1),
        ("u[0]", 2**64 - 1),
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
        ("1 << -1", "shift count"),
        ("x & 1", "takes integers"),
        ("2 ** -1", "negative power"),
        ("m @ m", "cannot multiply shapes 2×3 and 2×3"),
        ("reshape(x, 3)", "cannot be computed"),
        ("zeros(1 << 40)", "more than"),
        ("int(inf)", "no number, or infinite"),
        ("int(nan)", "no number, or infinite"),
        ("float(1 << 2000)", "too large for a float"),
        ("x * (1 << 2000)", "too large for a float"),
        ("9 ** 9 ** 9", "longer than 65536 bits"),
        ("1 << (1 << 62)", "longer than 65536 bits"),
        ("reshape(arange(1 << 12), 1 << 12, 1) * arange(1 << 12) * (1 << 300)", "are too many"),
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


def error(text: str, dtype: str = "f8") -> object:
    """The bound on the error in units of 4 epsilons."""
    type = type_of(np.dtype(dtype))
    found = evaluate(parse(text, INPUTS), INPUTS, type)
    return (found.error / (4 * type.format.epsilon)).tolist()


def test_errors_measure_cancellation():
    """1e16 - 1e16 is exact to the size of its terms, not to its own size, whatever their order."""
    assert error("sum(x) + 1e16 - 1e16") == pytest.approx(2e16)
    assert error("1e16 - 1e16 + sum(x)") == pytest.approx(2e16)
    assert error("sum(concatenate(x, 1e16, -1e16))") == pytest.approx(2e16)
    assert error("(0.1 + 1e16) - 1e16") == pytest.approx(1e16)


def test_what_is_exact_has_no_error():
    for text in [
        *("x[::-1]", "2 * x + 1", "x * 0.5 - a", "x / 4", "min(x, y)", "where(x > y, x, -y)"),
        *("float(u[0] % 1000)", "abs(x) // 0.75", "floor(x / 4)", "i % 2 * x", "-f32(0.1)"),
    ]:
        assert not np.any(error(text)), text
    assert np.all(np.array(error("0.1 * x", "f4")) > 0)
    assert np.all(np.array(error("x + 0.1", "f4")) > 0)
    assert np.all(np.array(error("x * 0 + (1 << 25) + 1", "f4")) > 0)


def test_the_error_of_jumps():
    """Where rounding may carry the operand over a jump: the jump; elsewhere none."""
    unit = 4 * np.finfo(np.float64).eps
    third = "(a / 3 * 3)"  # 2.5 and an error of a few units
    for text, jump in [
        (f"floor({third} * 2)", 1),
        (f"ceil({third} * 2)", 1),
        (f"{third} // 1.25", 1),
        (f"{third} * 1e6 // 1250000", 1),
        (f"int({third} * -2)", 1),
        (f"{third} * 2 < 5", 1),
        (f"{third} == a", 1),
        (f"where({third} <= a, 7, 3)", 4),
        (f"where({third} <= a, a, 2.5)", 0),
        (f"sum(where({third} + 0 * x > a, 1, 0))", 4),
        (f"float({third} > a) * 8", 8),
        (f"floor({third})", 0),
        (f"int({third})", 0),
        (f"{third} < 2.6", 0),
        ("a * 2 // 1", 0),
        ("a < 2.5", 0),
    ]:
        assert error(text) * np.float64(unit) == pytest.approx(jump), text
    assert error(f"{third} % 1.25") * np.float64(unit) == pytest.approx(1.25)
    assert error(f"{third} % 2") == pytest.approx(5 + 0.5)  # those of a division and of a product
    assert np.float64(error("(1e9 / 3) % 1", "f4")) * 4 * np.finfo("f4").eps > 100


def test_integers_that_hang_on_rounding_are_refused_where_they_must_be_exact():
    edge = "int(a / 3 * 6)"  # 5 or 4
    for text in (f"x[{edge}]", f"u8({edge})", f"arange({edge})", f"{edge} % 2", f"1 << {edge}"):
        with pytest.raises(InputError, match="depends on how a float is rounded"):
            value(text)


_NUMBERS = st.integers(-1000, 1000) | st.floats(-1000, 1000)


@given(_NUMBERS, _NUMBERS, st.sampled_from("+-*"))
def test_arithmetic_is_pythons(a: float, b: float, operator: str):
    text = f"({a!r}) {operator} ({b!r})"
    expected = {"+": a + b, "-": a - b, "*": a * b}[operator]
    assert math.isclose(value(text), expected, rel_tol=0, abs_tol=0)
