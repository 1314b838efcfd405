"""Workloads as tests of pytest, in a pytest of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.sim.conftest import UPDATE

ROOT = Path(__file__).parents[2]
PLUGIN = "sim.pytest_plugin"


def pytest_run(*words: str) -> subprocess.CompletedProcess[str]:
    """pytest in the current folder, with this plugin alone, be simrun installed or not."""
    quiet = ("-p", "no:cacheprovider", "-p", PLUGIN)
    return subprocess.run(
        [sys.executable, "-m", "pytest", *quiet, *words],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_each_case_on_each_machine_is_a_test(tiny: Path, simrun):
    """In a process that pytest-xdist starts."""
    whole = tiny.read_text()
    tiny.write_text(whole + "variants:\n  a: {}\n  b: {}\n")
    assert simrun("check", ".", "--machine", "itanium2", "--machine", "epic3", *UPDATE).code == 0
    tiny.write_text(whole + "variants:\n  a: {}\n")
    moved = tiny.parent / "baselines" / "epic3.yaml"
    cycles = int(re.search(r" cycles: (\d+)", moved.read_text())[1])
    moved.write_text(moved.read_text().replace(f" cycles: {cycles}", f" cycles: {cycles - 1}", 1))
    tiny.with_name("named.yaml").write_text(whole.replace("x + y", "x"))
    other = tiny.parent / "other" / "workload.yaml"
    other.parent.mkdir()
    other.write_text("workload: other\n")
    words = ("--simrun", "-p", "xdist", "-n", "1", "-rA", "--continue-on-collection-errors")
    ended = pytest_run(*words, ".", "named.yaml")
    assert ended.returncode == 1 and "Traceback" not in ended.stdout + ended.stderr
    assert set(re.findall(r"^(\w+) ([\w./]+yaml\S*)", ended.stdout, re.M)) == {
        ("PASSED", "workload.yaml::itanium2::a"),
        ("FAILED", "workload.yaml::itanium2::b"),
        ("FAILED", "workload.yaml::epic3::a"),
        ("FAILED", "workload.yaml::epic3::b"),
        ("FAILED", "named.yaml::itanium2::default"),
        ("ERROR", "other/workload.yaml"),
    }
    assert f"moved: tiny a on epic3\ncycles {cycles - 1} → {cycles} " in ended.stdout
    assert "holds this case, but the workload has it no longer" in ended.stdout
    assert "other/workload.yaml:1:1: error: 'program' is missing" in ended.stdout
    assert "wrong: tiny on itanium2\n" in ended.stdout and "\ny[0] is 1.0" in ended.stdout


def test_nothing_is_collected_unless_it_is_asked_for(tiny: Path):
    script = "import pytest, sys; pytest.main(sys.argv[1:]); print(*sorted(sys.modules))"
    words = [sys.executable, "-c", script, "-p", PLUGIN, "--collect-only", ".", "workload.yaml"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    told = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
    modules = told.splitlines()[-1].split()
    assert "::" not in told and PLUGIN in modules
    ours = {name for name in modules if name.partition(".")[0] in ("sim", "machines", "compiler")}
    named = {"machines", "machines.changed_code", "machines.diagnostics", "machines.mistakes"}
    assert ours == {"sim", PLUGIN, *named}
    assert not {"numpy", "yaml", "pydantic", "click"} & set(modules)
    tiny.with_name("pytest.ini").write_text("[pytest]\nsimrun = true\n")
    ended = pytest_run("--collect-only", "-q")
    assert "workload.yaml::itanium2::default" in ended.stdout


def test_pytest_finds_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"simrun": PLUGIN}


OTHER = """from machines.cache.results import are_kept


def test_it():
    assert not are_kept()
"""
TOLD = """import pytest, sys
code = pytest.main(sys.argv[1:])
print(int(code), 'compiler' in sys.modules)
"""


def test_what_was_compiled_is_found_again(tiny: Path, simrun):
    """As by `simrun check`; the tests of others beside them find and keep nothing."""
    assert simrun("check", ".", *UPDATE).code == 0
    tiny.with_name("test_other.py").write_text(OTHER)
    words = [sys.executable, "-c", TOLD, "-p", PLUGIN, "-p", "no:cacheprovider", "--simrun", "."]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        ended = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert "2 passed" in ended.stdout and ended.stdout.endswith("\n0 False\n")
