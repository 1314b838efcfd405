"""`simrun history`: what a metric was, commit by commit, and which commit moved it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from machines.diagnostics import InputError, input_error
from sim.commands.known_words import metric_words
from sim.commands.parameters import MACHINE, PATH, TEXT, Given, print_rows

if TYPE_CHECKING:
    from sim.baselines.history import Entry
    from sim.repository import Repository


@click.command()
@click.argument("workload", type=PATH)
@click.argument("metric", type=Given("text", str, metric_words))
@click.argument("bad", required=False, type=TEXT)
@MACHINE
@click.option("--case", type=TEXT, metavar="NAME", help="Of this variant.")
@click.option(
    "--bisect", "good", type=TEXT, metavar="GOOD",
    help="Run commits, to find the first after GOOD (up to BAD, else HEAD) with another value.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def history(
    workload: Path, metric: str, bad: str | None, machine: str | None, case: str | None,
    good: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Print what a metric was in git's past: the cycles, a counter, a reason of the breakdown.

    Accepted baselines are read, and nothing runs, unless --bisect asks for it.
    """
    if bad is not None and good is None:
        raise input_error(f"'{bad}' is one word too many", hint="--bisect GOOD [BAD] takes commits")
    subject = _subject(workload, machine, case)
    if good is None:
        return _print_history(subject, metric, as_json)
    return _print_bisection(subject, metric, good, bad or "HEAD", as_json)


@dataclass(frozen=True)
class Subject:
    """A case of a workload on a machine, and the repository that it lies in.

    given  the machine as it was given: a name, a file, or None
    """

    repository: Repository
    path: Path
    name: str
    machine: str
    given: str | None
    case: str

    @property
    def title(self) -> str:
        case = "" if self.case == "default" else f" {self.case}"
        return f"{self.name}{case} on {self.machine}"


def _subject(path: Path, machine: str | None, case: str | None) -> Subject:
    from sim.baselines.checking import machine_name
    from sim.repository import repository_of
    from sim.workload.schema import read_workload

    workload = read_workload(path)
    repository = repository_of(workload.path)
    if repository is None:
        raise input_error(f"{workload.path} lies in no git repository: it has no past")
    cases = [one.name for one in workload.cases()]
    if case is None and len(cases) > 1:
        message = f"workload '{workload.name}' has several cases"
        raise input_error(message, hint=f"choose by --case: {', '.join(cases)}")
    name = machine_name(workload, machine)
    return Subject(repository, workload.path, workload.name, name, machine, case or cases[0])


def _print_history(subject: Subject, metric: str, as_json: bool) -> int:
    from sim.baselines import history as past
    from sim.baselines.checking import baseline_path
    from sim.results.result import to_json

    file = baseline_path(subject.path, subject.machine)
    entries = past.history(subject.repository, file, subject.case, metric)
    is_shallow = past.is_shallow(subject.repository)
    if as_json:
        content = {
            "workload": subject.name,
            "case": subject.case,
            "machine": subject.machine,
            "metric": metric,
            "complete": not is_shallow,
            "commits": [entry.to_dict() for entry in entries],
        }
        click.echo(to_json(content), nl=False)
        return 0
    click.echo(f"{subject.title}: {metric}")
    print_rows([_row(entry) for entry in entries])
    if is_shallow:
        click.echo("the clone is shallow: what came before is not here (git fetch --unshallow)")
    return 0


def _row(entry: Entry) -> tuple[str, ...]:
    from sim.repository import SHORT

    change = ""
    if entry.is_step:
        moved = entry.value - entry.before
        change = f"{100 * moved / entry.before:+.2f} %" if entry.before else f"{moved:+}"
    value = "?" if entry.value is None else str(entry.value)
    return entry.date, entry.commit[:SHORT], value, change, "; ".join(_words(entry))


def _words(entry: Entry) -> Iterator[str]:
    yield entry.subject
    if entry.was is not None:
        yield f"renamed from {entry.was}"
    if entry.reason is not None:
        yield f"accepted: {entry.reason}"
    if entry.problem is not None:
        yield f"not told: {entry.problem}"


def _print_bisection(subject: Subject, metric: str, good: str, bad: str, as_json: bool) -> int:
    from sim.baselines.bisection import Runs, bisect
    from sim.baselines.differences import change, check_metric
    from sim.baselines.history import path_in
    from sim.repository import SHORT
    from sim.results.result import to_json

    check_metric(metric)
    repository = subject.repository
    workload = path_in(repository, subject.path)
    runs = Runs(repository, workload, _given_there(subject), subject.case, metric)

    def named(commit: str) -> str:
        return repository.ask("log", "-1", "--format=%cs  %H  %s", commit).strip()

    def measure(commit: str) -> int:
        try:
            value = runs.measure(commit)
        except InputError as error:
            click.echo(f"{commit[:SHORT]}  cannot run: {error.diagnostics[0].message}", err=True)
            raise
        click.echo(f"{commit[:SHORT]}  {value}", err=True)
        return value

    found = bisect(repository, good, bad, measure)
    if as_json:
        content = {"metric": metric, "first": found.first, "value": found.value,
                   "before": found.good, "untested": found.untested}  # fmt: skip
        click.echo(to_json(content), nl=False)
        return 0
    click.echo(f"{subject.title}: {metric} {change(found.good, found.value)}")
    click.echo(named(found.first))
    if found.untested:
        click.echo("or one of these, which could not run:")
    for commit in found.untested:
        click.echo(named(commit))
    return 0


def _given_there(subject: Subject) -> str | None:
    """The machine as it is given in a worktree: a file of the repository is that of the commit."""
    from sim.baselines.history import path_in

    if subject.given is None or subject.given == subject.machine:
        return subject.given
    file = Path(subject.given).resolve()
    in_repository = file.is_relative_to(subject.repository.root)
    return path_in(subject.repository, file) if in_repository else str(file)


PLUGIN = history
