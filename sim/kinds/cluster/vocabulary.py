"""What results of a chip of clusters say: what every core and every engine did in each cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sim.cores.cluster.core import CAUSES
from sim.cores.cluster.core import DOES as OF_CORES
from sim.cores.cluster.statistics import OF_DMAS, OF_UNITS, Statistics
from sim.cores.cluster.timeline import EVENTS as TIMELINE_EVENTS
from sim.cores.cluster.timeline import SUMS, TRACKS
from sim.kinds.cluster.counter_names import PLACES
from sim.kinds.cluster.energy import ENERGY
from sim.kinds.cluster.histograms import HISTOGRAMS
from sim.kinds.cluster.roofline import ROOFLINE
from sim.results.explained import explained
from sim.results.layer import Layer
from sim.results.vocabulary import (
    BYTES,
    EVENTS,
    Counter,
    Law,
    Reason,
    Titles,
    Vocabulary,
)
from sim.status import DONE

ROLES = {"ipu": "Cores that compute", "mem": "MEM cores"}
DMAS = {
    "iodma": "IODMAs",
    "mvdma": "MVDMAs",
    "gdma": "GDMAs",
    "cdma": "CDMAs",
    "bus": "Broadcast buses",
    "iodma+mvdma": "DMAs that are IODMA and MVDMA",
    "gdma+iodma": "DMAs that are GDMA and IODMA",
    "dma": "The only DMAs of their clusters",
}
IDLE = "idle"
DOES = {
    "scalar": "carried out scalar code and handed on commands",
    "queue": "waited for room in a queue",
    "wait_io": "waited for their queue io",
    "wait_move": "waited for their queue move",
    "wait_compute": "waited for their queue compute",
    "wait_bus": "waited for their queue bus",
    "result": "waited for the result of a command",
    "barrier": "waited at a barrier for other cores",
    IDLE: "had nothing left to do",
    "setup": "set copies up, or waited for the first bytes",
    "transfer": "moved bytes",
    "vector": "worked in their vector units",
    "matrix": "worked in their matrix units",
}


def _reasons() -> Iterator[Reason]:
    for role, who in ROLES.items():
        for what in OF_CORES:
            yield Reason(f"{role}.{what}", f"{who} {DOES[what]}.", idle=what == IDLE)
    for what in OF_UNITS:
        does = "had nothing to compute" if what == IDLE else DOES[what]
        yield Reason(f"compute.{what}", f"Cores {does}.", idle=what == IDLE)
    for dma, who in DMAS.items():
        for what in OF_DMAS:
            does = "had nothing to move" if what == IDLE else DOES[what]
            yield Reason(f"{dma}.{what}", f"{who} {does}.", idle=what == IDLE)
    for what in CAUSES:
        yield Reason(what, f"Cores {DOES[what]}.")


def _counters() -> Iterator[Counter]:
    for name, who in {**DMAS, "compute": "Compute queues"}.items():
        key, what = name.upper().replace("+", "_"), "commands"
        if "gdma" in name or "mvdma" in name:
            what = "commands, and steps of copies through SRAM piece by piece,"
        yield Counter(f"{key}_COMMANDS", EVENTS, f"{who}: {what} that ended.",
                      lambda run, name=name: run.commands.get(name))  # fmt: skip
        if name != "compute":
            yield Counter(f"{key}_BYTES", BYTES, f"{who}: bytes that arrived.",
                          lambda run, name=name: run.bytes.get(name))  # fmt: skip
    for name, sentence in {
        "dram": "Bytes that memory controllers moved, whole lines.",
        "ports": "Bytes through the ports of clusters.",
        "srams": "Bytes into and out of SRAMs.",
        "buses": "Bytes over broadcast buses.",
    }.items():
        yield Counter(f"{name.upper()}_CARRIED", BYTES, sentence,
                      lambda run, name=name: run.links.get(name))  # fmt: skip
    yield Counter("ROWS_OPENED", EVENTS, "Rows of DRAM that copies opened.",
                  lambda run: run.rows, since=2)  # fmt: skip
    yield Counter("BARRIERS", EVENTS, "Times that a barrier was passed.", lambda run: run.barriers)


def _nothing_done(result: Any) -> Iterator[tuple[str, str, str]]:
    """A run without a command is right, and mostly not meant: a store to DRAM was forgotten."""
    if any(count for name, count in result.counters.items() if name.endswith("_COMMANDS")):
        return
    if result.status != DONE:
        yield "commands", "0", "none had ended when the run did"
    elif result.region is not None:
        yield "commands", "0", "none ended in these steps"
    else:
        why = "none was carried out: those that write nothing that is seen, in DRAM, are removed"
        yield "commands", "0", f"{why} (explain --show passes --explain)"


def _of_layers(layers: Sequence[Layer]) -> dict[str, int]:
    """What engines did for all of them."""
    found: dict[str, int] = {}
    for layer in layers:
        for what, cycles in layer.spent.items():
            found[what] = found.get(what, 0) + cycles
    return found


def _of_engines(run: Statistics) -> dict[str, int]:
    return {what: cycles for what, cycles in run.busy(of_engines=True).items() if cycles}


VOCABULARY = Vocabulary(
    whole=lambda run: run.cycles * run.workers,
    reasons=(*_reasons(),),
    in_whole=False,
    summary=_nothing_done,
    counters=explained((*_counters(),), formulas={}, places=PLACES, names={}),
    tracks=TRACKS,
    events=TIMELINE_EVENTS,
    sums=SUMS,
    histograms=HISTOGRAMS,
    roofline=ROOFLINE,
    energy=ENERGY,
    laws=(
        Law(
            "engines: cycles by what they did = cycles of all",
            lambda run: sum(run.spent.values()),
            lambda run: run.cycles * run.workers,
        ),
        Law(
            "layers: cycles of all = cycles of the run",
            lambda run: sum(layer.cycles for layer in run.layers) if run.layers else run.cycles,
            lambda run: run.cycles,
        ),
        Law(
            "layers: what engines did for them = what they did",
            lambda run: _of_layers(run.layers),
            lambda run: _of_engines(run) if run.layers else {},
        ),
    ),
    layers=lambda run: run.layers,
    titles=Titles(
        breakdown="what cores and engines did",
        lines="source lines at which cores wait, and for what",
    ),
)
