"""How long things took, and how many there were of a size: histograms of what happened in a run.

    taking = Histograms(vocabulary.histograms)
    request = replace(request, on_trace=taking.take)
    taking.found()[0].buckets                    # [(from, up to, how many), …]

They are made of the run's timeline as it comes, of which nothing is kept: a histogram has as many
buckets as FINE and STEPS allow, whatever the run does, and nothing is paid where none is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.timeline.span import Happening, Span

FINE = 128
"""Values below have a bucket each."""
STEPS = 8
"""Buckets from a power of two to the next, from there on."""
_BITS = STEPS.bit_length() - 1


def length(one: Happening) -> int:
    """Cycles of a span."""
    assert isinstance(one, Span)
    return one.end - one.begin


@dataclass(frozen=True)
class Histogram:
    """What a kind of machine declares (a part of its vocabulary).

    event  of its timelines
    value  of one of these, a whole number that is not negative; None: it is left out
    by     the field by whose value there are several; none: there is one
    """

    name: str
    unit: str
    sentence: str
    event: str
    value: Callable[[Happening], int | None] = length
    by: str = ""


@dataclass
class Counted:
    """A histogram of a run.

    of      the value of the field that it is by, '' if there is one histogram alone
    total   all values added up, exactly
    counts  of buckets, by their first values
    """

    declared: Histogram
    of: str
    count: int = 0
    total: int = 0
    least: int = 0
    most: int = 0
    counts: dict[int, int] = field(default_factory=dict)

    def add(self, value: int) -> None:
        """One more."""
        self.least = value if not self.count else min(self.least, value)
        self.most = max(self.most, value)
        self.count += 1
        self.total += value
        first = first_of(value)
        self.counts[first] = self.counts.get(first, 0) + 1

    @property
    def buckets(self) -> list[tuple[int, int, int]]:
        """First value, the one behind the last, how many; what has none is left out."""
        return [(first, behind(first), self.counts[first]) for first in sorted(self.counts)]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.declared.name,
            "unit": self.declared.unit,
            **({self.declared.by: self.of} if self.declared.by else {}),
            "count": self.count,
            "total": self.total,
            "least": self.least,
            "most": self.most,
            "buckets": [list(one) for one in self.buckets],
        }


class Histograms:
    """Takes those that are declared, of one run."""

    def __init__(self, declared: Sequence[Histogram]):
        self._order = {one.name: k for k, one in enumerate(declared)}
        self._of: dict[str, list[Histogram]] = {}
        for one in declared:
            self._of.setdefault(one.event, []).append(one)
        self._found: dict[tuple[str, str], Counted] = {}

    def take(self, happened: Iterable[Happening]) -> None:
        """What has happened since the last time."""
        for one in happened:
            for declared in self._of.get(one.name, ()):
                value = declared.value(one)
                if value is not None:
                    self._add(declared, one, value)

    def _add(self, declared: Histogram, one: Happening, value: int) -> None:
        of = str(one.arguments[declared.by]) if declared.by else ""
        key = declared.name, of
        counted = self._found.get(key)
        if counted is None:
            counted = self._found[key] = Counted(declared, of)
        counted.add(value)

    def found(self) -> list[Counted]:
        """In the order in which they are declared; of one those with most first."""
        return sorted(
            self._found.values(),
            key=lambda one: (self._order[one.declared.name], -one.total, one.of),
        )


def first_of(value: int) -> int:
    """The first value of the bucket of a value.

    >>> [first_of(n) for n in (127, 130, 144, 1000)]
    [127, 128, 144, 960]
    """
    if value < FINE:
        return value
    shift = value.bit_length() - 1 - _BITS
    return value >> shift << shift


def behind(first: int) -> int:
    """The value behind the last one of a bucket.

    >>> [behind(n) for n in (127, 128, 960)]
    [128, 144, 1024]
    """
    return first + 1 if first < FINE else first + (1 << first.bit_length() - 1 - _BITS)


def problems(declared: Sequence[Histogram], events: Sequence[Any]) -> Iterator[str]:
    """What does not fit together in the declarations of a kind."""
    known = {event.name: event for event in events}
    for one in declared:
        event = known.get(one.event)
        if event is None:
            yield f"histogram '{one.name}' is of event '{one.event}', which is not declared"
        elif one.by and one.by not in event.fields:
            yield f"histogram '{one.name}' is by '{one.by}', which is no field of '{one.event}'"
        elif one.value is length and not event.lasts:
            yield f"histogram '{one.name}' is of cycles, which '{one.event}' does not last"
