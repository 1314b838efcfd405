"""Functions of arrays run on a kind of machine from a package, which does nothing for it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.outside.test_outside_kinds import ROOT, Run, packages, simrun  # noqa: F401

pytestmark = pytest.mark.quick

FUNCTIONS = ROOT / "workloads" / "functions"
AT = """
from __future__ import annotations

from compiler.kernel import function, i32, i64


@function
def at(xs: i32[:], i: i64) -> i32:
    return xs[i]
"""
WORKLOAD = """
workload: at
program: at.py
machine: scalar5
arguments: {xs: [4, 5], i: 2}
"""


@pytest.mark.parametrize("name", ["saxpy", "spmv"])
def test_the_workloads_run(name: str, simrun: Run):  # noqa: F811
    path = FUNCTIONS / name / "workload.yaml"
    told = json.loads(simrun(str(path), "--machine", "scalar5", "--json").stdout)
    assert told["ok"] and list(told["outputs"]) == ["return"]


def test_a_fault_has_its_place(simrun: Run, packages: Path):  # noqa: F811
    folder = packages / "workloads" / "at"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "at.py").write_text(AT)
    (folder / "workload.yaml").write_text(WORKLOAD)
    told = json.loads(simrun("workloads/at/workload.yaml", "--json", code=3).stdout)
    assert told["status"] == "fault" and told["fault"]["kind"] == "index out of range"
    assert told["fault"]["location"] == {"file": "at.py", "line": 9, "column": 12}
