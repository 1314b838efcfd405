"""IR rows: loads and stores.

A volatile access happens exactly as often as the program says, and in its order among all other
accesses: 'orders_memory', as where threads see each other's memory.
"""

from __future__ import annotations

from machines.operations.row import Access, Operand, Operation
from machines.types import F32, F64, I8, I16, I32, I64, PTR

_FROM_BYTES = {
    "i8": "sign_extend(loaded, 8)",
    "i16": "sign_extend(loaded, 16)",
    "i32": "sign_extend(loaded, 32)",
    "i64": "loaded",
    "ptr": "loaded",
    "f32": "f32_from_bits(loaded)",
    "f64": "f64_from_bits(loaded)",
}
_TO_BYTES = {"f32": "bits_from_f32(a)", "f64": "bits_from_f64(a)"}


def _rows():
    for suffix, note, flags in (
        ("", "", frozenset()),
        ("_volatile", " It is never moved, merged, removed or repeated.",
         frozenset({"orders_memory"})),
    ):  # fmt: skip
        for t in (I8, I16, I32, I64, F32, F64, PTR):
            pointer = Operand("p", PTR, use="address")
            yield Operation(
                f"load{suffix}.{t}",
                "ir",
                (Operand("d", t, "w"), pointer),
                f"d = {_FROM_BYTES[t.name]}",
                f"The value at an address; out of bounds or misaligned faults.{note}",
                accesses=(Access("load", t.bytes, "p"),),
                flags=flags,
            )
            yield Operation(
                f"store{suffix}.{t}",
                "ir",
                (pointer, Operand("a", t, use="store_data")),
                f"stored = {_TO_BYTES.get(t.name, 'a')}",
                f"Write a value to an address; out of bounds or misaligned faults.{note}",
                accesses=(Access("store", t.bytes, "p"),),
                flags=flags,
            )


ROWS = tuple(_rows())
