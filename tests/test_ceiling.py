"""The ceiling of a test's CPU seconds, in a pytest of its own, and its exceptions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tests.ceiling
from tests.ceiling import CpuTimes, exceptions, read_times

ROOT = Path(__file__).parents[1]
TOY = "test_toy" + ".py"  # no file of ours
TESTS = """
import time

def burn(seconds):
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        pass

def test_dear():
    burn(0.06)

def test_cheap():
    time.sleep(0.06)

def test_dear_once(ran=[]):
    ran.append(1)
    burn(0.06 if len(ran) == 1 else 0)

def test_wrong():
    burn(0.06)
    assert False
"""


class Outcomes:
    """What became of each test, by its name."""

    def __init__(self) -> None:
        self.of: dict[str, list[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.of.setdefault(report.nodeid.partition("::")[2], []).append(str(report.longrepr))


def ended(folder: Path, plugin: CpuTimes) -> dict[str, list[str]]:
    (folder / TOY).write_text(TESTS)
    outcomes = Outcomes()
    words = "-qq", "--import-mode=importlib", "-c", "/dev/null", "-p", "no:cacheprovider"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        pytest.main([*words, "--rootdir", str(folder), str(folder)], plugins=[plugin, outcomes])
    return outcomes.of


def test_what_takes_longer_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tests.ceiling, "slowness", lambda: 1.0)
    came = ended(tmp_path, CpuTimes(0.02, tmp_path / "times"))
    assert list(came) == ["test_dear", "test_cheap", "test_dear_once", "test_wrong"]
    assert "CPU seconds, and 0.02 are the ceiling" in came["test_dear"][0]
    assert came["test_cheap"] == came["test_dear_once"] == ["None"]
    assert "assert False" in came["test_wrong"][0] and "ceiling" not in came["test_wrong"][0]
    times = read_times(tmp_path / "times")
    assert [how for _, how in times.values()] == ["failed", "passed", "passed", "failed"]
    assert times[f"{TOY}::test_dear"][0] >= 0.05 > times[f"{TOY}::test_cheap"][0]


def test_a_slow_computer_is_allowed_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tests.ceiling, "slowness", lambda: 10.0)
    assert ended(tmp_path, CpuTimes(0.04, None))["test_dear"] == ["None"]


def test_an_exception_may_take_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tests.ceiling, "slowness", lambda: 1.0)
    table = tmp_path / "table.txt"
    table.write_text(f"# what\n0.3 {TOY}::test_dear  it burns\n")
    monkeypatch.setattr(tests.ceiling, "EXCEPTIONS", table)
    assert ended(tmp_path, CpuTimes(0.04, None))["test_dear"] == ["None"]


def test_exceptions_are_tests_that_are_there():
    for one in exceptions():
        file, _, name = one.test.partition("[")[0].partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {d.name for d in ast.walk(tree) if isinstance(d, ast.FunctionDef)}, one
        assert one.reason, one
