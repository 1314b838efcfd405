"""Barrier objects in shared memory (mbarrier).

mbarrier.arrive.shared.b64 %rd1, [%r1];                      ->   mbarrier.arrive %rd1, %r1, 0, 1, 0
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 512;     ->   mbarrier.arrive %t, %r1, 0, 1, 512
mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;         ->   … %p1, %r1, 0, %r2, 1000000
cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];             ->   as it stands
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_memory import address_of
from compiler.frontends.ptx.lowering.operands import Context, forbid, take
from compiler.frontends.ptx.reading.tree import Name, Operand, Operation
from compiler.frontends.ptx.types import B32, PRED, TYPES, U32
from compiler.ir.module import Value
from machines.diagnostics import nearest
from machines.threads.spaces import SHARED_BASE
from machines.types import I32, I64

PATIENCE = 1_000_000
"""Nanoseconds that `try_wait` waits at most where it does not say how long: PTX leaves that to the
system."""
_B64 = TYPES["b64"]
_ORDERS = ("relaxed", "acquire", "release", "cta", "cluster")
_SPACES = ("shared", "shared::cta", "shared::cluster")


def mbarrier(context: Context, operation: Operation) -> None:
    """`mbarrier`."""
    what = operation.parts[0] if operation.parts else ""
    handler = _FORMS.get(what)
    if handler is None:
        raise Refused(f"there is no '{operation.text}'", nearest(what, _FORMS))
    if operation.parts[-1] != "b64":
        raise Refused(f"'{operation.text}' ends in '.b64'")
    handler(context, operation)


def check_modifiers(operation: Operation, first: int, known: tuple[str, ...] = ()) -> str:
    """The space; what stands from a modifier on, but for the type, is known."""
    rest = operation.parts[first:-1]
    forbid(operation, rest, (*known, *_ORDERS, *_SPACES))
    spaces = [part for part in rest if part in _SPACES]
    if len(spaces) > 1:
        raise Refused(f"'{operation.text}' names two spaces")
    return spaces[0] if spaces else "generic"


def place_of(context: Context, operation: Operation, operand: Operand, space: str):
    """The address in shared memory, and what is added; a generic address that is none of shared
    memory becomes one behind its end."""
    if space != "generic":
        _, base, offset = address_of(context, operation, operand, "shared")
        return base, offset
    _, base, offset = address_of(context, operation, operand, "generic")
    inside = context.code.compute("sub.s64", I64, base, SHARED_BASE)
    return context.code.compute("cvt.sat.u32.u64", I32, inside), offset


def _init(context: Context, operation: Operation) -> None:
    address, count = take(operation, 2)
    place = place_of(context, operation, address, check_modifiers(operation, 1))
    context.code.emit("mbarrier.init", (), (*place, context.read(count, U32)))


def _inval(context: Context, operation: Operation) -> None:
    (address,) = take(operation, 1)
    place = place_of(context, operation, address, check_modifiers(operation, 1))
    context.code.emit("mbarrier.inval", (), place)


def _bytes(context: Context, operation: Operation) -> None:
    """`expect_tx`, `complete_tx`."""
    address, count = take(operation, 2)
    place = place_of(context, operation, address, check_modifiers(operation, 1))
    context.code.emit(f"mbarrier.{operation.parts[0]}", (), (*place, context.read(count, U32)))


def _arrive(context: Context, operation: Operation) -> None:
    """`arrive` and `arrive_drop`, also with `.expect_tx` and `.noComplete`."""
    extra = operation.parts[1] if operation.parts[1] in ("expect_tx", "noComplete") else ""
    space = check_modifiers(operation, 1 + bool(extra))
    fewest = 3 if extra else 2
    state, address, *given = take(operation, fewest, 3)
    place = place_of(context, operation, address, space)
    count: Value = context.read(given[0], U32) if given else 1
    counts = (1, count) if extra == "expect_tx" else (count, 0)
    if space == "shared::cluster" and not (isinstance(state, Name) and state.text == "_"):
        raise Refused(f"'{operation.text}' gives no state: '_' stands for it", at=state.at)
    name = f"mbarrier.{operation.parts[0]}{'.noComplete' if extra == 'noComplete' else ''}"
    context.code.emit(name, (context.write(state, _B64),), (*place, *counts))


def _wait(context: Context, operation: Operation) -> None:
    """`test_wait` and `try_wait`."""
    what = operation.parts[0]
    is_parity = operation.parts[1] == "parity"
    space = check_modifiers(operation, 1 + is_parity)
    if space == "shared::cluster":
        raise Refused(f"'{operation.text}': threads wait in the shared memory of their own block")
    done, address, phase, *time = take(operation, 3, 4 if what == "try_wait" else 3)
    place = place_of(context, operation, address, space)
    values = [context.read(phase, U32 if is_parity else _B64)]
    if what == "try_wait":
        values.append(context.read(time[0], U32) if time else PATIENCE)
    name = f"mbarrier.{what}{'.parity' if is_parity else ''}"
    context.code.emit(name, (context.write(done, PRED),), (*place, *values))


def _pending_count(context: Context, operation: Operation) -> None:
    forbid(operation, operation.parts[1:-1], ())
    count, state = take(operation, 2)
    result = context.write(count, B32)
    context.code.emit("mbarrier.pending_count", (result,), (context.read(state, _B64),))


def arrive_with_copies(context: Context, operation: Operation) -> None:
    """`cp.async.mbarrier.arrive`."""
    if operation.parts[1:3] != ("mbarrier", "arrive") or operation.parts[-1] != "b64":
        hint = "cp.async.mbarrier.arrive.shared.b64"
        raise unsupported(f"'{operation.text}' is not supported", hint)
    space = check_modifiers(operation, 3, ("noinc",))
    (address,) = take(operation, 1)
    place = place_of(context, operation, address, space)
    noinc = ".noinc" if "noinc" in operation.parts else ""
    context.code.emit(f"cp.async.mbarrier.arrive{noinc}", (), place)


_FORMS = {
    "init": _init,
    "inval": _inval,
    "expect_tx": _bytes,
    "complete_tx": _bytes,
    "arrive": _arrive,
    "arrive_drop": _arrive,
    "test_wait": _wait,
    "try_wait": _wait,
    "pending_count": _pending_count,
}
HANDLERS = {"mbarrier": mbarrier}
