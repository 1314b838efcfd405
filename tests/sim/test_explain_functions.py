"""The worked examples of the method, as `simrun explain` shows them, against golden files.

pytest tests/sim/test_explain_functions.py --update-golden
"""

from __future__ import annotations

from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[1] / "golden" / "graph"
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
