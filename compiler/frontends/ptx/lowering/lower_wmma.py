"""Products of matrices whose fragments PTX calls opaque (wmma): loads, products of m16n8 or m8n8,
and stores, as ptxas makes them.

wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, …, %r8}, [%rd1], 16;
    ->  what a lane has of the left matrix of an mma: a word for each pair of elements, loaded from
        where the row and the column of the pair say; registers beyond these are the same again
wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {…}, {…}, {…}, {…};
    ->  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, for the left and the right half

Of m8n32k16 the transpose is computed: the right matrix has the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_matrix import (
    ALL_LANES,
    check_had,
    elements,
    needs_a_warp,
    read_element,
    written,
)
from compiler.frontends.ptx.lowering.lower_memory import address_of
from compiler.frontends.ptx.lowering.operands import Context, take
from compiler.frontends.ptx.reading.tree import Operation
from compiler.frontends.ptx.types import U32
from compiler.ir.module import Value
from machines.instructions.ptx_matrix import BITS
from machines.types import I32, I64

SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
KINDS = {
    "f16": ("m16n16k16", "m8n32k16", "m32n8k16"), "bf16": ("m16n16k16", "m8n32k16", "m32n8k16"),
    "s8": ("m16n16k16", "m8n32k16", "m32n8k16"), "u8": ("m16n16k16", "m8n32k16", "m32n8k16"),
    "tf32": ("m16n16k8",), "f64": ("m8n8k4",), "s4": ("m8n8k32",), "u4": ("m8n8k32",),
    "b1": ("m8n8k128",),
}  # fmt: skip
"""Shapes by the type of both matrices."""
RESULTS = {
    "f16": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "f64": ("f64",),
    **dict.fromkeys(("s8", "u8", "s4", "u4", "b1"), ("s32",)),
}  # fmt: skip
NARROW = ("s4", "u4", "b1")
"""Types of which the left matrix is always stored by rows, the right one by columns."""
SPACES = ("global", "shared")


@dataclass(frozen=True, slots=True)
class Tile:
    """What a lane has of a matrix.

    rows       of one piece of it: 16 of what is left in an mma, else 8
    pieces     how many of them
    depth      elements of k; of accumulators 8, the columns of a piece
    kind       type of the elements
    registers  that PTX gives a lane
    """

    rows: int
    pieces: int
    depth: int
    kind: str
    registers: int

    @property
    def each(self) -> int:
        """Elements in a register."""
        return max(1, 32 // BITS[self.kind])

    @property
    def own(self) -> int:
        """Registers of a piece."""
        return self.rows * self.depth // 32 // self.each


def sizes(shape: str) -> tuple[int, int, int]:
    m, n, k = map(int, SHAPE.fullmatch(shape).groups())
    return m, n, k


def tile(matrix: str, shape: str, kind: str) -> Tile:
    """Of 'a' or 'b': `rows` are those of a, and the columns of b."""
    m, n, k = sizes(shape)
    extent = m if matrix == "a" else n
    is_small = m == n == 8
    is_left = not is_small and ((matrix == "a") != (m == 8))
    rows = 16 if is_left else 8
    found = Tile(rows, extent // rows, k, kind, 0)
    count = 8 if kind == "f16" else found.own * found.pieces
    return Tile(rows, extent // rows, k, kind, count)


def results(shape: str, kind: str) -> Tile:
    """Of the accumulators, of whose pieces `rows` are those of a left matrix."""
    m, n, _ = sizes(shape)
    rows = 8 if m == n == 8 else 16
    found = Tile(rows, m * n // (rows * 8), 8, kind, 0)
    return Tile(rows, found.pieces, 8, kind, found.own * found.pieces)


def lower(context: Context, operation: Operation) -> None:
    """`wmma`: load, store, mma."""
    needs_a_warp(context, operation)
    what = operation.parts[0] if operation.parts else ""
    if what == "load":
        _load(context, operation)
    elif what == "store":
        _store(context, operation)
    elif what == "mma":
        _multiply(context, operation)
    else:
        raise Refused(f"there is no '{operation.text}'", "wmma.load, wmma.mma, wmma.store")


def _parts(operation: Operation, first: int) -> list[str]:
    """The modifiers behind `.sync.aligned`, of which the first so many come before these."""
    parts = list(operation.parts)
    if parts[first : first + 2] != ["sync", "aligned"]:
        raise Refused(f"'{operation.text}' is without .sync.aligned")
    return parts[first + 2 :]


def _no(operation: Operation) -> Refused:
    return Refused(f"there is no '{operation.text}'")


# Loads and stores -------------------------------------------------------------------------------


def _access(operation: Operation) -> tuple[str, str, str, str, str]:
    """(matrix, layout, shape, space, type) of a load or store."""
    matrix = operation.parts[1] if len(operation.parts) > 1 else ""
    layout, shape, *rest = [*_parts(operation, 2), "", ""]
    rest = [part for part in rest if part]
    kind = rest[-1] if rest else ""
    spaces = [part.removesuffix("::cta") for part in rest[:-1]]
    if layout not in ("row", "col") or len(spaces) > 1 or set(spaces) - set(SPACES):
        raise _no(operation)
    of_factors = KINDS.get(kind, ()) if matrix in ("a", "b") else ()
    of_results = [s for one, shapes in KINDS.items() if kind in RESULTS[one] for s in shapes]
    stored = operation.parts[0] == "store"
    known = {"a": of_factors, "b": of_factors, "c": of_results, "d": of_results}
    if matrix not in (("d",) if stored else ("a", "b", "c")) or shape not in known[matrix]:
        raise _no(operation)
    if kind in NARROW and layout != ("row" if matrix == "a" else "col"):
        raise _no(operation)
    return matrix, layout, shape, spaces[0] if spaces else "generic", kind


class _Places:
    """Where the elements of a lane's share of a matrix are in memory."""

    def __init__(self, context: Context, operation: Operation, space: str, operands):
        self.code = context.code
        place, *stride = operands
        self.space, self.base, self.offset = address_of(context, operation, place, space)
        self.stride = context.read(stride[0], U32) if stride else None
        lane = self.code.compute("mov.laneid", I32)
        self.group = self.code.compute("shr.u32", I32, lane, 2)
        self.thread = self.code.compute("and.b32", I32, lane, 3)


