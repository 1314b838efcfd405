"""Where the arrays of a state are: the table that jitted code is given (see `sim.cores.tables`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, get_args, get_type_hints

import numpy as np


class ArrayField(NamedTuple):
    """An array of a state: its elements, and how many axes it has."""

    dtype: np.dtype
    axes: int


@cache
def fields_of(kind: type) -> dict[str, ArrayField | type]:
    """The fields of a NamedTuple class by name: arrays, and classes of states within it.

    `NDArray[np.int64]` has one axis, `np.ndarray[tuple[int, int], np.dtype[np.int64]]` two.
    """
    return {name: _field(of) for name, of in get_type_hints(kind).items()}


def _field(of: type) -> ArrayField | type:
    if not get_args(of):
        return of
    shape, dtype = get_args(of)
    return ArrayField(
        np.dtype(*get_args(dtype)), len([n for n in get_args(shape) if n is int]) or 1
    )


def table_of(state: NamedTuple) -> np.ndarray:
    """int64[words]: where each array of a state is, in the order of its fields; of an array with
    several axes its extents follow.

    Who keeps the table keeps the state: the table does not.
    Raises TypeError if an array is not what its field says, or has gaps between its elements.
    """
    return np.fromiter(_words(state), dtype=np.int64)


def _words(state: NamedTuple) -> Iterator[int]:
    for name, of in fields_of(type(state)).items():
        value = getattr(state, name)
        if not isinstance(of, ArrayField):
            yield from _words(value)
            continue
        if (value.dtype, value.ndim) != of or not value.flags.c_contiguous:
            raise TypeError(
                f"{name} is to be an array of {of.dtype} with {of.axes} axes and no gaps, "
                f"not of {value.dtype} with {value.ndim}"
            )
        yield value.ctypes.data
        if of.axes > 1:
            yield from value.shape
