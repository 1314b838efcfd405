"""The command line.  Everything heavy is imported inside the commands: `--help` must be quick.

Exit codes: 0 done and outputs right; 1 outputs wrong, or a baseline moved; 2 the user's input is
wrong, or something outside of simrun (a full disk) keeps it from working; 3 the simulated program
faulted or did not end; 70 a mistake in simrun itself; 130 interrupted by Ctrl-C, 143 by SIGTERM.
Commands return theirs.
"""

from __future__ import annotations

import sys

try:
    import signal
    import tempfile
    import threading
    import traceback
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import contextmanager
    from pathlib import Path
    from typing import Any, NoReturn

    import click

    from machines.diagnostics import InputError, input_error, nearest
    from machines.plugins import FAILED
    from sim.bounds import MOST_CYCLES
    from sim.streams import flush_or_discard, prepare_streams
    from sim.version import release
except KeyboardInterrupt:  # `main`, which handles it otherwise, is not there yet
    print("interrupted", file=sys.stderr)
    raise SystemExit(130) from None

WRONG_INPUT, BROKEN_OFF, TERMINATED, OUR_MISTAKE = 2, 130, 143, 70
USUAL_MACHINES = {".ptx": "h200"}
"""What a program is shown for if no machine is named, where that is not itanium2."""


class MainGroup(click.Group):
    """A group whose command may be left out: `simrun x.yaml` means `simrun run x.yaml`."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        own = {option for parameter in self.params for option in parameter.opts} | {"--help", "-h"}
        first = arguments[0] if arguments else None
        if first is not None and first not in self.commands and first not in own:
            is_command_word = not first.startswith("-") and not _looks_like_a_file(first)
            if not is_command_word:
                arguments = ["run", *arguments]
        return super().parse_args(context, arguments)

    def resolve_command(self, context: click.Context, arguments: list[str]) -> Any:
        name = arguments[0]
        if name not in self.commands:
            message = f"there is no command '{name}'"
            hint = nearest(name, self.commands) + "  (a workload is a file: NAME.yaml)"
            raise input_error(message, hint=hint)
        return super().resolve_command(context, arguments)


def _looks_like_a_file(word: str) -> bool:
    return "/" in word or Path(word).suffix != "" or Path(word).exists()


class Given(click.ParamType):
    """A text or a path that is not empty, as it is where a shell's variable was not set."""

    def __init__(self, name: str, make: Callable[[str], Any]):
        self.name, self.make = name, make

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail(f"it is an empty {self.name}", param, ctx)
        return self.make(value)


TEXT, PATH = Given("text", str), Given("path", Path)


