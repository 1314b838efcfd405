"""What expressions of kernels mean: types, conversions, arithmetic, evaluation order."""

from __future__ import annotations

import math

import numpy as np
import pytest

MAX32, MAX64 = 2**31 - 1, 2**63 - 1


def kernel_of(result: str, parameters: str, expression: str) -> str:
    return f"@kernel\ndef f({parameters}) -> {result}:\n    return {expression}\n"


INTEGERS = [
    # Results with the operands' values in the comment where they are not obvious.
    ("i64", "a: i64, b: i64", "a + b", (MAX64, 1), -(2**63)),
    ("i32", "a: i32, b: i32", "a * b", (65536, 65536), 0),
    ("i32", "a: i8, b: i8", "a * b", (-128, -128), 16384),  # promoted: no wrap at 8 bits
    ("i32", "a: u8, b: u8", "a - b", (1, 2), -1),  # u8 promotes to i32, not to u32
    ("u32", "a: u32, b: u32", "a - b", (1, 2), 2**32 - 1),
    ("u32", "a: u32, b: i32", "a + b", (5, -6), 2**32 - 1),  # same width: unsigned wins
    ("i64", "a: u32, b: i64", "a + b", (2**32 - 1, -1), 2**32 - 2),  # wider wins, zero-extended
    ("u64", "a: u64, b: i32", "a + b", (0, -1), 2**64 - 1),  # i32 is sign-extended
    ("i64", "a: i32, b: i64", "a + b", (-1, 0), -1),
    ("i32", "a: boolean, b: boolean", "a + b", (1, 1), 2),
    ("u32", "a: u32", "a + 1", (2**32 - 1,), 0),  # the literal becomes u32
    ("i64", "a: u32", "a + -1", (0,), -1),  # -1 is no u32: i64
    ("i64", "a: i32", "a + 4294967296", (1,), 2**32 + 1),
    ("i64", "a: i64", "7 // 2 + 7 % -2 + (1 << 5) + a", (0,), 3 - 1 + 32),
    ("i64", "a: i64", "2 ** 10 + a", (0,), 1024),
    ("i64", "a: i64", "-a ** 2", (3,), -9),
    ("i64", "a: i64", "a ** 5", (-3,), -243),
    ("i32", "a: i16", "a ** 0", (9,), 1),
    ("i64", "a: i64", "a ** 63", (-2,), -(2**63)),
    ("u64", "a: u64", "a ** 64", (3,), 3**64 % 2**64),
    ("i32", "a: i16", "a ** 1", (9,), 9),
    ("i64", "a: i64", "~a", (5,), -6),
    ("u32", "a: u32", "~a", (0,), 2**32 - 1),
    ("i32", "a: u8", "~a", (0,), -1),
    ("u32", "a: u32", "-a", (1,), 2**32 - 1),
    ("i32", "a: i32", "+a", (-3,), -3),
    ("i64", "a: i64, b: i64", "(a & b) | (a ^ b)", (12, 10), 14),
    ("i64", "a: i64, b: i64", "a >> b", (-8, 1), -4),
    ("u64", "a: u64, b: i64", "a >> b", (2**64 - 8, 1), 2**63 - 4),
    ("i32", "a: u8, b: i64", "a << b", (255, 4), 4080),
    ("u32", "a: u32, b: i64", "a << b", (0x80000001, 1), 2),
    ("u32", "a: u32, b: u32", "a >> b", (2**31, 40), 0),  # past the width
    ("i32", "a: i32, b: i32", "a >> b", (-5, 40), -1),
    ("i64", "a: i64, b: i64", "min(a, b, 3)", (5, 4), 3),
    ("i64", "a: i64, b: i64", "max(a, b)", (-5, 4), 4),
    ("u32", "a: u32, b: u32", "min(a, b)", (2**32 - 1, 1), 1),
    ("i32", "a: u8, b: u8", "max(a, b)", (200, 100), 200),
    ("i64", "a: i64", "abs(a)", (-5,), 5),
    ("i32", "a: i8", "abs(a)", (-128,), 128),
    ("i32", "a: i32", "abs(a)", (-(2**31),), -(2**31)),  # wraps
    ("u32", "a: u32", "abs(a)", (2**32 - 1,), 2**32 - 1),
    ("i8", "a: i64", "i8(a)", (200,), -56),
    ("u8", "a: i64", "u8(a)", (-1,), 255),
    ("i64", "a: u8", "i64(a)", (255,), 255),
    ("i64", "a: u32", "i64(a)", (2**32 - 1,), 2**32 - 1),
    ("i64", "a: u32", "i64(i32(a))", (2**32 - 1,), -1),
    ("u64", "a: i32", "u64(a)", (-1,), 2**64 - 1),
    ("u32", "a: boolean", "u32(a)", (1,), 1),
    ("u32", "a: u32", "u32(-1) - a", (0,), 2**32 - 1),
    ("i64", "a: u64", "i64(a)", (2**64 - 1,), -1),
    ("i32", "a: i32", "a if a > 0 else 0", (-4,), 0),
    ("u8", "a: u8, b: u8", "a if a > b else b", (4, 200), 200),  # no promotion: same types
    ("u32", "a: u32", "a ^ (0xEDB88320 if a & 1 else 0)", (1,), 0xEDB88321),
    ("i64", "a: i64", "1 if a else 2", (0,), 2),
    ("i64", "a: i64", "a if 0 <= a < 10 else -1", (10,), -1),
]  # fmt: skip


