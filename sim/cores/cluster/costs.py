"""What commands cost: where their bytes go, how long they are set up or computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from math import prod
from typing import NamedTuple

from machines.kinds.cluster.classes import MATRIX_CLASSES, multiplied_types
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import CoreCode, Interval, StreamInstruction
from machines.kinds.cluster.queues import DMAS
from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault
from machines.operations.meaning import parsed
from machines.operations.row import Operation, Region
from machines.tensors.elements import stored_type
from machines.tensors.places import Bounds
from machines.tensors.sizes import extents_of
from machines.tensors.work import Number, fitting
from sim.cores.cluster.command_faults import CommandFault, interval_text, misfit_text
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.scratchpads import CoreNumber, Places
from sim.cores.cluster.transfers.banks import Way
from sim.cores.cluster.transfers.links import Links
from sim.cores.cluster.work import Work

VECTOR, MATRIX = "vector", "matrix"
MOST_KEPT = 10_000
"""Costs that a code keeps, so that memory does not grow with the run."""


@dataclass(slots=True, eq=False)
class Cost:
    """Of one command.

    touched   what it reads and writes
    known     sizes of its intervals and its other operands, by name
    bytes     that move, of a copy
    setup     cycles of the DMA
    latency   cycles from then until the first byte comes
    segments  cycles of all segments but the first
    cycles    of work, of what is computed, by `unit`; strided operands are put in order by it
    is_far    whether the copy goes to another cluster
    routes    what it goes over: from a core, on a channel of its DMA, to which cluster
    work      what is computed, as soon as somebody has asked
    """

    touched: tuple[Bytes, ...]
    known: dict[str, Number]
    bytes: int = 0
    setup: int = 0
    latency: int = 0
    segments: int = 0
    cycles: int = 0
    unit: str = ""
    is_far: bool = False
    routes: Callable[[CoreNumber, int, int | None], Way] = lambda core, channel, target: Way()
    work: Work | None = None
    _ways: dict[tuple[CoreNumber, int, int | None], Way] = field(default_factory=dict)

    def way(self, core: CoreNumber, channel: int, target: int | None) -> Way:
        """What it goes over, from this core on this channel, to another cluster if it does."""
        key = core, channel, target
        found = self._ways.get(key)
        if found is None:
            found = self._ways[key] = self.routes(*key)
        return found


class Costs:
    """Of the commands of a code, each worked out once for the same scalars."""

    def __init__(self, code: CoreCode, chip: Cluster, links: Links, places: Places):
        self.code, self.chip, self.links, self.places = code, chip, links, places
        self.found: dict[tuple[int, tuple[Number, ...]], Cost] = {}
        self._operands: dict[int, list[_Operand]] = {}
        self._fitting: set[tuple[Number, ...]] = set()  # positions and numbers that were found to

    def __call__(self, position: int, scalars: tuple[Number, ...]) -> Cost:
        """Raises CommandFault for a command that is not possible."""
        key = position, scalars
        cost = self.found.get(key)
        if cost is None:
            if len(self.found) >= MOST_KEPT:
                self.found.clear()
                self._fitting.clear()
            cost = self.found[key] = self._cost(position, scalars)
        return cost

    def _cost(self, position: int, scalars: tuple[Number, ...]) -> Cost:
        instruction = self.code.code[position]
        touched, known = self._measured(position, scalars)
        cost = Cost(touched, known)
        name = DMAS.get((self.code.role, instruction.queue))
        if name is None:
            cost.unit, cost.cycles = computing(instruction.row, known, self.chip)
            cost.cycles += sum(self.chip.relayout.cycles(b.segments, b.size) for b in touched)
            return cost
        self._copy(cost, name, instruction)
        return cost

    def _copy(self, cost: Cost, name: str, instruction: StreamInstruction) -> None:
        dma = getattr(self.chip, name)
        segments = max(one.segments for one in cost.touched)
        cost.bytes = cost.touched[0].size
        cost.setup = dma.setup
        cost.segments = getattr(dma, "segment", 0) * max(segments - 1, 0)
        cost.is_far = "to_cluster" in instruction.row.name
        cost.latency = self._latency(cost)
        cost.routes = partial(self.links.way, name, cost.touched)

    def _latency(self, cost: Cost) -> int:
        """There and back for what is read from DRAM, one way for the rest."""
        hop = self.chip.noc.hop
        if any(one.space == "dram" and not one.stores for one in cost.touched):
            return 2 * hop + self.chip.dram_latency
        return hop if cost.is_far or any(one.space == "dram" for one in cost.touched) else 0

    def _measured(
        self, position: int, scalars: tuple[Number, ...]
    ) -> tuple[tuple[Bytes, ...], dict[str, Number]]:
        """Its intervals in bytes, their sizes and the other operands."""
        given, touched, sizes, others = iter(scalars), [], {}, {}
        operands = self._operands.get(position)
        if operands is None:
            operands = self._operands[position] = [*self._read(self.code.code[position])]
        for one in operands:
            if one.bounds is None:
                others[one.name] = next(given)
                continue
            asked = tuple(islice(given, one.numbers))
            try:
                sizes[one.name] = one.bounds.size(*asked)
            except (MemoryFault, OperationFault) as fault:
                about = f"{interval_text(one.buffer, asked)} of {one.bounds.count} elements"
                raise CommandFault(fault.kind, about, fault.address) from fault
            touched.append(one.bytes(*asked))
        row = self.code.code[position].row
        known = sizes | others
        key = position, *known.values()
        if key in self._fitting:
            return tuple(touched), known
        try:
            fitting(row, sizes, others)
            self._fitting.add(key)
            return tuple(touched), known
        except OperationFault as fault:
            given = iter(scalars)
            bounds = {one.name: tuple(islice(given, one.numbers)) for one in operands}
            texts = {
                one.name: interval_text(one.buffer, bounds[one.name])
                for one in operands
                if one.bounds is not None
            }
            raise CommandFault(fault.kind, misfit_text(row, sizes | others, texts)) from fault

    def _read(self, instruction: StreamInstruction) -> Iterator[_Operand]:
        """Its operands; nothing of them is read."""
        for operand, value in zip(instruction.row.reads, instruction.operands, strict=False):
            if not isinstance(value, Interval):
                yield _Operand(operand.name, 1)
                continue
            kind, address = operand.kind, self.places.address(value.buffer)
            width, stores = stored_type(kind.type).itemsize, kind.access == "store"
            size = self.places.size(value.buffer)
            yield _Operand(
                operand.name,
                2 + 2 * len(value.steps),
                value.buffer,
                self.places.space(value.buffer),
                kind.type.size,
                Bounds(address, size // width, width, stores, kind.type.in_byte),
            )


class _Operand(NamedTuple):
    """An operand of a command, which has so many `numbers` among its scalars.

    size, bounds  of an interval: size(elements) -> bytes, and what is inside of its buffer
    """

    name: str
    numbers: int
    buffer: str = ""
    space: str = ""
    size: Callable[[int], int] = int
    bounds: Bounds | None = None

    def bytes(self, low: int, high: int, *steps: int) -> Bytes:
        """The interval with these bounds."""
        size, bounds = self.size, self.bounds
        assert bounds is not None
        if not steps and bounds.in_byte == 1:
            width = bounds.width
            begin = bounds.address + low * width
            length = (high - low) * width
            return Bytes(self.buffer, self.space, bounds.is_stored, begin, length, ())
        return Bytes(
            self.buffer,
            self.space,
            bounds.is_stored,
            bounds.address + size(low),
            size(high - low),
            tuple((n, size(by)) for n, by in zip(steps[::2], steps[1::2], strict=True)),
        )


def computing(row: Operation, known: dict[str, Number], chip: Cluster) -> tuple[str, int]:
    """The unit that computes a command, and its cycles with issue and depth."""
    if row.scheduling_class in MATRIX_CLASSES:
        unit = chip.matrix
        return MATRIX, unit.issue + unit.depth + matrix_cycles(row, known, chip)
    unit = chip.vector
    return VECTOR, unit.issue + unit.depth + vector_cycles(row, known, chip)


def matrix_cycles(row: Operation, known: dict[str, Number], chip: Cluster) -> int:
    """Of a product of M x K by K x N: rows and columns of the result, and what is summed up."""
    rows, columns, depth = product_loops(row)
    extents = {**known, **extents_of(row.walk, known)}
    m, n = (prod(extents[extent] for extent in some) for some in (rows, columns))
    left, right = multiplied_types(row)
    *taps, inner = (extents[extent] for extent in depth)
    if chip.matrix.takes_whole_depth:
        return chip.matrix.cycles(m, prod(taps) * inner, n, left, right)
    return prod(taps) * chip.matrix.cycles(m, inner, n, left, right)


@cache
def product_loops(row: Operation) -> tuple[list[str], list[str], list[str]]:
    """The extents of a matmul or convolution whose loops go over rows of the result, columns of it,
    and what is summed up; the last interval are the weights."""
    regions = [o.name for o in row.operands if isinstance(o.kind, Region)]
    target, weights = (
        parsed(next(e.index for e in row.walk.elements if e.operand == name)).reads
        for name in (regions[0], regions[-1])
    )
    rows, columns, depth = [], [], []
    for index, extent in row.walk.loops:
        of = depth if index not in target else columns if index in weights else rows
        of.append(extent)
    return rows, columns, depth


def vector_cycles(row: Operation, known: dict[str, Number], chip: Cluster) -> int:
    """Steps over its longest interval; windows and sorting go over rows of it again and again."""
    regions = [o for o in row.operands if isinstance(o.kind, Region)]
    size = max(o.kind.type.size(known[o.name]) for o in regions)
    element = regions[-1].kind.type.bytes  # of what is read
    unit = chip.vector
    if row.scheduling_class == "reduce":
        lanes = max(unit.width // element, 1)
        return unit.cycles("reduce", size) + (lanes - 1).bit_length()
    if row.scheduling_class in ("pool", "sort"):
        extents = {**known, **extents_of(row.walk, known)}
        along = "channels" if row.scheduling_class == "pool" else "columns"
        times = prod(extents[extent] for _, extent in row.walk.loops if extent != along)
        return times * unit.cycles(row.scheduling_class, extents[along] * element)
    return unit.cycles(row.scheduling_class, size)
