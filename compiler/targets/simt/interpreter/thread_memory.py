"""Where a thread's accesses go: bytes of global, shared and local memory, or a fault.

    find(0x1_0010, 4)  ->  (16, the bytes of global memory)

An access of `size` bytes (of all elements of a vector) is within one buffer and aligned to itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from machines.layout import BASE, Memory, MemoryFault
from machines.threads.spaces import LOCAL, LOCAL_BASE, SHARED, SHARED_BASE, space_of

Bytes = Callable[[int, int], tuple[int, object]]
"""(address, size) -> offset and the bytes it lies in, or MemoryFault."""


def global_bytes(memory: Memory) -> Bytes:
    starts, ends = memory.starts.tolist(), memory.ends.tolist()
    data = memory.bytes.data

    def find(address: int, size: int):
        owner = bisect_right(starts, address) - 1
        if owner < 1 or address + size > ends[owner]:
            raise MemoryFault("out of bounds", address, size)
        if address % size:
            raise MemoryFault("misaligned", address, size)
        return address - BASE, data

    return find


def window_bytes(data: bytearray) -> Bytes:
    end = len(data)

    def find(address: int, size: int):
        if address + size > end:
            raise MemoryFault("out of bounds", address, size)
        if address % size:
            raise MemoryFault("misaligned", address, size)
        return address, data

    return find


def generic_bytes(everywhere: Bytes, shared: Bytes, local: Bytes) -> Bytes:
    def find(address: int, size: int):
        space = space_of(address)
        try:
            if space == SHARED:
                return shared(address - SHARED_BASE, size)
            if space == LOCAL:
                return local(address - LOCAL_BASE, size)
            return everywhere(address, size)
        except MemoryFault as fault:
            fault.address = address
            raise

    return find


def parameter(space: bytes, signed: bool, offset: int, size: int) -> int:
    """A value in the parameter space."""
    if offset + size > len(space):
        raise MemoryFault("out of bounds", offset, size)
    return int.from_bytes(space[offset : offset + size], "little", signed=signed)
