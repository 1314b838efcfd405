"""Colouring: a register of the machine for each node of an interference graph.

Registers are taken off the graph one by one, those with few neighbours first; in the opposite order
each gets a register that none of its neighbours has.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from compiler.targets.epic.registers.interference import Interference
from compiler.targets.epic.registers.operands import PREFIX
from compiler.targets.epic.registers.pressure import allocatable
from machines.kinds.epic.fields import Epic


@dataclass(frozen=True, slots=True)
class _Palette:
    """The registers to give out, and their bits; together they are `all`."""

    registers: Sequence[tuple[str, int]]
    all: int


class _Nodes:
    """The nodes of a graph by position among its names.

    starts, neighbours   those of a node are neighbours[starts[node]:starts[node + 1]], ascending
    palettes, keep       the registers that it may have; whether it has to have one
    weight, forbidden    see `Interference`
    """

    def __init__(self, graph: Interference, description: Epic, unspillable: Collection[str]):
        self.names = graph.names
        self.starts, self.neighbours = graph.edges()
        palettes = _palettes(graph, description)
        self.files = [graph.files[name] for name in self.names]
        self.palettes = [
            palettes[file, name in graph.still]
            for name, file in zip(self.names, self.files, strict=True)
        ]
        self.keep = [name in unspillable for name in self.names]
        numbers = [graph.numbers[name] for name in self.names]
        self.weight = [graph.weight[number] for number in numbers]
        self.forbidden = [graph.forbidden[number] for number in numbers]

    def beside(self, node: int) -> list[int]:
        return self.neighbours[self.starts[node] : self.starts[node + 1]]


def colour(
    graph: Interference, description: Epic, unspillable: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """Registers for the virtual ones, and those that found none (in no particular file).

    `unspillable` ones are coloured first; if one of them still finds no register, a spillable
    neighbour is named in its place.
    """
    nodes = _Nodes(graph, description, unspillable)
    bits = dict(graph.bits)
    colours: dict[str, str] = {}
    given = [0] * len(nodes.names)
    uncoloured: dict[int, None] = {}
    turn = dict.fromkeys(PREFIX, 0)
    for node in elimination_order(nodes):
        name, file, palette = nodes.names[node], nodes.files[node], nodes.palettes[node]
        taken = nodes.forbidden[node]
        for other in nodes.beside(node):
            taken |= given[other]
        chosen = _preferred(graph, name, palette, taken, colours)
        if chosen is None and palette.all & ~taken:
            registers = palette.registers
            step = turn[file]
            while registers[step % len(registers)][1] & taken:
                step += 1
            turn[file], chosen = step + 1, registers[step % len(registers)][0]
        if chosen is not None:
            colours[name], given[node] = chosen, bits[chosen]
        elif not nodes.keep[node] or not palette.all & ~nodes.forbidden[node]:
            uncoloured[node] = None  # it is spilled, or calls leave it none, whoever gives way
        else:
            uncoloured[_victim(nodes, node, uncoloured)] = None
    return colours, [nodes.names[node] for node in uncoloured]


def _palettes(graph: Interference, description: Epic) -> dict[tuple[str, bool], _Palette]:
    """(file, whether without those that rotate) -> the registers to give out."""
    found = {}
    for file, prefix in PREFIX.items():
        numbers = allocatable(description, file)
        if file == "general":
            numbers = numbers[: len(numbers) - graph.outputs]
        still = [number for number in numbers if number not in graph.rotating[file]]
        for is_still, chosen in ((False, numbers), (True, still)):
            registers = [(name, graph.bit(name)) for name in (f"{prefix}{n}" for n in chosen)]
            found[file, is_still] = _Palette(registers, sum(bit for _, bit in registers))
    return found


def elimination_order(nodes: _Nodes) -> list[int]:
    """The order in which to give out registers: the hard ones first.

    Taken off the graph last is coloured first; a register with fewer neighbours than its file has
    registers can always wait.  If there is none, the cheapest to spill for its degree is taken off:
    as that only grows dearer while neighbours go, what a heap holds of it is a bound from below.
    """
    size = len(nodes.names)
    degree = [
        nodes.starts[node + 1] - nodes.starts[node] + nodes.forbidden[node].bit_count()
        for node in range(size)
    ]
    limit = [len(palette.registers) for palette in nodes.palettes]
    easy = [node for node in range(size) if degree[node] < limit[node]]
    queued = [degree[node] < limit[node] for node in range(size)]
    removed = [False] * size

    def cost(node: int) -> tuple[bool, float, int]:
        return nodes.keep[node], nodes.weight[node] / max(1, degree[node]), node

    hard = [cost(node) for node in range(size) if not queued[node]]
    heapq.heapify(hard)
    taken_off: list[int] = []
    while len(taken_off) < size:
        if easy:
            node = easy.pop()
        else:
            known = heapq.heappop(hard)
            node = known[-1]
            if removed[node] or queued[node]:
                continue
            if known != cost(node):
                heapq.heappush(hard, cost(node))
                continue
            queued[node] = True
        removed[node] = True
        taken_off.append(node)
        for other in nodes.beside(node):
            if not removed[other]:
                degree[other] -= 1
                if degree[other] < limit[other] and not queued[other]:
                    queued[other] = True
                    easy.append(other)
    return taken_off[::-1]


def _preferred(
    graph: Interference, name: str, palette: _Palette, taken: int, colours: dict[str, str]
) -> str | None:
    """A free register that a copy from or to `name` has."""
    for other in graph.copies.get(name, ()):
        register = colours.get(other, other)
        if graph.bits.get(register, 0) & palette.all & ~taken:
            return register
    return None


def _victim(nodes: _Nodes, node: int, chosen: Collection[int]) -> int:
    """The cheapest spillable neighbour of a register that must have one; else itself."""
    candidates = [n for n in nodes.beside(node) if not nodes.keep[n] and n not in chosen]
    return min(candidates, key=nodes.weight.__getitem__, default=node)
