"""The memory of a thread of a grid: what generic addresses lead to.

0x0000_0001_0000   the flat memory, the same for all
0x7000_0000_0000   shared memory, of its block
0x7100_0000_0000   local memory, its own
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from compiler.interpret.functions import accessors
from compiler.interpret.generate_python import GeneratedFunction
from machines.layout import Memory, MemoryFault
from machines.threads.spaces import space_of


class Window:
    """The bytes of a space that begins at a generic address."""

    def __init__(self, base: int, size: int):
        self.base, self.bytes = base, bytearray(size)

    def offset(self, address: int, size: int) -> int:
        offset = address - self.base
        if offset + size > len(self.bytes):
            raise MemoryFault("out of bounds", address, size)
        if offset % size:
            raise MemoryFault("misaligned", address, size)
        return offset

    def load(self, address: int, size: int) -> int:
        at = self.offset(address, size)
        return int.from_bytes(self.bytes[at : at + size], "little", signed=size == 8)

    def store(self, address: int, size: int, value: int) -> None:
        at = self.offset(address, size)
        self.bytes[at : at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")


class HasWindows(Protocol):
    def window(self, address: int) -> Window:
        """Its shared or its local memory, whichever the address lies in."""


def spaced_accessors(memory: Memory, generated: GeneratedFunction) -> dict[str, Callable]:
    """Loads and stores of a thread at generic addresses, by name."""
    flat = accessors(memory, generated)
    made = {}
    for kind, size in generated.accesses:
        make = _loader if kind == "load" else _storer
        made[f"{kind}{size}"] = make(flat[f"{kind}{size}"], size)
    return made


def _loader(flat: Callable, size: int) -> Callable:
    def load(thread: HasWindows, address: int) -> int:
        if space_of(address):
            return thread.window(address).load(address, size)
        return flat(address)

    return load


def _storer(flat: Callable, size: int) -> Callable:
    def store(thread: HasWindows, address: int, value: int) -> None:
        if space_of(address):
            thread.window(address).store(address, size, value)
        else:
            flat(address, value)

    return store
