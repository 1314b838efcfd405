"""ptx rows: copies from global to shared memory that go on while threads do something else.

cp.async.cg.shared.global.16 to, offset, from, offset, bytes    16 bytes, of which `bytes` are read
cp.async.commit_group                                           the copies so far are a group
cp.async.wait_group 1                                           all groups are there but the last

(PTX ISA 9.0, *Data Movement and Conversion Instructions: Asynchronous copy*.)  What a copy writes
may be read by its thread once that has waited, by others behind a barrier after that; whoever
accesses it before has a race, which is a fault.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from machines.instructions.ptx_operands import ORDERS, computed, immediate, read, row, write
from machines.operations.row import Access, Asynchronous, BarrierObject
from machines.vocabulary.mbarriers import MOST_COUNT
from machines.vocabulary.tensor_maps import MOST_RANK

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


# Many bytes --------------------------------------------------------------------------------------


REDUCTION = immediate("kind", 12, signed=False)
"""See `machines.vocabulary.bulk_reductions`; of a tensor the map says the type."""


def _bulk():
    shared = read("address", "u32", "address"), immediate("offset", 32)
    there = read("source", "u64", "address"), immediate("source_offset", 32)
    barrier = read("barrier", "u32", "address"), immediate("barrier_offset", 32)
    bytes_ = read("bytes", "u32")
    inside = Access("store", 16, "address", "shared", 1, "offset")
    outside = Access("load", 16, "source", "global", 1, "source_offset")
    yield row(
        "cp.async.bulk.shared.global",
        (*shared, *there, bytes_, *barrier),
        "",
        "Set out to copy bytes from global to shared memory; a barrier object is told when they "
        "are there.",
        "copy_bulk",
        accesses=(outside, inside),
        flags=ORDERS,
        asynchronous=Asynchronous("bulk_in", "bytes", barrier=("barrier", "barrier_offset")),
    )
    yield row(
        "cp.async.bulk.global.shared",
        (*there, *shared, bytes_),
        "",
        "Set out to copy bytes from shared to global memory.",
        "copy_bulk",
        accesses=(replace(inside, kind="load"), replace(outside, kind="store")),
        flags=ORDERS,
        asynchronous=Asynchronous("bulk_out", "bytes"),
    )
    yield row(
        "cp.reduce.async.bulk.global.shared",
        (*there, *shared, bytes_, REDUCTION),
        "",
        "Set out to reduce elements in global memory by those of shared memory.",
        "copy_bulk",
        accesses=(replace(inside, kind="load"), replace(outside, kind="store")),
        flags=ORDERS,
        asynchronous=Asynchronous("bulk_out", "bytes", reduces="kind"),
    )
    yield row(
        "cp.async.bulk.commit_group",
        (),
        "",
        "The thread's copies from shared to global memory since the last time are a group.",
        "copy_group",
        flags=ORDERS,
        asynchronous=Asynchronous("bulk_commit"),
    )
    for reads in (False, True):
        yield row(
            f"cp.async.bulk.wait_group{'.read' if reads else ''}",
            (immediate("count", 6, signed=False),),
            "",
            "Wait until all such groups of the thread but the last `count` "
            + ("have been read." if reads else "are written."),
            "copy_group",
            flags=ORDERS,
            asynchronous=Asynchronous("bulk_wait", count="count", reads=reads),
        )


def _boxes():
    shared = read("address", "u32", "address"), immediate("offset", 32)
    there = read("map", "u64", "address"), immediate("map_offset", 32)
    barrier = read("barrier", "u32", "address"), immediate("barrier_offset", 32)
    inside = Access("store", 16, "address", "shared", 1, "offset")
    described = Access("load", 16, "map", "global", 1, "map_offset")
    for rank in range(1, MOST_RANK + 1):
        coordinates = tuple(read(f"c{k}", "u32") for k in range(rank))
        given = {"map": ("map", "map_offset"), "coordinates": tuple(c.name for c in coordinates)}
        yield row(
            f"cp.async.bulk.tensor.{rank}d.shared.global",
            (*shared, *there, *coordinates, *barrier),
            "",
            f"Set out to copy a box of a tensor of {rank} dimensions to shared memory; a barrier "
            "object is told when it is there.",
            "copy_bulk",
            accesses=(described, inside),
            flags=ORDERS,
            asynchronous=Asynchronous("tensor_in", barrier=("barrier", "barrier_offset"), **given),
        )
        yield row(
            f"cp.async.bulk.tensor.{rank}d.global.shared",
            (*there, *coordinates, *shared),
            "",
            f"Set out to copy a box from shared memory to a tensor of {rank} dimensions.",
            "copy_bulk",
            accesses=(described, replace(inside, kind="load")),
            flags=ORDERS,
            asynchronous=Asynchronous("tensor_out", **given),
        )
        yield row(
            f"cp.reduce.async.bulk.tensor.{rank}d.global.shared",
            (*there, *coordinates, *shared, REDUCTION),
            "",
            f"Set out to reduce a box of a tensor of {rank} dimensions by what shared memory has.",
            "copy_bulk",
            accesses=(described, replace(inside, kind="load")),
            flags=ORDERS,
            asynchronous=Asynchronous("tensor_out", reduces="kind", **given),
        )


# Barrier objects ------------------------------------------------------------------------------


def _of_object(name, does, sentence, results=(), operands=(), **fields):
    """A row that changes or asks a barrier object."""
    place = read("address", "u32", "address"), immediate("offset", 32)
    after = "".join(f", {{{operand.name}}}" for operand in operands)
    before = "".join(f"{{{operand.name}}}, " for operand in results)
    return row(
        name,
        (*results, *place, *operands),
        "",
        sentence,
        "mbarrier",
        accesses=(Access("load_store", 8, "address", "shared", 1, "offset"),),
        flags=ORDERS,
        barrier_object=BarrierObject(does, **fields),
        syntax=f"{name} {before}[{{address}}+{{offset}}]{after}",
    )


def _objects():
    count, bytes_ = read("count", "u32"), read("bytes", "u32")
    state = write("state", "b64")
    yield _of_object(
        "mbarrier.init", "init", "Make a barrier object that expects `count` arrivals in a phase.",
        (), (count,), count="count",
    )  # fmt: skip
    yield _of_object("mbarrier.inval", "inval", "Unmake a barrier object.")
    for drops, completes in product((False, True), (True, False)):
        name = f"mbarrier.arrive{'_drop' if drops else ''}{'' if completes else '.noComplete'}"
        sentence = "Expect `bytes` more at a barrier object and arrive `count` times; gives its "
        sentence += "state before"
        sentence += ", and expects so many less from then on" if drops else ""
        sentence += "" if completes else "; that may not end the phase"
        yield _of_object(
            name, "arrive", f"{sentence}.", (state,), (count, bytes_),
            count="count", bytes="bytes", drops=drops, completes=completes,
        )  # fmt: skip
    yield _of_object(
        "mbarrier.expect_tx", "expect", "Expect `bytes` more at a barrier object.", (), (bytes_,),
        bytes="bytes",
    )  # fmt: skip
    yield _of_object(
        "mbarrier.complete_tx", "complete",
        "So many `bytes` have come that a barrier object expects.", (), (bytes_,), bytes="bytes",
    )  # fmt: skip
    yield from _tests()
    for counts_in in (True, False):
        yield _of_object(
            f"cp.async.mbarrier.arrive{'' if counts_in else '.noinc'}",
            "copies",
            "Arrive at a barrier object when all copies of the thread so far are there"
            + (", one arrival more than it expects." if counts_in else "."),
            counts_in=counts_in,
        )
    yield computed(
        "mbarrier.pending_count",
        (write("d", "b32"), read("state", "b64")),
        f"state & {MOST_COUNT}",
        "The arrivals that were missing in a state of a barrier object.",
        "alu",
    )


def _tests():
    done = write("done", "pred")
    for waits, is_parity in product((False, True), repeat=2):
        phase = read("phase", "u32" if is_parity else "b64")
        name = f"mbarrier.{'try' if waits else 'test'}_wait{'.parity' if is_parity else ''}"
        of = "of a parity" if is_parity else "of a state that an arrival gave"
        how = ", waiting for that so many nanoseconds at most" if waits else ""
        yield _of_object(
            name,
            "test",
            f"Whether the phase of a barrier object {of} is over{how}.",
            (done,),
            (phase, read("time", "u32")) if waits else (phase,),
            phase="phase",
            time="time" if waits else None,
            is_parity=is_parity,
        )


ROWS = (*_copies(), *_groups(), *_bulk(), *_boxes(), *_objects())
