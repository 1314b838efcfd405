"""Copies of many bytes between global and shared memory, which an engine of the SM does.

What comes in is marked as of the barrier object that is told (see `async_copies`): who has seen its
phase over may access it.  What goes out is marked as being read: nobody may write it until the
thread has waited for the group.
"""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code, parameters, sms
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, SPACES

BULK = code.columns(
    SOURCE="Which operand is the address in global memory.",
    SOURCE_OFFSET="What is added to it.",
    SIZE="Which operand says how many bytes.",
    BARRIER="Which operand is the address of the barrier object.",
    BARRIER_OFFSET="What is added to it.",
    COUNT="Of a wait: groups that may still be on their way.",
    REDUCES="The kind of a reduction; 0: it is none.",
    READS="A wait is until the bytes have been read.",
)
SM_BULK = sms.columns(FREE="The tick from which the engine can take a copy.")
BULK_MARKS = parameters.columns(OBJECTS="The thread that the marks of the first object name.")
COPIES = kinds(
    STEP.ACCESSES,
    BULK_IN="Copies to shared memory.",
    BULK_OUT="Copies to global memory.",
)
KINDS = kinds(
    STEP.CONTROLS,
    BULK_COMMIT="The copies to global memory so far are a group.",
    BULK_WAIT="Waits for groups of these.",
)
BY_DEED = {
    "bulk_in": COPIES.BULK_IN,
    "bulk_out": COPIES.BULK_OUT,
    "bulk_commit": KINDS.BULK_COMMIT,
    "bulk_wait": KINDS.BULK_WAIT,
}
UNIT_BYTES = 16


def kind_of(row: Operation) -> int | None:
    return BY_DEED.get(row.asynchronous.does) if row.asynchronous else None


def decode(instruction: Instruction) -> None:
    into, row, machine = instruction.into, instruction.row, instruction.decoded.machine
    if machine.memory.bulk is None:
        message = f"'{machine.name}' has no bulk copies (cp.async.bulk)"
        instruction.refuse(message, "h100 and h200 have them; cp.async copies 16 bytes a thread")
    does = row.asynchronous
    into[BULK.READS] = does.reads
    if does.does == "bulk_wait":
        into[BULK.COUNT] = instruction.value(does.count)
    if not row.accesses:
        return
    [inside] = [one for one in row.accesses if one.space == "shared"]
    [outside] = [one for one in row.accesses if one.space == "global"]
    into[INSTRUCTION.IS_ACT] = True
    into[ACCESS.SPACE], into[ACCESS.BYTES] = SPACES["shared"], UNIT_BYTES
    into[ACCESS.ELEMENTS], into[ACCESS.NARROW_ADDRESS] = 1, True
    into[ACCESS.ADDRESS] = row.position(inside.address)
    into[ACCESS.OFFSET] = instruction.value(inside.offset)
    into[BULK.SOURCE] = row.position(outside.address)
    into[BULK.SOURCE_OFFSET] = instruction.value(outside.offset)
    into[BULK.SIZE] = row.position(does.size)
    into[BULK.REDUCES] = instruction.value(does.reduces) if does.reduces else 0
    if does.barrier:
        into[BULK.BARRIER] = row.position(does.barrier[0])
        into[BULK.BARRIER_OFFSET] = instruction.value(does.barrier[1])


def sizes(decoded: Decoded) -> Sizes:
    machine = decoded.machine
    yield BULK_MARKS.OBJECTS, machine.sms * machine.limits.warps * machine.warp_width


UNIT = Unit("bulk_copies", (COPIES, KINDS), kind_of, decode_own=decode, parameters=sizes)
