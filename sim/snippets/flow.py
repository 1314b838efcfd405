"""The flow of data through a run: instructions as they issued, and what each waited for.

    flow = Flow(code, spans, spends, iteration_of)
    for step in flow.steps: step.number, step.issue, step.ready, step.after

The longest way through it, by latencies alone, is what the program would take on a machine that
issues without end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass

from sim.snippets import Code
from sim.timeline.span import Span, Track

MOST_LOOKED_AT = 2_000_000
"""Steps that are looked at for a chain, a function's many loops would take minutes."""


@dataclass(slots=True, eq=False)
class Step:
    """An instruction that issued.

    iteration  which it belongs to; None: to none
    issue      when it issued; `ready`: when it was done
    waits      spans of what passed before that, of an instruction that issued first in its cycle
    held       of such a one: what came last of all that the instructions of the cycle waited for
    took       of an access: cycles from its issue until it was done
    after      the steps whose results it reads, and cycles from their issue until it may
    """

    number: int
    track: Track
    iteration: int | None
    issue: int
    ready: int
    waits: Sequence[Span] = ()
    held: Step | None = None
    took: int | None = None
    after: Sequence[tuple[Step, int]] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """Steps of which each reads what the one before has written.

    steps   from its beginning on, each with the cycles from the issue of the one before to its own
    cycles  from its beginning to its end
    """

    steps: Sequence[tuple[Step, int]] = ()
    cycles: int = 0


class Flow:
    """Of the instructions of the thread that issued most, in order.

    code   whose instructions they are
    track  on which most of them issued; None: there are none
    """

    def __init__(
        self,
        code: Code,
        spans: Sequence[Span],
        spends: Collection[str],
        iteration_of: Callable[[int, int], int | None],
        are_calls: bool = False,
    ):
        """`iteration_of` is given the number of an instruction and the cycle of its issue.
        `are_calls`: what an iteration leaves in registers the next one does not find."""
        self.code = code
        groups = [(one, numbers) for one in spans if (numbers := code.issued(one))]
        thread = _most([code.thread(one) for one, _ in groups])
        groups = [(one, numbers) for one, numbers in groups if code.thread(one) == thread]
        groups.sort(key=lambda group: (group[0].begin, group[1][0]))
        self.track = _most([one.track for one, _ in groups])
        waits = _waits(spans, spends, [one for one, _ in groups])
        accesses = _accesses(code, spans)
        self.steps: list[Step] = []
        last: dict[Hashable, Step] = {}
        for one, numbers in groups:
            before = waits.get((one.track, one.begin), ())
            issued: list[Step] = []
            arrivals: list[tuple[int, Step]] = []
            for number in numbers:
                own = accesses.get(number)
                while own and own[0].begin < one.begin:
                    own.popleft()
                took = own[0].end - one.begin if own else None
                ready = one.begin + code.latency(number, took)
                iteration = iteration_of(number, one.begin)
                if are_calls and self.steps and iteration != self.steps[-1].iteration:
                    last.clear()
                after = _after(code, number, last)
                step = Step(
                    number, one.track, iteration, one.begin, ready, before, None, took, after
                )
                arrivals += [(other.issue + cycles, other) for other, cycles in after]
                issued.append(step)
                before = ()
            if issued and arrivals:
                issued[0].held = max(arrivals, key=lambda arrival: arrival[0])[1]
            for step in issued:  # who issues together reads what was there before
                last |= dict.fromkeys(code.writes(step.number), step)
            self.steps += issued

    def of(self, iteration: int) -> list[Step]:
        return [step for step in self.steps if step.iteration == iteration]

    def longest(self, iteration: int) -> Way:
        """The longest way through an iteration alone, by latencies: until all is done."""
        own = self.of(iteration)
        depths = _depths(own, dict.fromkeys(own, 0))
        end = max(own, key=lambda step: depths[step] + step.ready - step.issue)
        return Way(_back(end, depths), depths[end] + end.ready - end.issue)

    def chain(self, first: int, last: int) -> Way:
        """The longest way from an instruction in one iteration to the same one in another; its
        steps in the last iteration."""
        begins, ends = self.of(first), self.of(last)
        between = [s for s in self.steps if s.iteration is not None and s.iteration >= first]
        if len(begins) != len(ends) or len(begins) * len(between) > MOST_LOOKED_AT:
            return Way()
        found = Way()
        for begin, end in zip(begins, ends, strict=True):
            depths = _depths(between, {begin: 0})
            if depths.get(end, 0) > found.cycles:
                way = [(s, d) for s, d in _back(end, depths) if s.iteration == last]
                found = Way(way, depths[end])
        return found


def _depths(steps: Sequence[Step], begins: dict[Step, int]) -> dict[Step, int]:
    """Cycles of the longest way from the beginnings to each step that one leads to."""
    depths = dict(begins)
    for step in steps:
        for before, cycles in step.after:
            if before in depths:
                depths[step] = max(depths.get(step, 0), depths[before] + cycles)
    return depths


def _back(end: Step, depths: dict[Step, int]) -> list[tuple[Step, int]]:
    """The way that has led to a step."""
    found, step = [], end
    while True:
        before = next(
            ((b, c) for b, c in step.after if b in depths and depths[b] + c == depths[step]), None
        )
        found.append((step, before[1] if before else 0))
        if before is None or len(found) > len(depths):
            return found[::-1]
        step = before[0]


def _after(code: Code, number: int, last: dict[Hashable, Step]) -> tuple[tuple[Step, int], ...]:
    """What an instruction reads that was written, and cycles until it may issue."""
    return tuple(
        (before, code.cycles(before.number, use, what, before.took))
        for what, use in code.reads(number)
        if (before := last.get(what)) is not None
    )


def _accesses(code: Code, spans: Sequence[Span]) -> dict[int, deque[Span]]:
    """Those of each instruction, in the order of time."""
    found: dict[int, deque[Span]] = {}
    for one in sorted(spans, key=lambda one: one.begin):
        number = code.accessed(one)
        if number is not None:
            found.setdefault(number, deque()).append(one)
    return found


def _waits(
    spans: Sequence[Span], spends: Collection[str], issues: Sequence[Span]
) -> dict[tuple[Track, int], list[Span]]:
    """By track and cycle of what issues there: the spans before it, one behind the other."""
    found: dict[tuple[Track, int], list[Span]] = {}
    tracks, known = {one.track for one in issues}, {id(one) for one in issues}
    row: list[Span] = []
    for one in sorted(
        (s for s in spans if s.track in tracks), key=lambda s: (id(s.track), s.begin)
    ):
        goes_on = bool(row) and row[-1].track is one.track and row[-1].end == one.begin
        if id(one) in known:
            if goes_on:
                found[one.track, one.begin] = row
            row = []
        elif one.name in spends:
            row = [*row, one] if goes_on else [one]
    return found


def _most(given: Sequence[Hashable]) -> Hashable:
    """What is there most often."""
    counts: dict[Hashable, int] = {}
    for one in given:
        counts[one] = counts.get(one, 0) + 1
    return max(counts, key=lambda one: counts[one]) if counts else None
