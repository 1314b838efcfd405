"""Options and types of words that several commands take, and how they print rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from machines.diagnostics import input_error


class Given(click.ParamType):
    """A text or a path that is not empty, as it is where a shell's variable was not set."""

    def __init__(self, name: str, make: Callable[[str], Any]):
        self.name, self.make = name, make

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail(f"it is an empty {self.name}", param, ctx)
        return self.make(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Files, where one is wanted; a text nobody knows."""
        return [CompletionItem(incomplete, type="file")] if self.make is Path else []


TEXT, PATH = Given("text", str), Given("path", Path)

SET = click.option(
    "--set", "overrides", multiple=True, type=TEXT, metavar="PATH=VALUE",
    help="Change one value of the machine, for example memory.l1d.size=32KiB.",
)  # fmt: skip
MACHINE = click.option("--machine", type=TEXT, metavar="NAME|FILE", help="Run on another machine.")
ARGUMENTS = click.option(
    "--arg", "arguments", multiple=True, type=TEXT, metavar="NAME=VALUE",
    help='Give an argument another value: n=1000, "x={dtype: f32, file: x.npy}".',
)  # fmt: skip
VARIANTS = click.option(
    "--variant", "variants", multiple=True, type=TEXT, metavar="NAME", help="Run only this variant."
)
TRUST = click.option(
    "--trust", is_flag=True, help="Let oracles of the workload's own run: Python code beside it."
)
PASSES = click.option(
    "--passes",
    type=TEXT,
    metavar="LIST",
    help="Compiler passes, separated by commas: default,-move_invariants,mine@after=number_values.",
)

DIMENSIONS = click.option(
    "--dimension", "dimensions", type=TEXT, multiple=True, metavar="NAME=N",
    help="Of a model without a workload: an extent that it leaves open.",
)  # fmt: skip


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
