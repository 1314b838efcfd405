"""Copies of boxes of tensors between global and shared memory (cp.async.bulk.tensor).

cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%r1], [%rd1, {%r2, %r3}], [%r4];
    ->   cp.async.bulk.tensor.2d.shared.global %r1, 0, %rd1, 0, %r2, %r3, %r4, 0
cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {%r2, %r3}], [%r1];
    ->   cp.async.bulk.tensor.2d.global.shared %rd1, 0, %r2, %r3, %r1, 0
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_memory import address_of
from compiler.frontends.ptx.lowering.operands import Context, forbid, take
from compiler.frontends.ptx.lowering.scope import Register
from compiler.frontends.ptx.reading.tree import Address, Braces, Operand, Operation, Vector
from compiler.frontends.ptx.types import U32, U64
from compiler.ir.module import Value

MAP_BYTES, MAP_ALIGNMENT = 128, 64
"""Of a parameter that is a map."""
_RANKS = ("1d", "2d", "3d", "4d", "5d")
_IN, _HINT = "mbarrier::complete_tx::bytes", "L2::cache_hint"
_MODES = ("im2col", "im2col::w", "im2col::w::128", "im2col_no_offs", "tile::gather4",
          "tile::scatter4")  # fmt: skip


def copies_boxes(statements: Iterable[object]) -> bool:
    """Whether a kernel copies boxes, or says that it will."""
    for statement in statements:
        if isinstance(statement, Braces):
            if copies_boxes(statement.statements):
                return True
        elif isinstance(statement, Operation):
            parts = (statement.opcode, *statement.parts)
            if parts[0] in ("cp", "prefetch") and {"tensor", "tensormap"} & set(parts):
                return True
    return False


def copy_box(context: Context, operation: Operation) -> None:
    """`cp.async.bulk.tensor`, in tile mode."""
    rank, *way = (*operation.parts[3:], "")
    rest = [part for part in operation.parts[6:] if part != "tile"]
    check_form(operation, rank, operation.parts[6:])
    if way[0] in ("shared::cluster", "shared::cta") and way[1:2] == ["global"]:
        _load(context, operation, rank, rest)
    elif way[0] == "global" and way[1:2] == ["shared::cta"]:
        _store(context, operation, rank, rest)
    else:
        raise Refused(f"'{operation.text}' does not say from where to where", "shared::cta.global")


def prefetch_box(context: Context, operation: Operation) -> None:
    """`cp.async.bulk.prefetch.tensor` changes no value; left out."""
    rank, *rest = (*operation.parts[4:], "")
    check_form(operation, rank, rest)
    forbid(operation, rest, ("", "L2", "global", "tile", _HINT))
    [box] = _given(context, operation, 1)
    box_of(context, operation, box, rank)


def check_form(operation: Operation, rank: str, rest: Iterable[str]) -> None:
    if rank not in _RANKS:
        message = f"'{operation.text}' does not say how many dimensions the tensor has"
        raise Refused(message, ", ".join(f".{one}" for one in _RANKS))
    mode = next((part for part in rest if part in _MODES), None)
    if mode is not None:
        raise unsupported(f"'.{mode}' of '{operation.text}' is not supported", ".tile")
    if "multicast::cluster" in rest:
        message = f"'.multicast::cluster' of '{operation.text}' is not supported"
        raise unsupported(message, "each block of the cluster copies what it needs")


def _given(context: Context, operation: Operation, count: int) -> tuple[Operand, ...]:
    """The operands, but for the policy of caches."""
    is_hinted = _HINT in operation.parts
    given = take(operation, count + is_hinted)
    if is_hinted:
        context.read(given[-1], U64)
    return given[:count]


def _load(context: Context, operation: Operation, rank: str, rest: list[str]) -> None:
    forbid(operation, rest, (_IN, _HINT))
    if _IN not in rest:
        raise Refused(f"'{operation.text}' does not say who is told", f".{_IN}")
    to, box, barrier = _given(context, operation, 3)
    _, inside, offset = address_of(context, operation, to, "shared")
    map, coordinates = box_of(context, operation, box, rank)
    _, object_, object_offset = address_of(context, operation, barrier, "shared")
    operands = (inside, offset, *map, *coordinates, object_, object_offset)
    context.code.emit(f"cp.async.bulk.tensor.{rank}.shared.global", (), operands)


def _store(context: Context, operation: Operation, rank: str, rest: list[str]) -> None:
    forbid(operation, rest, ("bulk_group", _HINT))
    if "bulk_group" not in rest:
        raise Refused(f"'{operation.text}' is of no group", ".bulk_group")
    box, source = _given(context, operation, 2)
    map, coordinates = box_of(context, operation, box, rank)
    _, inside, offset = address_of(context, operation, source, "shared")
    operands = (*map, *coordinates, inside, offset)
    context.code.emit(f"cp.async.bulk.tensor.{rank}.global.shared", (), operands)


def box_of(
    context: Context, operation: Operation, operand: Operand, rank: str
) -> tuple[tuple[Value, int], list[Value]]:
    """Where the map is, and the coordinates."""
    if not isinstance(operand, Address) or not isinstance(operand.coordinates, Vector):
        hint = "[map, {%r1, %r2}]"
        raise Refused(f"'{operation.text}' takes a map and coordinates", hint, at=operand.at)
    items = operand.coordinates.items
    if len(items) != int(rank[0]):
        message = f"a box of a tensor of {rank[0]} dimensions is at as many coordinates"
        raise Refused(f"{message}, not {len(items)}", at=operand.coordinates.at)
    plain = replace(operand, coordinates=None)
    meaning = context.meaning(operand.base) if operand.base is not None else None
    space = "generic" if isinstance(meaning, Register) else "global"
    _, map, offset = address_of(context, operation, plain, space)
    return (map, offset), [context.read(item, U32) for item in items]
