"""What kernels printed, read from the memory of a run."""

from __future__ import annotations

from machines.kinds.simt import printing
from machines.layout import BASE, Memory, MemoryFault
from sim.kinds.printed import Printed


def printed_by_kernels(memory: Memory) -> Printed:
    """The text of all records; what is at an address that is none is said there."""

    def string(address: int) -> bytes:
        try:
            memory.check(address, 1)
        except MemoryFault:
            return b"(no text is at %#x)" % address
        owner = next(
            one for one in memory.placements.values() if 0 <= address - one.address < one.size
        )
        end = owner.address + owner.size - BASE
        return memory.bytes[address - BASE : end].tobytes().partition(b"\0")[0]

    text, lost = printing.text(memory.view(printing.BUFFER).tobytes(), string)
    return Printed(text.decode("utf-8", "backslashreplace"), lost)
