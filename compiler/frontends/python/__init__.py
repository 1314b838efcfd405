"""Front end for Python kernels (`.py`): functions marked `@kernel`, parsed and never executed.

PYTHON.md beside this folder describes the language.  The way of a file:

    ast.parse -> check_module, check_statements, check_expressions, … -> tree (typed)
              -> lower_module, lower_statements, lower_values, …      -> Module
"""

from __future__ import annotations

import ast
import warnings

from compiler.frontends.python.check_module import check_module
from compiler.frontends.python.errors import NESTED_TOO_DEEPLY, Source
from compiler.frontends.python.lower_module import lower_module
from compiler.ir.module import Module
from machines.diagnostics import Location, input_error


class PythonFrontend:
    """Kernels as functions of a module; array parameters become `ptr`."""

    name = "python"
    suffixes = (".py",)

    def read(self, text: str, file: str, machine: object = None) -> Module:
        """The module of a kernel file, a function for each kernel.

        `Module.entry` is the only kernel that no other calls, None if there are several.
        Raises InputError with every finding.
        """
        source = Source(text, file)
        try:
            declarations = check_module(source, _parse(text, file))
            source.raise_findings()
            if not declarations.kernels:
                raise input_error(
                    "the file has no kernel",
                    Location(file, 1),
                    source=text,
                    hint="mark a function: @kernel, with `from compiler.kernel import kernel`",
                )
            return lower_module(declarations)
        except (RecursionError, MemoryError):
            message, hint = NESTED_TOO_DEEPLY
            raise input_error(message, Location(file, 1), hint=hint) from None


def _parse(text: str, file: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        place = Location(file, error.lineno or 1, max(1, error.offset or 1))
        raise input_error(f"not Python: {error.msg}", place, source=text) from None
    except ValueError as error:
        raise input_error(f"not Python: {error}", Location(file, 1)) from None


PLUGIN = PythonFrontend()
