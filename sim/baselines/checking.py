"""Workloads against their baselines: cycle counts held in regression.

`baselines/<machine>.yaml` beside a workload holds, for every case, the cycles, breakdown and
counters of an accepted run (`accepted.py`).  A check runs the workload again and compares exactly
(or within a given tolerance); a difference in either direction fails until it is accepted with
`--update`, because an unexplained improvement is as suspicious as a loss.  A case of which nothing
is expected and nothing held was not checked at all, and fails too.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from machines.cache.files import write_atomically
from machines.description.load import load_machine, machine_names
from machines.diagnostics import InputError, input_error, is_name
from sim import runner
from sim.baselines.accepted import (
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
from sim.baselines.differences import Tolerance
from sim.baselines.verdicts import (
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
from sim.identity import identity_of
from sim.prepared_case import prepare
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

    @property
    def machine_file(self) -> str | None:
        """The file of a machine that has no name for everybody, from the workload's folder."""
        file = self.compiled.machine.file
        if file is None or self.machine in machine_names():
            return None
        return os.path.relpath(os.path.realpath(file), os.path.realpath(self.path.parent))

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
    """The workload files among paths and below folders, in order of their names; linked folders
    too.  One that several paths lead to is given once."""
    found: dict[str, Path] = {}
    for path in map(Path, paths):
        if path.is_dir():
            below = sorted(_workloads_below(path))
            if not below:
                raise input_error(f"there is no {WORKLOAD_FILE} below {path}")
        elif path.is_file():
            below = [path]
        else:
            raise input_error(f"there is no file or folder {path}")
        for one in below:
            found.setdefault(os.path.realpath(one), one)
    return list(found.values())


def _workloads_below(folder: Path) -> Iterator[Path]:
    """Those of a folder and of all in it; a link to a folder that is gone through ends there."""
    seen = set()
    for place, folders, files in os.walk(folder, followlinks=True):
        folders.sort()
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
        elif WORKLOAD_FILE in files:
            yield Path(place, WORKLOAD_FILE)
        seen.add(real)


def check_names(machines: Sequence[str]) -> None:
    """Raise InputError if two machines that are given have one name: results and baselines go by
    it, and one would be taken for the other."""
    found: dict[str, tuple[str, str]] = {}
    for given in dict.fromkeys(machines):
        try:
            machine = load_machine(given)
        except InputError:  # each workload will say so
            continue
        other, digest = found.setdefault(machine.name, (given, machine.content_hash))
        if digest != machine.content_hash:
            message = f"{other} and {given} are two machines of one name, '{machine.name}'"
            raise input_error(message, hint="give each a name of its own: baselines go by it")


def machines_held(workload: Path) -> dict[str, str]:
    """The machines a workload has baselines of: how each is given, by its name."""
    found = {}
    for path in sorted(_baselines(workload).glob("*.yaml")):
        file = None if path.stem in machine_names() else _machine_file(path)
        found[path.stem] = path.stem if file is None else os.path.join(workload.parent, file)
    return found


def _machine_file(path: Path) -> str | None:
    """The machine file that a baseline is of, if it is, and says so."""
    try:
        baseline = read_baseline(path)
    except InputError:  # the check of that machine tells
        return None
    return baseline.machine_file if baseline is not None else None


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
    held = {} if task.machines else machines_held(task.path)
    for name, machine in held.items():
        if name not in done:
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


def cases_of(workload: Workload, machine: str) -> list[str]:
    """The cases of a workload, and those that its baseline on a machine holds beside them."""
    cases = [case.name for case in workload.cases()]
    try:
        baseline = read_baseline(baseline_path(workload.path, machine))
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
        _check_file(subject, baseline)
        runs = [subject.run(case, task.trust) for case in subject.cases()]
    except InputError as error:
        if subject is not None:
            return Checked(task.path, [broken(task.path, subject.machine, error)])
        return Checked(task.path, [broken(task.path, machine, error, _hints(task.path, machine))])
    return _judge_all(runs, baseline, subject, task)


def _check_file(subject: Subject, baseline: Baseline | None) -> None:
    """Raise InputError if a baseline is of another machine file that there still is."""
    held = baseline.machine_file if baseline is not None else None
    if held is None or held == subject.machine_file:
        return
    if (subject.path.parent / held).is_file():
        message = f"{subject.file} is of machine file {held}, which has the name of this one"
        raise input_error(message, hint="give each a name of its own: baselines go by it")


def _judge_all(
    runs: Sequence[Run], baseline: Baseline | None, subject: Subject, task: Task
) -> Checked:
    """The verdicts on all cases of a workload, and on those that it has no longer."""
    first, file = runs[0].result, subject.file
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
    lies_elsewhere = baseline is not None and baseline.machine_file != subject.machine_file
    if lies_elsewhere:
        acceptable = (*ACCEPTABLE, OK)
    if not any(verdict.status in acceptable for verdict in verdicts):
        return Checked(task.path, verdicts)
    verdicts = [v.accepted() if v.status in acceptable else v for v in verdicts]
    now_held = {run.result.variant: _accepted(run, held, task.acceptance) for run in runs}
    accepted = baseline_of(now_held, first, subject.machine_file)
    return Checked(task.path, verdicts, file, baseline_text(accepted))


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
    of_file = [n for n, given in machines_held(path).items() if given == machine != n]
    file = baseline_path(path, of_file[0] if of_file else machine)
    if not file.is_file() or (of_file and Path(machine).is_file()):
        return []
    said = "give it with --machine, or remove the baseline if it is gone"
    return [f"    hint: {file} is of a machine file: {said}"]
