"""`simrun run`: the main job."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from machines.diagnostics import input_error
from sim.bounds import MOST_CYCLES
from sim.commands.over_time import OverTime, over_time
from sim.commands.parameters import (
    ARGUMENTS,
    DIMENSIONS,
    MACHINE,
    PASSES,
    PATH,
    QUIET,
    REPORT,
    SET,
    TEXT,
    TRACE,
    TRUST,
    VARIANTS,
    VERBOSE,
    pass_list,
    read_extents,
)
from sim.commands.trace_window import trace_window

if TYPE_CHECKING:
    from compiler.targets import Emit
    from machines.description.load import Machine
    from sim.prepared_case import PreparedCase
    from sim.results.result import Result
    from sim.timeline.window import TraceWindow


class CycleLimit(click.Option):
    """The option whose help says the default, which is imported only for that."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        from sim.workload.schema import Limits

        self.help = self.help.format(default=f"{Limits().cycles:,}".replace(",", " "))
        return super().get_help_record(ctx)


@click.command("run")
@click.argument("workload", type=PATH)
@MACHINE
@SET
@ARGUMENTS
@PASSES
@VARIANTS
@click.option(
    "--cycle-limit", cls=CycleLimit, type=click.IntRange(1, MOST_CYCLES),
    help="End the run after these cycles (else: the workload's limit, {default} if it has none).",
)  # fmt: skip
@click.option(
    "--timing-only",
    is_flag=True,
    help="Compute nothing that time does not depend on, and compare no outputs.",
)
@click.option(
    "--races/--no-races", default=True,
    help="End a run of a chip where nothing says which of two commands comes first (default).",
)  # fmt: skip
@click.option(
    "--threads", type=click.IntRange(1), default=1, metavar="COUNT",
    help="Let a core that can do so use threads of the host; the result is the same.",
)  # fmt: skip
@click.option(
    "--measure", type=TEXT, metavar="AFTER[:UNTIL]",
    help="Figures of steps of the host alone: 2:5 of steps 3 to 5 (else the workload's region).",
)  # fmt: skip
@click.option(
    "--checkpoint", type=PATH, metavar="FILE",
    help="Keep the run in a file, as it is after --checkpoint-at, and go on.",
)  # fmt: skip
@click.option(
    "--checkpoint-at", type=click.IntRange(1), metavar="STEP",
    help="After how many steps of the host; the run must be at rest there.",
)  # fmt: skip
@click.option(
    "--from", "resume", type=PATH, metavar="FILE",
    help="Go on from a run that was kept: the result is that of the whole run.",
)  # fmt: skip
@TRUST
@DIMENSIONS
@click.option(
    "--tensor", "tensors", type=TEXT, multiple=True, metavar="NAME",
    help="Of a model without a workload: a tensor between that is an output, too.",
)  # fmt: skip
@click.option(
    "--against", type=TEXT, metavar="NAME",
    help="Compare the outputs with those of another program that computes the same: onnxruntime.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--report", type=REPORT, metavar="NAME", help="Print it by this report plugin.")
@QUIET
@VERBOSE
@click.option("--out", type=PATH, metavar="DIR", help="Also write it there.")
@click.option(
    "--versus", type=TEXT, metavar="baseline|FILE",
    help="Also compare with the accepted baseline, or with a result of --json or --out.",
)  # fmt: skip
@click.option("--page", type=PATH, metavar="FILE",
              help="Also write a page for the eye: one HTML file with charts.")  # fmt: skip
@click.option("--trace", type=PATH, metavar="FILE",
              help="Write what happens when, in the format that the name says.")  # fmt: skip
@click.option("--trace-format", type=TRACE, metavar="NAME",
              help="In this format: one of `simrun list traces`.")  # fmt: skip
@trace_window
@over_time
@click.option("--progress/--no-progress", default=None, help="Show simulated cycles per second.")
@click.option("--emit", "assembly", type=PATH, metavar="FILE",
              help="Do not run: write the program with its arguments for other tools.")  # fmt: skip
