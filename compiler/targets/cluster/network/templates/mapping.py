"""How a product is laid on the cores of a chip: chosen by a model that reads the machine.

All candidates are looked at: sizes of tiles, which operand stays while others come and go, and how
the cores share the digits of tiles.  Of each the cycles are estimated from bytes, segments and
products, and the least is kept:

    step  = longer of  loads + stores   set-ups, segments, bytes at this core's share of DRAM
                       computing        issue, depth, products at the unit's rate, vector rows
    layer = what stays loaded + steps + the first load and the last store alone
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Literal

from compiler.targets.cluster.network.templates.followers import Followers
from compiler.targets.cluster.network.templates.geometry import (
    Geometry,
    Tile,
    accumulator,
    ceil_div,
)
from machines.diagnostics import input_error
from machines.instructions import operations
from machines.kinds.cluster.fields import Cluster

Stays = Literal["weights", "inputs", "nothing"]
SLOT = 80
"""Scalar cycles of a slot: its waits, which tile it is, addresses and guards."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Cycles of the layer, and of one step: of the DMA, of computing."""

    cycles: int
    transfer: int
    computing: int
    steps: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """How a layer is done.

    stays   the operand of which a tile stays while those of the other one, and of the result,
            come and go beside computing; 'nothing': both come for each step
    split   parts into which cores share the digits q, t and g
    """

    tile: Tile
    stays: Stays
    split: tuple[int, int, int]
    estimate: Estimate

    def __str__(self) -> str:
        rows = " × ".join(map(str, self.tile.rows))
        return (
            f"{rows} rows, {self.tile.columns} columns in {self.tile.parts} parts, {self.stays} "
            f"stays, cores {' × '.join(map(str, self.split))}, {self.estimate.cycles} cycles"
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """The mapping that was chosen, and the best one that does it in another way."""

    chosen: Mapping
    other: Mapping | None


def choose(geometry: Geometry, followers: dict[bool, Followers], chip: Cluster) -> Choice:
    """The mapping with the least cycles by the model.

    followers  of the layer, by whether what is accumulated is overwritten
    Raises InputError where no tile fits the memories, or the machine does not multiply such
    elements.
    """
    layer = geometry.layer
    source = layer.type(layer.head.operands[0]).element
    if not chip.matrix.supports(source.name, source.name):
        message = (
            f"layer '{layer.name}': the matrix unit multiplies {', '.join(chip.matrix.pairs())}, "
            f"not {source} by {source}"
        )
        hint = "quantize the network, or take a machine whose matrix unit has them"
        raise input_error(message, layer.location, hint=hint)
    model = _Model(geometry, followers, chip)
    best: dict[Stays, Mapping] = {}
    for mapping in model.mappings():
        known = best.get(mapping.stays)
        if known is None or mapping.estimate.cycles < known.estimate.cycles:
            best[mapping.stays] = mapping
    if not best:
        message = (
            f"layer '{layer.name}': no tile of nn.{layer.head.operator.name} fits the memories"
        )
        hint = f"of {chip.usable('nram')} bytes of NRAM and {chip.usable('wram')} of WRAM"
        raise input_error(message, layer.location, hint=hint)
    ranked = sorted(best.values(), key=lambda mapping: mapping.estimate.cycles)
    return Choice(ranked[0], ranked[1] if len(ranked) > 1 else None)


class _Model:
    """Of one layer on one chip."""

    def __init__(self, geometry: Geometry, followers: dict[bool, Followers], chip: Cluster):
        self.geometry, self.followers, self.chip = geometry, followers, chip
        self.nram, self.wram = chip.usable("nram"), chip.usable("wram")
        dram = float(chip.dram_bytes_per_cycle) / chip.core_count
        cluster = chip.cluster_bytes_per_cycle
        port = min(float(cluster) if cluster else chip.noc.width, chip.noc.width) / chip.cores
        self.rate = min(chip.iodma.width, dram, port)
        self.latency = 2 * chip.noc.hop + chip.dram_latency

    def mappings(self) -> Iterator[Mapping]:
        for tile in self.geometry.candidates(self.chip):
            for stays in ("weights", "inputs", "nothing"):
                if self._fits(tile, stays):
                    yield self._best_split(tile, stays)

    def _fits(self, tile: Tile, stays: Stays) -> bool:
        """Whether the buffers have room; what is accumulated in parts has one of its own."""
        if stays == "weights" and tile.parts > 1:
            return False
        weights = self.geometry.weights(tile, part=stays != "weights").size
        if weights * (1 if stays == "weights" else 2) > self.wram:
            return False
        region = self.geometry.region_most(tile)
        copies = 2 if tile.parts == 1 else 1
        total = self.followers[tile.parts == 1].bytes(region, self.nram, copies)
        if tile.parts > 1:
            held = next(iter(self.followers[False].held.values()))
            if accumulator(held) is not held:
                total += accumulator(held).size(prod(region))
            else:
                total += held.size(prod(region))
        by_part = stays == "nothing"
        total += self.geometry.input(tile, part=by_part).size * (1 if stays == "inputs" else 2)
        buffers = 16 * self.chip.alignment("nram")
        return total + buffers <= self.nram

    def _copy(self, size: int, segments: int) -> float:
        """Cycles of a copy, behind others of its queue; lines that are moved in part are moved."""
        if not size:
            return 0
        line = self.chip.dram.line
        each = size / segments
        moved = segments * ceil_div(int(each) + (line // 2 if segments > 1 else 0), line) * line
        engine = self.chip.iodma
        whole = engine.setup + engine.segment * (segments - 1) + size / engine.width
        return max(whole, moved / self.rate)

    def _computing(self, tile: Tile) -> int:
        """Of a tile in all parts, with what follows."""
        products = self.geometry.multiplications(tile, self.chip)
        return products + self._rows(tile)

    def _rows(self, tile: Tile) -> int:
        unit, size = self.chip.vector, prod(self.geometry.region_most(tile))
        layer, total = self.geometry.layer, 0
        for node in layer.nodes[1:]:
            types = [layer.type(name).element for name in (*node.operands, *node.results)]
            wide = max(type.size(size) for type in types)
            kind = _class_of(node.operator.name)
            total += unit.issue + unit.depth + unit.cycles(kind, wide)
        if tile.parts > 1:
            total += unit.issue + unit.depth + unit.cycles("simple", 4 * size)
        return total

    def _best_split(self, tile: Tile, stays: Stays) -> Mapping:
        counts = self.geometry.counts(tile)
        parts = tile.parts
        weights = self.geometry.weights(tile, part=stays != "weights")
        given = self.geometry.input(tile, part=stays == "nothing")
        loaded, stored = self.followers[parts == 1].moved(
            self.geometry.region_most(tile), self.nram
        )
        of_weights = self._copy(weights.size, weights.segments)
        of_input = self._copy(given.size, given.segments)
        region = self.geometry.region_most(tile)
        segments = self._result_segments(tile, region)
        of_result = self._copy(stored, segments) + self._copy(loaded, segments)
        computing = self._computing(tile)
        transfer = of_result
        if stays != "weights":
            transfer += of_weights * parts
        if stays != "inputs":
            transfer += of_input * (parts if stays == "nothing" else 1)
        overhead = (SLOT + self.latency) * parts
        each = max(transfer + overhead, computing + SLOT * parts)
        first = (transfer - of_result) / parts + of_result + computing / parts + self.latency
        best: tuple[float, tuple[int, int, int]] | None = None
        for split in _splits(self.chip.core_count, counts):
            q, t, g = (ceil_div(n, p) for n, p in zip(counts, split, strict=True))
            if stays == "weights":
                outer, inner = q * g, t
                before = of_weights + self.latency
            elif stays == "inputs":
                outer, inner = q * t, g
                before = of_input + self.latency
            else:
                outer, inner, before = 1, q * t * g, 0
            total = outer * (before + first + inner * each)
            key = total, tuple(-p for p in split)
            if best is None or key < (best[0], tuple(-p for p in best[1])):
                best = total, split
        assert best is not None
        total, split = best
        estimate = Estimate(int(total), int(transfer), computing, parts)
        return Mapping(tile, stays, split, estimate)

    def _result_segments(self, tile: Tile, region: tuple[int, ...]) -> int:
        """Of a tile's result in DRAM."""
        extents = self.followers[tile.parts == 1].extents
        segments, is_whole = 1, True
        for own, extent in zip(region[::-1], extents[::-1], strict=True):
            if not is_whole:
                segments *= own
            is_whole = is_whole and own >= extent
        return segments


def _splits(cores: int, counts: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Ways for cores to share the digits; a digit has no more parts than it has tiles."""
    found = []
    for q in range(1, min(cores, counts[0]) + 1):
        for t in range(1, min(cores // q, counts[1]) + 1):
            g = min(cores // (q * t), counts[2])
            found.append((q, t, g))
    return found


@cache
def _class_of(name: str) -> str:
    """The scheduling class of an elementwise row."""
    rows = operations().family("ir")
    names = (f"tensor.{name}.{element}" for element in ("f32", "i32"))
    return next((rows[row].scheduling_class for row in names if row in rows), "convert")
