"""`simrun study`: a workload at many points, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from machines.diagnostics import input_error
from sim.commands.parameters import PATH, QUIET, TEXT, TRUST
from sim.commands.trace_window import trace_window

if TYPE_CHECKING:
    from sim.studies.plan import Plan, Point
    from sim.studies.store import Store
    from sim.studies.table import Identities
    from sim.timeline.window import TraceWindow

STORE = click.option(
    "--store", type=PATH, metavar="FILE", help="Where results are kept: NAME.sqlite beside it."
)
PLOT = click.option(
    "--plot", "plots", multiple=True, type=TEXT, metavar="KIND=FILE",
    help="Draw effects, pareto, speedup or tornado, as .svg or .png.",
)  # fmt: skip

PAGE = click.option(
    "--page", type=PATH, metavar="FILE",
    help="Also write a page for the eye: one HTML file with charts.",
)  # fmt: skip
TRACES = click.option(
    "--traces", type=PATH, metavar="DIR",
    help="Write timelines of the points that run there, a file each.",
)  # fmt: skip
TRACE_FORMAT = click.option(
    "--trace-format", type=TEXT, metavar="NAME",
    help="In this format (chrome): one of `simrun list traces`.",
)  # fmt: skip
JOBS = click.option(
    "--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Run so many at a time."
)
SCHEDULER = click.option(
    "--scheduler", type=TEXT, metavar="ADDRESS", help="Run on Dask: tcp://HOST:PORT."
)
PROGRESS = click.option(
    "--progress/--no-progress", default=None, help="Show progress (default: terminals)."
)


class StudyGroup(click.Group):
    """`simrun study FILE` means `simrun study run FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group("study", cls=StudyGroup)
def study() -> None:
    """Run a workload at many points (the word `run` may be left out), and tell what was found."""


@study.command("run")
@click.argument("file", type=PATH)
@STORE
@TRUST
@PLOT
@PAGE
@click.option("--dry-run", is_flag=True, help="Say which points there are; run nothing.")
@JOBS
@SCHEDULER
@PROGRESS
@QUIET
@TRACES
@TRACE_FORMAT
@trace_window
def run(
    file: Path, store: Path | None, trust: bool, plots: tuple[str, ...], page: Path | None,
    dry_run: bool, jobs: int, scheduler: str | None, progress: bool | None, quiet: bool,
    traces: Path | None, trace_format: str | None, window: TraceWindow | None,
) -> int:  # fmt: skip
    """Run the points of a study that have no result yet."""
    from sim.studies.plots import check_plots
    from sim.studies.store import Store, default_store

    plan = _traced(_plan(file, trust), traces, trace_format, window)
    check_plots(plots, plan)
    _check_page(page)
    path = store or default_store(file)
    if dry_run:
        _say_what_would_run(plan, path, jobs)
        return 0
    with Store.open(path) as opened:
        identities = _conduct(plan, opened, jobs, scheduler, False if quiet else progress)
        return _tell(plan, opened, identities, plots, page, quiet)


def _plan(file: Path, trust: bool = False) -> Plan:
    """The study of a file."""
    from sim.studies.plan import plan_of
    from sim.studies.study_file import read_study

    return plan_of(read_study(file), trust)


def _traced(plan: Plan, folder: Path | None, form: str | None, window: TraceWindow | None) -> Plan:
    """The plan, of whose points timelines are written to a folder; raises InputError."""
    if folder is None:
        for option, given in (("--trace-format", form), ("a part of a trace", window)):
            if given is not None:
                raise input_error(f"{option}: there is no --traces", hint="--traces DIR")
        return plan
    if plan.study.form.warm is not None:
        message = "--traces: points that go on from a warm state would lack what came before"
        raise input_error(message, hint="leave 'warm' out of the study")
    from sim.studies.traces import Traces

    return replace(plan, traces=Traces(folder.absolute(), form, window))


def _conduct(
    plan: Plan, store: Store, jobs: int, scheduler: str | None, progress: bool | None
) -> Identities:
    """Run what has to be run, with progress; what each point's result is a result of."""
    from sim.studies.conduct import local
    from sim.studies.progress import StudyProgress
    from sim.studies.search import run_points

    if scheduler is not None:
        from sim.studies.on_dask import on_dask

        runs = on_dask(scheduler)
    else:
        runs = local(jobs)
    identities = {}
    with StudyProgress(plan.study.name, plan.count, progress) as shown:
        for point, outcome in run_points(plan, store, runs):
            identities[point.name] = outcome.stands_for
            shown.update(outcome)
    return identities


def _say_what_would_run(plan: Plan, path: Path, jobs: int) -> None:
    from sim.studies.conduct import known_points
    from sim.studies.progress import duration
    from sim.studies.report import MOST_ROWS
    from sim.studies.store import Store

    if plan.searches:
        click.echo(f"a search of {plan.count} trials, whose points it finds itself")
        return
    known, mean = set(), None
    points = (*plan.points, *plan.bases)
    if path.exists():
        with Store.open(path, writes=False) as store:
            known = {point.name for point, _ in known_points(plan, store)}
            mean = store.mean_seconds(plan.study.name)
    for point in points[:MOST_ROWS]:
        mark = "known" if point.name in known else "to run"
        cells = (f"{name}={label}" for name, label in point.coordinates.items())
        click.echo(f"{mark:7}  {'  '.join(cells)}")
    if len(points) > MOST_ROWS:
        click.echo(f"… and {len(points) - MOST_ROWS} more")
    left = len(points) - len(known)
    click.echo(f"{len(points)} points, {len(known)} known, {left} to run")
    if left and mean is not None:
        click.echo(f"about {duration(left * mean / jobs)} with {jobs} at a time")


def _tell(
    plan: Plan, store: Store, identities: Identities, plots: Sequence[str],
    page: Path | None = None, quiet: bool = False,
) -> int:  # fmt: skip
    """Print what was found, draw what is asked; 1 if a point has no right result, of which alone
    something is printed if it is to be quiet."""
    from sim.studies.plots import draw
    from sim.studies.study_result import StudyResult
    from sim.studies.table import tabulate

    found = StudyResult(plan, tabulate(plan, store, identities))
    if not (quiet and found.ok):
        click.echo(found)
    for plot in plots:
        draw(plot, plan, found.table)
    if page is not None:
        from machines.cache.files import write_atomically

        write_atomically(page, found.page())
    return 0 if found.ok else 1


def _check_page(page: Path | None) -> None:
    """Raise InputError, before anything runs, if no page could be written."""
    if page is not None:
        from machines.cache.files import check_writable
        from sim.pages.library import check_library

        check_library()
        check_writable(page)


def _now(plan: Plan, store: Store) -> Identities:
    """What results of the points would be results of now."""
    from sim.studies.conduct import identities_now
    from sim.studies.table import points_of

    return identities_now(points_of(plan, store))


@study.command("show")
@click.argument("file", type=PATH)
@STORE
@PLOT
@PAGE
def show(file: Path, store: Path | None, plots: tuple[str, ...], page: Path | None) -> int:
    """Print what is known of a study, also while it runs."""
    from sim.studies.plots import check_plots
    from sim.studies.store import Store, default_store

    plan = _plan(file)
    check_plots(plots, plan)
    _check_page(page)
    with Store.open(store or default_store(file), writes=False) as opened:
        return _tell(plan, opened, _now(plan, opened), plots, page)


@study.command("export")
@click.argument("file", type=PATH)
@click.option("-o", "--out", type=PATH, required=True, metavar="FILE", help="CSV, JSON, Parquet.")
@STORE
def export(file: Path, out: Path, store: Path | None) -> int:
    """Write the table of a study to a file: a row a point, all figures.  Points that were not run,
    or whose results are of something else by now, make the exit code 1."""
    from sim.studies.report import export as write
    from sim.studies.store import Store, default_store
    from sim.studies.table import tabulate

    plan = _plan(file)
    with Store.open(store or default_store(file), writes=False) as opened:
        table = tabulate(plan, opened, _now(plan, opened))
    write(table, out)
    return 1 if table.is_behind else 0


@study.command("compare")
@click.argument("file", type=PATH)
@click.argument("a", type=TEXT)
@click.argument("b", type=TEXT)
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def compare(file: Path, a: str, b: str, store: Path | None, as_json: bool) -> None:
    """Compare the results of two points, written like "l2=8 cycles,n=100": cycles, reasons,
    counters, lines, fields.  Of an axis that is not named it is the first level."""
    from sim.results.beside import beside
    from sim.results.result import to_json
    from sim.studies.store import Store, default_store

    plan = _plan(file)
    points = [plan.point_at(text) for text in (a, b)]
    with Store.open(store or default_store(file), writes=False) as opened:
        results = [_result_of(plan, opened, point) for point in points]
    found = beside(*results, tuple(point.setting.machine for point in points))
    click.echo(to_json(found.to_dict()) if as_json else str(found), nl=not as_json)


def _result_of(plan: Plan, store: Store, point: Point) -> dict[str, Any]:
    """A point's result with the words by which it was asked for."""
    from sim.studies.conduct import identities_now
    from sim.studies.table import points_of

    tried = (one for one in points_of(plan, store) if one.name == point.name)
    point = next(tried, point)
    row, setting = store.row(plan.study.name, point), point.setting
    content = row.document if row is not None else None
    if content is None or row.identity != identities_now([point])[point.name]:
        where = ", ".join(f"{name}={label}" for name, label in point.coordinates.items())
        raise input_error(f"{where} has no result", hint="simrun study FILE runs it")
    arguments = dict(setting.arguments or {})
    arguments |= {f"seed of {name}": seed for name, seed in (setting.seeds or {}).items()}
    if setting.base is not None:
        arguments["program"] = "of the base"
    words = {"overrides": list(setting.overrides), "arguments": arguments}
    return {**content, "provenance": {**content["provenance"], **words}}


FAILED = ("wrong", "fault", "limit", "hang", "refused", "died")


@study.command("retry")
@click.argument("file", type=PATH)
@STORE
@click.option("--only", multiple=True, type=click.Choice(FAILED), help="Points that ended so.")
@TRUST
@PLOT
@PAGE
@JOBS
@SCHEDULER
@PROGRESS
@click.pass_context
def retry(
    ctx: click.Context, file: Path, store: Path | None, only: tuple[str, ...], **how: Any
) -> int:
    """Run the points again that have no right result."""
    from sim.studies.store import Store, default_store

    plan = _plan(file)
    with Store.open(store or default_store(file)) as opened:
        count = opened.forget_failures(plan.study.name, only or FAILED)
    click.echo(f"{count} points wait again", err=True)
    return ctx.invoke(run, file=file, store=store, dry_run=False, **how)


@study.command("gc")
@click.argument("store", type=PATH)
@click.option("--remove", multiple=True, type=TEXT, metavar="STUDY", help="Forget a study.")
def collect(store: Path, remove: tuple[str, ...]) -> None:
    """Remove results that no study has, and studies that are named."""
    from machines.diagnostics import nearest
    from sim.studies.store import Store

    if not store.is_file():
        raise input_error(f"there is no store {store}")
    with Store.open(store) as opened:
        known = opened.studies()
        for name in remove:
            if name not in known:
                raise input_error(f"{store} has no study '{name}'", hint=nearest(name, known))
        gone = opened.collect(remove)
        click.echo(f"{gone} results removed")
        for name, counts in opened.studies().items():
            ended = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
            click.echo(f"{name}: {ended}")


PLUGIN = study
