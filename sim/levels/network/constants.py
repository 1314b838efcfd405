"""Constants of networks on their way into memory, from arrays or from files.

What is stored in a file is read straight into the memory of the run: of weights of half a gigabyte
there is one copy.  What is stored in another order goes through stretches of `STRETCH` bytes.
"""

from __future__ import annotations

import os
from math import prod

import numpy as np

from machines.confinement import open_to_read
from machines.diagnostics import InputError, input_error
from machines.elements import DTYPES, from_memory, in_memory
from machines.levels.network.tensors import Constant, Stored

STRETCH = 1 << 24
"""Bytes that are read at once of what is put into another order."""


def write_constant(constant: Constant, space: np.ndarray) -> None:
    """Fill some bytes of memory (u8[constant.type.size]) with a constant.

    Raises InputError if its file cannot be read, or ends before.
    """
    stored = constant.elements
    if not isinstance(stored, Stored):
        axes = constant.order or range(stored.ndim)
        space[...] = in_memory(stored.transpose(axes))
    elif _is_as_stored(constant):
        with _Reader(stored) as reader:
            reader.fill(space)
    else:
        _reorder(constant, stored, space)


def _is_as_stored(constant: Constant) -> bool:
    """Whether its elements stand in the file as they do in memory: an axis of one element may be
    anywhere."""
    shape = constant.type.shape
    kept = [axis for axis, extent in zip(constant.order, shape, strict=False) if extent != 1]
    return kept == sorted(kept)


def _reorder(constant: Constant, stored: Stored, space: np.ndarray) -> None:
    """Read the outermost stored dimension piece by piece, and put each where it belongs."""
    type, order = constant.type.element, constant.order
    extents = [0] * len(order)
    for axis, extent in zip(order, constant.type.shape, strict=True):
        extents[axis] = extent
    dtype = DTYPES[type.name]
    if type.in_byte > 1:  # a row may begin within a byte
        whole = np.empty(type.size(prod(extents)), np.uint8)
        with _Reader(stored) as reader:
            reader.fill(whole)
        space[...] = in_memory(from_memory(whole, dtype, tuple(extents)).transpose(order))
        return
    target = space.view(dtype).reshape(constant.type.shape).transpose(np.argsort(order))
    row = prod(extents[1:])
    rows = max(STRETCH // max(row * dtype.itemsize, 1), 1)
    with _Reader(stored) as reader:
        for first in range(0, extents[0], rows):
            some = min(rows, extents[0] - first)
            piece = np.empty(some * row, dtype)
            reader.fill(piece.view(np.uint8))
            target[first : first + some] = piece.reshape(some, *extents[1:])


class _Reader:
    """A file from where elements are stored on."""

    def __init__(self, stored: Stored):
        self._stored = stored

    def __enter__(self) -> _Reader:
        stored = self._stored
        try:
            self._file = open(open_to_read(stored.file, stored.file), "rb", buffering=0)
            self._file.seek(stored.offset, os.SEEK_SET)
        except OSError as error:
            raise self._failed(error.strerror) from None
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def fill(self, space: np.ndarray) -> None:
        """The next bytes of the file."""
        view, done = memoryview(space), 0
        while done < len(view):
            try:
                count = self._file.readinto(view[done:])
            except OSError as error:
                raise self._failed(error.strerror) from None
            if not count:
                raise self._failed(f"it ends {len(view) - done} bytes too early")
            done += count

    def _failed(self, why: str | None) -> InputError:
        message = f"cannot read constants of a network from {self._stored.file}: {why}"
        return input_error(message, hint="the file has changed since the network was compiled")
