"""The worked examples of the method, as `simrun explain` shows them, against golden files.

pytest tests/sim/views/test_explain_functions.py --update-golden
"""

from __future__ import annotations

from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "graph"
EXAMPLES = {
    # name: (function, parameters that vary)
    "figure5": ("mean", "arr"),
    "figure6": ("P", "a,b,c"),
    "lambda": ("calls", "x"),
    "branch_uniform": ("branch", "x"),
    "branch_select": ("branch", "p,x"),
    "branch_packed": ("guarded", "x,y"),
    "nested": ("spmv", "rows"),
    "nested_shared": ("spmv", "x"),
    "compact": ("compact", "xs,ys"),
    "while": ("collatz", "n"),
    "loop_uniform": ("power", "x"),
    "loop_varying": ("power", "x,k"),
}
SHOWN = ("graph", "vectorized", "context")


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(simrun, name, request):
    function, over = EXAMPLES[name]
    program = str(GOLDEN / "examples.py")
    parts = []
    for show in SHOWN:
        more = [] if show == "graph" else ["--over", over]
        done = simrun("explain", program, "--entry", function, "--show", show, *more)
        assert done.code == 0, done.err
        parts.append(f"--- {show} {' '.join(more)}".rstrip() + f"\n{done.out}")
    text = "\n".join(parts)
    golden = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        golden.write_text(text)
    assert text == golden.read_text()


def test_every_golden_file_has_an_example():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(EXAMPLES)


SMALL = """
@function
def f(x: f32, n: i64) -> f32:
    return x * f32(n)

@function
def g(a: f32) -> f32:
    return f(a, 2)

@function
def alone(a: f32) -> f32:
    return a
"""
REFUSED = {
    "which function": ([], "which function is not said: g, alone"),
    "no such function": (["--entry", "h"], "has no function 'h'"),
    "no such parameter": (
        ["--entry", "f", "--show", "vectorized", "--over", "y"],
        "'f' has no parameter 'y'",
    ),
    "no such rules": (
        ["--entry", "f", "--show", "vectorized", "--rules", "none.py"],
        "there is no file of rules none.py",
    ),
    "no such allowance": (
        ["--entry", "f", "--show", "vectorized", "--allow", "contrakt"],
        "nothing is called 'contrakt'",
    ),
    "a machine": (["--entry", "f", "--machine", "itanium2"], "--show graph takes no --machine"),
    "passes": (["--entry", "f", "--passes", "default"], "--show graph takes no --passes"),
    "an option of another view": (["--entry", "f", "--over", "x"], "takes no --over"),
}


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "small.py"
    path.write_text(SMALL)
    return str(path)


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_message(simrun, program, case):
    words, message = REFUSED[case]
    show = [] if "--show" in words else ["--show", "graph"]
    done = simrun("explain", program, *show, *words)
    assert done.code == 2 and message in done.err
    assert "Traceback" not in done.err


def test_no_parameters_are_refused_with_the_way_out(simrun, tmp_path):
    path = tmp_path / "none.py"
    path.write_text("@function\ndef f() -> i64:\n    return 3\n")
    done = simrun("explain", str(path), "--show", "vectorized")
    assert done.code == 2 and "no parameter of 'f' varies" in done.err
    assert f"{path}:2" in done.err


def test_all_that_a_function_calls_is_in_every_format(simrun, program):
    text = simrun("explain", program, "--entry", "g", "--show", "vectorized").out
    assert "func /g/(a: f32[:]) -> f32[:] {" in text
    for form, mark in (("dot", "digraph"), ("json", '"/g/"')):
        done = simrun("explain", program, "--entry", "g", "--show", "vectorized", "--format", form)
        assert done.code == 0 and mark in done.out


def test_what_is_printed_is_read_again(simrun, program, tmp_path):
    once = simrun("explain", program, "--entry", "g", "--show", "vectorized").out
    path = tmp_path / "again.graph"
    path.write_text(once)
    assert simrun("explain", str(path), "--show", "graph").out == once


def test_rewrites_can_be_left_out(simrun):
    program = str(GOLDEN / "examples.py")
    words = ("explain", program, "--entry", "spmv", "--show", "vectorized", "--over", "rows")
    with_rules, without = simrun(*words).out, simrun(*words, "--rules", "none").out
    assert len(without) > len(with_rules)


def test_a_multiplication_and_an_addition_are_contracted_where_that_is_allowed(simrun):
    words = ("explain", str(GOLDEN / "examples.py"), "--entry", "P", "--show", "vectorized")
    assert "fma" not in simrun(*words).out
    assert "each.fma.f32(b, c, a)" in simrun(*words, "--allow", "contract").out
