"""The part of a timeline that is wanted: some cycles, some tracks, some places of the program.

    window = TraceWindow(begin=1000, end=2000, tracks=("SM 0/*",))
    wanted = Windowed(window, writing.write, shown)
    wanted.take(span)
    wanted.end()                     what the last cycles were is known now

Spans that reach into the cycles are wanted whole, as far as MARGIN goes.  A core that can so notes
nothing outside of them (`stretch`): such a run costs little more than one without a trace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NamedTuple

from machines.diagnostics import Location, input_error
from sim.timeline.span import Happening, Span, Track

OFTEN = 2
"""Of the last cycles so many times as much is kept as was wanted when one last looked."""
LEAST = 4096
MARGIN = 2048
"""Cycles: what began or ends no farther from a window than that is whole in it."""
NEVER = 1 << 62
"""A cycle that does not come."""


class Stretch(NamedTuple):
    """The cycles that a core has to note so that a window is whole: from `first` up to `end`."""

    first: int
    end: int

    def holds(self, cycle: int) -> bool:
        return self.first <= cycle < self.end

    def change(self, cycle: int) -> int:
        """The next cycle in which noting begins or ends."""
        if cycle < self.first:
            return self.first
        return self.end if cycle < self.end else NEVER


EVERYTHING = Stretch(0, NEVER)


@dataclass(frozen=True)
class TraceWindow:
    """What is wanted of a timeline; what is left out does not restrict it.

    begin, end  cycles: from the first up to the second
    last        so many cycles before the end of the run, however it ends
    tracks      names from the outermost on, such as "SM 0/warp *": one of these, or what lies on
                tracks within one
    places      of the program: "saxpy.py:7", or a label

    Raises InputError if there can be no such part.
    """

    begin: int | None = None
    end: int | None = None
    last: int | None = None
    tracks: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.last is not None and (self.begin, self.end) != (None, None):
            raise input_error(
                "a trace is of given cycles, or of the last ones", hint="leave one out"
            )
        if self.last is not None and self.last < 1:
            raise input_error(f"a trace of the last {self.last} cycles would be empty")
        if (self.begin or 0) < 0:
            raise input_error(f"a trace cannot begin in cycle {self.begin}")
        if self.end is not None and self.end <= (self.begin or 0):
            message = f"a trace from cycle {self.begin or 0} up to {self.end} would be empty"
            raise input_error(message)

    @property
    def stretch(self) -> Stretch:
        """What a core has to note; all, where the window is of the last cycles, as it is not known
        before which these are."""
        first = max(0, (self.begin or 0) - MARGIN)
        return Stretch(first, NEVER if self.end is None else self.end + MARGIN)

    @property
    def is_part(self) -> bool:
        """Whether a core may leave something out: no sums are what the run's figures are."""
        return bool(self.tracks) or (self.begin, self.end, self.last) != (None, None, None)

    def may_want(self, outermost: str) -> bool:
        """Whether tracks may be wanted whose outermost one has this name; that there are such is
        not said, as a `*` stands for several names, too."""
        if not self.tracks:
            return True
        for name in self.tracks:
            head = name.partition("/")[0]
            before = re.split(r"[*?[]", head)[0]
            if outermost == head or (before != head and outermost.startswith(before)):
                return True
        return False


class Windowed:
    """Hands on what is wanted.

    write  takes it
    shown  a place in a source as results name it: 'saxpy.py:7'
    """

    def __init__(
        self,
        window: TraceWindow,
        write: Callable[[Happening], object],
        shown: Callable[[Location], str],
    ):
        self._window, self._write, self._shown = window, write, shown
        self._begin, self._end = window.begin or 0, NEVER if window.end is None else window.end
        self._tracks: dict[Track, bool] = {}
        self._matched: dict[str, bool] = dict.fromkeys((*window.tracks, *window.places), False)
        self._kept: list[Happening] = []
        self._look_at = LEAST
        self._now = 0

    def take(self, one: Happening) -> None:
        """The next span or instant of a run."""
        window, begin = self._window, one[1]
        if window.tracks and not self._is_on_wanted(one.track):
            return
        if window.places and not self._is_at_wanted(one):
            return
        if window.last is not None:
            if begin > self._now:
                self._now = begin
            self._kept.append(one)
            if len(self._kept) >= self._look_at:
                self._drop()
                self._look_at = max(LEAST, OFTEN * len(self._kept))
            return
        if begin < self._end and (begin >= self._begin or _end(one) > self._begin):
            self._write(one)

    def end(self, cycles: int | None = None) -> None:
        """The run is over, after so many cycles; None: it was left."""
        self._now = self._now if cycles is None else cycles
        self._drop()
        for one in self._kept:
            self._write(one)

    def unmatched(self) -> Iterator[str]:
        """Tracks and places that were asked for, and on which nothing happened."""
        for asked, is_matched in self._matched.items():
            if not is_matched:
                yield asked

    def _drop(self) -> None:
        if self._window.last is not None:
            first = self._now - self._window.last
            self._kept = [one for one in self._kept if _end(one) > first]

    def _is_on_wanted(self, track: Track) -> bool:
        found = self._tracks.get(track)
        if found is None:
            paths = ["/".join(track.path[:k]) for k in range(1, len(track.path) + 1)]
            names = [
                name for name in self._window.tracks for path in paths if fnmatchcase(path, name)
            ]
            self._matched |= dict.fromkeys(names, True)
            found = self._tracks[track] = bool(names)
        return found

    def _is_at_wanted(self, one: Happening) -> bool:
        location, label = one.arguments.get("location"), one.arguments.get("at")
        at = (self._shown(location) if isinstance(location, Location) else None, label)
        found = [place for place in self._window.places if place in at]
        self._matched |= dict.fromkeys(found, True)
        return bool(found)


def _end(one: Happening) -> int:
    """An instant, or a span that lasts no cycle, lies in the one in which it begins."""
    return max(one.end, one.begin + 1) if isinstance(one, Span) else one.cycle + 1
