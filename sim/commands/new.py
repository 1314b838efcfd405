"""`simrun new`: a skeleton whose own test passes, to begin from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from machines.diagnostics import input_error
from sim.commands.known_words import skeleton_words
from sim.commands.parameters import MACHINE, PATH, TEXT, Given


class New(click.Command):
    """The command whose help says what there is."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The skeletons."""
        from sim.skeletons import SKELETONS

        with formatter.section("Skeletons"):
            formatter.write_dl([(one.what, one.sentence) for one in SKELETONS.values()])


@click.command(cls=New)
@click.argument("what", type=Given("text", str, skeleton_words))
@click.argument("name", type=TEXT)
@MACHINE
@click.option("--into", type=PATH, default=Path(), metavar="DIR", help="Where (here).")
def new(what: str, name: str, machine: str | None, into: Path) -> None:
    """Make a folder NAME with a machine, kind, level, pass, frontend, workload, study or report:
    small files that work, and a test that passes.  --machine says what a machine extends, or what
    a workload runs on."""
    from sim.skeletons import make

    if name in _taken(what):
        hint = "choose another; `simrun list plugins` has what there is"
        raise input_error(f"there is a {what} '{name}' already", hint=hint)
    commands = [*make(what, name, into, machine)]
    click.echo(f"made {into / name}; next:")
    for command in commands:
        click.echo(f"    {command}")


def _taken(what: str) -> Iterable[str]:
    """The names of what simrun and installed packages have already of a sort."""
    from compiler.frontends import frontends
    from compiler.pass_lists import all_passes
    from machines.description.load import machine_names
    from machines.kinds import kinds
    from machines.levels import levels
    from sim.reports.output import reports

    doors: dict[str, Callable[[], Iterable[str]]] = {
        "machine": machine_names,
        "kind": lambda: [*kinds(), *machine_names()],
        "level": lambda: [*levels(), *frontends()],
        "frontend": frontends,
        "pass": lambda: [plugin.name for plugin in all_passes()],
        "report": reports,
    }
    return doors[what]() if what in doors else ()


PLUGIN = new
