"""What threads do together: barriers, fences, votes, shuffles.

shfl.sync.down.b32 %r2|%p1, %r1, 16, 31, -1;
bar.sync 0;                            ->   bar.sync 0, 0
bar.red.popc.u32 %r1, 0, %p1;          ->   a sum in a word of shared memory between barriers
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.layout import BARRIERS, REDUCTION_WORD
from compiler.frontends.ptx.lowering.lower_clusters import barrier_of_cluster
from compiler.frontends.ptx.lowering.operands import Context, forbid, take, type_of
from compiler.frontends.ptx.reading.tree import Constant, Operand, Operation, Pair
from compiler.frontends.ptx.types import B32, PRED, U32
from compiler.ir.module import Guard, Value
from machines.types import I1, I32

_BARRIER_MODIFIERS = ("sync", "aligned", "cta", "arrive", "red", "warp")


def barrier(context: Context, operation: Operation) -> None:
    """`bar`, `barrier`, `barrier.cta`: sync, arrive, red, warp.sync."""
    if operation.opcode == "bar" and "aligned" in operation.parts:
        raise Refused("'bar' has no '.aligned'", "bar is aligned; barrier.aligned is the same")
    parts = [part for part in operation.parts if part not in ("cta", "aligned")]
    if parts[:1] == ["cluster"]:
        barrier_of_cluster(context, operation, parts[1:])
    elif parts[:2] == ["warp", "sync"]:
        context.code.emit("bar.warp.sync", (), (context.read(take(operation, 1)[0], B32),))
    elif parts in (["sync"], ["arrive"]):
        number, *threads = take(operation, 1, 2)
        if parts == ["arrive"] and not threads:
            raise Refused(f"'{operation.text}' says how many threads it waits for")
        count = _threads(context, threads)
        if isinstance(number, Constant):
            _wait(context, parts[0], _number(number), count)
        else:
            _wait_at_one(context, parts[0], number, count)
    elif parts[:1] == ["red"]:
        _reduce(context, operation, parts[1:])
    else:
        raise unsupported(f"'{operation.text}' is not supported", "bar.sync, bar.arrive, bar.red")


def _wait(context: Context, kind: str, number: int, threads: Value) -> None:
    context.code.emit(f"bar.{kind}", (), (number, threads))


def _wait_at_one(context: Context, kind: str, number: Operand, threads: Value) -> None:
    """At the barrier whose number is in a register: it is found by comparisons, one after another;
    where it is none of them the program traps."""
    code, guard = context.code, context.code.guard
    value, over = context.read(number, U32), code.unique("over")
    code.guard = None
    if guard is not None:
        inside = code.unique("barrier")
        code.branch(guard, inside, over)
        code.begin(inside)
    for k in range(BARRIERS):
        here, on = code.unique(f"barrier{k}"), code.unique("next")
        code.branch(Guard(code.compute("setp.eq.s32", I1, value, k)), here, on)
        code.begin(here)
        _wait(context, kind, k, threads)
        code.jump(over)
        code.begin(on)
    code.emit("trap")
    code.begin(over)


def _number(operand: Operand) -> int:
    """Which barrier."""
    if not isinstance(operand, Constant) or not isinstance(operand.value, int):
        message = "a reduction at a barrier whose number is in a register is not supported"
        raise unsupported(message, at=operand.at)
    if not 0 <= operand.value < BARRIERS:
        raise Refused(f"barriers are numbered 0 to 15, not {operand.value}", at=operand.at)
    return operand.value


def _threads(context: Context, operands: list[Operand]) -> Value:
    if not operands:
        return 0
    count, [operand] = context.read(operands[0], U32), operands
    if isinstance(operand, Constant) and (count < 0 or count % context.kernel.warp_width):
        width = context.kernel.warp_width
        raise Refused(
            f"a barrier waits for whole warps of {width} threads, not {count}", at=operand.at
        )
    return count


def _reduce(context: Context, operation: Operation, parts: list[str]) -> None:
    """Count the threads whose predicate holds, in the barrier's word of shared memory."""
    forms = (["popc", "u32"], ["and", "pred"], ["or", "pred"])
    if parts not in forms:
        raise Refused(f"'{operation.text}' is no form of bar.red", "bar.red.popc.u32")
    d, number, *threads, a = take(operation, 3, 4)
    code, barrier_number = context.code, _number(number)
    count = _threads(context, list(threads))
    value = context.predicate(a)
    if parts[0] == "and":
        value = code.compute("not.pred", I1, value)
    word = context.kernel.layout.reduction_words + REDUCTION_WORD * barrier_number
    one = code.compute("selp.b32", I32, 1, 0, value)
    code.emit("st.shared.b32", (), (word, 0, 0))
    _wait(context, "sync", barrier_number, count)
    code.emit("red.shared.add.u32", (), (word, 0, one))
    _wait(context, "sync", barrier_number, count)
    if parts[0] == "popc":
        code.emit("ld.shared.b32", (context.write(d, U32),), (word, 0))
    else:
        total = code.temporary(I32)
        code.emit("ld.shared.b32", (total,), (word, 0))
        test = "setp.eq.s32" if parts[0] == "and" else "setp.ne.s32"
        code.emit(test, (context.write(d, PRED),), (total, 0))
    _wait(context, "sync", barrier_number, count)


