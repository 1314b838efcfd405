"""The launches of a workload: run here, and by ptxas's code from the same memory.

For each launch: warp instructions that were issued here (in slots, as a division is many) and those
that ptxas's code issues, the cycles of their stall counts, and how much of what it leaves in memory
is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import sim
from machines.description.load import load_machine
from machines.instructions import operations
from machines.kinds.simt.program import OPERATION, STALL, WarpProgram
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.simt.drive import SimtCore
from tests.benchmarks.sass.beside import target_of
from tests.benchmarks.sass.execution import execute
from tests.benchmarks.sass.instruction import decode
from tests.benchmarks.sass.lanes import CannotExecute
from tests.benchmarks.sass.toolkit import Assembled, assemble


@dataclass
class Begun:
    """A launch as it began: memory and executed rows before it."""

    core: SimtCore
    kernel: str
    grid: Grid
    parameters: bytes
    memory: Memory
    executed: np.ndarray


@dataclass(frozen=True)
class Issued:
    """Warp instructions in issue slots, and the cycles of their stall counts."""

    issued: int
    stalls: int


@dataclass(frozen=True)
class Compared:
    """A kernel of a workload; `theirs` is None where the code cannot be executed, `why` says what
    for.  `differing` bytes of memory, of those `written` by either."""

    kernel: str
    launches: int
    ours: Issued
    theirs: Issued | None = None
    differing: int = 0
    written: int = 0
    why: str = ""


def compared(
    workload: Path,
    ptx: Path,
    machine: str,
    settings: Sequence[str] = (),
    variant: str | None = None,
) -> Iterator[Compared]:
    """Each kernel of a workload, its launches together.

    Raises NoToolkit, and InputError as a run does.
    """
    with _recorded() as begun:
        result = sim.run(workload, machine=machine, overrides=list(settings), variant=variant)
    if result.status != "done":
        raise CannotExecute(f"{workload} did not end: {result.status}")
    assembled = assemble(ptx, target_of(load_machine(machine, list(settings))))
    kernels: dict[str, list[tuple[Begun, Memory, np.ndarray]]] = {}
    for number, launch in enumerate(begun):
        last = number + 1 == len(begun)
        after = launch.core.memory if last else begun[number + 1].memory
        executed = launch.core.state.executed if last else begun[number + 1].executed
        kernels.setdefault(launch.kernel, []).append((launch, after, executed - launch.executed))
    for kernel, launches in kernels.items():
        yield _kernel(kernel, launches, assembled[kernel], target_of(load_machine(machine)))


def _kernel(
    kernel: str,
    launches: Sequence[tuple[Begun, Memory, np.ndarray]],
    assembled: Assembled,
    target: str,
) -> Compared:
    code = list(decode(assembled.listing))
    stall = np.array([instruction.control.stall for instruction in code])
    ours = _of_rows([(launch.core, rows) for launch, _, rows in launches])
    counts = np.zeros(len(code), np.int64)
    differing, written = 0, 0
    for launch, after, _ in launches:
        frame = launch.core.program.kernels[kernel].frame
        memory = launch.memory.copy()
        shared = frame.shared_bytes(launch.grid.dynamic_shared)
        try:
            counts += execute(
                code, target, launch.grid, launch.parameters, memory, shared, assembled.local
            )
        except CannotExecute as error:
            return Compared(kernel, len(launches), ours, why=str(error))
        changed = (memory.bytes != launch.memory.bytes) | (after.bytes != launch.memory.bytes)
        written += int(changed.sum())
        differing += int((memory.bytes != after.bytes).sum())
    theirs = Issued(int(counts.sum()), int((counts * stall).sum()))
    return Compared(kernel, len(launches), ours, theirs, differing, written)


def _of_rows(launches: Sequence[tuple[SimtCore, np.ndarray]]) -> Issued:
    table, issued, stalls = operations().family("ptx"), 0, 0
    for core, rows in launches:
        program: WarpProgram = core.program
        classes = [table[name].scheduling_class for name in program.operations]
        slots = np.array([core.machine.classes[name].slots for name in classes])
        each = slots[program.code[:, OPERATION]]
        issued += int((rows[: len(each)] * each).sum())
        stalls += int((rows[: len(each)] * np.maximum(each, program.control[:, STALL])).sum())
    return Issued(issued, stalls)


@contextmanager
def _recorded() -> Iterator[list[Begun]]:
    """The launches of every run meanwhile, in the order in which they begin."""
    begun: list[Begun] = []
    start = SimtCore.start

    def record(core: SimtCore, number: int, kernel: str, grid: Grid, param: bytes) -> None:
        memory, executed = core.memory.copy(), core.state.executed.copy()
        begun.append(Begun(core, kernel, grid, param, memory, executed))
        start(core, number, kernel, grid, param)

    SimtCore.start = record  # type: ignore[method-assign]
    try:
        yield begun
    finally:
        SimtCore.start = start  # type: ignore[method-assign]
