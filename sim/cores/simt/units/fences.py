"""Memory fences."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION

KINDS = kinds(
    STEP.CONTROLS,
    FENCE="Waits until the warp's stores are seen by all; its SM's L1 forgets what it has.",
    OF_BLOCK="Waits until the warp's stores are seen in its block.",
    PROXIES="The same, for copies and products of matrices.",
)


def kind_of(row: Operation) -> int | None:
    if not row.fences:
        return None
    if row.proxies:
        return KINDS.PROXIES
    return KINDS.OF_BLOCK if row.fences == "block" else KINDS.FENCE


def decode(instruction: Instruction) -> None:
    instruction.into[INSTRUCTION.IS_ACT] = True


UNIT = Unit("fences", (KINDS,), kind_of, decode_own=decode)