class CycleLimit(click.Option):
    """The option whose help says the default, which is far to fetch."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        from sim.workload.schema import Limits

        self.help = self.help.format(default=f"{Limits().cycles:,}".replace(",", " "))
        return super().get_help_record(ctx)


SET = click.option(
    "--set", "overrides", multiple=True, type=TEXT, metavar="PATH=VALUE",
    help="Change one value of the machine, for example memory.l1d.size=32KiB.",
)  # fmt: skip
MACHINE = click.option("--machine", type=TEXT, metavar="NAME|FILE", help="Run on another machine.")
ARGUMENT = click.option(
    "--arg", "arguments", multiple=True, type=TEXT, metavar="NAME=VALUE",
    help='Give an argument another value: n=1000, "x={dtype: f32, file: x.npy}".',
)  # fmt: skip
TRUST = click.option(
    "--trust", is_flag=True, help="Let oracles of the workload's own run: Python code beside it."
)
PASSES = click.option(
    "--passes", type=TEXT, metavar="LIST", help="Compiler passes, separated by commas."
)


@click.group(cls=MainGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(release(), message="simrun %(version)s")
def simrun() -> None:
    """Compile a program for a described machine, run it cycle by cycle, check its outputs, and see
    where the cycles went.

    The main job: simrun WORKLOAD.yaml
    """


@simrun.command("run")
@click.argument("workload", type=PATH)
@MACHINE
@SET
@ARGUMENT
@PASSES
@click.option(
    "--variant", "variants", multiple=True, type=TEXT, metavar="NAME", help="Run only this variant."
)
@click.option(
    "--cycle-limit", cls=CycleLimit, type=click.IntRange(1, MOST_CYCLES),
    help="End the run after these cycles (else: the workload's limit, {default} if it has none).",
)  # fmt: skip
@TRUST
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--report", type=TEXT, metavar="NAME", help="Print it by this report plugin.")
@click.option("--out", type=PATH, metavar="DIR", help="Also write it there.")
@click.option("--trace", type=PATH, metavar="FILE",
              help="Write what warps do, an event a line (simt machines).")  # fmt: skip
@click.option("--progress/--no-progress", default=None, help="Show simulated cycles per second.")
@click.option("--emit", "assembly", type=PATH, metavar="FILE",
              help="Do not run: write a stand-alone program for GNU as.")  # fmt: skip
def run_command(
    workload: Path, machine: str | None, overrides: tuple[str, ...], arguments: tuple[str, ...],
    passes: str | None, variants: tuple[str, ...], cycle_limit: int | None, trust: bool,
    as_json: bool, report: str | None, out: Path | None, trace: Path | None,
    progress: bool | None, assembly: Path | None,
) -> int:  # fmt: skip
    """Run a workload (the word `run` may be left out)."""
    from sim.files import check_writable
    from sim.kinds.simt.trace import open_trace
    from sim.progress import Progress
    from sim.results.output import ResultFolder, find_report
    from sim.results.result import INTERRUPTED, Result
    from sim.runner import compile_workload, execute, launch
    from sim.workload.given_arguments import read_arguments
    from sim.workload.schema import read_workload

    if as_json and report is not None:
        raise input_error("--json and --report exclude each other", hint="leave out one of them")
    writer = find_report("json" if as_json else report or "text")
    described = read_workload(workload)
    given = read_arguments(arguments)
    cases = [described.case(name) for name in variants] or described.cases()
    cases = [case.with_arguments(given) for case in cases]
    compiled = compile_workload(described, machine, overrides, _pass_list(passes))
    # Every case is prepared before the first one runs, so that mistakes show at once.
    launches = [launch(compiled, case, trust) for case in cases]
    if trace is not None:
        _check_traceable(launches)
        check_writable(trace)
    if assembly is not None:
        unused = {
            "json": as_json,
            "report": report,
            "out": out,
            "cycle-limit": cycle_limit,
            "trace": trace,
        }
        _emit(launches, assembly, [name for name, value in unused.items() if value])
        return 0
    changes = [*overrides, *arguments, *([f"passes={passes}"] if passes else [])]
    folder = ResultFolder(out, changes) if out else None
    exit_codes = []

    def results() -> Iterator[Result]:
        for prepared in launches:
            with Progress(described.name, progress) as shown, open_trace(trace, prepared) as events:
                result = execute(
                    prepared, cycle_limit=cycle_limit, on_progress=shown.update, on_trace=events
                )
            exit_codes.append(result.exit_code)
            if folder:
                folder.write(result)
            yield result
            if result.status == INTERRUPTED:
                return

    several = bool(described.form.variants) and len(variants) != 1
    writer.write(results(), sys.stdout, several=several)
    return max(exit_codes)


def _check_traceable(launches: list[Any]) -> None:
    """Only programs of warps have a trace, and a file holds that of one variant."""
    machine = launches[0].compiled.machine
    if machine.kind != "simt":
        raise input_error(f"{machine.name} leaves no trace", hint="--trace is for simt machines")
    if len(launches) != 1:
        names = ", ".join(prepared.case.name for prepared in launches)
        raise input_error("--trace writes one variant", hint=f"choose by --variant: {names}")


def _emit(launches: list[Any], path: Path, unused: list[str]) -> None:
    """Write the one case's program; options that only a run reads are refused."""
    from compiler.targets.epic.standalone import standalone
    from sim.kinds.epic.emit import emit

    _check_epic(launches[0].compiled.machine, "--emit writes IA-64 assembly")
    if unused:
        raise input_error(f"--emit runs nothing: --{unused[0]} has no effect", hint="leave it out")
    if len(launches) != 1:
        names = ", ".join(prepared.case.name for prepared in launches)
        raise input_error("--emit writes one variant", hint=f"choose by --variant: {names}")
    click.echo(emit(launches[0], path, standalone))


