"""Which part of a run its figures are of (see `sim.rests.measured`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from machines.diagnostics import input_error


@dataclass(frozen=True)
class Region:
    """Of a run, in steps of its host that have ended; without an `until` up to the run's end."""

    after: int
    until: int | None = None
    is_of_command: bool = field(default=False, compare=False)
    """Whether the command line says it, and not the workload."""


def read_region(text: str) -> Region:
    """A region as the command line gives it: '2:5' of steps 3 to 5, '2' or '2:' of all behind step
    2.

    Raises InputError if it is none.
    """
    after, _, until = text.partition(":")
    if not (after.isdecimal() and (until.isdecimal() or not until)):
        raise input_error(f"'{text}' is no region", hint="--measure 2:5 is of steps 3, 4 and 5")
    region = Region(int(after), int(until) if until else None, is_of_command=True)
    if region.until is not None and region.until <= region.after:
        raise input_error(f"a region after step {region.after} ends with a later one")
    return region


def steps_of(region: Mapping[str, Any] | None) -> str:
    """The steps that a result says its figures are of."""
    if region is None or region["begin"] is None:
        return "the whole run"
    return f"steps {region['after'] + 1} to {region['until'] or 'the last'}"
