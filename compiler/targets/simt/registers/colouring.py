"""Registers for the nodes of an interference graph, as few as possible.

Each node gets the lowest register that is free.  A value of 64 bits takes a pair that begins at an
even number; one of 32 bits goes beside another one first, so that pairs stay whole.  Nodes have
their turn in the order in which the code names them: along straight code, where lives are
intervals, no order needs fewer registers (Hack, Grund, Goos, *Register allocation for programs in
SSA form*, 2006).  Only where some find none are they taken off the graph one by one instead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from compiler.machine_code.colouring import Colouring, Node, Palette
from compiler.targets.simt.registers.operands import OPERANDS, SIZES

EVEN = sum(1 << k for k in range(0, 2048, 2))
"""Bit set of the even numbers."""


def colour(
    nodes: Sequence[Node], limits: dict[str, int], unspillable: Collection[int]
) -> tuple[dict[int, int], list[int]]:
    """(node -> its first register, nodes that found none).

    limits   how many registers there are in each bank
    A node among `unspillable` that finds none is named only if no neighbour can be in its place.
    """
    palettes = {file: _palette(limits[bank], SIZES[file]) for file, bank in OPERANDS.banks.items()}
    colouring = Colouring(
        nodes,
        [palettes[node.file] for node in nodes],
        [number in unspillable for number in range(len(nodes))],
    )
    colours: dict[int, int] = {}
    homeless: list[int] = []
    for bank, limit in limits.items():
        choose = partial(_lowest, nodes, (1 << limit) - 1)
        among = [
            number
            for number, node in enumerate(nodes)
            if node.members and OPERANDS.banks[node.file] == bank
        ]
        given, without = colouring.colour_in(among, choose)
        if without:
            given, without = colouring.colour(choose, among)
        colours |= {number: (bits & -bits).bit_length() - 1 for number, bits in given.items()}
        homeless += without
    return colours, homeless


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
