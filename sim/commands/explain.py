"""`simrun explain`: what becomes of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from machines.diagnostics import input_error
from sim.commands.parameters import MACHINE, PASSES, PATH, SET, TEXT, pass_list

USUAL_MACHINES = {".ptx": "h200"}
"""What a program is shown for if no machine is named, where that is not itanium2."""


@click.command()
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
        function = _read_for_explain(path, entry, machine, overrides, pass_list(passes))
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

        workload, chosen = read_workload(path), pass_list(passes)
        compiled = compile_workload(workload, machine, overrides, chosen, entry)
        return compiled.compilation, compiled.machine
    from compiler import compile
    from machines.description.load import load_machine

    loaded = load_machine(machine or USUAL_MACHINES.get(path.suffix, "itanium2"), overrides)
    compilation = compile(path, machine=loaded, entry=entry, passes=pass_list(passes))
    return compilation, loaded


PLUGIN = explain
