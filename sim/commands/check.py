"""`simrun check`: workloads against their accepted baselines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sim.commands.parameters import PATH, TEXT, TRUST


@click.command()
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option(
    "--machine", "machines", multiple=True, type=TEXT, metavar="NAME|FILE", help="Only on these."
)
@TRUST
@click.option("--update", is_flag=True, help="Accept what the runs give as the new baseline.")
@click.option(
    "--tolerance", multiple=True, type=TEXT, metavar="[METRIC=]FRACTION",
    help="Allow metrics to move: 1%, cycles=0.5%.",
)  # fmt: skip
@click.option("--junit", type=PATH, metavar="FILE", help="Also as JUnit XML.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Run so many at a time."
)
def check(
    paths: tuple[Path, ...], machines: tuple[str, ...], trust: bool, update: bool,
    tolerance: tuple[str, ...], junit: Path | None, jobs: int,
) -> int:  # fmt: skip
    """Compare workloads (files, or folders of them) with their accepted baselines.

    Without --machine: on the machine that the workload names and on all it has baselines of.
    """
    from machines.kept.files import check_writable, write_atomically
    from sim.results import baselines as checks
    from sim.results.accepted import read_tolerance

    allowed = read_tolerance(tolerance)
    if junit is not None:
        check_writable(junit)
    tasks = [
        checks.Task(path, machines, update, allowed, trust) for path in checks.find_workloads(paths)
    ]
    verdicts: list[checks.Verdict] = []
    try:
        for checked in checks.check_all(tasks, jobs):
            for verdict in checked.accept():
                verdicts.append(verdict)
                _print_verdict(verdict)
    finally:  # also when interrupted: so much is known
        failed = sum(1 for verdict in verdicts if verdict.exit_code)
        click.echo(f"{len(verdicts)} checked, {failed} failed")
    if junit is not None:
        write_atomically(junit, checks.junit(verdicts))
    return max(verdict.exit_code for verdict in verdicts)


def _print_verdict(verdict: Any) -> None:
    cycles = "" if verdict.cycles is None else f"  {verdict.cycles} cycles"
    style = {"fg": "red" if verdict.exit_code else "green"}
    click.echo(f"{click.style(f'{verdict.status:12}', **style)} {verdict.title}{cycles}")
    for line in verdict.details:
        click.echo(f"             {line}")


PLUGIN = check
