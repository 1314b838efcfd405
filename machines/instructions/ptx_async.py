"""ptx rows: copies from global to shared memory that go on while threads do something else.

cp.async.cg.shared.global.16 to, offset, from, offset, bytes    16 bytes, of which `bytes` are read
cp.async.commit_group                                           the copies so far are a group
cp.async.wait_group 1                                           all groups are there but the last

(PTX ISA 9.0, *Data Movement and Conversion Instructions: Asynchronous copy*.)  What a copy writes
may be read by its thread once that has waited, by others behind a barrier after that; whoever
accesses it before has a race, which is a fault.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import ORDERS, immediate, read, row
from machines.operations.row import Access, Asynchronous

SIZES = {"ca": (4, 8, 16), "cg": (16,)}
"""Bytes of a copy by cache operator: 'ca' at all levels, 'cg' past the L1."""


def _copies():
    to, source = read("address", "u32", "address"), read("source", "u64", "address")
    offsets = immediate("offset", 32), immediate("source_offset", 32)
    for operator, sizes in SIZES.items():
        for size in sizes:
            where = "" if operator == "ca" else ", past the L1"
            name = f"cp.async.{operator}.shared.global.{size}"
            yield row(
                name,
                (to, offsets[0], source, offsets[1], read("bytes", "u32")),
                "",
                f"Set out to copy {size} bytes from global to shared memory{where}; those beyond "
                "the first `bytes` become 0.",
                "copy_async",
                accesses=(
                    Access("load", size, "source", "global", 1, "source_offset"),
                    Access("store", size, "address", "shared", 1, "offset"),
                ),
                asynchronous=Asynchronous("copy", "bytes", operator == "ca"),
                syntax=f"{name} [{{address}}+{{offset}}], [{{source}}+{{source_offset}}], "
                "{bytes}",
            )


def _groups():
    yield row(
        "cp.async.commit_group",
        (),
        "",
        "The copies of the thread since the last time are a group.",
        "copy_group",
        flags=ORDERS,
        asynchronous=Asynchronous("commit"),
    )
    yield row(
        "cp.async.wait_group",
        (immediate("count", 6, signed=False),),
        "",
        "Wait for all groups of the thread but the last `count`.",
        "copy_group",
        flags=ORDERS,
        asynchronous=Asynchronous("wait", count="count"),
    )
    yield row(
        "cp.async.wait_all",
        (),
        "",
        "Wait for all copies of the thread.",
        "copy_group",
        flags=ORDERS,
        asynchronous=Asynchronous("wait"),
    )


ROWS = (*_copies(), *_groups())
