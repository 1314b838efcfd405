"""The counters of an EPIC machine.

Itanium 2's event names are used where the model counts what the event counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from machines.diagnostics import input_error, nearest
from machines.kinds.epic.dispersal import ENDS
from machines.kinds.epic.fields import Epic
from sim.cores.epic import state as at
from sim.cores.epic.memory import hierarchy as caches
from sim.cores.epic.tally import Tally
from sim.results.counters import (
    ACCESSES,
    BYTES,
    CYCLES,
    EVENTS,
    INSTRUCTIONS,
    LINES,
    Counter,
    Headline,
    share,
    shown,
)

ACCOUNTING = "CPU_CYCLES = issuing + lost cycles by cause"
RETIREMENT = "retired = useful + nops + squashed = executions of all syllables"
FLOW = "hits + misses + merges = accesses = what the level before sends on"

LEAVES = {
    "BE_FLUSH_BUBBLE.BRU": "Lost to the refill after a wrong branch prediction.",
    "BE_FLUSH_BUBBLE.XPN": "Lost while accesses were served that are not aligned.",
    "BE_L1D_FPU_BUBBLE.L1D_L2BPRESS": "Lost because the queue of the L2 was full.",
    "BE_EXE_BUBBLE.GRALL-GRGR": "Lost waiting for a loaded integer.",
    "BE_EXE_BUBBLE.FRALL": "Lost waiting for a floating register, loaded or computed.",
    "BE_EXE_BUBBLE.GRGR": "Lost waiting for an integer that was not loaded.",
    "BE_EXE_BUBBLE.PR": "Lost waiting for a predicate.",
    "BE_EXE_BUBBLE.ARCR": "Lost waiting for an application register.",
    "BE_RSE_BUBBLE.ALL": "Lost while the register stack engine saved or restored registers.",
    "FE_BUBBLE.IMISS": "Lost because code was not in the L1I.",
    "FE_BUBBLE.BUBBLE": "Lost after a taken branch.",
}
"""Causes of lost cycles by the event that counts them; a machine's `stall_order` names them."""

SUMS = {
    "BE_EXE_BUBBLE.GRALL": (
        ("BE_EXE_BUBBLE.GRALL-GRGR", "BE_EXE_BUBBLE.GRGR"),
        "Lost waiting for an integer register.",
    ),
    "BE_EXE_BUBBLE.ALL": (("BE_EXE_BUBBLE.",), "Lost because an operand was not ready."),
    "BE_L1D_FPU_BUBBLE.ALL": (("BE_L1D_FPU_BUBBLE.",), "Lost to the L1D pipe."),
    "BE_FLUSH_BUBBLE.ALL": (("BE_FLUSH_BUBBLE.",), "Lost to pipeline flushes."),
    "BACK_END_BUBBLE.FE": (("FE_BUBBLE.",), "Lost because the front end gave no bundle."),
    "BACK_END_BUBBLE.ALL": (("",), "Cycles in which nothing issued."),
}
"""Sums of leaves: the beginnings of the leaves' names, and the sentence."""


def leaf_events(machine: Epic) -> dict[str, str]:
    """Stall cause -> event, in order of priority; InputError for an event nobody declared."""
    for event in machine.stall_order.values():
        if event not in LEAVES:
            raise input_error(
                f"machine '{machine.name}': stall_order names the event '{event}', which is not "
                "declared",
                hint=nearest(event, LEAVES),
            )
    return dict(machine.stall_order)


def _lost(beginnings: tuple[str, ...]) -> Callable[[Tally], int | None]:
    def value(tally: Tally) -> int | None:
        events = leaf_events(tally.core.machine)
        chosen = [cause for cause, event in events.items() if event.startswith(beginnings)]
        return sum(tally.lost[cause] for cause in chosen) if chosen else None

    return value


def _stalls() -> Iterator[Counter]:
    for event, sentence in LEAVES.items():
        yield Counter(event, CYCLES, sentence, _lost_to(event), law=ACCOUNTING)
    for event, (beginnings, sentence) in SUMS.items():
        yield Counter(event, CYCLES, f"{sentence} A sum.", _lost(beginnings))


def _register_stack() -> Iterator[Counter]:
    for name, is_return, sentence in (
        ("OVERFLOW", False, "Lost while registers were saved for a larger frame."),
        ("UNDERFLOW", True, "Lost while registers were restored after a return."),
    ):
        yield Counter(
            f"BE_RSE_BUBBLE.{name}", CYCLES, f"{sentence} A part of BE_RSE_BUBBLE.ALL.",
            lambda t, is_return=is_return: t.lost_where(
                "register_stack", lambda row: (row.control == "return") == is_return
            ),
        )  # fmt: skip
    for name, entry, sentence in (
        ("STORE", at.REGISTERS_SAVED, "Stacked registers saved in the backing store."),
        ("LOAD", at.REGISTERS_RESTORED, "Stacked registers restored from the backing store."),
    ):
        yield Counter(
            f"RSE_REFERENCES_RETIRED.{name}", "registers", sentence,
            lambda t, entry=entry: int(t.state.frame[entry]),
        )  # fmt: skip


