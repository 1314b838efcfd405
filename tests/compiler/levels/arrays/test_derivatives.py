"""Another rule base makes another transformation of the same evaluator: derivatives as pairs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.rule_reader import read_rules
from compiler.levels.arrays.vectorize import default_rules, vectorize
from machines.diagnostics import InputError

BASE = read_rules(Path(__file__).parent / "derivatives.py").before(default_rules())
PROGRAM = """
@function
def g(t: f64) -> f64:
    return t * t / (t + 3)

@function
def P(x: f64, y: f64) -> f64:
    twice = lambda u: g(u) + u
    return sqrt(twice(x) * g(x + y) + 2.5) - x / (y + 4)
"""
GRAPH = read_functions(PROGRAM, "p.py")


def value(x: float, y: float) -> float:
    return evaluate(GRAPH, GRAPH.functions["P"], [x, y])


@given(st.floats(0.1, 4), st.floats(0.1, 4))
def test_derivatives_are_those_of_finite_differences(x, y):
    made = vectorize(GRAPH, "P", ["x"], BASE)
    found, slope = evaluate(made.graph, made.function, [(x, 1.0), y])
    step = 1e-5
    wanted = (value(x + step, y) - value(x - step, y)) / (2 * step)
    assert found == value(x, y)
    assert slope == pytest.approx(wanted, rel=1e-6, abs=1e-8)


def test_both_parameters_may_vary():
    made = vectorize(GRAPH, "P", ["x", "y"], BASE)
    found, along_y = evaluate(made.graph, made.function, [(1.5, 0.0), (0.5, 1.0)])
    wanted = (value(1.5, 0.5 + 1e-5) - value(1.5, 0.5 - 1e-5)) / 2e-5
    assert found == value(1.5, 0.5)
    assert along_y == pytest.approx(wanted, rel=1e-6)


def test_what_has_no_derivative_is_refused_in_one_message():
    graph = read_functions("@function\ndef P(x: f64) -> f64:\n    return max(x, 1)\n", "p.py")
    with pytest.raises(InputError) as refused:
        vectorize(graph, "P", ["x"], BASE)
    (finding,) = refused.value.diagnostics
    assert "no vectorization rule for 'max.f64'" in finding.message
    assert (finding.location.file, finding.location.line) == ("p.py", 3)
    assert "@vectorize(" in finding.hint
