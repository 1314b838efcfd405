"""What a timeline adds up to, by event, and by what the declared sums are of."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sim.timeline.declared import COUNT, CYCLES, Event, Sum
from sim.timeline.span import Happening, Span


class Row(NamedTuple):
    """Of a family of tracks: how often something lies there, and how many cycles it lasts in all
    (0 of instants)."""

    family: str
    event: str
    label: str
    count: int
    cycles: int


class Summary:
    """Sums of what was added; `sums` are figures by value of the field that each sum is by (None
    where there is none), by the name of the sum."""

    def __init__(self, events: Sequence[Event], sums: Sequence[Sum]):
        self._events = {event.name: event for event in events}
        self._of: dict[str, list[Sum]] = {}
        for one in sums:
            self._of.setdefault(one.event, []).append(one)
        self._rows: dict[tuple[str, Hashable], list[int]] = {}
        self.sums: dict[str, dict[Hashable, int]] = {one.name: {} for one in sums}

    def add(self, one: Happening) -> None:
        """One more."""
        name, arguments = one.name, one.arguments
        label = self._events[name].label
        cycles = one.end - one.begin if isinstance(one, Span) else 0
        row = self._rows.setdefault((name, arguments[label] if label else ""), [0, 0])
        row[0] += 1
        row[1] += cycles
        for wanted in self._of.get(name, ()):
            figures = self.sums[wanted.name]
            value = arguments[wanted.by] if wanted.by else None
            figures[value] = figures.get(value, 0) + _amount(wanted.of, cycles, arguments)

    def rows(self) -> Iterator[Row]:
        """In the order in which events are declared; of one event what lasts longest first."""
        order = {name: number for number, name in enumerate(self._events)}
        found = sorted(self._rows.items(), key=lambda one: (order[one[0][0]], -one[1][1]))
        for (name, label), (count, cycles) in found:
            yield Row(self._events[name].family, name, str(label), count, cycles)

    def __len__(self) -> int:
        """How much was added."""
        return sum(count for count, _ in self._rows.values())

    def __repr__(self) -> str:
        return f"<Summary of {len(self)} spans and instants>"


def _amount(of: str, cycles: int, arguments: Mapping[str, Any]) -> int:
    if of == COUNT:
        return 1
    return cycles if of == CYCLES else arguments[of]
