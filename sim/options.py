"""What a Python caller gives, checked as the command line's options are.

Everything wrong is an InputError that names the parameter.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from machines.description.load import Machine
from machines.diagnostics import InputError, input_error
from sim.bounds import MOST_CYCLES

Overrides = str | Sequence[str] | Mapping[str, object]
Passes = str | Sequence[str | Mapping[str, Any]] | None


def path(name: str, given: object) -> Path:
    """A path that can be one."""
    if not isinstance(given, str | os.PathLike):
        raise _refused(name, "a path", given)
    found = os.fspath(given)
    if not isinstance(found, str) or not found or "\0" in found:
        raise _refused(name, "a path", given)
    return Path(found)


def text(name: str, given: object) -> str | None:
    """A text that is not empty, or None."""
    if given is None:
        return None
    if not isinstance(given, str) or not given:
        raise _refused(name, "a text", given)
    return given


def machine(given: object) -> str | Mapping[str, Any] | Machine:
    """The name of a machine, the path of its file, what such a file says, or a machine."""
    if isinstance(given, Mapping | Machine):
        return given
    if not isinstance(given, str | os.PathLike) or not os.fspath(given):
        raise _refused("machine", "a name, a path, a mapping or a Machine", given)
    return str(given)


def names(name: str, given: object) -> tuple[str, ...]:
    """One name, or several."""
    found = (given,) if isinstance(given, str) else given
    if not isinstance(found, list | tuple) or not all(isinstance(one, str) for one in found):
        raise _refused(name, "a text, or texts", given)
    return tuple(found)


def cycles(name: str, given: object) -> int | None:
    """A number of cycles, or None."""
    return None if given is None else count(name, given)


def count(name: str, given: object) -> int:
    """How many: at least one, at most as many as there may be cycles."""
    is_count = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not is_count or not 1 <= given <= MOST_CYCLES:
        raise _refused(name, f"an integer from 1 to {MOST_CYCLES:.0e}", given)
    return int(given)


def flag(name: str, given: object) -> bool:
    """True or False."""
    if not isinstance(given, bool | np.bool_):
        raise _refused(name, "True or False", given)
    return bool(given)


def function(name: str, given: object) -> Any:
    """A function, or None."""
    if given is not None and not callable(given):
        raise _refused(name, "a function", given)
    return given


def overrides(given: object) -> tuple[str, ...]:
    """Changes of the machine: 'path=value', several of them, or a mapping from paths to values."""
    if isinstance(given, str):
        return (given,)
    if isinstance(given, Mapping):
        given = [f"{key}={_written(value)}" for key, value in given.items()]
    if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
        hint = '["memory.l1d.size=32KiB"] or {"memory.l1d.size": "32KiB"}'
        raise _refused("overrides", "texts like 'path=value'", given, hint)
    return tuple(given)


def passes(given: object) -> str | list | None:
    """A list of passes: as a text with commas, as on the command line, or name by name."""
    if given is None:
        return None
    if isinstance(given, str):
        return given if given == "default" else pass_list(given)
    is_list = isinstance(given, list | tuple)
    if not is_list or not all(isinstance(one, str | Mapping) for one in given):
        raise _refused("passes", "names, or one text with commas between them", given)
    return list(given)


def pass_list(given: str) -> list[str]:
    """The names of a text with commas between them."""
    names = [name.strip() for name in given.split(",")]
    if not all(names):
        raise input_error(f"a name is missing in the passes '{given}'", code="passes")
    return names


def passes_given(text: str | None) -> list[str] | None:
    """The same of an option, None if it was not given."""
    return None if text is None else pass_list(text)


def _written(value: object) -> str:
    """A value as an override writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refused(name: str, wanted: str, given: object, hint: str | None = None) -> InputError:
    shown = repr(given)
    shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
    return input_error(f"{name}: expected {wanted}, found {shown}", hint=hint)
