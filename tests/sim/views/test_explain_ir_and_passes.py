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


TENSORS = """a: i8[8] in global
b: i8[8] in global

func @f() -> i8 {
entry:
    tensor.fill.i8 b[0:8], 1
    tensor.fill.i8 b[0:8], 2
    tensor.copy.i8 a[0:4], b[0:4]
    s = tensor.sum.i8 a[0:4]
    return s
}
"""


def test_ir_after_neutral_passes_needs_no_machine(simrun, tmp_path):
    path = tmp_path / "f.sir"
    path.write_text(TENSORS)
    ended = simrun(
        "explain", str(path), "--show", "ir", "--passes", "construct_ssa,remove_dead_stores"
    )
    assert ended.code == 0
    assert [line.strip() for line in ended.out.splitlines() if "tensor" in line] == [
        "tensor.fill.i8 b[0:8], 2",
        "tensor.copy.i8 a[0:4], b[0:4]",
        "s1 = tensor.sum.i8 a[0:4]",
    ]
    assert simrun("explain", str(path), "--show", "ir").out == TENSORS


def test_ir_after_the_passes_of_a_machine(simrun, program):
    """The multiplication that is made again and its division: number_values and dead code."""

    def ir(*words: str) -> str:
        ended = simrun("explain", str(program), "--show", "ir", *words)
        assert (ended.code, ended.err) == (0, "")
        return ended.out

    assert ir().count("mul.i64") == 2
    assert ir("--passes", "default", "--machine", "itanium2").count("mul.i64") == 1
    words = ("--passes", "default,-number_values", "--machine", "itanium2")
    assert ir(*words).count("mul.i64") == 2


@pytest.mark.parametrize(
    "words, message",
    [
        (["--passes", "construct_ssa,select"], "pass 'select' works on a machine's code"),
        (["--passes", "default"], "'default' is the order of a kind of machine, and none is named"),
        (["--passes", "number_values"], "hint: construct_ssa before it leads there"),
        (["--passes", "default,-bundle", "--machine", "itanium2"], "pass 'bundle' works on"),
        (["--passes", "construct_ssa", "--set", "clock=1 GHz"], "--set changes a machine"),
        (["--machine", "itanium2"], "--show ir takes no --machine"),
    ],
)
def test_what_ir_is_not_shown_after(simrun, program, words: list[str], message: str):
    ended = simrun("explain", str(program), "--show", "ir", *words)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