def run(
    workload: Path, machine: str | None, overrides: tuple[str, ...], arguments: tuple[str, ...],
    passes: str | None, variants: tuple[str, ...], cycle_limit: int | None,
    timing_only: bool, races: bool, threads: int, measure: str | None,
    checkpoint: Path | None, checkpoint_at: int | None, resume: Path | None, trust: bool,
    dimensions: tuple[str, ...], tensors: tuple[str, ...], against: str | None,
    as_json: bool, report: str | None, quiet: bool, verbose: bool,
    out: Path | None,
    versus: str | None, page: Path | None, trace: Path | None, trace_format: str | None,
    window: TraceWindow | None, over_time: OverTime, progress: bool | None,
    assembly: Path | None,
) -> int:  # fmt: skip
    """Run a workload (the word `run` may be left out), or a model: inputs are made up then, and
    nothing is compared."""
    from sim.levels import runs_alone
    from sim.workload.given_arguments import read_arguments
    from sim.workload.region import read_region
    from sim.workload.schema import read_workload

    if quiet and (as_json or report is not None):
        hint = "leave out one of them"
        raise input_error("--quiet is a report of its own: it excludes --json, --report", hint=hint)
    report = "quiet" if quiet else report
    if as_json and report is not None:
        raise input_error("--json and --report exclude each other", hint="leave out one of them")
    if report is not None:
        from sim.reports.output import find_report

        find_report(report)  # a misspelt one is told before anything is read
    if versus is not None and report not in (None, "text", "json"):
        message = f"--versus is written as text or JSON, not by report '{report}'"
        raise input_error(message, hint="leave out one of them")
    if (checkpoint is None) != (checkpoint_at is None):
        hint = "--checkpoint FILE --checkpoint-at STEP"
        raise input_error("--checkpoint and --checkpoint-at go together", hint=hint)
    if trace_format is not None and trace is None:
        raise input_error("--trace-format: there is no --trace", hint="--trace FILE")
    if window is not None and trace is None and page is None:
        raise input_error("a part of a trace: there is no --trace", hint="--trace FILE")
    drawn = None
    if page is not None:
        from sim.pages.run_page import RunPage

        drawn = RunPage(page, ["simrun", *sys.argv[1:]])
    if resume is not None and trace is not None:
        hint = "leave one of them out"
        raise input_error("--trace would lack what happened before --from", hint=hint)
    if against is not None and timing_only:
        hint = "leave one of them out"
        raise input_error("--against compares, and --timing-only computes nothing", hint=hint)
    is_alone = runs_alone(workload)
    if dimensions and not is_alone:
        hint = "a workload says 'dimensions: {NAME: N}'"
        raise input_error("--dimension is for models that run without a workload", hint=hint)
    if tensors and not is_alone:
        hint = "a workload says 'tensors: [NAME]'"
        raise input_error("--tensor is for models that run without a workload", hint=hint)
    if is_alone:
        from sim.without_workload import compile_alone

        extents, chosen = read_extents(dimensions), pass_list(passes)
        compiled = compile_alone(workload, machine, overrides, chosen, extents, tensors)
        described = compiled.workload
    else:
        described = read_workload(workload)
    given = read_arguments(arguments)
    cases = [described.case(name) for name in variants] or described.cases()
    cases = [case.with_arguments(given) for case in cases]
    if measure is not None:
        cases = [replace(case, measure=read_region(measure)) for case in cases]
    # What runs things is imported once there is something to run.
    from machines.cache.files import check_writable
    from sim.prepared_case import prepare
    from sim.progress import Progress
    from sim.reports.output import ResultFolder, find_report
    from sim.rests.stops import Keep
    from sim.results.result import to_json
    from sim.results.series_files import write_series
    from sim.results.vocabulary import vocabulary_of
    from sim.runner import (
        check_races,
        check_threads,
        check_timing_only,
        compile_workload,
        execute,
    )
    from sim.status import INTERRUPTED
    from sim.traced import check_traceable, trace_writer, traced

    writer = find_report("json" if as_json else report or "text")
    if not is_alone:
        compiled = compile_workload(described, machine, overrides, pass_list(passes))
    # Every case is prepared before the first one runs, so that mistakes show at once.
    prepared_cases = [prepare(compiled, case, trust, not timing_only) for case in cases]
    if against is not None:
        from sim.without_workload import judged

        prepared_cases = [judged(prepared, against) for prepared in prepared_cases]
    if timing_only:
        check_timing_only(compiled)
    if not races:
        check_races(compiled.machine)
    check_threads(compiled.machine, threads)
    trace_in = None
    if trace is not None:
        if threads > 1:
            raise input_error("a trace is written by one thread", hint="leave --threads out")
        check_traceable(compiled.machine)
        _check_one_case(prepared_cases, "--trace")
        trace_in = trace_writer(trace, trace_format)
    _check_over_time(over_time, prepared_cases, threads, window)
    asked = over_time.of(vocabulary_of(compiled.machine.kind))
    if checkpoint is not None:
        _check_one_case(prepared_cases, "--checkpoint")
        check_writable(checkpoint)
    if resume is not None:
        _check_one_case(prepared_cases, "--from")
    if assembly is not None:
        unused = {
            "json": as_json,
            "report": report,
            "out": out,
            "versus": versus,
            "cycle-limit": cycle_limit,
            "timing-only": timing_only,
            "no-races": not races,
            "threads": threads > 1,
            "measure": measure,
            "checkpoint": checkpoint,
            "from": resume,
            "page": page,
            "trace": trace,
            **over_time.unused,
        }
        _emit(prepared_cases, assembly, [name for name, value in unused.items() if value])
        return 0
    beside = None
    if versus is not None:
        from sim.baselines.versus import find_against

        beside = find_against(versus, compiled, cases)
    on_page = beside
    if drawn is not None:
        from sim.pages.run_page import accepted, window_for

        on_page = beside or accepted(compiled, cases)
        # Histograms are of the whole run, and so is a trace without a window.
        is_free = window is None and trace is None and not over_time.histograms
        window = window_for(compiled.machine) if is_free else window
    changes = [*overrides, *arguments, *([f"passes={passes}"] if passes else [])]
    folder = ResultFolder(out, changes) if out else None
    exit_codes = []

    def results() -> Iterator[Result]:
        for prepared in prepared_cases:
            recorded = None
            if drawn is not None and threads == 1 and resume is None:
                recorded = drawn.recorder(prepared, window)
            also = recorded.take if recorded is not None else None
            with (
                Progress(described.name, progress) as shown,
                traced(prepared, trace, trace_in, window, also) as recording,
            ):
                result = execute(
                    prepared,
                    cycle_limit=cycle_limit,
                    values=not timing_only,
                    races=races,
                    threads=threads,
                    on_progress=shown.update,
                    recording=recording,
                    keep=Keep(checkpoint, checkpoint_at) if checkpoint is not None else None,
                    resume=resume,
                    **asked,
                )
            if over_time.series_to is not None:
                write_series(result, over_time.series_to)
            exit_codes.append(result.exit_code)
            if verbose:
                _say_what_was_done(result)
            if checkpoint is not None and not result.host["kept"]:
                message = f"simrun: the run ended before step {checkpoint_at}: nothing was kept"
                click.echo(message, err=True)
            if folder:
                folder.write(result)
            if drawn is not None:
                drawn.add(prepared, result, recorded, on_page(result) if on_page else None)
            yield result
            if result.status == INTERRUPTED:
                return

    several = bool(described.form.variants) and len(variants) != 1
    if beside is None:
        writer.write(results(), sys.stdout, several=several)
    elif writer.name == "json":
        contents = [{**one.to_dict(), "versus": beside(one).to_dict()} for one in results()]
        click.echo(to_json(contents if several else contents[0]), nl=False)
    else:
        for number, result in enumerate(results()):
            click.echo("\n" if number else "", nl=False)
            writer.write([result], sys.stdout, several=False)
            click.echo(f"\n{beside(result)}")
    if drawn is not None:
        drawn.write()
    return max(exit_codes)


