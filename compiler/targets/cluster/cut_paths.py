"""Waits as cuts of the paths from a command to what must come behind it.

    loop:  copy a, x       io         a path of io from here …
           add b, a, a     compute    … to here: a wait for io has to stand between them
           branch p, loop, end

A set of waits suffices if each such path passes a wait for its queue, or something that ends the
queue by itself.  Whether it still does without one of them is therefore seen around that one: by
the commands on the paths back from it, as far as the next cut, and those that the paths onward
lead to.  So a wait costs what lies between its neighbours, and not the whole function.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator

from compiler.targets.cluster.in_flight import InFlight, Step, Wait

BEFORE, BEHIND = -1, 1 << 60
"""All instructions of a block.  A wait before instruction k stands at 2k, what ends a queue with
instruction k at 2k + 1."""


class _Queue:
    """What commands of one queue and those that need them do, and where its paths are cut."""

    def __init__(self, in_flight: InFlight, queue: str):
        own = in_flight.queues[queue]
        self.steps: dict[str, list[Step]] = {}
        self.places: dict[str, list[int]] = {}
        self.cuts: dict[str, list[int]] = {}
        for name, steps in in_flight.steps.items():
            kept = [step for step in steps if own & (step.needs | step.begins)]
            self.steps[name] = [Step(s.index, s.needs & own, s.begins & own, 0) for s in kept]
            self.places[name] = [2 * step.index for step in kept]
            self.cuts[name] = [2 * step.index + 1 for step in steps if own & step.ends]

    def cut(self, block: str, index: int) -> None:
        insort(self.cuts[block], 2 * index)

    def uncut(self, block: str, index: int) -> None:
        cuts = self.cuts[block]
        del cuts[bisect_left(cuts, 2 * index)]

    def next_cut(self, block: str, place: int) -> int:
        cuts = self.cuts[block]
        at = bisect_left(cuts, place)
        return cuts[at] if at < len(cuts) else BEHIND

    def cut_before(self, block: str, place: int) -> int:
        cuts = self.cuts[block]
        at = bisect_left(cuts, place)
        return cuts[at - 1] if at else BEFORE

    def between(self, block: str, begin: int, end: int) -> Iterator[Step]:
        """The steps from a place to another one, the latter left out."""
        places, steps = self.places[block], self.steps[block]
        numbers = range(bisect_left(places, begin), bisect_left(places, end))
        return (steps[k] for k in numbers)


class CutPaths:
    """Waits that suffice, and stay so while some are taken away or moved.

    looked_at  instructions and blocks that were looked at so far: what this has cost
    """

    def __init__(self, in_flight: InFlight, waits: Iterable[Wait]):
        self.waits, self.looked_at = set(waits), 0
        self._onward = in_flight.successors
        self._back: dict[str, list[str]] = {name: [] for name in in_flight.order}
        for name in in_flight.order:
            for target in in_flight.successors[name]:
                self._back[target].append(name)
        self._queues = {queue: _Queue(in_flight, queue) for queue in in_flight.queues}
        for block, index, queue in self.waits:
            self._queues[queue].cut(block, index)

    def take_away(self, wait: Wait, instead: Wait | None = None) -> bool:
        """Take a wait away, or move it, if the waits suffice without it; says whether it did.

        instead  where it may stand in place of there, for the same queue
        """
        block, index, queue = wait
        paths = self._queues[queue]
        paths.uncut(block, index)
        added = instead is not None and instead not in self.waits
        if added:
            paths.cut(*instead[:2])
        if self._is_path_through(paths, block, index):
            if added:
                paths.uncut(*instead[:2])
            paths.cut(block, index)
            return False
        self.waits.remove(wait)
        if instead is not None:
            self.waits.add(instead)
        return True

    def _is_path_through(self, paths: _Queue, block: str, index: int) -> bool:
        """Whether a command is in flight at a place that something behind it must come behind."""
        needed = 0
        for needs in self._needs_behind(paths, block, index):
            needed |= needs
        return bool(needed) and any(
            begins & needed for begins in self._begins_before(paths, block, index)
        )

    def _needs_behind(self, paths: _Queue, block: str, index: int) -> Iterator[int]:
        """What instructions need on the paths from a place up to the next cuts."""
        pending, seen = [(block, 2 * index)], set()
        while pending:
            name, begin = pending.pop()
            self.looked_at += 1
            end = paths.next_cut(name, begin)
            for step in paths.between(name, begin, end):
                self.looked_at += 1
                yield step.needs
            if end == BEHIND:
                onward = [target for target in self._onward[name] if target not in seen]
                seen.update(onward)
                pending += [(target, 0) for target in onward]

    def _begins_before(self, paths: _Queue, block: str, index: int) -> Iterator[int]:
        """The commands given on the paths to a place since the cuts before it."""
        pending, seen = [(block, 2 * index)], set()
        while pending:
            name, end = pending.pop()
            self.looked_at += 1
            begin = paths.cut_before(name, end)
            for step in paths.between(name, begin, end):
                self.looked_at += 1
                yield step.begins
            if begin == BEFORE:
                back = [source for source in self._back[name] if source not in seen]
                seen.update(back)
                pending += [(source, BEHIND) for source in back]
