"""Lists, tables, arrays behind each other, any and all, functions that are passed: what they give
by the graph's interpreter, as code, and of lanes; and what is refused."""

from __future__ import annotations

import pytest

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.programs import parse
from machines.diagnostics import InputError
from tests.programs.lowered_functions import interpreted, lowered, outputs_of

TABLES = """
T: i32[5] = [1, 2, 3, 5, 7]
M: f64[2, 2] = [[1.0, 2.0], [3.0, 4.5]]

@function
def twice(g: Callable[[f64], f64], x: f64) -> f64:
    return g(g(x))

@function
def folded(g: Callable[[i64, i64], i64], keeps: Callable[[i64], boolean], xs: i64[:]) -> i64:
    total = 0
    for x in xs:
        if keeps(x):
            total = g(total, x)
    return total

@function
def square(x: i64) -> i64:
    return x * x
"""
GIVES = [
    ("n: i64", "i64[:]", "[n, 2, n + 1]", [4], [4, 2, 5]),
    ("n: i64", "i32[:]", "[1, 2, 3, 4, 5, 6]", [4], [1, 2, 3, 4, 5, 6]),
    ("n: i64", "f64[:]", "[1, 2.5]", [4], [1.0, 2.5]),
    ("n: i32", "i64[:]", "[n, 4294967296]", [4], [4, 4294967296]),
    ("n: i64", "i64", "[5, 6, 7][n % 3]", [4], 6),
    ("n: i64", "i64[:][:]", "[[n], [n, n], iota(n)]", [3], [[3], [3, 3], [0, 1, 2]]),
    ("n: i64", "i64[:]", "flatten([[i, -i] for i in range(n)])", [3], [0, 0, 1, -1, 2, -2]),
    ("n: i64", "tuple[i64, f64][:]", "[(n, 1.0), (2, 2.0)]", [3], [(3, 1.0), (2, 2.0)]),
    ("n: i64", "i64[:]", "[n] + iota(n) + [7, 8]", [2], [2, 0, 1, 7, 8]),
    ("n: i64", "i64[:]", "iota(n) + iota(n)", [0], []),
    ("n: i64", "i64", "sum([i64(T[i]) * i for i in range(5)])", [0], 51),
    ("n: i64", "f64", "M[1, 1] + M[0][n]", [1], 6.5),
    ("xs: i64[:]", "boolean", "any([x > 2 for x in xs])", [[1, 3]], True),
    ("xs: i64[:]", "boolean", "all([x > 2 for x in xs])", [[1, 3]], False),
    ("xs: i64[:]", "tuple[boolean, boolean]", "(any(map(lambda x: x > 2, xs)), all([x > 2 for x in "
     "xs]))", [[]], (False, True)),
    ("xs: f64[:]", "f64[:]", "map(sqrt, xs)", [[1.0, 4.0]], [1.0, 2.0]),
    ("xs: i64[:][:]", "i64[:]", "map(sum, xs)", [[[1, 4], []]], [5, 0]),
    ("xs: i64[:][:]", "i64[:]", "map(len, xs)", [[[1, 4], []]], [2, 0]),
    ("xs: i64[:][:]", "i64[:]", "map(max, xs)", [[[1, 4], [3]]], [4, 3]),
    ("xs: i64[:]", "i32[:]", "map(i32, xs)", [[1, 4]], [1, 4]),
    ("x: f64", "f64", "twice(sqrt, x) + twice(lambda z: z + x, x)", [16.0], 50.0),
    ("k: i64, xs: i64[:]", "i64", "folded(lambda a, b: a * k + b, lambda x: x % 2 == 1, xs)",
     [3, [1, 2, 3]], 6),
    ("k: i64, xs: i64[:]", "i64", "reduce(lambda a, x: a + square(x), 0, xs)", [3, [1, 2]], 5),
]  # fmt: skip
NAMES = "Callable, boolean, f64, flatten, function, i32, i64, iota, reduce, sqrt"


