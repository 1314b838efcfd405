"""Levels of code above the IR, a package each; `machines.levels` is the door by which they come.

What the compiler asks of them, whichever they are, is asked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compiler.ir.module import Function, Module
from compiler.transformation import Pass
from machines.diagnostics import input_error, nearest
from machines.levels import NO_OPTIONS, Level, parts
from machines.reading import MOST_SOURCE, read_text


def passes_of_levels() -> dict[str, tuple[Pass, ...]]:
    """The passes of every level, by its name, in the order in which they lead from it."""
    return parts("passes", _not_passes)


def findings_in(level: Level, function: Function) -> list[str]:
    """What is wrong with the body of a level's function."""
    return list(level.function("verify")(function))


def text_in(level: Level, function: Function) -> str:
    """The text of a level's function that is not lowered."""
    return level.function("print")(function)


def uncalled(module: Module) -> list[str]:
    """The functions of a level's module, none of them lowered, that no other one calls."""
    called = {name for one in module.functions.values() for name in one.body.callees}
    return [name for name in module.functions if name not in called]


def read_function(
    level: Level, path: Path, name: str | None = None, options: Mapping[str, Any] = NO_OPTIONS
) -> Function:
    """A function of a file that a level reads, by its name or the only one that no other calls; it
    is not lowered.  Raises InputError with every finding."""
    module = level.function("parse")(read_text(path, MOST_SOURCE), str(path), options)
    known, name = module.functions, module.entry if name is None else name
    if not known:
        hint = f"mark one: @{level.mark}" if level.mark else None
        raise input_error(f"{path} has no function", hint=hint)
    if name is None:
        hint = "name it: --entry NAME"
        named = ", ".join(uncalled(module) or known)
        raise input_error(f"which function is not said: {named}", hint=hint)
    if name not in known:
        raise input_error(f"{path} has no function '{name}'", hint=nearest(name, known))
    return known[name]


def _not_passes(part: object) -> str | None:
    if not isinstance(part, tuple) or not all(isinstance(one, Pass) for one in part):
        return f"it is of type {type(part).__name__}, not a tuple of passes"
    return None
