"""Where the tensors of a network stand in DRAM.

Inputs, results and constants have buffers of their own.  Others share one buffer a type of
elements: each stands there from the layer that makes it to the last that reads it, at the lowest
place that nobody has in that time, the largest tensors first (greedy by size: Pisarchyk and Lee,
Efficient Memory Management for Deep Neural Net Inference, 2020).  Where that takes more than what
stands there at one time, other orders are tried: those first that are read for longest, and those
before all others that reached furthest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compiler.levels.network.network import Network, TensorType
from compiler.targets.cluster.network.layer import Layer, names_of, roots_of
from machines.types import Type

ALIGNMENT = 64
"""Bytes: a line of DRAM, so that no two tensors share one."""


@dataclass(frozen=True, slots=True)
class Place:
    """Elements of a buffer, from `first` on."""

    buffer: str
    first: int
    type: TensorType

    def meets(self, other: Place) -> bool:
        """Whether they share an element."""
        return (
            self.buffer == other.buffer
            and self.first < other.first + other.type.count
            and other.first < self.first + self.type.count
        )

    def __str__(self) -> str:
        """As an operand of the tile text."""
        return f"{self.buffer}[{self.first} +: {self.type.count}]"


@dataclass(frozen=True, slots=True)
class Plan:
    """places   of all tensors but those within a layer, by tensor
    buffers  their element type and number of elements, by name
    """

    places: Mapping[str, Place]
    buffers: Mapping[str, tuple[Type, int]]


def plan(network: Network, layers: Sequence[Layer], prefix: str = "") -> Plan:
    """Where all tensors stand that a layer reads or leaves; all names begin with `prefix`."""
    roots = roots_of(network)
    outputs = network.outputs.values()
    read = {roots[tensor] for tensor in (*outputs, *(t for layer in layers for t in layer.reads))}
    constants = (tensor for tensor in network.constants if tensor in read)
    own = dict.fromkeys(roots[tensor] for tensor in (*network.inputs, *constants, *outputs))
    names = {root: f"{prefix}{name}" for root, name in names_of(own).items()}
    buffers = {
        names[root]: (network.types[root].element, network.types[root].count) for root in own
    }
    found = {root: Place(names[root], 0, network.types[root]) for root in own}
    for element, spans in _spans(network, layers, roots, own).items():
        placed, total = _placed(spans, ALIGNMENT * 8 // element.bits)
        arena = f"{prefix}arena_{element}"
        buffers[arena] = element, total
        found |= {root: Place(arena, at, network.types[root]) for root, at in placed.items()}
    places = {
        tensor: Place(found[root].buffer, found[root].first, network.types[tensor])
        for tensor, root in roots.items()
        if root in found
    }
    return Plan(places, buffers)


@dataclass(frozen=True, slots=True)
class _Span:
    """A tensor that stands somewhere from one layer to another, both included."""

    tensor: str
    count: int
    first: int
    last: int

    def meets(self, other: _Span) -> bool:
        return self.first <= other.last and other.first <= self.last


def _spans(
    network: Network, layers: Sequence[Layer], roots: Mapping[str, str], own: Mapping[str, None]
) -> dict[Type, list[_Span]]:
    made: dict[str, int] = {}
    last: dict[str, int] = {}
    for layer in layers:
        for tensor in layer.results:
            made.setdefault(roots[tensor], layer.number)
            last[roots[tensor]] = layer.number
        for tensor in layer.reads:
            last[roots[tensor]] = layer.number
    found: dict[Type, list[_Span]] = {}
    for root, first in made.items():
        if root not in own:
            type = network.types[root]
            found.setdefault(type.element, []).append(_Span(root, type.count, first, last[root]))
    return found


TRIES = 8
"""Times that what reached furthest comes first."""
Placed = list[tuple[int, int, _Span]]
"""First elements, and those behind the last, of tensors."""


def _placed(spans: Sequence[_Span], unit: int) -> tuple[dict[str, int], int]:
    """The first element of each, a multiple of `unit`, and how many elements that are in all: of
    the orders that are tried the first that takes least."""
    least = _at_one_time(spans, unit)
    found: list[tuple[int, Placed]] = []
    for order in (
        sorted(spans, key=lambda span: -span.count),
        sorted(spans, key=lambda span: (span.first - span.last, -span.count)),
    ):
        for _ in range(TRIES):
            placed = _in_order(order, unit)
            total = max(end for _, end, _ in placed)
            found.append((total, placed))
            if total <= least:
                break
            top = {span for _, end, span in placed if end == total}
            order = sorted(order, key=lambda span: span not in top)
        if found[-1][0] <= least:
            break
    total, placed = min(found, key=lambda one: one[0])
    return {span.tensor: at for at, _, span in placed}, total


def _at_one_time(spans: Sequence[_Span], unit: int) -> int:
    """Elements that stand somewhere at one time, at most, in whole units."""
    return max(
        sum(-(-one.count // unit) * unit for one in spans if one.first <= span.first <= one.last)
        for span in spans
    )


def _in_order(order: Sequence[_Span], unit: int) -> Placed:
    """Each at the lowest place that none before it has at some time that it does."""
    placed: Placed = []
    for span in order:
        at = 0
        for start, end, other in sorted(placed, key=lambda one: one[:2]):
            if other.meets(span) and start < at + span.count:
                at = max(at, -(-end // unit) * unit)
        placed.append((at, at + span.count, span))
    return placed
