"""IR rows of programs that run on grids: what a thread is, and how threads work together.

    t = tid.x                            this thread's index in its block
    old = atomic_add.i32 p, 1            read, change and write back, and nobody in between
    barrier                              all threads of the block meet
    y = shuffle_down.f32 x, 16           what x is in the thread 16 lanes further on

Three sorts, told apart by their flags (every row here has the flag 'threads'):

- What does not change while a thread runs (`tid.x`, `laneid`, …) is pure: it may be merged and
  moved.
- Where threads see each other's memory ('orders_memory': barriers, fences, atomics) no access to
  memory is moved across, as with a call.
- Where threads act together ('convergent': barriers, and what is done by a whole warp) which
  threads come there is part of what the operation does: it is never moved, merged, removed or
  duplicated.

A sum of f32 in global memory may take and leave subnormal numbers as zeros, as GPUs do.

An operation of a warp happens when all threads of the warp that have not ended are there, and only
they take part.  What it does to them together stands in compiler/interpret/warp_operations.py,
so these rows have no meaning of their own.
"""

from __future__ import annotations

from machines.operations.row import Access, Operand, Operation
from machines.types import F32, F64, I1, I32, I64, PTR, Type

BUILT_INS = {
    "tid": "The thread's index in its block",
    "ntid": "The number of threads of a block",
    "ctaid": "The block's index in the grid",
    "nctaid": "The number of blocks of the grid",
}
WARP_BUILT_INS = {
    "laneid": "The thread's lane in its warp, from 0.",
    "warpsize": "The number of lanes of a warp.",
}
SHUFFLES = {
    "index": "The value of the thread in lane k of the warp",
    "up": "The value of the thread k lanes below",
    "down": "The value of the thread k lanes above",
    "xor": "The value of the thread whose lane is this one's exclusive or with k",
}

_POINTER = Operand("p", PTR, use="address")


def _built_in(name: str, sentence: str) -> Operation:
    """A row whose result is the constant of the thread that stands under its name."""
    state = name.replace(".", "_")
    result = (Operand("d", I32, "w"),)
    flags = frozenset({"threads"})
    return Operation(
        name, "ir", result, f"d = {state}", sentence, implicit_reads=(state,), flags=flags
    )


def _built_ins():
    for name, sentence in BUILT_INS.items():
        for axis in "xyz":
            yield _built_in(f"{name}.{axis}", f"{sentence} along {axis}.")
    for name, sentence in WARP_BUILT_INS.items():
        yield _built_in(name, sentence)


def _meetings():
    yield Operation(
        "barrier",
        "ir",
        (),
        "",
        "Wait until every thread of the block that has not ended waits at a barrier.",
        flags=frozenset({"threads", "orders_memory", "convergent"}),
    )
    yield Operation(
        "fence",
        "ir",
        (),
        "",
        "What this thread wrote before is seen by every thread before what it writes after.",
        flags=frozenset({"threads", "orders_memory"}),
    )


def _atomic(name: str, t: Type, stored: str, sentence: str, compares: bool = False) -> Operation:
    """`stored` is an expression of the old value `{old}` and the operand `a`."""
    old = {
        I32: "sign_extend(loaded, 32)",
        I64: "loaded",
        F32: "f32_from_bits(loaded)",
        F64: "f64_from_bits(loaded)",
    }[t]
    operands = [Operand("d", t, "w"), _POINTER]
    if compares:
        operands.append(Operand("compare", t, use="store_data"))
    operands.append(Operand("a", t, use="store_data"))
    return Operation(
        f"atomic_{name}.{t}",
        "ir",
        tuple(operands),
        f"stored = {stored.format(old=old)}\nd = {old}",
        f"{sentence}; gives the old value, and no other access comes in between.",
        accesses=(Access("load_store", t.bytes, "p"),),
        flags=frozenset({"threads", "orders_memory"}),
    )


def _atomics():
    for t in (I32, I64):
        yield _atomic("add", t, f"sign_extend({{old}} + a, {t.bits})", "Add to memory, wrapping")
        yield _atomic("min_s", t, "{old} if {old} < a else a", "Signed minimum with memory")
        yield _atomic("min_u", t, "{old} if below({old}, a) else a", "Unsigned minimum with memory")
        yield _atomic("max_s", t, "{old} if {old} > a else a", "Signed maximum with memory")
        yield _atomic("max_u", t, "a if below({old}, a) else {old}", "Unsigned maximum with memory")
        yield _atomic("and", t, "{old} & a", "Bitwise and with memory")
        yield _atomic("or", t, "{old} | a", "Bitwise or with memory")
        yield _atomic("xor", t, "{old} ^ a", "Bitwise exclusive or with memory")
        yield _atomic("exchange", t, "a", "Write to memory")
        yield _atomic(
            "cas",
            t,
            "a if {old} == compare else {old}",
            "Write `a` to memory if it holds `compare`",
            compares=True,
        )
    add = "Add to memory, rounded to nearest even"
    yield _atomic("add", F32, "bits_from_f32(round_f32({old} + a))", add)
    yield _atomic("add", F64, "bits_from_f64({old} + a)", add)


def _warp_wide(name: str, result: Type, reads: tuple[Operand, ...], sentence: str) -> Operation:
    operands = (Operand("d", result, "w"), *reads)
    flags = frozenset({"threads", "convergent"})
    return Operation(name, "ir", operands, "", sentence, flags=flags)


def _warp_operations():
    condition = (Operand("p", I1, use="predicate"),)
    yield _warp_wide("vote_any", I1, condition, "True if it is true in any thread of the warp.")
    yield _warp_wide("vote_all", I1, condition, "True if it is true in all threads of the warp.")
    yield _warp_wide("ballot", I64, condition, "Bit k says whether it is true in lane k.")
    for name, sentence in SHUFFLES.items():
        for t in (I32, I64, F32, F64):
            reads = (Operand("a", t), Operand("k", I32))
            full = f"{sentence}; its own value if no thread is there."
            yield _warp_wide(f"shuffle_{name}.{t}", t, reads, full)


ROWS = (*_built_ins(), *_meetings(), *_atomics(), *_warp_operations())
