"""Loads, computing and stores of tiles, beside one another over two buffers of each.

    slot i:   wait for all own queues;  compute step i - 1,  store step i - 2,  load step i

Within a slot the three touch different buffers, so nothing waits there; the slot takes as long as
the longer of computing and of loads with the store.  Steps are counted by an *odometer*: variables
that each run over a range of the core's own, the last one fastest.  A tile may take several steps,
its *parts*: all of them load and compute, and behind the last one the tile is stored.

What the cores of a cluster share comes from its MEM core, which is a slot ahead of their computing,
too.  All meet at the beginning of each slot; its load does not wait for that:

    MEM core, slot i:   load step i + 1;  meet the cores;  send step i to all of them

With one buffer of each there is nothing beside anything: a slot loads, computes and stores its own
step.  Cores and MEM core then meet twice, before the sending and behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm

from compiler.targets.cluster.network.tile_text import TileFunction

OWN_WAITS = ("sync_io 0", "sync_compute 0")
SERVING_WAITS = ("sync_io 0", "sync_bus 0")
MEETING = "sync_cluster 0"
"""The cores of a cluster with their MEM core."""


@dataclass(frozen=True, slots=True)
class Digit:
    """A variable of the odometer, and its range, in which it goes by `step`; `valid`: the end of
    what there is of it, where ranges have to be as long for several cores."""

    name: str
    low: str
    high: str
    step: int = 1
    valid: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """Steps of a tile.  Where no two of them are alike each has code of its own (`apart`); else an
    even number of them is counted in pairs by a digit of the odometer, p: the first part of a tile
    is always the first of a pair, and the last one the second, so that what follows the last has a
    slot without the store of the tile before."""

    count: int = 1
    apart: bool = True

    @property
    def of_code(self) -> int:
        """Steps with code of their own."""
        return self.count if self.apart else 2


@dataclass(frozen=True, slots=True)
class Step:
    """Where a stage writes its commands.

    slot    its place among the steps that the loop's body has: which of the buffers are its
    digits  the variables that say which tile it is, by names, and what follows from them
    part    of the tile: its number, or the variable that holds it
    guard   what stands before commands: whether there is such a step
    first, later, last  the guard of what only the first part of a tile does, only others, only the
                        last one; None where this is none of them
    """

    slot: int
    digits: dict[str, str]
    part: int | str
    guard: str
    first: str | None
    later: str | None
    last: str | None


Stage = Callable[[Step], None]


@dataclass(frozen=True)
class Steps:
    """What the loop runs over.

    odometer  the digits, the slowest first
    derived   names of what is computed from them once for a tile by `derive`, which is given the
              variables
    only_if   a variable without which there is no step, though the loop has its slots
    buffers   of each of what comes and goes: 2 or 1
    """

    odometer: Sequence[Digit]
    parts: Parts = field(default_factory=Parts)
    derived: Sequence[str] = ()
    derive: Callable[[dict[str, str]], None] | None = None
    only_if: str = ""
    buffers: int = 2

    @property
    def digits(self) -> Sequence[Digit]:
        if self.parts.apart:
            return self.odometer
        return [*self.odometer, Digit("p", "0", str(self.parts.count // 2))]

    @property
    def kinds(self) -> int:
        """Steps in the loop's body: kinds of buffers, parts with their own code."""
        return lcm(self.buffers, self.parts.of_code)

    def total(self, function: TileFunction) -> str:
        """The variable that holds how many there are."""
        name = function.fresh("steps")
        extents = [_extent(digit) for digit in self.digits]
        function.line(f"{name} = {' * '.join([*extents, str(self.parts.of_code)])}")
        return name


def pipelined(
    function: TileFunction,
    steps: Steps,
    load: Stage,
    compute: Stage,
    store: Stage,
    is_served: bool = False,
) -> None:
    """Write the loop of a core that computes; `is_served`: beside its MEM core (see `serving`)."""
    total, kinds = steps.total(function), steps.kinds
    meetings = [MEETING] * (3 - steps.buffers) if is_served else []
    if steps.buffers == 1:
        for step in _alone(function, steps, total):
            load(step)
            for wait in (*OWN_WAITS, *meetings):
                function.line(wait)
            compute(step)
            function.line(OWN_WAITS[1])
            store(step)
        return
    loading, computing, storing = (_Stage(function, steps, kind) for kind in "lcs")
    index = function.fresh("i")
    with function.loop(index, 0, f"{total} + 2", kinds):
        for k in range(kinds):
            for wait in (*OWN_WAITS, *meetings):
                function.line(wait)
            storing.follow(computing)
            computing.follow(loading)
            loading.advance(k, _plus(index, k), total)
            compute(computing.step(k - 1))
            store(storing.step(k - 2))
            load(loading.step(k))


