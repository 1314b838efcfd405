"""From a file of Python kernels to a module: parsed and never executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from compiler.frontends.python.check_module import check_module
from compiler.frontends.python.lower_module import lower_module
from compiler.ir.module import Module
from compiler.python_syntax.errors import Source
from compiler.python_syntax.parsing import is_marked, parse
from compiler.python_syntax.scope import FindFunction
from machines.diagnostics import Location, input_error
from machines.levels import NO_OPTIONS, levels


def read(
    text: str,
    file: str,
    machine: object = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a kernel file, a function for each kernel, or for each of `entries` if there
    are such; array parameters become `ptr`.  Of a file that has no kernel, and if one of `entries`
    has the mark of a level, it is the module of that level's functions.

    `Module.entry` is the only kernel that no other calls, None if there are several.
    Raises InputError with every finding.
    """
    source = Source(text, file)
    tree = parse(source)
    has_kernels = any(is_marked(node, "kernel") for node in tree.body)
    for level in (level for level in levels().values() if level.mark):
        marked = {node.name for node in tree.body if is_marked(node, level.mark)}
        if not marked.isdisjoint(entries) or (marked and not has_kernels):
            return level.function("parse")(text, file, options)
    declarations = check_module(source, tree, _finder(text, file, options))
    source.raise_findings()
    if not declarations.kernels:
        hint = "mark a function: @kernel, with `from compiler.kernel import kernel`"
        raise input_error(
            "the file has no kernel",
            Location(file, 1),
            source=text,
            hint=hint,
        )
    return lower_module(declarations, entries)


def _finder(text: str, file: str, options: Mapping[str, Any]) -> FindFunction:
    """Finds the functions that kernels call, of the file or of the library.  Kernels that call none
    do without the level, and wait for nothing."""

    @cache
    def find() -> FindFunction:
        level = next(level for level in levels().values() if level.scalars)
        return level.function("scalars")(text, file, options)

    return lambda name, is_of_file: find()(name, is_of_file)
