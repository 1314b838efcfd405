"""Histograms of runs on a SIMT machine."""

from __future__ import annotations

from sim.results.histograms import Histogram, length
from sim.results.vocabulary import CYCLES
from sim.timeline.span import Happening


def _of_loads(one: Happening) -> int | None:
    return length(one) if one.arguments["operation"].startswith("ld") else None


HISTOGRAMS = (
    Histogram("load latency", CYCLES, "From when a load leaves its pipe until "
              "its data may be used.",
              "access", _of_loads, by="space"),
    Histogram("stall length", CYCLES, "Cycles that a warp waits for one reason after the other.",
              "stall", by="reason"),
    Histogram("active lanes", "lanes", "Lanes that begin a basic block together.",
              "block begun", lambda one: int(one.arguments["lanes"], 16).bit_count()),
)  # fmt: skip
