"""What instructions of a SIMT machine do: of which type operations are, and how many.

Operations of floats are as elsewhere: a sum or a product is one, a product that is added is two;
integer ones are instructions of lanes, as Nsight Compute counts them.  What moves, converts,
compares floats or controls is no operation, nor is a division or root that stands for a sequence;
where it is written out its sums and products count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from machines.instructions.ptx_warp_group import ELEMENTS
from machines.operations.row import Operation

F64, F32, F16, INTEGER, SPECIAL = "f64", "f32", "f16", "integer", "special"
TENSOR = {
    "f64": "tensor f64",
    "tf32": "tensor tf32",
    "f16": "tensor f16",
    "bf16": "tensor f16",
    "e4m3": "tensor f8",
    "e5m2": "tensor f8",
    "s8": "tensor i8",
    "u8": "tensor i8",
    "s4": "tensor i4",
    "u4": "tensor i4",
    "b1": "tensor b1",
}
"""By the elements that are multiplied."""
SENTENCES = {
    F64: "Sums and products of f64, outside of tensor cores.",
    F32: "Sums and products of f32.",
    F16: "Sums and products of f16 and bf16, outside of tensor cores.",
    INTEGER: "Integer instructions, by lane.",
    SPECIAL: "Reciprocals, roots, exponentials, logarithms, sines, approximate ones.",
    **{
        name: f"Sums and products of matrices of {name.removeprefix('tensor ')}."
        for name in dict.fromkeys(TENSOR.values())
    },
}
"""The types of operations."""

_FLOATING = {"fma": F32, "fma64": F64, "half": F16}
_OF_FLOATS = {"add": 1, "sub": 1, "mul": 1, "fma": 2, "ffma": 2, "dfma": 2}
_INTEGER = (
    "alu", "integer_sum", "integer_wide", "integer_multiply", "integer_multiply64", "bit_count",
    "bit_field", "predicate_compare", "wide_compare", "divide_integer", "divide_integer64",
)  # fmt: skip
_SPECIAL = {"special": 1, "special_turns": 1, "special_pair": 2}
_MOVES = ("cvt", "slct", "getctarank", "mapa", "mbarrier")
_SHAPE = re.compile(r"\.m(\d+)n(\d+)k(\d+)\.")
_GROUP_WARPS, _GROUP_BITS = 4, 256
"""Of `wgmma`: the warps that have a part of a product each, and what is summed up at once."""
_BITS = {"f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "s4": 4, "u4": 4, "b1": 1}


class Work(NamedTuple):
    """What one instruction does.

    of     the type of its operations
    count  of each lane that takes part, or of the warp as a whole (`whole`)
    """

    of: str
    count: int
    whole: bool = False


@cache
def work_of(row: Operation, types: int | None = None) -> Work | None:
    """Of a row; None of one that does no operation.

    types  of products of a group of warps, what the instruction says of them: its row does not
    """
    family, first = row.scheduling_class, row.name.split(".")[0]
    if family.startswith("tensor_"):
        return _of_group(row, types) if row.group else _of_matrices(row)
    if family in _FLOATING:
        count = _OF_FLOATS.get(first, 0) * (2 if "x2" in row.name.split(".")[-1] else 1)
        return Work(_FLOATING[family], count) if count else None
    if family in _SPECIAL:
        return Work(SPECIAL, _SPECIAL[family])
    is_float = any(part.startswith(("f16", "f32", "f64", "bf16")) for part in row.name.split("."))
    is_integer = family in _INTEGER and first not in _MOVES and not is_float
    return Work(INTEGER, 1) if is_integer else None


def variants(row: Operation) -> Iterator[Work]:
    """What instructions of a row may do."""
    kinds = ELEMENTS.values() if row.group and row.group.does == "multiply" else (None,)
    for kind in kinds:
        done = work_of(row, kind)
        if done is not None:
            yield done


def _of_matrices(row: Operation) -> Work:
    m, n, k = map(int, _SHAPE.search(row.name).groups())
    multiplied = row.name.split(".col.")[1].removeprefix("satfinite.").split(".")[1]
    return Work(TENSOR[multiplied], 2 * m * n * k, whole=True)


def _of_group(row: Operation, types: int | None) -> Work | None:
    if row.group.does != "multiply" or types is None:
        return None
    left = next(name for name, number in ELEMENTS.items() if number == types & 15)
    depth = _GROUP_BITS // _BITS.get(left, 8)
    return Work(TENSOR[left], 2 * (64 // _GROUP_WARPS) * row.group.columns * depth, whole=True)
