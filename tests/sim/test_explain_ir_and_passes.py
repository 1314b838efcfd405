"""`simrun explain --show ir` and `--show passes`: what passes did, and where and why."""

from __future__ import annotations

import json

import pytest

SOURCE = """
func @f(n: i64) -> i64 {
entry:
    two = const.i64 2
    a = mul.i64 n, 3
    b = mul.i64 n, 3
    d = div_s.i64 b, n
    c = add.i64 a, two
    return c
}
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "f.sir"
    path.write_text(SOURCE)
    return path


def test_counts_stand_beside_each_pass(simrun, program):
    lines = simrun("explain", str(program), "--show", "passes").out.splitlines()
    assert "number_values: operation removed: 1" in lines
    assert not any(line.startswith(" ") for line in lines)


def test_remarks_name_the_line_and_the_reason(simrun, program):
    text = simrun("explain", str(program), "--show", "passes", "--explain").out
    assert f"{program}:6:5: mul.i64: operation removed, 'a1' is the same" in text
    assert f"{program}:4:5: const.i64: operation removed" in text


def test_json_has_the_same(simrun, program):
    shown = simrun("explain", str(program), "--show", "passes", "--explain", "--format", "json")
    steps = {step["name"]: step for step in json.loads(shown.out)["passes"]}
    assert steps["number_values"] == {
        "function": "f",
        "name": "number_values",
        "counts": {"operation removed": 1},
        "remarks": [
            {
                "line": 6,
                "column": 5,
                "operation": "mul.i64",
                "what": "operation removed",
                "why": "'a1' is the same",
            }
        ],
    }


def test_ir_of_a_program_that_no_machine_runs(simrun, tmp_path):
    text = (
        "a: i8[4] in global\n\nfunc @f() {\nentry:\n    tensor.fill.i8 a[0:4], 1\n    return\n}\n"
    )
    (tmp_path / "f.sir").write_text(text)
    assert simrun("explain", str(tmp_path / "f.sir"), "--show", "ir").out == text
