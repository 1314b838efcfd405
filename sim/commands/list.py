"""`simrun list`: what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from machines.diagnostics import InputError, input_error, nearest
from sim.commands.known_words import Words
from sim.commands.parameters import Given, print_rows

Rows = Iterator[tuple[str, ...]]


def list_words(ctx: click.Context, word: str) -> Words:
    """What may be listed."""
    yield from ((name, (make.__doc__ or "").partition("\n")[0]) for name, make in LISTS.items())


@click.command("list")
@click.argument("what", type=Given("text", str, list_words))
@click.argument("names", type=Given("text", str), nargs=-1, metavar="[NAME]...")
def list_command(what: str, names: tuple[str, ...]) -> None:
    """List machines, workloads, passes, counters, reasons, columns, tracks, events, plugins,
    levels, frontends, operators, oracles, mistakes, reports or traces; of counters NAME says what
    one is: its formula, its place in the model, its name on the real machine."""
    if what not in LISTS:
        raise input_error(f"there is no list of '{what}'", hint=nearest(what, LISTS))
    if not names:
        print_rows(list(LISTS[what]()))
        return
    if what != "counters":
        raise input_error(f"list {what} takes no name", hint="leave it out")
    for number, name in enumerate(names):
        click.echo("\n" if number else "", nl=False)
        _explain_counter(name)


def _explain_counter(name: str) -> None:
    """What a counter is, of each kind of machine that has one of the name."""
    from sim.results.explained import rows_of
    from sim.results.vocabulary import vocabularies

    known = vocabularies()
    every = [(one, kind) for kind, words in known.items() for one in words.counters]
    found = [(one, kind) for one, kind in every if one.name == name]
    if not found:
        hint = nearest(name, [one.name for one, _ in every])
        raise input_error(f"there is no counter '{name}'", hint=hint)
    for number, (one, kind) in enumerate(found):
        click.echo("\n" if number else "", nl=False)
        click.echo(one.name)
        print_rows([(f"  {about}", text) for about, text in rows_of(one, kind)])


def list_machines() -> Rows:
    from machines.description.load import machines

    for name, machine in machines().items():
        yield name, machine.kind, machine.description.title


def list_workloads() -> Rows:
    """Those that come with simrun and those below ./workloads."""
    from sim.workload.named import workload_files
    from sim.workload.schema import read_workload

    for path in workload_files():
        try:
            workload = read_workload(path)
        except InputError:
            yield path.parent.name, str(path), "cannot be read"
            continue
        variants = f" ({len(workload.form.variants)} variants)" if workload.form.variants else ""
        yield workload.name, str(path), workload.form.description + variants


def list_reasons() -> Rows:
    from sim.results.vocabulary import vocabularies

    for kind, vocabulary in vocabularies().items():
        for reason in vocabulary.reasons:
            yield reason.name, kind, reason.sentence


def list_counters() -> Rows:
    from sim.results.vocabulary import vocabularies

    for kind, vocabulary in vocabularies().items():
        for one in vocabulary.counters:
            yield one.name, kind, one.unit, one.aggregation, one.sentence


def list_columns() -> Rows:
    from sim.results.vocabulary import vocabularies

    for kind, vocabulary in vocabularies().items():
        for column in vocabulary.columns:
            yield column.name, kind, column.unit, column.sentence


def list_events() -> Rows:
    from sim.results.vocabulary import vocabularies

    for kind, vocabulary in vocabularies().items():
        for event in vocabulary.events:
            lasts = "span" if event.lasts else "instant"
            yield event.name, kind, event.family, lasts, " ".join(event.fields), event.sentence


def list_tracks() -> Rows:
    from sim.results.vocabulary import vocabularies

    for kind, vocabulary in vocabularies().items():
        for family in vocabulary.tracks:
            yield family.name, kind, family.parent or "", family.sentence


def list_traces() -> Rows:
    from sim.timeline.writing import trace_writers

    for writer in trace_writers().values():
        yield writer.name, " ".join(writer.suffixes), writer.sentence


def list_oracles() -> Rows:
    from sim.oracles.registry import oracles

    for name, oracle in oracles().items():
        yield name, _first_line(oracle)


def list_reports() -> Rows:
    from sim.reports.output import reports

    for report in reports().values():
        yield report.name, report.sentence


def list_frontends() -> Rows:
    from compiler.frontends import frontends

    for name, frontend in frontends().items():
        yield name, " ".join(frontend.suffixes), frontend.sentence


def list_levels() -> Rows:
    """With the suffixes of files that are always of one, and the kinds of machine that run it."""
    from compiler.frontends import frontends
    from compiler.pass_lists import lowering
    from compiler.targets import targets
    from machines.levels import levels

    for name in levels():
        files = (" ".join(f.suffixes) for f in frontends().values() if f.level == name)
        kinds = (kind for kind in targets() if lowering(kind, name))
        passes = " ".join(lowering(None, name))
        yield name, " ".join(files), ", ".join(kinds) or "no kind of machine", passes


def list_operators() -> Rows:
    """Of languages that have operators those that are taken."""
    from compiler.frontends import frontends
    from machines.levels import not_callable
    from machines.plugins import load_part

    for name, frontend in frontends().items():
        if frontend.operators:
            owner = f"front end '{name}'"
            listed = load_part(owner, "operators", frontend.operators, not_callable)
            yield from ((row[0], name, *row[1:]) for row in listed())


def list_mistakes() -> Rows:
    """The codes of messages, each with a page: `simrun explain CODE`."""
    from machines.mistakes import mistakes

    for one in mistakes().values():
        yield one.code, one.sentence


def list_passes() -> Rows:
    from compiler.pass_lists import all_passes

    for plugin in all_passes():
        yield plugin.name, ", ".join(plugin.kinds) or "any", plugin.sentence


def list_plugins() -> Rows:
    """What came in by every door, with what says more of it, and what was left out."""
    from compiler.frontends import frontends
    from compiler.pass_lists import all_passes
    from compiler.targets import targets
    from machines.description.load import machines
    from machines.instructions import operations
    from machines.levels import levels, parts
    from machines.plugins import FAILED
    from sim.commands import commands
    from sim.commands.parts_of_kinds import usable_parts
    from sim.kinds import generators
    from sim.oracles.registry import oracles
    from sim.reports.output import reports
    from sim.timeline.writing import trace_writers
    from sim.views import views

    yield from (("machine", name, "") for name in machines())
    for kind, part in usable_parts():
        yield "kind", f"{kind.name}.{part}", getattr(kind, part)
    for name, target in targets().items():
        for door, plugins in target.plugins.items():
            yield from ((door, one, plugin.sentence) for one, plugin in plugins().items())
        for output in target.emits:
            yield "emit", f"{name} {' '.join(output.suffixes)}", output.sentence
    for level in levels().values():
        yield "level", level.name, level.parse
    for plugins in parts("plugins", dict).values():
        for door, listed in plugins.items():
            yield from ((door, name, sentence) for name, sentence in listed())
    for one in generators():
        yield from (("generator", name, own.sentence) for name, own in one.listed().items())
    for family in operations().families:
        yield "operations", family, f"{len(operations().family(family))} operations"
    passes = {plugin.key: plugin for plugin in all_passes()}
    doors = {
        "frontend": frontends(), "pass": passes, "report": reports(), "trace": trace_writers(),
    }  # fmt: skip
    for door, plugins in doors.items():
        yield from ((door, name, plugin.sentence) for name, plugin in plugins.items())
    yield from (("oracle", name, _first_line(oracle)) for name, oracle in oracles().items())
    yield from dict.fromkeys(("view", view.name, view.sentence) for view in views())
    yield from (("command", name, c.get_short_help_str(80)) for name, c in commands().items())
    yield from (("failed", owner, reason) for owner, reason in FAILED.items())


LISTS: dict[str, Callable[[], Rows]] = {
    "machines": list_machines,
    "workloads": list_workloads,
    "passes": list_passes,
    "counters": list_counters,
    "reasons": list_reasons,
    "columns": list_columns,
    "tracks": list_tracks,
    "events": list_events,
    "plugins": list_plugins,
    "levels": list_levels,
    "frontends": list_frontends,
    "operators": list_operators,
    "oracles": list_oracles,
    "mistakes": list_mistakes,
    "reports": list_reports,
    "traces": list_traces,
}


def _first_line(documented: object) -> str:
    return (documented.__doc__ or "").strip().partition("\n")[0]


PLUGIN = list_command
