"""Checks that conditions and counters make needless are left out, and no others: counted, and held
against the graph's interpreter at the ends of the numbers."""

from __future__ import annotations

import random
from itertools import product

import pytest

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.lowering.bounds import distance
from compiler.levels.arrays.operations.hierarchy import GraphFault
from compiler.levels.arrays.programs import parse
from tests.compiler.levels.arrays.test_lowering import code, count
from tests.programs.lowered_functions import interpreted

IN_A_LOOP = "[{then} if {test} else 0 for k in range(len(xs))]"
LOOPS = {
    ("xs[k - 1]", "k > 0"): 0,
    ("xs[k - 1]", "0 < k"): 0,
    ("xs[k - 1]", "not k <= 0"): 0,
    ("xs[k - 1]", "k != 0"): 0,
    ("0", "k == 0"): 0,
    ("xs[k + 1]", "k + 1 < len(xs)"): 0,
    ("xs[k + 1]", "k < len(xs) - 1"): 0,
    ("(0 if k > 0 else xs[k - 1])", "n != 3"): 1,
    ("(0 if k == 0 else xs[k - 1])", "n != 3"): 0,
    ("xs[len(xs) - 1]", "len(xs) > 0"): 0,
    ("xs[len(xs) - 1 - k]", "k < len(xs)"): 1,
    ("xs[k - 1] + xs[k + 1]", "0 < k and k + 1 < len(xs)"): 0,
    ("xs[k - 2]", "k >= 2"): 0,
    ("xs[k - 2]", "k > 0"): 1,
    ("xs[k + 1]", "k > 0"): 1,
    ("xs[k + 1]", "k + 1 <= len(xs)"): 1,
    ("xs[k - 1]", "k > 0 or n > 3"): 1,
    ("xs[n]", "0 <= n and n < len(xs)"): 0,
    ("xs[n]", "n >= 0 and k > n"): 0,
    ("xs[n]", "k > n"): 1,
    ("xs[n - 1]", "n - 1 >= 0 and n - 1 < len(xs)"): 0,
    ("xs[n - 1]", "n > 0 and n - 1 < len(xs)"): 1,  # n - 1 may wrap, for all that is known
    ("xs[n + 1]", "n >= 0 and n < len(xs)"): 1,
}
ENDS = (-(2**63), -(2**63) + 1, -1, 0, 1, 2, 3, 4, 2**63 - 2, 2**63 - 1)


def texts(then: str, test: str) -> str:
    made = IN_A_LOOP.format(then=then, test=test)
    return f"\n@function\ndef f(n: i64, xs: i64[:]) -> i64[:]:\n    return {made}\n"


@pytest.mark.parametrize("then, test", LOOPS)
def test_what_a_condition_says_is_not_checked_again(then, test):
    text = texts(then, test)
    function = code(text)
    assert count(function, "ge_u.i64") == LOOPS[then, test]
    program = parse(f"from compiler.kernel import function, i64\n{text}", "f.py")
    graph = program.functions["f"].body
    for n, xs in product(ENDS, ([], [7], [5, 6, 8])):
        found = interpreted(function)([n, xs])
        try:
            wanted = evaluate(graph.graph, graph.symbol, [n, xs])
        except GraphFault as fault:
            assert found.fault == fault.kind
        else:
            assert found.outputs["return"].tolist() == wanted


def test_distances_are_all_that_follows():
    """Of random facts about four numbers: least weights, by trying all small numbers."""
    source = random.Random(1)
    names = [0, "a", "b", "c"]
    for _ in range(60):
        facts = [(*source.sample(names, 2), source.randrange(-2, 3)) for _ in range(4)]
        span = range(-6, 7)
        held = [
            values
            for a, b, c in product(span, repeat=3)
            if all(
                values[r] <= values[s] + w
                for values in [{0: 0, "a": a, "b": b, "c": c}]
                for r, s, w in facts
            )
            for values in [{0: 0, "a": a, "b": b, "c": c}]
        ]
        for begin, end in product(names, repeat=2):
            weight = distance(facts, begin, end)
            if weight is not None:
                assert all(values[begin] <= values[end] + weight for values in held)
