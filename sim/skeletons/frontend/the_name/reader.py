"""From a text to a module of the IR."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from compiler.ir.builder import add_function
from compiler.ir.module import Module
from machines.description.load import Machine
from machines.diagnostics import Location, input_error
from machines.levels import NO_OPTIONS
from machines.types import I64

OPERATIONS = {"+": "add", "-": "sub", "*": "mul"}
FORMULA = re.compile(r"(?:(?P<name>\w+) *= *)?(?P<left>\w+) *(?P<sign>[-+*]) *(?P<right>\w+)")


def read(
    text: str,
    file: str,
    machine: Machine | None = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a file: one function, called as the file, whose parameters are the names that
    no line defines.  Raises InputError."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    formulas = [(number, line, FORMULA.fullmatch(line)) for number, line in lines if line]
    for number, _, formula in formulas:
        if formula is None:
            hint = "write 'name = left + right', with +, - or *"
            raise input_error("this is no formula", Location(file, number), source=text, hint=hint)
    if not formulas:
        raise input_error("there is no formula", Location(file, 1), hint="write 'a * a'")
    defined = {formula["name"] for _, _, formula in formulas}
    read_names = [formula[side] for _, _, formula in formulas for side in ("left", "right")]
    parameters = [n for n in dict.fromkeys(read_names) if n not in defined and not n.isdigit()]
    module = Module(source=text)
    typed = [(name, I64) for name in parameters]
    builder = add_function(module, PurePath(file).stem, typed, I64, Location(file, 1))
    builder.at(builder.block("entry"))
    for number, _, formula in formulas:
        builder.location = Location(file, number)
        operands = [_value(formula[side]) for side in ("left", "right")]
        row = f"{OPERATIONS[formula['sign']]}.i64"
        value = builder.emit(row, *operands, result=formula["name"])
    builder.return_(value)
    return module


def _value(word: str) -> int | str:
    return int(word) if word.isdigit() else word
