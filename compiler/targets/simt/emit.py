"""From functions of `ptx` rows to a `WarpProgram`: rows of numbers, constants, symbols, lines.

    loop:  …                              0: …
           bra %p, loop, done             1: @p0 bra 0            (done follows)
    done:  bra.uni leave
    other: …                              2: …                    (done is empty: it is here)
           bra %p, loop, leave            3: @p0 bra 0
                                          4: bra.uni 6            (neither follows)
    more:  …                              5: …
    leave: exit                           6: exit

A jump to the next block needs no row; a branch needs one more if neither of its ways follows.
Where a block says so (`ENDS`), its branch to one that only ends the thread is a guarded exit:

    head:  …                              0: …
           bra %p, leave, more            1: @p0 exit           (more follows)
Registers are those that `allocate` gave; virtual ones get a number each, in order of appearance.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

import numpy as np

from compiler.ir.memory_spaces import program_buffer
from compiler.ir.module import Block, Function, Guard, Instruction, Module, Value
from compiler.machine_code.operands import is_virtual
from compiler.targets.simt.registers.operands import files_of, number_of
from machines.instructions import operations
from machines.kinds.simt.code import ENDS, MARKER, MARKER_AFTER, RECONVERGE
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import (
    COLUMNS,
    FIRST_OPERAND,
    GUARD,
    NO_COUNTER,
    NOWHERE,
    OPERATION,
    Kernel,
    KernelFrame,
    WarpProgram,
)
from machines.kinds.simt.reconvergence import AFTER
from machines.operations.row import Label, Lane, Operation, Symbol
from machines.vocabulary.lanes import lane_bits

GLOBAL_SPACES = ("global", "constant")
"""Where the buffers stand that a program brings; the others are in the kernels' frames."""


def emit_program(functions: Sequence[Function], module: Module, description: Simt) -> WarpProgram:
    """The program of kernels, of which the first is the entry, and their module's buffers.

    Raises InputError for an instruction with more operands than a row has columns.
    """
    table = _Table()
    rows: list[Row] = []
    kernels: dict[str, Kernel] = {}
    labels: dict[int, str] = {}
    for function in functions:
        first = len(rows)
        registers = _Registers(function)
        own = lay_out(function, first)
        heads = own.heads
        for row in own.rows:
            row.numbers = table.encode(row, registers, heads)
            row.meeting = heads.get(row.reconverge, NOWHERE)
        rows += own.rows
        for name, head in heads.items():
            if head < len(rows):
                labels.setdefault(head, _label(functions, function, name))
        kernels[function.name] = Kernel(
            function.name,
            first,
            len(rows),
            registers.counts["b32"],
            registers.counts["pred"],
            _with_stack(function.frame or KernelFrame(), description),
            function.location,
        )
    return WarpProgram(
        name=functions[0].name,
        operations=list(table.operations),
        code=_side_by_side([row.numbers for row in rows]),
        constants=np.array(list(table.constants), dtype=np.int64),
        kernels=kernels,
        entry=functions[0].name,
        markers=np.array([row.marker for row in rows], dtype=np.uint8),
        reconverge=np.array([row.meeting for row in rows], dtype=np.int32),
        blocks=np.array([row.begins_block for row in rows], dtype=np.uint8),
        control=np.array([_control(row) for row in rows], dtype=np.int16),
        symbols=list(table.symbols),
        buffers=[program_buffer(b) for b in module.buffers.values() if b.space in GLOBAL_SPACES],
        locations=[row.instruction.location for row in rows],
        labels=labels,
    )


def _with_stack(frame: KernelFrame, description: Simt) -> KernelFrame:
    if not frame.recurs:
        return frame
    return replace(frame, local=frame.local + description.limits.stack)


def _side_by_side(rows: list[list[int]]) -> np.ndarray:
    """Rows of numbers, all as long as the longest."""
    columns = max(COLUMNS, *map(len, rows)) if rows else COLUMNS
    padded = [[*row, *[0] * (columns - len(row))] for row in rows]
    return np.array(padded, dtype=np.int64).reshape(-1, columns)


def _label(functions: Sequence[Function], function: Function, block: str) -> str:
    """The name of a block in listings: behind its kernel's name if that is not the first."""
    if function is functions[0]:
        return block
    return function.name if block == function.entry.name else f"{function.name}.{block}"


CONTROL = "control"
"""Attribute of an instruction: part -> control bits of that row of it, in the order of columns."""
NO_CONTROL = (1, 0, NO_COUNTER, NO_COUNTER, 0)
"""Of a row that nothing waits for: one cycle, no counter."""


def _control(row: Row) -> tuple[int, ...]:
    return row.instruction.attributes.get(CONTROL, {}).get(row.part, NO_CONTROL)


# ── which rows there are ─────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Row:
    """A row to come.

    target      the label of a branch or jump
    part        which of the rows of its instruction it is
    marker      bits BEFORE and AFTER
    numbers     its columns; meeting: the row at which its threads meet again
    """

    instruction: Instruction
    operation: Operation
    guard: Guard | None
    target: str | None = None
    part: int = 0
    reconverge: str | None = None
    marker: int = 0
    begins_block: bool = False
    numbers: list[int] = field(default_factory=list)
    meeting: int = NOWHERE