def _address(places: _Places, outer: Value, inner: Value, bits: int) -> tuple[Value, int]:
    """The address of element `inner` of stored row `outer`, and what is added to it in bytes."""
    code = places.code
    index = code.compute("mad.lo.s32", I32, outer, places.stride, inner)
    if bits < 8:
        index, size = code.compute("shr.u32", I32, index, {4: 1, 1: 3}[bits]), 1
    else:
        size = bits // 8
    if places.space == "shared":
        return code.compute("mad.lo.s32", I32, index, size, places.base), places.offset
    return code.compute("mad.wide.u32", I64, index, size, places.base), places.offset


def _sum(code, value: Value, number: int) -> Value:
    return code.compute("add.s32", I32, value, number) if number else value


def _spots(places: _Places, of: Tile) -> Iterator[tuple[int, Value, Value]]:
    """(register, its row, its first column) of a factor, in every piece."""
    code = places.code
    for piece in range(of.pieces):
        for register in range(of.own):
            row = piece * of.rows + 8 * (register & (of.rows >> 3) - 1)
            column = of.each * 4 * (register >> (of.rows >> 4))
            across = code.compute("mul.lo.s32", I32, places.thread, of.each)
            yield (
                piece * of.own + register,
                _sum(code, places.group, row),
                _sum(code, across, column),
            )


