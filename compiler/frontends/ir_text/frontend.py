"""From the text of code to a module, in whatever form; compiler/README.md describes the text."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.frontends import check_family
from compiler.ir.module import Module
from compiler.ir.text import parse
from compiler.targets import target_of
from machines.description.load import Machine


def read(
    text: str, file: str, machine: Machine | None = None, entries: Sequence[str] = ()
) -> Module:
    """The module in `text`, whose machine code may have what the machine's target knows; raises
    InputError with every finding, and for a machine that does not execute it."""
    module = parse(text, file, target_of(machine).records if machine else ())
    check_family(module.family, file, machine)
    return module
