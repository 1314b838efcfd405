"""Barrier objects in shared memory, at which threads and copies arrive (mbarrier).

An object is a word of 8 bytes (see `machines.vocabulary.mbarriers`), and the marks of its two words
say which of the block's it is (see `object_mark`).  What threads do to it happens when it issues;
what comes later, as copies do, is *due*, and happens before somebody looks at the object then.  A
warp that waits for a phase is held until that is over, as far as is known, or until its time is.
"""

from __future__ import annotations

from machines.kinds.simt.copy_faults import MOST_OBJECTS
from machines.operations.row import Operation
from sim.cores.simt import tables
from sim.cores.simt.tables import blocks, code, numbered, sms, warps
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, SPACES

DEED = numbered(
    INIT="Make an object.",
    INVAL="Unmake it.",
    ARRIVE="Threads arrive, perhaps expecting bytes.",
    EXPECT="Bytes are expected.",
    COMPLETE="Bytes have come.",
    TEST="Whether a phase is over.",
    COPIES="Arrive when copies are there.",
)
DEEDS = dict(
    zip(("init", "inval", "arrive", "expect", "complete", "test", "copies"), DEED, strict=True)
)
NO_OPERAND = -1
MBARRIER = code.columns(
    DOES="Which of DEED.",
    COUNT="The operand that says how many arrivals, or NO_OPERAND.",
    BYTES="The same of bytes.",
    PHASE="Of the phase that is asked for.",
    TIME="Of how long a warp waits for it.",
    RESULT="Which operand is written, or NO_OPERAND.",
    IS_PARITY="The phase is a parity.",
    DROPS="Arrivals are not expected any more.",
    COMPLETES="The arrival may end the phase.",
    COUNTS_IN="The arrival is one more than those expected.",
)
OBJECT = tables.objects.columns(
    OFFSET="Where it is in shared memory, and 1; 0: nowhere.",
    PHASES="How many are over, of those that were here before, too.",
)
DUE = tables.due.columns(
    BLOCK="The slot of its block.",
    OFFSET="Of the object.",
    CYCLE="When.",
    ARRIVALS="How many threads arrive.",
    BYTES="How many bytes come.",
)
SM_DUE = sms.columns(COUNT="Rows of `due` in use.")
BLOCK_OBJECTS = blocks.columns(COUNT="Rows of `objects` in use.")
HELD = warps.columns(
    OFFSET="Of the object for a phase of which its lanes wait, and 1; 0: none.",
    PHASES="Of the object, that were over then.",
    LIMIT="When their time is over.",
    WAKE="When they look again.",
)
MOST_DUE = 1024
"""Of an SM: who wants to add one more waits."""
assert MOST_OBJECTS <= 64
KINDS = kinds(STEP.ACCESSES, MBARRIER="Changes or asks a barrier object.")


def kind_of(row: Operation) -> int | None:
    return KINDS.MBARRIER if row.barrier_object else None


def decode(instruction: Instruction) -> None:
    into, row, machine = instruction.into, instruction.row, instruction.decoded.machine
    if machine.memory.copies is None:
        message = f"'{machine.name}' has no barrier objects in shared memory (mbarrier)"
        instruction.refuse(message, "a100, h100 and h200 have them; bar.sync is what all have")
    does, access = row.barrier_object, row.access
    into[INSTRUCTION.IS_ACT] = True
    into[ACCESS.SPACE], into[ACCESS.BYTES] = SPACES[access.space], access.bytes
    into[ACCESS.ELEMENTS], into[ACCESS.NARROW_ADDRESS] = access.elements, True
    into[ACCESS.ADDRESS] = row.position(access.address)
    into[ACCESS.OFFSET] = instruction.value(access.offset)
    into[MBARRIER.DOES] = DEEDS[does.does]
    for column, name in (
        (MBARRIER.COUNT, does.count),
        (MBARRIER.BYTES, does.bytes),
        (MBARRIER.PHASE, does.phase),
        (MBARRIER.TIME, does.time),
    ):
        into[column] = NO_OPERAND if name is None else row.position(name)
    into[MBARRIER.RESULT] = 0 if row.writes else NO_OPERAND
    into[MBARRIER.IS_PARITY], into[MBARRIER.DROPS] = does.is_parity, does.drops
    into[MBARRIER.COMPLETES], into[MBARRIER.COUNTS_IN] = does.completes, does.counts_in


UNIT = Unit("mbarriers", (KINDS,), kind_of, decode_own=decode)