def vote(context: Context, operation: Operation) -> None:
    """`vote.sync.mode d, {!}a, mask`."""
    _needs_sync(operation)
    d, a, mask = take(operation, 3)
    row = context.code.row(operation.text)
    result = context.write(d, PRED if operation.parts[-1] == "pred" else B32)
    context.code.emit(row, (result,), (context.predicate(a), context.read(mask, B32)))


def shuffle(context: Context, operation: Operation) -> None:
    """`shfl.sync.mode.b32 d{|p}, a, b, c, mask`."""
    _needs_sync(operation)
    d, a, b, c, mask = take(operation, 5)
    values = [context.read(operand, B32) for operand in (a, b, c, mask)]
    context.code.emit(context.code.row(operation.text), _results(context, d), values)


def match(context: Context, operation: Operation) -> None:
    """`match.any.sync.type d, a, mask`, `match.all.sync.type d|p, a, mask`."""
    type = type_of(operation, -1, "b32 b64")
    d, a, mask = take(operation, 3)
    row = context.code.row(operation.text)
    results = _results(context, d)[: len(row.writes)]
    context.code.emit(row, results, (context.read(a, type), context.read(mask, B32)))


def redux(context: Context, operation: Operation) -> None:
    """`redux.sync.op.type d, a, mask`."""
    _needs_sync(operation)
    type = type_of(operation, -1, "u32 s32 b32")
    d, a, mask = take(operation, 3)
    row = context.code.row(operation.text)
    values = context.read(a, type), context.read(mask, B32)
    context.code.emit(row, (context.write(d, type),), values)


def elect(context: Context, operation: Operation) -> None:
    """`elect.sync d|p, mask`: the lowest of the lanes."""
    _needs_sync(operation)
    forbid(operation, operation.parts[1:], ())
    d, mask = take(operation, 2)
    if not isinstance(d, Pair):
        raise Refused("the lane and whether it is this one are 'd|p'", "_|%p1", at=d.at)
    results = context.write(d.first, B32), context.write(d.second, PRED, may_sink=False)
    context.code.emit("elect.sync", results, (1, context.read(mask, B32)))


def activemask(context: Context, operation: Operation) -> None:
    type_of(operation, -1, "b32")
    (d,) = take(operation, 1)
    context.code.emit("activemask", (context.write(d, B32),))


def nanosleep(context: Context, operation: Operation) -> None:
    type_of(operation, -1, "u32")
    (time,) = take(operation, 1)
    context.code.emit("nanosleep", (), (context.read(time, U32),))


def _needs_sync(operation: Operation) -> None:
    if operation.parts[:1] != ("sync",):
        hint = f"'{operation.opcode}.sync' with the mask of its threads is"
        raise unsupported(f"'{operation.text}' without .sync is not supported", hint)


def _results(context: Context, d: Operand) -> tuple[str, str]:
    """`d|p`; without p it is not kept."""
    if isinstance(d, Pair):
        return context.write(d.first, B32), context.write(d.second, PRED)
    return context.write(d, B32), context.code.temporary(I1)


HANDLERS = {
    "bar": barrier,
    "barrier": barrier,
    "vote": vote,
    "shfl": shuffle,
    "match": match,
    "redux": redux,
    "elect": elect,
    "activemask": activemask,
    "nanosleep": nanosleep,
}
