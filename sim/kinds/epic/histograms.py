"""Histograms of runs on an EPIC machine."""

from __future__ import annotations

from sim.results.histograms import Histogram, length
from sim.results.vocabulary import CYCLES, INSTRUCTIONS
from sim.timeline.span import Happening


def _of_loads(one: Happening) -> int | None:
    return length(one) if one.arguments["request"] == "load" else None


HISTOGRAMS = (
    Histogram(
        "load latency", CYCLES,
        "From the issue of a load until an integer one would have its data, by the farthest level "
        "that it went to.",
        "access", _of_loads, by="level",
    ),
    Histogram("stall length", CYCLES, "Cycles that the pipe waits for one cause after the other.",
              "stall", by="reason"),
    Histogram("instructions of a packet", INSTRUCTIONS, "Instructions that issue in a cycle.",
              "issue", lambda one: one.arguments["instructions"]),
)  # fmt: skip
