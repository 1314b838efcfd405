"""Options and types of words that several commands take, and how they print rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from machines.diagnostics import input_error
from sim.commands.known_words import (
    Known,
    argument_words,
    field_words,
    machine_words,
    pass_words,
    report_words,
    trace_words,
    variant_words,
    view_words,
)


class Given(click.ParamType):
    """A text or a path that is not empty, as it is where a shell's variable was not set.

    known     the words that may stand there, if anybody knows them
    or_files  whether files may, too, as they may where a path is wanted
    """

    def __init__(
        self,
        name: str,
        make: Callable[[str], Any],
        known: Known | None = None,
        or_files: bool = False,
    ):
        self.name, self.make, self.known = name, make, known
        self.or_files = or_files or make is Path

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail(f"it is an empty {self.name}", param, ctx)
        return self.make(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """What may stand there: words that are known, files."""
        words = self.known(ctx, incomplete) if self.known else ()
        begun = {word: sentence for word, sentence in words if word.startswith(incomplete)}
        items = [CompletionItem(word, help=sentence) for word, sentence in begun.items()]
        return [*items, *([CompletionItem(incomplete, type="file")] if self.or_files else [])]


TEXT, PATH = Given("text", str), Given("path", Path)
MACHINE_NAME = Given("text", str, machine_words, or_files=True)
VIEW = Given("text", str, view_words)
REPORT = Given("text", str, report_words)
TRACE = Given("text", str, trace_words)

SET = click.option(
    "--set", "overrides", multiple=True, type=Given("text", str, field_words), metavar="PATH=VALUE",
    help="Change one value of the machine, for example memory.l1d.size=32KiB.",
)  # fmt: skip
MACHINE = click.option(
    "--machine", type=MACHINE_NAME, metavar="NAME|FILE", help="Run on another machine."
)
ARGUMENTS = click.option(
    "--arg", "arguments", multiple=True, metavar="NAME=VALUE",
    type=Given("text", str, argument_words),
    help='Give an argument another value: n=1000, "x={dtype: f32, file: x.npy}".',
)  # fmt: skip
VARIANTS = click.option(
    "--variant", "variants", multiple=True, type=Given("text", str, variant_words),
    metavar="NAME", help="Run only this variant.",
)  # fmt: skip
TRUST = click.option(
    "--trust", is_flag=True, help="Let oracles of the workload's own run: Python code beside it."
)
PASSES = click.option(
    "--passes",
    type=Given("text", str, pass_words),
    metavar="LIST",
    help="Compiler passes, separated by commas: default,-move_invariants,mine@after=number_values.",
)

DIMENSIONS = click.option(
    "--dimension", "dimensions", type=TEXT, multiple=True, metavar="NAME=N",
    help="Of a model without a workload: an extent that it leaves open.",
)  # fmt: skip
QUIET = click.option("--quiet", "-q", is_flag=True, help="Print only what went wrong.")
VERBOSE = click.option(
    "--verbose", "-v", is_flag=True, help="Also say, on stderr, what was done and how long it took."
)


def pass_list(text: str | None) -> list[str] | None:
    """The names in `--passes`, None if it was not given."""
    from sim.options import passes_given

    return passes_given(text)


def print_rows(rows: Sequence[Sequence[str]]) -> None:
    """Rows of cells as columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def read_extents(texts: Sequence[str]) -> dict[str, int]:
    """Extents by name; raises InputError."""
    found: dict[str, int] = {}
    for text in texts:
        name, _, extent = text.rpartition("=")
        if not name or not extent.isdigit() or not int(extent):
            hint = "write it like --dimension batch=1"
            raise input_error(f"--dimension '{text}' is no extent", hint=hint)
        if found.setdefault(name, int(extent)) != int(extent):
            hint = "leave one of them out"
            raise input_error(f"--dimension '{name}' is {found[name]} and {extent}", hint=hint)
    return found
