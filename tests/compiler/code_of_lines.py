"""Functions of machine code from the lines of their blocks."""

from __future__ import annotations

from functools import cache

from compiler.ir.module import Function, Instruction
from compiler.targets import target_of
from compiler.text_form import parse
from machines.description.load import Machine, load_machine

_machine = cache(load_machine)


def code(family: str, form: str = "virtual", **blocks: list[str]) -> Function:
    """The function `k` with these blocks, whose lines are the text form's."""
    lines = [f"form {form} of {family}", "func @k() {"]
    for name, block in blocks.items():
        lines += [f"{name}:", *block]
    return parse("\n".join([*lines, "}"])).functions["k"]


def instructions(family: str, *lines: str) -> list[Instruction]:
    """The instructions of these lines."""
    return code(family, entry=list(lines)).entry.instructions


def findings(function: Function, machine: str, form: str = "virtual") -> list[str]:
    """What the target of a machine finds wrong."""
    loaded: Machine = _machine(machine)
    return list(map(str, target_of(loaded).verify(function, form, loaded.description)))