def text_of(parameters: str, result: str, value: str) -> str:
    head = f"from compiler.kernel import {NAMES}\n{TABLES}"
    return f"{head}\n@function\ndef main({parameters}) -> {result}:\n    return {value}\n"


@pytest.mark.parametrize("case", GIVES, ids=lambda case: case[2])
def test_what_is_written_is_what_there_is(case):
    *function, arguments, wanted = case
    text = text_of(*function)
    program = parse(text, "f.py").functions["main"].body
    assert evaluate(program.graph, program.symbol, arguments) == wanted
    over = [name.split(":")[0].strip() for name in function[0].split(", ")]
    lanes = [[argument, argument] for argument in arguments]
    for names, given, value in ([], arguments, wanted), ([over], lanes, [wanted, wanted]):
        made = lowered(text, "main", names)
        found = interpreted(made)(given).outputs
        expected = dict(outputs_of(made.body.result, value))
        assert {k: v.tolist() for k, v in found.items()} == {
            k: v.tolist() for k, v in expected.items()
        }


REFUSED = [
    ("x: f64", "f64", "twice(x, x)", "'x' is not a function"),
    ("x: f64", "f64", "twice(lambda a, b: a, x)", "expected 2 argument(s), got 1"),
    ("x: f64", "f64", "twice(lambda a: a)", "expected 2 argument(s), got 1"),
    ("x: f64", "f64", "twice(lambda a: [a], x)", "what the function gives is f64, not f64[:]"),
    ("xs: i64[:]", "i64", "folded(square, lambda x: True, xs)", "expected 1 argument(s), got 2"),
    ("x: f64", "f64", "map(twice, [x])", "expected 2 argument(s), got 1"),
    ("xs: i64[:]", "i64[:]", "map(sqrt, xs)", "sqrt"),
    ("xs: i64[:]", "i64[:]", "map(scan, xs)", "scan is given 1 arguments"),
    ("n: i64", "i64[:]", "T", "the result is i64[:], not i32[:]"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[2])
def test_what_does_not_fit_is_refused(case):
    with pytest.raises(InputError, match=r"f.py:[0-9]+:[0-9]+: error: ") as refused:
        read_functions(text_of(*case[:3]), "f.py")
    assert case[3] in str(refused.value)


FILES = [
    ("T: i32[2] = [1]", "the list has 1 elements, its type says 2"),
    ("T: i32[2, 1] = [[1], 2]", "a table's value is a list of numbers"),
    ("T: i32[1] = [1.5]", "an element of the list is i32"),
    ("T: f64[:] = 3", "'T' is neither a constant nor a table"),
    ("T = 3\nT: i32[1] = [1]", "'T' is a module constant already"),
    ("@function\ndef g(h: Callable) -> i64:\n    return 1", "says what it takes and gives"),
    ("@function\ndef g(h: Callable[[i64], i64]) -> i64:\n    return g(h)\n@function\n"
     "def k() -> i64:\n    return g(lambda x: x)", "recursion is not in the language: g calls g"),
]  # fmt: skip


@pytest.mark.parametrize("case", FILES, ids=lambda case: case[1])
def test_tables_and_takers_that_are_wrong_say_so(case):
    head = f"from compiler.kernel import {NAMES}\n{case[0]}\n"
    use = "@function\ndef f(n: i64) -> i64:\n    return i64(T[0])\n" if "T:" in case[0] else ""
    with pytest.raises(InputError) as refused:
        read_functions(head + use, "f.py")
    assert case[1] in str(refused.value)


def test_a_loop_that_changes_nothing_does_nothing():
    text = text_of("n: i64", "i64", "n").replace("    return n", "    for i in range(n):\n"
                                                 "        x = i\n    return n")  # fmt: skip
    assert interpreted(lowered(text, "main", []))([3]).outputs["return"].tolist() == 3
