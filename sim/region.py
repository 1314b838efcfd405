"""Which part of a run its figures are of (see `sim.measured`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Region:
    """Of a run, in steps of its host that have ended; without an `until` up to the run's end."""

    after: int
    until: int | None = None
