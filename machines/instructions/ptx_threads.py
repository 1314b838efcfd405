"""ptx rows: control flow, barriers, and what a warp's threads do together.

shfl.sync.down.b32 d, p, a, b, c, mask        d = a of lane laneid + b, p = whether it is there
"""

from __future__ import annotations

from machines.instructions.ptx_operands import (
    CONVERGENT,
    LABEL,
    MEETING,
    ORDERS,
    by_width,
    computed,
    immediate,
    read,
    row,
    write,
)
from machines.operations.row import Combination, Convergence, Meeting, Operand
from machines.threads.spaces import MOST_RANKS, RANK_BITS

BARRIER = immediate("barrier", 6, signed=False)
MASK = read("mask", "b32")
OF_WARP = Meeting("warp", "mask")
SHUFFLES = {
    "up": "The value of the thread b lanes below.",
    "down": "The value of the thread b lanes above.",
    "bfly": "The value of the thread whose lane is this one's exclusive or with b.",
    "idx": "The value of the thread in lane b of the segment.",
}
REDUCTIONS = {
    "add": ("s32", "u32"),
    "min": ("s32", "u32"),
    "max": ("s32", "u32"),
    "and": ("b32",),
    "or": ("b32",),
    "xor": ("b32",),
}
COMBINE = {
    "add": "gathered + a", "min": "a if a < gathered else gathered",
    "max": "a if a > gathered else gathered", "and": "gathered & a", "or": "gathered | a",
    "xor": "gathered ^ a",
}  # fmt: skip


def _control():
    target, ends = Operand("target", LABEL, use="branch"), frozenset({"terminator"})
    yield row("bra.uni", (target,), "", "Go to a block.", "branch", control="jump", flags=ends)
    yield row(
        "bra",
        (read("p", "pred", "predicate"), target, Operand("otherwise", LABEL, use="branch")),
        "taken = p",
        "Go to the first block if the predicate is true, else to the second.",
        "branch",
        control="branch",
        flags=ends,
    )
    yield row("exit", (), "", "The thread ends.", "exit", control="return", flags=ends)
    yield row(
        "trap", (), "", "The kernel ends with a fault.", "exit", faults_if="True", fault="trap"
    )
    yield row(
        "trap.division",
        (),
        "",
        "The kernel ends with the fault of a division by zero.",
        "exit",
        faults_if="True",
        fault="division by zero",
    )
    yield row(
        "trap.callee",
        (),
        "",
        "The kernel ends with the fault of a call through what is no function's address.",
        "exit",
        faults_if="True",
        fault="call of what is no function",
    )


def _convergence():
    barrier = immediate("barrier", 5, signed=False)
    yield row(
        "bssy",
        (barrier, Operand("target", LABEL, use="branch")),
        "",
        "The threads here will wait for each other at the barrier; they meet at the target.",
        "convergence",
        converges=Convergence("begin", "barrier"),
        flags=CONVERGENT,
    )
    yield row(
        "bsync",
        (barrier,),
        "",
        "Wait for the threads that the barrier still knows, then go on together.",
        "convergence_wait",
        converges=Convergence("wait", "barrier"),
        flags=CONVERGENT,
    )
    yield row(
        "break",
        (barrier,),
        "",
        "Leave the barrier: its other threads no longer wait for this one.",
        "convergence",
        converges=Convergence("leave", "barrier"),
        flags=CONVERGENT,
    )
    yield row(
        "marker",
        (),
        "",
        "A convergence marker: choose anew which of the warp's threads run.",
        "convergence_wait",
        converges=Convergence("choose"),
        flags=CONVERGENT,
    )


def _barriers():
    threads = read("threads", "u32")
    yield row(
        "bar.sync",
        (BARRIER, threads),
        "",
        "Wait until as many threads of the block (0: all) have come to the barrier.",
        "barrier",
        meets=Meeting("block", "threads", "barrier"),
        flags=MEETING,
    )
    yield row(
        "bar.arrive",
        (BARRIER, threads),
        "",
        "Come to the barrier without waiting.",
        "barrier",
        meets=Meeting("block", "threads", "barrier", waits=False),
        flags=MEETING,
    )
    yield row(
        "bar.warp.sync",
        (MASK,),
        "",
        "Wait until all lanes of the mask are here.",
        "warp_barrier",
        meets=OF_WARP,
        flags=MEETING,
    )
    for name, who in (("cta", "block"), ("gl", "device"), ("sys", "system")):
        yield row(
            f"membar.{name}",
            (),
            "",
            f"What this thread wrote before is seen in the {who} before what it writes after.",
            "fence_block" if who == "block" else "fence",
            fences=who,
            flags=ORDERS,
        )
    for name, who in (("cta", "block"), ("gl", "device")):
        yield row(
            f"fence.proxy.async.{name}",
            (),
            "",
            f"What this thread knows to be written in the {who} is seen by copies and products of "
            "matrices behind it.",
            "fence_proxy",
            fences=who,
            proxies=True,
            flags=ORDERS,
        )
    yield row(
        "nanosleep",
        (read("time", "u32"),),
        "",
        "Do nothing for about as many nanoseconds.",
        "sleep",
        sleeps="time",
        flags=CONVERGENT,
    )


