"""By which way a copy goes between DRAM and a scratchpad of a core, and its pieces if through SRAM.

    load    DRAM ─ IODMA ─ nram, wram        or   DRAM ─ GDMA ─ SRAM ─ MVDMA ─ nram, wram
    store   nram, wram ─ IODMA ─ DRAM        or   nram, wram ─ MVDMA ─ SRAM ─ GDMA ─ DRAM

What goes through SRAM goes in pieces of at most `staging.piece` bytes: whole segments of DRAM as
many as fit, or parts of one that is longer, which end where addresses are multiples of a piece.
So no line of DRAM is parted, and controllers move as much on either way.

With `dram_path: auto` a copy goes by the way on which it would end first if nothing else was under
way; if both take as long, by the IODMA.  What a step takes is

    setup + latency + segments + bytes over the narrowest link

and the pieces follow one another through the two engines as `transfers.dma_engine` says;
that its own two steps may meet at the port of the SRAM is left out, and so are rows of DRAM.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from machines.kinds.cluster.fields import Cluster
from sim.cores.cluster.costs import Cost
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.scratchpads import CoreNumber
from sim.cores.cluster.transfers.banks import Way
from sim.cores.cluster.transfers.links import Links

GDMA, MVDMA = "gdma", "mvdma"


class Step(NamedTuple):
    """What one DMA does with a piece."""

    dma: str
    cost: Cost


Piece = tuple[Step, Step]


class Part(NamedTuple):
    """Segments of an interval of DRAM, with the names that `Bytes` has.

    begins  int64[segments], each of `length` bytes
    """

    space: str
    stores: bool
    begins: np.ndarray
    length: int

    @property
    def start(self) -> int:
        return int(self.begins[0]) if len(self.begins) else 0

    @property
    def span(self) -> tuple[int, int]:
        """The first byte that is reached, and the one behind the last."""
        if not len(self.begins):
            return 0, 0
        return int(self.begins.min()), int(self.begins.max()) + self.length

    @property
    def form(self) -> bytes:
        """Where the other segments are, as seen from the first."""
        return (self.begins - self.start).tobytes()

    @property
    def segments(self) -> int:
        return len(self.begins)

    @property
    def size(self) -> int:
        """Bytes of all segments."""
        return self.length * self.segments


def pieces_of(
    cost: Cost, chip: Cluster, links: Links, outstanding: Mapping[str, int]
) -> tuple[Piece, ...]:
    """The pieces in which a copy of a core goes through SRAM; none if it goes by the IODMA.

    outstanding  of the engines that do the work of GDMA and MVDMA
    """
    far = [one for one in cost.touched if one.space == "dram"]
    near = [one for one in cost.touched if one.space != "dram"]
    if not far or not near:  # from DRAM to DRAM, to fill it, or one element for the scalar unit
        return ()
    pieces = tuple(_pieces(cost, far[0], near[0], chip, links))
    if chip.dram_path == "auto":
        units = links.network.units
        direct = cost.setup + cost.latency + cost.segments + _moving(cost, units)
        if direct <= _through_sram(pieces, chip.sram.staging.pieces, outstanding, units):
            return ()
    return pieces


def _pieces(cost: Cost, far: Bytes, near: Bytes, chip: Cluster, links: Links) -> Iterator[Piece]:
    done = 0
    for part in _parts(far, chip.sram.staging.piece):
        staged = Bytes("", "sram", not far.stores, 0, part.size, ())
        read = staged._replace(stores=not staged.stores)
        outer = Step(GDMA, _cost(GDMA, (part, staged), part.segments, cost.latency, chip, links))
        count = _segments_between(near, done, done + part.size)
        inner = Step(MVDMA, _cost(MVDMA, (read,), count, 0, chip, links))
        done += part.size
        yield (inner, outer) if far.stores else (outer, inner)


def _parts(one: Bytes, piece: int) -> Iterator[Part]:
    if one.length <= piece:
        count = piece // max(one.length, 1)
        for first in range(0, max(len(one.begins), 1), count):
            yield Part(one.space, one.stores, one.begins[first : first + count], one.length)
        return
    for begin in one.begins.tolist():
        end = begin + one.length
        edges = [begin, *range((begin // piece + 1) * piece, end, piece), end]
        for low, high in pairwise(edges):
            yield Part(one.space, one.stores, np.array([low], np.int64), high - low)


def _segments_between(one: Bytes, low: int, high: int) -> int:
    """Of an interval how many hold its bytes low … high - 1, in the order in which they move."""
    return -(-high // one.length) - low // one.length if high > low else 0


def _cost(
    name: str,
    touched: Sequence[Bytes | Part],
    segments: int,
    latency: int,
    chip: Cluster,
    links: Links,
) -> Cost:
    """Of a step that a DMA does, of so many segments on the side that has more."""
    dma = getattr(chip, name)

    def way(core: CoreNumber, channel: int, target: int | None) -> Way:
        whose = (core[0], chip.cores) if name == GDMA else core
        return links.way(name, touched, whose, channel, target)

    return Cost(
        touched=(),
        known={},
        bytes=touched[0].size,
        setup=dma.setup,
        latency=latency,
        segments=dma.segment * max(segments - 1, 0),
        routes=way,
    )


# How long a copy takes if nothing else is in flight


def _moving(cost: Cost, units: int) -> int:
    """Cycles of its bytes over the narrowest link; `units` of a byte, of which links carry some a
    cycle."""
    way = cost.way((0, 0), 0, None)  # clusters and cores are all alike
    return max((-(-size * units // link.capacity) for link, size in way.links), default=0)


def _through_sram(
    pieces: Sequence[Piece], room: int, outstanding: Mapping[str, int], units: int
) -> int:
    """When the last piece has arrived, if the first is given in cycle 0."""
    first, second = (_Alone(outstanding[step.dma], units) for step in pieces[0])
    for number, (one, other) in enumerate(pieces):
        given = 0 if number < room else second.ends[number - room]
        second.carry_out(other.cost, first.carry_out(one.cost, given))
    return second.ends[-1]


class _Alone:
    """An engine that does nothing else; `ends`: when each of its steps has ended."""

    def __init__(self, outstanding: int, units: int):
        self.outstanding, self.units = outstanding, units
        self.ends: list[int] = []
        self.set_up = 0

    def carry_out(self, cost: Cost, given: int) -> int:
        """A step that is given in a cycle; when it has ended."""
        taken = given
        if len(self.ends) >= self.outstanding:
            taken = max(given, self.ends[-self.outstanding])
        self.set_up = max(taken, self.set_up) + cost.setup
        begun = max([self.set_up + cost.latency, *self.ends[-1:]])
        self.ends.append(begun + cost.segments + _moving(cost, self.units))
        return self.ends[-1]
