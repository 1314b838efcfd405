"""What a kind of machine declares of its timelines, as part of its vocabulary: families of tracks,
events on them, and the figures of a run that these add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

COUNT, CYCLES = "count", "cycles"
"""What a sum may be of, beside a field."""


@dataclass(frozen=True, slots=True)
class TrackFamily:
    """Tracks of one sort: the warps of a GPU, the engines of a chip.

    parent    the family of which each is a part of a track; None: they stand alone
    overlaps  whether spans on one of its tracks may overlap
    """

    name: str
    sentence: str
    parent: str | None = None
    overlaps: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """What lies on tracks of a family under one name.

    fields  what each says
    family  of the tracks
    lasts   whether it is a span; else an instant
    label   the field that a picture shows; none: it shows the name
    waits   whether it is time that passes until what comes next on its track can begin
    """

    name: str
    fields: Sequence[str]
    sentence: str
    family: str
    lasts: bool = False
    label: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """A figure of a run that is also what its timeline adds up to; held to in every traced run.

    event   what is added up
    of      COUNT, CYCLES of spans, or a field that is a number
    by      a field by whose value it is added up apart; none: all are one figure
    equals  the figure, of the statistics; with `by` figures by value, those that are 0 or left out
            have nothing to be added up
    """

    name: str
    event: str
    of: str
    equals: Callable[[Any], int | Mapping[Any, int]]
    by: str = ""


def problems(
    families: Sequence[TrackFamily], events: Sequence[Event], sums: Sequence[Sum]
) -> Iterator[str]:
    """What does not fit together in the declarations of a kind."""
    known = {family.name for family in families}
    for family in families:
        if family.parent is not None and family.parent not in known:
            yield f"tracks of '{family.name}' are part of '{family.parent}', which is not declared"
    for event in events:
        if event.family not in known:
            yield f"event '{event.name}' is on tracks of '{event.family}', which are not declared"
        if event.waits and not event.lasts:
            yield f"event '{event.name}' waits, and does not last"
        if event.label and event.label not in event.fields:
            yield f"event '{event.name}' is shown by '{event.label}', which is none of its fields"
    by_name = {event.name: event for event in events}
    for one in sums:
        event = by_name.get(one.event)
        if event is None:
            yield f"sum '{one.name}' is of event '{one.event}', which is not declared"
            continue
        for field in (one.of, one.by):
            if field and field not in (COUNT, CYCLES, *event.fields):
                yield f"sum '{one.name}' asks for '{field}', which is no field of '{one.event}'"
        if one.of == CYCLES and not event.lasts:
            yield f"sum '{one.name}' is of cycles, which '{one.event}' does not last"
