"""Boxes of tensors that copies move, where a program is interpreted.

box [4, 2] of f32 at (6, 0) of a tensor of 8 columns
    ->  row 0: two elements at its columns 6 and 7, two that are out of bounds; row 1 likewise
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from compiler.targets.simt.interpreter.thread_memory import Bytes
from machines.kinds.simt.copy_faults import NO_MAP, OTHER_RANK
from machines.layout import MemoryFault
from machines.threads.spaces import LOCAL_BASE, MAPS, WINDOW
from machines.vocabulary import tensor_maps

MAP_BYTES, UNIT = 128, 16


def read_map(parameters: bytes, everywhere: Bytes, address: int) -> list[int]:
    """The words of the map at an address, of a kernel's parameters or of global memory."""
    offset = address - MAPS - (LOCAL_BASE if address >= LOCAL_BASE else 0)
    if 0 <= offset < WINDOW:
        found = parameters[offset : offset + MAP_BYTES]
    else:
        at, data = everywhere(address, 1)
        last, _ = everywhere(address + MAP_BYTES - 1, 1)
        if last - at != MAP_BYTES - 1:
            raise MemoryFault("out of bounds", address, MAP_BYTES)
        if address % 64:
            raise MemoryFault("misaligned", address, MAP_BYTES)
        found = bytes(data[at : at + MAP_BYTES])
    words = [int.from_bytes(found[k : k + 4], "little") for k in range(0, MAP_BYTES, 4)]
    if len(found) < MAP_BYTES or words[0] != tensor_maps.MAGIC:
        raise MemoryFault(NO_MAP, address, MAP_BYTES)
    return words


class Box:
    """A box at coordinates, and at an address of shared memory."""

    def __init__(self, words: list[int], coordinates: tuple[int, ...], address: int):
        self.words, self.address = [*words, *coordinates], address
        if tensor_maps.rank(words, 0) != len(coordinates):
            raise MemoryFault(OTHER_RANK, address, MAP_BYTES)
        self.row_bytes = tensor_maps.row_bytes(words, 0)
        self.rows = tensor_maps.row_count(words, 0)
        self.size = self.row_bytes * self.rows
        self.turn = tensor_maps.swizzle(words, 0)
        span = UNIT << self.turn
        self.end = address + -(-self.size // span) * span

    def bytes_of(self, row: int) -> Iterator[int | None]:
        """Where in global memory each byte of a row is; None: out of bounds."""
        size = tensor_maps.element_bytes(self.words, 0)
        start = tensor_maps.row_address(self.words, 0, row)
        first = tensor_maps.coordinate(self.words, 0, 0)
        for byte in range(self.row_bytes):
            element = first + byte // size
            is_in = start and 0 <= element < self.words[tensor_maps.SHAPE]
            yield start + size * element + byte % size if is_in else None

    def runs(self) -> Iterator[tuple[int, int, int]]:
        """(address, bytes, first byte of the row) of what is in bounds, row by row."""
        for row in range(self.rows):
            inside = [(at, k) for k, at in enumerate(self.bytes_of(row)) if at is not None]
            if inside:
                yield inside[0][0], len(inside), inside[0][1]

    def pieces(self) -> Iterator[tuple[list[int], int | None]]:
        """(offsets in shared memory, where the first is in global memory, None: out of bounds)."""
        for row in range(self.rows):
            begin = self.address + row * self.row_bytes
            for is_in, piece in groupby(enumerate(self.bytes_of(row)), lambda p: p[1] is not None):
                found = list(piece)
                places = [tensor_maps.swizzled(begin + k, self.turn) for k, _ in found]
                yield places, found[0][1] if is_in else None

    def filler(self, byte: int) -> int:
        return tensor_maps.filler(self.words, 0, byte)
