"""How many registers of each file the values alive at a point of a schedule need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from compiler.ir.module import Instruction
from compiler.machine_code.liveness import MachineLiveness
from compiler.targets.epic.registers.operands import PREFIX, RETURN_ADDRESS, files_of, reads, writes
from machines.kinds.epic.fields import Epic

SPARE = 4
"""Registers kept free in the estimate, for what it does not see."""


class Pressure:
    """Follows a schedule of the code of a block as it is made; `is_high` says that a file is about
    full.

    A register counts as alive from its first write (or the block's head) to its last read (or the
    block's end).  `room` is what `room_of` says of the machine.
    """

    def __init__(
        self,
        code: list[Instruction],
        live: MachineLiveness,
        block: str,
        room: Mapping[str, int],
    ):
        self._file = {name: file for i in code for name, file in files_of(i)}
        self._unread = Counter(name for i in code for name, _ in reads(i))
        self._unread.update(live.among(live.live_out[block], self._file))
        self._alive = live.among(live.live_in[block], self._file)
        used = Counter(self._file[name] for name in self._alive)
        self._free = {file: count - used[file] for file, count in room.items()}

    @property
    def is_high(self) -> bool:
        return min(self._free.values()) <= 0

    def issue(self, instruction: Instruction) -> None:
        """Count the values that an instruction ends and begins."""
        for name, _ in reads(instruction):
            self._unread[name] -= 1
            if not self._unread[name] and name in self._alive:
                self._alive.remove(name)
                self._free[self._file[name]] += 1
        for name, _ in writes(instruction):
            if name in self._file and self._unread[name] > 0 and name not in self._alive:
                self._alive.add(name)
                self._free[self._file[name]] -= 1


def room_of(description: Epic) -> dict[str, int]:
    """How many values each register file holds before it counts as full."""
    return {file: len(allocatable(description, file)) - SPARE for file in PREFIX}


def allocatable(description: Epic, file: str) -> list[int]:
    """Numbers of the registers of a file that the allocator may give out."""
    registers = description.registers[file]
    kept = {*registers.reserved}
    if file == "branch":
        kept.add(int(RETURN_ADDRESS[1:]))
    if registers.stack_pointer is not None:
        kept.add(registers.stack_pointer)
    if file == "general" and registers.rotating:
        first, last = registers.rotating
        kept.update(range(first + description.largest_frame, last + 1))
    return [number for number in range(registers.count) if number not in kept]
