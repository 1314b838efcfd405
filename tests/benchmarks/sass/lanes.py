"""The threads of a launch as machine code sees them: registers, predicates, memory, constants.

Everything is an array over all threads of all blocks, warp after warp; the last warp of a block may
have lanes that are no threads.  Uniform registers are kept for each thread, too: those of a warp
are alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.layout import BASE, Memory
from machines.threads.grid import Grid

WARP = 32
RESERVED_SHARED = 0x400
"""Bytes of shared memory before those of the block, as on chips from Ampere on."""
PARAMETERS = {"sm_80": 0x160, "sm_86": 0x160, "sm_89": 0x160, "sm_90": 0x210}
"""Where a kernel's parameters begin in constant bank 0."""


class CannotExecute(Exception):
    """The code has what is not executed here; says what."""


@dataclass
class Threads:
    """Where the threads of a launch are.

    number     of lanes, those that are no threads included
    block      block of each lane
    index      x, y, z of each lane in its block
    registers  32 bits by name: 'R3', 'UR4'; what was never written is 0
    predicates bool by name: 'P0', 'UP1'
    """

    grid: Grid
    memory: Memory
    constants: bytes
    shared_bytes: int
    local_bytes: int

    def __post_init__(self) -> None:
        x, y, z = self.grid.threads
        in_block = x * y * z
        lanes = -(-in_block // WARP) * WARP
        blocks = int(np.prod(self.grid.blocks))
        self.lanes_of_block = lanes
        self.number = lanes * blocks
        lane = np.tile(np.arange(lanes), blocks)
        self.is_thread = lane < in_block
        self.block = np.repeat(np.arange(blocks), lanes)
        self.index = (lane % x, lane // x % y, lane // (x * y))
        bx, by, _ = self.grid.blocks
        self.block_index = (self.block % bx, self.block // bx % by, self.block // (bx * by))
        self.lane = lane % WARP
        self.registers: dict[str, np.ndarray] = {}
        self.predicates: dict[str, np.ndarray] = {}
        self.shared = np.zeros((blocks, RESERVED_SHARED + self.shared_bytes), np.uint8)
        self.local = np.zeros((self.number, self.local_bytes + 64), np.uint8)

    def register(self, name: str, at: np.ndarray) -> np.ndarray:
        """uint32 of some lanes."""
        if name in ("RZ", "URZ", "SRZ"):
            return np.zeros(len(at), np.uint32)
        return self._file(name)[at]

    def set_register(self, name: str, at: np.ndarray, value: np.ndarray) -> None:
        if name not in ("RZ", "URZ"):
            self._file(name)[at] = value

    def _file(self, name: str) -> np.ndarray:
        if name not in self.registers:
            self.registers[name] = np.zeros(self.number, np.uint32)
        return self.registers[name]

    def predicate(self, name: str, at: np.ndarray) -> np.ndarray:
        if name in ("PT", "UPT"):
            return np.ones(len(at), bool)
        found = self.predicates.get(name)
        return np.zeros(len(at), bool) if found is None else found[at]

    def set_predicate(self, name: str, at: np.ndarray, value: np.ndarray) -> None:
        if name in ("PT", "UPT"):
            return
        if name not in self.predicates:
            self.predicates[name] = np.zeros(self.number, bool)
        self.predicates[name][at] = value

    def constant(self, place: np.ndarray, size: int) -> np.ndarray:
        """Little-endian numbers of bank 0."""
        bank = np.frombuffer(self.constants, np.uint8)
        if len(place) and int(place.max()) + size > len(bank):
            raise CannotExecute(f"constant at {int(place.max()):#x}, of {len(bank)} bytes")
        return gathered(bank, place, size)

    def bytes_of(self, space: str, at: np.ndarray, address: np.ndarray, size: int):
        """(flat uint8 array, offsets in it) of accesses; raises CannotExecute outside of it."""
        if space == "global":
            flat, offset = self.memory.bytes, address.astype(np.int64) - BASE
            inside = (offset >= 0) & (offset + size <= len(flat))
        elif space == "shared":
            width = self.shared.shape[1]
            inside = address + size <= width
            flat, offset = self.shared.reshape(-1), self.block[at] * width + address.astype(int)
        else:
            width = self.local.shape[1]
            inside = address + size <= width
            flat, offset = self.local.reshape(-1), at * width + address.astype(int)
        if not inside.all():
            bad = int(address[np.argmin(inside)])
            raise CannotExecute(f"an access of {space} memory at {bad:#x}")
        return flat, offset


def gathered(flat: np.ndarray, offset: np.ndarray, size: int) -> np.ndarray:
    """uint64 of `size` bytes each, at most eight."""
    value = np.zeros(len(offset), np.uint64)
    for k in range(size):
        value |= flat[offset + k].astype(np.uint64) << np.uint64(8 * k)
    return value


def scattered(flat: np.ndarray, offset: np.ndarray, size: int, value: np.ndarray) -> None:
    for k in range(size):
        flat[offset + k] = (value >> np.uint64(8 * k)).astype(np.uint8)


def constant_bank(target: str, grid: Grid, parameters: bytes, local_bytes: int) -> bytes:
    """Bank 0 of a launch: extents at 0, the top of the stack at 0x28, then the parameters."""
    if target not in PARAMETERS:
        raise CannotExecute(f"where parameters are on {target}")
    begin = PARAMETERS[target]
    words = np.zeros(begin // 4, np.uint32)
    words[0:3], words[3:6], words[10] = grid.threads, grid.blocks, local_bytes
    return words.tobytes() + parameters + bytes(16)
