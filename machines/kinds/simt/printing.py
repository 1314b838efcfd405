"""What kernels print: records in a buffer of global memory, which the host reads in the end.

    printf("%d\\n", n);   ->   size, launch · format's address · block x, y, z, thread x · y, z · n

A thread takes room by adding its record's size to the cursor, as CUDA's printf does, and leaves out
the record if the buffer has no more; the cursor goes on, so that it is known what is lost.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from machines import printf

BUFFER = "vprintf_fifo"
"""The name of the buffer: the cursor (a u64), then the records."""
ROOM = 1 << 20
"""Bytes of records: cudaLimitPrintfFifoSize as CUDA has it if nobody sets it."""
RECORDS = 16
"""Where they begin."""
UNIT = 16
"""Bytes of which a record is a multiple."""
_HEAD = struct.Struct("<IIQ6I")
SIZE, FORMAT, BLOCK, THREAD, ARGUMENTS = 0, 8, 16, 32, _HEAD.size
"""Places in a record: size and launch; format; block x, y, z and thread x; thread y and z."""


def record_bytes(arguments: int) -> int:
    """Of a record with so many bytes of arguments."""
    return -(-(ARGUMENTS + arguments) // UNIT) * UNIT


class Record(NamedTuple):
    """`who`: launch, block z, y, x, thread z, y, x: those of one launch by block, warp and lane."""

    who: tuple[int, ...]
    format: int
    data: bytes


def records(held: bytes) -> Iterator[Record]:
    """The records of a buffer, in the order in which threads took room."""
    end = RECORDS + min(int.from_bytes(held[:8], "little"), ROOM)
    at = RECORDS
    while at + ARGUMENTS <= end:
        size, launch, format, bx, by, bz, x, y, z = _HEAD.unpack_from(held, at)
        if size == 0 or at + size > end:  # the last one had no room, or is not written yet
            return
        yield Record((launch, bz, by, bx, z, y, x), format, held[at + ARGUMENTS : at + size])
        at += size


def text(held: bytes, string: Callable[[int], bytes]) -> tuple[bytes, int]:
    """What is printed, by launch, block, warp and lane, each thread in its own order; and how many
    bytes of records are lost.  `string` gives the bytes at an address, up to a NUL."""
    found = sorted(records(held), key=lambda record: record.who)
    printed = b"".join(printf.text(string(one.format), one.data, string) for one in found)
    return printed, max(0, int.from_bytes(held[:8], "little") - ROOM)
