"""Bulk copies that reduce what is in global memory (cp.reduce.async.bulk).

cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], %r2;
    ->   cp.reduce.async.bulk.global.shared %rd1, 0, %r1, 0, %r2, the number of 'add.u32'
cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {%r2, %r3}], [%r1];
    ->   the same of a box; the tensor's map says the type
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_bulk import bytes_of, given_operands
from compiler.frontends.ptx.lowering.lower_memory import address_of
from compiler.frontends.ptx.lowering.lower_tensor import box_of, check_form
from compiler.frontends.ptx.lowering.operands import Context, forbid
from compiler.frontends.ptx.reading.tree import Operation
from machines.vocabulary.bulk_reductions import KNOWN, OPERATIONS, kind_of

_HINT = "L2::cache_hint"
_WAY = ("global", "shared::cta")


def reduce(context: Context, operation: Operation) -> None:
    """`cp.reduce.async.bulk`, also `.tensor`."""
    parts = operation.parts[3:]
    if parts[:1] == ("tensor",):
        _box(context, operation, parts[1:])
        return
    if parts[:1] == ("shared::cluster",):
        message = (
            f"'{operation.text}' reduces in another block of a cluster, which is not supported"
        )
        raise unsupported(message, "global memory")
    way, rest = parts[:2], [part for part in parts[2:] if part != _HINT]
    if way != _WAY or rest[:1] != ["bulk_group"]:
        hint = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"
        raise Refused(f"there is no '{operation.text}'", hint)
    kind = _kind(operation, rest[1:])
    to, source, size = given_operands(context, operation, 3)
    _, outside, there = address_of(context, operation, to, "global")
    _, inside, here = address_of(context, operation, source, "shared")
    bytes_ = bytes_of(context, operation, size)
    operands = (outside, there, inside, here, bytes_, kind)
    context.code.emit("cp.reduce.async.bulk.global.shared", (), operands)


def _kind(operation: Operation, parts: list[str]) -> int:
    name, *rest = (*parts, "")
    type = next((part for part in rest if part not in ("", "noftz")), "")
    wants_noftz = name == "add" and type in ("f16", "bf16")
    wanted = ["noftz", type] if wants_noftz else [type]
    if type not in KNOWN.get(name, ()) or [part for part in rest if part] != wanted:
        known = ", ".join(f".{one}" for one in KNOWN.get(name, OPERATIONS))
        raise Refused(f"there is no '{operation.text}'", known)
    return kind_of(name, type)


def _box(context: Context, operation: Operation, parts: tuple[str, ...]) -> None:
    rank, *rest = (*parts, "", "", "", "")
    check_form(operation, rank, rest)
    name = rest[2]
    if tuple(rest[:2]) != _WAY or name not in OPERATIONS:
        hint = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"
        raise Refused(f"there is no '{operation.text}'", hint)
    others = [part for part in rest[3:] if part]
    forbid(operation, others, ("tile", "bulk_group", _HINT))
    if "bulk_group" not in others:
        raise Refused(f"'{operation.text}' is of no group", ".bulk_group")
    box, source = given_operands(context, operation, 2)
    map, coordinates = box_of(context, operation, box, rank)
    _, inside, here = address_of(context, operation, source, "shared")
    operands = (*map, *coordinates, inside, here, OPERATIONS[name])
    context.code.emit(f"cp.reduce.async.bulk.tensor.{rank}.global.shared", (), operands)
