"""`simrun explain`: what becomes of a program, by views of which each is a file of its own.

The options of the command are those that its views declare; `sim.views` says what a view is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from machines.diagnostics import input_error
from sim.commands.known_words import mistake_words
from sim.commands.parameters import (
    DIMENSIONS,
    MACHINE,
    PASSES,
    SET,
    TEXT,
    VIEW,
    Given,
    pass_list,
    read_extents,
)

if TYPE_CHECKING:
    from machines.mistakes import Mistake
    from sim.views import Option, View


class Explain(click.Command):
    """The command whose options are known when its views are."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its own, and one for each name that options of views have; `--help` is the last."""
        from sim.views import views

        declared: dict[str, list[tuple[View, Option]]] = {}
        for view in views():
            for option in view.options:
                declared.setdefault(option.name, []).append((view, option))
        own = super().get_params(ctx)
        options = [_parameter(name, having) for name, having in declared.items()]
        return sorted([*own, *options], key=lambda parameter: "--help" in parameter.opts)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The views."""
        from sim.views import views

        with formatter.section("Views"):
            formatter.write_dl([*dict.fromkeys((view.name, view.sentence) for view in views())])


def _parameter(name: str, having: Sequence[tuple[View, Option]]) -> click.Option:
    """The option of the command line for all that views declare by one name."""
    sentences: dict[str, list[str]] = {}
    for view, option in having:
        sentence, choices = option.sentence, " or ".join(option.choices())
        if choices:
            sentence = f"{sentence.removesuffix('.')}: {choices}."
        names = sentences.setdefault(sentence[:1].lower() + sentence[1:], [])
        names += [view.name] if view.name not in names else []
    text = " ".join(f"Of {' and '.join(names)}: {said}" for said, names in sentences.items())
    metavar = having[0][1].metavar
    if any(bool(option.metavar) != bool(metavar) for _, option in having):
        names = ", ".join(view.name for view, _ in having)
        raise input_error(f"--{name} of the views {names} takes a value in some, in others none")
    if not metavar:
        return click.Option([f"--{name}"], is_flag=True, help=text)
    return click.Option([f"--{name}"], type=TEXT, metavar=metavar, help=text)


@click.command(cls=Explain)
@click.argument("path", type=Given("path", Path, mistake_words))
@MACHINE
@SET
@click.option(
    "--entry", type=TEXT, metavar="NAME", help="Only this function, of a program of several."
)
@PASSES
@DIMENSIONS
@click.option(
    "--show", type=VIEW, default="asm", metavar="VIEW", help="One of the views below (asm)."
)
@click.option("--format", "form", type=click.Choice(["text", "json", "dot"]), default="text")
def explain(
    path: Path, machine: str | None, overrides: tuple[str, ...], entry: str | None,
    passes: str | None, dimensions: tuple[str, ...], show: str, form: str, **options: Any,
) -> None:  # fmt: skip
    """Show what becomes of a program (or of a workload's program) on a machine, what a file says
    that is no program (a scheduling problem), or what a message in whose first line [CODE] stands
    is about: simrun explain CODE."""
    from machines.mistakes import mistakes

    if (mistake := mistakes().get(str(path))) is not None and not path.exists():
        click.echo(_page(mistake, form), nl=False)
        return
    from sim.explaining import Asked, shown_of
    from sim.results.result import to_json

    asked = Asked(
        show, path, machine, overrides, entry, pass_list(passes), read_extents(dimensions)
    )
    given = {name: value for name, value in options.items() if value}
    shown = shown_of(asked, form, given)
    click.echo(to_json(shown.content) if form == "json" else getattr(shown, form), nl=False)


def _page(mistake: Mistake, form: str) -> str:
    """What is known of a sort of mistakes."""
    if form == "dot":
        raise input_error("a page is text, or JSON", hint="--format json")
    if form == "text":
        return mistake.page
    content = {"code": mistake.code, "sentence": mistake.sentence, "page": mistake.page}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


PLUGIN = explain
