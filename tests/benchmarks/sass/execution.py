"""Machine code executed for all threads of a launch, to count the instructions that warps issue.

    counts = execute(decoded, target, grid, parameters, memory, shared, local)

No time passes.  Of all threads those that are furthest behind in the code go on.  Threads of a warp
that parted issue apart until they meet at a convergence barrier, as on the hardware.  What is
executed changes the memory, so that its arrays say whether the code was understood.  What is not
known raises CannotExecute: tensor cores, textures, copies that go on meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from machines.layout import Memory
from machines.threads.grid import Grid
from tests.benchmarks.sass.groups import ENDED, RUNS, WAITS, Groups
from tests.benchmarks.sass.instruction import Instruction
from tests.benchmarks.sass.lanes import CannotExecute, Threads, constant_bank
from tests.benchmarks.sass.meanings import meaning_of

STEPS = 200_000
"""Instructions of the group furthest behind, at most."""
NOTHING = frozenset(
    ("NOP", "YIELD", "MEMBAR", "ERRBAR", "CCTL", "DEPBAR", "BMOV", "NANOSLEEP", "FENCE")
)


def execute(
    code: Sequence[Instruction],
    target: str,
    grid: Grid,
    parameters: bytes,
    memory: Memory,
    shared_bytes: int,
    local_bytes: int,
) -> np.ndarray:
    """Warp instructions by place in the code; changes the memory."""
    constants = constant_bank(target, grid, parameters, local_bytes)
    threads = Threads(grid, memory, constants, shared_bytes, local_bytes)
    place_at = {instruction.at: k for k, instruction in enumerate(code)}
    place_of = {label: k for k, i in enumerate(code) for label in i.labels}
    meanings = {}
    pc = np.zeros(threads.number, np.int32)
    groups = Groups(threads.is_thread, threads.lanes_of_block)
    state, every = groups.state, np.arange(threads.number)
    counts = np.zeros(len(code), np.int64)
    for _ in range(STEPS):
        running = state == RUNS
        if not running.any():
            if not groups.release():
                return counts
            continue
        place = int(pc[running].min())
        here = running & (pc == place)
        counts[place] += groups.issues(here)
        instruction = code[place]
        taken = here
        if instruction.guard:
            value = threads.predicate(instruction.guard.lstrip("!"), every)
            taken = here & (value != instruction.guard.startswith("!"))
        at = np.flatnonzero(taken)
        pc[here] = place + 1
        operation, operands = instruction.operation, instruction.operands
        if operation == "EXIT":
            state[at] = ENDED
        elif operation == "BAR":
            state[at] = WAITS
        elif operation in ("BRA", "CALL"):
            if operation == "BRA":
                at = at[_condition(threads, instruction, at)]
            pc[at] = _goal(instruction, place_at, place_of)
            gone = np.zeros(threads.number, bool)
            gone[at] = True
            groups.part(at, np.flatnonzero(here & ~gone))
        elif operation == "RET":
            back = threads.register(operands[0], at)
            pc[at] = [place_at[int(one)] for one in back]
            for one in np.unique(back):
                groups.part(at[back == one], at[back != one])
        elif operation == "BSSY":
            groups.begin(operands[0], at)
        elif operation == "BREAK":
            groups.leave(operands[-1], at)
        elif operation == "BSYNC":
            groups.sync(operands[-1], at)
        elif operation == "WARPSYNC":
            groups.sync_warp(at)
        elif operation not in NOTHING and len(at):
            if place not in meanings:
                meanings[place] = meaning_of(instruction)
            with np.errstate(all="ignore"):
                meanings[place](threads, at)
    raise CannotExecute(f"more than {STEPS} steps")


def _goal(instruction: Instruction, place_at: dict[int, int], place_of: dict[str, int]) -> int:
    if instruction.target is None:
        raise CannotExecute(str(instruction))
    written = instruction.target
    return place_at[int(written, 16)] if written.startswith("0x") else place_of[written]


def _condition(threads: Threads, instruction: Instruction, at: np.ndarray) -> np.ndarray:
    """Of a branch's own operand: a predicate; `.DIV` asks whether a warp has parted: it has not."""
    if "DIV" in instruction.modifiers:
        return np.zeros(len(at), bool)
    found = np.ones(len(at), bool)
    for operand in instruction.operands[:-1]:
        name = operand.lstrip("!")
        if not name.startswith(("P", "UP")):
            raise CannotExecute(str(instruction))
        found &= threads.predicate(name, at) != operand.startswith("!")
    return found
