"""Front ends: what reads sources.  A folder each, or a package's entry point `simrun.frontends`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compiler.ir.module import Module
from machines.blame import BrokenByPlugin
from machines.description.load import Machine, machines_of_family
from machines.diagnostics import input_error
from machines.levels import NO_OPTIONS, not_callable
from machines.plugins import discover, load_part

IR_FAMILY = "ir"


@dataclass(frozen=True)
class Frontend:
    """One source language.

    suffixes         of the files that it reads; those of `binary_suffixes` are read as bytes
    sentence         what it reads
    reader           'module:function', imported when a file is read:
                     function(source, file, machine, entries, options) gives a `Module`, or a
                     finished program (see `machines.program.Program`) for assembly.  Functions that
                     none of `entries` (names, none: all) reaches may be left out; `options` are
                     those that passes of levels are given.  It raises InputError with every finding
    family           of the instructions that the source is made of; a machine that executes others
                     is refused
    default_machine  the machine that a program is shown for if none is named
    opens_files      whether the reader opens its file itself, as one may be larger than memory: its
                     source is then None, unless the file is not to be read
    level            of all code that it gives, if there is one: a machine that does not run it is
                     refused before the source is read
    operators        'module:function' that gives rows of what a language has for operators, of
                     which not all are taken: name, family, versions, types, a sentence
    """

    name: str
    suffixes: tuple[str, ...]
    sentence: str
    reader: str
    binary_suffixes: tuple[str, ...] = ()
    family: str = IR_FAMILY
    default_machine: str = "itanium2"
    opens_files: bool = False
    level: str = ""
    operators: str = ""

    def read(
        self,
        source: Any,
        file: str,
        machine: Machine | None = None,
        entries: Sequence[str] = (),
        options: Mapping[str, Any] = NO_OPTIONS,
    ) -> Any:
        """What the reader makes of a text (or bytes); raises InputError."""
        check_family(self.family, file, machine)
        read = load_part(f"front end '{self.name}'", "reader", self.reader, not_callable)
        unit = read(source, file, machine, entries, options)
        if not isinstance(unit, Module) and not hasattr(unit, "content_hash"):
            message = f"it gave {unit!r}, where a reader gives a Module or a program"
            raise BrokenByPlugin(message, read)
        return unit


def check_family(family: str, file: str, machine: Machine | None) -> None:
    """Raises InputError if a machine does not execute the instructions of a file."""
    if family != IR_FAMILY and machine is not None and machine.family != family:
        known = ", ".join(machines_of_family(family))
        raise input_error(
            f"{file}: {machine.name} does not execute '{family}' instructions",
            hint=f"choose a machine that does with --machine: {known}",
        )


def frontends() -> dict[str, Frontend]:
    """All front ends by name, built in and from plugins (entry-point group `simrun.frontends`)."""
    return discover("frontends", sys.modules[__name__], Frontend)