@pytest.mark.parametrize("result, parameters, expression, arguments, expected", INTEGERS)
def test_integer_expressions(run, result, parameters, expression, arguments, expected):
    names = dict(zip("ab", arguments, strict=False))
    assert run(kernel_of(result, parameters, expression), **names).value == expected


@pytest.mark.parametrize("a", [-9, -8, -7, -1, 0, 1, 7, 8, 9, 2**62, -(2**63)])
@pytest.mark.parametrize("b", [-4, -3, -1, 1, 2, 3, 4, 8, 10])
def test_division_floors_as_in_python(run, a, b):
    """By a variable, and by a constant, for which powers of two are shifted."""
    text = """
@kernel
def f(a: i64, b: i64, out: i64[4]):
    out[0], out[1] = a // b, a % b
    out[2], out[3] = a // DIVISOR, a % DIVISOR
"""
    out = run(f"DIVISOR = {b}{text}", a=a, b=b, out=np.zeros(4, np.int64)).arrays["out"]
    quotient = (a // b + 2**63) % 2**64 - 2**63  # MIN // -1 wraps
    assert out.tolist() == [quotient, a % b] * 2


@pytest.mark.parametrize("a, b", [(7, 2), (2**32 - 1, 3), (2**32 - 1, 16), (5, 2**31)])
def test_division_of_unsigned(run, a, b):
    text = f"""
@kernel
def f(a: u32, b: u32, out: u32[4]):
    out[0], out[1] = a // b, a % b
    out[2], out[3] = a // {b}, a % {b}
"""
    out = run(text, a=a, b=b, out=np.zeros(4, np.uint32)).arrays["out"]
    assert out.tolist() == [a // b, a % b] * 2


def test_division_by_zero_faults_where_it_stands(run):
    fault = run(kernel_of("i64", "a: i64, b: i64", "1 + a // b"), a=1, b=0).fault
    assert (fault.kind, fault.location.line, fault.location.column) == (
        "division by zero", 4, 16,
    )  # fmt: skip


F = np.float32
FLOATS = [
    ("f64", "a: f64, b: f64", "a * b + a", (0.1, 3.0), 0.1 * 3.0 + 0.1),  # two roundings
    ("f64", "a: f64, b: f64", "a / b", (1.0, 3.0), 1 / 3),
    ("f64", "a: f64, b: f64", "a / b", (1.0, 0.0), math.inf),
    ("f32", "a: f32, b: f32", "a * b", (0.1, 0.1), float(F(0.1) * F(0.1))),
    ("f32", "a: f32", "a + 0.1", (1.0,), float(F(1.0) + F(0.1))),  # the literal becomes f32
    ("f64", "a: f32, b: f64", "a + b", (0.1, 0.1), float(F(0.1)) + 0.1),  # wider wins
    ("f32", "a: f32, b: i64", "a + b", (0.5, 2**24 + 1), float(F(0.5) + F(2**24 + 1))),
    ("f64", "a: i64", "a + 0.5", (2,), 2.5),  # an integer's literal partner stays f64
    ("f64", "a: i64", "a * 1.5 + 2", (2,), 5.0),
    ("f64", "a: f64", "2 * a", (0.5,), 1.0),
    ("f64", "a: f64", "1 / 3.0 * a", (1.0,), 1 / 3),
    ("f64", "a: f64", "a ** 3", (1.1,), (1.1 * 1.1) * 1.1),
    ("f64", "a: f64", "a ** 4", (1.1,), (1.1 * 1.1) * (1.1 * 1.1)),
    ("f64", "a: f64", "-a", (0.0,), -0.0),
    ("f64", "a: f64", "abs(a)", (-2.5,), 2.5),
    ("f64", "a: f64", "sqrt(a)", (2.0,), math.sqrt(2)),
    ("f32", "a: f32", "sqrt(a)", (2.0,), float(np.sqrt(F(2)))),
    ("f64", "a: f64", "sqrt(2) * a", (1.0,), math.sqrt(2)),
    ("f64", "a: f64, b: f64", "min(a, b)", (math.nan, 1.0), 1.0),  # NaN gives the other
    ("f64", "a: f64, b: f64", "max(a, b, 0)", (-1.0, -2.0), 0.0),
    ("f64", "a: f64, b: f64", "a if a > b else b", (math.nan, 1.0), 1.0),
    ("f64", "a: i64", "f64(a)", (2**53 + 1,), 2.0**53),
    ("f64", "a: u64", "f64(a)", (2**64 - 1,), 2.0**64),
    ("f64", "a: boolean", "f64(a)", (1,), 1.0),
    ("f32", "a: f64", "f32(a)", (0.1,), float(F(0.1))),
    ("f64", "a: u32", "a", (2**32 - 1,), 2.0**32 - 1),  # lossless: no cast needed
    ("f64", "a: f32", "a", (0.5,), 0.5),
]


@pytest.mark.parametrize("result, parameters, expression, arguments, expected", FLOATS)
def test_float_expressions(run, result, parameters, expression, arguments, expected):
    value = run(
        kernel_of(result, parameters, expression), **dict(zip("ab", arguments, strict=False))
    ).value
    assert value == expected and math.copysign(1, value) == math.copysign(1, expected)


def test_fma_rounds_once(run):
    """(1 + e)² - 1 - 2e is e² exactly, but 0 when the product is rounded first."""
    e = 2.0**-30
    parameters = "a: f64, b: f64"
    fused = run(kernel_of("f64", parameters, "fma(a, a, b)"), a=1 + e, b=-1 - 2 * e).value
    rounded = run(kernel_of("f64", parameters, "a * a + b"), a=1 + e, b=-1 - 2 * e).value
    assert (fused, rounded) == (e * e, 0.0)


CASTS_TO_INTEGER = [
    ("i32", 2.9, 2), ("i32", -2.9, -2), ("i32", 1e10, MAX32), ("i32", -1e10, -MAX32 - 1),
    ("i32", math.nan, 0), ("u8", 300.0, 255), ("u8", -1.0, 0), ("u64", 1e30, 2**64 - 1),
    ("i64", -math.inf, -(2**63)), ("boolean", 0.5, 1), ("boolean", 0.0, 0),
]  # fmt: skip


@pytest.mark.parametrize("target, a, expected", CASTS_TO_INTEGER)
def test_casts_of_floats_truncate_and_saturate(run, target, a, expected):
    assert run(kernel_of(target, "a: f64", f"{target}(a)"), a=a).value == expected


CONDITIONS = [
    ("a < b", lambda a, b: a < b),
    ("a <= b < 3", lambda a, b: a <= b < 3),
    ("a == b != 2", lambda a, b: a == b != 2),
    ("not a", lambda a, b: not a),
    ("a > 0 and b > 0", lambda a, b: a > 0 and b > 0),
    ("a > 0 or b > 0", lambda a, b: a > 0 or b > 0),
    ("a > 0 and (b > 0 or a > 2) and not b", lambda a, b: a > 0 and (b > 0 or a > 2) and not b),
    ("(a > b) == (b > 1)", lambda a, b: (a > b) == (b > 1)),
    ("(a > b) ^ (b > 1)", lambda a, b: (a > b) != (b > 1)),
    ("a // 2 > 0 and b // 2 > 0", lambda a, b: a // 2 > 0 and b // 2 > 0),
    ("6 // (a + 5) > 0 or 6 // (b + 5) > 1", lambda a, b: 6 // (a + 5) > 0 or 6 // (b + 5) > 1),
    ("-3 < a // 2 + b // 2 < 3 < 5", lambda a, b: -3 < a // 2 + b // 2 < 3 < 5),
    ("True if a else b > 1", lambda a, b: bool(a) or b > 1),
]  # fmt: skip


@pytest.mark.parametrize("expression, meaning", CONDITIONS)
@pytest.mark.parametrize("place", ["value", "if", "while"])
def test_conditions_as_python_has_them(run, expression, meaning, place):
    """The same condition as a value, as the test of an if, and as the test of a loop."""
    bodies = {
        "value": f"    return {expression}",
        "if": f"    if {expression}:\n        return True\n    return False",
        "while": f"    while {expression}:\n        return True\n    return False",
    }
    text = f"@kernel\ndef f(a: i64, b: i64) -> boolean:\n{bodies[place]}\n"
    for a in (-4, 0, 1, 3):
        for b in (-4, 0, 1, 2, 3):
            assert run(text, a=a, b=b).value == int(meaning(a, b)), (a, b)


def test_and_does_not_evaluate_what_it_need_not(run):
    """The second operand would fault."""
    for text in (
        kernel_of("boolean", "a: i64, b: i64", "b != 0 and a // b > 1"),
        kernel_of("i64", "a: i64, b: i64", "a // b if b != 0 else 7"),
        "@kernel\ndef f(a: i64, b: i64):\n    if b == 0 or a // b > 1:\n        pass\n",
    ):
        assert run(text, a=1, b=0).fault is None


def test_middle_of_a_chain_is_evaluated_once(run):
    text = """
@kernel
def next(calls: i64[1]) -> i64:
    calls[0] += 1
    return calls[0]

@kernel
def f(calls: i64[1]) -> i64:
    rounds = 0
    while 0 < next(calls) < 4:
        rounds += 1
    return rounds
"""
    done = run(text, calls=np.zeros(1, np.int64))
    assert (done.value, done.arrays["calls"][0]) == (3, 4)


def test_operands_are_evaluated_left_to_right(run):
    """A load before a call that stores to the element sees the old value."""
    text = """
@kernel
def put(a: i64[1], x: i64) -> i64:
    a[0] = x
    return x

@kernel
def f(a: i64[1]) -> i64:
    return a[0] * 100 + put(a, 7) * 10 + a[0]
"""
    assert run(text, a=np.array([3])).value == 300 + 70 + 7


def test_comparison_by_the_sign_of_the_types(run):
    for type, value, expected in (("u32", 2**32 - 1, 1), ("i32", -1, 0), ("u8", 255, 1)):
        assert run(kernel_of("boolean", f"a: {type}", "a > 1"), a=value).value == expected
