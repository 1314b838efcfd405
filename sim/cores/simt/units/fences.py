"""Memory fences."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds
from sim.cores.simt.units.instructions import INSTRUCTION

KINDS = kinds(
    STEP.CONTROLS,
    FENCE="Waits until the warp's stores are seen by others.",
    PROXIES="The same, for copies and products of matrices.",
)


def kind_of(row: Operation) -> int | None:
    if not row.fences:
        return None
    return KINDS.PROXIES if row.proxies else KINDS.FENCE


def decode(instruction: Instruction) -> None:
    instruction.into[INSTRUCTION.IS_ACT] = True


UNIT = Unit("fences", (KINDS,), kind_of, decode_own=decode)