def _result_spots(
    places: _Places, of: Tile, shape: str
) -> Iterator[tuple[int, Value, Value, bool]]:
    """(register, row and column of its first element in the matrix, whether the next element is in
    the next row) of accumulators."""
    code, (m, n, _) = places.code, sizes(shape)
    pairs = code.compute("shl.b32", I32, places.thread, 1)
    turned = m == 8 and n == 32
    is_half = of.kind == "f16"
    for piece in range(of.pieces):
        for register in range(of.own):
            down = register if is_half else register >> 1
            side = 0 if is_half else register & 1
            row, column = 8 * down, side
            if turned or m == 32:
                row += 16 * piece
            else:
                column += 8 * piece
            first, second = _sum(code, places.group, row), _sum(code, pairs, column)
            if turned:
                first, second = second, first
            yield piece * of.own + register, first, second, turned


def _load(context: Context, operation: Operation) -> None:
    matrix, layout, shape, space, kind = _access(operation)
    of = results(shape, kind) if matrix == "c" else tile(matrix, shape, kind)
    target, *rest = take(operation, 2, 3)
    items = elements(operation, target, of.registers)
    names = written(context, items, kind)
    places = _places(context, operation, space, rest, matrix, layout, shape)
    code = context.code
    if matrix == "c":
        for register, row, column, turned in _result_spots(places, of, shape):
            if of.kind == "f16":
                _load_pair(places, names[register], row, column, turned, layout)
                continue
            outer, inner = (row, column) if layout == "row" else (column, row)
            base, offset = _address(places, outer, inner, BITS[kind])
            code.emit(f"ld.{places.space}.b{BITS[kind]}", (names[register],), (base, offset))
        return
    by_k, made = layout == ("row" if matrix == "a" else "col"), of.own * of.pieces
    for register, row, column in _spots(places, of):
        if by_k:
            base, offset = _address(places, row, column, BITS[kind])
            size = 64 if kind == "f64" else 32
            code.emit(f"ld.{places.space}.b{size}", (names[register],), (base, offset))
        else:
            _load_apart(places, names[register], row, column, of)
    for register in range(made, len(names)):
        code.emit("mov.b32", (names[register],), (names[register % made],))


def _places(context, operation, space, rest, matrix: str, layout: str, shape: str) -> _Places:
    """With the stride that a matrix has if none is given: that of a whole one."""
    places = _Places(context, operation, space, rest)
    if places.stride is None:
        m, n, k = sizes(shape)
        along = {"a": (k, m), "b": (n, k)}.get(matrix, (n, m))
        places.stride = along[0] if layout == "row" else along[1]
    return places


def _load_apart(places: _Places, name: str, row: Value, column: Value, of: Tile) -> None:
    """A register of elements that follow each other in k, which are rows in memory."""
    code, bits = places.code, BITS[of.kind]
    if of.each == 1:
        base, offset = _address(places, column, row, bits)
        code.emit(f"ld.{places.space}.b{bits}", (name,), (base, offset))
        return
    total: Value | None = None
    for k in range(of.each):
        base, offset = _address(places, _sum(code, column, k), row, bits)
        part = code.compute(f"ld.{places.space}.u{bits}", I32, base, offset)
        if k:
            part = code.compute("shl.b32", I32, part, bits * k)
            part = code.compute("or.b32", I32, total, part)
        total = part
    code.emit("mov.b32", (name,), (total,))


def _load_pair(places, name: str, row: Value, column: Value, turned: bool, layout: str) -> None:
    """A register of two accumulators of f16."""
    code, parts = places.code, []
    for k in range(2):
        base, offset = _half_at(places, row, column, turned, layout, k)
        parts.append(code.compute(f"ld.{places.space}.u16", I32, base, offset))
    high = code.compute("shl.b32", I32, parts[1], 16)
    code.emit("or.b32", (name,), (parts[0], high))


def _half_at(places, row: Value, column: Value, turned: bool, layout: str, k: int):
    code = places.code
    row, column = (_sum(code, row, k), column) if turned else (row, _sum(code, column, k))
    outer, inner = (row, column) if layout == "row" else (column, row)
    return _address(places, outer, inner, 16)


