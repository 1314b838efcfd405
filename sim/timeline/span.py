"""The form of time: spans and instants, each on a track.

    sm = Track("SM 0", "sm")
    warp = Track("warp 3", "warp", parent=sm)
    Span(warp, 40, 52, "stall", {"reason": "long_scoreboard", …})     cycles 40 to 51
    Instant(warp, 52, "diverge", {…})

Tracks of which family there are, and what may lie on them, the vocabulary of the kind declares
(`sim.timeline.declared`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A part of the machine, on which one thing after the other happens.  The same part is the same
    object throughout a run.

    name    among those of its parent
    family  a declared one
    parent  what it is a part of, if that has a track
    """

    name: str
    family: str
    parent: Track | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """Names from the outermost track to this one: ('SM 0', 'warp 3')."""
        return (*(self.parent.path if self.parent is not None else ()), self.name)

    def __str__(self) -> str:
        return "/".join(self.path)


class Span(NamedTuple):
    """What lasts from cycle `begin` up to cycle `end`, which is not before it and not part of it.

    name       of the declared event
    arguments  the fields that the event declares: plain values, lists of such, and locations in
               sources.  Nobody changes them
    """

    track: Track
    begin: int
    end: int
    name: str
    arguments: Mapping[str, Any]


class Instant(NamedTuple):
    """What happens in a cycle; see `Span`."""

    track: Track
    cycle: int
    name: str
    arguments: Mapping[str, Any]


Happening = Span | Instant
"""What a core tells of a run that is traced.  Of one track, spans come in the order of time, unless
its family lets them overlap; between tracks there is no order."""