def _lost_to(event: str) -> Callable[[Tally], int | None]:
    def value(tally: Tally) -> int | None:
        causes = [c for c, e in leaf_events(tally.core.machine).items() if e == event]
        return sum(tally.lost[cause] for cause in causes) if causes else None

    return value


def _is_nop(row) -> bool:
    return "nop" in row.flags


def _instructions() -> Iterator[Counter]:
    yield Counter(
        "IA64_INST_RETIRED", INSTRUCTIONS, "Retired, nops and squashed ones included.",
        lambda t: int(t.state.scalars[at.RETIRED]), law=RETIREMENT,
    )  # fmt: skip
    yield Counter(
        "NOPS_RETIRED", INSTRUCTIONS, "Retired nops of all kinds.",
        lambda t: t.effective_where(_is_nop), law=RETIREMENT,
    )  # fmt: skip
    for kind in "MIFBX":
        name = f"nop.{kind.lower()}"
        yield Counter(
            f"NOPS_RETIRED.{kind}", INSTRUCTIONS, f"Retired {name}.",
            lambda t, name=name: t.effective_where(lambda row: row.name == name),
        )  # fmt: skip
    yield Counter(
        "PREDICATE_SQUASHED_RETIRED", INSTRUCTIONS, "Retired with a false qualifying predicate.",
        lambda t: int(t.squashed.sum()), law=RETIREMENT,
    )  # fmt: skip
    yield Counter(
        "USEFUL_INST_RETIRED", INSTRUCTIONS, "Retired, neither nop nor squashed.",
        lambda t: t.effective_where(lambda row: not _is_nop(row)), law=RETIREMENT,
    )  # fmt: skip
    yield Counter(
        "INST_DISPERSED", INSTRUCTIONS,
        "Dispersed, those included that a taken branch in their group cut off.",
        lambda t: t.packet_slots,
    )  # fmt: skip
    yield Counter(
        "LOADS_RETIRED", INSTRUCTIONS, "Executed loads, semaphores included.",
        lambda t: t.effective_where(lambda r: r.access and r.access.kind.startswith("load")),
    )  # fmt: skip
    yield Counter(
        "STORES_RETIRED", INSTRUCTIONS, "Executed stores, semaphores included.",
        lambda t: t.effective_where(lambda r: r.access and r.access.kind.endswith("store")),
    )  # fmt: skip
    yield Counter(
        "FP_OPS_RETIRED", "operations",
        "Floating-point operations: two for a fused multiply-add, one for a sum or product.",
        lambda t: t.floating_operations,
    )  # fmt: skip


def _issue() -> Iterator[Counter]:
    yield Counter(
        "CPU_CYCLES", CYCLES, "Cycles of the core clock.", lambda t: t.cycles, "maximum", ACCOUNTING
    )
    yield Counter(
        "ISSUE_CYCLES", CYCLES, "Cycles in which instructions issued.", lambda t: t.issuing,
        law=ACCOUNTING,
    )  # fmt: skip
    splits = [end for end in ENDS if end.startswith("split:")]
    yield Counter(
        "SPLIT_ISSUES", CYCLES, "Cycles whose issue a dispersal rule other than a stop ended.",
        lambda t: sum(t.ends[end] for end in splits),
    )  # fmt: skip
    for end in splits:
        rule = end.removeprefix("split:")
        yield Counter(
            f"SPLIT_ISSUES.{rule.upper().replace(' ', '_')}", CYCLES,
            f"Cycles whose issue ended by the rule '{rule}'.",
            lambda t, end=end: t.ends[end],
        )  # fmt: skip
    for name, column, sentence in (
        ("ALL_PRED", at.PREDICTED, "Branches executed, each of them predicted."),
        ("WRONG_PATH", at.WRONG_PATH, "Branches whose direction was predicted wrong."),
        ("WRONG_TARGET", at.WRONG_TARGET, "Branches whose target was predicted wrong."),
    ):
        yield Counter(
            f"BR_MISPRED_DETAIL.{name}", EVENTS, sentence,
            lambda t, column=column: int(t.state.branches[column]),
        )  # fmt: skip


