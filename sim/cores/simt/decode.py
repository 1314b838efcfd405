"""A program as the core reads it: columns of numbers, worked out once from rows and machine.

fma.rn.f32 %r5, %r1, %r1, c0      LANES, the function and case of its meaning; pipe, interval,
                                  latency; sources 1 1; destination 5; a bank conflict of 1
                                  cycle; operands (5 registers, own) … (0 registers, shared)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import gt

import numpy as np

from machines.diagnostics import input_error
from machines.instructions import operations
from machines.kinds.simt.classes import PREDICATES, InstructionClass
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import (
    FIRST_OPERAND,
    OPERATION,
    READ_COUNTER,
    STALL,
    WAIT_MASK,
    WRITE_COUNTER,
    YIELD,
    WarpProgram,
)
from machines.kinds.simt.program import GUARD as GUARD_COLUMN
from machines.operations.row import Immediate, Lane, Operand, Operation, Symbol
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.lanes import reads_clock
from sim.cores.simt.write_core import meanings

ACCESSES = {"load": at.LOAD, "store": at.STORE, "load_store": at.ATOMIC}
CONTROL = {"jump": at.JUMP, "branch": at.BRANCH, "return": at.EXIT}
CONVERGENCE = {"begin": at.BSSY, "wait": at.BSYNC, "leave": at.BREAK, "choose": at.MARKER}
"""KIND by what a row says of itself."""
VALUELESS = (at.JUMP, at.BRANCH, at.BSSY, at.BSYNC, at.BREAK, at.MARKER)
"""Kinds that look at no value but their guard."""
WORD = 4
WAITS = {"fixed": why.WAIT, "short": why.SHORT_SCOREBOARD, "long": why.LONG_SCOREBOARD}
THROTTLES = {
    "math_pipe": why.MATH_PIPE_THROTTLE, "mio": why.MIO_THROTTLE, "lg": why.LG_THROTTLE,
}  # fmt: skip


class Decoded:
    """The tables of a program on a machine.

    code       int64[pcs * CODE_COLUMNS], producers: see `state`
    constants  uint32[words]: the broadcast constants, from word 0 on
    faults     names of the faults of operations, numbered from len(state.FAULTS) on
    """

    def __init__(self, program: WarpProgram, machine: Simt, addresses: Mapping[str, int]):
        """`addresses`: of the symbols that the code uses."""
        self.program, self.machine, self.addresses = program, machine, addresses
        table = operations().family(machine.instructions)
        self.rows: list[Operation] = [table[name] for name in program.operations]
        self.classes = list(machine.classes)
        self.pipes = list(machine.pipes)
        self.faults = sorted({row.fault for row in self.rows if row.fault} - {"trap"})
        self.registers = max((k.registers for k in program.kernels.values()), default=0)
        self.registers += self.registers % 2
        self.predicates = max((k.predicates for k in program.kernels.values()), default=0)
        self._lay_out_constants()
        self.producers = self._producers()
        self.code = self._code()

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

    def _producers(self) -> np.ndarray:
        """A row for what nobody has written, and one for each class."""
        machine = self.machine
        rows = np.zeros((1 + len(self.classes), at.AS_SOURCE + len(self.pipes)), dtype=np.int64)
        assert rows.size <= 1 << at.PRODUCER_BITS  # classes are given, pipes are 64 at most
        rows[0, at.REASON] = why.WAIT
        rows[:, at.NEVER_LATER] = -at.NEVER
        for row, described in zip(rows[1:], machine.classes.values(), strict=True):
            extra = machine.pipes[described.pipe].extra
            row[at.AS_GUARD], row[at.REASON] = described.guard, WAITS[described.result]
            if row[at.REASON] == why.WAIT:  # of fixed latencies the later write comes later
                row[at.AGAIN] = -at.NEVER
            row[at.AS_SOURCE :] = [extra.get(pipe, 0) for pipe in self.pipes]
        self._producer_columns = rows.shape[1]
        return rows.reshape(-1)

    def _code(self) -> np.ndarray:
        code = np.zeros((len(self.program.code) + 1, at.CODE_COLUMNS), dtype=np.int64)
        for pc, columns in enumerate(self.program.code.tolist()):
            self._fill(code[pc], pc, columns)
        for pc in range(len(self.program.code)):
            code[pc, at.REPEATED_CONFLICTS] = self._conflicts(pc, pc - 1)
        self._give_patterns(code)
        for columns in code:
            columns[at.SHAPE] = self._shape(columns)
        return code.reshape(-1)

    def _fill(self, into: np.ndarray, pc: int, columns: list[int]) -> None:
        row, machine, program = self.rows[columns[OPERATION]], self.machine, self.program
        described = machine.classes[row.scheduling_class]
        function, case = self.functions.get(row.name, (0, 0))
        into[at.KIND] = self._kind(row)
        into[at.FUNCTION], into[at.CASE] = function, case
        into[at.PIPE] = self.pipes.index(described.pipe)
        into[at.INTERVAL] = machine.occupancy(row.scheduling_class)
        into[at.SLOTS] = described.slots
        into[at.CLASS] = self._producer_columns * (1 + self.classes.index(row.scheduling_class))
        into[at.LATENCY] = described.latency or 0
        into[at.GUARD] = columns[GUARD_COLUMN]
        into[at.BEGINS_BLOCK] = pc + 1 < len(program.blocks) and program.blocks[pc + 1]
        into[at.MEETING_PC] = program.reconverge[pc]
        into[at.CONFLICTS] = self._conflicts(pc, -1)
        self._fill_operands(into, row, columns[FIRST_OPERAND:])
        into[at.BEHIND_RESULT] = self._behind_result(row, described)
        self._fill_control(into, pc, described.read)
        if row.access is not None:
            self._fill_access(into, row, columns[FIRST_OPERAND:])
        into[at.IS_GLOBAL] = self._is_global(row)
        kind = into[at.KIND]
        if kind == at.LANES:
            into[at.IS_SIGNED] = reads_clock(row)
        if kind == at.TRAP:
            known = row.fault in self.faults
            trap = len(at.FAULTS) + self.faults.index(row.fault) if known else at.TRAPPED
            into[at.TARGET] = trap
        self._fill_deferred(into)
        location = program.locations[pc] if program.locations else None
        if kind in (at.BAR_SYNC, at.BAR_ARRIVE) and into[at.TARGET] >= machine.limits.barriers:
            message = f"a block of '{machine.name}' has {machine.limits.barriers} barriers"
            hint = f"they are numbered from 0: there is no barrier {into[at.TARGET]}"
            raise input_error(message, location, hint=hint)
        if columns[GUARD_COLUMN] and kind in (at.EXIT, at.BAR_SYNC, at.BSYNC):
            raise input_error(f"'{row.name}' under a guard is not for this machine", location,
                              hint="branch around it")  # fmt: skip

    def _behind_result(self, row: Operation, described: InstructionClass) -> int:
        """The most cycles that any reader of a row's results waits for longer than until they are
        ready: a counter does not know whose wait it is."""
        extra = self.machine.pipes[described.pipe].extra
        writes_guard = any(
            isinstance(o.kind, Lane) and o.kind.file == PREDICATES for o in row.writes
        )
        return max(described.guard if writes_guard else 0, *extra.values(), 0)

    def _kind(self, row: Operation) -> int:
        if row.access is not None:
            return ACCESSES[row.access.kind]
        if row.fault is not None:
            return at.TRAP
        if row.fences:
            return at.FENCE
        if row.sleeps:
            return at.SLEEP
        if row.converges:
            return CONVERGENCE[row.converges.does]
        if row.meets and row.meets.among == "block":
            return at.BAR_SYNC if row.meets.waits else at.BAR_ARRIVE
        if row.meets:
            return at.TOGETHER if row.combines else at.MEET
        return CONTROL[row.control] if row.control else at.LANES

    def _is_global(self, row: Operation) -> bool:
        if row.fault is not None or row.control == "return" or row.fences:
            return True
        spaces = ("global", "local", "generic", "const")
        return any(access.space in spaces for access in row.accesses)

    # ── operands ─────────────────────────────────────────────────────────────────────────────

    def _fill_operands(self, into: np.ndarray, row: Operation, values: list[int]) -> None:
        sources: list[int] = []
        destinations: list[int] = []
        for number, (operand, value) in enumerate(zip(row.operands, values, strict=False)):
            offset, own = self._offset(operand, value)
            into[at.OPERANDS + 2 * number] = offset
            into[at.OPERANDS + 2 * number + 1] = own
            if not isinstance(operand.kind, Lane):
                continue
            if own and operand.is_read:
                sources.append(self._entry(operand, value))
            if own and operand.is_written:
                first = self._entry(operand, value)
                destinations += [first, first + 1] if operand.kind.file == "b64" else [first]
        self._fill_roles(into, row, values)
        if row.control in ("branch", "jump"):
            sources = []
        most = at.MOST_SOURCES, at.MOST_DESTINATIONS, at.MOST_OPERANDS
        if any(map(gt, (len(sources), len(destinations), len(row.operands)), most)):
            raise ValueError(f"row {row.name} has more operands than the core has columns")
        into[at.DESTINATIONS] = len(destinations)
        into[at.DESTINATION : at.DESTINATION + len(destinations)] = destinations
        self._fill_waited(into, sources, destinations)

    def _fill_roles(self, into: np.ndarray, row: Operation, values: list[int]) -> None:
        """Operands that the core itself looks at."""
        if row.meets:
            into[at.ADDRESS] = row.position(row.meets.who)
        if row.sleeps:
            into[at.ADDRESS] = row.position(row.sleeps)
        for named in (row.meets, row.converges):
            if named and named.barrier:
                into[at.TARGET] = values[row.position(named.barrier)]
        if row.control in ("branch", "jump"):
            into[at.TARGET] = values[0]

    def _fill_waited(self, into: np.ndarray, sources: list[int], destinations: list[int]) -> None:
        """What has to be there before an instruction issues."""
        waited = [(entry, at.AS_SOURCE + into[at.PIPE]) for entry in sources]
        waited += [(entry, at.AGAIN) for entry in destinations]
        if into[at.GUARD]:
            waited.append((self.registers + abs(int(into[at.GUARD])) - 1, at.AS_GUARD))
        into[at.WAITS] = len(waited)
        waited += [(0, at.NEVER_LATER)] * (at.WAITED_AT_ONCE - len(waited))
        into[at.WAITED : at.WAITED + len(waited)] = [
            entry << at.WAITED_BITS | column for entry, column in waited
        ]

    def _offset(self, operand: Operand, value: int) -> tuple[int, int]:
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

    def _entry(self, operand: Operand, number: int) -> int:
        """The scoreboard entry of a register, counted from the warp's first."""
        return self.registers + number if operand.kind.file == "pred" else number

    def _fill_control(self, into: np.ndarray, pc: int, read: int) -> None:
        control = self.program.control[pc].tolist()
        into[at.STALL_COUNT], into[at.YIELDS] = control[STALL], control[YIELD]
        into[at.WRITE_COUNTER] = control[WRITE_COUNTER]
        into[at.READ_COUNTER] = control[READ_COUNTER]
        into[at.WAIT_MASK], into[at.READ_LATENCY] = control[WAIT_MASK], read

    def _fill_access(self, into: np.ndarray, row: Operation, values: list[int]) -> None:
        access = row.access
        into[at.SPACE], into[at.BYTES] = at.SPACES[access.space], access.bytes
        into[at.ELEMENTS] = access.elements
        into[at.ADDRESS] = row.position(access.address)
        into[at.OFFSET] = values[row.position(access.offset or access.address)]
        into[at.DATA] = row.position(access.values[0])
        into[at.RESULTS_WIDE] = row.operands[into[at.DATA]].kind.file == "b64"
        into[at.IS_SIGNED] = access.signed
        address = row.operands[into[at.ADDRESS]].kind
        into[at.NARROW_ADDRESS] = isinstance(address, Lane) and address.file == "b32"
        is_sum = access.combines == "add" and access.space == "shared" and not row.writes
        if is_sum and access.bytes == WORD and row.operands[into[at.DATA]].kind.type == "u32":
            number = values[into[at.DATA]]
            into[at.COUNTS] = number < 0 and self.program.constants[-1 - number] == 1

    # ── deferred instructions ────────────────────────────────────────────────────────────────

    def _fill_deferred(self, into: np.ndarray) -> None:
        """What `deferred` wants to know."""
        kind, space = into[at.KIND], into[at.SPACE]
        guard = at.PREDICATE_WRITTEN if into[at.GUARD] else 0
        writes = self._bits(into[at.DESTINATION :][: into[at.DESTINATIONS]].tolist())
        if kind == at.LANES:
            into[at.DEFERS] = bool(writes) and not into[at.IS_SIGNED]
        elif kind == at.LOAD:
            into[at.DEFERS] = bool(writes) and space in (at.SHARED, at.PARAMETER)
            writes |= at.FROM_SHARED if space == at.SHARED else 0
        into[at.NEEDS] = at.EVERYTHING
        if into[at.DEFERS]:
            into[at.WRITES] = writes
            into[at.NEEDS] = guard
            if kind == at.LOAD and space == at.SHARED:
                address = self._bits(self._sources(into))
                into[at.NEEDS] |= address if into[at.NARROW_ADDRESS] else at.EVERYTHING
        elif kind in VALUELESS:
            into[at.NEEDS] = guard

    def _sources(self, columns: np.ndarray) -> list[int]:
        """The scoreboard entries of what an instruction reads, but its guard."""
        waited = columns[at.WAITED :][: columns[at.WAITS]].tolist()
        first = 1 << at.WAITED_BITS
        return [entry // first for entry in waited if entry % first >= at.AS_SOURCE]

    def _give_patterns(self, code: np.ndarray) -> None:
        """The registers that address words of shared memory have a pattern for each size."""
        patterns: dict[tuple[int, int], int] = {}
        for columns in code:
            addressed = self._addressed_words(columns)
            columns[at.PATTERN] = -1
            if addressed is not None:
                columns[at.PATTERN] = patterns.setdefault(addressed, len(patterns))
        for columns in code:
            written = columns[at.DESTINATION :][: columns[at.DESTINATIONS]].tolist()
            spoiled = {number % at.PATTERNS for (register, _), number in patterns.items()
                       if register in written}  # fmt: skip
            columns[at.SPOILS] = sum(1 << number for number in spoiled)

    def _shape(self, columns: np.ndarray) -> int:
        """Whether an instruction is a plain one."""
        by_control_bits = self.machine.dependences.kind == "control_bits"
        rare = columns[at.GUARD] or columns[at.BEGINS_BLOCK] or columns[at.SLOTS] != 1
        if by_control_bits or rare or not columns[at.DEFERS]:
            return at.ANY
        if columns[at.KIND] == at.LANES:
            return at.PLAIN_LANES
        if columns[at.SPACE] == at.PARAMETER:
            return at.PLAIN_PARAMETER
        return at.PLAIN_WORDS if columns[at.PATTERN] >= 0 else at.ANY

    def _addressed_words(self, columns: np.ndarray) -> tuple[int, int] | None:
        """(register that says where, bytes of a lane) of a load or store of whole words in shared
        memory, where a bank is a word wide; None of others, and of one that writes that register
        before it is done."""
        words = columns[at.BYTES] * columns[at.ELEMENTS] // WORD
        kind, shared = columns[at.KIND], columns[at.SPACE] == at.SHARED
        is_access = kind in (at.LOAD, at.STORE) and shared and columns[at.NARROW_ADDRESS]
        offset, is_own = columns[at.OPERANDS + 2 * columns[at.ADDRESS] :][:2].tolist()
        is_simple = self.machine.memory.shared.bank_width == WORD
        if not (is_access and is_own and is_simple) or columns[at.BYTES] < WORD:
            return None
        register = offset // (4 * self.machine.warp_width)
        written = columns[at.DESTINATION :][: columns[at.DESTINATIONS]].tolist()
        return None if words > 1 and register in written else (register, int(words) * WORD)

    def _bits(self, entries: list[int]) -> int:
        """Scoreboard entries as PENDING_WRITES has them; predicates are all one."""
        bits = 0
        for entry in entries:
            own = 1 << entry % at.WRITE_BITS
            bits |= own if entry < self.registers else at.PREDICATE_WRITTEN
        return bits

    # ── register banks ───────────────────────────────────────────────────────────────────────

    def _registers_read(self, pc: int) -> list[tuple[int, int]]:
        """(position among the sources, register) of what is read from the register file."""
        columns = self.program.code[pc].tolist()
        row = self.rows[columns[OPERATION]]
        reads = [
            (operand, value)
            for operand, value in zip(row.operands, columns[FIRST_OPERAND:], strict=False)
            if operand.is_read and isinstance(operand.kind, Lane) and operand.kind.file != "pred"
        ]
        found = []
        for position, (operand, value) in enumerate(reads):
            if value >= 0 and row.control is None:
                found.append((position, value))
                if operand.kind.file == "b64":
                    found.append((position + len(reads), value + 1))
        return found

    def _conflicts(self, pc: int, previous: int) -> int:
        """Cycles that an instruction's sources need beyond one, as registers of a bank are read in
        turn.

        The same register counts once.  What the one at `previous` (-1: none) read in the same
        position is in the cache of reused operands.
        """
        described = self.machine.register_file
        if not described.banks:
            return 0
        kept = set()
        if described.reuse_cache and previous >= 0:
            kept = set(self._registers_read(previous))
        wanted = {register for position, register in self._registers_read(pc)
                  if (position, register) not in kept}  # fmt: skip
        loads = [0] * described.banks
        for register in wanted:
            loads[register % described.banks] += 1
        return max(0, -(-max(loads) // described.ports) - 1)
