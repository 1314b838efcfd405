"""Branches: where the lanes of a group go."""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code, parameters
from sim.cores.simt.unit import STEP, Decoded, Instruction, Sizes, Unit, kinds

BRANCH = code.columns(
    TARGET="The pc that lanes go to.",
    MEETING_PC="Where those that do and those that do not meet again.",
)
BRANCHES = parameters.columns(
    LATENCY="Cycles until the warp can go on.",
    NOT_TAKEN="Cycles until it can if no lane goes.",
)
KINDS = kinds(
    STEP.GOES,
    JUMP="All lanes go.",
    BRANCH="Those go for which its guard is true.",
)
BY_CONTROL = {"jump": KINDS.JUMP, "branch": KINDS.BRANCH}


def kind_of(row: Operation) -> int | None:
    return BY_CONTROL.get(row.control)


def decode(instruction: Instruction) -> None:
    instruction.into[BRANCH.TARGET] = instruction.values[0]  # see `WarpProgram.code`
    instruction.into[BRANCH.MEETING_PC] = instruction.decoded.program.reconverge[instruction.pc]


def sizes(decoded: Decoded) -> Sizes:
    yield BRANCHES.LATENCY, decoded.machine.branches.latency
    yield BRANCHES.NOT_TAKEN, decoded.machine.branches.not_taken


UNIT = Unit("branch", (KINDS,), kind_of, decode_own=decode, parameters=sizes)
