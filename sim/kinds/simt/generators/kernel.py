"""A kernel that a generator compiled, and what its parameters are given.

A parameter of the source may be several of the PTX (Numba hands an array over as its address,
extents and strides), one of other form (Warp: a structure), or none.  `Parameter.written` makes of
what a workload gives the values of a launch, as they would stand in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Axes = int | None


@dataclass(frozen=True)
class Parameter:
    """One of the source.

    name     None where only its place is known
    text     what it takes, for messages
    written  written(value, axes) -> values of the launch, in order.  `value` is what the workload
             writes: a number, the name of an argument, an expression, None; `axes` are those of the
             array that it names, None if it names none or they are not known.  Raises ValueError
             with a sentence
    """

    name: str | None
    text: str
    written: Callable[[Any, Axes], list[Any]]


@dataclass(frozen=True)
class GeneratedKernel:
    """One that a generator left.

    name        in the source
    program     the file of PTX, and `entry` what it is called there
    parameters  of the source
    declared    how many the PTX has
    made_for    what tells it from others of its name: target, number of warps
    before      values of the launch that come first, and `after`: last
    block       threads of a block, if it was compiled for one
    shared      bytes of dynamic shared memory
    extents     extents(launch) -> keys in place of some of a launch (`dim` becomes a grid) and the
                values that come first; raises ValueError with a sentence
    scratch     bytes of global memory that each block wants for itself, of which the pointer comes
                after the parameters
    refused     what a launch of it would need that none here can give, '' if nothing
    """

    name: str
    program: Path
    entry: str
    parameters: tuple[Parameter, ...]
    declared: int
    made_for: str = ""
    before: tuple[Any, ...] = ()
    after: tuple[Any, ...] = ()
    block: tuple[int, ...] | None = None
    shared: int = 0
    extents: Callable[[Mapping[str, Any]], tuple[dict[str, Any], list[Any]]] | None = None
    scratch: int = 0
    refused: str = ""


def scalar(value: Any, axes: Axes) -> list[Any]:
    """A number as it is."""
    return [value]


def named(value: Any, generator: str) -> str:
    """The name of an array, where nothing else will do; raises ValueError."""
    if not isinstance(value, str) or not value.strip().isidentifier():
        raise ValueError(f"an array of {generator} is given by its name, not as {value!r}")
    return value.strip()


def array(value: Any, elements: str | None, axes: Axes = None, multiple: int = 1) -> Any:
    """A pointer to an array's data of which something must hold."""
    conditions: dict[str, Any] = {}
    if elements is not None:
        conditions["elements"] = elements
    if axes is not None:
        conditions["axes"] = axes
    if multiple > 1:
        conditions["multiple_of"] = multiple
    return {"value": value, **conditions} if conditions and value is not None else value
