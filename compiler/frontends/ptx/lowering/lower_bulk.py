"""Copies of many bytes between global and shared memory (cp.async.bulk).

cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];
    ->   cp.async.bulk.shared.global %r1, 0, %rd1, 0, %r2, %r3, 0
cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;
    ->   cp.async.bulk.global.shared %rd1, 0, %r1, 0, %r2
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_memory import address_of
from compiler.frontends.ptx.lowering.lower_tensor import copy_box, prefetch_box
from compiler.frontends.ptx.lowering.operands import Context, forbid, take
from compiler.frontends.ptx.reading.tree import Constant, Operand, Operation
from compiler.frontends.ptx.types import U32, U64
from compiler.ir.module import Value

_MOST_GROUPS = 7
_IN = ("mbarrier::complete_tx::bytes",)
_HINT = "L2::cache_hint"


def bulk(context: Context, operation: Operation) -> None:
    """`cp.async.bulk`."""
    _, _, what, *rest = (*operation.parts, "")
    if what in ("commit_group", "wait_group"):
        _groups(context, operation)
    elif what == "prefetch" and rest[:1] == ["tensor"]:
        prefetch_box(context, operation)
    elif what == "prefetch":
        _prefetch(context, operation)
    elif what == "tensor":
        copy_box(context, operation)
    elif what in ("shared::cluster", "shared::cta") and rest[0] == "global":
        _load(context, operation)
    elif what == "global" and rest[0] == "shared::cta":
        _store(context, operation)
    elif what == "shared::cluster" and rest[0] == "shared::cta":
        message = f"'{operation.text}' copies to another block of a cluster, which is not supported"
        raise unsupported(message, "clusters have one block")
    else:
        hint = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        raise Refused(f"there is no '{operation.text}'", hint)


def given_operands(context: Context, operation: Operation, count: int) -> tuple[Operand, ...]:
    """The operands, but for the policy of caches."""
    is_hinted = _HINT in operation.parts
    given = take(operation, count + is_hinted)
    if is_hinted:
        context.read(given[-1], U64)
    return given[:count]


def bytes_of(context: Context, operation: Operation, operand: Operand) -> Value:
    value = context.read(operand, U32)
    if isinstance(operand, Constant) and (not isinstance(value, int) or value % 16):
        message = f"'{operation.text}' copies a multiple of 16 bytes, not {value}"
        raise Refused(message, at=operand.at)
    return value


def _load(context: Context, operation: Operation) -> None:
    rest = operation.parts[4:]
    if "multicast::cluster" in rest:
        message = f"'.multicast::cluster' of '{operation.text}' is not supported"
        raise unsupported(message, "clusters have one block")
    forbid(operation, rest, (*_IN, _HINT))
    if not set(_IN) <= set(rest):
        raise Refused(f"'{operation.text}' does not say who is told", f".{_IN[0]}")
    to, source, size, barrier = given_operands(context, operation, 4)
    _, inside, offset = address_of(context, operation, to, "shared")
    _, outside, source_offset = address_of(context, operation, source, "global")
    _, object_, object_offset = address_of(context, operation, barrier, "shared")
    bytes_ = bytes_of(context, operation, size)
    operands = (inside, offset, outside, source_offset, bytes_, object_, object_offset)
    context.code.emit("cp.async.bulk.shared.global", (), operands)


def _store(context: Context, operation: Operation) -> None:
    rest = operation.parts[4:]
    forbid(operation, rest, ("bulk_group", _HINT))
    if "bulk_group" not in rest:
        raise Refused(f"'{operation.text}' is of no group", ".bulk_group")
    to, source, size = given_operands(context, operation, 3)
    _, outside, source_offset = address_of(context, operation, to, "global")
    _, inside, offset = address_of(context, operation, source, "shared")
    bytes_ = bytes_of(context, operation, size)
    operands = (outside, source_offset, inside, offset, bytes_)
    context.code.emit("cp.async.bulk.global.shared", (), operands)


def _groups(context: Context, operation: Operation) -> None:
    what, *rest = operation.parts[2:]
    forbid(operation, rest, ("read",) if what == "wait_group" else ())
    if what == "commit_group":
        take(operation, 0)
        context.code.emit("cp.async.bulk.commit_group")
        return
    (count,) = take(operation, 1)
    if not isinstance(count, Constant) or not isinstance(count.value, int) or count.value < 0:
        raise Refused("how many groups may be on their way is a number from 0 on", at=count.at)
    if count.value > _MOST_GROUPS:
        message = f"more than {_MOST_GROUPS} groups of bulk copies on their way are not supported"
        raise unsupported(message, at=count.at)
    name = f"cp.async.bulk.wait_group{'.read' if rest else ''}"
    context.code.emit(name, (), (count.value,))


def _prefetch(context: Context, operation: Operation) -> None:
    """Changes no value; left out."""
    forbid(operation, operation.parts[3:], ("L2", "global", _HINT))
    source, size = given_operands(context, operation, 2)
    address_of(context, operation, source, "global")
    bytes_of(context, operation, size)
