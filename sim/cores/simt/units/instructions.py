"""What every instruction has, and those whose meaning is all."""

from __future__ import annotations

from machines.instructions.ptx_operands import CLOCKS
from machines.operations.row import Operation
from sim.cores.simt.tables import code
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds

INSTRUCTION = code.columns(
    KIND="Which unit executes it, and how: see `unit.kinds`.",
    SLOTS="Issue slots that it takes.",
    GUARD="As in `machines.kinds.simt.program`.",
    BEGINS_BLOCK="The next pc begins a block.",
    IS_ACT="Other SMs can notice it, or change what it reads: it may happen only in the order of "
    "cycles (see `turns`).",
    FUNCTION="The written function that runs its meaning, by address.",
    CASE="Which of the function's cases runs it.",
    OPERANDS="Where its operands begin in `lists`: two numbers each, of which "
    "`lane_words.operand_address` makes an address.",
    READS_CLOCK="Its meaning reads the cycle in which it issues.",
)
KINDS = kinds(STEP.COMPUTES, LANES="Computes for each lane from what the lane has.")


def kind_of(row: Operation) -> int:
    return KINDS.LANES


def decode(instruction: Instruction) -> None:
    into, row, decoded = instruction.into, instruction.row, instruction.decoded
    program, pc = decoded.program, instruction.pc
    into[INSTRUCTION.SLOTS] = decoded.machine.classes[row.scheduling_class].slots
    into[INSTRUCTION.GUARD] = instruction.guard
    into[INSTRUCTION.BEGINS_BLOCK] = pc + 1 < len(program.blocks) and program.blocks[pc + 1]
    into[INSTRUCTION.FUNCTION], into[INSTRUCTION.CASE] = decoded.functions.get(row.name, (0, 0))
    into[INSTRUCTION.READS_CLOCK] = any(name in CLOCKS for name in row.implicit_reads)
    operands = zip(row.operands, instruction.values, strict=False)
    pairs = [decoded.offset(operand, value) for operand, value in operands]
    into[INSTRUCTION.OPERANDS] = decoded.listed(number for pair in pairs for number in pair)


UNIT = Unit("instructions", (KINDS,), kind_of, decode)
