"""Copies from global to shared memory that go on while threads do something else.

cp.async.cg.shared.global [%r1], [%rd1], 16, %r2; -> cp.async.cg.….16 %r1, 0, %rd1, 0, %r2
cp.async.ca.shared.global [%r1], [%rd1], 4, %p1;  -> selp.b32 %t, 0, 4, %p1;  … %t
cp.async.commit_group;   cp.async.wait_group 1;      as they stand
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_bulk import bulk
from compiler.frontends.ptx.lowering.lower_mbarrier import arrive_with_copies
from compiler.frontends.ptx.lowering.lower_memory import address_of
from compiler.frontends.ptx.lowering.lower_reductions import reduce
from compiler.frontends.ptx.lowering.operands import Context, forbid, take
from compiler.frontends.ptx.lowering.scope import Register
from compiler.frontends.ptx.reading.tree import Constant, Name, Negated, Operand, Operation
from compiler.frontends.ptx.types import U32, U64, words
from compiler.ir.module import Value
from machines.instructions.ptx_async import SIZES
from machines.types import I32

_HINTS = words("L2::cache_hint L2::64B L2::128B L2::256B")
"""Modifiers that do not change what is copied."""
_MOST_GROUPS = 63


def copy(context: Context, operation: Operation) -> None:
    """`cp.async` and its groups."""
    if operation.parts[:3] == ("reduce", "async", "bulk"):
        reduce(context, operation)
        return
    if operation.parts[:1] != ("async",):
        raise Refused(f"there is no instruction '{operation.text}'", "cp.async")
    handlers = {"ca": _copy, "cg": _copy, "commit_group": _commit, "wait_group": _wait}
    handlers |= {"wait_all": _wait, "mbarrier": arrive_with_copies, "bulk": bulk}
    what = operation.parts[1] if len(operation.parts) > 1 else ""
    if what not in handlers:
        known = "cp.async.ca, cp.async.cg, commit_group, wait_group and wait_all are"
        raise unsupported(f"'{operation.text}' is not supported", known)
    handlers[what](context, operation)


def _copy(context: Context, operation: Operation) -> None:
    _, operator, *spaces = operation.parts
    modifiers = [part for part in spaces if part in _HINTS]
    places = [part.removesuffix("::cta") for part in spaces if part not in _HINTS]
    if places != ["shared", "global"]:
        forbid(operation, places, ("shared", "global"))
        hint = f"cp.async.{operator}.shared.global"
        raise Refused(f"'{operation.text}' does not copy from global to shared memory", hint)
    given = take(operation, 3, 5)
    if "L2::cache_hint" in modifiers:
        *given, policy = given
        context.read(policy, U64)
    to, source, size, *rest = given
    if len(given) > 4:
        raise Refused(f"'{operation.text}' takes 5 operands only with '.L2::cache_hint'")
    bytes_ = _size(operation, size)
    _, address, offset = address_of(context, operation, to, "shared")
    _, source, source_offset = address_of(context, operation, source, "global")
    count = _count(context, operation, rest[0], bytes_) if rest else bytes_
    row = f"cp.async.{operator}.shared.global.{bytes_}"
    context.code.emit(row, (), (address, offset, source, source_offset, count))


def _size(operation: Operation, operand: Operand) -> int:
    """How many bytes are copied."""
    sizes = SIZES[operation.parts[1]]
    if not isinstance(operand, Constant) or operand.value not in sizes:
        known = " or ".join(map(str, sizes))
        found = f", not {operand.value}" if isinstance(operand, Constant) else ""
        raise Refused(f"'{operation.text}' copies {known} bytes{found}", at=operand.at)
    return operand.value


def _count(context: Context, operation: Operation, operand: Operand, size: int) -> Value:
    """How many bytes are read: a number, or none if a predicate says that the source is ignored."""
    if isinstance(operand, Constant):
        if not isinstance(operand.value, int) or not 0 <= operand.value <= size:
            message = f"'{operation.text}' reads up to {size} bytes, not {operand.value}"
            raise Refused(message, at=operand.at)
        return operand.value
    if isinstance(operand, Negated) or _is_predicate(context, operand):
        ignored = context.predicate(operand)
        return context.code.compute("selp.b32", I32, 0, size, ignored)
    return context.read(operand, U32)


def _is_predicate(context: Context, operand: Operand) -> bool:
    if not isinstance(operand, Name):
        return False
    meaning = context.meaning(operand)
    return isinstance(meaning, Register) and meaning.type.kind == "p"


def _commit(context: Context, operation: Operation) -> None:
    forbid(operation, operation.parts[2:], ())
    take(operation, 0)
    context.code.emit("cp.async.commit_group")


def _wait(context: Context, operation: Operation) -> None:
    forbid(operation, operation.parts[2:], ())
    if operation.parts[1] == "wait_all":
        take(operation, 0)
        context.code.emit("cp.async.wait_all")
        return
    (count,) = take(operation, 1)
    if not isinstance(count, Constant) or not isinstance(count.value, int) or count.value < 0:
        raise Refused("how many groups may be on their way is a number from 0 on", at=count.at)
    if count.value > _MOST_GROUPS:
        message = f"more than {_MOST_GROUPS} groups on their way are not supported"
        raise unsupported(message, at=count.at)
    context.code.emit("cp.async.wait_group", (), (count.value,))


HANDLERS = {"cp": copy}
