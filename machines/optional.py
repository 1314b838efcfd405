"""Packages that only some uses need, imported when one does."""

from __future__ import annotations

import importlib
from types import ModuleType

from machines.diagnostics import input_error


def optional(name: str, extra: str) -> ModuleType:
    """A package of one of simrun's extras; raises InputError where it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != name.partition(".")[0]:
            raise
        top = name.partition(".")[0]
        hint = f"pip install 'simrun[{extra}]', or {top} itself"
        raise input_error(f"this needs {top}, which is not installed", hint=hint) from None
