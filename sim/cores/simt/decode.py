"""A program as the core reads it: tables of numbers, worked out once from rows and machine.

    fma.rn.f32 %r5, %r1, %r1, c0      LANES, the function and case of its meaning; pipe, interval,
                                      latency; sources 1 1; destination 5; a bank conflict of 1
                                      cycle; operands (5 registers, own) … (0 registers, shared)

Each unit fills its columns of each instruction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from machines.instructions import operations
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import FIRST_OPERAND, GUARD, OPERATION, WarpProgram
from machines.operations.row import Immediate, Lane, Operand, Operation, Symbol
from sim.cores.simt.host import shortcuts
from sim.cores.simt.state import CODE_COLUMNS
from sim.cores.simt.unit import Instruction, nothing
from sim.cores.simt.units import UNITS, scoreboard
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.shortcuts import SHORTCUT
from sim.cores.simt.write_core import meanings

DECODE_ALL = [unit for unit in UNITS if unit.decode is not nothing]


class Decoded:
    """The tables of a program on a machine.

    code       int64[pcs, CODE_COLUMNS]
    lists      int64[…]: what instructions have different numbers of, one after the other
    producers  int64[1 + classes, …]: see `units.scoreboard`
    constants  uint32[words]: the broadcast constants, from word 0 on
    faults     names of the faults of operations, numbered from len(FAULTS) of `units.faults` on
    """

    def __init__(
        self,
        program: WarpProgram,
        machine: Simt,
        addresses: Mapping[str, int],
        buffers: int = 0,
        trace_events: int = 0,
    ):
        """`addresses`: of the symbols that the code uses; `buffers`: of the memory;
        `trace_events`: that the trace holds."""
        self.program, self.machine, self.addresses = program, machine, addresses
        self.buffers, self.trace_events = buffers, trace_events
        table = operations().family(machine.instructions)
        self.rows: list[Operation] = [table[name] for name in program.operations]
        self.classes = list(machine.classes)
        self.pipes = list(machine.pipes)
        self.faults = sorted({row.fault for row in self.rows if row.fault} - {"trap"})
        self.registers = max((k.registers for k in program.kernels.values()), default=0)
        self.registers += self.registers % 2
        self.predicates = max((k.predicates for k in program.kernels.values()), default=0)
        self._lay_out_constants()
        self.producers = scoreboard.producers(machine)
        self._listed: list[int] = []
        self.code = self._code()
        self.lists = np.array(self._listed, dtype=np.int64)

    @cached_property
    def functions(self) -> dict[str, tuple[int, int]]:
        """Address and case of the meaning of each row that has one."""
        machine = self.machine
        return meanings(machine.instructions, self.program.operations, machine.warp_width)

    def _lay_out_constants(self) -> None:
        """Every constant as a register of 32 bits, then as a pair: three registers."""
        width = self.machine.warp_width
        words = np.zeros((max(1, len(self.program.constants)), 3, width), dtype=np.uint32)
        for number, bits in enumerate(self.program.constants.tolist()):
            words[number, 0, :] = bits & 0xFFFF_FFFF
            words[number, 1, :] = bits & 0xFFFF_FFFF
            words[number, 2, :] = bits >> 32 & 0xFFFF_FFFF
        self.constants = words.reshape(-1)

    def _code(self) -> np.ndarray:
        units = {kind: unit for unit in UNITS for kind in unit.executes}
        kinds = [kind_of(row) for row in self.rows]
        before, instructions = None, []
        for pc, columns in enumerate(self.program.code.tolist()):
            number, values = columns[OPERATION], columns[FIRST_OPERAND:]
            into = [0] * CODE_COLUMNS
            before = Instruction(self, pc, self.rows[number], values, columns[GUARD], into, before)
            into[INSTRUCTION.KIND] = kinds[number]
            for unit in DECODE_ALL:
                unit.decode(before)
            units[kinds[number]].decode_own(before)
            shortcuts.decode(before)
            instructions.append(before)
        shortcuts.give_patterns(instructions)
        for one in instructions:
            one.into[SHORTCUT.SHAPE] = shortcuts.shape_of(one)
        behind = [0] * CODE_COLUMNS  # the last one may look at the next
        return np.array([*(one.into for one in instructions), behind], dtype=np.int64)

    @cached_property
    def has_copies(self) -> bool:
        """Whether the program has something that goes on meanwhile in shared memory."""
        return any(row.asynchronous or row.barrier_object or row.group for row in self.rows)

    @cached_property
    def has_clusters(self) -> bool:
        """Whether the program has rows by which blocks of a cluster meet, or find each other's
        shared memory."""
        return any(kernel.frame.shares for kernel in self.program.kernels.values()) or any(
            row.meets and row.meets.among == "cluster" for row in self.rows
        )

    def most(self, column: np.uint64) -> int:
        """The largest number in a column of `code`, at least 0."""
        return int(self.code[:, column].max(initial=0))

    def listed(self, numbers: Iterable[int]) -> int:
        """Where numbers begin in `lists`, put there now."""
        first = len(self._listed)
        self._listed += numbers
        return first

    def offset(self, operand: Operand, value: int) -> tuple[int, int]:
        """Bytes from `words` (predicates: from `masks`), and whether the warp's own count too."""
        kind, width = operand.kind, self.machine.warp_width
        if isinstance(kind, Immediate):
            return value, 0
        if isinstance(kind, Symbol):
            return self.addresses[self.program.symbols[value]], 0
        if not isinstance(kind, Lane):
            return value, 0
        if kind.file == "pred":
            if value >= 0:
                return 8 * value, 1
            return 8 * int(self.program.constants[-1 - value] != 0), 0
        if value >= 0:
            return 4 * width * value, 1
        register = 3 * (-1 - value) + (kind.file == "b64")
        return 4 * width * register, 0


def kind_of(row: Operation) -> int:
    """Which kind of instruction a row is, as the one unit says that executes it; that of lanes
    those of which none says it."""
    default, *found = [kind for unit in UNITS if (kind := unit.kind_of(row)) is not None]
    if len(found) > 1:
        raise ValueError(f"several units execute row {row.name}")
    return found[0] if found else default
