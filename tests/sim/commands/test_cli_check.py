"""Baselines: exact, both directions fail, and only `--update` accepts."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

import sim.runner
from machines.diagnostics import InputError
from sim.baselines.checking import Task, _lost
from sim.baselines.differences import Tolerance, read_tolerance
from sim.cores.epic.run import CORE
from sim.kinds.epic.vocabulary import VOCABULARY
from sim.results.vocabulary import Counter, Vocabulary
from sim.workers import Died
from tests.sim.conftest import KERNEL, UPDATE

ROOT = Path(__file__).parents[3]


@pytest.fixture
def baseline(tiny: Path, simrun) -> Path:
    assert simrun("check", str(tiny), *UPDATE).code == 0
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
    machine = "extends: itanium2\nname: slow\n"
    slow = tiny.parent / "slow.yaml"
    slow.write_text(machine)
    assert simrun("check", ".", "--machine", "slow.yaml", *UPDATE).code == 0
    slower = "source: 'assumed: a test'\nmemory:\n  main: {latency_cycles: 99 cycles}\n"
    slow.write_text(machine + slower)
    ended = simrun("check", ".", "--machine", "slow.yaml")
    assert ended.code == 1
    assert re.search(r"  (float|load|instruction_miss) \d+ → \d+", ended.out)


def test_update_accepts_what_moved(baseline: Path, simrun):
    before = baseline.read_bytes()
    _move_cycles(baseline, 5)
    assert simrun("check", ".", *UPDATE).code == 0
    assert baseline.read_bytes() == before


def test_the_breakdown_is_held_where_cycles_are_equal(baseline: Path, simrun):
    text = baseline.read_text()
    issuing, lost = (int(re.search(rf" {name}: (\d+)", text)[1]) for name in ("issuing", "float"))
    moved = text.replace(f" issuing: {issuing}", f" issuing: {issuing - 1}")
    baseline.write_text(moved.replace(f" float: {lost}\n", f" float: {lost + 1}\n", 1))
    ended = simrun("check", ".")
    assert ended.code == 1 and "cycles " not in ended.out.partition("moved")[2].partition("\n")[2]
    assert f"  issuing {issuing - 1} → {issuing}" in ended.out
    assert f"  float {lost + 1} → {lost}" in ended.out
    assert simrun("check", ".", "--tolerance", "cycles=1%").code == 0  # shares of the cycles
    assert simrun("check", ".", *UPDATE).code == 0
    assert baseline.read_text() == text


def test_another_model_has_moved_although_all_figures_are_equal(baseline: Path, simrun):
    text = baseline.read_text()
    now = CORE.model
    baseline.write_text(text.replace(f"model: {now}\n", f"model: {now + 6}\n"))
    ended = simrun("check", ".")
    assert ended.code == 1
    said = f"cause: model: version {now + 6} → {now}: the timing model has changed"
    assert f"\n             {said}\n" in ended.out
    assert simrun("check", ".", *UPDATE).code == 0
    assert baseline.read_text() == text


@pytest.fixture
def one_more_counter(monkeypatch: pytest.MonkeyPatch) -> Vocabulary:
    """The next version of EPIC's vocabulary: twice as many packets, and a counter that stays 0."""
    since = VOCABULARY.version + 1
    more = (
        Counter("TWICE", "packets", "Twice the packets.", lambda run: 2 * run.issuing, since=since),
        Counter("NOTHING", "packets", "None.", lambda run: 0, since=since),
    )
    made = replace(VOCABULARY, counters=(*VOCABULARY.counters, *more))
    monkeypatch.setattr("sim.kinds.epic.vocabulary.VOCABULARY", made)
    return made


def _of_next_version(text: str) -> str:
    now = VOCABULARY.version
    return text.replace(f"version: {now}}}", f"version: {now + 1}}}")


def test_a_new_counter_is_said_and_fails_nothing(baseline: Path, simrun, one_more_counter):
    before = baseline.read_text()
    issuing = int(re.search(r" issuing: (\d+)", before)[1])
    ended = simrun("check", ".")
    new = f"TWICE is new: {2 * issuing} (held once --update accepts it)"
    assert ended.code == 0 and re.search(r"^ok .*\n +" + re.escape(new), ended.out, re.M)
    assert "NOTHING" not in ended.out and baseline.read_text() == before
    updated = simrun("check", ".", *UPDATE)
    assert updated.code == 0
    assert re.search(r"^updated .*\n +" + re.escape(new), updated.out, re.M)
    names = re.findall(r"^      (\S+): ", baseline.read_text().partition("counters:")[2], re.M)
    assert names == sorted(names) and "TWICE" in names
    left = baseline.read_text().replace(f"      TWICE: {2 * issuing}\n", "")
    assert left == _of_next_version(before)
    assert simrun("check", ".").out.count("\n") == 2


