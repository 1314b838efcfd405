"""ptx rows: products of matrices by a group of four warps, which go on meanwhile (wgmma).

wgmma.mma_async.m64n64.f32.shared  d0 … d31, c0 … c31, a, b, scale, types, 1, 1, 0, 0, mask

Each warp executes the instruction for its 16 of 64 rows: a warp's number in the block modulo four
says which.  A row is of so many columns, has registers of one or two results each, and its left
matrix in shared memory or in registers; the types of the elements are a number (`types_of`), as the
registers are the same for all.  What it reads in shared memory it reads when it issues.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from machines.instructions.ptx_operands import MEETING, immediate, read, row, write
from machines.operations.row import Combination, Fragment, Group, Meeting, Operation
from machines.vocabulary.tensor_cores import (
    B1,
    BF16,
    E4M3,
    E5M2,
    F16,
    F32,
    S8,
    S32,
    SATURATING,
    TF32,
    U8,
)

ELEMENTS = {
    "f16": F16, "bf16": BF16, "tf32": TF32, "e4m3": E4M3, "e5m2": E5M2, "s8": S8, "u8": U8,
    "b1": B1,
}  # fmt: skip
RESULTS = {"f32": F32, "f16": F16, "s32": S32, "s32.satfinite": SATURATING}
COLUMNS = range(8, 257, 8)
MASK = read("mask", "b32")


def types_of(a: str, b: str, result: str) -> int:
    """The number that says the types of both matrices and of the result."""
    return ELEMENTS[a] | ELEMENTS[b] << 4 | RESULTS[result] << 8


def _products() -> Iterator[Operation]:
    results = tuple(write(f"d{k}", "b32") for k in range(128))
    sums = tuple(read(f"c{k}", "b32") for k in range(128))
    rest = (
        read("b", "b64", "address"),
        read("scale", "pred", "predicate"),
        immediate("types", 12, signed=False),
        immediate("scale_a", 2),
        immediate("scale_b", 2),
        immediate("turn_a", 1, signed=False),
        immediate("turn_b", 1, signed=False),
        MASK,
    )
    given = {
        "shared": (read("a", "b64", "address"),),
        "registers": tuple(read(f"a{k}", "b32") for k in range(4)),
    }
    for n, (kind, each), (place, left) in product(COLUMNS, (("f32", 2), ("f16", 4)), given.items()):
        count = n // each
        d, c = results[:count], sums[:count]
        called = "d, c, left, right, shared, shared_size, warp, scale, types, scale_a, scale_b"
        how = int(place == "registers")
        yield row(
            f"wgmma.mma_async.m64n{n}.{kind}.{place}",
            (*d, *c, *left, *rest),
            f"wrong = multiply_group({called}, turn_a, turn_b, {n}, {how})",
            f"Multiply matrices, 64 by {n} and 32 bytes deep, the left one in {place}, and add.",
            "tensor_group",
            implicit_reads=("shared",),
            meets=Meeting("warp", "mask"),
            combines=Combination(
                "matrix",
                fragments=(
                    Fragment("d", tuple(one.name for one in d)),
                    Fragment("c", tuple(one.name for one in c)),
                    Fragment("left", tuple(one.name for one in left)),
                    Fragment("right", ("b",)),
                ),
            ),
            group=Group(
                "multiply",
                columns=n,
                left="a" if place == "shared" else None,
                right="b",
                turned=("turn_a", "turn_b"),
            ),
            flags=MEETING,
            syntax=f"wgmma.mma_async.m64n{n}.{kind}.{place}",
        )


def _waits() -> Iterator[Operation]:
    yield row(
        "wgmma.fence",
        (),
        "",
        "What this thread did to registers and to shared memory comes before the products behind.",
        "fence_group",
        group=Group("fence"),
        flags=MEETING,
    )
    yield row(
        "wgmma.commit_group",
        (),
        "",
        "The products since the last such row are a group.",
        "fence_group",
        group=Group("commit"),
        flags=MEETING,
    )
    yield row(
        "wgmma.wait_group",
        (immediate("count", 32, signed=False),),
        "",
        "Wait until no more than so many of the last groups are not done.",
        "fence_group",
        group=Group("wait", count="count"),
        flags=MEETING,
    )


ROWS = (*_products(), *_waits())