def _store(context: Context, operation: Operation) -> None:
    matrix, layout, shape, space, kind = _access(operation)
    of = results(shape, kind)
    place, source, *stride = take(operation, 2, 3)
    values = [read_element(context, x, kind) for x in elements(operation, source, of.registers)]
    places = _places(context, operation, space, [place, *stride], matrix, layout, shape)
    code = context.code
    for register, row, column, turned in _result_spots(places, of, shape):
        value = values[register]
        if kind == "f16":
            for k in range(2):
                part = code.compute("shr.u32", I32, value, 16) if k else value
                base, offset = _half_at(places, row, column, turned, layout, k)
                code.emit(f"st.{places.space}.u16", (), (base, offset, part))
            continue
        outer, inner = (row, column) if layout == "row" else (column, row)
        base, offset = _address(places, outer, inner, BITS[kind])
        code.emit(f"st.{places.space}.b{BITS[kind]}", (), (base, offset, value))


# Products ---------------------------------------------------------------------------------------


def _form(operation: Operation) -> tuple[str, str, str, str, str, str]:
    """(shape, types of d, a, b and c, what stands behind the name of the row)."""
    parts = list(operation.parts[1:])
    single = ""
    if parts[1:2] == ["popc"]:
        single, parts = f".{parts[0]}.popc", parts[2:]
    if parts[:2] != ["sync", "aligned"]:
        raise Refused(f"'{operation.text}' is without .sync.aligned")
    _, _, shape, *types = [*parts[2:], "", "", ""]
    layouts = tuple(parts[2:4])
    types = [part for part in types if part]
    limit = ".satfinite" if types[-1:] == ["satfinite"] else ""
    types = types[:-1] if limit else types
    if types[-1:] == ["rn"] and types[:-1] == ["f64"] * 4:
        types = types[:-1]
    if len(types) == 2:  # of f16, whose type is not said
        types = [types[0], "f16", "f16", types[1]]
    if len(types) != 4 or set(layouts) - {"row", "col"} or len(layouts) != 2:
        raise _no(operation)
    d, a, b, c = types
    known = RESULTS.get(a, ())
    if a != b or d not in known or c not in known or shape not in KINDS[a]:
        raise _no(operation)
    if bool(single) != (a == "b1") or (a in NARROW and layouts != ("row", "col")):
        raise _no(operation)
    if limit and a not in ("s8", "u8", "s4", "u4"):
        raise _no(operation)
    if d != c:
        raise unsupported(f"'{operation.text}' is not supported: it has sums of two types")
    return shape, d, a, b, limit, single


def _multiply(context: Context, operation: Operation) -> None:
    shape, d, a, b, limit, single = _form(operation)
    m, n, k = sizes(shape)
    turned = m == 8 and n == 32
    left, right, sums = tile("a", shape, a), tile("b", shape, b), results(shape, d)
    of_d, of_a, of_b, of_c = take(operation, 4)
    values_a = [read_element(context, x, a) for x in elements(operation, of_a, left.registers)]
    values_b = [read_element(context, x, b) for x in elements(operation, of_b, right.registers)]
    values_c = [read_element(context, x, d) for x in elements(operation, of_c, sums.registers)]
    names = written(context, elements(operation, of_d, sums.registers), d)
    if turned:
        left, right, values_a, values_b, a, b = right, left, values_b, values_a, b, a
    row = context.code.rows[
        f"mma.sync.aligned.m{left.rows}n8k{k}.row.col{limit}.{d}.{a}.{b}.{d}{single}"
    ]
    check_had(context, operation, row)
    code, found = context.code, []
    kinds = {"f64": I64}
    for number in range(sums.pieces):
        i, j = divmod(number, right.pieces)
        mine = slice(number * sums.own, (number + 1) * sums.own)
        outs = [code.temporary(kinds.get(d, I32)) for _ in names[mine]]
        reads = (
            *values_a[i * left.own : (i + 1) * left.own],
            *values_b[j * right.own : (j + 1) * right.own],
            *values_c[mine],
            ALL_LANES,
        )
        code.emit(row, outs, reads)
        found += outs
    move = "mov.b64" if d == "f64" else "mov.b32"
    for name, value in zip(names, found, strict=True):
        code.emit(move, (name,), (value,))


HANDLERS = {"wmma": lower}