def _clusters():
    arrives = "Say that the thread has come to the barrier of its cluster"
    for suffix, sentence in (
        ("", f"{arrives}, when its stores are seen."),
        (".relaxed", f"{arrives}, without waiting for its stores."),
    ):
        yield row(
            f"barrier.cluster.arrive{suffix}",
            (),
            "",
            sentence,
            "barrier",
            meets=Meeting("cluster", waits=False, releases=not suffix),
            flags=MEETING,
        )
    yield row(
        "barrier.cluster.wait",
        (),
        "",
        "Wait until all threads of the cluster that have not ended have come to its barrier.",
        "barrier",
        meets=Meeting("cluster"),
        flags=MEETING,
    )
    place = f"shift_left(rank + 1 if rank < {MOST_RANKS} - 1 else {MOST_RANKS}, {RANK_BITS})"
    field = f"(shift_right(a, {RANK_BITS}) & {MOST_RANKS})"
    for kind, operands in (("u32", "an offset in"), ("u64", "a generic address of")):
        kept = ~(MOST_RANKS << RANK_BITS) if kind == "u64" else (1 << RANK_BITS) - 1
        yield computed(
            f"mapa.{kind}",
            (write("d", kind), read("a", kind), read("rank", "u32")),
            f"a & {kept} | {place}",
            f"What is at {operands} shared memory, in the block of a rank of the cluster.",
            by_width(kind, "alu", "integer_wide"),
        )
        yield computed(
            f"getctarank.{kind}",
            (write("d", "u32"), read("a", kind)),
            f"{field} - 1 if {field} != 0 else cluster_ctarank",
            f"The rank of the block that {operands} shared memory belongs to.",
            by_width(kind, "alu", "integer_wide"),
            implicit_reads=("cluster_ctarank",),
        )


def _warp_wide():
    def together(name, operands, meaning, sentence, scheduling_class, how, reads, quiet=None):
        return row(
            name,
            operands,
            meaning,
            sentence,
            scheduling_class,
            implicit_reads=("members", *reads),
            meets=OF_WARP,
            combines=Combination(how, "a"),
            quiet=quiet,
            flags=CONVERGENT,
        )

    d, p = write("d", "b32"), write("p", "pred")
    for mode, sentence in SHUFFLES.items():
        reads = [read(name, "b32") for name in "abc"]
        function = f"shuffle_{mode}(laneid, b, c)"
        source = f"source = {function} if {function} >= 0 else laneid"
        yield together(
            f"shfl.sync.{mode}.b32",
            (d, p, *reads, MASK),
            f"p = 1 if {function} >= 0 else 0\n{source}",
            f"{sentence[:-1]}, and whether it is in the segment.",
            "shuffle",
            "shuffle",
            ("laneid",),
            quiet=f"shfl.sync.{mode}.alone",
        )
        for name, kind, scheduling_class in (
            ("alone", "b32", "shuffle"),
            ("pair", "b64", "shuffle_pair"),
        ):
            yield together(
                f"shfl.sync.{mode}.{name}",
                (write("d", kind), read("a", kind), *reads[1:], MASK),
                source,
                sentence,
                scheduling_class,
                "shuffle",
                ("laneid",),
            )
    condition = read("a", "pred", "predicate")
    for name, result, value, sentence in (
        ("any.pred", p, "p = 1 if ballot != 0 else 0", "Whether it is true in any lane."),
        ("all.pred", p, "p = 1 if ballot == members else 0", "Whether it is true in all lanes."),
        (
            "uni.pred",
            p,
            "p = 1 if ballot == members or ballot == 0 else 0",
            "Whether it is the same in all lanes.",
        ),
        ("ballot.b32", d, "d = ballot", "Bit k says whether it is true in lane k."),
    ):
        operands = (result, condition, MASK)
        yield together(
            f"vote.sync.{name}", operands, value, sentence, "vote", "ballot", ("ballot",)
        )
    yield together(
        "elect.sync",
        (d, p, condition, MASK),
        "d = 63 - count_leading_zeros(ballot & (0 - ballot))\np = 1 if d == laneid else 0",
        "The lowest of the lanes in which it is true, and whether that is this one.",
        "vote",
        "ballot",
        ("laneid", "ballot"),
    )
    for kind in ("b32", "b64"):
        value = read("a", kind)
        yield together(
            f"match.any.sync.{kind}",
            (d, value, MASK),
            "d = equal",
            "The lanes that hold the same value.",
            "match",
            "match",
            ("equal",),
        )
        yield together(
            f"match.all.sync.{kind}",
            (d, p, value, MASK),
            "d = members if equal == members else 0\np = 1 if equal == members else 0",
            "All lanes if they hold the same value, else none.",
            "match",
            "match",
            ("equal",),
        )
    for name, kinds in REDUCTIONS.items():
        for kind in kinds:
            yield together(
                f"redux.sync.{name}.{kind}",
                (write("d", kind), read("a", kind), MASK),
                f"d = {COMBINE[name]}",
                "The values of all lanes combined.",
                "reduce",
                "reduce",
                ("gathered",),
            )
    yield computed(
        "activemask",
        (d,),
        "activemask",
        "The lanes that run together here, as the machine happens to have them.",
        "vote",
        implicit_reads=("activemask",),
        flags=CONVERGENT,
        syntax="activemask.b32 {d}",
    )


ROWS = (*_control(), *_convergence(), *_barriers(), *_clusters(), *_warp_wide())
