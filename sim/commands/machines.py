"""`simrun machines`: machine descriptions as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from machines.diagnostics import input_error, nearest
from sim.commands.known_words import field_words, path_words
from sim.commands.parameters import MACHINE_NAME, SET, Given

if TYPE_CHECKING:
    from machines.description.load import Machine
    from machines.description.shown_fields import ShownField


@click.group("machines")
def machines() -> None:
    """Look at machine descriptions."""


@machines.command("show")
@click.argument("name", type=MACHINE_NAME)
@SET
@click.option(
    "--only", multiple=True, type=Given("text", str, path_words), metavar="PATH",
    help="Only the fields of this path, for example memory.l1d.",
)  # fmt: skip
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the machine's kind.")
def show(name: str, overrides: tuple[str, ...], only: tuple[str, ...], schema: bool) -> None:
    """Print a machine: every field, its meaning, and where its value comes from."""
    if schema:
        if only:
            raise input_error("--schema and --only exclude each other", hint="leave out one")
        click.echo(_schema(name))
        return
    for line in _lines(name, overrides, only):
        click.echo(line)


@machines.command("diff")
@click.argument("a", type=MACHINE_NAME)
@click.argument("b", type=MACHINE_NAME, required=False)
@click.option(
    "--set", "overrides", multiple=True, type=Given("text", str, field_words), metavar="PATH=VALUE",
    help="Change one value of B (of A, if there is no B), for example memory.l1d.size=32KiB.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the fields as JSON.")
def diff(a: str, b: str | None, overrides: tuple[str, ...], as_json: bool) -> None:
    """Compare two machines field by field; without B, a machine with what --set makes of it."""
    if b is None and not overrides:
        raise input_error("there is one machine, and nothing that --set changes", hint="name B")
    print_differences(a, b or a, overrides, as_json)


def print_differences(a: str, b: str, overrides: Sequence[str], as_json: bool) -> None:
    """Compare a machine with another one, to which overrides apply."""
    from machines.description.field_differences import machine_differences
    from machines.description.load import load_machine
    from sim.results.comparison_text import machine_lines

    found = machine_differences(load_machine(a), load_machine(b, overrides))
    if as_json:
        click.echo(json.dumps(found.to_dict(), indent=1))
        return
    for line in machine_lines(found):
        click.echo(line)


def _lines(name: str, overrides: Sequence[str], only: Sequence[str]) -> Iterator[str]:
    """Fields as two lines each: its value, then what it means and how the figure is known."""
    from machines.description.load import load_machine
    from sim.results.shown import shown_value

    machine = load_machine(name, overrides)
    fields = _fields(machine, only)
    yield f"# {machine.name}: kind {machine.kind}, from {machine.file}"
    yield f"# content {machine.content_hash}"
    for field in fields:
        unit = f" {field.unit}" if field.unit else ""
        yield f"{field.path} = {shown_value(field.value)}{unit}"
        unread = f"no effect here: {field.unread}" if field.unread else ""
        known = [field.sentence, unread, field.evidence, str(field.location or "")]
        yield "    " + " | ".join(part for part in known if part)


def _fields(machine: Machine, only: Sequence[str]) -> list[ShownField]:
    """All fields, or those below paths of whole keys; raises InputError for one of no field."""
    fields = machine.fields()
    if not only:
        return fields
    beginnings = [[".".join(f.keys[:n]) for n in range(1, len(f.keys) + 1)] for f in fields]
    known = {path for some in beginnings for path in some}
    for path in only:
        if path not in known:
            message = f"{machine.name} has no field '{path}'"
            raise input_error(message, hint=nearest(path, known))
    return [field for field, some in zip(fields, beginnings, strict=True) if {*only} & {*some}]


def _schema(name: str) -> str:
    """The JSON Schema of a kind of machine, or of a machine's kind."""
    from machines.description.json_schema import json_schema
    from machines.description.load import load_machine
    from machines.kinds import kinds

    kind = name if name in kinds() else load_machine(name).kind
    return json.dumps(json_schema(kind), indent=1)


PLUGIN = machines
