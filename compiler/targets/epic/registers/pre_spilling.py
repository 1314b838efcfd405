"""Registers that are spilled before the interference graph is made.

    5000 values alive at one place, 92 registers: at least 4908 of them are kept in memory

Where far more values are alive than there are registers, the graph would have as many edges as
instructions times values, only to say that most of them must be spilled.  So the pressure may
nowhere exceed `MOST_PRESSURE` times the registers of a file: where it does, the values that are
cheapest to spill are spilled, until half of that is left.  Colouring decides which of the others
get a register.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from compiler.analyses.code_flow import leads_away, targets
from compiler.analyses.layout_graph import bits_of
from compiler.ir.module import Block, Function
from compiler.machine_code.loops import block_weights
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers.operands import (
    PREFIX,
    files_of,
    keeps_old_value,
    machine_liveness,
    reads,
    writes,
)
from compiler.targets.epic.registers.pressure import allocatable
from machines.kinds.epic.fields import Epic

MOST_PRESSURE = 2
"""Values alive at once, for each register of their file."""


def pre_spilled(function: Function, description: Epic, kept: Collection[str]) -> list[str]:
    """The virtual registers to spill, none of `kept`, so that the pressure is nowhere too high."""
    walk = _Walk(function, description, kept)
    following = dict(pairwise(function.blocks))
    for name, block in function.blocks.items():
        walk.lower_pressure(block, following.get(name))
    return list(walk.spilled)


class _Walk:
    """Walks blocks backwards with what is alive and not `spilled`: by file a bit set, over the
    numbers of the liveness, of what crosses blocks, and the names of what does not."""

    def __init__(self, function: Function, description: Epic, kept: Collection[str]):
        self.spilled: dict[str, None] = {}
        self._weights: dict[str, float] = {}
        self._files: dict[str, str] = {}
        weight_of_block = block_weights(function)
        for name, block in function.blocks.items():
            for instruction in block.instructions:
                for register, file in files_of(instruction):
                    if is_virtual(register) and register not in kept:
                        self._files[register] = file
                        before = self._weights.get(register, 0.0)
                        self._weights[register] = before + weight_of_block[name]
        self._live = machine_liveness(function)
        numbers = self._live.numbers
        self._crossing = {
            file: bits_of(numbers[n] for n, f in self._files.items() if f == file and n in numbers)
            for file in PREFIX
        }
        self._most = {file: MOST_PRESSURE * len(allocatable(description, file)) for file in PREFIX}

    def lower_pressure(self, block: Block, following: str | None) -> None:
        """Choose what is spilled for the pressure in a block, which runs on into `following`."""
        crossing = self._live.live_in[following] if following else 0
        within: dict[str, dict[str, None]] = {file: {} for file in PREFIX}
        for instruction in reversed(block.instructions):
            if instruction.operation.control:
                if leads_away(instruction):
                    crossing = 0
                for target in targets(instruction):
                    crossing |= self._live.live_in[target]
                for file in PREFIX:
                    self._lower_pressure(file, crossing, within[file])
            if not keeps_old_value(instruction):
                for name, _ in writes(instruction):
                    if name in self._files:
                        within[self._files[name]].pop(name, None)
                        crossing &= ~self._bit(name)
            for name, _ in reads(instruction):
                if name in self._files:
                    file = self._files[name]
                    if name in self._live.numbers:
                        crossing |= self._bit(name)
                    elif name not in self.spilled:
                        within[file][name] = None
                    self._lower_pressure(file, crossing, within[file])

    def _bit(self, name: str) -> int:
        number = self._live.numbers.get(name)
        return 0 if number is None else 1 << number

    def _lower_pressure(self, file: str, crossing: int, within: dict[str, None]) -> None:
        """Spill the cheapest of what is alive in a file, if that is too much."""
        crossing &= self._crossing[file]
        if crossing.bit_count() + len(within) <= self._most[file]:
            return
        alive = [*self._live.names(crossing), *within]
        alive.sort(key=self._weights.__getitem__)
        for name in alive[: len(alive) - self._most[file] // 2]:
            self.spilled[name] = None
            within.pop(name, None)
            self._crossing[file] &= ~self._bit(name)
