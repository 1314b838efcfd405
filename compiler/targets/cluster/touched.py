"""Which commands touch what others touch, too, if one of the two writes it.

    tensor.copy.f32 x[0:64], a[0:64]      later: x[32:48] and x[48:96] are read, as one x[32:96];
    tensor.copy.f32 x[64:128], a[0:64]    so both are met, and the third is not
    tensor.copy.f32 x[128:192], a[0:64]

Later intervals that lie side by side or over each other are put together, and the commands of which
bytes may lie there are looked up; so it takes as long as there are commands and answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from compiler.analyses.memory.strides import intervals_are_apart
from compiler.interpret.tensors import candidates
from compiler.ir.module import Descriptor, Function, Instruction
from machines.tensors.segments import span
from machines.tensors.spans import Spans


class Touched(NamedTuple):
    """An interval of memory, and whether it is written."""

    interval: Descriptor
    stores: bool


def touched(instruction: Instruction, buffers: Collection[str]) -> Iterator[Touched]:
    """What it touches of these buffers."""
    for kind, interval in instruction.intervals:
        for one in candidates(interval):
            if one.buffer in buffers:
                yield Touched(one, kind.access == "store")


class TouchedBy:
    """The commands of a function, by what they touch of some buffers."""

    def __init__(self, function: Function, buffers: Collection[str]):
        self._commands = [i for _, i in function.instructions() if i.operation.walk]
        self._by: dict[Touched, list[int]] = {}
        for number, command in enumerate(self._commands):
            for one in touched(command, buffers):
                self._by.setdefault(one, []).append(number)
        self._of_buffer: dict[tuple[str, bool], _OfBuffer] = {}
        for one in self._by:
            place = one.interval.buffer, one.stores
            self._of_buffer.setdefault(place, _OfBuffer()).add(one)

    def that_meet(self, later: Iterable[Touched]) -> list[Instruction]:
        """Those that touch what some of `later` touch, in layout order."""
        intervals: dict[tuple[str, bool], list[Descriptor]] = {}
        for one in later:
            intervals.setdefault((one.interval.buffer, one.stores), []).append(one.interval)
        met: set[Touched] = set()
        for (buffer, stores), some in intervals.items():
            for place in [(buffer, True), (buffer, False)][: 1 + stores]:
                if place in self._of_buffer:
                    met |= self._of_buffer[place].that_meet(some)
        numbers = {number for one in met for number in self._by[one]}
        return [self._commands[number] for number in sorted(numbers)]


class _OfBuffer:
    """What is read of a buffer, or what is written."""

    def __init__(self) -> None:
        self._all: list[Touched] = []
        self._inexact: list[Touched] = []
        self._exact: Spans[Touched] = Spans()

    def add(self, one: Touched) -> None:
        self._all.append(one)
        if not one.interval.is_exact:
            self._inexact.append(one)
        elif one.interval.size > 0:
            self._exact.add(one, *_span(one.interval))

    def that_meet(self, later: Sequence[Descriptor]) -> set[Touched]:
        """What has bounds that are not known may meet all."""
        if not all(interval.is_exact for interval in later):
            return set(self._all)
        met = set(self._inexact)
        for interval in _united(interval for interval in later if interval.size > 0):
            low, high = _span(interval)
            for one in self._exact.near(low, high):
                first, end = _span(one.interval)
                meets = first < high and low < end and one not in met
                if meets and not intervals_are_apart(one.interval, interval):
                    met.add(one)
        return met


def _span(interval: Descriptor) -> tuple[int, int]:
    return span(interval.low, interval.high, interval.steps)


def _united(intervals: Iterable[Descriptor]) -> Iterator[Descriptor]:
    """Those of one buffer, where what has no steps is put together."""
    pending: Descriptor | None = None
    for one in sorted(intervals, key=lambda one: (bool(one.steps), one.low)):
        if pending is None or one.steps or pending.steps or one.low > pending.high:
            if pending is not None:
                yield pending
            pending = one
        else:
            pending = replace(pending, high=max(pending.high, one.high))
    if pending is not None:
        yield pending
