"""ptx rows: products of matrices that lie in the registers of a warp.

mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32  d0, …, d3, a0, …, a3, b0, b1, c0, …, c3, mask

Every lane has as many registers of a matrix as the PTX ISA says for the shape; `mask` is the lanes
that meet, which has to be all.  What the shapes and types compute is told in
`machines.vocabulary.tensor_cores`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from machines.instructions.ptx_operands import CONVERGENT, immediate, read, row, write
from machines.operations.row import Access, Combination, Fragment, Meeting, Operation
from machines.vocabulary.tensor_cores import BF16, E4M3, E5M2, F16, F32, TF32

KINDS = {"f16": F16, "bf16": BF16, "tf32": TF32, "e4m3": E4M3, "e5m2": E5M2, "f32": F32}
"""How meanings name formats."""
BITS = {
    "f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
    "e4m3": 8, "e5m2": 8, "f32": 32, "s32": 32,
}  # fmt: skip
HELD = {"f32": "f32", "f64": "f64"}
"""Types of registers of elements; all others stand packed in registers of 32 bits."""


class Shape(NamedTuple):
    """m rows of d, c and a, n columns of d, c and b, and k columns of a and rows of b."""

    m: int
    n: int
    k: int

    def __str__(self) -> str:
        return f"m{self.m}n{self.n}k{self.k}"


class Types(NamedTuple):
    """Of the elements of the four matrices."""

    d: str
    a: str
    b: str
    c: str

    def __str__(self) -> str:
        return ".".join(self)


def registers(elements: int, kind: str) -> int:
    """How many of a lane hold its share of a matrix."""
    return max(1, elements * min(BITS[kind], 32) // 32 // 32)


def fragments(shape: Shape, types: Types) -> dict[str, tuple[str, int]]:
    """Of each matrix the type of its registers, and how many a lane has."""
    sizes = {
        "d": shape.m * shape.n,
        "a": shape.m * shape.k,
        "b": shape.k * shape.n,
        "c": shape.m * shape.n,
    }
    return {
        name: ("b64" if kind == "f64" else "b32", registers(sizes[name], kind))
        for name, kind in zip("dabc", types, strict=True)
    }


OF_WARP = Meeting("warp", "mask")


def multiplication(name: str, shape: Shape, types: Types, meaning: str, kind: str) -> Operation:
    """The row of a product; `kind`: its scheduling class."""
    operands, parts = [], []
    for matrix, (held, count) in fragments(shape, types).items():
        names = tuple(f"{matrix}{k}" for k in range(count))
        make = write if matrix == "d" else read
        operands += [make(one, held) for one in names]
        parts.append(Fragment(matrix, names))
    order = f"{shape.m} by {shape.n}, {shape.k} deep"
    return row(
        name,
        (*operands, read("mask", "b32")),
        meaning,
        f"Multiply matrices, {order}, {types.a} by {types.b}, and add one of {types.c}.",
        kind,
        meets=OF_WARP,
        combines=Combination("matrix", fragments=tuple(parts)),
        flags=CONVERGENT,
        syntax=_syntax(name, parts),
    )


def _syntax(name: str, parts: list[Fragment]) -> str:
    texts = (f"{{{{{', '.join(f'{{{one}}}' for one in part.operands)}}}}}" for part in parts)
    return f"{name} {', '.join(texts)}"


OFFSET = immediate("offset", 32)
DOUBLES = {
    Shape(8, 8, 4): "tensor_double", Shape(16, 8, 4): "tensor_double_tall",
    Shape(16, 8, 8): "tensor_double_8", Shape(16, 8, 16): "tensor_double_16",
}  # fmt: skip
"""Shapes of f64, and their scheduling classes."""
HALVES, INTEGERS8, INTEGERS4, SMALL = ("f16", "bf16"), ("s8", "u8"), ("s4", "u4"), ("e4m3", "e5m2")


def _floats() -> Iterator[tuple[Shape, Types, str]]:
    """(shape, types, scheduling class)"""
    for k, kind in ((8, "tensor_half_short"), (16, "tensor_half")):
        yield Shape(16, 8, k), Types("f16", "f16", "f16", "f16"), kind
        for half in HALVES:
            yield Shape(16, 8, k), Types("f32", half, half, "f32"), kind
    for k, kind in ((4, "tensor_tf32_short"), (8, "tensor_tf32")):
        yield Shape(16, 8, k), Types("f32", "tf32", "tf32", "f32"), kind


def _by_floats() -> Iterator[Operation]:
    for shape, types, kind in _floats():
        numbers = [*shape[::2], *(KINDS[name] for name in (types.a, types.b, types.d, types.c))]
        meaning = f"multiply_floats(d, a, b, c, {', '.join(map(str, numbers))})"
        yield multiplication(_name(shape, types), shape, types, meaning, kind)


def _by_small_floats() -> Iterator[Operation]:
    for k, a, b, kind in product((16, 32), SMALL, SMALL, ("f16", "f32")):
        shape, types = Shape(16, 8, k), Types(kind, a, b, kind)
        meaning = f"multiply_small(d, a, b, c, 16, {k}, {KINDS[a]}, {KINDS[b]}, {KINDS[kind]})"
        yield multiplication(_name(shape, types), shape, types, meaning, "tensor_fp8")


def _by_integers() -> Iterator[Operation]:
    shapes = ((8, 16, INTEGERS8), (16, 16, INTEGERS8), (16, 32, INTEGERS8))
    shapes += ((8, 32, INTEGERS4), (16, 32, INTEGERS4), (16, 64, INTEGERS4))
    for m, k, kinds in shapes:
        for a, b, limit in product(kinds, kinds, ("", ".satfinite")):
            shape, types = Shape(m, 8, k), Types("s32", a, b, "s32")
            numbers = m, k, BITS[a], int(a[0] == "s"), int(b[0] == "s"), int(bool(limit))
            meaning = f"multiply_integers(d, a, b, c, {', '.join(map(str, numbers))})"
            name = _name(shape, types, limit)
            yield multiplication(name, shape, types, meaning, _integer_class(a, shape))


def _by_bits() -> Iterator[Operation]:
    for (m, k), (how, exclusive) in product(
        ((8, 128), (16, 128), (16, 256)), (("and", 0), ("xor", 1))
    ):
        shape, types = Shape(m, 8, k), Types("s32", "b1", "b1", "s32")
        meaning = f"multiply_bits(d, a, b, c, {m}, {k}, {exclusive})"
        name = f"{_name(shape, types)}.{how}.popc"
        yield multiplication(name, shape, types, meaning, _integer_class("b1", shape))


def _by_doubles() -> Iterator[Operation]:
    types = Types("f64", "f64", "f64", "f64")
    for shape, kind in DOUBLES.items():
        meaning = f"multiply_doubles(d, a, b, c, {shape.m}, {shape.k})"
        yield multiplication(_name(shape, types), shape, types, meaning, kind)


def _integer_class(kind: str, shape: Shape) -> str:
    if shape.m == 8:
        return "tensor_integer_small"
    return "tensor_integer" if shape.k * BITS[kind] == 256 else "tensor_integer_short"


def _name(shape: Shape, types: Types, limit: str = "") -> str:
    return f"mma.sync.aligned.{shape}.row.col{limit}.{types}"


# Matrices of 8 × 8 elements of 16 bits --------------------------------------------------------


def _moves() -> Iterator[Operation]:
    for count, turned in product((1, 2, 4), ("", ".trans")):
        rows = tuple(f"row{k}" for k in range(4))
        shape, numbers = f"m8n8.x{count}{turned}.shared.b16", f"{count}, {int(bool(turned))}"
        which = "a matrix" if count == 1 else f"{count} matrices"
        registers_of = {kind: tuple(f"{kind}{k}" for k in range(count)) for kind in "da"}
        address = read("address", "u32", "address"), OFFSET
        access = Access("load", 4, "address", "shared", 4, "offset", rows, lanes=8 * count)
        yield row(
            f"ldmatrix.sync.aligned.{shape}",
            (*(write(d, "b32") for d in registers_of["d"]), *address, read("mask", "b32")),
            f"deal_rows(d, rows, {numbers})",
            f"Load {which} of 8 rows of 16 bytes, each at the address of a lane{_turned(turned)}.",
            "load_matrix",
            accesses=(access,),
            meets=OF_WARP,
            combines=_between(Fragment("rows", rows), Fragment("d", registers_of["d"])),
            flags=CONVERGENT,
        )
        yield row(
            f"stmatrix.sync.aligned.{shape}",
            (*address, *(read(a, "b32", "store_data") for a in registers_of["a"]),
             read("mask", "b32")),
            f"gather_rows(rows, a, {numbers})",
            f"Store {which} of 8 rows of 16 bytes, each at the address of a lane{_turned(turned)}.",
            "store_matrix",
            accesses=(replace(access, kind="store"),),
            meets=OF_WARP,
            combines=_between(Fragment("a", registers_of["a"]), Fragment("rows", rows)),
            flags=CONVERGENT,
        )  # fmt: skip
    yield row(
        "movmatrix.sync.aligned.m8n8.trans.b16",
        (write("d0", "b32"), read("a0", "b32"), read("mask", "b32")),
        "turn(d, a)",
        "Transpose a matrix.",
        "move_matrix",
        meets=OF_WARP,
        combines=_between(Fragment("a", ("a0",)), Fragment("d", ("d0",))),
        flags=CONVERGENT,
    )


def _turned(turned: str) -> str:
    return ", transposed" if turned else ""


def _between(*parts: Fragment) -> Combination:
    return Combination("matrix", fragments=parts)


ROWS = (
    *_by_floats(),
    *_by_small_floats(),
    *_by_integers(),
    *_by_bits(),
    *_by_doubles(),
    *_moves(),
)
