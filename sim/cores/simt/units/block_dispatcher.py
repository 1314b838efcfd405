"""The block dispatcher: which warps, blocks and launches there are, and what they take."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt import tables
from sim.cores.simt.memory.parameters import ticks
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION

RESIDENT = tables.warps.columns(
    STARTED="When it began.",
    BLOCK="Of `blocks`.",
    GRID="Of `grids`.",
    NUMBER="Which warp of the block it is.",
)
SLOTS = tables.subcores.columns(
    RESIDENT="Warps that are there, as bits.",
    LEAVING="Those whose lanes have all ended.",
    TAKEN="Also those that are gone, of blocks that still run.",
)
BLOCK = tables.blocks.columns(
    GRID="Its grid, -1: the slot is free.",
    INDEX="Its index there.",
    THREADS="Threads that are left.",
    WARPS="Warps that are left.",
    BEGAN="When it began.",
)
GRID = tables.grids.columns(
    NUMBER="As `start` was given it.",
    BLOCKS="Of all.",
    NEXT_BLOCK="The first that has not begun.",
    LEFT="Blocks that have not finished.",
    BEGAN="The cycle of `start`.",
    END="The cycle in which the last block ended.",
    STORED="When all has arrived that warps which have ended stored.",
    THREADS="Of a block.",
    WARPS="Of a block.",
    REGISTERS="Of a warp, as given out.",
    SHARED="Bytes of a block.",
    SHARED_TAKEN="The same as given out.",
    DYNAMIC="Bytes of dynamic shared memory.",
    CARVE_OUT="Bytes of an SM that are to be shared memory.",
    FIRST_PC="Where its kernel begins.",
    LOCAL="Bytes from a thread's local memory to the next thread's.",
    LOCAL_BYTES="Of which it may use these.",
    PARAMETERS="Where its parameters are in `param`.",
    PARAMETER_BYTES="Of all of them.",
    GRID_EXTENT=(3, "Blocks along x, y and z."),
    BLOCK_EXTENT=(3, "Threads of a block along x, y and z."),
)
SM = tables.sms.columns(
    BLOCKS="Blocks that are there.",
    SHARED="Bytes of shared memory that they take.",
    CARVE_OUT="Bytes of shared memory that there are.",
)
DISPATCH = tables.parameters.columns(
    SM_CTAS="Blocks that an SM holds.",
    BLOCK_SLOTS="Slots for them.",
    SUBCORE_REGISTERS="Registers that a sub-core has.",
    BLOCK_LATENCY="Cycles from the end of a block to the beginning of one in its place.",
    BLOCK_INTERVAL="Ticks of the memory system from the beginning of a block to the next one's.",
)
DISPATCHED = tables.scalars.columns(
    GRIDS="Rows of `grids` in use.",
    GRIDS_LEFT="Of those not finished.",
    FIRST_GRID="The first that has blocks which have not begun.",
    NEXT_SM="Where the next block is tried first.",
    NEXT_BEGIN="The tick from which on a block may begin.",
    AGES="Warps that have begun: each has its age from it.",
    WARPS_RUN="Warps that have begun.",
    BLOCKS_RUN="Blocks that have begun.",
    RESIDENT_CYCLES="Of warps that have left.",
    ENDED="1: a grid has ended since the last call.",
    LATEST_END="When.",
)
KINDS = kinds(STEP.CONTROLS, EXIT="Threads end, under a guard some of them.")


def kind_of(row: Operation) -> int | None:
    return KINDS.EXIT if row.control == "return" else None


def decode(instruction: Instruction) -> None:
    instruction.into[INSTRUCTION.IS_ACT] = True


def sizes(decoded: Decoded) -> Sizes:
    machine = decoded.machine
    yield DISPATCH.SM_CTAS, machine.limits.ctas
    yield DISPATCH.BLOCK_SLOTS, machine.limits.ctas
    yield DISPATCH.SUBCORE_REGISTERS, machine.limits.registers // machine.subcores
    yield DISPATCH.BLOCK_LATENCY, machine.dispatch.latency
    yield DISPATCH.BLOCK_INTERVAL, ticks(machine.dispatch.interval)


UNIT = Unit("block_dispatcher", (KINDS,), kind_of, decode_own=decode, parameters=sizes)
