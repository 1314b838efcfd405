"""Tensors of networks: types, and tensors that are known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from machines.types import Type

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class TensorType:
    """The element type and the shape; a tensor of shape () is one number.

    >>> from machines.types import F32
    >>> str(TensorType(F32, (1, 56, 56, 64)))
    'f32[1, 56, 56, 64]'
    """

    element: Type
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many elements there are."""
        return math.prod(self.shape)

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return self.element.size(self.count)

    def __str__(self) -> str:
        return f"{self.element}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class Stored:
    """Elements that stand in a file, by its absolute path, one behind the other as in memory, from
    byte `offset` on."""

    file: str
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A tensor that is known: its elements (in C order, encoded as `machines.elements` says), or
    where they are stored; large ones stay in their file and are mapped when they are read.

    order  of the stored dimensions, where the tensor is the transposed one of what is stored: the
           k-th dimension of the tensor is the `order[k]`-th that is stored; empty: as it is stored
    words  that say what the elements are in the text form of networks, where it has shorter ones
           than their list: 'random(1, 0.2)'; of what is stored, and of others, ''
    """

    type: TensorType
    elements: np.ndarray | Stored
    order: tuple[int, ...] = ()
    words: str = ""
