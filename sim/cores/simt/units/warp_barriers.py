"""Lanes of a warp that wait for each other, and what they do together."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds

MEETING = code.columns(
    WHO="Which operand says the lanes, as bits.",
    IS_OF_ALL="It is about fragments of matrices: all lanes of the warp have to be there.",
)
MEETS = kinds(STEP.MEETS, MEET="Waits for lanes of the warp.")
KINDS = kinds(
    STEP.COMPUTES,
    TOGETHER="Waits for lanes of the warp, and then has a meaning.",
)


def kind_of(row: Operation) -> int | None:
    if row.meets is None or row.meets.among != "warp" or row.accesses or row.group:
        return None
    return KINDS.TOGETHER if row.combines else MEETS.MEET


def decode(instruction: Instruction) -> None:
    row, into = instruction.row, instruction.into
    if row.meets is not None and row.meets.among == "warp":
        into[MEETING.WHO] = row.position(row.meets.who)
        into[MEETING.IS_OF_ALL] = bool(row.combines and row.combines.fragments)


UNIT = Unit("warp_barriers", (KINDS, MEETS), kind_of, decode)
