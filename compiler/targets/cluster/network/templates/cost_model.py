"""What a mapping of a product is expected to take, from the figures of the machine.

step  = longest of  DRAM       all that a cluster's cores move, at its share of what DRAM gives
                    DMA        set-ups, segments and bytes of a core's own copies
                    bus        what the MEM core sends, if it does
                    computing  issue, depth and products of the matrix unit, vector rows
        and what a slot costs: scalar code, the latency of DRAM, the barrier
        (with one buffer of each all of them, one after the other)
layer = what stays is loaded + steps + the first load, the last computing and store alone
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import prod

from compiler.targets.cluster.network.templates.followers import Followers
from compiler.targets.cluster.network.templates.geometry import (
    Bytes,
    Geometry,
    Tile,
    accumulator,
    ceil_div,
)
from machines.instructions import operations
from machines.kinds.cluster.fields import Cluster

SLOT = 80
"""Scalar cycles of a slot: its waits, which step it is, addresses and guards."""
SEGMENTS = 48
"""Of a copy that are looked at; they repeat."""
BUFFERS = 16
"""Buffers of a layer in NRAM, for what their alignment takes."""


@dataclass(frozen=True, slots=True)
class Ticks:
    """Cycles for which each engine is busy in a layer; `rest`: those in which the one that is
    busiest is not, as it waits for others, for DRAM to answer, or for scalar code."""

    dram: int
    dma: int
    bus: int
    computing: int
    rest: int

    @property
    def bound(self) -> str:
        """The engine that is busiest."""
        busy = {name: ticks for name, ticks in self._named().items() if name != "rest"}
        return max(busy, key=lambda name: busy[name])

    def beyond(self, other: Ticks) -> str:
        """What takes most cycles more than it does in another mapping, of what could make this one
        longer: what it is bound by, or the rest."""
        more = {name: ticks - other._named()[name] for name, ticks in self._named().items()}
        most = max((self.bound, "rest"), key=lambda name: more[name])
        names = {"rest": "what nothing is beside"}
        return f"{names.get(most, most)} takes {more[most]:+d} cycles"

    def _named(self) -> dict[str, int]:
        names = "DRAM", "DMA", "bus", "computing", "rest"
        each = self.dram, self.dma, self.bus, self.computing, self.rest
        return dict(zip(names, each, strict=True))

    def to_dict(self) -> dict[str, int]:
        return {name.lower(): ticks for name, ticks in self._named().items()}

    def __str__(self) -> str:
        return ", ".join(f"{name} {ticks}" for name, ticks in self._named().items() if ticks)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Cycles of the layer; of a step what its transfers and its computing take; how long engines
    are busy."""

    cycles: int
    transfer: int
    computing: int
    ticks: Ticks

    def __str__(self) -> str:
        return f"{self.transfer} cycles of transfer and {self.computing} of computing a step, " + (
            f"{self.cycles} cycles"
        )


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy as an engine does it: bytes of DRAM lines, and cycles of the engine; bytes of a
    segment, from one to the next, and whether those of neighbouring tiles lie beside them."""

    moved: float
    cycles: float
    each: int = 0
    stride: int = 0
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Of a tile, whatever its mapping.

    weights, input            copies of all, and of a part
    weight_bytes, part_bytes  of WRAM, for all and for a part
    input_bytes, input_part   of NRAM
    held                      bytes of NRAM for the result, what follows and what is summed up
    result                    copies of what is stored and loaded beside the product's operands
    computing                 cycles of all parts
    """

    tile: Tile
    weights: Copy
    weights_part: Copy
    input: Copy
    input_part: Copy
    weight_bytes: int
    part_bytes: int
    input_bytes: int
    input_part_bytes: int
    held: int
    result: Copy
    computing: int


