"""Functions of arrays that take and give scalars, as code that kernels hold in place of calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.language.module import LIBRARY, LIBRARY_FILE
from compiler.levels.arrays.lowering.arena import NoArena
from compiler.levels.arrays.lowering.function import lower_scalars
from compiler.levels.arrays.rule_files import rules_of, rules_with
from compiler.levels.arrays.table import Graph
from compiler.python_syntax.errors import Unfit
from compiler.python_syntax.scalars import SCALARS
from compiler.python_syntax.tree import ScalarFunction
from machines.diagnostics import Location


def find_in(
    text: str, file: str, options: Mapping[str, Any]
) -> Callable[[str, bool], ScalarFunction]:
    """Finds those of a file, and of the library; see `machines.levels.Level.scalars`."""
    return ScalarFunctions(text, file, rules_of(options)).find


class ScalarFunctions:
    """Those of a file, which may call the primitives of a file of rules, and of the library."""

    def __init__(self, text: str, file: str, rules: str) -> None:
        self._text, self._file, self._rules = text, file, rules
        self._found: dict[str, ScalarFunction] = {}

    @cached_property
    def _graph(self) -> Graph:
        return read_functions(self._text, self._file, rules_with(self._rules).primitives)

    def find(self, name: str, is_of_file: bool) -> ScalarFunction:
        """A function; raises InputError, and Unfit if kernels cannot call it."""
        if name not in self._found:
            self._found[name] = _lowered(self._graph, name) if is_of_file else _of_library(name)
        return self._found[name]


@cache
def _of_library(name: str) -> ScalarFunction:
    return _lowered(_library(), name)


@cache
def _library() -> Graph:
    return read_functions(LIBRARY.read_text(encoding="utf-8"), LIBRARY_FILE)


def _lowered(graph: Graph, name: str) -> ScalarFunction:
    kinds, result = graph.kinds[name]
    named = [*((f"parameter {p} of {name}", kind) for p, kind in kinds.items())]
    for what, kind in [*named, (f"the result of {name}", result)]:
        if kind not in SCALARS:
            raise Unfit(
                f"kernels call functions of scalars, but {what} is {kind}",
                "write a loop that calls a function of one element, or run the function itself",
            )
    try:
        code, faults = lower_scalars(graph, graph.functions[name], name)
    except NoArena:
        raise Unfit(
            f"{name} needs memory of its own, which a kernel has not got",
            "compute it in a kernel, with a scratch array",
        ) from None
    if faults:
        kind, location = faults[0]
        raise Unfit(
            f'{name} may fault with "{kind}"{_at(location)}; kernels have only machine faults',
            "compute it so that it cannot, or in a kernel, or run the function itself",
        )
    parameters = {parameter: SCALARS[kind] for parameter, kind in kinds.items()}
    return ScalarFunction(name, parameters, SCALARS[result], code)


def _at(location: Location | None) -> str:
    return f" in line {location.line}" if location else ""
