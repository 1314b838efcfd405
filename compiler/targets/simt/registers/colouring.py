"""Registers for the nodes of an interference graph, as few as possible.

Each node gets the lowest register that is free.  A value of 64 bits takes a pair that begins at an
even number; one of 32 bits goes beside another one first, so that pairs stay whole.  A half goes
where its pair is or will be, if that is free (a bias, as in Briggs, Cooper, Torczon, *Improvements
to graph coloring register allocation*, 1994), so that moves between them go; any other goes, if
that costs no register, where fewer sources of its readers are in the same bank.  Nodes have their
turn in the order in which the code names them: along straight code, where lives are
intervals, no order needs fewer registers (Hack, Grund, Goos, *Register allocation for programs in
SSA form*, 2006).  Only where some find none, or a few registers would cost resident warps, are they
taken off the graph one by one instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations

from compiler.machine_code.colouring import Colouring, Node, Palette
from compiler.targets.simt.registers.operands import OPERANDS, SIZES

EVEN = sum(1 << k for k in range(0, 2048, 2))
"""Bit set of the even numbers."""


MOST_BESIDE = 64
"""Nodes read beside one that has no register yet, up to which its bank is foreseen."""
MOST_BEYOND = 4
"""Registers beyond a step that others in another order of the nodes are looked for."""
Part = tuple[int, int, int]
"""(pair, half, which): nodes of a value of 64 bits and of a half of it, 0 for low or 1 for high."""


def colour(
    nodes: Sequence[Node],
    limits: dict[str, int],
    unspillable: Collection[int],
    step: int,
    parts: Iterable[Part] = (),
    sources: Sources | None = None,
    costless: int = 0,
) -> tuple[dict[int, int], list[int]]:
    """(node -> its first register, nodes that found none).

    limits   how many registers there are in each bank
    step     so many registers a thread is given at a time: a few beyond a multiple cost as much
    parts    which nodes are better halves of which, if they do not live together
    sources  which nodes rows read together, and are better in different banks of the register file
    costless how many registers a thread may have while there is room for all warps
    A node among `unspillable` that finds none is named only if no neighbour can be in its place.
    """
    keep = [number in unspillable for number in range(len(nodes))]
    colours: dict[int, int] = {}
    homeless: list[int] = []
    parts = list(parts)
    for bank, limit in limits.items():
        among = [
            number
            for number, node in enumerate(nodes)
            if node.members and OPERANDS.banks[node.file] == bank
        ]
        choice = _Choice(nodes, limit, parts, sources)
        given, without = _colouring(nodes, limit, keep).colour_in(among, choice.choose)
        if choice.is_denied and not without:
            room = min(limit, max(costless, -(-_highest(given) // step) * step))
            roomy = _Choice(nodes, limit, parts, sources, room).choose
            fits, left_over = _colouring(nodes, limit, keep).colour_in(among, roomy)
            given = given if left_over or _highest(fits) > room else fits
        if sources and (without or _few_beyond(given, step, costless)):
            plain = _Choice(nodes, limit, parts, None).choose
            fits, left_over = _colouring(nodes, limit, keep).colour_in(among, plain)
            if without or _highest(fits) - 1 < _highest(given) // step * step:
                given, without = fits, left_over
        if without:
            given, without = _one_by_one(nodes, limit, keep, among, parts, sources)
        elif _few_beyond(given, step, costless):
            fewer = _highest(given) // step * step
            fits, left_over = (
                _one_by_one(nodes, fewer, keep, among, parts, sources) if fewer else ({}, among)
            )
            given = given if left_over else fits
        colours |= {number: (bits & -bits).bit_length() - 1 for number, bits in given.items()}
        homeless += without
    return colours, homeless


def _one_by_one(
    nodes: Sequence[Node],
    limit: int,
    keep: Sequence[bool],
    among: Sequence[int],
    parts: Iterable[Part],
    sources: Sources | None,
) -> tuple[dict[int, int], list[int]]:
    choose = _Choice(nodes, limit, parts, sources).choose
    return _colouring(nodes, limit, keep).colour(choose, among)


def _colouring(nodes: Sequence[Node], limit: int, keep: Sequence[bool]) -> Colouring:
    palettes = {file: _palette(limit, size) for file, size in SIZES.items()}
    return Colouring(nodes, [palettes[node.file] for node in nodes], keep)


def _highest(given: dict[int, int]) -> int:
    """Registers up to the highest that is given."""
    return max(given.values(), default=0).bit_length()


def _few_beyond(given: dict[int, int], step: int, costless: int) -> bool:
    """Whether a few registers less would leave room for more warps."""
    return _highest(given) > costless and 0 < _highest(given) % step <= MOST_BEYOND


def _palette(limit: int, size: int) -> Palette:
    return Palette((1 << limit) - 1, size, room=limit - 2 * size)


class Sources:
    """Which nodes rows read together, and how often.

    A machine whose register file has banks reads sources of one bank in turn: register n is in bank
    n modulo their number.
    """

    def __init__(self, banks: int):
        self._banks = [sum(1 << k for k in range(bank, 2048, banks)) for bank in range(banks)]
        self._beside: dict[int, dict[int, float]] = defaultdict(dict)

    def add(self, nodes: Collection[int], weight: float) -> None:
        """A row reads these nodes."""
        for one, other in permutations(nodes, 2):
            self._beside[one][other] = self._beside[one].get(other, 0.0) + weight

    def quiet_bank(self, number: int, given: Mapping[int, int]) -> int:
        """The registers of the bank in which the fewest are that are read beside a node; none if
        there is no difference.  One that has none yet is taken to be where those that are read
        beside it leave room."""
        loads = self._loads(number, given)
        for other, weight in self._beside.get(number, {}).items():
            if other not in given and len(self._beside[other]) <= MOST_BESIDE:
                likely = self._loads(other, given)
                if max(likely) > min(likely):
                    loads[likely.index(min(likely))] += weight
        least = min(loads)
        return self._banks[loads.index(least)] if max(loads) > least else 0

    def _loads(self, number: int, given: Mapping[int, int]) -> list[float]:
        """How much of each bank is read beside a node, as far as registers are given."""
        loads = [0.0] * len(self._banks)
        for other, weight in self._beside.get(number, {}).items():
            if other in given:
                loads[given[other] % len(loads)] += weight
        return loads


class _Choice:
    """Which register each node gets.

    given      node -> its first register
    halves     pair -> (half, which); pairs: half -> (pair, which)
    reserved   bit set of registers that the other half of one that was given waits for
    room       registers that cost nothing, in use or not: a quiet bank may take of these
    is_denied  whether one in a quiet bank would have been there among more registers
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        limit: int,
        parts: Iterable[Part],
        sources: Sources | None,
        room: int = 0,
    ):
        self.nodes, self.registers = nodes, (1 << limit) - 1
        self.sources, self.highest = sources, room
        self.is_denied = False
        self.given: dict[int, int] = {}
        self.halves: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.reserved = 0
        for pair, half, which in parts:
            if pair in nodes[half].neighbours:
                continue
            self.halves[pair].append((half, which))
            self.pairs[half].append((pair, which))

    def choose(self, number: int, free: int) -> int:
        """Bit set of what a node gets of some registers of which some are free, 0 if no pair is."""
        if SIZES[self.nodes[number].file] == 2:
            bits = self._pair(number, free)
        else:
            bits = self._single(number, free)
        if bits:
            self.given[number] = (bits & -bits).bit_length() - 1
            self.highest = max(self.highest, bits.bit_length())
            self.reserved &= ~bits
        return bits

    def _pair(self, number: int, free: int) -> int:
        pairs = free & free >> 1 & EVEN
        for half, which in self.halves.get(number, ()):
            first = self.given.get(half, -1) - which
            if first >= 0 and pairs >> first & 1:
                return 3 << first
        return 3 * (pairs & -pairs)

    def _single(self, number: int, free: int) -> int:
        wishes = self.pairs.get(number, ())
        for wished in self._beside(wishes):
            if free >> wished & 1:
                return 1 << wished
        for _, which in wishes:
            pairs = free & free >> 1 & EVEN & ~self.reserved & ~(self.reserved >> 1)
            if pairs:
                first = pairs & -pairs
                self.reserved |= first << (1 - which)
                return first << which
        free = free & ~self.reserved or free
        taken = self.registers & ~free
        halves = free & ((taken & EVEN) << 1 | taken >> 1 & EVEN)
        wished = self._of_a_quiet_bank(number, halves, free)
        free = wished or halves or free
        return free & -free

    def _of_a_quiet_bank(self, number: int, halves: int, free: int) -> int:
        """Registers in the bank from which rows that read the node read least besides, if that is
        not all the same; none beyond those in use if there is one among these."""
        bank = self.sources.quiet_bank(number, self.given) if self.sources else 0
        low = (1 << self.highest) - 1
        wished = halves & bank & low or free & bank & (low if free & low else -1)
        self.is_denied |= not wished and free & bank != 0
        return wished

    def _beside(self, wishes: Iterable[tuple[int, int]]) -> Iterable[int]:
        """The registers where the pairs of a half have theirs, then those beside other halves."""
        for pair, which in wishes:
            if pair in self.given:
                yield self.given[pair] + which
        for pair, which in wishes:
            for other, place in self.halves[pair]:
                register = self.given.get(other)
                if place != which and register is not None and register & 1 == place:
                    yield register ^ 1
