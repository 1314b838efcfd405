"""Warps that do nothing for a time that the program says."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds

SLEEP = code.columns(NANOSECONDS="Which operand says for how long.")
KINDS = kinds(STEP.CONTROLS, SLEEP="Goes on when the time is over.")


def kind_of(row: Operation) -> int | None:
    return KINDS.SLEEP if row.sleeps else None


def decode(instruction: Instruction) -> None:
    instruction.into[SLEEP.NANOSECONDS] = instruction.row.position(instruction.row.sleeps)


UNIT = Unit("sleep", (KINDS,), kind_of, decode_own=decode)
