"""Two results beside each other, and their machines, if these are still what they were."""

from __future__ import annotations

from collections.abc import Sequence

from machines.description.field_differences import machine_differences
from machines.description.load import (
    Machine,
    load_machine,
    machine_from_its_text,
    machine_names,
    text_of,
)
from machines.diagnostics import InputError
from sim.results.compared import DESCRIBED, Comparison, compare
from sim.results.moved import Content


def beside(
    a: Content, b: Content, known: Sequence[Machine | str | None] = (None, None)
) -> Comparison:
    """Compare two results, and their machines where both are known, or can be read again.

    known  the machines, or files of those that are not simrun's or a package's
    """
    machines = [
        one if isinstance(one, Machine) else _machine_again(content, one)
        for content, one in zip((a, b), known, strict=True)
    ]
    fields = None if None in machines else machine_differences(*machines).fields
    return compare(a, b, fields)


def _machine_again(content: Content, file: str | None) -> Machine | None:
    """The machine of a result; None if there is none with its content."""
    provenance = content["provenance"]
    names = [content["machine"]] if content["machine"] in machine_names() else []
    for name in [*names, *([file] if file else [])]:
        try:
            machine = load_machine(name, provenance.get("overrides", []))
        except InputError:
            continue
        if machine.content_hash == provenance.get("machine"):
            return machine
    return machine_from_its_text(provenance[DESCRIBED]) if DESCRIBED in provenance else None


def described(machine: Machine) -> Content:
    """What a result says of a machine that its name does not tell: of one from a file or a mapping
    all that it says."""
    return {} if machine.name in machine_names() else {DESCRIBED: text_of(machine)}
