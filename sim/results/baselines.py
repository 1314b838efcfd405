"""Workloads against their baselines: cycle counts held in regression.

`baselines/<machine>.yaml` beside a workload holds, for every case, the cycles, breakdown and
counters of an accepted run (`accepted.py`).  A check runs the workload again and compares exactly
(or within a given tolerance); a difference in either direction fails until it is accepted with
`--update`, because an unexplained improvement is as suspicious as a loss.  A case of which nothing
is expected and nothing held was not checked at all, and fails too.
"""

from __future__ import annotations

import signal
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from machines.description.load import machine_names
from machines.diagnostics import InputError, input_error
from machines.kept.files import write_atomically
from sim import runner
from sim.prepared_case import prepare
from sim.results.accepted import Baseline, Tolerance, baseline_text, differences, read_baseline
from sim.results.result import Result
from sim.status import INTERRUPTED
from sim.workers import Died, results_in_order
from sim.workload.schema import read_workload

WORKLOAD_FILE = "workload.yaml"
OK, UPDATED, NEW, MOVED, WRONG, BROKEN = "ok", "updated", "no baseline", "moved", "wrong", "error"
UNCHECKED = "unchecked"

EXIT_CODES = {OK: 0, UPDATED: 0, NEW: 1, MOVED: 1, WRONG: 1, UNCHECKED: 2}
ACCEPTABLE = (NEW, MOVED, UNCHECKED)
"""What `--update` accepts."""


@dataclass(frozen=True)
class Verdict:
    """The outcome for one case; `details` are lines for people, `exit_code` is the command's."""

    workload: str
    case: str
    machine: str
    status: str
    details: list[str] = field(default_factory=list)
    cycles: int | None = None
    seconds: float = 0.0
    exit_code: int = 0

    @property
    def title(self) -> str:
        case = "" if self.case == "default" else f" {self.case}"
        return f"{self.workload}{case} on {self.machine}"


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
            return [_broken(self.path, self.verdicts[0].machine, error)]
        return self.verdicts


@dataclass(frozen=True)
class Task:
    """A workload to check on some machines; if there are none, on the one that it names and on
    those it has baselines of."""

    path: Path
    machines: tuple[str, ...]
    update: bool
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


def _baselines(workload: Path) -> Path:
    """The folder of a workload's baselines; several workloads in a folder have one each."""
    folder = workload.parent / "baselines"
    return folder if workload.name == WORKLOAD_FILE else folder / workload.stem


def judge(result: Result, baseline: Baseline | None, tolerance: Tolerance, file: Path) -> Verdict:
    """Compare a finished run with the baseline file (None if there is none)."""
    seconds = result.host.get("simulate_seconds", 0.0)

    def verdict(status: str, details: Sequence[str] = ()) -> Verdict:
        code = result.exit_code if status == WRONG else EXIT_CODES[status]
        return Verdict(
            result.workload, result.variant, result.machine, status, list(details),
            result.cycles, seconds, code,
        )  # fmt: skip

    if not result.ok:
        problems = [str(check) for check in result.checks if not check.ok]
        return verdict(WRONG, problems or [f"the run ended with '{result.status}'"])
    if baseline is None or result.variant not in baseline.cases:
        accept = f"accept it with --update; it will be written to {file}"
        if not result.checks:
            nothing = "nothing was checked: no output is expected, and there is no baseline"
            return verdict(UNCHECKED, [nothing, f"    hint: give it 'expect:', or {accept}"])
        return verdict(NEW, [accept])
    found = differences(baseline, result, tolerance)
    return verdict(MOVED if found.moved else OK, found.moved + found.new)


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


def _check_on(task: Task, machine: str | None) -> Checked:
    """On a machine, None being the one that the workload names."""
    found = None
    try:
        workload = read_workload(task.path)
        compiled = runner.compile_workload(workload, machine)
        found = compiled.machine.name
        file = baseline_path(task.path, found)
        baseline = read_baseline(file)
        results = [
            _whole(runner.execute(prepare(compiled, case, task.trust))) for case in workload.cases()
        ]
    except InputError as error:
        hints = [] if found else _hints(task.path, machine)
        return Checked(task.path, [_broken(task.path, found or machine, error, hints)])
    return _judge_all(results, baseline, file, task)


def _whole(result: Result) -> Result:
    """The result, unless Ctrl-C ended the run: a part of it is nothing to judge or to accept."""
    if result.status == INTERRUPTED:
        raise KeyboardInterrupt
    return result


def _judge_all(
    results: Sequence[Result], baseline: Baseline | None, file: Path, task: Task
) -> Checked:
    """The verdicts on all cases of a workload, and on those that it has no longer."""
    held = baseline.cases if baseline else {}
    # What is accepted is held exactly, so all that moved is said, however little.
    tolerance = Tolerance() if task.update else task.tolerance
    verdicts = [judge(result, baseline, tolerance, file) for result in results]
    machine, cases = results[0].machine, [result.variant for result in results]
    for gone in [name for name in held if name not in cases]:
        message = f"{file} holds this case, but the workload has it no longer"
        verdicts.append(Verdict(results[0].workload, gone, machine, MOVED, [message], exit_code=1))
    if not task.update or any(verdict.status == WRONG for verdict in verdicts):
        return Checked(task.path, verdicts)
    acceptable = ACCEPTABLE
    if baseline is not None and baseline.is_behind(results[0].vocabulary):
        acceptable = (*ACCEPTABLE, OK)
    if not any(verdict.status in acceptable for verdict in verdicts):
        return Checked(task.path, verdicts)
    verdicts = [_accepted(v) if v.status in acceptable else v for v in verdicts]
    return Checked(task.path, verdicts, file, baseline_text(results))


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


def _broken(
    path: Path, machine: str | None, error: InputError, hints: Sequence[str] = ()
) -> Verdict:
    """The verdict on a workload that cannot be run on a machine (None: on its own)."""
    details = [*str(error).splitlines(), *hints]
    return Verdict(str(path), "default", machine or "its machine", BROKEN, details, exit_code=2)


def _accepted(verdict: Verdict) -> Verdict:
    """The verdict once accepted: what changes in the file is said still, no hint to accept it."""
    details = verdict.details if verdict.status in (MOVED, OK) else []
    return Verdict(
        verdict.workload, verdict.case, verdict.machine, UPDATED, details,
        verdict.cycles, verdict.seconds,
    )  # fmt: skip


def junit(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as a JUnit XML file for continuous integration."""
    failed = [v for v in verdicts if v.exit_code]
    suite = ElementTree.Element(
        "testsuite", name="simrun check", tests=str(len(verdicts)), failures=str(len(failed))
    )
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"{verdict.workload}.{verdict.machine}",
            name=verdict.case, time=f"{verdict.seconds:.3f}",
        )  # fmt: skip
        if verdict.exit_code:
            failure = ElementTree.SubElement(case, "failure", message=verdict.status)
            failure.text = "\n".join(verdict.details)
    ElementTree.indent(suite)
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    return f"{declaration}\n{ElementTree.tostring(suite, encoding='unicode')}\n"
