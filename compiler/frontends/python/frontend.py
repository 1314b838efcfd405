"""From a file of Python kernels to a module: parsed and never executed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from compiler.frontends.python.check_module import check_module
from compiler.frontends.python.errors import Source
from compiler.frontends.python.lower_module import lower_module
from compiler.frontends.python.parsing import is_marked, parse
from compiler.frontends.python.scope import FindFunction
from compiler.ir.module import Module
from machines.diagnostics import Location, input_error


def read(
    text: str, file: str, machine: object = None, entries: Sequence[str] = (), rules: str = ""
) -> Module:
    """The module of a kernel file, a function for each kernel, or for each of `entries` if there
    are such; array parameters become `ptr`.  Of a file that has no kernel, and if one of `entries`
    is a function of arrays, it is the module of these functions.

    `Module.entry` is the only kernel that no other calls, None if there are several.
    Raises InputError with every finding.
    """
    source = Source(text, file)
    tree = parse(source)
    arrays = {node.name for node in tree.body if is_marked(node, "function")}
    has_kernels = any(is_marked(node, "kernel") for node in tree.body)
    if not arrays.isdisjoint(entries) or (arrays and not has_kernels):
        # Here, as kernels do without it, and everything that reads them would wait for it.
        from compiler.levels.arrays.programs import module_of_functions

        return module_of_functions(text, file, rules)
    declarations = check_module(source, tree, _finder(text, file, rules))
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


def _finder(text: str, file: str, rules: str) -> FindFunction:
    """Finds the functions of arrays that kernels call, of the file or of the library."""

    @cache
    def functions():
        from compiler.levels.arrays.scalar_functions import ScalarFunctions

        return ScalarFunctions(text, file, rules)

    return lambda name, is_of_file: functions().find(name, is_of_file)
