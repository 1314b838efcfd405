"""What compiled loops of tensor rows may name: the vocabulary of their meanings, jitted, and words
for elements in memory.

`machines/vocabulary/tensors.py` is written so that its text is compiled as it stands.
"""

from __future__ import annotations

from math import inf, nan

from numba import float32, float64, int8, int16, int32, int64, types, uint8, uint16
from numba.extending import intrinsic

from machines.vocabulary import tensors
from sim.cores import numbers
from sim.cores.jit import entry_point, jitted_twins

_TWINS = jitted_twins(tensors, numbers.VOCABULARY)
VOCABULARY = numbers.VOCABULARY | {name: getattr(_TWINS, name) for name in tensors.VOCABULARY}
"""The twins by name."""


def _pointer(kind):
    """An intrinsic: an address (int64) as a pointer to elements."""
    pointer = types.CPointer(kind)

    def typed(typing_context, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(pointer))

        return pointer(types.int64), generate

    return intrinsic(typed)


POINTERS = {
    f"to_{kind}": _pointer(kind)
    for kind in (int8, int16, int32, int64, uint8, uint16, float32, float64)
}
"""By name; the loops of a row begin with `at_d = to_float32(words[0])`."""
NAMES: dict[str, object] = {
    "inf": inf, "nan": nan, "entry_point": entry_point,
    "int8": int8, "int16": int16, "int32": int32, "int64": int64, "uint8": uint8, "uint16": uint16,
    "float32": float32, "float64": float64, **VOCABULARY, **POINTERS,
}  # fmt: skip
globals().update(NAMES)
__all__ = [*NAMES]
