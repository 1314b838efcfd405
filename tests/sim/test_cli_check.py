"""Baselines: exact, both directions fail, and only `--update` accepts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

import sim.runner
from machines.diagnostics import InputError
from sim.check import Tolerance, read_tolerance


@pytest.fixture
def baseline(tiny: Path, simrun) -> Path:
    assert simrun("check", str(tiny), "--update").code == 0
    return tiny.parent / "baselines" / "itanium2.yaml"


def _move_cycles(baseline: Path, by: int) -> None:
    text = baseline.read_text()
    cycles = int(re.search(r" cycles: (\d+)", text)[1])
    baseline.write_text(text.replace(f" cycles: {cycles}", f" cycles: {cycles + by}"))


def test_without_a_baseline_the_check_fails(tiny: Path, simrun):
    ended = simrun("check", str(tiny))
    assert ended.code == 1
    assert "accept it with --update" in ended.out
    assert not (tiny.parent / "baselines").exists()


def test_an_accepted_run_passes(baseline: Path, simrun):
    before = baseline.read_bytes()
    assert simrun("check", ".").code == 0
    assert baseline.read_bytes() == before


@pytest.mark.parametrize("by", [1, -1])
def test_one_cycle_in_either_direction_fails(baseline: Path, simrun, by: int):
    _move_cycles(baseline, by)
    ended = simrun("check", ".")
    assert ended.code == 1
    assert re.search(r"moved .*\n\s+cycles \d+ → \d+", ended.out)


def test_the_stall_category_that_moved_is_named(baseline: Path, tiny: Path, simrun):
    machine = "extends: itanium2\nname: slow\nmemory:\n  main: {latency_cycles: 99 cycles}\n"
    (tiny.parent / "slow.yaml").write_text('source: "assumed: a test"\n' + machine)
    baseline.rename(baseline.with_name("slow.yaml"))
    ended = simrun("check", ".", "--machine", "slow.yaml")
    assert ended.code == 1
    assert re.search(r"  (float|load|instruction_miss) \d+ → \d+", ended.out)


def test_update_accepts_what_moved(baseline: Path, simrun):
    before = baseline.read_bytes()
    _move_cycles(baseline, 5)
    assert simrun("check", ".", "--update").code == 0
    assert baseline.read_bytes() == before


def test_a_tolerance_lets_cycles_move(baseline: Path, simrun):
    _move_cycles(baseline, 1)
    assert simrun("check", ".", "--tolerance", "cycles=50%").code == 0


def test_wrong_outputs_are_never_accepted(tiny: Path, simrun):
    tiny.write_text(tiny.read_text().replace("a * x + y", "a * x"))
    ended = simrun("check", ".", "--update")
    assert ended.code == 1
    assert "y[0] is 1.0, expected 0.0" in ended.out
    assert not (tiny.parent / "baselines").exists()


def test_a_broken_workload_does_not_hide_the_others(tiny: Path, simrun):
    other = tiny.parent / "other" / "workload.yaml"
    other.parent.mkdir()
    other.write_text("workload: other\n")
    ended = simrun("check", ".", "--update")
    assert ended.code == 2
    assert "updated      tiny" in ended.out
    assert "2 checked, 1 failed" in ended.out


def test_junit(tiny: Path, simrun):
    simrun("check", ".", "--junit", "report.xml")
    suite = ElementTree.parse(tiny.parent / "report.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite[0].get("classname") == "tiny.itanium2"


def test_tolerances():
    tolerance = read_tolerance(["1%", "cycles=0.5"])
    assert tolerance == Tolerance(0.01, {"cycles": 0.5})
    assert tolerance.allows("cycles", 100, 150) and not tolerance.allows("cycles", 100, 151)
    assert not tolerance.allows("L2_MISSES", 0, 1)
    with pytest.raises(InputError, match="is not a tolerance"):
        read_tolerance(["a lot"])


def test_every_machine_with_a_baseline_is_checked(baseline: Path, simrun):
    assert simrun("check", ".", "--machine", "epic3", "--update").code == 0
    ended = simrun("check", ".")
    assert "tiny on itanium2" in ended.out and "tiny on epic3" in ended.out
    assert "2 checked, 0 failed" in ended.out


def test_a_baseline_of_an_unknown_machine_is_not_passed_over(baseline: Path, simrun):
    baseline.rename(baseline.with_name("itanium9.yaml"))
    ended = simrun("check", ".")
    assert ended.code == 2
    assert "there is no machine 'itanium9'" in ended.out


def test_a_machine_file_has_baselines_of_its_own(baseline: Path, tiny: Path, simrun):
    before = baseline.read_bytes()
    (tiny.parent / "mine.yaml").write_text("extends: itanium2\nname: mine\n")
    assert simrun("check", ".", "--machine", "mine.yaml", "--update").code == 0
    assert simrun("check", ".", "--machine", "mine.yaml").code == 0
    assert baseline.with_name("mine.yaml").exists() and baseline.read_bytes() == before
    ended = simrun("check", ".")
    assert ended.code == 2
    assert "baselines/mine.yaml is of a machine file: give it with --machine" in ended.out


def test_ctrl_c_ends_the_check(baseline: Path, tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    """The first workload is judged, in the second the run is interrupted, the third is not run."""
    for name in ("a", "b", "c"):
        tiny.with_name(f"{name}.yaml").write_text(tiny.read_text())
    execute, runs = sim.runner.execute, []

    def interrupted_later(*arguments, **options):
        runs.append(execute(*arguments, **options))
        return runs[-1] if len(runs) == 1 else replace(runs[-1], status="interrupted")

    monkeypatch.setattr("sim.runner.execute", interrupted_later)
    ended = simrun("check", "a.yaml", "b.yaml", "c.yaml", "--update", "--junit", "report.xml")
    assert (ended.code, len(runs)) == (130, 2)
    assert ended.out.endswith("1 checked, 0 failed\n") and ended.err == "interrupted\n"
    assert [path.name for path in baseline.parent.iterdir() if path.is_dir()] == ["a"]
    assert not (tiny.parent / "report.xml").exists()


def test_two_workloads_in_a_folder_keep_their_baselines_apart(baseline: Path, tiny: Path, simrun):
    twin = tiny.with_name("twin.yaml")
    twin.write_text(tiny.read_text().replace("workload: tiny", "workload: twin"))
    before = baseline.read_bytes()
    assert simrun("check", "twin.yaml", "--update").code == 0
    assert (tiny.parent / "baselines" / "twin" / "itanium2.yaml").exists()
    assert baseline.read_bytes() == before


def test_a_case_that_is_gone_is_not_passed_over(tiny: Path, simrun):
    whole = tiny.read_text()
    tiny.write_text(whole + "variants:\n  b: {}\n  a: {}\n")
    assert simrun("check", ".", "--update").code == 0
    file = tiny.parent / "baselines" / "itanium2.yaml"
    assert re.findall(r"^  (\w+):", file.read_text(), re.MULTILINE) == ["b", "a"]
    tiny.write_text(whole + "variants:\n  b: {}\n")
    ended = simrun("check", ".")
    assert ended.code == 1
    assert re.search(r"moved +tiny a .*\n +.*has it no longer", ended.out)
    assert simrun("check", ".", "--update").code == 0
    assert re.findall(r"^  (\w+):", file.read_text(), re.MULTILINE) == ["b"]
