"""Oracles that a workload brings: Python functions in a file beside it.

    y: {oracle: "sums.py:by_rows", of: [x, n]}      of expressions, as any oracle's
    y: {oracle: "sums.py:by_rows"}                  of the arguments that its parameters name

Such a file can do whatever its user can, so it runs only if the user says that it is trusted
(`--trust`, from Python `trust=True`).  It is one file: what it imports is installed.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from machines import confinement
from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, Location, diagnostic, nearest
from machines.reading import MOST_SOURCE, read_text

_TRUST = "read it; if you trust it, add --trust to the command (from Python: trust=True)"


@dataclass(frozen=True)
class OwnOracle:
    """A function of a file beside the workload, as the workload names it."""

    node: Node
    file: str
    function: str

    def load(self, folder: Path, trusted: bool) -> Callable[..., Any]:
        """The function; raises InputError, also where its file is not trusted."""
        if not trusted:
            message = f"oracle {self.node.value} is Python code of the workload's own"
            hint = _TRUST if confinement.store() is None else "a service runs none"
            raise InputError(self.node.finding(message, hint))
        path = folder / self.file
        module = self._run(path)
        function = getattr(module, self.function, None)
        if not callable(function):
            functions = [name for name, one in vars(module).items() if inspect.isfunction(one)]
            message = f"{self.file} has no function '{self.function}'"
            raise InputError(self.node.finding(message, nearest(self.function, functions)))
        return function

    def _run(self, path: Path) -> ModuleType:
        module = ModuleType(f"oracles of {path}")
        module.__file__ = str(path)
        try:
            text = read_text(path, MOST_SOURCE, self.file)
        except InputError as error:
            hint = "it is looked up beside the workload"
            raise InputError(self.node.finding(error.diagnostics[0].message, hint)) from None
        before = sys.modules.get(module.__name__)
        sys.modules[module.__name__] = module  # dataclasses look their module up
        try:
            exec(compile(text, str(path), "exec"), vars(module))
        except SyntaxError as error:
            location = Location(str(path), error.lineno or 1, max(1, error.offset or 1))
            raise InputError(
                diagnostic(f"not Python: {error.msg}", location, source=text)
            ) from None
        except (Exception, SystemExit) as error:
            raise InputError(self.node.finding(self.failure(error))) from None
        finally:
            if before is not None:
                sys.modules[module.__name__] = before
        return module

    def failure(self, error: BaseException) -> str:
        """What is said of an exception of the file's code, with the line that raised it."""
        inside = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if Path(frame.filename).name == Path(self.file).name
        ]
        where = f"{self.file}:{inside[-1]}" if inside else self.file
        return f"the oracle fails: {where}: {type(error).__name__}: {error}"


def own_oracle(node: Node) -> OwnOracle | None:
    """The oracle of the workload's own that a node names, if it names one: 'FILE.py:FUNCTION'.

    Raises InputError if it names one in a wrong way.
    """
    file, colon, function = str(node.value).rpartition(":")
    if not colon:
        return None
    if not file.endswith(".py") or not function.isidentifier():
        message = f"'{node.value}' is no oracle of the workload's own"
        raise InputError(node.finding(message, "write it like sums.py:by_rows"))
    return OwnOracle(node, file, function)
