"""The verdict on a case: how a finished run stands to its workload's expectations and baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from machines.diagnostics import InputError
from sim.baselines.accepted import Baseline, Run
from sim.baselines.differences import Differences, Tolerance, accepted_line, differences
from sim.results.result import Result

OK, UPDATED, NEW, MOVED, WRONG, BROKEN = "ok", "updated", "no baseline", "moved", "wrong", "error"
UNCHECKED = "unchecked"

EXIT_CODES = {OK: 0, UPDATED: 0, NEW: 1, MOVED: 1, WRONG: 1, UNCHECKED: 2}
ACCEPTABLE = (NEW, MOVED, UNCHECKED)
"""What `--update` accepts."""


@dataclass(frozen=True)
class Verdict:
    """The outcome for one case; `exit_code` is the command's.

    details  lines for people
    notes    what is worth a line only to who asks
    found    how it differs from what was accepted, if there is that to compare
    """

    workload: str
    case: str
    machine: str
    status: str
    details: list[str] = field(default_factory=list)
    cycles: int | None = None
    seconds: float = 0.0
    exit_code: int = 0
    notes: list[str] = field(default_factory=list)
    found: Differences | None = None

    @property
    def title(self) -> str:
        case = "" if self.case == "default" else f" {self.case}"
        return f"{self.workload}{case} on {self.machine}"

    def accepted(self) -> Verdict:
        """Once it is accepted: what changes in the file is said still, no hint to accept it."""
        details = self.details if self.status in (MOVED, OK) else []
        return replace(self, status=UPDATED, details=details, exit_code=0)


def judge(run: Run, baseline: Baseline | None, tolerance: Tolerance, file: Path) -> Verdict:
    """Compare a finished run with the baseline file (None if there is none)."""
    result = run.result
    if not result.ok:
        problems = [str(check) for check in result.checks if not check.ok]
        problems = problems or [f"the run ended with '{result.status}'"]
        return replace(_verdict(result, WRONG, problems), exit_code=result.exit_code)
    foreign = foreign_lines(baseline, result, file)
    if foreign:
        return _verdict(result, MOVED, foreign)
    if baseline is None or result.variant not in baseline.cases:
        accept = f"accept it with --update --reason TEXT; it will be written to {file}"
        if not result.checks:
            nothing = "nothing was checked: no output is expected, and there is no baseline"
            return _verdict(
                result, UNCHECKED, [nothing, f"    hint: give it 'expect:', or {accept}"]
            )
        return _verdict(result, NEW, [accept])
    found = differences(baseline, run, tolerance)
    notes = []
    if not found.moved:
        notes.append(accepted_line(baseline.cases[result.variant]))
        notes += [f"at equal figures: {cause.part}: {cause.sentence}" for cause in found.causes]
    verdict = _verdict(result, MOVED if found.moved else OK, found.moved + found.new)
    return replace(verdict, notes=notes, found=found)


def foreign_lines(baseline: Baseline | None, result: Result, file: Path) -> list[str]:
    """What says that a baseline is of something else: of no case can it be compared then."""
    if baseline is None:
        return []
    lines = []
    if baseline.workload != result.workload:
        lines.append(f"{file} is of workload '{baseline.workload}', not '{result.workload}'")
    if baseline.machine != result.machine:
        lines.append(f"{file} is of machine '{baseline.machine}', not '{result.machine}'")
    if baseline.vocabulary.name != result.kind:
        held, said = baseline.vocabulary.name, result.kind
        lines.append(f"the baseline holds figures of kind '{held}', and these are of kind '{said}'")
    return lines


def gone(workload: str, case: str, machine: str, file: Path) -> Verdict:
    """The verdict on a case that a baseline holds, and that the workload has no longer."""
    message = f"{file} holds this case, but the workload has it no longer"
    return Verdict(workload, case, machine, MOVED, [message], exit_code=EXIT_CODES[MOVED])


def broken(
    path: Path, machine: str | None, error: InputError, hints: Sequence[str] = ()
) -> Verdict:
    """The verdict on a workload that cannot be run on a machine (None: on its own)."""
    details = [*str(error).splitlines(), *hints]
    return Verdict(str(path), "default", machine or "its machine", BROKEN, details, exit_code=2)


def _verdict(result: Result, status: str, details: Sequence[str]) -> Verdict:
    seconds = result.host.get("simulate_seconds", 0.0)
    return Verdict(
        result.workload, result.variant, result.machine, status, list(details),
        result.cycles, seconds, EXIT_CODES[status],
    )  # fmt: skip
