"""The commit at which a metric left the value that it had at an earlier one, found by running.

Every commit is checked out in a worktree of its own, where `python -m sim` runs the workload: with
the simrun that the commit has, if the repository has one, else with this one.  So no byte code of
one commit is taken for that of another, as it might be where files change within a second.
Commits that cannot run are passed over, as `git bisect skip` does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from machines.diagnostics import InputError, input_error
from sim.repository import SHORT, Repository

OURS = Path(__file__).parents[2]
"""Where this simrun lies."""
Measure = Callable[[str], int]
"""The metric at a commit; raises InputError if it cannot be had."""


@dataclass(frozen=True)
class Found:
    """What was found.

    first     the first commit with another value, as far as is known
    value     the metric there
    good      its value before
    untested  commits that could not run and that may have moved it already
    """

    first: str
    value: int
    good: int
    untested: list[str]


def bisect(repository: Repository, good: str, bad: str, measure: Measure) -> Found:
    """The first commit after `good`, up to `bad`, at which the metric is not as at `good`.

    Raises InputError if one of the two cannot run, or both have one value.
    """
    start, first = (_commit(repository, name) for name in (good, bad))
    if start == first or repository.ask("merge-base", start, first).strip() != start:
        message = f"{good} is no earlier commit of what leads to {bad}"
        raise input_error(message, hint="name first the commit that is right, then the other")
    wanted, value = (_at_end(measure, one) for one in (start, first))
    if value == wanted:
        raise input_error(f"it is {wanted} at both {good} and {bad}: it has not moved")
    goods, skipped = [start], set()
    while True:
        between = [one for one in _between(repository, goods, first) if one != first]
        untried = [one for one in between if one not in skipped]
        if not untried:
            return Found(first, value, wanted, between)
        middle = untried[0]
        try:
            measured = measure(middle)
        except InputError:
            skipped.add(middle)
            continue
        if measured == wanted:
            goods.append(middle)
        else:
            first, value = middle, measured


def _at_end(measure: Measure, commit: str) -> int:
    """The metric at one of the two commits that are given, which cannot be passed over."""
    try:
        return measure(commit)
    except InputError as error:
        message = f"at {commit[:SHORT]}: {error.diagnostics[0].message}"
        raise input_error(message, hint="name a commit at which the workload runs") from None


def _commit(repository: Repository, name: str) -> str:
    words = ["rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}"]
    try:
        return repository.ask(*words).strip()
    except InputError:
        raise input_error(f"there is no commit '{name}'") from None


def _between(repository: Repository, goods: Sequence[str], bad: str) -> list[str]:
    """The commits after the good ones up to the bad one, first those that halve them best."""
    words = ["rev-list", "--bisect-all", "--ancestry-path", bad, *(f"^{good}" for good in goods)]
    return [line.split()[0] for line in repository.ask(*words).splitlines()]


@dataclass(frozen=True)
class Runs:
    """Runs of one case of a workload at commits of a repository.

    workload  its path in the repository, by which the file is followed where it had other names
    machine   a name or file; None: the one that the workload names at that commit
    """

    repository: Repository
    workload: str
    machine: str | None
    case: str
    metric: str
    _names: dict[str, list[str]] = field(default_factory=dict)

    def measure(self, commit: str) -> int:
        """The metric at a commit; raises InputError if the workload does not run right there."""
        workload = self._there(self.workload, commit)
        words = ["run", workload, "--json", "--variant", self.case]
        if self.machine is not None:
            words += ["--machine", self._there(self.machine, commit)]
        with _worktree(self.repository, commit) as folder:
            ended = _simrun(folder, words)
        if ended.returncode:
            lines = ended.stderr.strip().splitlines() or ["its outputs are wrong"]
            said = next((line for line in lines if "error:" in line), lines[-1])
            raise input_error(f"simrun ended with {ended.returncode}: {said}")
        try:
            result = json.loads(ended.stdout)
            figures = {**result["breakdown"], **result["counters"], "cycles": result["cycles"]}
        except (ValueError, TypeError, KeyError):
            raise input_error("its result is of another form") from None
        if self.metric not in figures:
            raise input_error(f"a result has no '{self.metric}' there")
        return figures[self.metric]

    def _there(self, path: str, commit: str) -> str:
        """Where a commit has a file that stands at a path now: by the latest of its names that it
        has; the path itself, if it has none or if that is no file of the repository."""
        names = self._names.get(path)
        if names is None:
            names = self._names[path] = [path, *_earlier_names(self.repository, path)]
        return next((name for name in names if _has(self.repository, commit, name)), path)


def _earlier_names(repository: Repository, path: str) -> list[str]:
    """The names of a file before it was renamed, the latest first."""
    words = ["log", "-z", "--follow", "--diff-filter=R", "--name-status", "--format=", "--", path]
    fields = repository.ask(*words).strip("\0\n").split("\0")
    return fields[1::3]  # status, old name, new name


def _has(repository: Repository, commit: str, path: str) -> bool:
    try:
        repository.ask("cat-file", "-e", f"{commit}:{path}")
    except InputError:
        return False
    return True


def _simrun(folder: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run the simrun of a folder, else this one."""
    given = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    paths = os.pathsep.join([str(folder), *map(os.path.abspath, given), str(OURS)])
    environment = {**os.environ, "PYTHONPATH": paths}
    command = [sys.executable, "-m", "sim", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@contextmanager
def _worktree(repository: Repository, commit: str) -> Iterator[Path]:
    """A worktree of a commit, which is gone afterwards, however that comes."""
    with TemporaryDirectory(prefix="simrun-bisect-") as folder:
        place, is_there = Path(folder) / "tree", False
        try:
            with _undisturbed():
                repository.ask("worktree", "add", "--detach", str(place), commit)
                is_there = True
            yield place
        finally:
            if is_there:
                with _undisturbed():
                    repository.ask("worktree", "remove", "--force", str(place))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C and SIGTERM come once this is done.  To block them would not do: another thread of the
    process, such as numpy has, would take them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # where none of them comes
        return
    received: list[int] = []
    before = {
        number: signal.signal(number, lambda number, frame: received.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in received[:1]:
            signal.raise_signal(number)
