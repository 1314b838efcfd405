"""Loads, computing and stores of tiles, beside one another over two buffers of each.

    slot i:   wait for all own queues;  compute tile i - 1,  store tile i - 2,  load tile i

Within a slot the three touch different buffers, so nothing waits there; the slot takes as long as
the longer of computing and of loads with the store.  Tiles are counted by an *odometer*: variables
that each run over a range of the core's own, the last one fastest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lcm

from compiler.targets.cluster.network.tile_text import TileFunction

OWN_QUEUES = ("sync_io 0", "sync_compute 0")


@dataclass(frozen=True, slots=True)
class Digit:
    """A variable of the odometer, and its range."""

    name: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Step:
    """Where a stage writes its commands.

    slot    its place among the steps that the loop's body has: which of the buffers are its
    part    of a tile that takes several steps
    digits  the variables that say which tile it is, by names, and what follows from them
    guard   what stands before commands: whether there is such a tile
    """

    slot: int
    part: int
    digits: dict[str, str]
    guard: str


Stage = Callable[[Step], None]
Derive = Callable[[dict[str, str]], None]
"""Writes what follows from the digits, whose variables it is given, into variables of its own."""


def pipelined(
    function: TileFunction,
    odometer: Sequence[Digit],
    load: Stage,
    compute: Stage,
    store: Stage,
    parts: int = 1,
    derived: Sequence[str] = (),
    derive: Derive | None = None,
) -> None:
    """Write the loop.  Tiles take `parts` steps each: all of them load and compute, and behind the
    last one the tile is stored.

    derived, derive  names of what is computed from the digits once for a tile, and what writes it
    """
    total = function.fresh("steps")
    function.line(f"{total} = {' * '.join([*map(_extent, odometer), str(parts)])}")
    stages = [_Stage(function, odometer, derived, kind) for kind in ("l", "c", "s")]
    kinds = lcm(2, parts)
    index = function.fresh("i")
    with function.loop(index, 0, f"{total} + 2", kinds):
        for k in range(kinds):
            for wait in OWN_QUEUES:
                function.line(wait)
            loading, computing, storing = stages
            storing.follow(computing)
            computing.follow(loading)
            if k % parts == 0:
                loading.advance()
                if derive:
                    derive(loading.names)
            function.line(f"{loading.on} = lt_s.i64 {_plus(index, k)}, {total}")
            places = [(k - back) % kinds for back in range(3)]
            compute(computing.step(places[1], parts))
            if places[2] % parts == parts - 1:
                store(storing.step(places[2], parts))
            load(loading.step(places[0], parts))


def _extent(digit: Digit) -> str:
    return digit.high if digit.low == "0" else f"({digit.high} - {digit.low})"


def _plus(index: str, k: int) -> str:
    return f"{index} + {k}" if k else index


class _Stage:
    """The variables of a stage: which tile, and whether there is one."""

    def __init__(
        self, function: TileFunction, odometer: Sequence[Digit], derived: Sequence[str], kind: str
    ):
        self.function, self.odometer = function, odometer
        self.on = function.fresh(f"{kind}_on")
        self.names = {digit.name: function.fresh(f"{kind}_{digit.name}") for digit in odometer}
        function.line(f"{self.on} = copy.i1 false")
        for digit in odometer:
            start = f"{digit.low} - 1" if kind == "l" and digit is odometer[-1] else digit.low
            function.line(f"{self.names[digit.name]} = {start}")
        for name in derived:
            self.names[name] = function.fresh(f"{kind}_{name}")
            function.line(f"{self.names[name]} = 0")

    def follow(self, other: _Stage) -> None:
        """Take the tile that the other stage had."""
        self.function.line(f"{self.on} = copy.i1 {other.on}")
        for name, variable in self.names.items():
            self.function.line(f"{variable} = {other.names[name]}")

    def advance(self) -> None:
        """The next tile."""
        if not self.odometer:
            return
        last = self.odometer[-1]
        self.function.line(f"{self.names[last.name]} = {self.names[last.name]} + 1")
        for outer, inner in zip(self.odometer[-2::-1], self.odometer[:0:-1], strict=True):
            over = self.function.fresh("over")
            mine, its = self.names[outer.name], self.names[inner.name]
            self.function.line(f"{over} = ge_s.i64 {its}, {inner.high}")
            self.function.line(f"@{over} {its} = copy.i64 {inner.low}")
            self.function.line(f"@{over} {mine} = add.i64 {mine}, 1")

    def step(self, place: int, parts: int) -> Step:
        return Step(place, place % parts, self.names, f"@{self.on} ")
