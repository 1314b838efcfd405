"""Kernels run on grids twice: as IR, and as the rows that the default passes make of them."""

from __future__ import annotations

import numpy as np

from compiler.interpret.functions import memory_for
from compiler.interpret.grids import interpret_grid
from compiler.ir.module import Function, Module
from compiler.pass_lists import PassList, make_steps
from compiler.pipelines import run_on_all
from compiler.targets.simt import TARGET
from compiler.targets.simt.interpret import interpret as run_rows
from compiler.targets.simt.interpret import memory_for as rows_memory
from machines.description.load import Machine
from machines.kinds.simt.program import WarpProgram
from machines.threads.grid import Grid
from tests.compiler.targets.simt.compiled import assert_alike


def built(
    function: Function, module: Module, machine: Machine, passes: PassList = "default"
) -> WarpProgram:
    """The program of a kernel by a list of passes."""
    functions, _ = run_on_all(make_steps("simt", passes), function, module, machine)
    return TARGET.emit(functions, module, machine.description)


def check_grid(
    function: Function,
    module: Module,
    arguments: dict[str, object],
    grid: Grid,
    machine: Machine,
    passes: PassList = "default",
) -> WarpProgram:
    """Both end alike and leave the same memory; gives the program."""
    expected = memory_for(module, arguments)
    width = machine.description.warp_width
    wanted = interpret_grid(function, arguments, expected, grid, warp_width=width)
    program = built(function, module, machine, passes)
    arrays = {n: a for n, a in arguments.items() if isinstance(a, np.ndarray)}
    memory = rows_memory(program, arrays)
    given = {n: n if n in arrays else a for n, a in arguments.items()}
    found = run_rows(program, machine.description, memory, None, grid, given)
    assert found.status == wanted.status, str(found)
    if not wanted.fault:
        assert_alike(expected.bytes, memory.bytes)
    return program
