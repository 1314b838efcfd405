"""What a GPU's run came to as a whole: kernels and the gaps between them, occupancy, use of its
issue slots and of DRAM, and what bounds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sim.cores.simt import stall_reasons as why
from sim.results.shown import share, shown
from sim.status import DONE

MUCH = 0.6
"""Of what there is of a resource: from here on the run is said to be bound by it."""


def summary(result: Any) -> Iterator[tuple[str, str, str]]:
    """Rows of the report's head, of a `sim.results.result.Result`."""
    kernels = [step for step in result.steps if "kernel" in step]
    used: dict[str, float] = {}
    if (
        kernels and result.region is None and result.status == DONE
    ):  # else one may have been at work
        gaps = result.cycles - _covered(kernels)
        note = f"none at work in {shown(gaps)} cycles, {share(gaps, result.cycles)}"
        yield "kernels", shown(len(kernels)), note
        used["gaps between kernels"] = gaps / max(result.cycles, 1)
    total = sum(result.breakdown.values())
    busy = total - result.breakdown.get(why.EMPTY_CORE.name, 0)
    if not busy:
        return
    issued = result.breakdown[why.ISSUED.name]
    yield _occupancy(result, busy, total)
    note = f"in use where sub-cores have warps, {share(issued, total)} of all"
    yield "issue slots", share(issued, busy), note
    used["issue slots"] = issued / busy
    if result.described is not None:
        used["DRAM"] = _of_dram(result)
        note = f"{share(round(1e6 * used['DRAM']), 10**6)} of what its channels move"
        yield "DRAM bandwidth", f"{_bytes(result) / result.seconds / 1e9:.1f} GB/s", note
    yield from _bound(result, used)


def _bytes(result: Any) -> int:
    return result.counters["DRAM_BYTES_READ"] + result.counters["DRAM_BYTES_WRITTEN"]


def _of_dram(result: Any) -> float:
    """Of the bytes that its DRAM could have carried."""
    return _bytes(result) / (result.described.description.memory.dram.bandwidth * result.seconds)


def _bound(result: Any, used: Mapping[str, float]) -> Iterator[tuple[str, str, str]]:
    """The resource of which most is in use, if that is much; else what warps wait for."""
    most = max(used, key=lambda name: used[name])
    if used[most] >= MUCH:
        yield "bound by", most, f"{100 * used[most]:.1f} %"
        return
    waits = {one.name: result.counters[f"WARPS_{one.name.upper()}"] for one in why.REASONS}
    reason = max(waits, key=lambda name: waits[name])
    if waits[reason]:
        of = share(waits[reason], sum(waits.values()))
        yield "bound by", "latency", f"{of} of waiting is {reason}; no resource is much in use"


def _covered(kernels: list[dict[str, Any]]) -> int:
    """Cycles in which some kernel is at work."""
    covered, until = 0, 0
    for step in sorted(kernels, key=lambda step: step["begin"]):
        begin = max(step["begin"], until)
        until = max(until, step["end"])
        covered += max(until - begin, 0)
    return covered


def _occupancy(result: Any, busy: int, total: int) -> tuple[str, str, str]:
    """Resident warps of sub-cores that have any."""
    waited = sum(result.counters[f"WARPS_{reason.name.upper()}"] for reason in why.REASONS)
    resident = (waited + result.breakdown[why.ISSUED.name]) / busy
    of_all = f"sub-cores have warps in {share(busy, total)} of their cycles"
    if result.described is None:
        return "warps at a time", f"{resident:.1f}", of_all
    machine = result.described.description
    most = machine.limits.warps // machine.subcores
    return (
        "occupancy",
        share(round(1000 * resident), 1000 * most),
        (f"{resident:.1f} of {most} warps; {of_all}"),
    )