def serving(function: TileFunction, steps: Steps, load: Stage, send: Stage) -> None:
    """Write the loop of the MEM core beside `pipelined`, with as many slots.  The first load does
    not wait for the cores."""
    total, kinds = steps.total(function), steps.kinds
    if steps.buffers == 1:
        for step in _alone(function, steps, total):
            load(step)
            for wait in (SERVING_WAITS[0], MEETING):
                function.line(wait)
            send(step)
            for wait in (SERVING_WAITS[1], MEETING):
                function.line(wait)
        return
    loading, sending = (_Stage(function, steps, kind) for kind in "ls")
    loading.advance(0, "0", total)
    load(loading.step(0))
    index = function.fresh("i")
    with function.loop(index, 0, f"{total} + 2", kinds):
        for k in range(kinds):
            for wait in SERVING_WAITS:
                function.line(wait)
            sending.follow(loading)
            loading.advance(k + 1, _plus(index, k + 1), total)
            load(loading.step(k + 1))
            function.line(MEETING)
            send(sending.step(k))


def _alone(function: TileFunction, steps: Steps, total: str) -> Iterator[Step]:
    """The loop of steps that have a slot each."""
    stage = _Stage(function, steps, "l")
    index = function.fresh("i")
    with function.loop(index, 0, total, steps.kinds):
        for k in range(steps.kinds):
            stage.advance(k, _plus(index, k), total)
            yield stage.step(k)


def _extent(digit: Digit) -> str:
    extent = digit.high if digit.low == "0" else f"({digit.high} - {digit.low})"
    return extent if digit.step == 1 else f"(({extent} + {digit.step - 1}) / {digit.step})"


def _plus(index: str, k: int) -> str:
    return f"{index} + {k}" if k else index


class _Stage:
    """The variables of a stage: which step, and whether there is one."""

    def __init__(self, function: TileFunction, steps: Steps, kind: str):
        self.function, self.steps = function, steps
        self.on = function.fresh(f"{kind}_on")
        self.names = {digit.name: function.fresh(f"{kind}_{digit.name}") for digit in steps.digits}
        function.line(f"{self.on} = copy.i1 false")
        for digit in steps.digits:
            function.line(f"{self.names[digit.name]} = {digit.low}")
        if kind == "l" and steps.digits:  # the first step is one behind this
            last = self.names[steps.digits[-1].name]
            function.line(f"{last} = {last} - {steps.digits[-1].step}")
        for name in steps.derived:
            self.names[name] = function.fresh(f"{kind}_{name}")
            function.line(f"{self.names[name]} = 0")

    def follow(self, other: _Stage) -> None:
        """Take the step that the other stage had."""
        self.function.line(f"{self.on} = copy.i1 {other.on}")
        for name, variable in self.names.items():
            self.function.line(f"{variable} = {other.names[name]}")

    def advance(self, k: int, number: str, total: str) -> None:
        """The next step, the k-th of the loop's body; `number` of `total` in all."""
        digits = self.steps.digits
        if digits and k % self.steps.parts.of_code == 0:
            last = self.names[digits[-1].name]
            self.function.line(f"{last} = {last} + {digits[-1].step}")
            for outer, inner in zip(digits[-2::-1], digits[:0:-1], strict=True):
                over = self.function.fresh("over")
                mine, its = self.names[outer.name], self.names[inner.name]
                self.function.line(f"{over} = ge_s.i64 {its}, {inner.high}")
                self.function.line(f"@{over} {its} = copy.i64 {inner.low}")
                self.function.line(f"@{over} {mine} = add.i64 {mine}, {outer.step}")
            if self.steps.derive:
                self.steps.derive(self.names)
        self.function.line(f"{self.on} = lt_s.i64 {number}, {total}")
        for digit in digits:
            if digit.valid:
                self._and(f"lt_s.i64 {self.names[digit.name]}, {digit.valid}", self.on)
        if self.steps.only_if:
            self.function.line(f"{self.on} = and.i1 {self.on}, {self.steps.only_if}")

    def _and(self, condition: str, into: str) -> None:
        own = self.function.fresh("is")
        self.function.line(f"{own} = {condition}")
        self.function.line(f"{into} = and.i1 {self.on}, {own}")

    def step(self, k: int) -> Step:
        """The step as the k-th of the loop's body."""
        parts, place = self.steps.parts, k % self.steps.kinds
        guard = f"@{self.on} "
        if parts.apart:
            part = place % parts.count
            first = guard if part == 0 else None
            last = guard if part == parts.count - 1 else None
            later = guard if part else None
            return Step(place, self.names, part, guard, first, later, last)
        return self._step_of_pair(place, guard)

    def _step_of_pair(self, place: int, guard: str) -> Step:
        pair, part, function = self.names["p"], self.function.fresh("part"), self.function
        function.line(f"{part} = {pair} * 2 + {place}")
        if place:
            last = function.fresh("last")
            self._and(f"eq.i64 {pair}, {self.steps.parts.count // 2 - 1}", last)
            return Step(place, self.names, part, guard, None, guard, f"@{last} ")
        first, later = function.fresh("first"), function.fresh("later")
        self._and(f"eq.i64 {pair}, 0", first)
        self._and(f"lt_s.i64 0, {pair}", later)
        return Step(place, self.names, part, guard, f"@{first} ", f"@{later} ", None)
