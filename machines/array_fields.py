"""How a class of states declares its arrays, for whoever places them or makes code of them.

    class State(NamedTuple):
        latencies: I64
        groups: Annotated[NDArray[np.int64], of(np.int64, None, 8)]

For a reader and a type checker these are arrays of numpy; what a core needs to know of them stands
beside it in a form of our own, since how numpy stores the parts of its types changes with its
versions (of `NDArray[np.int64]`, numpy 2.5 no longer tells the shape).
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray


class ArrayField(NamedTuple):
    """An array of a state: its elements, and how long each of its axes is, if that is known."""

    dtype: np.dtype
    extents: tuple[int | None, ...]

    @property
    def axes(self) -> int:
        return len(self.extents)


def of(element: type[np.generic], *extents: int | None) -> ArrayField:
    """An array of such elements with these axes; None stands for a length that only a run knows."""
    return ArrayField(np.dtype(element), extents)


I32 = Annotated[NDArray[np.int32], of(np.int32, None)]
I64 = Annotated[NDArray[np.int64], of(np.int64, None)]
U8 = Annotated[NDArray[np.uint8], of(np.uint8, None)]
U16 = Annotated[NDArray[np.uint16], of(np.uint16, None)]
U32 = Annotated[NDArray[np.uint32], of(np.uint32, None)]
U64 = Annotated[NDArray[np.uint64], of(np.uint64, None)]
F64 = Annotated[NDArray[np.float64], of(np.float64, None)]
I64Rows = Annotated[NDArray[np.int64], of(np.int64, None, None)]


@cache
def fields_of(kind: type) -> dict[str, ArrayField | type]:
    """The fields of a class of states by name: arrays, and classes of states within it.

    Raises TypeError for a field that is neither.
    """
    hints = get_type_hints(kind, include_extras=True)
    return {name: _field(kind, name, hint) for name, hint in hints.items()}


def _field(kind: type, name: str, hint: object) -> ArrayField | type:
    for declared in getattr(hint, "__metadata__", ()):
        if isinstance(declared, ArrayField):
            return declared
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        return hint
    raise TypeError(
        f"{kind.__name__}.{name} is declared as {hint}: fields of states are arrays of "
        f"{__name__}, or states"
    )
