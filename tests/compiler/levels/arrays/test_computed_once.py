"""What stands outside of a loop that needs it in some iterations is computed by the first of these:
counted work at two sizes, values, faults, and memory that has to stay."""

from __future__ import annotations

from math import log2

import pytest

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.programs import parse
from tests.compiler.levels.arrays.test_lowering import code
from tests.programs.lowered_functions import ARENA_TOO_SMALL, interpreted, outputs_of

NEIGHBOUR = """
@function
def f(n: i64, k: i64) -> i64[:]:
    t = [(j * 3) % k for j in range(n)]
    return [0 if j == 0 else t[j - 1] for j in range(n)]
"""
TABLE = """
@function
def f(n: i64, k: i64) -> i64[:][:]:
    t = [[(i * 5 + j) % k for j in range(n)] for i in range(n)]
    return [[0 if i == 0 or j == 0 else t[i - 1][j - 1] for j in range(n)] for i in range(n)]
"""
TWO_SWEEPS = """
@function
def sweep(xs: i64[:]) -> i64[:]:
    n = len(xs)
    return [(xs[i - 1] if i > 0 else 0) + (xs[i + 1] if i < n - 1 else 0) for i in range(n)]

@function
def f(n: i64, k: i64) -> i64[:]:
    xs = [i % 7 for i in range(n)]
    for _ in range(4):
        xs = sweep(sweep(sweep(xs)))
    return xs
"""
SCALAR = """
@function
def f(n: i64, k: i64) -> i64[:]:
    total = sum([(j * 3) % k for j in range(n)])
    return [total if j % 2 == 1 else j for j in range(n)]
"""
INNER_ROWS = """
@function
def f(n: i64, k: i64) -> i64[:]:
    t = [(j * 3) % k for j in range(n)]
    return [sum([t[n - 1 - i] + i for i in range(j % 3)]) for j in range(n)]
"""
IN_A_STATE = """
@function
def f(n: i64, k: i64) -> i64[:]:
    t = [(j * 3) % k for j in range(n)]
    xs = [j for j in range(8)]
    for i in range(n):
        xs = [x + t[i] if (x + i) % 3 == 0 else x for x in xs]
    return xs
"""
OF_A_MIDDLE_LOOP = """
@function
def f(n: i64, k: i64) -> i64[:][:]:
    return [[0 if j == 0 else t[j - 1] for j in range(n)]
            for t in [[(i * j) % k for j in range(n)] for i in range(n)] if len(t) > 0]
"""
CHAIN = """
@function
def f(n: i64, k: i64) -> i64[:]:
    a = [j % k for j in range(n)]
    b = [a[n - 1 - j] // k for j in range(n)]
    c = scan(lambda x, y: x + y, 0, b)
    return [c[j] + b[j] if j % 5 == 2 else 0 for j in range(n)]
"""
AFTER_STATES = """
@function
def f(n: i64, k: i64) -> i64:
    t = [(j * 3) % k for j in range(2)]
    total = 0
    for i in range(n):
        xs = [i + j for j in range(40)]
        for s in range(3):
            more = t[s % 2] if (i + s) % 3 == 1 else 0
            xs = [x + more for x in xs]
        large = [xs[j % 40] % (k + j) for j in range(60)]
        total += sum([large[59 - j] * j for j in range(60)]) + (t[1] if xs[0] >= 0 else 0)
    return total
"""
FILTERED = """
@function
def f(n: i64, k: i64) -> i64[:]:
    t = [j for j in range(n) if j % k != 0]
    return [t[j // 2] if j % 3 == 1 else len(t) if j % 3 == 2 else j for j in range(n)]
"""
GROWS = {
    "neighbour": (NEIGHBOUR, 1),
    "table": (TABLE, 2),
    "sweeps of sweeps": (TWO_SWEEPS, 1),
    "scalar": (SCALAR, 1),
    "inner rows": (INNER_ROWS, 1),
    "in a state": (IN_A_STATE, 1),
    "of a middle loop": (OF_A_MIDDLE_LOOP, 2),
    "chain": (CHAIN, 1),
    "after states": (AFTER_STATES, 1),
    "filtered": (FILTERED, 1),
}


def wanted(text: str, arguments: list[int]) -> dict[str, list]:
    """The outputs by the graph's own interpreter."""
    functions = parse(f"from compiler.kernel import function, i64, scan\n{text}", "f.py")
    program = functions.functions["f"].body
    value = evaluate(program.graph, program.symbol, arguments)
    return {name: array.tolist() for name, array in outputs_of(program.result, value)}


@pytest.mark.parametrize("name", GROWS)
def test_work_grows_as_if_all_were_computed_once(name):
    text, power = GROWS[name]
    run = interpreted(code(text))
    small, large = (run([n, 13]).steps for n in (48, 96))
    assert log2(large / small) < power + 0.3


@pytest.mark.parametrize("name", GROWS)
def test_values_are_those_of_the_graph_in_whatever_room_there_is(name):
    """What stays must not be overwritten by later iterations, in either half of a loop's memory."""
    text, _ = GROWS[name]
    function, fitted = code(text), 0
    for n in (0, 1, 5, 12):
        values = wanted(text, [n, 5])
        for room in (1 << 16, *range(256, 3000, 140)):
            found = interpreted(function, room)([n, 5])
            if found.fault != ARENA_TOO_SMALL:
                fitted += 1
                assert {k: v.tolist() for k, v in found.outputs.items()} == values
    assert fitted > 20


def test_a_fault_is_at_its_place_and_only_if_an_element_is_needed():
    run = interpreted(code(NEIGHBOUR))
    assert run([1, 0]).outputs["return"].tolist() == [0]
    assert run([2, 0])[1:3] == ("division by zero", 6)


TWO_LOOPS = """
@function
def f(n: i64, k: i64) -> tuple[i64[:], i64[:]]:
    t = [(j * 3) % k for j in range(n)]
    xs = [j for j in range(5)]
    ys = [10 * j for j in range(5)]
    for i in range(n):
        u = [(x + i) % (k + 1) for x in xs]
        zs = [u[(i + j) % 5] + (t[i] if (i + j) % 4 == 3 else 0) for j in range(5)]
        xs = ys
        ys = zs
    return (xs, [y + (t[0] if y % 2 == 1 else 1) for y in ys])
"""


def test_memory_of_two_states_does_not_cover_what_stays():
    function = code(TWO_LOOPS)
    for n in range(9):
        values = wanted(TWO_LOOPS, [n, 4])
        found = interpreted(function)([n, 4]).outputs
        assert {k: v.tolist() for k, v in found.items()} == values
