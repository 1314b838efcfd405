"""The flat memory of a run: where buffers stand, and what an access may touch.

One layout serves the interpreters and the cores, so that addresses (and therefore faults, pointer
comparisons and cache sets) are the same in all of them.  Buffers start on a granule and are
followed by at least one unmapped granule, so that running off an end faults.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from machines.diagnostics import input_error
from machines.later import Later

np = Later("numpy")

GRANULE = 4096  # bytes; one entry of the granule map
BASE = 0x1_0000  # the first buffer's address: null and small integers never point into a buffer
MOST_BYTES = 1 << 28
"""Of an input array, and of a program's buffers together: the memory is real memory of the host."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A buffer in memory: bytes [address, address + size)."""

    name: str
    address: int
    size: int


class MemoryFault(Exception):
    """An access not wholly inside one buffer ('out of bounds') or misaligned ('misaligned')."""

    def __init__(self, kind: str, address: int, size: int):
        super().__init__(kind, address, size)
        self.kind = kind
        self.address = address
        self.size = size

    def __str__(self) -> str:
        return f"{self.kind}: {self.size} bytes at {self.address:#x}"


class Memory:
    """Buffers placed in order, and their bytes.

    bytes        uint8[span]; byte k is address BASE + k
    granule_map  uint16[span / GRANULE]: 1 + index of the buffer that owns the granule, 0 for none
    starts, ends int64[buffers + 1]: address range of each buffer, entry 0 empty
    """

    def __init__(self, buffers: Iterable[tuple[str, int]]):
        self.placements: dict[str, Placement] = {}
        address = BASE
        for name, size in buffers:
            self.placements[name] = Placement(name, address, size)
            address += (size + GRANULE - 1) // GRANULE * GRANULE + GRANULE
        span = address - BASE
        self.bytes = np.zeros(max(span, GRANULE), dtype=np.uint8)
        self.granule_map = np.zeros(max(span, GRANULE) // GRANULE, dtype=np.uint16)
        self.starts = np.zeros(len(self.placements) + 1, dtype=np.int64)
        self.ends = np.zeros(len(self.placements) + 1, dtype=np.int64)
        for index, placement in enumerate(self.placements.values(), start=1):
            first = (placement.address - BASE) // GRANULE
            last = (placement.address - BASE + max(placement.size, 1) - 1) // GRANULE
            self.granule_map[first : last + 1] = index
            self.starts[index] = placement.address
            self.ends[index] = placement.address + placement.size

    def address(self, symbol: str) -> int:
        """The address of a buffer, or of a byte in it: 'table', 'table+16'.

        Raises InputError if there is no such buffer.
        """
        name, _, distance = symbol.partition("+")
        if name not in self.placements:
            raise input_error(
                f"the program uses the address of '{name}', which is no buffer in memory",
                hint=f"buffers: {', '.join(self.placements) or 'none'}",
            )
        return self.placements[name].address + int(distance or 0)

    def view(self, name: str, dtype: np.dtype | str = "u1") -> np.ndarray:
        """The bytes of a buffer as a one-dimensional array that shares the memory."""
        placement = self.placements[name]
        offset = placement.address - BASE
        return self.bytes[offset : offset + placement.size].view(dtype)

    def copy(self) -> Memory:
        """A memory of the same layout with its own bytes."""
        twin = object.__new__(Memory)
        twin.__dict__.update(self.__dict__)
        twin.bytes = self.bytes.copy()
        return twin

    def check(self, address: int, size: int, alignment: int | None = None) -> int:
        """The offset of an access into `bytes`; raises `MemoryFault`.

        Alignment (the access's size unless given) is checked after bounds.
        """
        granule = (address - BASE) // GRANULE
        owner = self.granule_map[granule] if 0 <= granule < len(self.granule_map) else 0
        if not owner or address < self.starts[owner] or address + size > self.ends[owner]:
            raise MemoryFault("out of bounds", address, size)
        if address % (alignment or size):
            raise MemoryFault("misaligned", address, size)
        return address - BASE

    def load(self, address: int, size: int) -> int:
        """`size` bytes, little-endian, as an unsigned integer."""
        offset = self.check(address, size)
        return int.from_bytes(self.bytes[offset : offset + size].tobytes(), "little")

    def store(self, address: int, size: int, value: int, alignment: int | None = None) -> None:
        """Write the low `size` bytes of `value`, little-endian."""
        offset = self.check(address, size, alignment)
        data = (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")
        self.bytes[offset : offset + size] = np.frombuffer(data, dtype=np.uint8)
