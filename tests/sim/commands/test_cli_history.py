"""What git's past says of a metric, and which commit moved it."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from machines.diagnostics import InputError, input_error
from sim.baselines.bisection import Runs, _undisturbed, _worktree, bisect
from sim.repository import repository_of
from tests.sim.conftest import KERNEL, UPDATE

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")

Git = Callable[..., str]
BASELINE = Path("baselines/itanium2.yaml")


@pytest.fixture
def git(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Git in the workload's folder, which is a repository of its own without commits."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "somebody@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")

    def run(*words: str) -> str:
        ended = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
        return ended.stdout.strip()

    run("init", "--quiet", "--initial-branch=main")
    return run


def commit(git: Git, subject: str) -> str:
    git("add", "--all")
    git("commit", "--quiet", "--message", subject)
    return git("rev-parse", "HEAD")


@pytest.fixture
def accepted(git: Git, simrun) -> int:
    """The cycles of a baseline that is committed."""
    assert simrun("check", ".", *UPDATE).code == 0
    commit(git, "First")
    return held()


def held() -> int:
    return int(re.search(r" cycles: (\d+)", BASELINE.read_text())[1])


def hold(cycles: int, reason: str) -> None:
    """Have the baseline hold other cycles, as if these had been accepted."""
    text = re.sub(r" cycles: \d+", f" cycles: {cycles}", BASELINE.read_text())
    BASELINE.write_text(re.sub(r"reason: .*", f'reason: "{reason}"', text))


def values(out: str) -> list[tuple]:
    entries = json.loads(out)["commits"]
    return [(entry["subject"], entry["value"], entry["before"]) for entry in entries]


def test_the_value_by_commit(git: Git, accepted: int, simrun):
    hold(2 * accepted, "it computes twice")
    twice = commit(git, "Twice")
    BASELINE.write_text(BASELINE.read_text() + "# a line\n")
    commit(git, "Other")
    ended = simrun("history", ".", "cycles")
    first, *lines = ended.out.splitlines()
    assert (ended.code, first, len(lines)) == (0, "tiny on itanium2: cycles", 3)
    assert re.search(rf"{accepted} +First; accepted: a test$", lines[0])
    step = rf"{twice[:12]}  {2 * accepted}  \+100.00 %  Twice; accepted: it computes twice$"
    assert re.search(step, lines[1])
    assert re.search(rf"{2 * accepted} +Other;", lines[2]) and "%" not in lines[2]
    out = simrun("history", ".", "cycles", "--json").out
    assert values(out) == [
        ("First", accepted, None),
        ("Twice", 2 * accepted, accepted),
        ("Other", 2 * accepted, 2 * accepted),
    ]


def test_the_change_of_a_commit_is_that_to_its_parent(git: Git, accepted: int, simrun):
    """Not to what a branch beside it had."""
    git("checkout", "--quiet", "-b", "side")
    hold(accepted + 10, "ten")
    commit(git, "Side")
    git("checkout", "--quiet", "main")
    hold(accepted + 3, "three")
    commit(git, "Main")
    subprocess.run(["git", "merge", "side"], capture_output=True, check=False)
    git("checkout", "--theirs", ".")
    hold(accepted + 13, "both")
    commit(git, "Both")
    git("checkout", "--quiet", "-b", "later")
    hold(accepted + 14, "again")
    commit(git, "Later")
    git("checkout", "--quiet", "main")
    git("merge", "--quiet", "--no-ff", "--message", "Merged", "later")
    found = values(simrun("history", ".", "cycles", "--json").out)
    assert sorted(found) == [
        ("Both", accepted + 13, accepted + 3),
        ("First", accepted, None),
        ("Later", accepted + 14, accepted + 13),
        ("Main", accepted + 3, accepted),
        ("Side", accepted + 10, accepted),
    ]


def test_a_renamed_baseline_is_followed_and_a_copy_is_not(git: Git, accepted: int, simrun):
    Path("w").mkdir()
    for name in ("workload.yaml", "tiny.py", "baselines"):
        git("mv", name, "w")
    commit(git, "Moved")
    shutil.copytree("w", "copy")
    commit(git, "Copied")
    ended = simrun("history", "w", "cycles")
    assert ended.out.count(f"{accepted} ") == 2
    assert f"Moved; renamed from {BASELINE}; accepted: a test" in ended.out
    assert values(simrun("history", "copy", "cycles", "--json").out) == [("Copied", accepted, None)]


def test_what_a_commit_does_not_tell(git: Git, accepted: int, simrun):
    text = BASELINE.read_text()
    BASELINE.write_text("cycles: 7\n")
    commit(git, "Another form")
    BASELINE.unlink()
    commit(git, "Removed")
    BASELINE.write_text(text)
    commit(git, "Back")
    ended = simrun("history", ".", "cycles")
    assert ended.code == 0
    assert re.search(r"\?  +Another form; not told: 'cases' is missing$", ended.out, re.M)
    assert re.search(r"\?  +Removed; not told: the file was removed$", ended.out, re.M)
    assert re.search(rf"{accepted}  +Back; accepted", ended.out)


@pytest.mark.parametrize(
    ("metric", "value"),
    [("FP_OPS_RETIRED", 16), ("L3_WRITE_BACKS", 0), ("issuing", None), ("register_stack", 0)],
)
def test_counters_and_reasons(metric: str, value: int | None, accepted: int, simrun):
    """One that was known and is not there was 0."""
    ((_, found, _),) = values(simrun("history", ".", metric, "--json").out)
    assert found == value or (value is None and 0 < found < accepted)


def test_what_was_not_known_was_not_0(accepted: int, git: Git, simrun):
    text = BASELINE.read_text()
    assert "L2_WRITE_BACKS" not in text
    BASELINE.write_text(re.sub("vocabulary: .*\n", "", text))
    commit(git, "Of no vocabulary")
    ended = simrun("history", ".", "L2_WRITE_BACKS")
    assert "0       First" in ended.out or re.search(r" 0 +First", ended.out)
    assert "Of no vocabulary; not told: 'L2_WRITE_BACKS' was not held" in ended.out


def test_refused(git: Git, accepted: int, tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    for words, said in {
        "cycls": "there is no metric 'cycls'  [baseline]\n    hint: did you mean 'cycles'?",
        "cycles --machine epic3": "no commit has a file baselines/epic3.yaml  [history]\n    hint",
        "cycles --case b": "no commit tells 'cycles' of case 'b': there is no case 'b'",
        "cycles HEAD": "'HEAD' is one word too many",
        "cycles --bisect HEAD": "HEAD is no earlier commit of what leads to HEAD",
        "cycles --bisect nothing": "there is no commit 'nothing'",
    }.items():
        ended = simrun("history", ".", *words.split())
        assert (ended.code, ended.out) == (2, "") and said in ended.err
    tiny.write_text(tiny.read_text() + "variants: {a: {}, b: {}}\n")
    assert "choose by --case: a, b" in simrun("history", ".", "cycles").err
    shutil.rmtree(".git")
    assert "lies in no git repository" in simrun("history", ".", "cycles", "--case", "a").err
    Path(".git").mkdir()
    monkeypatch.setenv("PATH", "")
    assert "git is not installed" in simrun("history", ".", "cycles", "--case", "a").err


def test_a_shallow_clone(git: Git, accepted: int, tiny: Path, simrun, monkeypatch):
    hold(accepted + 1, "one")
    commit(git, "Second")
    git("clone", "--quiet", "--depth=1", f"file://{tiny.parent}", "clone")
    monkeypatch.chdir("clone")
    ended = simrun("history", ".", "cycles")
    assert ended.out.count("\n") == 3 and "the clone is shallow" in ended.out
    content = json.loads(simrun("history", ".", "cycles", "--json").out)
    assert not content["complete"] and content["commits"][0]["before"] is None


def test_the_revision_is_kept(git: Git, tiny: Path, simrun):
    """Of the files as they were before the first baseline was written."""
    shutil.copytree(".", "other", ignore=shutil.ignore_patterns(".git", "other"))
    first = commit(git, "First")
    assert simrun("check", ".", *UPDATE).out.startswith("updated      tiny on itanium2")
    texts = [path.read_text() for path in Path().rglob("baselines/*.yaml")]
    assert len(texts) == 2
    assert all(f'revision: "{first[:12]}"\n' in text for text in texts)
    BASELINE.unlink()
    assert simrun("check", ".", "--update", "--reason", "again").code == 0
    assert f'revision: "{first[:12]}-dirty"\n' in BASELINE.read_text()
    shutil.rmtree(".git")
    BASELINE.unlink()
    assert simrun("check", ".", *UPDATE).code == 0 and "revision" not in BASELINE.read_text()


@pytest.fixture
def line(git: Git) -> list[str]:
    """Six commits, one after the other."""
    found = []
    for number in range(6):
        Path("file").write_text(str(number))
        found.append(commit(git, f"Number {number}"))
    return found


def looked_up(figures: dict[str, int], asked: list[str]) -> Callable[[str], int]:
    def measure(commit: str) -> int:
        asked.append(commit)
        if commit not in figures:
            raise input_error("it cannot run")
        return figures[commit]

    return measure


@pytest.mark.parametrize("at", range(1, 6))
def test_the_first_commit_that_moved_it_is_found(at: int, line: list[str]):
    asked: list[str] = []
    figures = {commit: 7 + (number >= at) for number, commit in enumerate(line)}
    repository = repository_of(Path())
    found = bisect(repository, line[0], "HEAD", looked_up(figures, asked))
    assert (found.first, found.value, found.good, found.untested) == (line[at], 8, 7, [])
    assert len(asked) == len(set(asked)) <= 5


def test_commits_that_cannot_run_are_passed_over(line: list[str]):
    figures = {line[number]: 7 + (number >= 4) for number in (0, 1, 4, 5)}
    found = bisect(repository_of(Path()), line[0], "HEAD", looked_up(figures, []))
    assert found.first == line[4] and sorted(found.untested) == sorted(line[2:4])
    with pytest.raises(InputError, match="it is 7 at both"):
        bisect(repository_of(Path()), line[0], line[1], looked_up(figures, []))
    with pytest.raises(InputError, match="it cannot run"):
        bisect(repository_of(Path()), line[0], line[2], looked_up(figures, []))


def test_a_worktree_is_gone_however_it_ends(git: Git, line: list[str]):
    with pytest.raises(KeyboardInterrupt), _worktree(repository_of(Path()), line[2]) as folder:
        assert (folder / "file").read_text() == "2"
        (folder / "file").write_text("else")
        (folder / "new").write_text("")
        raise KeyboardInterrupt
    assert not folder.exists() and git("worktree", "list").count("\n") == 0


def test_ctrl_c_waits_until_a_worktree_is_made_or_gone():
    done = []
    with pytest.raises(KeyboardInterrupt), _undisturbed():
        signal.raise_signal(signal.SIGINT)
        done.append("all of it")
    assert done


def test_bisect_runs_each_commit_as_it_was(git: Git, tiny: Path, simrun):
    good = commit(git, "Good")
    kernel = tiny.parent / "tiny.py"
    text = tiny.read_text()
    tiny.write_text("\t" + text)
    commit(git, "Broken")
    tiny.write_text(text)
    kernel.write_text(KERNEL.replace("a * x[i]", "a * x[i] * a / a"))
    commit(git, "Slower")
    kernel.write_text(KERNEL)  # what is not committed does not count
    ended = simrun("history", ".", "cycles", "--bisect", good)
    assert ended.code == 0
    assert re.search(r"^tiny on itanium2: cycles \d+ → \d+ \(\+\d", ended.out)
    assert "  Slower\nor one of these, which could not run:\n" in ended.out
    assert ended.out.rstrip().endswith("  Broken")
    assert "cannot run: simrun ended with 2: workload.yaml:1:1: error: " in ended.err
    assert git("worktree", "list").count("\n") == 0


def test_bisect_follows_what_was_renamed(git: Git, tiny: Path):
    """The workload's folder and the machine's file had other names at the first commits."""
    Path("old").mkdir()
    for path in ("tiny.py", "workload.yaml"):
        Path(path).rename(f"old/{path}")
    Path("first.yaml").write_text("extends: itanium2\nname: mine\n")
    first = commit(git, "First")
    Path("old").rename("middle")
    Path("first.yaml").rename("second.yaml")
    renamed = commit(git, "Renamed")
    Path("new").mkdir()
    Path("middle").rename("new/place")
    again = commit(git, "Renamed again")
    workload = "new/place/workload.yaml"
    runs = Runs(repository_of(Path()), workload, "second.yaml", "default", "cycles")
    paths = (workload, "second.yaml")
    found = [[runs._there(path, at) for path in paths] for at in (first, renamed, again)]
    assert found == [["old/workload.yaml", "first.yaml"],
                     ["middle/workload.yaml", "second.yaml"], [*paths]]  # fmt: skip
    assert runs._there("epic3", first) == "epic3"  # a name is no file
