"""The elements of constants, and what their words in the text form mean."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from machines.confinement import leads_out, open_to_read, outside
from machines.diagnostics import Location, input_error
from machines.elements import DTYPES, as_elements, from_memory
from machines.levels.network.tensors import Constant, Stored, TensorType

MOST_RANDOM = 1 << 28
"""Elements of a random constant, which are held in memory."""
STRETCH = 1 << 22
"""Elements that are drawn at once."""


def elements_of(constant: Constant) -> np.ndarray:
    """The elements, in the shape of the tensor; those that are stored are mapped, not read.

    Raises InputError if their file cannot be read, or ends before.
    """
    stored = constant.elements
    if not isinstance(stored, Stored):
        return np.transpose(stored, constant.order) if constant.order else stored
    extents = list(constant.type.shape)
    for axis, extent in zip(constant.order, constant.type.shape, strict=False):
        extents[axis] = extent
    space = _mapped(stored, constant.type.size)
    found = from_memory(space, DTYPES[constant.type.element.name], tuple(extents))
    return np.transpose(found, constant.order) if constant.order else found


def _mapped(stored: Stored, size: int) -> np.ndarray:
    """So many bytes of a file."""
    check_stored(stored, size)
    handle = open_to_read(stored.file, stored.file)
    with os.fdopen(handle, "rb") as file:
        return np.memmap(file, np.uint8, "r", stored.offset, (size,))


def check_stored(stored: Stored, size: int, location: Location | None = None) -> None:
    """Raise InputError if a file does not have the bytes of a constant."""
    name = Path(stored.file).name
    if leads_out(stored.file):
        raise input_error(outside(name), location)
    try:
        found = os.path.getsize(stored.file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "that is no name of a file"
        message = f"cannot read the constants in {name}: {reason}"
        raise input_error(message, location, hint="it is looked up beside the network") from None
    if stored.offset + size > found:
        message = f"{name} has {found} bytes, the constant ends behind byte {stored.offset + size}"
        raise input_error(message, location, hint="the file is cut off, or the offset is wrong")


def random(type: TensorType, seed: int, scale: float) -> np.ndarray:
    """Numbers from -scale to scale of numpy's PCG64, all as likely; integers with both ends, as
    far as the type has them."""
    generator = np.random.Generator(np.random.PCG64(seed))
    found = np.empty(type.count, DTYPES[type.element.name])
    for first in range(0, type.count, STRETCH):
        size = min(STRETCH, type.count - first)
        if type.element.is_float:
            values = generator.uniform(-scale, scale, size)
        else:
            low = max(type.element.lowest, -int(scale))
            high = min(type.element.highest, int(scale))
            values = generator.integers(low, high, size, endpoint=True)
        found[first : first + size] = as_elements(values, type.element)
    return found.reshape(type.shape)


def filled(type: TensorType, value: float) -> np.ndarray:
    """One number everywhere, which stands in memory once."""
    return np.broadcast_to(as_elements(value, type.element), type.shape)


def made(type: TensorType, words: str, make: Callable[[], np.ndarray]) -> Constant:
    """A constant whose elements nobody changes, with the words that say what they are."""
    elements = make()
    elements.flags.writeable = False
    return Constant(type, elements, words=words)


def transposed(constant: Constant, order: tuple[int, ...]) -> Constant:
    """A constant of which dimension k is dimension order[k] of another one; no element moves."""
    shape = tuple(constant.type.shape[k] for k in order)
    before = constant.order or tuple(range(len(shape)))
    after = tuple(before[k] for k in order)
    return Constant(
        replace(constant.type, shape=shape),
        constant.elements,
        after if after != tuple(range(len(shape))) else (),
    )


def reshaped(constant: Constant, shape: tuple[int, ...]) -> Constant:
    """A constant of the same elements in the same order; what is stored as it is stays stored."""
    type = replace(constant.type, shape=shape)
    if isinstance(constant.elements, Stored) and not constant.order:
        return Constant(type, constant.elements)
    return Constant(type, elements_of(constant).reshape(shape))