@pytest.mark.parametrize("grown", [True, False])
def test_update_says_all_that_it_accepts(
    grown: bool, baseline: Path, simrun, request: pytest.FixtureRequest
):
    """However much may move without failing."""
    before = baseline.read_text()
    if grown:
        request.getfixturevalue("one_more_counter")
    _move_cycles(baseline, 1)
    assert simrun("check", ".", "--tolerance", "50%").code == 0
    ended = simrun("check", ".", *UPDATE, "--tolerance", "50%")
    assert ended.code == 0 and re.search(r"^updated .*\n +cycles \d+ → \d+", ended.out, re.M)
    assert ("TWICE is new: " in ended.out) == grown
    assert (baseline.read_text() == before) != grown


def test_a_baseline_of_another_form_is_said_once_and_how_to_go_on(baseline: Path, simrun):
    before = baseline.read_text()
    baseline.write_text(re.sub(r"vocabulary: .*\n", "", before))
    for words in (["check", "."], ["check", ".", *UPDATE]):
        ended = simrun(*words)
        assert ended.code == 2 and "1 checked, 1 failed" in ended.out
        assert ended.out.count("error: 'vocabulary' is missing") == 1
        hint = r"hint: .*remove the file, and accept the results anew with --update --reason TEXT\n"
        assert len(re.findall(hint, ended.out)) == 1 and ended.out.count("hint:") == 1
    baseline.unlink()
    assert simrun("check", ".", *UPDATE).code == 0
    assert baseline.read_text() == before


def test_a_damaged_baseline_of_a_machine_file_needs_no_hint_to_it(
    baseline: Path, tiny: Path, simrun
):
    (tiny.parent / "mine.yaml").write_text("extends: itanium2\nname: mine\n")
    baseline.rename(baseline.with_name("mine.yaml")).write_text("workload: tiny\n")
    ended = simrun("check", ".", "--machine", "mine.yaml")
    assert ended.code == 2 and "'machine' is missing" in ended.out
    assert "is of a machine file" not in ended.out


def test_a_counter_that_was_0_is_not_new(baseline: Path, simrun, one_more_counter):
    """A version had it, so that a baseline of this version says it was 0."""
    baseline.write_text(_of_next_version(baseline.read_text()))
    ended = simrun("check", ".")
    assert ended.code == 1 and re.search(r"^moved .*\n +TWICE 0 → \d+$", ended.out, re.M)


def test_figures_of_another_kind_are_no_baseline(baseline: Path, simrun):
    baseline.write_text(baseline.read_text().replace("name: epic", "name: simt"))
    ended = simrun("check", ".")
    assert ended.code == 1
    assert "the baseline holds figures of kind 'simt', and these are of kind 'epic'" in ended.out


def test_a_tolerance_lets_cycles_move(baseline: Path, simrun):
    _move_cycles(baseline, 1)
    assert simrun("check", ".", "--tolerance", "cycles=50%").code == 0


def test_wrong_outputs_are_never_accepted(tiny: Path, simrun):
    tiny.write_text(tiny.read_text().replace("a * x + y", "a * x"))
    ended = simrun("check", ".", *UPDATE)
    assert ended.code == 1
    assert "y[0] is 1.0, expected 0.0" in ended.out
    assert not (tiny.parent / "baselines").exists()


def test_one_wrong_case_keeps_all_cases_from_being_accepted(tiny: Path, simrun):
    expected = '{expect: {y: {equals: "a * x"}}}'
    tiny.write_text(f"{tiny.read_text()}variants:\n  right: {{}}\n  wrong: {expected}\n")
    ended = simrun("check", ".", *UPDATE)
    assert ended.code == 1
    assert re.search(r"no baseline +tiny right .*\n.*\nwrong +tiny wrong ", ended.out)
    assert not (tiny.parent / "baselines").exists()


def test_a_broken_workload_does_not_hide_the_others(tiny: Path, simrun):
    other = tiny.parent / "other" / "workload.yaml"
    other.parent.mkdir()
    other.write_text("workload: other\n")
    ended = simrun("check", ".", *UPDATE)
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
    assert simrun("check", ".", "--machine", "epic3", *UPDATE).code == 0
    ended = simrun("check", ".")
    assert "tiny on itanium2" in ended.out and "tiny on epic3" in ended.out
    assert "2 checked, 0 failed" in ended.out


