"""Registers for the nodes of an interference graph, as few as possible.

Each node gets the lowest register that is free.  A value of 64 bits takes a pair that begins at an
even number; one of 32 bits goes beside another one first, so that pairs stay whole.  Nodes have
their turn in the order in which the code names them: along straight code, where lives are
intervals, no order needs fewer registers (Hack, Grund, Goos, *Register allocation for programs in
SSA form*, 2006).  Only where some find none, or a few registers would cost resident warps, are they
taken off the graph one by one instead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from compiler.machine_code.colouring import Choose, Colouring, Node, Palette
from compiler.targets.simt.registers.operands import OPERANDS, SIZES

EVEN = sum(1 << k for k in range(0, 2048, 2))
"""Bit set of the even numbers."""


MOST_BEYOND = 4
"""Registers beyond a step that others in another order of the nodes are looked for."""


def colour(
    nodes: Sequence[Node], limits: dict[str, int], unspillable: Collection[int], step: int
) -> tuple[dict[int, int], list[int]]:
    """(node -> its first register, nodes that found none).

    limits   how many registers there are in each bank
    step     so many registers a thread is given at a time: a few beyond a multiple cost as much
    A node among `unspillable` that finds none is named only if no neighbour can be in its place.
    """
    keep = [number in unspillable for number in range(len(nodes))]
    colours: dict[int, int] = {}
    homeless: list[int] = []
    for bank, limit in limits.items():
        among = [
            number
            for number, node in enumerate(nodes)
            if node.members and OPERANDS.banks[node.file] == bank
        ]
        given, without = _colouring(nodes, limit, keep).colour_in(among, _lowest_of(nodes, limit))
        if without:
            given, without = _one_by_one(nodes, limit, keep, among)
        elif 0 < (beyond := _highest(given) % step) <= MOST_BEYOND:
            fewer = _highest(given) - beyond
            fits, left_over = _one_by_one(nodes, fewer, keep, among) if fewer else ({}, among)
            given = given if left_over else fits
        colours |= {number: (bits & -bits).bit_length() - 1 for number, bits in given.items()}
        homeless += without
    return colours, homeless


def _one_by_one(
    nodes: Sequence[Node], limit: int, keep: Sequence[bool], among: Sequence[int]
) -> tuple[dict[int, int], list[int]]:
    return _colouring(nodes, limit, keep).colour(_lowest_of(nodes, limit), among)


def _colouring(nodes: Sequence[Node], limit: int, keep: Sequence[bool]) -> Colouring:
    palettes = {file: _palette(limit, size) for file, size in SIZES.items()}
    return Colouring(nodes, [palettes[node.file] for node in nodes], keep)


def _lowest_of(nodes: Sequence[Node], limit: int) -> Choose:
    return partial(_lowest, nodes, (1 << limit) - 1)


def _highest(given: dict[int, int]) -> int:
    """Registers up to the highest that is given."""
    return max(given.values(), default=0).bit_length()


def _palette(limit: int, size: int) -> Palette:
    return Palette((1 << limit) - 1, size, room=limit - 2 * size)


def _lowest(nodes: Sequence[Node], registers: int, number: int, free: int) -> int:
    """Bit set of what a node gets of some registers of which some are free, 0 if no pair is."""
    if SIZES[nodes[number].file] == 2:
        pairs = free & free >> 1 & EVEN
        return 3 * (pairs & -pairs)
    taken = registers & ~free
    halves = free & ((taken & EVEN) << 1 | taken >> 1 & EVEN)
    free = halves or free
    return free & -free
