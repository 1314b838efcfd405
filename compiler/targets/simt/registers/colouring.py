"""Registers for the nodes of an interference graph, as few as possible.

Nodes are taken off the graph one by one, first those that always find a register because their
neighbours do not fill the file; in the opposite order each gets the lowest register that none of
its neighbours has (Briggs, Cooper, Torczon, *Improvements to graph coloring register allocation*,
1994).  A value of 64 bits takes a pair that begins at an even number; one of 32 bits goes beside
another one first, so that pairs stay whole.
"""

from __future__ import annotations

import heapq

from compiler.targets.simt.registers.interference import SIZES, Interference


def colour(
    graph: Interference, files: tuple[str, ...], limit: int, unspillable: frozenset[int]
) -> tuple[dict[int, int], list[int]]:
    """(node -> its first register, nodes that found none) for the nodes of some files that share
    `limit` registers.

    A node among `unspillable` that finds none is named only if no neighbour can be in its place.
    """
    colours: dict[int, int] = {}
    uncoloured: list[int] = []
    for node in _order(graph, files, limit, unspillable):
        taken = 0
        for other in graph.neighbours[node]:
            if other in colours:
                taken |= _occupied(graph, other, colours[other])
        register = _lowest(taken, SIZES[graph.files[node]], limit)
        if register is not None:
            colours[node] = register
        elif node not in unspillable:
            uncoloured.append(node)
        else:
            uncoloured += _victim(graph, node, unspillable, uncoloured)
    return colours, list(dict.fromkeys(uncoloured))


def _occupied(graph: Interference, node: int, register: int) -> int:
    return ((1 << SIZES[graph.files[node]]) - 1) << register


def _lowest(taken: int, size: int, limit: int) -> int | None:
    """The register to give, None if there is none."""
    if size == 2:
        free = ~(taken | taken >> 1) & ((1 << max(0, limit - 1)) - 1) & EVEN
    else:
        free = ~taken & ((1 << limit) - 1)
        half = free & ((taken & EVEN) << 1 | (taken >> 1) & EVEN)
        free = half or free
    return (free & -free).bit_length() - 1 if free else None


EVEN = sum(1 << k for k in range(0, 2048, 2))
"""Bit set of the even numbers."""


def _order(
    graph: Interference, files: tuple[str, ...], limit: int, unspillable: frozenset[int]
) -> list[int]:
    """The order in which to give out registers: the hard nodes first."""
    sizes = {node: SIZES[graph.files[node]] for node in graph.nodes_of(*files)}
    pressure = {node: sum(sizes[other] for other in graph.neighbours[node]) for node in sizes}
    easy = [(pressure[node], node) for node in sizes]
    cheap = [(*_cost(graph, node, pressure, unspillable), node) for node in sizes]
    heapq.heapify(easy)
    heapq.heapify(cheap)
    remaining = dict.fromkeys(sizes)
    taken_off: list[int] = []
    while remaining:
        while easy[0][1] not in remaining or easy[0][0] != pressure[easy[0][1]]:
            heapq.heappop(easy)
        _, node = easy[0]
        if pressure[node] + 2 * sizes[node] > limit:  # nobody is sure of a register
            node = _cheapest(graph, cheap, remaining, pressure, unspillable)
        del remaining[node]
        taken_off.append(node)
        for other in graph.neighbours[node]:
            if other in remaining:
                pressure[other] -= sizes[node]
                heapq.heappush(easy, (pressure[other], other))
    return taken_off[::-1]


def _cost(graph: Interference, node: int, pressure: dict, unspillable: frozenset[int]) -> tuple:
    return node in unspillable, graph.weight[node] / max(1, pressure[node])


def _cheapest(graph: Interference, cheap: list, remaining: dict, pressure, unspillable) -> int:
    """The node that costs least to spill for its neighbours; costs only grow, as they are taken
    off."""
    while True:
        *cost, node = cheap[0]
        now = _cost(graph, node, pressure, unspillable)
        if node not in remaining:
            heapq.heappop(cheap)
        elif now != tuple(cost):
            heapq.heapreplace(cheap, (*now, node))
        else:
            return node


def _victim(
    graph: Interference, node: int, unspillable: frozenset[int], chosen: list[int]
) -> list[int]:
    """The cheapest neighbour to spill for a node that must have a register: nobody if one is
    chosen already, the node itself if there is none."""
    neighbours = sorted(graph.neighbours[node])
    candidates = [other for other in neighbours if other not in unspillable]
    if any(other in chosen for other in candidates):
        return []
    return [min(candidates, key=lambda n: graph.weight[n], default=node)]
