"""Place convergence markers in a program that has none, when it is loaded.

    0: @p0 bra 2        row 0 leads to 1 and 2
    1: …                row 1 runs on into 2
    2: …                2 is marked

The flow graph is read from the code's rows, block by block, and analysed as the compiler does
(`compiler/targets/simt/analyses/convergence.py`): the markers are those that it would have placed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from compiler.analyses.layout_graph import LayoutGraph, members
from compiler.targets.simt.analyses.convergence import markers
from machines.diagnostics import input_error
from machines.instructions import operations
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import FIRST_OPERAND, GUARD, OPERATION, Kernel, WarpProgram
from machines.kinds.simt.reconvergence import AFTER, BEFORE


def with_markers(program: WarpProgram, description: Simt) -> WarpProgram:
    """The program with the markers that a machine's loader places, if it does."""
    reconvergence = description.reconvergence
    if reconvergence.policy != "markers" or reconvergence.markers == "compiled":
        return program
    return mark_program(program, reconvergence.rules, reconvergence.marker_position)


def mark_program(program: WarpProgram, rules: str, position: str = "before") -> WarpProgram:
    """The program with markers, by the rules 'sound' or 'seed'.

    Raises InputError for the position 'first_in_block': a loader puts no instruction in.
    """
    if position == "first_in_block":
        message = "markers that are instructions of their own cannot be placed at load"
        hint = "reconvergence.marker_position: before, or reconvergence.markers: compiled"
        raise input_error(message, hint=hint)
    marks = np.zeros(len(program.code), np.uint8)
    for kernel in program.kernels.values():
        heads = _heads(program, kernel)
        graph = _graph(program, kernel, heads)
        ends = [*heads[1:], kernel.end]
        for block in members(markers(graph, rules)):
            if position == "before":
                marks[heads[block]] |= BEFORE
            else:
                for before in graph.predecessors[block]:
                    marks[ends[before] - 1] |= AFTER
    return replace(program, markers=marks)


def _heads(program: WarpProgram, kernel: Kernel) -> list[int]:
    """The rows at which the blocks of a kernel begin."""
    begins = program.blocks[kernel.first : kernel.end].copy()
    begins[:1] = 1
    return (np.flatnonzero(begins) + kernel.first).tolist()


def _graph(program: WarpProgram, kernel: Kernel, heads: list[int]) -> LayoutGraph:
    block_at = {row: block for block, row in enumerate(heads)}
    ends = [*heads[1:], kernel.end]
    successors = (
        tuple(sorted({block_at[row] for row in _leads_to(program, end - 1)})) for end in ends
    )
    names = (program.labels.get(row, f"row{row}") for row in heads)
    return LayoutGraph(tuple(names), tuple(successors))


def _leads_to(program: WarpProgram, row: int) -> Iterator[int]:
    """The rows that control may go to from the last row of a block."""
    code = program.code[row]
    control = operations()["ptx", program.operations[code[OPERATION]]].control
    if control in ("jump", "branch"):
        yield int(code[FIRST_OPERAND])
    if control not in ("jump", "branch", "return") or code[GUARD] != 0:
        yield row + 1
