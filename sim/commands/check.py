"""`simrun check`: workloads against their accepted baselines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from machines.diagnostics import input_error
from sim.commands.parameters import MACHINE_NAME, PATH, QUIET, TEXT, TRUST

if TYPE_CHECKING:
    from sim.baselines.accepted import Acceptance


@click.command()
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option(
    "--machine",
    "machines",
    multiple=True,
    type=MACHINE_NAME,
    metavar="NAME|FILE",
    help="Only on these.",
)
@TRUST
@click.option("--update", is_flag=True, help="Accept what the runs give as the new baseline.")
@click.option("--reason", type=TEXT, metavar="TEXT", help="Why it is right: kept beside it.")
@click.option(
    "--tolerance", multiple=True, type=TEXT, metavar="[METRIC=]FRACTION",
    help="Allow metrics to move: 1%, cycles=0.5%.",
)  # fmt: skip
@click.option("--junit", type=PATH, metavar="FILE", help="Also as JUnit XML.")
@click.option("--markdown", type=PATH, metavar="FILE", help="Also as a page for a pull request.")
@QUIET
@click.option(
    "--verbose", "-v", is_flag=True, help="Say of what passes, too, what it was accepted as."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Run so many at a time."
)
def check(
    paths: tuple[Path, ...], machines: tuple[str, ...], trust: bool, update: bool,
    reason: str | None, tolerance: tuple[str, ...], junit: Path | None, markdown: Path | None,
    quiet: bool, verbose: bool, jobs: int,
) -> int:  # fmt: skip
    """Compare workloads (files, or folders of them) with their accepted baselines.

    Without --machine: on the machine that the workload names and on all it has baselines of.
    """
    _check_words(update, reason)
    from machines.cache.files import check_writable, write_atomically
    from sim.baselines import check_reports
    from sim.baselines import checking as checks
    from sim.baselines.differences import read_tolerance

    allowed = read_tolerance(tolerance)
    reports = {junit: check_reports.junit, markdown: check_reports.markdown}
    reports = {path: write for path, write in reports.items() if path is not None}
    for path in reports:
        check_writable(path)
    checks.check_names(machines)
    found = checks.find_workloads(paths)
    acceptances = _acceptances(found, reason) if update else dict.fromkeys(found)
    tasks = [checks.Task(path, machines, acceptances[path], allowed, trust) for path in found]
    verdicts: list[checks.Verdict] = []
    try:
        for checked in checks.check_all(tasks, jobs):
            for verdict in checked.accept():
                verdicts.append(verdict)
                if verdict.exit_code or not quiet:
                    _print_verdict(verdict, verbose)
    finally:  # also when interrupted: so much is known
        failed = sum(1 for verdict in verdicts if verdict.exit_code)
        if failed or not quiet:
            click.echo(f"{len(verdicts)} checked, {failed} failed")
    for path, write in reports.items():
        write_atomically(path, write(verdicts))
    return max(verdict.exit_code for verdict in verdicts)


def _check_words(update: bool, reason: str | None) -> None:
    """Nothing is accepted without a reason, nor where nobody looks at what moved."""
    if reason is not None and not update:
        raise input_error(
            "--reason says why --update accepts", hint="add --update, or leave it out"
        )
    if update and os.environ.get("CI"):
        message = "--update accepts nothing where CI is set: nobody looks at what moved there"
        raise input_error(message, hint="accept it where you work, and commit the baselines")
    if update and reason is None:
        hint = 'say what moved the figures, and why that is right: --reason "…"'
        raise input_error("--update needs a reason", hint=hint)


def _acceptances(workloads: list[Path], reason: str) -> dict[Path, Acceptance]:
    """Why and on which revision the baselines of workloads are accepted, as the files are now: the
    first baseline that is written changes them."""
    from sim.baselines.accepted import Acceptance, check_reason
    from sim.repository import repository_of, revision_of

    text = check_reason(reason)
    repositories = {path: repository_of(path) for path in workloads}
    revisions = {repository: revision_of(repository) for repository in set(repositories.values())}
    return {path: Acceptance(text, revisions[repositories[path]]) for path in workloads}


def _print_verdict(verdict: Any, verbose: bool) -> None:
    cycles = "" if verdict.cycles is None else f"  {verdict.cycles} cycles"
    style = {"fg": "red" if verdict.exit_code else "green"}
    click.echo(f"{click.style(f'{verdict.status:12}', **style)} {verdict.title}{cycles}")
    for line in verdict.details + (verdict.notes if verbose else []):
        click.echo(f"             {line}")


PLUGIN = check
