"""Where the arrays of a state are: the table that jitted code is given (see `sim.cores.tables`).

A class of states may say how code that is made for one program reaches its fields:

    class State(NamedTuple):
        latencies: I64
        registers: I64
        bytes: U8

        CONSTANT = ("latencies",)   # what stands in it is known before: part of the code
        OUTSIDE = ("bytes",)        # an array of somebody else's: its address is looked up

All other arrays of such a state are parts of one buffer, the arena: their distances from its
beginning are part of the code (`in_arena`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from machines.array_fields import ArrayField, fields_of


class Arena(NamedTuple):
    """A state whose arrays are parts of one buffer.

    buffer  uint8[bytes]
    state   the same values, in arrays of which those that are neither constant nor outside are
            views of the buffer
    """

    buffer: NDArray[np.uint8]
    state: NamedTuple


LINE = 64
"""Bytes of a line of the host's caches.  Arrays of a page's length in which the same element is
used together would meet in the same sets, so that each begins a line later in its page."""


def in_arena(state: NamedTuple) -> Arena:
    """A state in one buffer; the arrays stand in it in the order of their fields."""
    sizes = [array.nbytes for array in _in_arena(state)]
    starts = np.cumsum([0, *(-(-size // LINE) * LINE + LINE for size in sizes)]).tolist()
    room = np.zeros(starts[-1] + LINE, dtype=np.uint8)
    buffer = room[-room.ctypes.data % LINE :][: starts[-1]]
    places = iter(starts)
    return Arena(buffer, _moved(state, buffer, places))


def is_bound(kind: type) -> bool:
    """Whether a class of states says how code that is made for one program reaches its fields."""
    return hasattr(kind, "OUTSIDE")


def _stands_in_arena(kind: type, name: str) -> bool:
    return name not in (*kind.CONSTANT, *kind.OUTSIDE)


def _in_arena(state: NamedTuple) -> Iterator[np.ndarray]:
    for name, value in state._asdict().items():
        if not isinstance(value, np.ndarray):
            yield from _in_arena(value)
        elif _stands_in_arena(type(state), name):
            yield value


def _moved(state: NamedTuple, buffer: np.ndarray, places: Iterator[int]) -> NamedTuple:
    changes = {}
    for name, value in state._asdict().items():
        if not isinstance(value, np.ndarray):
            changes[name] = _moved(value, buffer, places)
        elif _stands_in_arena(type(state), name):
            start = next(places)
            part = buffer[start : start + value.nbytes].view(value.dtype).reshape(value.shape)
            if value.any():  # else no page of either need be there
                part[...] = value
            changes[name] = part
    return state._replace(**changes)


def table_of(state: NamedTuple, buffer: np.ndarray | None = None) -> np.ndarray:
    """int64[words]: where each array of a state is, in the order of its fields; of an array with
    several axes its extents follow.

    buffer  of a state in an arena: the same follows once more, with distances from the buffer where
            arrays stand in it, and then the buffer's own address

    Who keeps the table keeps the state: the table does not.
    Raises TypeError if an array is not what its field says, or has gaps between its elements.
    """
    words = list(_words(state))
    if buffer is not None:
        words += [*_places(words, buffer), buffer.ctypes.data]
    return np.array(words, dtype=np.int64)


def places_of(state: NamedTuple, buffer: np.ndarray) -> list[int]:
    """The words of a table, with distances from the buffer of an arena where arrays stand in it."""
    return _places(_words(state), buffer)


def _places(words: Iterable[int], buffer: np.ndarray) -> list[int]:
    first = buffer.ctypes.data
    end = first + buffer.nbytes
    return [word - first if first <= word < end else word for word in words]


def _words(state: NamedTuple) -> Iterator[int]:
    for name, of in fields_of(type(state)).items():
        value = getattr(state, name)
        if not isinstance(of, ArrayField):
            yield from _words(value)
            continue
        if not _fits(value, of) or not value.flags.c_contiguous:
            raise TypeError(
                f"{name} is to be an array of {of.dtype} with extents {of.extents} and no gaps, "
                f"not of {value.dtype} with {value.shape}"
            )
        yield value.ctypes.data
        if of.axes > 1:
            yield from value.shape


def _fits(value: np.ndarray, of: ArrayField) -> bool:
    if value.dtype != of.dtype or value.ndim != of.axes:
        return False
    pairs = zip(of.extents, value.shape, strict=True)
    return all(wanted is None or wanted == found for wanted, found in pairs)
