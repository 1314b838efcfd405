"""Named oracles: what a kernel's output must be, computed by other code than the kernel's.

A workload names one in `expect:` together with the arguments it is a function of:

    expect:
      digest: {oracle: sha256, of: [data]}

Every oracle is a plain function of *initial* argument values (numpy arrays and Python numbers), in
the order of `of`, and returns the expected value of one output: an array of the output's shape, or
a number.  Its annotations say what it takes; anything else is refused before it is asked.

Where the standard library or numpy has the algorithm, that is the oracle; the others are written in
numpy, in a different shape than the kernels (whole rows instead of elements), so that a mistake is
unlikely to be made twice.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from machines.diagnostics import input_error
from machines.elements import DTYPE_NAMES, DTYPES
from machines.later import Later
from machines.plugins import installed

np = Later("numpy")


@dataclass(frozen=True)
class Takes:
    """What a parameter of an oracle takes: the element types, and how many axes (0: a number)."""

    words: str
    axes: int
    dtypes: tuple[str, ...]

    def accepts(self, value: np.ndarray) -> bool:
        return value.ndim == self.axes and DTYPE_NAMES.get(value.dtype) in self.dtypes

    def typed(self, value: np.ndarray) -> np.ndarray:
        """An expression's value in the type that is taken, if it is one."""
        return typed(value, self.dtypes[0] if len(self.dtypes) == 1 else "i64")


def typed(value: np.ndarray, wanted: str = "i64") -> np.ndarray:
    """An expression's value; its integers, which are of no type, in the wanted one if they fit."""
    if value.dtype.kind == "f":
        return value
    for dtype in (wanted, "i64", "u64"):
        try:
            converted = value.astype(DTYPES[dtype])
        except OverflowError:
            continue
        if np.array_equal(converted, value):
            return converted
    return value


INTEGER = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOAT = ("f32", "f64")

Array = Any
"""A numpy array; what the annotation beside it says decides."""
Bytes = Annotated[Array, Takes("u8[n]", 1, ("u8",))]
Flags = Annotated[Array, Takes("integers or booleans [n]", 1, (*INTEGER, "boolean"))]
Integers = Annotated[Array, Takes("integers [n]", 1, INTEGER)]
Words = Annotated[Array, Takes("u64[n]", 1, ("u64",))]
IntegerGrid = Annotated[Array, Takes("integers [h, w]", 2, INTEGER)]
Numbers = Annotated[Array, Takes("numbers [n]", 1, INTEGER + FLOAT)]
Floats = Annotated[Array, Takes("floats [n]", 1, FLOAT)]
FloatGrid = Annotated[Array, Takes("floats [h, w]", 2, FLOAT)]
FloatCube = Annotated[Array, Takes("floats [d, h, w]", 3, FLOAT)]
Integer = Annotated[int, Takes("an integer", 0, INTEGER)]
Real = Annotated[float, Takes("a number", 0, INTEGER + FLOAT)]
Oracle = Callable[..., Array | int | float]

_DECLARED: dict[str, Oracle] = {}


def oracle(name: str) -> Callable[[Oracle], Oracle]:
    """Make a function available to workloads under `name`."""

    def register(function: Oracle) -> Oracle:
        if name in _DECLARED:
            raise ValueError(f"oracle '{name}' is declared twice")
        _DECLARED[name] = function
        return function

    return register


@cache
def built_in() -> dict[str, Oracle]:
    """simrun's own by the name workloads use, gathered from the modules of this folder."""
    import sim.oracles as folder

    for info in pkgutil.iter_modules(folder.__path__):
        importlib.import_module(f"{folder.__name__}.{info.name}")
    return dict(_DECLARED)


@cache
def oracles() -> dict[str, Oracle]:
    """Every oracle by name: simrun's, and those of installed packages (entry points of group
    `simrun.oracles`, each a function).

    One that is no such function is reported in `FAILED`; raises InputError if a name is taken.
    """
    found = dict(built_in())
    owners = dict.fromkeys(found, "simrun")
    for name, function, owner in installed("oracles", _no_oracle):
        if name in found:
            raise input_error(
                f"oracle '{name}' is provided by both {owners[name]} and {owner}",
                hint="uninstall or rename one of them",
            )
        found[name], owners[name] = function, owner
    return found


def _no_oracle(function: object) -> str | None:
    try:
        parameters(function)
    except (TypeError, ValueError, NameError) as error:
        return f"is no oracle: {error}"
    return None


def parameters(function: Oracle) -> dict[str, Takes | None]:
    """What an oracle takes, by parameter, in order; None of one whose annotation does not say.

    Raises TypeError if it is not a function of so many values.
    """
    if not callable(function):
        raise TypeError(f"expected a function, found a {type(function).__name__}")
    declared = inspect.signature(function).parameters.values()
    for parameter in declared:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise TypeError(f"'{parameter.name}' is no parameter that is given by its position")
    hints = typing.get_type_hints(function, include_extras=True)
    return {one.name: _takes(hints.get(one.name)) for one in declared}


def _takes(hint: object) -> Takes | None:
    said = getattr(hint, "__metadata__", ())
    return next((one for one in said if isinstance(one, Takes)), None)
