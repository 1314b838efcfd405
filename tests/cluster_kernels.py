"""Runs kernels of clusters in the interpreter and on the core, and says what each leaves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from compiler import compile as compile_file
from compiler.targets.simt.interpret import Outcome, interpret, memory_for
from machines.description.load import load_machine
from machines.kinds.simt.clusters import clustered
from machines.kinds.simt.program import WarpProgram, parameter_bytes
from machines.threads.grid import Grid
from sim.cores.returned import QUANTUM
from sim.cores.simt.drive import SimtCore

CUDA = Path(__file__).parent / "compiler/frontends/ptx/clusters.ptx"
FIRST_CYCLES = 10**6


@cache
def machine(*overrides: str):
    """The H200, smaller or otherwise changed."""
    return load_machine("h200", overrides)


@cache
def compiled(entry: str, *overrides: str) -> WarpProgram:
    """A kernel of the file of CUDA."""
    return compile_file(CUDA, machine=machine(*overrides), entry=entry).program


def grid_of(
    blocks: tuple[int, ...], threads: tuple[int, ...], cluster: tuple[int, ...] | None, shared=0
) -> Grid:
    """A grid of extents that may be left out."""
    three = [(*extents, 1, 1)[:3] if extents else None for extents in (blocks, threads, cluster)]
    return Grid(three[0], three[1], shared, three[2])


def interpreted(
    program: WarpProgram, grid: Grid, arguments: list, *overrides: str, backward: bool = False
) -> tuple[Outcome, list[np.ndarray]]:
    """How it ended, and the arrays as it leaves them."""
    memory, given = _placed(program, arguments)
    description = machine(*overrides).description
    outcome = interpret(program, description, memory, None, grid, given, backward=backward)
    return outcome, _arrays(memory, arguments)


def simulated(
    program: WarpProgram,
    grid: Grid,
    arguments: list,
    *overrides: str,
    quantum: int = FIRST_CYCLES,
    threads: int = 1,
) -> tuple[SimtCore, int, list[np.ndarray]]:
    """The core, what `advance` returned last, and the arrays as it leaves them."""
    memory, given = _placed(program, arguments)
    frame = program.kernels[program.entry].frame
    values = [memory.address(one) if isinstance(one, str) else one for one in given]
    core = SimtCore(program, machine(*overrides).description, memory, threads=threads)
    core.start(0, program.entry, clustered(frame, grid), parameter_bytes(frame, values))
    until = quantum
    while (status := core.advance(until)) == QUANTUM:
        until += quantum
    return core, status, _arrays(memory, arguments)


def _placed(program: WarpProgram, arguments: list):
    arrays = {f"a{k}": one for k, one in enumerate(arguments) if isinstance(one, np.ndarray)}
    given = [f"a{k}" if isinstance(one, np.ndarray) else one for k, one in enumerate(arguments)]
    return memory_for(program, arrays), given


def _arrays(memory, arguments: list) -> list[np.ndarray]:
    return [
        memory.view(f"a{k}", one.dtype).reshape(one.shape).copy()
        for k, one in enumerate(arguments)
        if isinstance(one, np.ndarray)
    ]
