"""Colouring: registers of the machine for the nodes of an interference graph.

Nodes are taken off the graph one by one, first those whose neighbours cannot fill their palette; in
the opposite order each gets registers that none of its neighbours has.  If all that are left might
find none, the cheapest to spill for its neighbours is taken off, and may still find one: only what
finds none when its turn comes is spilled (the optimistic colouring of Briggs, Cooper, Torczon,
*Improvements to graph coloring register allocation*, 1994, over Chaitin's, 1982).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_


@dataclass(slots=True, eq=False)
class Node:
    """Registers of the code that get one place in the machine.

    members     their names, in order of appearance; none if the node is part of another now
    file        the register file that they are of
    weight      what it costs to spill them
    forbidden   bit set of the machine's registers that they may not have
    neighbours  the numbers of the nodes that may not overlap them, ascending
    """

    members: list[str]
    file: str
    weight: float
    forbidden: int
    neighbours: list[int]


@dataclass(frozen=True, slots=True)
class Palette:
    """The registers of the machine that a node may have, before its neighbours have theirs.

    registers  bit set of them
    size       how many of them it takes
    room       how many its neighbours may take while it is certain to find some
    """

    registers: int
    size: int
    room: int


Choose = Callable[[int, int], int]
"""choose(node, free): bit set of those that a node gets of the registers `free`, of which there
are some; 0 if it can have none of them."""


@dataclass(frozen=True)
class Colouring:
    """The graph, and what is asked of its colours.

    nodes     the graph
    palettes  of each node
    keep      for each whether it must have registers: those get theirs first
    """

    nodes: Sequence[Node]
    palettes: Sequence[Palette]
    keep: Sequence[bool]

    def colour(self, choose: Choose, among: Iterable[int] | None = None) -> tuple[dict, list[int]]:
        """Bit sets of registers by node, and the nodes to spill because they, or neighbours that
        must have registers, found none.

        among   the nodes to colour, if not all: no others are their neighbours
        """
        numbers = range(len(self.nodes)) if among is None else list(among)
        return self.colour_in(self.order(numbers), choose)

    def colour_in(self, order: Sequence[int], choose: Choose) -> tuple[dict, list[int]]:
        """The same in a given order of the nodes to colour."""
        given = [0] * len(self.nodes)
        spilled: dict[int, None] = {}
        given_to = given.__getitem__
        for number in order:
            node = self.nodes[number]
            taken = reduce(or_, map(given_to, node.neighbours), 0)
            allowed = self.palettes[number].registers & ~node.forbidden
            free = allowed & ~taken
            given[number] = choose(number, free) if free else 0
            if given[number]:
                continue
            if not self.keep[number] or not allowed:
                spilled[number] = None
            else:
                self._give_way(number, spilled)
        return {number: given[number] for number in order if given[number]}, list(spilled)

    def order(self, numbers: Sequence[int]) -> list[int]:
        """The order in which to give out registers: the nodes that were taken off last, first."""
        nodes, palettes = self.nodes, self.palettes
        size = [palette.size for palette in palettes]
        taken = [node.forbidden.bit_count() for node in nodes]
        for number in numbers:
            taken[number] += sum([size[other] for other in nodes[number].neighbours])
        room = [palette.room for palette in palettes]
        certain = _Certain(numbers, taken, room)
        uncertain = _Cheapest(self, numbers, taken)
        left = [False] * len(nodes)
        for number in numbers:
            left[number] = True
        order: list[int] = []
        while len(order) < len(numbers):
            number = certain.take(left)
            if number is None:
                number = uncertain.take(left)
            left[number] = False
            order.append(number)
            beside = [other for other in nodes[number].neighbours if left[other]]
            for other in beside:
                taken[other] -= size[number]
            certain.eased(beside)
        return order[::-1]

    def _give_way(self, number: int, spilled: dict[int, None]) -> None:
        """Spill the cheapest neighbour of a node that must have registers, itself if none may; one
        that is spilled already makes room, and whether enough, the next colouring says."""
        near = [other for other in self.nodes[number].neighbours if not self.keep[other]]
        if not any(other in spilled for other in near):
            cheapest = min(near, key=lambda other: self.nodes[other].weight, default=number)
            spilled[cheapest] = None


class _Certain:
    """The nodes that are certain to find registers, the newest first."""

    def __init__(self, numbers: Sequence[int], taken: list[int], room: list[int]):
        self._taken, self._room = taken, room
        self._stack = [number for number in numbers if taken[number] <= room[number]]
        self._known = [False] * len(taken)
        for number in self._stack:
            self._known[number] = True

    def take(self, left: list[bool]) -> int | None:
        while self._stack:
            number = self._stack.pop()
            if left[number]:
                return number
        return None

    def eased(self, numbers: list[int]) -> None:
        """Take in what has become certain among nodes whose neighbours take less now."""
        for number in numbers:
            if self._taken[number] <= self._room[number] and not self._known[number]:
                self._known[number] = True
                self._stack.append(number)


class _Cheapest:
    """The node that costs least to spill for what its neighbours take, one that must have registers
    last.  As costs only grow while neighbours go, what the heap holds are bounds from below."""

    def __init__(self, colouring: Colouring, numbers: Sequence[int], taken: list[int]):
        self._weight = [node.weight for node in colouring.nodes]
        self._keep, self._numbers, self._taken = colouring.keep, numbers, taken
        self._heap: list[tuple[bool, float, int]] | None = None

    def _cost(self, number: int) -> tuple[bool, float, int]:
        return self._keep[number], self._weight[number] / max(1, self._taken[number]), number

    def take(self, left: list[bool]) -> int:
        if self._heap is None:  # most graphs are coloured without it
            self._heap = [self._cost(number) for number in self._numbers if left[number]]
            heapq.heapify(self._heap)
        while True:
            known = self._heap[0]
            number = known[-1]
            if not left[number]:
                heapq.heappop(self._heap)
            elif known != (now := self._cost(number)):
                heapq.heapreplace(self._heap, now)
            else:
                return number


class Bias:
    """Lets the two ends of a copy have one register where that is free, so that the copy is gone
    (the biased colouring of Briggs, Cooper, Torczon 1994).

    copies   the registers that moves join to each, as `Interference.copies`
    bits     of each register of the machine its bit
    """

    def __init__(self, copies: Mapping[str, Sequence[str]], bits: Mapping[str, int]):
        self._copies, self._bits = copies, bits
        self._given: dict[str, int] = {}

    def choose(
        self, name: str, free: int, otherwise: Callable[[int], int] = lambda free: free & -free
    ) -> int:
        """The bit of a free register that a copy from or to `name` has; if there is none, that of
        another of those that are `free`: the lowest, if nothing else is said."""
        for other in self._copies.get(name, ()):
            bit = self._given.get(other) or self._bits.get(other, 0)
            if bit & free:
                break
        else:
            bit = otherwise(free)
        self._given[name] = bit
        return bit


def coalesce(nodes: Sequence[Node], moves: Collection[tuple[float, str, str]]) -> None:
    """Make one node of any two of a file that a move joins and that may overlap, in place; moves
    that run most often come first (Chaitin 1982).

    moves   (weight, result, source), as `Interference.moves`
    """
    number_of = {name: number for number, node in enumerate(nodes) for name in node.members}
    beside = [set(node.neighbours) for node in nodes]
    for _, result, source in sorted(moves, key=lambda move: -move[0]):
        if result not in number_of or source not in number_of:
            continue  # of the machine
        kept, gone = number_of[result], number_of[source]
        into, node = nodes[kept], nodes[gone]
        if kept == gone or gone in beside[kept] or into.file != node.file:
            continue
        number_of |= dict.fromkeys(node.members, kept)
        into.members += node.members
        into.weight += node.weight
        into.forbidden |= node.forbidden
        for other in beside[gone]:
            beside[other].discard(gone)
            beside[other].add(kept)
        beside[kept] |= beside[gone]
        node.members, beside[gone] = [], set()
    for node, others in zip(nodes, beside, strict=True):
        node.neighbours = sorted(others)