@dataclass(slots=True)
class Layout:
    """Rows of a function, and the row at which each of its blocks begins."""

    rows: list[Row]
    heads: dict[str, int]


def lay_out(function: Function, first: int = 0) -> Layout:
    """The rows of a function, of which the first has the number `first`."""
    rows: list[Row] = []
    heads: dict[str, int] = {}
    names = list(function.blocks)
    waiting = marked = False  # of blocks without a row, which begin where the next one does
    for name, following in zip_longest(names, names[1:]):
        block = function.blocks[name]
        heads[name] = first + len(rows)
        code = [Row(i, i.operation, i.guard) for i in block.instructions[:-1]]
        ends = (
            {n for n in block.successors if only_ends(function.blocks[n])} if ENDS.of(block) else ()
        )
        code += _ending(block.terminator, following, ends)
        waiting, marked = True, marked or MARKER.of(block)
        meeting = RECONVERGE.of(block)
        for row in code:
            row.reconverge = meeting if row.operation.control == "branch" else None
        if code:
            code[0].begins_block, code[0].marker = waiting, marked
            waiting = marked = False
            code[-1].marker |= AFTER if MARKER_AFTER.of(block) else 0
        rows += code
    return Layout(rows, heads)


def only_ends(block: Block) -> bool:
    """Whether threads that come to a block do nothing there but end."""
    return len(block.instructions) == 1 and block.terminator.operation.name == "exit"


def _ending(
    terminator: Instruction, following: str | None, ends: Collection[str] = ()
) -> list[Row]:
    """The rows that a terminator needs where the block `following` is the next one; what leads to
    blocks that it `ends` in is an exit."""
    table = operations().family("ptx")
    jump = table["bra.uni"]
    if terminator.operation.control == "return":
        return [Row(terminator, terminator.operation, terminator.guard)]
    ways = terminator.labels
    if terminator.operation.control == "branch" and ways[0] != ways[1]:
        condition, taken, otherwise = terminator.operands
        if isinstance(condition, str):
            if taken == following:
                return [_to(terminator, Guard(condition, negated=True), otherwise, ends)]
            rows = [_to(terminator, Guard(condition), taken, ends)]
            if otherwise != following:
                rows.append(Row(terminator, jump, None, otherwise, part=1))
            return rows
        ways = (taken if condition else otherwise,)
    if ways[0] == following:
        return []
    if ways[0] in ends:
        return [Row(terminator, table["exit"], None)]
    return [Row(terminator, jump, None, ways[0])]


def _to(terminator: Instruction, guard: Guard, way: str, ends: Collection[str]) -> Row:
    table = operations().family("ptx")
    if way in ends:
        return Row(terminator, table["exit"], guard)
    return Row(terminator, table["bra"], guard, way)


# ── numbers ──────────────────────────────────────────────────────────────────────────────────


class _Registers:
    """Numbers of a function's registers.

    counts  how many of 32 bits ('b32') and how many predicates ('pred') a thread needs
    """

    def __init__(self, function: Function):
        self.counts = {"b32": 0, "pred": 0}
        self._numbers: dict[str, int] = {}
        for _, instruction in function.instructions():
            for name, file in files_of(instruction):
                if name not in self._numbers:
                    self._add(name, file)

    def _add(self, name: str, file: str) -> None:
        kind, size = ("b32", 2) if file == "b64" else (file, 1)
        used = self.counts[kind]
        number = -(-used // size) * size if is_virtual(name) else number_of(name)
        self._numbers[name] = number
        self.counts[kind] = max(used, number + size)

    def __getitem__(self, name: str) -> int:
        return self._numbers[name]


class _Table:
    """Numbers for operations, constants and symbols, given out in order of appearance."""

    def __init__(self) -> None:
        self.operations: dict[str, int] = {}
        self.constants: dict[int, int] = {}
        self.symbols: dict[str, int] = {}

    def encode(self, row: Row, registers: _Registers, heads: dict[str, int]) -> list[int]:
        """The columns of a row; `heads` says where labels are."""
        numbers = [0] * COLUMNS
        operation, instruction = row.operation, row.instruction
        numbers[OPERATION] = self.operations.setdefault(operation.name, len(self.operations))
        if row.guard is not None:
            number = registers[row.guard.name] + 1
            numbers[GUARD] = -number if row.guard.negated else number
        if row.target is not None:
            numbers[FIRST_OPERAND] = heads[row.target]
            return numbers
        numbers += [0] * (FIRST_OPERAND + len(operation.operands) - COLUMNS)
        results, operands = iter(instruction.results), iter(instruction.operands)
        for column, operand in enumerate(operation.operands, start=FIRST_OPERAND):
            value = next(results) if operand.is_written else next(operands)
            numbers[column] = self._number(value, operand.kind, registers, heads)
        return numbers

    def _number(self, value: Value, kind: object, registers, heads: dict[str, int]) -> int:
        if isinstance(kind, Lane):
            if isinstance(value, str):
                return registers[value]
            bits = lane_bits(value, kind.type)
            return -1 - self.constants.setdefault(bits, len(self.constants))
        if isinstance(kind, Label):
            return heads[str(value)]
        if isinstance(kind, Symbol):
            return self.symbols.setdefault(str(value), len(self.symbols))
        return int(value)