def test_a_baseline_of_an_unknown_machine_is_not_passed_over(baseline: Path, simrun):
    baseline.rename(baseline.with_name("itanium9.yaml"))
    ended = simrun("check", ".")
    assert ended.code == 2
    assert "there is no machine 'itanium9'" in ended.out


def test_a_machine_file_has_baselines_of_its_own(baseline: Path, tiny: Path, simrun):
    """They say where it lies, and are checked with the others."""
    before = baseline.read_bytes()
    (tiny.parent / "machines").mkdir()
    file = tiny.parent / "machines" / "mine.yaml"
    file.write_text("extends: itanium2\nname: mine\n")
    assert simrun("check", ".", "--machine", str(file), *UPDATE).code == 0
    mine = baseline.with_name("mine.yaml")
    assert 'machine_file: "machines/mine.yaml"\n' in mine.read_text()
    assert simrun("check", ".", "--machine", "machines/mine.yaml").code == 0
    assert baseline.read_bytes() == before
    ended = simrun("check", ".")
    assert ended.code == 0 and "ok           tiny on mine" in ended.out
    file.write_text(file.read_text() + "source: 'assumed: a test'\nregisters: {rename: 1}\n")
    assert simrun("check", ".").code != 0  # it is this file's
    file.unlink()
    ended = simrun("check", ".")
    assert ended.code == 2
    assert "baselines/mine.yaml is of a machine file: give it with --machine, or" in ended.out


def test_a_baseline_learns_where_its_machine_file_lies(baseline: Path, tiny: Path, simrun):
    """One that an older simrun wrote does not say; a file that went elsewhere is found again."""
    (tiny.parent / "mine.yaml").write_text("extends: itanium2\nname: mine\n")
    words = ["check", ".", "--machine", "mine.yaml"]
    assert simrun(*words, *UPDATE).code == 0
    mine = baseline.with_name("mine.yaml")
    told = mine.read_text()
    mine.write_text(re.sub(r"machine_file: .*\n", "", told))
    assert simrun(*words).code == 0
    ended = simrun("check", ".")
    assert ended.code == 2 and "is of a machine file: give it with --machine" in ended.out
    assert simrun(*words, *UPDATE).code == 0 and mine.read_text() == told
    (tiny.parent / "mine.yaml").rename(tiny.parent / "moved.yaml")
    words = ["check", ".", "--machine", "moved.yaml"]
    assert simrun(*words).code == simrun(*words, *UPDATE).code == 0
    assert mine.read_text() == told.replace("mine.yaml", "moved.yaml")


@pytest.mark.parametrize("update", [False, True])
def test_two_machine_files_of_one_name_are_refused(
    baseline: Path, tiny: Path, simrun, update: bool
):
    """Given at once, and one after the other: one baseline would be taken for the other."""
    text = "extends: itanium2\nname: mine\nsource: 'assumed: a test'\n"
    for name, latency in (("a", 5), ("b", 9)):
        more = f"memory: {{l2: {{latency: {latency} cycles}}}}\n"
        (tiny.parent / f"{name}.yaml").write_text(text + more)
    (tiny.parent / "same.yaml").write_text((tiny.parent / "a.yaml").read_text())
    more = UPDATE if update else []
    ended = simrun("check", ".", "--machine", "a.yaml", "--machine", "b.yaml", *more)
    assert ended.code == 2 and ended.out == ""
    assert "a.yaml and b.yaml are two machines of one name, 'mine'" in ended.err
    assert simrun("check", ".", "--machine", "a.yaml", *UPDATE).code == 0
    held = baseline.with_name("mine.yaml").read_bytes()
    ended = simrun("check", ".", "--machine", "b.yaml", *more)
    assert ended.code == 2
    assert "mine.yaml is of machine file a.yaml, which has the name of this one" in ended.out
    assert baseline.with_name("mine.yaml").read_bytes() == held
    assert simrun("check", ".", "--machine", "a.yaml").code == 0


def test_linked_folders_are_checked(baseline: Path, tiny: Path, simrun):
    """Once each, though several links lead there, and one of them round."""
    away = tiny.parent.parent / f"{tiny.parent.name}.away"
    (away / "deep").mkdir(parents=True)
    for path in ("tiny.py", "workload.yaml"):
        shutil.copy(tiny.parent / path, away / "deep")
    (tiny.parent / "linked").symlink_to(away)
    (tiny.parent / "again").symlink_to(away)
    (away / "round").symlink_to(tiny.parent)
    try:
        ended = simrun("check", ".")
    finally:
        shutil.rmtree(away)
    assert ended.code == 1 and "2 checked, 1 failed" in ended.out


