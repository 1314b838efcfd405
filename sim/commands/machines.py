"""`simrun machines`: machine descriptions as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import click

from sim.commands.parameters import SET, TEXT


@click.group("machines")
def machines() -> None:
    """Look at machine descriptions."""


@machines.command("show")
@click.argument("name", type=TEXT)
@SET
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the machine's kind.")
def show(name: str, overrides: tuple[str, ...], schema: bool) -> None:
    """Print a machine: every field, its meaning, and where its value comes from."""
    if schema:
        click.echo(_schema(name))
        return
    for line in _lines(name, overrides):
        click.echo(line)


def _lines(name: str, overrides: Sequence[str]) -> Iterator[str]:
    """Every field as two lines: its value, then what it means and how the figure is known."""
    from machines.description.load import load_machine

    machine = load_machine(name, overrides)
    yield f"# {machine.name}: kind {machine.kind}, from {machine.file}"
    yield f"# content {machine.content_hash}"
    for field in machine.fields():
        unit = f" {field.unit}" if field.unit else ""
        yield f"{field.path} = {_shown(field.value)}{unit}"
        unread = f"no effect here: {field.unread}" if field.unread else ""
        known = [field.sentence, unread, field.evidence, str(field.location or "")]
        yield "    " + " | ".join(part for part in known if part)


def _schema(name: str) -> str:
    """The JSON Schema of a kind of machine, or of a machine's kind."""
    from machines.description.json_schema import json_schema
    from machines.description.load import load_machine
    from machines.kinds import kinds

    kind = name if name in kinds() else load_machine(name).kind
    return json.dumps(json_schema(kind), indent=1)


def _shown(value: object) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return "none" if value is None else str(value)


PLUGIN = machines
