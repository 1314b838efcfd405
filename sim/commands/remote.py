"""`simrun remote`: let a service compile or run what its store has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sim.commands.parameters import ARGUMENTS, PASSES, PATH, SET, TEXT, VARIANTS

MACHINE = click.option(
    "--machine", type=TEXT, metavar="NAME", help="On another machine; a file is one of the store."
)
TOKEN_FILE = click.option(
    "--token-file", type=PATH, metavar="FILE",
    help="The word that the server wants; else SIMRUN_TOKEN says it.",
)  # fmt: skip
PATIENCE = click.option(
    "--patience", type=click.FloatRange(min=0.1), default=600.0, metavar="S",
    help="How long to wait for the answer (600 s).",
)  # fmt: skip


@click.group("remote")
@click.argument("url", type=TEXT)
@click.pass_context
def remote(context: click.Context, url: str) -> None:
    """Let a service (see `simrun serve`) compile or run what its store has, by its path there."""
    context.obj = url


@remote.command("compile")
@click.argument("name", type=TEXT)
@MACHINE
@SET
@click.option("--entry", type=TEXT, metavar="NAME", help="The function, of several.")
@PASSES
@click.option(
    "--show", "views", multiple=True, type=TEXT, metavar="VIEW",
    help="A view of `simrun explain` (asm), as chains; may be given several times.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@TOKEN_FILE
@PATIENCE
@click.pass_obj
def compile_(
    url: str, name: str, machine: str | None, overrides: tuple[str, ...], entry: str | None,
    passes: str | None, views: tuple[str, ...], form: str, token_file: Path | None, patience: float,
) -> int:  # fmt: skip
    """Show the program, and what else is asked of it."""
    from sim.results.result import to_json

    asked = {"name": name, "machine": machine, "set": list(overrides), "entry": entry}
    asked |= {"passes": passes, "show": list(views)}
    content = _ask(url, "compile", asked, token_file, patience)
    for view in content.get("views", {}).values():
        click.echo(to_json(view["content"]) if form == "json" else view["text"], nl=False)
    return content["exit_code"]


@remote.command("run")
@click.argument("name", type=TEXT)
@MACHINE
@SET
@ARGUMENTS
@PASSES
@VARIANTS
@click.option("--cycle-limit", type=click.IntRange(1), help="End the run after these cycles.")
@click.option(
    "--timing-only", is_flag=True,
    help="Compute nothing that time does not depend on, and compare no outputs.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@TOKEN_FILE
@PATIENCE
@click.pass_obj
def run(
    url: str, name: str, machine: str | None, overrides: tuple[str, ...],
    arguments: tuple[str, ...], passes: str | None, variants: tuple[str, ...],
    cycle_limit: int | None, timing_only: bool, as_json: bool, token_file: Path | None,
    patience: float,
) -> int:  # fmt: skip
    """Run a workload."""
    from sim.results.result import to_json

    asked = {"name": name, "machine": machine, "set": list(overrides), "passes": passes}
    asked |= {"arguments": list(arguments), "variants": list(variants)}
    asked |= {"cycle_limit": cycle_limit, "timing_only": timing_only, "text": not as_json}
    content = _ask(url, "run", asked, token_file, patience)
    if "result" in content:
        click.echo(to_json(content["result"]) if as_json else content["text"], nl=False)
    return content["exit_code"]


def _ask(
    url: str, kind: str, asked: dict[str, Any], token_file: Path | None, patience: float
) -> dict[str, Any]:
    """The answer, with what is said beside it."""
    from sim.serve.client import ask
    from sim.serve.token import find_token

    given = {key: value for key, value in asked.items() if value not in (None, [], False)}
    content = ask(url, kind, given, find_token(token_file), patience)
    for finding in content["diagnostics"]:
        click.echo(str(finding), err=True)
    return content


PLUGIN = remote
