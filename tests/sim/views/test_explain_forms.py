"""`simrun explain --show FORM`: machine code in every form, which can be compiled on from there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from compiler.targets import target_of
from machines.description.load import load_machine
from sim import run

SOURCE = """table: i64[2] in global = [3, 4]

func @f(n: i64, x: ptr) {
entry:
    p = address.ptr table
    t = load.i64 p
    a = mul.i64 n, t
    i = sub.i64 n, n
    jump loop
loop:
    y = shl.i64 i, 3
    e = and.i64 y, 8
    z = add.ptr p, e
    b = load.i64 z
    c = mul.i64 b, i
    a = add.i64 a, c
    i = add.i64 i, 1
    r = lt_s.i64 i, n
    branch r, loop, after
after:
    q = lt_s.i64 a, 100
    branch q, small, large
small:
    a = add.i64 a, 7
    jump large
large:
    store.i64 x, a
    return
}
"""
FORMS = {
    "itanium2": ("virtual", "allocated", "scheduled", "bundled"),
    "teaching_gpu": ("virtual", "allocated", "scheduled"),
}


@pytest.fixture
def explain(simrun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("f.sir").write_text(SOURCE)

    def run(program: str, machine: str, *words: str) -> str:
        ended = simrun("explain", program, "--machine", machine, *words)
        assert (ended.code, ended.err) == (0, "")
        return ended.out

    return run


@pytest.mark.parametrize("machine", FORMS)
def test_what_is_printed_is_compiled_on_from_there(machine: str, explain):
    def listing(program: str) -> str:
        """The program without the places in its source."""
        return re.sub("//.*", "", explain(program, machine))

    wanted = listing("f.sir")
    for form in FORMS[machine]:
        text = explain("f.sir", machine, "--show", form)
        assert text.startswith(f"form {form} of {load_machine(machine).family}\n\ntable: i64[2] ")
        Path("again.sir").write_text(text)
        assert listing("again.sir") == wanted
        if form == FORMS[machine][-1]:
            assert explain("again.sir", machine, "--show", form) == text


@pytest.mark.parametrize("machine", FORMS)
def test_the_last_form_is_the_targets(machine: str):
    assert FORMS[machine][-1] == target_of(load_machine(machine)).last_form


def test_data(explain):
    found = json.loads(explain("f.sir", "itanium2", "--show", "allocated", "--format", "json"))
    assert (found["form"], found["family"]) == ("allocated", "ia64")
    [function] = found["functions"]
    assert function["function"] == "f" and function["text"].startswith("func @f(")


def test_forms_that_a_machine_does_not_have(explain, simrun):
    ended = simrun("explain", "f.sir", "--machine", "teaching_gpu", "--show", "bundled")
    assert (ended.code, ended.out) == (2, "")
    assert "no pass leaves code of this program in form 'bundled' for teaching_gpu" in ended.err
    assert "hint: they leave: virtual, allocated, scheduled" in ended.err


def test_a_machine_of_other_instructions(explain, simrun):
    Path("v.sir").write_text(explain("f.sir", "itanium2", "--show", "virtual"))
    ended = simrun("explain", "v.sir", "--machine", "teaching_gpu")
    assert (ended.code, ended.out) == (2, "")
    assert "v.sir: teaching_gpu does not execute 'ia64' instructions" in ended.err
    assert "choose a machine that does with --machine: epic3, itanium, itanium2" in ended.err


WORKLOAD = """workload: f
program: {program}
machine: {machine}
arguments: {{n: 5, x: {{dtype: i64, shape: [1], value: 0}}}}
{launch}
expect: {{x: {{values: [56]}}}}
"""


@pytest.mark.parametrize("machine", FORMS)
def test_what_is_printed_runs_as_long(machine: str, explain):
    launch = "" if load_machine(machine).kind == "epic" else "launch: {grid: [1], block: [1]}"

    def cycles(program: str) -> int:
        text = WORKLOAD.format(program=program, machine=machine, launch=launch)
        Path("w.yaml").write_text(text)
        result = run("w.yaml")
        assert result.ok, result.checks
        return result.cycles

    wanted = cycles("f.sir")
    for form in FORMS[machine]:
        Path(f"{form}.sir").write_text(explain("f.sir", machine, "--show", form))
        assert cycles(f"{form}.sir") == wanted