@pytest.mark.parametrize("whole", [False, True])
def test_an_unfinished_merge_is_no_reason_to_remove_a_baseline(baseline: Path, simrun, whole: bool):
    text = baseline.read_text()
    moved = re.sub(r" cycles: \d+", " cycles: 7", text)
    if whole:
        both = f"<<<<<<< HEAD\n{text}=======\n{moved}>>>>>>> theirs\n"
    else:
        line = re.search(r"    cycles: \d+\n", text)[0]
        both = text.replace(line, f"<<<<<<< HEAD\n{line}=======\n    cycles: 7\n>>>>>>> theirs\n")
    baseline.write_text(both)
    for words in (["check", "."], ["check", ".", *UPDATE]):
        ended = simrun(*words)
        assert ended.code == 2 and baseline.read_text() == both
        assert "error: a merge was not finished here" in ended.out
        assert "take one (git checkout --ours" in ended.out and "remove" not in ended.out


def test_reports_of_names_that_are_no_text(tiny: Path, simrun):
    """Any bytes may be a folder's name, and control characters a case's or a message's."""
    odd = os.fsdecode(b'odd \xff\x01<&"\x1b[0m')
    folder = tiny.parent / odd
    folder.mkdir()
    shutil.copy(tiny, folder)  # its kernel is not there
    ended = simrun("check", ".", "--junit", "report.xml", "--markdown", "report.md")
    assert ended.code == 2
    suite = ElementTree.parse(tiny.parent / "report.xml").getroot()
    figures = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert figures == {"tests": "2", "failures": "1", "errors": "1", "skipped": "0"}
    [broken] = [case for case in suite if case.find("error") is not None]
    assert broken.get("classname").startswith('odd \\xff\\x01<&"\\x1b[0m/workload.yaml')
    assert "\\xff" in broken.find("error").text
    assert "odd \\\\xff\\\\x01" in (tiny.parent / "report.md").read_text()


