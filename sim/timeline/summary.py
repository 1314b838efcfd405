"""What a timeline adds up to, by event, and by what the declared sums are of."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sim.timeline.declared import COUNT, CYCLES, Event, Sum

MOST_ONCE = 4096
"""Of what comes once: added up so many at a time."""


class Row(NamedTuple):
    """Of a family of tracks: how often something lies there, and how many cycles it lasts in all
    (0 of instants)."""

    family: str
    event: str
    label: str
    count: int
    cycles: int


@dataclass(slots=True)
class Seen:
    """Spans or instants with the same name and arguments, as they come: how many, and how many
    cycles they last in all.

    length  of the tuples: what they are
    """

    name: str
    family: str
    length: int
    arguments: Mapping[str, Any]
    count: int = 0
    cycles: int = 0


class Summary:
    """Sums of what comes."""

    def __init__(self, events: Sequence[Event], sums: Sequence[Sum]):
        self._events = {event.name: event for event in events}
        self._of: dict[str, list[Sum]] = {}
        for one in sums:
            self._of.setdefault(one.event, []).append(one)
        self._rows: dict[tuple[str, Hashable], list[int]] = {}
        self._sums: dict[str, dict[Hashable, int]] = {one.name: {} for one in sums}
        self._followed: list[Seen] = []
        self._once: list[Seen] = []

    def follow(self, seen: Seen, comes_again: bool) -> None:
        """Count what is seen, before it is; of what comes once nothing is kept for long."""
        if comes_again:
            self._followed.append(seen)
            return
        if len(self._once) >= MOST_ONCE:
            self._add_up()
        self._once.append(seen)

    @property
    def sums(self) -> dict[str, dict[Hashable, int]]:
        """Figures by value of the field that each sum is by (None where there is none), by the name
        of the sum."""
        self._add_up()
        return self._sums

    def _add_up(self) -> None:
        """Add what has come up to now; of those that are followed more may come."""
        for seen in (*self._followed, *self._once):
            if seen.count:
                self._add(seen.name, seen.arguments, seen.count, seen.cycles)
                seen.count = seen.cycles = 0
        self._once.clear()

    def _add(self, name: str, arguments: Mapping[str, Any], count: int, cycles: int) -> None:
        label = self._events[name].label
        row = self._rows.setdefault((name, arguments[label] if label else ""), [0, 0])
        row[0] += count
        row[1] += cycles
        for wanted in self._of.get(name, ()):
            figures = self._sums[wanted.name]
            value = arguments[wanted.by] if wanted.by else None
            amount = {COUNT: count, CYCLES: cycles}.get(wanted.of)
            if amount is None:
                amount = count * arguments[wanted.of]
            figures[value] = figures.get(value, 0) + amount

    def rows(self) -> Iterator[Row]:
        """In the order in which events are declared; of one event what lasts longest first."""
        self._add_up()
        order = {name: number for number, name in enumerate(self._events)}
        found = sorted(self._rows.items(), key=lambda one: (order[one[0][0]], -one[1][1]))
        for (name, label), (count, cycles) in found:
            yield Row(self._events[name].family, name, str(label), count, cycles)

    def __len__(self) -> int:
        """How much has come."""
        self._add_up()
        return sum(count for count, _ in self._rows.values())

    def __repr__(self) -> str:
        return f"<Summary of {len(self)} spans and instants>"
