"""Histograms of runs on a chip of clusters."""

from __future__ import annotations

from sim.cores.cluster.core import CAUSES
from sim.results.histograms import Histogram, length
from sim.results.vocabulary import BYTES, CYCLES
from sim.timeline.span import Happening


def _of_waits(one: Happening) -> int | None:
    return length(one) if one.arguments["reason"].partition(".")[2] in CAUSES else None


HISTOGRAMS = (
    Histogram("stall length", CYCLES, "Cycles that a core waits for one reason after the other.",
              "core", _of_waits, by="reason"),
    Histogram("command length", CYCLES, "From when a command begins to move or to compute until it "
              "has ended, by queue.", "command", by="queue"),
    Histogram("transfer size", BYTES, "Bytes that go over a link together, by what it is.",
              "transfer", lambda one: one.arguments["bytes"], by="sort"),
)  # fmt: skip
