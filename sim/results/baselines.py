"""Workloads against their baselines: cycle counts held in regression.

`baselines/<machine>.yaml` beside a workload holds, for every case, the cycles, breakdown and
counters of an accepted run (`accepted.py`).  A check runs the workload again and compares exactly
(or within a given tolerance); a difference in either direction fails until it is accepted with
`--update`, because an unexplained improvement is as suspicious as a loss.  A case of which nothing
is expected and nothing held was not checked at all, and fails too.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from machines.description.load import machine_names
from machines.diagnostics import InputError, input_error, is_name
from machines.kept.files import write_atomically
from sim import runner
from sim.identity import identity_of
from sim.prepared_case import prepare
from sim.results.accepted import (
    Acceptance,
    Accepted,
    Baseline,
    Run,
    baseline_of,
    baseline_text,
    metrics_of,
    origin_of,
    read_baseline,
)
from sim.results.differences import Tolerance
from sim.results.verdicts import (
    ACCEPTABLE,
    BROKEN,
    OK,
    WRONG,
    Verdict,
    broken,
    foreign_lines,
    gone,
    judge,
)
from sim.status import INTERRUPTED
from sim.workers import Died, results_in_order
from sim.workload.schema import SUFFIXES, Case, Workload, read_workload

WORKLOAD_FILE = "workload.yaml"


@dataclass(frozen=True)
class Subject:
    """A workload compiled for a machine."""

    path: Path
    compiled: runner.Compiled

    @property
    def machine(self) -> str:
        return self.compiled.machine.name

    @property
    def file(self) -> Path:
        """Where its baseline stands."""
        return baseline_path(self.path, self.machine)

    def cases(self) -> list[Case]:
        return self.compiled.workload.cases()

    def run(self, case: Case, trust: bool) -> Run:
        """Run a case; raises KeyboardInterrupt if Ctrl-C ended it: a part of a run is nothing to
        judge or to accept."""
        result = runner.execute(prepare(self.compiled, case, trust))
        if result.status == INTERRUPTED:
            raise KeyboardInterrupt
        return Run(result, origin_of(identity_of(self.compiled, case)))


def subject_on(path: Path, machine: str | None) -> Subject:
    """A workload for a machine, None being the one that it names; raises InputError."""
    return Subject(path, runner.compile_workload(read_workload(path), machine))


@dataclass(frozen=True)
class Checked:
    """The verdicts on a workload on one machine, and the text of the baseline that they accept, if
    they do.  Nothing has been written yet: who gets this does so in the order of the tasks."""

    path: Path
    verdicts: list[Verdict]
    file: Path | None = None
    accepted: str | None = None

    def accept(self) -> list[Verdict]:
        """Write that; gives the verdicts, or the one that it cannot be written."""
        try:
            if self.accepted is not None:
                write_atomically(self.file, self.accepted)
        except InputError as error:
            return [broken(self.path, self.verdicts[0].machine, error)]
        return self.verdicts


@dataclass(frozen=True)
class Task:
    """A workload to check on some machines; if there are none, on the one that it names and on
    those it has baselines of.

    acceptance  what the runs give is accepted so; None: it is only compared
    """

    path: Path
    machines: tuple[str, ...]
    acceptance: Acceptance | None
    tolerance: Tolerance
    trust: bool = False


def find_workloads(paths: Sequence[str | Path]) -> list[Path]:
    """The workload files among paths and below folders, in order of their names."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            below = sorted(path.rglob(WORKLOAD_FILE))
            if not below:
                raise input_error(f"there is no {WORKLOAD_FILE} below {path}")
            found += below
        elif path.is_file():
            found.append(path)
        else:
            raise input_error(f"there is no file or folder {path}")
    return list(dict.fromkeys(found))


def machines_held(workload: Path) -> list[str]:
    """The machines a workload has baselines of."""
    return sorted(path.stem for path in _baselines(workload).glob("*.yaml"))


def baseline_path(workload: Path, machine: str) -> Path:
    """Where the baseline of a workload on a machine stands."""
    return _baselines(workload) / f"{machine}.yaml"


def machine_name(workload: Workload, machine: str | None = None) -> str:
    """The name of a machine, given by name or file; without one, of the workload's own.  A name
    need be that of no machine that there is: a baseline may be of one that is gone."""
    named = workload.form.machine if machine is None else machine
    is_name_alone = is_name(named) and not named.endswith(SUFFIXES)
    return named if is_name_alone else runner.machine_of(workload, machine, ()).name


def _baselines(workload: Path) -> Path:
    """The folder of a workload's baselines; several workloads in a folder have one each."""
    folder = workload.parent / "baselines"
    return folder if workload.name == WORKLOAD_FILE else folder / workload.stem


