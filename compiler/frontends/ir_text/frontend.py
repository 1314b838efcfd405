"""From the text of code to a module, in whatever form; compiler/README.md describes the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.frontends import check_family
from compiler.ir.module import Module
from compiler.pass_lists import FIRST_FORM, forms
from compiler.targets import target_of
from compiler.text_form import parse
from machines.description.load import Machine
from machines.diagnostics import InputError, diagnostic, input_error, nearest
from machines.levels import NO_OPTIONS


def read(
    text: str,
    file: str,
    machine: Machine | None = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module in `text`.  Machine code is verified for the machine, if one is given.

    Raises InputError with every finding.
    """
    module = parse(text, file, target_of(machine).records if machine else ())
    if machine is not None and module.form != FIRST_FORM:
        _verify(module, machine, file)
    return module


def _verify(module: Module, machine: Machine, file: str) -> None:
    check_family(module.family, file, machine)
    known = forms(machine.kind)
    if module.form not in known:
        message = f"no code for {machine.name} is in form '{module.form}'"
        raise input_error(
            message, module.location, source=module.source, hint=nearest(module.form, known)
        )
    target = target_of(machine)
    findings = [
        diagnostic(
            found.message, found.location, source=module.source, hint=found.hint, code=found.code
        )
        for function in module.functions.values()
        for found in target.verify(function, module.form, machine.description)
    ]
    if findings:
        raise InputError(findings)
