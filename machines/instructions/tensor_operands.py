"""How rows of tensor operations are made.

    tensor.add.f32 d[0:4], a[0:4], b[4:8]
    tensor.convert.i8.f32 d[0:4], a[0:4]             from i8 to f32
    s = tensor.sum.f32 a[0:4]

They are rows of memory, like `load` and `store`: they write intervals, their first operands; only a
few reductions have a result.  All elements are read before any is written.  What happens to an
element is what the scalar row of its type says, named here, so both round and wrap alike.  Halves
(f16, bf16) have no scalar rows: they round what the row of f64 computes of them, once; so does u8
with that of i64, of which it keeps the low bits.  A scalar operand or result of theirs is an f32,
of u8 an i32.  Types in `STORED` are moved and converted, and products are computed of them; of i4
and u4 an interval is whole bytes.

Sums and products of floats are accumulated one by one in the order of ascending indices, each
rounded; a product is rounded before it is added.
"""

from __future__ import annotations

from collections.abc import Mapping

from machines.instructions import ir_arithmetic
from machines.operations.meaning import parsed
from machines.operations.row import Element, Limit, Operand, OperandKind, Operation, Region, Walk
from machines.types import (
    BF16,
    E4M3,
    E5M2,
    F16,
    F32,
    F64,
    I4,
    I8,
    I16,
    I32,
    I64,
    IN_MEMORY,
    U4,
    U8,
    Type,
    scalar_type,
)

INTEGERS = (I8, I16, I32, I64, U8)
HALVES = (F16, BF16)
FLOATS = (*HALVES, F32, F64)
TENSOR_TYPES = (*INTEGERS, *FLOATS)
STORED = (E4M3, E5M2, I4, U4)
_SCALAR = {row.name: row for row in ir_arithmetic.ROWS}
_EXACT = {True: ("max", "min", "neg", "abs"), False: ("max_s", "min_s")}
"""Operations of floats that need no rounding, and of integers that do not wrap."""


def scalar(name: str, t: Type, **operands: str) -> str:
    """What a scalar operation computes, with expressions in place of its operands."""
    if t not in IN_MEMORY:
        return parsed(_SCALAR[f"{name}.{t}"].meaning).value.placed(operands)
    exact = F64 if t.is_float else I64
    value = parsed(_SCALAR[f"{name}.{exact}"].meaning).value.placed(operands)
    return value if name in _EXACT[t.is_float] else narrowed(value, t)


def maximum(t: Type, **operands: str) -> str:
    return scalar("max" if t.is_float else "max_s", t, **operands)


def minimum(t: Type, **operands: str) -> str:
    return scalar("min" if t.is_float else "min_s", t, **operands)


def zero(t: Type) -> str:
    return "0.0" if t.is_float else "0"


def lowest(t: Type) -> str:
    return "-inf" if t.is_float else str(t.lowest)


def highest(t: Type) -> str:
    return "inf" if t.is_float else str(t.highest)


wide = scalar_type


def narrowed(text: str, t: Type) -> str:
    """A value of the type of scalars as one of elements."""
    if t not in IN_MEMORY:
        return text
    return f"round_{t}({text})" if t.is_float else kept_bits(text, t)


def kept_bits(text: str, t: Type) -> str:
    """The low bits of an integer as one of a type of integers."""
    return f"{'sign' if t.signed else 'zero'}_extend({text}, {t.bits})"


def about(sentence: str, t: Type) -> str:
    """A sentence that says 'signed', of a type that is."""
    return sentence if t.signed else sentence.replace(", signed", "")


def load(t: Type) -> Region:
    return Region(t, "load")


def store(t: Type) -> Region:
    return Region(t, "store")


def walk(
    loops: str,
    *limits: tuple[str, str, str],
    derived: Mapping[str, str] | None = None,
    also: Mapping[str, tuple[str, str]] | None = None,
    start: str | Mapping[str, str] = "",
    end: str = "",
    **intervals: tuple[str, str],
) -> Walk:
    """walk('i<rows j<columns', d=('j * rows + i', 'rows * columns'), …): each interval's element in
    a turn, and how many it has.

    also    further names: the operand and the element that they stand for
    start   of `d`, or by name
    """
    pairs = (loop.split("<") for loop in loops.split())
    elements = [Element(name, name, element) for name, (element, _) in intervals.items()]
    elements += [Element(name, *place) for name, place in (also or {}).items()]
    starts = {"d": start} if isinstance(start, str) else start
    return Walk(
        tuple((index, extent) for index, extent in pairs),
        tuple(elements),
        tuple((name, size) for name, (_, size) in intervals.items()),
        tuple((derived or {}).items()),
        tuple(Limit(*limit) for limit in limits),
        tuple((name, text) for name, text in starts.items() if text),
        end,
    )


def row(
    name: str,
    types: tuple[Type, ...],
    operands: Mapping[str, OperandKind],
    meaning: str,
    sentence: str,
    scheduling_class: str,
    walk: Walk,
) -> Operation:
    """The row `tensor.NAME.TYPE`; an expression as its meaning is that of `d`."""
    full = ".".join(["tensor", name, *map(str, types)])
    found = tuple(Operand(operand, kind) for operand, kind in operands.items())
    text = meaning if "\n" in meaning else f"d = {meaning}"
    return Operation(
        full, "ir", found, text, sentence, scheduling_class=scheduling_class, walk=walk
    )


def with_result(
    name: str, t: Type, meaning: str, start: str, sentence: str, end: str = ""
) -> Operation:
    """The row `d = tensor.NAME.TYPE a`, which goes through an interval."""
    operands = (Operand("d", wide(t), "w"), Operand("a", load(t)))
    loop = walk("i<size", d=("0", "1"), a=("i", "size"), start=start, end=end)
    full = f"tensor.{name}.{t}"
    text = f"d = {meaning}"
    return Operation(full, "ir", operands, text, sentence, scheduling_class="reduce", walk=loop)


EACH = ("i", "size")
"""The element of a turn where all intervals have one size."""


def elementwise(
    name: str,
    types: tuple[Type, ...],
    reads: Mapping[str, OperandKind],
    meaning: str,
    sentence: str,
    scheduling_class: str,
) -> Operation:
    """A row that writes `d`, of the last type, element by element; scalars go with all of them."""
    operands = {"d": store(types[-1]), **reads}
    places = {n: EACH for n, kind in operands.items() if isinstance(kind, Region)}
    loop = walk("i<size", **places)
    return row(name, types, operands, meaning, sentence, scheduling_class, loop)


def cycle(name: str, t: Type, meaning: str, sentence: str, scheduling_class: str) -> Operation:
    """A row of two intervals of which the second, shorter one begins again and again."""
    return _shorter(f"cycle_{name}", t, meaning, sentence, scheduling_class, "r * period + i")


def repeat(name: str, t: Type, meaning: str, sentence: str, scheduling_class: str) -> Operation:
    """A row of two intervals; each element of the second, shorter one goes with several."""
    return _shorter(f"repeat_{name}", t, meaning, sentence, scheduling_class, "i * repeats + r")


def _shorter(
    name: str, t: Type, meaning: str, sentence: str, scheduling_class: str, place: str
) -> Operation:
    operands = {"d": store(t), "a": load(t), "b": load(t)}
    loop = walk(
        "r<repeats i<period",
        ("b", "period > 0 and size % period == 0", "its size divides that of the others"),
        d=(place, "size"),
        a=(place, "size"),
        b=("i", "period"),
        derived={"repeats": "size // period"},
    )
    return row(name, (t,), operands, meaning, sentence, scheduling_class, loop)
