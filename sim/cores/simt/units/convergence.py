"""Which threads of a warp run: convergence barriers and markers."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code, parameters
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds

CONVERGENCE = code.columns(BARRIER="The number of the convergence barrier.")
CHECKS = parameters.columns(CHECK_COST="Cycles of a choice anew.")
KINDS = kinds(
    STEP.CONTROLS,
    BSSY="Threads that are here will wait at a barrier.",
    BSYNC="They wait.",
    BREAK="They leave it.",
    MARKER="It is chosen anew which threads run.",
)
BY_WHAT_IT_DOES = {
    "begin": KINDS.BSSY, "wait": KINDS.BSYNC, "leave": KINDS.BREAK, "choose": KINDS.MARKER,
}  # fmt: skip


def kind_of(row: Operation) -> int | None:
    return BY_WHAT_IT_DOES[row.converges.does] if row.converges else None


def decode(instruction: Instruction) -> None:
    converges = instruction.row.converges
    if converges.barrier:
        instruction.into[CONVERGENCE.BARRIER] = instruction.value(converges.barrier)
    if converges.does == "wait" and instruction.guard:
        refuse_guard(instruction)


def refuse_guard(instruction: Instruction) -> None:
    """What stops a warp stops all its lanes."""
    message = f"'{instruction.row.name}' under a guard is not for this machine"
    instruction.refuse(message, "branch around it")


def sizes(decoded: Decoded) -> Sizes:
    yield CHECKS.CHECK_COST, decoded.machine.reconvergence.check_cost


UNIT = Unit("convergence", (KINDS,), kind_of, decode_own=decode, parameters=sizes)
