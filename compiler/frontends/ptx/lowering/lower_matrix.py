"""Products of matrices, and what brings matrices into the registers of a warp.

mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, …}, {%r1, …}, {%r5, %r6}, {%f1, …};
    ->  the row of that name, the elements of its vectors one behind the other, -1
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_memory import address_of
from compiler.frontends.ptx.lowering.operands import SINK, Context, take
from compiler.frontends.ptx.reading.tree import Name, Operand, Operation, Vector
from compiler.frontends.ptx.types import TYPES, PtxType, variable_type
from compiler.ir.module import Value
from machines.diagnostics import nearest
from machines.operations.row import Operation as Row

WARP = 32
ALL_LANES = -1
REGISTERS = {
    "f16": "f16x2", "bf16": "b32", "tf32": "b32", "f32": "f32", "f64": "b64", "s32": "s32",
}  # fmt: skip
"""What registers of elements of a type are declared as; of all others of any 32 bits."""
EXACT = ("bf16", "tf32")
"""Types whose registers are of untyped bits, and nothing else."""


def multiply(context: Context, operation: Operation) -> None:
    """`mma.sync.aligned.shape.layouts{.satfinite}.d.a.b.c{.op.popc} d, a, b, c`."""
    needs_a_warp(context, operation)
    row = _row(context, operation, operation.text)
    given = take(operation, 4)
    types = [part for part in operation.parts if part in TYPES_OF_ELEMENTS][-4:]
    results: list[str] = []
    values: list[Value] = []
    for fragment, operand, type in zip(row.combines.fragments, given, types, strict=True):
        items = elements(operation, operand, len(fragment.operands))
        if fragment is row.combines.fragments[0]:
            results = written(context, items, type)
        else:
            values += [read_element(context, item, type) for item in items]
    context.code.emit(row, results, (*values, ALL_LANES))


TYPES_OF_ELEMENTS = (
    "f16", "bf16", "tf32", "f32", "f64", "s32", "s8", "u8", "s4", "u4", "b1", "e4m3", "e5m2",
)  # fmt: skip


def load(context: Context, operation: Operation) -> None:
    """`ldmatrix.sync.aligned.m8n8.count{.trans}{.shared}.b16 d, [address]`."""
    needs_a_warp(context, operation)
    row = _row(context, operation, _shared_text(operation))
    d, place = take(operation, 2)
    results = written(context, elements(operation, d, len(row.writes)), "b16")
    context.code.emit(row, results, (*_place(context, operation, place), ALL_LANES))


def store(context: Context, operation: Operation) -> None:
    """`stmatrix.sync.aligned.m8n8.count{.trans}{.shared}.b16 [address], a`."""
    needs_a_warp(context, operation)
    row = _row(context, operation, _shared_text(operation))
    place, a = take(operation, 2)
    [fragment] = [f for f in row.combines.fragments if f.name == "a"]
    items = elements(operation, a, len(fragment.operands))
    values = [read_element(context, item, "b16") for item in items]
    context.code.emit(row, (), (*_place(context, operation, place), *values, ALL_LANES))


def turn(context: Context, operation: Operation) -> None:
    """`movmatrix.sync.aligned.m8n8.trans.b16 d, a`."""
    needs_a_warp(context, operation)
    row = _row(context, operation, operation.text)
    d, a = take(operation, 2)
    value = context.read(a, TYPES["b32"])
    context.code.emit(row, (context.write(d, TYPES["b32"]),), (value, ALL_LANES))


def _shared_text(operation: Operation) -> str:
    """The instruction's text with `.shared` where it may have been left out, or said at length."""
    parts = [part for part in operation.parts if part not in ("shared", "shared::cta")]
    return ".".join([operation.opcode, *parts[:-1], "shared", *parts[-1:]])


def _place(context: Context, operation: Operation, operand: Operand) -> tuple[Value, int]:
    """Address and offset in shared memory; a generic address has them in its low half."""
    _, base, offset = address_of(context, operation, operand, "shared")
    return base, offset


def needs_a_warp(context: Context, operation: Operation) -> None:
    """Matrices are dealt out among 32 threads."""
    if context.kernel.warp_width != WARP:
        message = f"'{operation.text}' is for warps of {WARP} threads"
        raise unsupported(f"{message}, the machine's have {context.kernel.warp_width}")


def _row(context: Context, operation: Operation, name: str) -> Row:
    rows = context.code.rows
    if name in rows:
        check_had(context, operation, rows[name])
        return rows[name]
    known = [name for name in rows if name.startswith(f"{operation.opcode}.")]
    raise Refused(f"there is no '{operation.text}'", nearest(operation.text, known))


def check_had(context: Context, operation: Operation, row: Row) -> None:
    """Refuse what the machine has not."""
    classes = context.kernel.classes
    if classes is not None and row.scheduling_class not in classes:
        message = f"'{operation.text}' is of class '{row.scheduling_class}', which the machine"
        raise unsupported(f"{message} does not describe", "take one that has it: --machine h100")


def elements(operation: Operation, operand: Operand, count: int) -> tuple[Operand, ...]:
    """The registers of a matrix: as many as a lane has of it."""
    if not isinstance(operand, Vector):
        raise Refused(f"'{operation.text}' takes vectors", "{%r1, %r2, …}", at=operand.at)
    if len(operand.items) != count:
        message = f"'{operation.text}' takes {count} registers there, not {len(operand.items)}"
        raise Refused(message, at=operand.at)
    return operand.items


def written(context: Context, items: tuple[Operand, ...], type: str) -> list[str]:
    """Variables of results; of a register that stands there twice the last one counts."""
    results: list[str] = []
    for item in items:
        check_exact(context, item, type)
        result = context.write(item, held(type))
        if result in results:
            results[results.index(result)] = context.code.temporary(variable_type(held(type)))
        results.append(result)
    return results


def read_element(context: Context, item: Operand, type: str) -> Value:
    check_exact(context, item, type)
    return context.read(item, held(type))


def held(type: str) -> PtxType:
    """The type of the registers of a type of elements."""
    return TYPES[REGISTERS.get(type, "b32")]


def check_exact(context: Context, item: Operand, type: str) -> None:
    """As ptxas has it."""
    if type in EXACT and isinstance(item, Name) and item.text != SINK:
        register = context.register(item)
        if register.type is not TYPES["b32"]:
            message = f"'{item.text}' is a {register.type} register, '.{type}' stands in .b32"
            raise Refused(message, at=item.at, length=len(item.text))


HANDLERS = {"mma": multiply, "ldmatrix": load, "stmatrix": store, "movmatrix": turn}
