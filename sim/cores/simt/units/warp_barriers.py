"""Lanes of a warp that wait for each other, and what they do together."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds

MEETING = code.columns(WHO="Which operand says the lanes, as bits.")
MEETS = kinds(STEP.MEETS, MEET="Waits for lanes of the warp.")
KINDS = kinds(
    STEP.COMPUTES,
    TOGETHER="Waits for lanes of the warp, and then has a meaning.",
    MATRIX="Waits for all of them, none of which may be missing.",
)


def kind_of(row: Operation) -> int | None:
    if row.meets is None or row.meets.among != "warp":
        return None
    if row.combines is None:
        return MEETS.MEET
    return KINDS.MATRIX if row.combines.fragments else KINDS.TOGETHER


def decode(instruction: Instruction) -> None:
    instruction.into[MEETING.WHO] = instruction.row.position(instruction.row.meets.who)


UNIT = Unit("warp_barriers", (KINDS, MEETS), kind_of, decode_own=decode)