def _caches() -> Iterator[Counter]:
    for level, name in enumerate(caches.LEVEL_NAMES):
        for suffix, way, sentence in (
            ("HITS", caches.HIT, "that found their line"),
            ("MISSES", caches.MISS, "that did not find their line"),
            ("MERGES", caches.MERGE, "whose line was already on its way"),
        ):
            yield Counter(
                f"{name}_{suffix}", ACCESSES, f"Accesses to the {name} {sentence}.",
                _count(level, *(way + request for request in range(len(caches.REQUESTS)))),
                law=FLOW,
            )  # fmt: skip
        for suffix, column, unit, sentence in (
            ("FILLS", caches.FILLS, LINES, "Lines brought into the {}."),
            ("WRITE_BACKS", caches.WRITE_BACKS, LINES, "Dirty lines that left the {}."),
            ("RETRIES", caches.RETRIES, ACCESSES,
             "Accesses to the {} that found their bank or all ports taken."),
            ("QUEUE_WAIT", caches.QUEUE_WAIT, CYCLES,
             "Cycles that accesses waited for the queue of the {}, added up."),
            ("MISS_WAIT", caches.MISS_WAIT, CYCLES,
             "Cycles that accesses waited for a miss slot of the {}, added up."),
        ):  # fmt: skip
            if level == caches.L1I and column != caches.FILLS:
                continue  # code is only read, one line after the other
            yield Counter(f"{name}_{suffix}", unit, sentence.format(name), _count(level, column))
    for name, entry, sentence in (
        ("LOADS", at.MISALIGNED_LOADS, "Loads"), ("STORES", at.MISALIGNED_STORES, "Stores"),
    ):  # fmt: skip
        yield Counter(
            f"MISALIGNED_{name}_RETIRED", INSTRUCTIONS, f"{sentence} that were not aligned.",
            lambda t, entry=entry: None
            if t.core.machine.memory.misaligned is None
            else int(t.state.scalars[entry]),
        )  # fmt: skip
    yield Counter(
        "PREFETCHES_DROPPED", ACCESSES, "lfetch of addresses that no buffer has.",
        lambda t: int(t.state.scalars[at.PREFETCHES_DROPPED]),
    )  # fmt: skip
    for name, column, sentence in (
        ("READ", caches.LINES_READ, "Bytes read from main memory."),
        ("WRITTEN", caches.LINES_WRITTEN, "Bytes written to main memory."),
    ):
        yield Counter(
            f"BUS_BYTES_{name}", BYTES, sentence,
            lambda t, column=column: int(
                t.state.caches.main[column] * t.state.caches.main[caches.LINE_BYTES]
            ),
        )  # fmt: skip


def _count(level: int, *columns: int) -> Callable[[Tally], int | None]:
    def value(tally: Tally) -> int | None:
        counts = tally.state.caches.counts
        return int(counts[level, list(columns)].sum()) if level < len(counts) else None

    return value


COUNTERS: dict[str, Counter] = {
    counter.name: counter for counter in (
        *_issue(), *_instructions(), *_stalls(), *_register_stack(), *_caches()
    )
}  # fmt: skip
"""Every counter by name, in the order in which results list them."""


def _retired(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    retired = counters["IA64_INST_RETIRED"]
    nops, squashed = counters["NOPS_RETIRED"], counters["PREDICATE_SQUASHED_RETIRED"]
    note = (
        f"{retired / cycles:.2f} a cycle, {counters['USEFUL_INST_RETIRED'] / cycles:.2f} useful; "
        f"nops {share(nops, retired)}, squashed {share(squashed, retired)}"
    )
    return "instructions", shown(retired), note


def _split(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    splits = counters["SPLIT_ISSUES"]
    return "split issues", shown(splits), f"{share(splits, counters['ISSUE_CYCLES'])} of issues"


def _mispredicted(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    wrong = counters["BR_MISPRED_DETAIL.WRONG_PATH"] + counters["BR_MISPRED_DETAIL.WRONG_TARGET"]
    of = counters["BR_MISPRED_DETAIL.ALL_PRED"]
    return "mispredictions", shown(wrong), f"{share(wrong, of)} of {shown(of)} branches"


def _floating(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    operations = counters["FP_OPS_RETIRED"]
    return "floating operations", shown(operations), f"{operations / cycles:.2f} a cycle"


def _missed(level: str) -> Callable[[dict[str, int], int], tuple[str, str, str]]:
    def describe(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
        misses = counters[f"{level}_MISSES"]
        accesses = misses + counters[f"{level}_HITS"] + counters[f"{level}_MERGES"]
        note = f"{share(misses, accesses)} of {shown(accesses)} accesses"
        return f"{level} misses", shown(misses), note if accesses else "no accesses"

    return describe


HEADLINES: tuple[Headline, ...] = (
    ("IA64_INST_RETIRED", _retired),
    ("SPLIT_ISSUES", _split),
    ("FP_OPS_RETIRED", _floating),
    ("BR_MISPRED_DETAIL.ALL_PRED", _mispredicted),
    *((f"{level}_MISSES", _missed(level)) for level in caches.LEVEL_NAMES),
)
"""Counters people look at first."""
