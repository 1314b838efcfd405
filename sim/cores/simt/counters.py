"""The counters of a SIMT machine; those of its memory are in `sim/cores/simt/memory/counters.py`.

Stalls go by Nsight Compute's names: `WARPS_<REASON>` are cycles of resident warps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from machines.kinds.simt import reconvergence as groups
from sim.cores.simt import state as at
from sim.cores.simt.memory import counters as simt_counters
from sim.cores.simt.tally import EMPTY, ISSUED, Tally
from sim.results.counters import CYCLES, EVENTS, INSTRUCTIONS, Counter, Headline, share, shown

LANES = "lanes"
WARP_LAW = "reasons over warps = cycles of resident warps"
CORE_LAW = "issued + empty + reasons of the oldest warp = cycles of all sub-cores"

REASONS = {
    "selected": "in which the warp issued",
    "not_selected": "in which it could have issued, and another was picked",
    "wait": "of waiting for a result of fixed latency",
    "long_scoreboard": "of waiting for global or local memory",
    "short_scoreboard": "of waiting for shared memory, special functions, conversions, shuffles",
    "math_pipe_throttle": "of waiting for an arithmetic pipe",
    "mio_throttle": "of waiting for the queue of shared memory and special functions",
    "lg_throttle": "of waiting for the queue of local and global memory",
    "barrier": "of waiting at a barrier of its block",
    "membar": "of waiting for a memory fence",
    "branch_resolving": "of waiting for the target of a branch",
    "dispatch_stall": "in which registers of one bank held its dispatch back",
    "drain": "after its end, of waiting for its stores",
    "sleeping": "of sleep, or in which all its lanes were blocked",
    "reconvergence_check": "of choosing which of its threads run",
}


def _core() -> Iterator[Counter]:
    yield Counter(
        "ELAPSED_CYCLES", CYCLES, "Cycles of the run.", lambda t: t.cycles, aggregation="maximum"
    )
    yield Counter(
        "WARP_INSTRUCTIONS", INSTRUCTIONS, "Instructions that warps issued.",
        lambda t: t.instructions,
    )  # fmt: skip
    yield Counter(
        "THREAD_INSTRUCTIONS", INSTRUCTIONS, "The same by lane: those that took part.",
        lambda t: int(t.active.sum()),
    )  # fmt: skip
    yield Counter(
        "IDLE_LANES", LANES, "Lanes of issued instructions that took no part.",
        lambda t: int(t.columns["idle_lanes"].sum()),
    )  # fmt: skip
    yield Counter(
        "ISSUE_SLOTS", CYCLES, "Cycles of sub-cores in which an instruction issued.",
        lambda t: t.breakdown[ISSUED], law=CORE_LAW,
    )  # fmt: skip
    yield Counter(
        "EMPTY_CYCLES", CYCLES, "Cycles of sub-cores that had no warp.",
        lambda t: t.breakdown[EMPTY], law=CORE_LAW,
    )  # fmt: skip


def _stalls() -> Iterator[Counter]:
    for column, reason in enumerate(at.REASONS):
        yield Counter(
            f"WARPS_{reason.upper()}", CYCLES, f"Cycles of warps {REASONS[reason]}.",
            lambda t, column=column: int(t.stalls[:, column].sum()), law=WARP_LAW,
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
            lambda t, column=column: int(t.convergence[column]), aggregation=aggregation,
        )  # fmt: skip


def _of_memory(value: Callable) -> Callable[[Tally], int | None]:
    return lambda tally: value(tally.state.memory)


COUNTERS: dict[str, Counter] = {
    counter.name: counter for counter in (*_core(), *_stalls(), *_convergence())
} | {
    name: replace(counter, value=_of_memory(counter.value))
    for name, counter in simt_counters.COUNTERS.items()
}
"""Every counter by name, in the order in which results list them."""


def _instructions(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    issued, threads = counters["WARP_INSTRUCTIONS"], counters["THREAD_INSTRUCTIONS"]
    lanes = threads + counters["IDLE_LANES"]
    note = f"{issued / cycles:.2f} a cycle, SIMD efficiency {share(threads, lanes)}"
    return "warp instructions", shown(issued), note


def _diverged(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    checks, merges = counters["RECONVERGENCE_CHECKS"], counters["RECONVERGENCE_MERGES"]
    most = counters["RECONVERGENCE_MOST_GROUPS"]
    note = f"{shown(checks)} checks, {shown(merges)} merges, at most {most} groups"
    return "divergences", shown(counters["RECONVERGENCE_DIVERGENCES"]), note


def _level(level: str) -> Callable[[dict[str, int], int], tuple[str, str, str]]:
    def describe(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
        misses = _sum(counters, f"_{level}_MISSES")
        looked = misses + _sum(counters, f"_{level}_HITS") + _sum(counters, f"_{level}_MERGES")
        note = f"{share(misses, looked)} of {shown(looked)} sectors" if looked else "no accesses"
        return f"{level} misses", shown(misses), note

    return describe


def _sum(counters: dict[str, int], suffix: str) -> int:
    return sum(value for name, value in counters.items() if name.endswith(suffix))


def _dram(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    read, written = counters["DRAM_BYTES_READ"], counters["DRAM_BYTES_WRITTEN"]
    return "DRAM bytes", shown(read + written), f"{(read + written) / cycles:.1f} a cycle"


def _conflicts(counters: dict[str, int], cycles: int) -> tuple[str, str, str]:
    accesses = shown(counters["SHARED_INSTRUCTIONS"])
    return "bank conflicts", shown(counters["SHARED_BANK_CONFLICTS"]), f"in {accesses} accesses"


HEADLINES: tuple[Headline, ...] = (
    ("WARP_INSTRUCTIONS", _instructions),
    ("RECONVERGENCE_CHECKS", _diverged),
    ("LOAD_L1_MISSES", _level("L1")),
    ("LOAD_L2_MISSES", _level("L2")),
    ("DRAM_BYTES_READ", _dram),
    ("SHARED_INSTRUCTIONS", _conflicts),
)
"""Counters people look at first."""