def check(task: Task) -> Iterator[Checked]:
    """Run a workload on one machine after the other and judge it."""
    done = set()
    for machine in task.machines or (None,):
        checked = _check_on(task, machine)
        yield checked
        done |= {verdict.machine for verdict in checked.verdicts}
    for machine in () if task.machines else machines_held(task.path):
        if machine not in done:
            yield _check_on(task, machine)


def check_whole(task: Task) -> list[Checked]:
    """The same at once, for workers."""
    return list(check(task))


def check_all(tasks: Sequence[Task], jobs: int) -> Iterator[Checked]:
    """Check workloads, by several processes if there are `jobs` for them; in the tasks' order."""
    if jobs == 1:
        for task in tasks:
            yield from check(task)
        return
    for task, checked in zip(tasks, results_in_order(check_whole, tasks, jobs), strict=True):
        if isinstance(checked, Died):
            yield _lost(task, checked)
        else:
            yield from checked


def cases_of(path: Path, machine: str) -> list[str]:
    """The cases of a workload, and those that its baseline on a machine holds beside them."""
    cases = [case.name for case in read_workload(path).cases()]
    try:
        baseline = read_baseline(baseline_path(path, machine))
    except InputError:  # each of the cases will say so
        return cases
    return list(dict.fromkeys([*cases, *(baseline.cases if baseline else ())]))


def verdict_on(path: Path, machine: str | None, case: str, trust: bool) -> Verdict:
    """The verdict on one of these cases alone; raises InputError."""
    subject = _latest_subject(path, machine)
    cases = {one.name: one for one in subject.cases()}
    if case not in cases:
        return gone(subject.compiled.workload.name, case, subject.machine, subject.file)
    run = subject.run(cases[case], trust)
    return judge(run, read_baseline(subject.file), Tolerance(), subject.file)


@lru_cache(1)
def _latest_subject(path: Path, machine: str | None) -> Subject:
    """The subject that is asked for case by case is compiled once."""
    return subject_on(path, machine)


def _check_on(task: Task, machine: str | None) -> Checked:
    """On a machine, None being the one that the workload names."""
    subject = None
    try:
        subject = subject_on(task.path, machine)
        baseline = read_baseline(subject.file)
        runs = [subject.run(case, task.trust) for case in subject.cases()]
    except InputError as error:
        if subject is not None:
            return Checked(task.path, [broken(task.path, subject.machine, error)])
        return Checked(task.path, [broken(task.path, machine, error, _hints(task.path, machine))])
    return _judge_all(runs, baseline, subject.file, task)


def _judge_all(runs: Sequence[Run], baseline: Baseline | None, file: Path, task: Task) -> Checked:
    """The verdicts on all cases of a workload, and on those that it has no longer."""
    first = runs[0].result
    held = {} if foreign_lines(baseline, first, file) or baseline is None else baseline.cases
    # What is accepted is held exactly, so all that moved is said, however little.
    tolerance = Tolerance() if task.acceptance else task.tolerance
    verdicts = [judge(run, baseline, tolerance, file) for run in runs]
    cases = {run.result.variant for run in runs}
    verdicts += [
        gone(first.workload, name, first.machine, file) for name in held if name not in cases
    ]
    if not task.acceptance or any(verdict.status == WRONG for verdict in verdicts):
        return Checked(task.path, verdicts)
    acceptable = ACCEPTABLE
    if baseline is not None and baseline.is_behind(first.vocabulary):
        acceptable = (*ACCEPTABLE, OK)
    if not any(verdict.status in acceptable for verdict in verdicts):
        return Checked(task.path, verdicts)
    verdicts = [v.accepted() if v.status in acceptable else v for v in verdicts]
    now_held = {run.result.variant: _accepted(run, held, task.acceptance) for run in runs}
    return Checked(task.path, verdicts, file, baseline_text(baseline_of(now_held, first)))


def _accepted(run: Run, held: dict[str, Accepted], acceptance: Acceptance) -> Accepted:
    """What is held of a case from now on: what was held before, if nothing of it moved."""
    before = held.get(run.result.variant)
    stays = (
        before is not None
        and before.metrics == metrics_of(run.result)
        and before.identity.model == run.origin.model
    )
    return before if stays else acceptance.of(run)


def _lost(task: Task, died: Died) -> Checked:
    """Of a workload whose process died; a process that others kill is not simrun's mistake."""
    details = [f"error: {died}"]
    killed = died.exit_code == -signal.SIGKILL
    if killed:
        details.append("    hint: if memory ran out, use fewer --jobs")
    code = 2 if killed else 70
    machine = ", ".join(task.machines) or "its machines"
    verdict = Verdict(str(task.path), "default", machine, BROKEN, details, exit_code=code)
    return Checked(task.path, [verdict])


def _hints(path: Path, machine: str | None) -> list[str]:
    """What else may be said of a machine (None: the workload's own) that was not found."""
    if machine is None or machine in machine_names():
        return []
    file = baseline_path(path, machine)
    hint = f"    hint: {file} is of a machine file: give it with --machine"
    return [hint] if file.is_file() else []
