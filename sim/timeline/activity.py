"""For cores: the track of a part that does one thing after the other, told whenever it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sim.timeline.span import Happening, Span, Track


class Activity:
    """What lies on one track: a part says what it did up to now, as often as it likes; pieces of
    one and the same thing become one span."""

    def __init__(self, track: Track, tell: Callable[[Iterable[Happening]], None]):
        self.track, self._tell = track, tell
        self._begin = self._end = 0
        self._name, self._arguments = "", None

    def did(self, name: str, begin: int, end: int, arguments: Mapping[str, Any] | None) -> None:
        """What it did from one cycle up to another, as a declared event; without arguments it did
        nothing."""
        if begin == end:
            return
        if begin != self._end or name != self._name or arguments != self._arguments:
            self.flush()
            self._begin, self._name, self._arguments = begin, name, arguments
        self._end = end

    def flush(self) -> None:
        """Tell what it did last: nothing more is added to that."""
        if self._arguments is not None and self._begin < self._end:
            self._tell([Span(self.track, self._begin, self._end, self._name, self._arguments)])
        self._begin = self._end
        self._arguments = None
