"""A level of code from a package, and a kind from a package that lowers levels its own way: nothing
of simrun knows of either."""

from __future__ import annotations

import importlib
import json
import shutil
from pathlib import Path

import pytest

from tests.outside.test_outside_kinds import HERE, ROOT, Run, packages, simrun  # noqa: F401

pytestmark = pytest.mark.quick

POLYNOMIAL, SCALED = "workloads/polynomial/workload.yaml", "workloads/scaled/workload.yaml"


def test_nothing_of_ours_knows_them():
    for part in ("machines", "compiler", "sim"):
        for path in (ROOT / part).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert "named_nodes" not in text and "elementwise:" not in text, path


@pytest.mark.parametrize("machine", ["duo", "scalar5", "itanium2"])
def test_a_list_of_nodes_runs_where_arrays_do(machine: str, simrun: Run):  # noqa: F811
    """Its only pass leads to functions of arrays; each kind lowers these as it does."""
    told = json.loads(simrun(POLYNOMIAL, "--machine", machine, "--json").stdout)
    assert told["ok"] and [check["output"] for check in told["checks"]] == ["return"], told[
        "checks"
    ]


def test_functions_of_arrays_are_commands_of_a_kind_that_lowers_them_so(simrun: Run):  # noqa: F811
    assert json.loads(simrun(SCALED, "--json").stdout)["ok"]
    listing = simrun("explain", SCALED).stdout
    assert "tensor.mul_scalar.f32 pad4[0:96], pad1[0:96], 2.0" in listing
    assert "tensor.add.f32 pad5[0:96], pad4[0:96], pad3[0:96]  waits for copy 1" in listing


def test_what_it_does_not_lower_is_refused_where_it_stands(simrun: Run):  # noqa: F811
    for words, said in (
        ((SCALED, "--entry", "quotient"), "scaled.py:13:12: error: duo computes arrays of f32"),
        (
            ("workloads/scaled/scaled.py", "--entry", "scaled", "--machine", "duo"),
            "scaled.py:7:12: ",
        ),
    ):
        told = simrun("explain", *words, code=2).stderr
        assert said in told and "hint:" in told and told.count("error:") == 1, told


def test_a_machine_that_does_not_lower_it_refuses_in_one_sentence(simrun: Run):  # noqa: F811
    told = simrun("explain", POLYNOMIAL, "--machine", "mlu370", code=2).stderr
    first, *_, hint = told.strip().splitlines()
    assert first.endswith("polynomial.nodes:1:1: error: mlu370 runs no code of level 'nodes', "
                          "of which 'polynomial' is  [program]")  # fmt: skip
    assert hint.strip().startswith("hint: choose another with --machine:") and "duo" in hint


def test_it_has_views_and_is_listed(simrun: Run):  # noqa: F811
    program = "workloads/polynomial/polynomial.nodes"
    assert "square = mul x x" in simrun("explain", program, "--show", "nodes").stdout
    assert "noalias x: ptr" in simrun("explain", program, "--show", "ir").stdout
    told = simrun("list", "plugins").stdout
    assert "nodes" in told and "nodes_to_arrays" in told and "to_commands" in told


def test_it_means_what_its_interpreter_says(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(HERE))
    level = importlib.import_module("named_nodes.level")
    text = (HERE / "workloads" / "polynomial" / "polynomial.nodes").read_text()
    [function] = level.parse(text, "polynomial.nodes").functions.values()
    assert level.findings(function) == []
    assert level.interpret(function, [[2.0, -1.0], [3.0, 0.5]]) == [3.0, -0.5]
    assert level.parse(level.text_of(function), "polynomial.nodes").functions["polynomial"].body


def test_its_verifier_is_asked(simrun: Run, packages: Path):  # noqa: F811
    folder = packages / "workloads" / "broken_nodes"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "f.nodes").write_text("input x\ny = mul x z\noutput y\n")
    told = simrun("explain", "workloads/broken_nodes/f.nodes", "--machine", "duo", code=2).stderr
    assert "f.nodes:1:1: error: @f: line 2: there is no 'z' yet" in told
    (folder / "f.nodes").write_text("input x\ny mul x z\noutput y\n")
    told = simrun("explain", "workloads/broken_nodes/f.nodes", "--machine", "duo", code=2).stderr
    assert "f.nodes:2:1: error: this is no node" in told
