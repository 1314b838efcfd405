"""The counters of an EPIC machine.

Itanium 2's event names are used where the model counts what the event counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from machines.kinds.epic.dispersal import ENDS
from machines.kinds.epic.stalls import EVENTS as LEAVES
from sim.cores.epic import state as at
from sim.cores.epic.memory import hierarchy as caches
from sim.cores.epic.statistics import Statistics
from sim.results.shown import share, shown
from sim.results.vocabulary import (
    ACCESSES,
    BYTES,
    CYCLES,
    EVENTS,
    INSTRUCTIONS,
    LINES,
    Counter,
    Headline,
)

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


def _stalls() -> Iterator[Counter]:
    for event, (sentence, since) in LEAVES.items():
        yield Counter(
            event, CYCLES, sentence, _lost(lambda name, event=event: name == event), since=since,
        )  # fmt: skip
    for event, (beginnings, sentence) in SUMS.items():
        yield Counter(
            event, CYCLES, f"{sentence} A sum.",
            _lost(lambda name, beginnings=beginnings: name.startswith(beginnings)),
        )  # fmt: skip


def _lost(wanted: Callable[[str], bool]) -> Callable[[Statistics], np.ndarray | None]:
    """Cycles lost to each cause whose event is wanted; None if the machine has none of these."""

    def value(run: Statistics) -> np.ndarray | None:
        events = run.core.machine.stall_order.items()
        lost = [run.lost[cause] for cause, event in events if wanted(event)]
        return np.array(lost) if lost else None

    return value


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


def is_nop(row) -> bool:
    """Whether an operation is a nop of some kind."""
    return "nop" in row.flags


def _instructions() -> Iterator[Counter]:
    yield Counter(
        "IA64_INST_RETIRED", INSTRUCTIONS, "Retired, nops and squashed ones included.",
        lambda t: t.retired,
    )  # fmt: skip
    yield Counter(
        "NOPS_RETIRED", INSTRUCTIONS, "Retired nops of all kinds.",
        lambda t: t.effective_where(is_nop),
    )  # fmt: skip
    for kind in "MIFBX":
        name = f"nop.{kind.lower()}"
        yield Counter(
            f"NOPS_RETIRED.{kind}", INSTRUCTIONS, f"Retired {name}.",
            lambda t, name=name: t.effective_where(lambda row: row.name == name),
        )  # fmt: skip
    yield Counter(
        "PREDICATE_SQUASHED_RETIRED", INSTRUCTIONS, "Retired with a false qualifying predicate.",
        lambda t: int(t.squashed.sum()),
    )  # fmt: skip
    yield Counter(
        "USEFUL_INST_RETIRED", INSTRUCTIONS, "Retired, neither nop nor squashed.",
        lambda t: t.effective_where(lambda row: not is_nop(row)),
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
        "CPU_CYCLES", CYCLES, "Cycles of the core clock.", lambda t: t.cycles,
        aggregation="maximum", region="difference",
    )  # fmt: skip
    yield Counter(
        "ISSUE_CYCLES", CYCLES, "Cycles in which instructions issued.", lambda t: t.issuing,
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


def _count(level: int, *columns: int) -> Callable[[Statistics], int | None]:
    def value(run: Statistics) -> int | None:
        counts = run.state.caches.counts
        return int(counts[level, list(columns)].sum()) if level < len(counts) else None

    return value


COUNTERS = (*_issue(), *_instructions(), *_stalls(), *_register_stack(), *_caches())
"""In the order in which results list them."""


def _retired(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    retired = counters["IA64_INST_RETIRED"]
    nops, squashed = counters["NOPS_RETIRED"], counters["PREDICATE_SQUASHED_RETIRED"]
    note = (
        f"{retired / cycles:.2f} a cycle, {counters['USEFUL_INST_RETIRED'] / cycles:.2f} useful; "
        f"nops {share(nops, retired)}, squashed {share(squashed, retired)}"
    )
    return "instructions", shown(retired), note


def _split(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    splits = counters["SPLIT_ISSUES"]
    return "split issues", shown(splits), f"{share(splits, counters['ISSUE_CYCLES'])} of issues"


def _mispredicted(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    wrong = counters["BR_MISPRED_DETAIL.WRONG_PATH"] + counters["BR_MISPRED_DETAIL.WRONG_TARGET"]
    of = counters["BR_MISPRED_DETAIL.ALL_PRED"]
    return "mispredictions", shown(wrong), f"{share(wrong, of)} of {shown(of)} branches"


def _floating(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    operations = counters["FP_OPS_RETIRED"]
    note = f"{operations / cycles:.2f} a cycle"
    if not operations and counters.get("BE_EXE_BUBBLE.FRALL"):
        note = "integer products and moves wait for floating registers, too"
    return "floating operations", shown(operations), note


def _missed(level: str) -> Callable[[Mapping[str, int], int], tuple[str, str, str]]:
    def describe(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
        misses = counters[f"{level}_MISSES"]
        accesses = misses + counters[f"{level}_HITS"] + counters[f"{level}_MERGES"]
        note = f"{share(misses, accesses)} of {shown(accesses)} accesses"
        return f"{level} misses", shown(misses), note if accesses else "no accesses"

    return describe


HEADLINES = (
    Headline("IA64_INST_RETIRED", _retired),
    Headline("SPLIT_ISSUES", _split),
    Headline("FP_OPS_RETIRED", _floating),
    Headline("BR_MISPRED_DETAIL.ALL_PRED", _mispredicted),
    *(Headline(f"{level}_MISSES", _missed(level)) for level in caches.LEVEL_NAMES),
)
