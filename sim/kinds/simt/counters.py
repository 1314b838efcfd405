"""The counters of a SIMT machine; those of its memory are in `memory_counters.py`.

Stalls go by Nsight Compute's names: `WARPS_<REASON>` are cycles of resident warps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from machines.kinds.simt import reconvergence as groups
from sim.cores.simt import stall_reasons as why
from sim.kinds.simt import memory_counters
from sim.results.shown import share, shown
from sim.results.vocabulary import CYCLES, EVENTS, INSTRUCTIONS, Counter, Headline

LANES = "lanes"


def _core() -> Iterator[Counter]:
    yield Counter(
        "ELAPSED_CYCLES", CYCLES, "Cycles of the run.", lambda t: t.cycles,
        aggregation="maximum", region="difference",
    )  # fmt: skip
    yield Counter(
        "WARP_INSTRUCTIONS", INSTRUCTIONS, "Instructions that warps issued.",
        lambda t: t.executed,
    )  # fmt: skip
    yield Counter(
        "THREAD_INSTRUCTIONS", INSTRUCTIONS, "The same by lane: those that took part.",
        lambda t: t.active,
    )  # fmt: skip
    yield Counter(
        "IDLE_LANES", LANES, "Lanes of issued instructions that took no part.",
        lambda t: t.idle,
    )  # fmt: skip
    yield Counter(
        "ISSUE_SLOTS", CYCLES, "Cycles of sub-cores in which an instruction issued.",
        lambda t: t.breakdown[why.ISSUED.name],
    )  # fmt: skip
    yield Counter(
        "EMPTY_CYCLES", CYCLES, "Cycles of sub-cores that had no warp.",
        lambda t: t.breakdown[why.EMPTY_CORE.name],
    )  # fmt: skip


def _stalls() -> Iterator[Counter]:
    for number, reason in enumerate(why.REASONS):
        yield Counter(
            f"WARPS_{reason.name.upper()}", CYCLES, f"Cycles of warps: {reason.sentence}",
            lambda t, number=number: t.stalls[:, number], since=reason.since,
        )  # fmt: skip


def _convergence() -> Iterator[Counter]:
    for name, column, sentence, aggregation in (
        ("CHECKS", groups.CHECKS, "Times that it was decided anew which threads run.", "sum"),
        ("CHECKS_DIVERGED", groups.DIVERGED_CHECKS, "Those of them made while diverged.", "sum"),
        ("DIVERGENCES", groups.DIVERGENCES, "Branches both of whose sides were taken.", "sum"),
        ("MERGES", groups.MERGES, "Times that two groups of threads met.", "sum"),
        ("MOST_GROUPS", groups.MOST_GROUPS,
         "Most groups of a warp (entries of its stack) at a time.", "maximum"),
        ("GROUP_SAMPLES", groups.SAMPLES, "Transfers of control at which groups were counted.",
         "sum"),
        ("GROUP_SUM", groups.GROUP_SUM, "Groups counted then, added up.", "sum"),
    ):  # fmt: skip
        yield Counter(
            f"RECONVERGENCE_{name}", EVENTS, sentence,
            lambda t, column=column: t.groups[:, column], aggregation=aggregation,
        )  # fmt: skip


COUNTERS = (*_core(), *_stalls(), *_convergence(), *memory_counters.COUNTERS)
"""In the order in which results list them."""


def _instructions(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    issued, threads = counters["WARP_INSTRUCTIONS"], counters["THREAD_INSTRUCTIONS"]
    lanes = threads + counters["IDLE_LANES"]
    note = f"{issued / cycles:.2f} a cycle, SIMD efficiency {share(threads, lanes)}"
    return "warp instructions", shown(issued), note


def _diverged(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    checks, merges = counters["RECONVERGENCE_CHECKS"], counters["RECONVERGENCE_MERGES"]
    note = f"{shown(checks)} checks, {shown(merges)} merges"
    if "RECONVERGENCE_MOST_GROUPS" in counters:  # a region does not have it
        note += f", at most {counters['RECONVERGENCE_MOST_GROUPS']} groups"
    return "divergences", shown(counters["RECONVERGENCE_DIVERGENCES"]), note


def _level(level: str) -> Callable[[Mapping[str, int], int], tuple[str, str, str]]:
    def describe(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
        misses = _sum(counters, f"_{level}_MISSES")
        looked = misses + _sum(counters, f"_{level}_HITS") + _sum(counters, f"_{level}_MERGES")
        note = f"{share(misses, looked)} of {shown(looked)} sectors" if looked else "no accesses"
        return f"{level} misses", shown(misses), note

    return describe


def _sum(counters: Mapping[str, int], suffix: str) -> int:
    return sum(value for name, value in counters.items() if name.endswith(suffix))


def _dram(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    read, written = counters["DRAM_BYTES_READ"], counters["DRAM_BYTES_WRITTEN"]
    return "DRAM bytes", shown(read + written), f"{(read + written) / cycles:.1f} a cycle"


def _conflicts(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    accesses = shown(counters["SHARED_INSTRUCTIONS"])
    return "bank conflicts", shown(counters["SHARED_BANK_CONFLICTS"]), f"in {accesses} accesses"


HEADLINES = (
    Headline("WARP_INSTRUCTIONS", _instructions),
    Headline("RECONVERGENCE_CHECKS", _diverged),
    Headline("LOAD_L1_MISSES", _level("L1")),
    Headline("LOAD_L2_MISSES", _level("L2")),
    Headline("DRAM_BYTES_READ", _dram),
    Headline("SHARED_INSTRUCTIONS", _conflicts),
)
