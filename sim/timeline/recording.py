"""Takes the timeline of a run as it comes: holds it to what is declared, adds it up, hands it on.

recording = Recording(vocabulary, writing.write)
request = replace(request, on_trace=recording.take)
…
recording.summary.rows()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from sim.timeline.declared import Event, Sum, TrackFamily
from sim.timeline.span import Happening, Span, Track
from sim.timeline.summary import Seen, Summary
from sim.timeline.window import TraceWindow

MOST_KNOWN = 1 << 16
"""Arguments that are recognized when they come again."""
OF_SPANS = len(Span._fields)


class Misplaced(AssertionError):
    """A core tells of something that its kind does not declare, or that cannot be: the simulator is
    wrong."""


class Declares(Protocol):
    """What is read of a vocabulary."""

    tracks: Sequence[TrackFamily]
    events: Sequence[Event]
    sums: Sequence[Sum]


class Recording:
    """The timeline of one run.

    summary  what it adds up to so far
    window   the part that is wanted, if not all is: cores may leave out the rest
    cycles   of the run, once it has ended
    """

    def __init__(
        self,
        declares: Declares,
        write: Callable[[Happening], object],
        window: TraceWindow | None = None,
    ):
        self.window = window
        self.cycles: int | None = None
        self.summary = Summary(declares.events, declares.sums)
        self._write = write
        self._overlaps: Mapping[str, bool] = {one.name: one.overlaps for one in declares.tracks}
        self._parents = {one.name: one.parent for one in declares.tracks}
        self._events = {one.name: (one, frozenset(one.fields)) for one in declares.events}
        self._ends: dict[Track, int] = {}
        self._known: dict[int, Seen] = {}

    def take(self, happened: Iterable[Happening]) -> None:
        """What has happened since the last time.

        Raises Misplaced if it is not as it is declared.
        """
        write, known, ends, overlaps = self._write, self._known, self._ends, self._overlaps
        for one in happened:
            seen = known.get(id(one.arguments))
            if seen is None or seen.name is not one.name or len(one) != seen.length:
                seen = self._first(one)
            track = one.track
            if seen.length == OF_SPANS:
                begin, end = one.begin, one.end
                last = ends.get(track)
                if last is None or track.family != seen.family or not 0 <= begin <= end:
                    self._check(one)
                    last = ends[track]
                if not overlaps[track.family]:
                    if begin < last:
                        self._check(one)
                    ends[track] = end
                seen.cycles += end - begin
            elif track not in ends or track.family != seen.family or one[1] < 0:
                self._check(one)
            seen.count += 1
            write(one)

    def _first(self, one: Happening) -> Seen:
        """What comes with arguments for the first time.  Cores give the same ones again and again
        as one object; of others no more are kept than a few."""
        self._check_event(one)
        seen = Seen(one.name, self._events[one.name][0].family, len(one), one.arguments)
        comes_again = len(self._known) < MOST_KNOWN and id(one.arguments) not in self._known
        self.summary.follow(seen, comes_again)
        if comes_again:
            self._known[id(one.arguments)] = seen
        return seen

    def _check(self, one: Happening) -> None:
        """Raise Misplaced where something cannot lie on its track."""
        declared = self._check_event(one)
        lasts, track = isinstance(one, Span), one.track
        if track not in self._ends:
            self._check_track(track)
            self._ends[track] = 0
        if track.family != declared.family:
            raise Misplaced(f"'{one.name}' is on a track of '{track.family}': {_told(one)}")
        if not lasts:
            if one.cycle < 0:
                raise Misplaced(f"it happens before the run: {_told(one)}")
            return
        if not 0 <= one.begin <= one.end:
            raise Misplaced(f"it ends before it begins: {_told(one)}")
        if not self._overlaps[track.family] and one.begin < self._ends[track]:
            raise Misplaced(f"what came before had not ended: {_told(one)}")

    def _check_event(self, one: Happening) -> Event:
        declared, fields = self._events.get(one.name, (None, None))
        lasts = isinstance(one, Span)
        if declared is None or one.arguments.keys() != fields or declared.lasts != lasts:
            raise Misplaced(f"the vocabulary declares no such event: {_told(one)}")
        return declared

    def _check_track(self, track: Track) -> None:
        parent = track.parent.family if track.parent is not None else None
        if track.family not in self._parents or self._parents[track.family] != parent:
            of = f", part of one of '{parent}'" if parent else ""
            raise Misplaced(f"the vocabulary declares no such tracks: '{track.family}'{of}")


def _told(one: Happening) -> str:
    when = f"{one.begin} to {one.end}" if isinstance(one, Span) else f"{one.cycle}"
    return f"'{one.name}' on {one.track} in {when}: {dict(one.arguments)}"
