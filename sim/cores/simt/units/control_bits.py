"""Control bits, for machines whose programs say when an instruction may issue."""

from __future__ import annotations

from machines.kinds.simt.classes import PREDICATES, InstructionClass
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import (
    READ_COUNTER,
    STALL,
    WAIT_MASK,
    WRITE_COUNTER,
    YIELD,
)
from machines.operations.row import Lane, Operation
from sim.cores.simt.tables import code, counters, parameters
from sim.cores.simt.unit import Decoded, Instruction, Sizes, Unit

BITS = code.columns(
    STALL_COUNT="Cycles that the warp stays away.",
    YIELDS="Whether it gives way in the next.",
    WRITE_COUNTER="The counter that its results keep.",
    READ_COUNTER="The counter that its sources keep.",
    WAIT_MASK="Counters that have to be free before it issues, as bits.",
    READ_LATENCY="Cycles until its sources are read.",
    BEHIND_RESULT="Cycles from when its result is ready until whoever needs it may issue, for the "
    "counter that all of them wait for.",
)
COUNTERS = 6
COUNTER = counters.columns(
    FREE_AT=(COUNTERS, "When each counter becomes free."),
    FREE_REASON=(COUNTERS, "Why one waits for it."),
)
CONTROL_BITS = parameters.columns(USED="Whether the machine goes by them.")


def decode(instruction: Instruction) -> None:
    into, row, decoded = instruction.into, instruction.row, instruction.decoded
    control = decoded.program.control[instruction.pc].tolist()
    into[BITS.STALL_COUNT], into[BITS.YIELDS] = control[STALL], control[YIELD]
    into[BITS.WRITE_COUNTER] = control[WRITE_COUNTER]
    into[BITS.READ_COUNTER] = control[READ_COUNTER]
    into[BITS.WAIT_MASK] = control[WAIT_MASK]
    described = decoded.machine.classes[row.scheduling_class]
    into[BITS.READ_LATENCY] = described.read
    into[BITS.BEHIND_RESULT] = _behind_result(decoded.machine, row, described)


def _behind_result(machine: Simt, row: Operation, described: InstructionClass) -> int:
    """The most cycles that any reader of a row's results waits for longer than until they are
    ready: a counter does not know whose wait it is."""
    extra = machine.pipes[described.pipe].extra
    writes_guard = any(isinstance(o.kind, Lane) and o.kind.file == PREDICATES for o in row.writes)
    return max(described.guard if writes_guard else 0, *extra.values(), 0)


def sizes(decoded: Decoded) -> Sizes:
    yield CONTROL_BITS.USED, decoded.machine.dependences.kind == "control_bits"


UNIT = Unit("control_bits", decode=decode, parameters=sizes)