class CostModel:
    """Of one layer on one chip."""

    def __init__(self, geometry: Geometry, followers: Followers, chip: Cluster, buffers: int = 2):
        self.buffers = buffers
        self.geometry, self.followers, self.chip = geometry, followers, chip
        self.nram = chip.usable("nram") - BUFFERS * chip.alignment("nram")
        self.wram, self.sram = chip.usable("wram"), chip.usable("sram")
        self.dram = float(chip.dram_bytes_per_cycle)
        cap = chip.cluster_bytes_per_cycle
        self.port = min(float(cap), chip.noc.width) if cap else float(chip.noc.width)
        self.latency = 2 * chip.noc.hop + chip.dram_latency
        self.line = chip.dram.line

    # Of a tile -----------------------------------------------------------------------------------

    def of(self, tile: Tile, counts: tuple[int, int, int], limit: float) -> Facts | None:
        """None where the result alone has no room, or computing alone takes as long as `limit`."""
        geometry, region = self.geometry, self.geometry.region_most(tile)
        computing = geometry.multiplications(tile, self.chip)
        if prod(counts) * computing >= limit * self.chip.core_count:
            return None
        followers = self.followers
        room = self.chip.usable("nram")
        held = followers.bytes(region, room, self.buffers if tile.parts == 1 else 1)
        if tile.parts > 1:
            product = next(iter(followers.held.values()))
            held += accumulator(product).size(prod(region))
        if held > self.nram:
            return None
        weights, weights_part = (geometry.weights(tile, part=part) for part in (False, True))
        given, given_part = (geometry.input(tile, part=part) for part in (False, True))
        loaded, stored = followers.moved(region, room)
        segments = _segments(region, followers.extents)
        stride = followers.shortest * followers.extents[-1]
        out, back = (self._copy(Bytes(size, segments, stride, True)) for size in (stored, loaded))
        return Facts(
            tile, self._copy(weights), self._copy(weights_part), self._copy(given),
            self._copy(given_part), weights.size, weights_part.size, given.size, given_part.size,
            held, replace(out, moved=out.moved + back.moved, cycles=out.cycles + back.cycles),
            computing + self._rows(tile, region),
        )  # fmt: skip

    def _copy(self, one: Bytes) -> Copy:
        """Lines that are moved in part are moved."""
        if not one.size:
            return Copy(0, 0)
        each, line, engine = one.size // one.segments, self.line, self.chip.iodma
        beyond = line // 2 if one.segments > 1 and each % line else 0
        moved = one.segments * ceil_div(each + beyond, line) * line
        cycles = engine.setup + engine.segment * (one.segments - 1) + one.size / engine.width
        stride = one.stride if one.segments > 1 else 0
        return Copy(moved, cycles, each, stride, one.beside)

    def _on_dram(self, one: Copy, neighbours: int) -> float:
        """Bytes that would take as long if all controllers had as many of them: what many cores
        read at a time at the same place of rows whose length is a multiple of the interleaving
        is in few of them."""
        if not one.stride:
            return one.moved
        each = one.each * neighbours if one.beside else one.each
        chip = self.chip.dram
        return one.moved / spread(each, one.stride, chip.interleave, chip.controllers)

    def _rows(self, tile: Tile, region: tuple[int, ...]) -> int:
        """Cycles of the vector rows that follow."""
        unit, size = self.chip.vector, prod(region)
        layer, total = self.geometry.layer, 0
        for node in layer.nodes[1:]:
            types = [layer.type(name).element for name in (*node.operands, *node.results)]
            wide = max(type.size(size) for type in types)
            total += unit.issue + unit.depth + unit.cycles(_class_of(node.operator.name), wide)
        if tile.parts > 1:
            total += unit.issue + unit.depth + unit.cycles("simple", 4 * size)
        return total

    # Of a mapping --------------------------------------------------------------------------------

    def fits(self, facts: Facts, stays: str, served: str) -> bool:
        """Whether the buffers have room."""
        tile = facts.tile
        if stays == "weights":
            if tile.parts > 1:
                return False
            wram, sram = facts.weight_bytes, facts.weight_bytes
        else:
            wram = sram = self.buffers * facts.part_bytes
        if served == "inputs":
            if tile.is_packed:
                return False
            sram = self.buffers * facts.input_bytes
        given = {
            "weights": self.buffers * facts.input_bytes,
            "inputs": facts.input_bytes,
            "nothing": self.buffers * facts.input_part_bytes,
        }[stays]
        if served and sram > self.sram:
            return False
        return wram <= self.wram and facts.held + given <= self.nram

    def least(
        self,
        facts: Facts,
        served: str,
        counts: tuple[int, int, int],
        split: tuple[int, int, int],
    ) -> int:
        """Cycles of computing of the core that has most to do."""
        q, t, g = self._shared(split, served)
        return -(-counts[0] // q) * -(-counts[1] // t) * -(-counts[2] // g) * facts.computing

    def _shared(self, split: tuple[int, int, int], served: str) -> tuple[int, int, int]:
        """Into how many parts the digits are shared by cores."""
        q, t, g = split
        if served == "inputs":
            return q, t, g * self.chip.cores
        return (q, t * self.chip.cores, g) if served else split

    def estimate(
        self,
        facts: Facts,
        stays: str,
        served: str,
        counts: tuple[int, int, int],
        split: tuple[int, int, int],
    ) -> Estimate:
        """Cycles where cores (or clusters, that are served) share the digits so."""
        chip, parts = self.chip, facts.tile.parts
        shared = self._shared(split, served)
        q, t, g = (ceil_div(n, p) for n, p in zip(counts, shared, strict=True))
        units = prod(split)
        if served:
            busy, clusters = chip.cores, units
        else:
            clusters = min(units, chip.clusters) if units < chip.core_count else chip.clusters
            busy = ceil_div(units, clusters)
        rate = min(self.dram / clusters, self.port)
        outer, steps = {
            "weights": (q * g, t), "inputs": (q * t, g), "nothing": (1, q * t * g),
        }[stays]  # fmt: skip
        weights, given = Copy(0, 0), Copy(0, 0)
        if stays != "weights":
            weights = facts.weights_part if parts > 1 else facts.weights
        if stays != "inputs":
            given = facts.input_part if stays == "nothing" else facts.input
        neighbours = shared[2]
        weights_moved = self._on_dram(weights, neighbours) * (1 if served == "weights" else busy)
        given_moved = self._on_dram(given, neighbours) * (1 if served == "inputs" else busy)
        result_moved = self._on_dram(facts.result, neighbours) * busy
        sent, meeting = 0.0, 0
        if served == "inputs" or (served and stays != "weights"):
            size = facts.input_bytes if served == "inputs" else facts.part_bytes
            sent, meeting = _bus_cycles(chip, size), chip.barriers.cluster
        moved = (weights_moved + given_moved) * parts + result_moved
        own = facts.result.cycles
        own += (0 if served == "inputs" else given.cycles) * parts
        own += (0 if served == "weights" else weights.cycles) * parts
        transfer = max(moved / rate, own, sent * parts)
        slot = (SLOT + meeting) * parts
        wait = (self.latency + chip.iodma.setup) * parts
        if self.buffers == 1:
            transfer = max(moved / rate, own) + sent * parts
            step = transfer + wait + facts.computing + slot + meeting * parts
        else:
            step = max(transfer + wait, facts.computing) + slot
        load = (weights_moved + given_moved) / rate + self.latency + sent
        store = result_moved / rate + self.latency
        alone = store
        if self.buffers > 1:
            alone += load + facts.computing / parts + 2 * SLOT
        before = self._stays(facts, stays, served, rate, busy, alone + steps * step)
        total = outer * (before + alone + steps * step)
        if served == "weights" == stays:
            total += facts.weights.moved / rate
        stay = {"weights": facts.weights, "inputs": facts.input, "nothing": Copy(0, 0)}[stays]
        by_own = 0 if served == stays else stay.cycles
        by_bus = _bus_cycles(chip, facts.weight_bytes) if served == stays else 0
        stay_moved = stay.moved * (1 if served == stays else busy)
        engines = [
            outer * int(once + steps * each)
            for once, each in (
                (stay_moved / rate, moved / rate), (by_own, own), (by_bus, sent * parts),
                (0, facts.computing),
            )
        ]  # fmt: skip
        ticks = Ticks(*engines, max(int(total) - max(engines), 0))
        return Estimate(int(total), int(transfer), facts.computing, ticks)

    def _stays(
        self, facts: Facts, stays: str, served: str, rate: float, busy: int, beside: float
    ) -> float:
        """Cycles until what stays is there, where it is not loaded beside computing."""
        if stays == "inputs":
            moved = self._on_dram(facts.input, 1) * busy
            return max(moved / rate, facts.input.cycles) + self.latency
        if stays == "nothing":
            return 0
        if served != "weights":
            return max(facts.weights.moved * busy / rate, facts.weights.cycles) + self.latency
        hidden = max(facts.weights.moved / rate - beside, 0)
        meetings = 2 * self.chip.barriers.cluster
        return hidden + _bus_cycles(self.chip, facts.weight_bytes) + meetings


@cache
def spread(each: int, stride: int, interleave: int, controllers: int) -> float:
    """How evenly segments of so many bytes, so far apart, lie in the controllers: what one has on
    average by what the one with most has."""
    carried = [0] * controllers
    for low in range(0, SEGMENTS * stride, stride):
        at, end = low, low + each
        while at < end:
            chunk = at // interleave
            piece = min((chunk + 1) * interleave, end) - at
            carried[chunk % controllers] += piece
            at += piece
    return sum(carried) / controllers / max(carried)


def _bus_cycles(chip: Cluster, size: int) -> float:
    return chip.bus.setup + size / chip.bus.width if chip.bus else 0


def _segments(region: tuple[int, ...], extents: tuple[int, ...]) -> int:
    """Of a box in a tensor: what lies one behind the other."""
    segments, is_whole = 1, True
    for own, extent in zip(region[::-1], extents[::-1], strict=True):
        if not is_whole:
            segments *= own
        is_whole = is_whole and own >= extent
    return segments


@cache
def _class_of(name: str) -> str:
    """The scheduling class of an elementwise row."""
    rows = operations().family("ir")
    names = (f"tensor.{name}.{element}" for element in ("f32", "i32"))
    return next((rows[row].scheduling_class for row in names if row in rows), "convert")
