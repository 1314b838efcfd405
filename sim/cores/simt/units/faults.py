"""Threads that cannot go on."""

from __future__ import annotations

from machines.kinds.simt import copy_faults
from machines.operations.row import Operation
from sim.cores.simt.tables import code, numbered, scalars
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION

FAULT = numbered(
    NO_FAULT="none",
    OUT_OF_BOUNDS="out of bounds",
    MISALIGNED="misaligned",
    TRAPPED="trap",
    BAD_SHARED="out of bounds of shared memory",
    BAD_LOCAL="out of bounds of local memory",
    BAD_PARAMETER="out of bounds of the parameters",
    RACE=copy_faults.RACE,
    RACE_WITH_PRODUCT=copy_faults.RACE_WITH_PRODUCT,
    RACE_WITH_LOAD=copy_faults.RACE_WITH_LOAD,
    RACE_WITH_STORE=copy_faults.RACE_WITH_STORE,
    BAD_SIZE=copy_faults.BAD_SIZE,
    BAD_BULK=copy_faults.BAD_BULK,
    NO_MAP=copy_faults.NO_MAP,
    OTHER_TYPE=copy_faults.OTHER_TYPE,
    OTHER_RANK=copy_faults.OTHER_RANK,
    NO_LINE=copy_faults.NO_LINE,
    NO_OBJECT=copy_faults.NO_OBJECT,
    IS_OBJECT=copy_faults.IS_OBJECT,
    BAD_COUNT=copy_faults.BAD_COUNT,
    TOO_MANY=copy_faults.TOO_MANY,
    TOO_FEW=copy_faults.TOO_FEW,
    BAD_BYTES=copy_faults.BAD_BYTES,
    BAD_PARITY=copy_faults.BAD_PARITY,
    MANY_OBJECTS=copy_faults.MANY_OBJECTS,
    LANES_MISSING="lanes missing",
    BAD_MATRIX="a matrix out of bounds of shared memory",
    OUT_OF_STEP="a matrix that begins where its swizzle does not",
    NOT_YET="none: it is done again later",
    TWICE="second arrival at the barrier of the cluster",
    UNARRIVED="wait without an arrival at the barrier of the cluster",
    ENDED="access to shared memory of a block that has ended",
)
FAULTS = tuple(FAULT.sentences.values())
"""What they are called; those of operations are numbered behind them."""
WITHOUT_ADDRESS = (
    FAULT.TRAPPED, FAULT.LANES_MISSING, FAULT.BAD_MATRIX, FAULT.OUT_OF_STEP, FAULT.TWICE,
    FAULT.UNARRIVED,
)  # fmt: skip
"""Those of no access."""
TRAP = code.columns(FAULT="The fault of an instruction that is one.")
MET = scalars.columns(
    FAULT="Of FAULT.",
    ADDRESS="What the access named.",
    WARP="Whose thread it is.",
    LANE="Which lane of the warp.",
    PC="The instruction.",
    CYCLE="When it issued.",
    OTHER="Of a race: the instruction that it is with.",
)
KINDS = kinds(STEP.FAULTS, TRAP="A fault, as the program says.")


def kind_of(row: Operation) -> int | None:
    return KINDS.TRAP if row.fault is not None else None


def decode(instruction: Instruction) -> None:
    fault, known = instruction.row.fault, instruction.decoded.faults
    instruction.into[INSTRUCTION.IS_ACT] = True
    number = len(FAULTS) + known.index(fault) if fault in known else FAULT.TRAPPED
    instruction.into[TRAP.FAULT] = number


UNIT = Unit("faults", (KINDS,), kind_of, decode_own=decode)
