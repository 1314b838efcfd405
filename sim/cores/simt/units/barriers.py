"""The barriers of a block."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt import tables
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds
from sim.cores.simt.units.convergence import refuse_guard

BARRIER = tables.code.columns(
    NUMBER="Which barrier of the block.",
    THREADS="Which operand says how many threads it wants.",
)
ARRIVAL = tables.barriers.columns(
    ARRIVED="Threads that have come.",
    WANTED="Threads wanted; 0: all that are left.",
    LAST_ARRIVAL="When the last one counted.",
    WAITING="The warps that wait, as bits, where it is asked who knows of whom.",
)
SM_BARRIERS = tables.sms.columns(NEXT_ARRIVAL="From when a thread can arrive at a barrier.")
BARRIERS = tables.parameters.columns(
    COUNT="Of a block that the program uses.",
    LATENCY="Cycles from the last arrival until threads go on.",
    ARRIVALS="Threads that arrive in a cycle.",
)
KINDS = kinds(
    STEP.CONTROLS,
    BAR_SYNC="Threads come to a barrier and wait.",
    BAR_ARRIVE="Threads come to a barrier and go on.",
)


def kind_of(row: Operation) -> int | None:
    if row.meets is None or row.meets.among != "block":
        return None
    return KINDS.BAR_SYNC if row.meets.waits else KINDS.BAR_ARRIVE


def decode(instruction: Instruction) -> None:
    meets, machine = instruction.row.meets, instruction.decoded.machine
    number = instruction.value(meets.barrier)
    if number >= machine.limits.barriers:
        message = f"a block of '{machine.name}' has {machine.limits.barriers} barriers"
        instruction.refuse(message, f"they are numbered from 0: there is no barrier {number}")
    if meets.waits and instruction.guard:
        refuse_guard(instruction)
    instruction.into[BARRIER.NUMBER] = number
    instruction.into[BARRIER.THREADS] = instruction.row.position(meets.who)


def sizes(decoded: Decoded) -> Sizes:
    yield BARRIERS.COUNT, decoded.most(BARRIER.NUMBER) + 1
    yield BARRIERS.LATENCY, decoded.machine.barriers.latency
    yield BARRIERS.ARRIVALS, decoded.machine.barriers.arrivals


UNIT = Unit("barriers", (KINDS,), kind_of, decode_own=decode, parameters=sizes)