def test_ctrl_c_ends_the_check(baseline: Path, tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    """The first workload is judged, in the second the run is interrupted, the third is not run."""
    for name in ("a", "b", "c"):
        tiny.with_name(f"{name}.yaml").write_text(tiny.read_text())
    execute, runs = sim.runner.execute, []

    def interrupted_later(*arguments, **options):
        runs.append(execute(*arguments, **options))
        return runs[-1] if len(runs) == 1 else replace(runs[-1], status="interrupted")

    monkeypatch.setattr("sim.runner.execute", interrupted_later)
    ended = simrun("check", "a.yaml", "b.yaml", "c.yaml", *UPDATE, "--junit", "report.xml")
    assert (ended.code, len(runs)) == (130, 2)
    assert ended.out.endswith("1 checked, 0 failed\n") and ended.err == "interrupted\n"
    assert [path.name for path in baseline.parent.iterdir() if path.is_dir()] == ["a"]
    assert not (tiny.parent / "report.xml").exists()


def test_two_workloads_in_a_folder_keep_their_baselines_apart(baseline: Path, tiny: Path, simrun):
    twin = tiny.with_name("twin.yaml")
    twin.write_text(tiny.read_text().replace("workload: tiny", "workload: twin"))
    before = baseline.read_bytes()
    assert simrun("check", "twin.yaml", *UPDATE).code == 0
    assert (tiny.parent / "baselines" / "twin" / "itanium2.yaml").exists()
    assert baseline.read_bytes() == before


def test_a_case_that_is_gone_is_not_passed_over(tiny: Path, simrun):
    whole = tiny.read_text()
    tiny.write_text(whole + "variants:\n  b: {}\n  a: {}\n")
    assert simrun("check", ".", *UPDATE).code == 0
    file = tiny.parent / "baselines" / "itanium2.yaml"
    assert re.findall(r"^  (\w+):", file.read_text(), re.MULTILINE) == ["b", "a"]
    tiny.write_text(whole + "variants:\n  b: {}\n")
    ended = simrun("check", ".")
    assert ended.code == 1
    assert re.search(r"moved +tiny a .*\n +.*has it no longer", ended.out)
    assert simrun("check", ".", *UPDATE).code == 0
    assert re.findall(r"^  (\w+):", file.read_text(), re.MULTILINE) == ["b"]


def test_nothing_expected_and_nothing_held_is_no_check(tiny: Path, simrun):
    tiny.write_text(tiny.read_text().partition("expect:")[0])
    ended = simrun("check", ".")
    assert ended.code == 2
    assert re.match(r"unchecked +tiny on itanium2 .*\n +nothing was checked: ", ended.out)
    ran = simrun("run", str(tiny))
    assert ran.code == 0 and ran.out.startswith("tiny on itanium2: done, nothing checked\n")
    assert simrun("check", ".", *UPDATE).code == 0
    assert simrun("check", ".").code == 0  # its cycles are held now
    (tiny.parent / "empty").mkdir()
    ended = simrun("check", "empty")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "error: there is no workload.yaml below empty  [baseline]\n"


@pytest.fixture
def several(tiny: Path, simrun) -> Path:
    """A folder of workloads that are right, moved (on one of two machines), wrong, broken, of which
    nothing is expected, and that have no baseline."""
    text = tiny.read_text()
    changes = {
        "a_right": text,
        "b_moved": text,
        "c_wrong": text.replace("a * x + y", "a * x"),
        "d_broken": text.replace("n: 8", "n: eight"),
        "e_unchecked": text.partition("expect:")[0],
        "f_new": text,
    }
    (tiny.parent / "tiny.py").rename(tiny.parent / "kernel.py")
    tiny.unlink()
    for name, changed in changes.items():
        path = tiny.parent / "all" / name / "workload.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(changed.replace("tiny.py", "../../kernel.py"))
    held = [f"all/{name}" for name in ("a_right", "b_moved")]
    machines = ("--machine", "itanium2", "--machine", "epic3")
    assert simrun("check", *held, *machines, *UPDATE).code == 0
    _move_cycles(tiny.parent / "all/b_moved/baselines/epic3.yaml", 3)
    return tiny.parent


def test_by_several_processes_as_one_by_one(several: Path, simrun):
    """The same output, exit code, JUnit file and accepted baselines."""

    def outcome(folder: str, *words: str) -> tuple:
        ended = simrun("check", folder, *UPDATE, "--junit", "report.xml", *words)
        report = re.sub(r'time="[^"]*"', "", Path("report.xml").read_text())
        paths = sorted(Path(folder).rglob("baselines/*.yaml"))
        held = [(str(path.relative_to(folder)), path.read_text()) for path in paths]
        out = ended.out.replace(folder, "FOLDER")
        return ended.code, out, ended.err, report.replace(folder, "FOLDER"), held

    shutil.copytree("all", "copy")
    one_by_one = outcome("all")
    assert outcome("copy", "--jobs", "2") == one_by_one
    assert re.findall(r"^\w+", one_by_one[1], re.MULTILINE) == [
        "ok", "ok", "ok", "updated", "wrong", "error", "updated", "updated", "8"
    ]  # fmt: skip
    assert len(one_by_one[4]) == 6


def test_a_process_that_dies_is_the_verdict_on_its_workload():
    task = Task(Path("w.yaml"), (), None, Tolerance())
    (killed,), (crashed,) = (_lost(task, Died(-number)).verdicts for number in (9, 11))
    assert (killed.exit_code, crashed.exit_code) == (2, 70)
    assert killed.details[0] == "error: its process was ended by SIGKILL"
    assert "fewer --jobs" in killed.details[1] and len(crashed.details) == 1


def _wait_until_gone(group: int) -> None:
    """Wait for the last process of a group: Python's own helpers end a moment after the rest."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")


def test_ctrl_c_ends_all_processes(tiny: Path):
    """The first workload is judged; the two behind it would run for hours."""
    endless = KERNEL.replace("y[i] = a * x[i] + y[i]", "y[i & 7] = a * y[i & 7] + x[0]")
    (tiny.parent / "endless.py").write_text(endless.replace("f32[n]", "f32[8]"))
    text = tiny.read_text().replace("n: 8", "n: 1000000000000")
    for name in ("b", "c"):
        tiny.with_name(f"{name}.yaml").write_text(text.replace("tiny.py", "endless.py"))
    words = ["check", "workload.yaml", "b.yaml", "c.yaml", "--jobs", "2", *UPDATE]
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    process = subprocess.Popen(
        [sys.executable, "-m", "sim", *words], text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**environment, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdout.readline().startswith("updated")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate()
    assert (process.returncode, out.splitlines()[-1], err) == (
        130, "1 checked, 0 failed", "interrupted\n"
    )  # fmt: skip
    _wait_until_gone(process.pid)
    assert [path.name for path in (tiny.parent / "baselines").iterdir()] == ["itanium2.yaml"]