def _pass_list(text: str | None) -> list[str] | None:
    """The names in `--passes`, None if it was not given."""
    if text is None:
        return None
    from sim.options import pass_list

    return pass_list(text)


@simrun.command()
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
    from sim.files import check_writable, write_atomically
    from sim.results import baselines as checks

    allowed = checks.read_tolerance(tolerance)
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


def _whole(result: Any) -> Any:
    """The result, unless Ctrl-C ended the run: a part of it is nothing to judge or to accept."""
    from sim.results.result import INTERRUPTED

    if result.status == INTERRUPTED:
        raise KeyboardInterrupt
    return result


def _print_verdict(verdict: Any) -> None:
    cycles = "" if verdict.cycles is None else f"  {verdict.cycles} cycles"
    style = {"fg": "red" if verdict.exit_code else "green"}
    click.echo(f"{click.style(f'{verdict.status:12}', **style)} {verdict.title}{cycles}")
    for line in verdict.details:
        click.echo(f"             {line}")


@simrun.command()
@click.argument("folder", type=PATH)
@MACHINE
@SET
@TRUST
@click.option("--against", type=PATH, metavar="FILE.json",
              help="What a GPU measured (else: what is published).")  # fmt: skip
@click.option("--only", multiple=True, type=TEXT, metavar="NAME", help="Only these benchmarks.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def validate(
    folder: Path, machine: str | None, overrides: tuple[str, ...], trust: bool,
    against: Path | None, only: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """Run benchmarks and compare their figures with those of real hardware."""
    from sim import validation
    from sim.results.result import to_json
    from sim.runner import compile_workload, execute, launch
    from sim.workload.schema import read_workload

    benchmarks = validation.read_benchmarks(folder)
    names = [one.name for one in benchmarks]
    for name in only:
        if name not in names:
            raise input_error(f"there is no benchmark '{name}'", hint=nearest(name, names))
    measured = validation.read_measured(against) if against else {}
    compared, missing = [], {}
    compiled: dict[Path, Any] = {}
    for one in benchmarks:
        if only and one.name not in only:
            continue
        if one.workload not in compiled:
            described = read_workload(one.workload)
            compiled[one.workload] = compile_workload(described, machine, overrides)
        unit = compiled[one.workload]
        result = _whole(execute(launch(unit, unit.workload.case(one.name), trust)))
        if not result.ok:
            problem = result.fault["message"] if result.fault else "its outputs are wrong"
            raise input_error(f"benchmark '{one.name}' did not run to its end: {problem}")
        figure = one.simulated(result)
        target = measured.get(one.name) if against else one.form.published
        if target is None:
            missing[one.name] = figure
        else:
            compared.append(validation.Compared(one, figure, target))
    if as_json:
        click.echo(to_json(validation.as_content(compared, missing)), nl=False)
    else:
        for line in validation.report_lines(compared, missing):
            click.echo(line)
    return 0


@simrun.command("list")
@click.argument("what", type=TEXT)
def list_command(what: str) -> None:
    """List machines, workloads, passes, counters, plugins, frontends, oracles or reports."""
    from sim.inventory import LISTS

    if what not in LISTS:
        raise input_error(f"there is no list of '{what}'", hint=nearest(what, LISTS))
    _print_rows(LISTS[what](*_COMPILER_LISTS.get(what, lambda: ())()))


def _frontends() -> tuple[Any, ...]:
    from compiler.frontends import frontends

    return (frontends(),)


def _passes() -> tuple[Any, ...]:
    from compiler.pipelines import passes

    return (passes(),)


_COMPILER_LISTS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "frontends": _frontends,
    "passes": _passes,
    "plugins": lambda: (*_frontends(), *_passes()),
}
"""What the lists need of the compiler: only this file and run.py may ask it."""


