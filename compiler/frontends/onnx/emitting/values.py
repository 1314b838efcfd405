"""What a name of a model stands for: a tensor that the network computes, or known elements.

Known elements are arrays as the package onnx has them (of numpy's types and of ml_dtypes'), or stay
in their file until somebody asks for them.  A boolean is an element type of its own here; in
networks it is a u8, 0 or 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from machines.elements import DTYPE_NAMES, DTYPES, as_numbers, common_name, from_memory, known_array
from machines.levels.network.tensors import Stored, TensorType
from machines.types import BOOLEAN, ELEMENTS, U8, Type


@dataclass(slots=True, eq=False)
class Tensor:
    """A tensor of the network to be; `name` is what the model calls it, '' if it does not."""

    type: TensorType
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """`what` is a `Tensor`, or the elements.

    order     of stored elements, as in `machines.levels.network.tensors.Constant`
    compared  of a boolean that a comparison gave: the same in the type that was compared
    name      what the model calls elements that are known, if it does
    quantized of what is dequantized: what it is made of
    """

    element: Type
    shape: tuple[int, ...]
    what: Tensor | np.ndarray | Stored
    order: tuple[int, ...] = ()
    compared: Value | None = None
    name: str = ""
    quantized: Quantized | None = None

    @property
    def is_known(self) -> bool:
        return not isinstance(self.what, Tensor)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    @property
    def type(self) -> TensorType:
        """As the network has it."""
        return TensorType(in_network(self.element), self.shape)

    @property
    def array(self) -> np.ndarray:
        """The elements of what is known; those that are stored are mapped."""
        if isinstance(self.what, np.ndarray):
            return self.what
        stored = self.shape
        if self.order:
            stored = tuple(self.shape[self.order.index(k)] for k in range(self.rank))
        space = np.memmap(
            self.what.file, np.uint8, "r", self.what.offset, (self.type.element.size(self.count),)
        )
        found = as_onnx(from_memory(space, DTYPES[self.type.element.name], stored), self.element)
        return found.transpose(self.order) if self.order else found


@dataclass(frozen=True, slots=True, eq=False)
class Quantized:
    """Whole numbers that stand for (numbers - zero) * scale; scale and zero point are one for all,
    or one for each place along an axis."""

    numbers: Value
    scale: Value
    zero: Value | None
    axis: int


def in_network(element: Type) -> Type:
    return U8 if element is BOOLEAN else element


def known(array: np.ndarray, element: Type | None = None, name: str = "") -> Value:
    """A value of these elements."""
    array = np.asarray(array)
    return Value(element or element_type(array.dtype), array.shape, array, name=name)


@cache
def dtype_of(element: Type) -> np.dtype:
    """The type of arrays of known elements."""
    dtype = DTYPES[element.name]
    if dtype.names is None:
        return dtype
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, common_name(dtype)))


def element_type(dtype: np.dtype) -> Type:
    """The element type of arrays as the package onnx has them; KeyError if there is none."""
    return _by_dtype()[dtype]


@cache
def _by_dtype() -> dict[np.dtype, Type]:
    return {dtype_of(element): element for element in ELEMENTS.values()}


def as_encoded(array: np.ndarray) -> np.ndarray:
    """Elements as networks hold them (see `machines.elements`)."""
    if array.dtype == np.bool_:
        return array.astype(np.uint8)
    if array.dtype in DTYPE_NAMES:
        return array
    return known_array(array).reshape(array.shape)


def as_onnx(array: np.ndarray, element: Type) -> np.ndarray:
    """The reverse."""
    if element is BOOLEAN:
        return array.astype(np.bool_)
    dtype = dtype_of(element)
    if array.dtype == dtype:
        return array
    codes = np.ascontiguousarray(array[element.name])
    return codes.view(dtype) if codes.dtype.itemsize == dtype.itemsize else as_numbers(array)
