"""Records of what kernels print: read in whatever order threads took room, told in one."""

from __future__ import annotations

import itertools
import random
import struct

import pytest

from machines.kinds.simt import printing

FORMATS = {64: b"%d %d;", 128: b"end;"}
WHO = [
    (launch, (bx, by, bz), (x, y, z))
    for launch, bz, by, bx, z, y, x in itertools.product(range(2), repeat=7)
]
"""Launches, blocks and threads as they are to be told: along x first."""


def record(launch: int, block: tuple, thread: tuple, format: int, *numbers: int) -> bytes:
    size = printing.record_bytes(4 * len(numbers))
    head = struct.pack("<IIQ6I", size, launch, format, *block, *thread)
    return (head + struct.pack(f"<{len(numbers)}i", *numbers)).ljust(size, b"\0")


def held(records: list[bytes], cursor: int | None = None) -> bytes:
    data = b"".join(records)
    cursor = len(data) if cursor is None else cursor
    begin = cursor.to_bytes(8, "little").ljust(printing.RECORDS, b"\0")
    return (begin + data).ljust(printing.RECORDS + printing.ROOM, b"\0")


@pytest.mark.parametrize("seed", range(3))
def test_they_are_told_by_launch_block_and_thread(seed: int):
    printed = [(number, turn) for number in range(len(WHO)) for turn in range(2)]
    order = list(range(len(WHO)))
    random.Random(seed).shuffle(order)
    records = [
        record(*WHO[number], 64, number, turn) for turn in range(2) for number in order
    ]  # a thread's own are in order, whatever comes between
    text, lost = printing.text(held(records), FORMATS.__getitem__)
    assert text.decode() == "".join(f"{number} {turn};" for number, turn in printed)
    assert lost == 0


def test_what_had_no_room_ends_what_is_read():
    records = [record(0, (0, 0, 0), (k, 0, 0), 128) for k in range(3)]
    room = len(records[0])
    text, lost = printing.text(held(records[:2], printing.ROOM + 7 * room), FORMATS.__getitem__)
    assert text == b"end;end;" and lost == 7 * room


def test_nothing_printed():
    assert printing.text(held([]), FORMATS.__getitem__) == (b"", 0)