def _print_rows(rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


@simrun.group("machines")
def machines_group() -> None:
    """Look at machine descriptions."""


@machines_group.command("show")
@click.argument("name", type=TEXT)
@SET
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the machine's kind.")
def machines_show(name: str, overrides: tuple[str, ...], schema: bool) -> None:
    """Print a machine: every field, its meaning, and where its value comes from."""
    from sim.machine_pages import machine_lines, schema_text

    if schema:
        click.echo(schema_text(name))
        return
    for line in machine_lines(name, overrides):
        click.echo(line)


@simrun.command()
@click.argument("path", type=PATH)
@MACHINE
@SET
@click.option(
    "--entry", type=TEXT, metavar="NAME", help="The function, if the program has several."
)
@PASSES
@click.option(
    "--show",
    type=TEXT,
    default="asm",
    metavar="VIEW",
    help="ir, ssa, chains, dependences, markers, passes, asm, dispersal, schedule or bundles.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "dot"]), default="text")
@click.option("--with-phis", is_flag=True, help="Of chains: between SSA names, phis included.")
@click.option("--with-sets", is_flag=True, help="Of ssa and chains: also the sets of blocks.")
@click.option(
    "--explain",
    "steps",
    is_flag=True,
    help="Of chains: how the phis are folded away; of passes: what was done where, and why not.",
)
@click.option(
    "--rules",
    type=TEXT,
    metavar="NAME",
    help="Of dependences and markers: sound or seed; of schedule and bundles also acyclic.",
)
@click.option("--variant", type=TEXT, metavar="NAME", help="Of the rules seed: precise or fast.")
@click.option("--indirect", type=TEXT, metavar="NAME", help="Of the rules seed: uncovered or all.")
@click.option(
    "--order",
    type=TEXT,
    metavar="NAME",
    help="Of dependences: reverse_postorder, postorder, preorder or inorder.",
)
@click.option(
    "--marker-position",
    type=TEXT,
    metavar="NAME",
    help="Of markers: before, first_in_block or end_of_predecessors.",
)
@click.option(
    "--paths",
    type=TEXT,
    metavar="PATHS",
    help="Of markers: what a warp issues if its threads take these paths: B0-B1-B3,B0-B2-B3.",
)
@click.option("--with-records", is_flag=True, help="Of dependences: records and kill sets.")
@click.option("--bundler", type=TEXT, metavar="NAME", help="Of a problem: packs its rows.")
@click.option("--scheduler", type=TEXT, metavar="NAME", help="Of a problem: slack or iterative.")
@click.option("--reservation", type=TEXT, metavar="NAME", help="Of a problem: automaton or ports.")
def explain(
    path: Path, machine: str | None, overrides: tuple[str, ...], entry: str | None,
    passes: str | None, show: str, form: str, with_phis: bool, with_sets: bool, steps: bool,
    rules: str | None, variant: str | None, indirect: str | None, order: str | None,
    marker_position: str | None, paths: str | None, with_records: bool, bundler: str | None,
    scheduler: str | None, reservation: str | None,
) -> None:  # fmt: skip
    """Show what becomes of a program (or of a workload's program) on a machine, or solve a
    scheduling problem (a YAML file with `ops`)."""
    from sim.explain import SCHEDULE_VIEWS, VIEWS, WITH_REMARKS, check_choice
    from sim.results.result import to_json

    options = {
        "with-phis": with_phis, "with-sets": with_sets, "explain": steps, "rules": rules,
        "variant": variant, "order": order, "indirect": indirect, "with-records": with_records,
        "marker-position": marker_position, "paths": paths,
        "bundler": bundler, "scheduler": scheduler, "reservation": reservation,
    }  # fmt: skip
    chosen = {name: given for name, given in options.items() if given}
    check_choice(show, form, chosen)
    if _is_problem(path):
        if show not in SCHEDULE_VIEWS:
            message, hint = f"a scheduling problem has no view '{show}'", ", ".join(SCHEDULE_VIEWS)
            raise input_error(message, hint=f"it has {hint}")
        given = {"entry": entry, "passes": passes}
        view = _view_problem(path, machine, overrides, chosen, given, show == "schedule")
    elif show in VIEWS:
        compilation, loaded = _compile_for_explain(path, machine, overrides, entry, passes)
        if show == "dispersal":
            _check_epic(loaded, "--show dispersal shows issue groups of bundles")
        views = WITH_REMARKS if steps else VIEWS
        view = views[show](compilation, loaded)
    elif show in SCHEDULE_VIEWS:
        if chosen:
            hint = "the options of its passes 'modulo_schedule' and 'bundle' say it"
            raise input_error(f"a program takes no --{next(iter(chosen))} here", hint=hint)
        view = _view_kernels(*_compile_for_explain(path, machine, overrides, entry, passes))
    elif show == "markers" and (machine or passes):
        compilation, loaded = _compile_for_explain(path, machine, overrides, entry, passes)
        view = _view_markers(_code_for_warps(compilation, loaded), chosen)
    else:
        for name, given in {"machine": machine, "set": overrides}.items():
            if given and not passes:
                hint = "it shows the source as it is, for no machine, unless --passes are run"
                raise input_error(f"--show {show} takes no --{name}", hint=hint)
        function = _read_for_explain(path, entry, machine, overrides, _pass_list(passes))
        view = _SOURCE_VIEWS[show](function, chosen)
    click.echo(to_json(view.content) if form == "json" else getattr(view, form), nl=False)


def _check_epic(machine: Any, what: str) -> None:
    """Some views and outputs are of bundles."""
    if machine.kind != "epic":
        raise input_error(f"{what}: {machine.name} has no bundles", hint="--machine itanium2")


def _is_problem(path: Path) -> bool:
    """Whether a file is a scheduling problem, and not a workload."""
    from machines.description.strict_yaml import read_yaml_file
    from sim.workload.schema import SUFFIXES

    if path.suffix not in SUFFIXES or path.is_dir():
        return False
    tree = read_yaml_file(path)
    return isinstance(tree.value, dict) and "ops" in tree.value


def _view_problem(
    path: Path, machine: str | None, overrides: tuple[str, ...], chosen: Mapping[str, Any],
    refused: Mapping[str, str | None], with_table: bool,
) -> Any:  # fmt: skip
    from compiler.explain.schedule import ScheduleOptions, automaton_facts, problem_facts
    from machines.description.load import load_machine
    from sim.explain_schedule import view_problem

    for name, given in refused.items():
        if given:
            message = f"a scheduling problem takes no --{name}"
            raise input_error(message, hint="it is no program: leave it out")
    loaded = load_machine("itanium2" if machine is None else machine, overrides)
    _check_epic(loaded, "a scheduling problem is solved for an EPIC machine")
    facts = problem_facts(path, loaded, ScheduleOptions(**chosen))
    return view_problem(facts, automaton_facts(loaded), loaded, with_table)


def _view_kernels(compilation: Any, machine: Any) -> Any:
    from compiler.explain.schedule import automaton_facts, kernel_facts
    from sim.explain_schedule import view_kernels

    _check_epic(machine, "--show schedule and bundles show pipelined loops")
    if not compilation.functions:
        message = "an assembly program runs as it is written: it has no schedule"
        raise input_error(message, hint="--show dispersal shows its issue groups")
    facts = kernel_facts(compilation.functions, machine.description)
    name = compilation.program.name
    return view_kernels(facts, automaton_facts(machine), machine, name)


def _view_ir(function: Any, chosen: Mapping[str, Any]) -> Any:
    from compiler.ir.module import Module
    from compiler.ir.printer import print_module
    from sim.explain import View

    text = print_module(Module({function.name: function}, function.buffers))
    return View(text, {"ir": text})


def _view_ssa(function: Any, chosen: Mapping[str, Any]) -> Any:
    from compiler.explain.ssa import ssa_facts
    from sim.explain_chains import view_ssa

    return view_ssa(ssa_facts(function), "with-sets" in chosen)


def _view_chains(function: Any, chosen: Mapping[str, Any]) -> Any:
    from compiler.analyses.ssa import chain_tables
    from compiler.explain.ssa import ssa_facts
    from sim.explain_chains import Tables, view_chains

    tables = Tables(
        chain_tables.table_with_phis(function),
        chain_tables.folding_of_phis(function) if "explain" in chosen else [],
        chain_tables.table_without_phis(function),
    )
    return view_chains(ssa_facts(function), tables, chosen)


def _view_dependences(function: Any, chosen: Mapping[str, Any]) -> Any:
    from compiler.analyses.memory_dependence import MemoryOptions
    from compiler.explain.dependences import dependence_facts
    from sim.explain_dependences import view_dependences

    names = ("rules", "variant", "order", "indirect")
    options = MemoryOptions(**{name: chosen[name] for name in names if name in chosen})
    return view_dependences(dependence_facts(function, options, "with-records" in chosen))


def _view_markers(function: Any, chosen: Mapping[str, Any]) -> Any:
    from compiler.explain.markers import MarkerOptions, marker_facts
    from sim.explain_markers import view_markers

    names = {"rules": "rules", "marker-position": "position", "paths": "paths"}
    options = {names[name]: value for name, value in chosen.items()}
    return view_markers(marker_facts(function, MarkerOptions(**options)))


def _code_for_warps(compilation: Any, machine: Any) -> Any:
    """The function as it is compiled, its blocks in their final order."""
    if machine.kind != "simt":
        message = f"--show markers: {machine.name} runs no warps"
        raise input_error(message, hint="leave --machine out, or name one of kind 'simt': h200")
    return compilation.function


_SOURCE_VIEWS: dict[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "ir": _view_ir,
    "ssa": _view_ssa,
    "chains": _view_chains,
    "markers": _view_markers,
    "dependences": _view_dependences,
}
"""What is shown of a function's IR; which formats and options there are, `sim.explain` says."""


def _read_for_explain(
    path: Path, entry: str | None, machine: str | None, overrides: tuple[str, ...],
    passes: list[str] | None,
) -> Any:  # fmt: skip
    """The IR of the function that `--entry` names in a file, or in a workload's program, after
    neutral passes, which know of no machine unless one is given."""
    from compiler import read_function
    from machines.description.load import load_machine

    if _is_workload(path):
        from sim.workload.schema import read_workload

        workload = read_workload(path)
        path, entry = workload.program, entry or workload.form.entry
    usual = USUAL_MACHINES.get(path.suffix, "itanium2")
    known = load_machine(machine, overrides) if machine else None
    if overrides and not machine:
        raise input_error("--set changes a machine, and none is named", hint="--machine NAME")
    reader = known or load_machine(usual)
    return read_function(path, machine=reader, entry=entry, passes=passes, passes_know=known)


def _is_workload(path: Path) -> bool:
    from sim.workload.schema import SUFFIXES

    return path.suffix in SUFFIXES or path.is_dir()


def _compile_for_explain(
    path: Path, machine: str | None, overrides: tuple[str, ...], entry: str | None,
    passes: str | None,
) -> tuple[Any, Any]:  # fmt: skip
    if _is_workload(path):
        from sim.runner import compile_workload
        from sim.workload.schema import read_workload

        workload, chosen = read_workload(path), _pass_list(passes)
        compiled = compile_workload(workload, machine, overrides, chosen, entry)
        return compiled.compilation, compiled.machine
    from compiler import compile
    from machines.description.load import load_machine

    loaded = load_machine(machine or USUAL_MACHINES.get(path.suffix, "itanium2"), overrides)
    compilation = compile(path, machine=loaded, entry=entry, passes=_pass_list(passes))
    return compilation, loaded


@simrun.command()
def warmup() -> None:
    """Compile the simulator's cores into the cache, so that the first run need not."""
    from sim.runner import kinds_of_machines, warm_up
    from sim.workers import Died, results_in_order

    kinds = kinds_of_machines()
    for kind, seconds in zip(kinds, results_in_order(warm_up, kinds, len(kinds)), strict=True):
        if isinstance(seconds, Died):
            message = f"the {kind} core could not be compiled: {seconds}"
            raise input_error(message, hint="is there enough memory?")
        click.echo(f"the {kind} core is ready ({seconds:.1f} s)")


@simrun.command()
def doctor() -> int:
    """Say what simrun runs on: versions, cache folder, tools, plugins that failed."""
    from sim.doctor import findings

    rows = findings()
    _print_rows([(row.name, row.value) for row in rows])
    return 0 if all(row.ok for row in rows) else WRONG_INPUT


def main() -> NoReturn:
    """The console script: runs a command and turns every failure into one message."""
    received: list[int] = []
    try:
        prepare_streams()
        with _sigterm_as_ctrl_c(received):
            code = _run(sys.argv[1:])
        sys.stdout.flush()
    except InputError as error:
        _fail(str(error), WRONG_INPUT)
    except click.exceptions.NoArgsIsHelpError as error:
        _fail(error.format_message(), WRONG_INPUT)
    except click.UsageError as error:
        _fail(_usage_message(error), WRONG_INPUT)
    except KeyboardInterrupt:
        _fail("interrupted", TERMINATED if received else BROKEN_OFF)
    except OSError as error:
        what = f"use {error.filename}" if error.filename else "write the output"
        _fail(f"error: cannot {what}: {error.strerror}", WRONG_INPUT)
    except MemoryError as error:
        detail = f": {error}" if str(error) else ""
        _fail(f"error: the run needs more memory than there is{detail}", WRONG_INPUT)
    except Exception as error:
        report = _write_crash_report()
        message = f"simrun made a mistake: {type(error).__name__}: {error}"
        _fail(f"{message}\n    a report is in {report}", OUR_MISTAKE)
    _warn_of_plugins()
    raise SystemExit(TERMINATED if code == BROKEN_OFF and received else code)


@contextmanager
def _sigterm_as_ctrl_c(received: list[int]) -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does, with what it has so far; it is noted in `received`.

    Who calls us from a program of their own may have other plans for it, which stay.
    """

    def interrupt(number: int, frame: object) -> NoReturn:
        received.append(number)
        raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(words: list[str]) -> int:
    """The exit code of a command; click's own `main` would make its own words of Ctrl-C."""
    try:
        with simrun.make_context("simrun", words) as context:
            return simrun.invoke(context) or 0
    except click.exceptions.Exit as ended:  # --help and --version
        return ended.exit_code


def _usage_message(error: click.UsageError) -> str:
    possibilities = getattr(error, "possibilities", None)
    if possibilities:  # click's own text of the message has them too
        return f"error: {error.message}\n    hint: did you mean '{possibilities[0]}'?"
    command = error.ctx.command_path if error.ctx else "simrun"
    hint = f"'{command} --help' says what may stand here"
    return f"error: {error.format_message()}\n    hint: {hint}"


def _write_crash_report() -> str:
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="simrun-mistake-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(f"command: {sys.argv}\n\n{traceback.format_exc()}")
    except OSError as error:
        return f"no file, as none could be written: {error.strerror}"
    return file.name


def _warn_of_plugins() -> None:
    """Name the plugins that were left out, each once."""
    for owner, reason in FAILED.items():
        if owner not in _warned:
            click.echo(f"warning: plugin {owner} is left out: {reason}", err=True)
            _warned.add(owner)


_warned: set[str] = set()


def _fail(message: str, code: int) -> NoReturn:
    flush_or_discard()
    _warn_of_plugins()
    click.echo(message, err=True)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
