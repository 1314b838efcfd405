"""Copies from global to shared memory that go on while threads do something else.

A copy moves its bytes when it issues: nobody may see when they come, as whoever accesses a word
that is on its way has a race.  Each word has a mark of its last copy (see `marked`): which thread's
it is, and of which *batch*, whose number goes up with each group of the thread.  A thread has
waited for the batches before LANDED, and so has who sees that the phase of a barrier object is over
at which they arrive.  Beside it stands who has stored the word and who has read it since: a copy
may not overwrite it before they are through, nor read what was stored without a fence of proxies.

Who may rely on what others did is told by what warps know of each other (`cycle.meetings`).  Lanes
of a warp are taken to have met: races within a warp are seen only until the thread that copied has
waited.
"""

from __future__ import annotations

from machines.kinds.simt.copy_faults import MOST_OBJECTS
from machines.operations.row import Operation
from sim.cores.simt import tables
from sim.cores.simt.tables import code, numbered, parameters, warps
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, SPACES

COPY = code.columns(
    SOURCE="Which operand is the address in global memory.",
    SOURCE_OFFSET="What is added to it.",
    SIZE="Which operand says how many bytes are read.",
    CACHED="The L1 keeps what is read.",
    COUNT="Of a wait: groups that may still be on their way, or ALL_COPIES.",
)
KEPT = BULK_KEPT = 8
"""Arrivals at barrier objects of a thread that are remembered; groups of bulk copies."""
WAITS = 4
"""Waits that are remembered: what was waited for before these, all are taken to know of."""
COPYING = parameters.columns(
    USED="The program has copies, barrier objects or products of warp groups.",
    OBJECTS="It has barrier objects.",
    GROUPS="Groups of a thread that are kept.",
    STRIDE="Numbers of a thread.",
)
OF_THREAD = tables.copies.columns(
    BATCH="Of its next copy; from 1 on.",
    GROUPS="Groups so far.",
    DONE="When the last of its copies counts as written.",
    LANDED="It has waited for the batches before this one.",
    LAST_WAITS=(2 * WAITS, "Of the last times that this grew: LANDED, and the time."),
    ARRIVALS="So often its copies so far have been made to arrive at a barrier object.",
    LAST_ARRIVALS=(3 * KEPT, "Of the last of these: the object, its phase, the batch."),
    BULK_BATCH="As BATCH, of bulk copies to global memory; the others likewise.",
    BULK_GROUPS="Their groups so far.",
    BULK_DONE="When the last of them is written.",
    BULK_READ="When what it writes has been read.",
    BULK_LANDED="The thread has waited for the batches before this one.",
    LAST_BULK_WAITS=(2 * WAITS, "As LAST_WAITS."),
    LAST_BULK=(3 * BULK_KEPT, "Of their last groups: the batch, and both times as they were."),
    LAST_GROUPS="From here on, of its last groups: the batch, and DONE as it was.",
)
WARP_COPIES = warps.columns(DONE="When the last copy of its lanes counts as written.")
MARKING = parameters.columns(
    AREA="Rows of `marks` of an SM.",
    ROWS="Rows of `known` of a block.",
    BARRIERS="The first of those of its barriers.",
    OBJECTS="The first of those of its barrier objects.",
)
BLOCK_COPIES = tables.blocks.columns(
    NOW="The time: how often somebody has told others what it has done, and products.",
    MARKS="Its first row of `marks`.",
    WORDS="How many it has.",
)
MARK = tables.marks.columns(
    COPY="The last copy, or the barrier object that is there.",
    STORE="The last store since: the time, the warp, the pc.",
    READERS="Who has read it since that copy: warps as bits, one of them, its pc; by products?",
    READ="When: the first of them, and that one.",
)
MOST_WARPS = 32
"""Warps of a block that are told apart."""
KNOWN = tables.known.columns(
    DONE=(MOST_WARPS, "Up to which time it knows what each warp has done."),
    FENCED=(MOST_WARPS, "The same of what copies may see, behind a fence of proxies."),
    PHASES=(MOST_OBJECTS, "How many phases of each barrier object it knows to be over."),
    PRODUCTS=(2 * WAITS, "Of a warp's last waits for products: those before a time, and when."),
)
MEETING_ROWS = numbered(
    FENCES="Behind the rows of warps: what fences and atomics tell.",
    CLUSTER="What those tell that come to the cluster's barrier.",
    CLUSTER_OPEN="What is told where it has opened.",
)
SLOT_AREAS = 8
"""So many times the memory of an SM has room for marks: blocks of whatever sizes find places."""
COPIES = kinds(STEP.ACCESSES, COPY="Sets out to copy.")
KINDS = kinds(
    STEP.CONTROLS,
    COMMIT="The thread's copies so far are a group.",
    WAIT="Waits for groups.",
)
BY_DEED = {"copy": COPIES.COPY, "commit": KINDS.COMMIT, "wait": KINDS.WAIT}
ALL_COPIES = -1
PC_BITS, THREAD_BITS = 20, 20
"""Of a mark: the pc of the copy, above it its thread among all of the machine, then the batch."""


def kind_of(row: Operation) -> int | None:
    return BY_DEED.get(row.asynchronous.does) if row.asynchronous else None


def decode(instruction: Instruction) -> None:
    into, row, machine = instruction.into, instruction.row, instruction.decoded.machine
    if machine.memory.copies is None:
        message = f"'{machine.name}' has no copies that go on meanwhile (cp.async)"
        instruction.refuse(message, "a100, h100 and h200 have them; loads and stores do the same")
    asynchronous = row.asynchronous
    if asynchronous.does == "wait":
        count = asynchronous.count
        into[COPY.COUNT] = ALL_COPIES if count is None else instruction.value(count)
    if asynchronous.does != "copy":
        return
    source, to = row.accesses
    into[INSTRUCTION.IS_ACT] = True
    into[ACCESS.SPACE], into[ACCESS.BYTES] = SPACES[to.space], to.bytes
    into[ACCESS.ELEMENTS], into[ACCESS.NARROW_ADDRESS] = to.elements, True
    into[ACCESS.ADDRESS], into[ACCESS.OFFSET] = (
        row.position(to.address),
        instruction.value(to.offset),
    )
    into[COPY.SOURCE] = row.position(source.address)
    into[COPY.SOURCE_OFFSET] = instruction.value(source.offset)
    into[COPY.SIZE], into[COPY.CACHED] = row.position(asynchronous.size), asynchronous.cached


def sizes(decoded: Decoded) -> Sizes:
    groups = decoded.most(COPY.COUNT) + 1
    yield COPYING.USED, decoded.has_copies
    yield COPYING.OBJECTS, any(row.barrier_object for row in decoded.rows)
    yield COPYING.GROUPS, groups
    yield COPYING.STRIDE, int(OF_THREAD.LAST_GROUPS) + 2 * groups
    if decoded.has_copies:
        area = SLOT_AREAS * decoded.machine.memory.l1.size >> 2
        barriers = MOST_WARPS + len(MEETING_ROWS.sentences)
        objects = barriers + decoded.machine.limits.barriers
        yield MARKING.AREA, area
        yield MARKING.BARRIERS, barriers
        yield MARKING.OBJECTS, objects
        has_objects = any(row.barrier_object for row in decoded.rows)
        yield MARKING.ROWS, objects + 2 * MOST_OBJECTS * has_objects


UNIT = Unit("async_copies", (COPIES, KINDS), kind_of, decode_own=decode, parameters=sizes)
