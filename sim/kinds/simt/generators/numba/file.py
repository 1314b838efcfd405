"""The kernels of a PTX file that Numba wrote.

A number is one parameter.  An array of N axes is 5 + 2N of 64 bits: two pointers of its reference
count (null), elements, bytes of one, data, extents, strides in bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from machines.diagnostics import input_error
from sim.kinds.simt.generators.entries import entries, ptx_of
from sim.kinds.simt.generators.kernel import Axes, GeneratedKernel, Parameter, array, named, scalar
from sim.kinds.simt.generators.numba.mangled import (
    Array,
    NotMangled,
    Number,
    Type,
    is_mangled,
    signature,
)

BEFORE_AXES = 5


def kernels(path: Path) -> list[GeneratedKernel]:
    """Those of a file; raises InputError."""
    return [
        _kernel(path, entry, len(declared))
        for entry, declared in entries(ptx_of(path)).items()
        if is_mangled(entry)
    ]


def _kernel(path: Path, entry: str, declared: int) -> GeneratedKernel:
    try:
        name, types = signature(entry)
    except NotMangled as error:
        message = f"{path}: {error} is not known of Numba's kernels"
        raise input_error(message, hint="numbers and arrays of numbers are") from None
    wanted = sum(count(one) for one in types)
    if wanted != declared:
        message = f"{path}: '{name}' declares {declared} parameters, its name says {wanted}"
        hint = "numba-cuda 0.30 is known: an array of N axes is 5 + 2N parameters"
        raise input_error(message, hint=hint)
    parameters = tuple(parameter(one) for one in types)
    return GeneratedKernel(name, path, entry, parameters, declared)


def count(type: Type) -> int:
    """Parameters of the PTX that one of the source is."""
    return BEFORE_AXES + 2 * type.axes if isinstance(type, Array) else 1


def parameter(type: Type, name: str | None = None) -> Parameter:
    """What one of the source is given."""
    if isinstance(type, Number):
        return Parameter(name, type.type, scalar)
    text = f"an array of {type.elements} with {type.axes} axes"

    def written(value: Any, axes: Axes) -> list[Any]:
        return array_of(value, type)

    return Parameter(name, text, written)


def array_of(value: Any, type: Array) -> list[Any]:
    """The parameters of an array; one of layout F lies in memory as its transpose in layout C."""
    if value is None:
        raise ValueError("an array of Numba is never null")
    own = named(value, "Numba")
    order = range(type.axes)
    if type.layout == "F":
        order = reversed(order)
    axes = list(order)
    return [
        None,
        None,
        {"size": own},
        {"item": own},
        array(own, type.elements, type.axes),
        *({"extent": [own, axis]} for axis in axes),
        *({"stride": [own, axis]} for axis in axes),
    ]
