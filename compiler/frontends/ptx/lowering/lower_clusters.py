"""What blocks of a cluster do together: barriers, and addresses in each other's shared memory.

barrier.cluster.arrive.release.aligned;   ->   barrier.cluster.arrive
mapa.shared::cluster.u32 %r2, tile, %r1;  ->   mapa.u32 %r2, 0, %r1
getctarank.u64 %r1, %rd1;                 ->   getctarank.u64 %r1, %rd1
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lowering.lower_move import OF_CLUSTER, address_of
from compiler.frontends.ptx.lowering.operands import Context, take, type_of
from compiler.frontends.ptx.reading.tree import Operation
from compiler.frontends.ptx.types import U32, PtxType
from compiler.ir.module import Value

_ORDERS = {"arrive": ("release", "relaxed"), "wait": ("acquire",)}


def barrier_of_cluster(context: Context, operation: Operation, parts: list[str]) -> None:
    """`barrier.cluster.arrive{.release, .relaxed}`, `barrier.cluster.wait{.acquire}`; whether all
    of a warp are said to come together ('.aligned') makes no difference."""
    does, *order = parts or ("",)
    if does not in _ORDERS or len(order) > 1 or not set(order) <= set(_ORDERS[does]):
        hint = "barrier.cluster.arrive, barrier.cluster.arrive.relaxed, barrier.cluster.wait"
        raise Refused(f"there is no '{operation.text}'", hint)
    take(operation, 0)
    suffix = ".relaxed" if order == ["relaxed"] else ""
    context.code.emit(f"barrier.cluster.{does}{suffix}")


def mapa(context: Context, operation: Operation) -> None:
    """`mapa d, a, rank`: where a variable of the block is in the shared memory of another one."""
    type = _checked(operation)
    d, a, rank = take(operation, 3)
    value = address_of(context, a, type)
    ranks = context.read(rank, U32)
    context.kernel.layout.frame.shares = True
    context.code.emit(f"mapa.u{type.bits}", (context.write(d, type),), (value, ranks))


def getctarank(context: Context, operation: Operation) -> None:
    """`getctarank d, a`: whose shared memory an address is in."""
    type = _checked(operation)
    d, a = take(operation, 2)
    value: Value = address_of(context, a, type)
    context.code.emit(f"getctarank.u{type.bits}", (context.write(d, U32),), (value,))


def _checked(operation: Operation) -> PtxType:
    """The type; the only space that may be named is that of the cluster."""
    type = type_of(operation, -1, "u32 u64")
    named = operation.parts[:-1]
    if named not in ((), (OF_CLUSTER,)):
        hint = f"{operation.opcode}.{OF_CLUSTER}.{type.name} or {operation.opcode}.u64"
        raise Refused(f"there is no '{operation.text}'", hint)
    if not named and type.bits != 64:
        hint = f"{operation.opcode}.{OF_CLUSTER}.u32"
        raise Refused(f"a generic address has 64 bits, and '{operation.text}' 32", hint)
    return type


HANDLERS = {"mapa": mapa, "getctarank": getctarank}
