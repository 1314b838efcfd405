"""The flat memory of a run: where buffers stand, and what an access may touch.

One layout serves the interpreters and the cores, so that addresses (and therefore faults, pointer
comparisons and cache sets) are the same in all of them.

    [x][y][stack]        arrays of the caller and buffers of no section: a segment, one after the
                         other as malloc lays out blocks, at least `GUARD` unmapped bytes between
    [.rodata]            sections as a linker lays them out: variable after variable at its
    [.data][.bss]        alignment, nothing between them
    [stack]

Unmapped pages follow each segment.  An access has to lie within one buffer.  So one that runs off
the end of a block faults as soon as it touches what is behind, and one that runs off a variable of
a section reaches the next variable, as it does on hardware.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from machines.diagnostics import input_error
from machines.later import Later

np = Later("numpy")

BASE = 0x1_0000  # the first buffer's address: null and small integers never point into a buffer
PAGE = 4096
"""Bytes; a segment ends on a page, and at least one more is unmapped."""
GUARD = 8
"""Bytes behind a block that nobody owns: glibc's malloc has the header of the next one there."""
LEAST_BLOCK = 24
"""Bytes that a block takes at least: glibc's MINSIZE without its header."""
BLOCK_ALIGNMENT = 16
"""Of a block, in bytes: MALLOC_ALIGNMENT of glibc where pointers have 64 bits."""
SEGMENTS = (("rodata",), ("data", "bss"), ("stack",))
"""Sections in the order of GNU ld's script, by segment: what cannot be written stands apart, and so
does the stack, which grows towards what is below it."""
SECTIONS = tuple(section for segment in SEGMENTS for section in segment)
MOST_UNITS = 1 << 20
"""Entries of `Memory.whole`; a memory of more than 16 bytes times that has larger units."""
MOST_BYTES = 1 << 38
"""Of an array, and of a program's buffers together: no machine here has more memory.  What has only
zeros takes none of the host until it is written, so that what a run needs of it is known when its
arrays are made (`machines.host_memory`)."""
WRITTEN_BYTES = 1 << 28
"""Of data that a source spells out, or a file that is read as a whole."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A buffer that wants a place: its size and alignment in bytes, the alignment a power of two.

    section  one of `SECTIONS`, where a linker puts it; None: it is a block
    """

    name: str
    size: int
    alignment: int = BLOCK_ALIGNMENT
    section: str | None = None


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
    """Buffers in their places, and their bytes.  A pair (name, size) wants a block.

    placements   where each stands, in the order in which they were wanted
    bytes        uint8[span]; byte k is address BASE + k
    starts, ends int64[buffers + 1]: address range of each buffer by address, entry 0 empty
    whole        uint8[span >> unit_shift]: 1 if a unit of 16 bytes, or of a larger power of two,
                 lies in one buffer, as that of most accesses does; who finds 0 asks `check`
    """

    def __init__(self, buffers: Iterable[Extent | tuple[str, int]]):
        extents = [one if isinstance(one, Extent) else Extent(*one) for one in buffers]
        placed = sorted(_placed(extents), key=lambda one: one.address)
        self.placements = {one.name: one for one in placed}
        self.placements = {one.name: self.placements[one.name] for one in extents}
        span = _up(max((p.address + p.size for p in placed), default=BASE) - BASE, PAGE) + PAGE
        self.bytes = np.zeros(span, dtype=np.uint8)
        self.starts = np.array([0, *(one.address for one in placed)], dtype=np.int64)
        self.ends = np.array([0, *(one.address + one.size for one in placed)], dtype=np.int64)
        self.unit_shift = max(4, (-(-span // MOST_UNITS) - 1).bit_length())
        self.whole = np.zeros(-(-span >> self.unit_shift), dtype=np.uint8)
        unit = 1 << self.unit_shift
        for one in placed:
            first = -(-(one.address - BASE) // unit)
            self.whole[first : max(first, (one.address + one.size - BASE) // unit)] = 1

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
        owner = bisect_right(self.starts, address) - 1
        if owner < 1 or address + size > self.ends[owner]:
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


def natural_alignment(element: int, size: int) -> int:
    """Of a variable of which nobody says it: its element's, 16 for what has 16 bytes and more, as
    compilers for 64-bit ELF systems align arrays."""
    return BLOCK_ALIGNMENT if size >= BLOCK_ALIGNMENT else element


def _placed(extents: list[Extent]) -> Iterator[Placement]:
    address = BASE
    for segment in ((None,), *SEGMENTS):
        begins = address
        for section in segment:
            within = [one for one in extents if one.section == section]
            address = _up(address, max((one.alignment for one in within), default=1))
            for one in within:
                address = _up(address, one.alignment)
                yield Placement(one.name, address, one.size)
                address += max(one.size, LEAST_BLOCK) + GUARD if section is None else one.size
        if address > begins:
            address = _up(address, PAGE) + PAGE


def _up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple
