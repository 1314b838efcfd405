"""Functions as snippets: an iteration is a call of the function, whose arguments are made up.

wraps = {".py": of_function(lambda entry, count: {"calls": count}), …}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import input_error
from sim.forms import Wanted
from sim.snippets import Text, Wrapped

EXTENT = 64
"""Of what the program leaves open."""
FUNCTION = {
    ".py": re.compile(r"^@kernel\b.*\n(?:@.*\n)*def\s+(\w+)", re.MULTILINE),
    ".sir": re.compile(r"^\s*func\s+@([\w.]+)", re.MULTILINE),
}
ENTRY = (
    f"integers are {EXTENT}, floats 1.25, axes whose length is left open have {EXTENT} elements, "
    "arrays of integers hold 3, those of floats random numbers from 1 to 2; an iteration is a call"
)


def has_function(text: Text, suffix: str) -> bool:
    return FUNCTION[suffix].search("\n".join(text.lines)) is not None


def of_function(
    suffix: str, steps: Callable[[str, int, Machine], Mapping[str, Any]], warm: int
) -> Callable[[Text, int, Machine], Wrapped]:
    """What wraps such files: `steps(entry, calls, machine)` gives the keys of a workload that call
    a function so often; `warm`: how often before the iterations."""

    def wrap(text: Text, iterations: int, machine: Machine) -> Wrapped:
        source = "\n".join(text.lines) + "\n"
        found = FUNCTION[suffix].findall(source)
        if not found:
            wanted = "a function under @kernel" if suffix == ".py" else "func @name(…) {…}"
            message = f"{text.name} has no function"
            raise input_error(
                message, hint=f"a snippet for {machine.name} in '{suffix}' is {wanted}"
            )
        entry = found[0]
        workload = {"entry": entry, **steps(entry, iterations + warm, machine)}
        said = ENTRY + (f"; caches are warm: {warm} came before" if warm else "")
        return Wrapped(source, (), workload, None, warm, said)

    return wrap


def made_up(wanted: Mapping[str, Wanted]) -> dict[str, Any]:
    """Arguments, as in a workload, of what a program wants."""
    scalars = {
        name: EXTENT if one.dtype is None or one.dtype[0] in "iub" else 1.25
        for name, one in wanted.items()
        if not one.is_array
    }
    scalars = {n: True if wanted[n].dtype == "boolean" else value for n, value in scalars.items()}
    return {
        name: _array(one, scalars) if one.is_array else scalars[name]
        for name, one in wanted.items()
    }


def _array(wanted: Wanted, scalars: Mapping[str, Any]) -> dict[str, Any]:
    dtype = wanted.dtype or "i32"
    shape = [_extent(one, scalars) for one in wanted.extents or ()] or [EXTENT * EXTENT]
    if dtype[0] in "iu" or dtype == "boolean":
        return {"dtype": dtype, "shape": shape, "value": 1 if dtype == "boolean" else 3}
    return {"dtype": dtype, "shape": shape, "random": {"seed": 1, "low": 1, "high": 2}}


def _extent(one: int | str | None, scalars: Mapping[str, Any]) -> int | str:
    if isinstance(one, int):
        return one
    if one is None or one in scalars:
        return EXTENT
    return one