def _say_what_was_done(result: Result) -> None:
    """What belongs to the host, and so is in no result."""
    host = result.host
    rate = result.cycles / max(host["simulate_seconds"], 1e-9) / 1e6
    told = [
        f"workload {host['workload'] or 'from no file'}",
        f"machine {host['machine'] or 'from no file'}",
        f"compiled in {host['compile_seconds']:.3f} s",
        f"simulated {result.cycles} cycles in {host['simulate_seconds']:.3f} s, {rate:.2f} million"
        " a second",
    ]
    for line in told:
        click.echo(f"simrun: {result.title}: {line}", err=True)


def _check_over_time(
    wanted: OverTime, cases: Sequence[PreparedCase], threads: int, window: TraceWindow | None
) -> None:
    """Raises InputError for what cannot be had of these cases."""
    from sim.results.series_files import check_series_file
    from sim.traced import check_traceable

    if wanted.series_to is not None:
        _check_one_case(cases, "--series-to")
        check_series_file(wanted.series_to)
    if not wanted.histograms:
        return
    check_traceable(cases[0].compiled.machine)
    if threads > 1:
        raise input_error("--histograms are made by one thread", hint="leave --threads out")
    if window is not None:
        hint = "leave the part of a trace out, or make them in another run"
        raise input_error("--histograms are of the whole run", hint=hint)


def _emit(cases: Sequence[PreparedCase], path: Path, unused: Sequence[str]) -> None:
    """Write the one case's program; options that only a run reads are refused."""
    from sim.emit import emit

    output = _output(cases[0].compiled.machine, path)
    if unused:
        raise input_error(f"--emit runs nothing: --{unused[0]} has no effect", hint="leave it out")
    _check_one_case(cases, "--emit")
    click.echo(emit(cases[0], path, output))


def _output(machine: Machine, path: Path) -> Emit:
    """What the machine's target makes files of such a name; raises InputError if it makes none."""
    from compiler.targets import target_of, targets
    from machines.description.load import machine_names

    outputs = target_of(machine).emits
    if not outputs:
        others = [
            name for kind, one in targets().items() if one.emits for name in machine_names(kind)
        ]
        message = f"--emit writes no programs of {machine.name}, a machine of kind '{machine.kind}'"
        raise input_error(message, hint=f"choose another by --machine: {', '.join(others)}")
    for output in outputs:
        if path.suffix in output.suffixes:
            return output
    known = "; ".join(f"{' '.join(output.suffixes)}: {output.sentence}" for output in outputs)
    raise input_error(f"--emit writes no '{path.suffix}' files of {machine.name}", hint=known)


def _check_one_case(cases: Sequence[PreparedCase], option: str) -> None:
    """Some files hold what belongs to one variant."""
    if len(cases) != 1:
        names = ", ".join(prepared.case.name for prepared in cases)
        raise input_error(f"{option} writes one variant", hint=f"choose by --variant: {names}")


PLUGIN = run
