"""Which registers of the machine the nodes of an interference graph may have, and which they get.

Calls keep the last general registers for arguments; what is alive in a pipelined loop may have none
that rotates.  A register gets one that a copy from or to it has, otherwise the next of its file in
turn, so that false dependences are rare.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from compiler.machine_code.colouring import Bias, Colouring, Node, Palette
from compiler.machine_code.interference import Interference
from compiler.targets.epic.registers.operands import PREFIX
from compiler.targets.epic.registers.pressure import allocatable
from machines.kinds.epic.fields import Epic


@dataclass(frozen=True)
class Reserved:
    """Registers that a function needs for more than its values.

    outputs   how many of the last general registers its calls pass arguments in
    rotating  numbers of the registers of each file that its pipelined loops rotate
    """

    outputs: int
    rotating: dict[str, frozenset[int]]


def colour(
    graph: Interference,
    description: Epic,
    reserved: Reserved,
    static: Collection[str],
    unspillable: Collection[str],
) -> tuple[dict[str, str], list[str]]:
    """Registers for the virtual ones, and those that found none (in no particular file).

    `static` ones may not have a register that rotates.  `unspillable` ones are coloured first; if
    one of them finds no register all the same, a spillable neighbour is named in its place.
    """
    nodes = graph.nodes()
    palettes = _palettes(graph, description, reserved)
    chosen = [palettes[node.file, node.members[0] in static] for node in nodes]
    keep = [node.members[0] in unspillable for node in nodes]
    in_turn = _InTurn(graph, nodes, chosen)
    given, spilled = Colouring(nodes, [one.palette for one in chosen], keep).colour(in_turn.choose)
    names = {bit: name for name, bit in graph.bits.items()}
    colours = {nodes[number].members[0]: names[bit] for number, bit in given.items()}
    return colours, [nodes[number].members[0] for number in spilled]


@dataclass(frozen=True, slots=True)
class _Registers:
    """The registers of a palette: their bits, in order."""

    palette: Palette
    bits: tuple[int, ...]


def _palettes(
    graph: Interference, description: Epic, reserved: Reserved
) -> dict[tuple[str, bool], _Registers]:
    """(file, whether without those that rotate) -> the registers to give out."""
    found = {}
    for file, prefix in PREFIX.items():
        numbers = allocatable(description, file)
        if file == "general":
            numbers = numbers[: len(numbers) - reserved.outputs]
        static = [number for number in numbers if number not in reserved.rotating[file]]
        for is_static, chosen in ((False, numbers), (True, static)):
            bits = tuple(graph.bit(f"{prefix}{number}") for number in chosen)
            palette = Palette(sum(bits), size=1, room=len(bits) - 1)
            found[file, is_static] = _Registers(palette, bits)
    return found


class _InTurn:
    """Chooses the register of a copy, or the next in turn."""

    def __init__(self, graph: Interference, nodes: list[Node], registers: list[_Registers]):
        self._nodes, self._registers = nodes, registers
        self._bias = Bias(graph.copies, graph.bits)
        self._next = dict.fromkeys(PREFIX, 0)

    def choose(self, number: int, free: int) -> int:
        """The bit of a node's register, one of those that are `free`."""
        (name,) = self._nodes[number].members
        return self._bias.choose(name, free, partial(self._in_turn, number))

    def _in_turn(self, number: int, free: int) -> int:
        file, bits = self._nodes[number].file, self._registers[number].bits
        step = self._next[file]
        while not bits[step % len(bits)] & free:
            step += 1
        self._next[file] = step + 1
        return bits[step % len(bits)]
