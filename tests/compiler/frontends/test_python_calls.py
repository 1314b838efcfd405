"""Kernels that call kernels, the entry of a file, and what a module says of its functions."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.frontends.python import frontend
from machines.diagnostics import InputError
from machines.signature import Argument
from machines.types import F32, I32, I64, PTR


def test_early_returns_of_an_inlined_kernel(run):
    text = """
@kernel
def find(n: i64, x: i32[:], wanted: i32) -> i64:
    for i in range(n):
        if x[i] == wanted:
            return i
        if x[i] < 0:
            return -2
    return -1

@kernel
def f(n: i64, x: i32[:]) -> i64:
    n = find(n, x, 7) * 100 + find(n, x, 9) * 10 + find(1, x, 7)
    return n
"""
    assert run(text, n=4, x=np.array([3, 7, 5, 9], np.int32)).value == 100 + 30 - 1


def test_parameters_are_copies(run):
    text = """
@kernel
def countdown(n: i64) -> i64:
    rounds = 0
    while n > 0:
        n -= 2
        rounds += 1
    return rounds

@kernel
def f(n: i64) -> i64:
    n = countdown(n) * 100 + n
    return n
"""
    assert run(text, n=5).value == 305


def test_nothing_is_returned_early(run):
    text = """
@kernel
def put(x: i64[:], i: i64):
    if i == 1:
        return
    x[i] = i + 10

@kernel
def f(x: i64[:]):
    for i in range(3):
        put(x, i)
"""
    done = run(text, x=np.zeros(3, np.int64))
    assert done.value is None and done.arrays["x"].tolist() == [10, 0, 12]


def test_calls_in_calls_and_literal_arguments(run):
    text = """
@kernel
def twice(x: u8) -> u32:
    return u32(x) * 2

@kernel
def pick(first: boolean, a: u32, b: u32) -> u32:
    if first:
        return a
    return b

@kernel
def f() -> u32:
    return pick(True, twice(255), 0) * 1000 + pick(False, 0, twice(twice8(3)))

@kernel
def twice8(x: u8) -> u8:
    return u8(x * 2)
"""
    assert run(text, entry="f").value == 510 * 1000 + 12


def test_casts_of_literal_arguments_wrap(run):
    """A parameter that is never assigned stands for the literal; its type still holds."""
    text = """
@kernel
def g(a: i32) -> i64:
    return i64(u32(a)) + i64(u8(a)) * 0 + (i64(a) >> 1)

@kernel
def h(a: u32) -> i32:
    return i32(a) // i32(u32(2147483648))

@kernel
def f(out: i64[3]):
    out[0] = g(-2)
    out[1] = h(5)
    out[2] = i64(u8(i16(300))) + i64(boolean(i32(7)))
"""
    out = run(text, out=np.zeros(3, np.int64)).arrays["out"].tolist()
    assert out == [2**32 - 2 - 1, -1, 300 - 256 + 1]


def test_arrays_are_passed_on_with_the_callees_dimensions(run):
    text = """
@kernel
def sum_column(rows: i64, columns: i64, a: f64[rows, columns], j: i64) -> f64:
    total = 0.0
    for i in range(len(a)):
        total += a[i, j]
    return total

@kernel
def f(n: i64, a: f64[n, 3], sums: f64[:]):
    for j in range(3):
        sums[j] = sum_column(n, 3, a, j)
"""
    a = np.arange(12.0).reshape(4, 3)
    assert run(text, n=4, a=a, sums=np.zeros(3)).arrays["sums"].tolist() == a.sum(0).tolist()


def test_a_kernel_that_never_returns(run):
    """The rest of the caller cannot be reached; the loop is left by a fault."""
    text = """
@kernel
def spin(x: i64[:]) -> i64:
    i = 0
    while True:
        x[i] = i
        i += 1

@kernel
def f(x: i64[:]) -> i64:
    return spin(x) + 1
"""
    done = run(text, x=np.zeros(600, np.int64))
    assert done.fault.kind == "out of bounds" and done.arrays["x"][599] == 599


def test_signature_says_signs_and_shapes(read):
    text = """
DEPTH = 4
LESS = -1
@kernel
def f(n: i64, a: f32, x: u8[:], y: f64[n + DEPTH, 2 * n - LESS, DEPTH], on: boolean) -> u32:
    return u32(n)
"""
    function = read(text).functions["f"]
    assert function.parameters[:4] == [("n", I64), ("a", F32), ("x", PTR), ("y", PTR)]
    assert function.result is I32 and function.returns == Argument("u32")
    assert function.signature == {
        "n": Argument("i64"),
        "a": Argument("f32"),
        "x": Argument("u8", (None,)),
        "y": Argument("f64", ("n + 4", "2 * n - -1", 4)),
        "on": Argument("boolean"),
    }


def test_entry_is_the_kernel_that_none_calls(read):
    two = "@kernel\ndef a():\n    pass\n@kernel\ndef b():\n    {}\n"
    assert read(two.format("a()")).entry == "b"
    assert read(two.format("pass")).entry is None
    assert set(read(two.format("pass")).functions) == {"a", "b"}


def test_too_many_inlined_calls(read):
    levels = ["@kernel\ndef k0(x: i64) -> i64:\n    return x + 1\n"]
    levels += [
        f"@kernel\ndef k{n}(x: i64) -> i64:\n    return k{n - 1}(x) + k{n - 1}(x)\n"
        for n in range(1, 20)
    ]
    with pytest.raises(InputError, match="more than 2000 calls are inlined"):
        read("".join(levels))


def test_kernels_that_the_entry_does_not_need_become_no_functions():
    kernels = "@kernel\ndef a() -> i64:\n    return 1\n\n@kernel\ndef b() -> i64:\n    return a()\n"
    text = f"from compiler.kernel import i64, kernel\n\n{kernels}"
    only = frontend.read(text, "k.py", None, ["b"])
    assert set(only.functions) == {"b"} and only.entry == "b"
    for entries in ([], ["c"], ["a", "b"]):
        assert set(frontend.read(text, "k.py", None, entries).functions) == {"a", "b"}
