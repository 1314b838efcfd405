"""Before the run: a program as the packed rows, packets and checks that the core reads.

What can be decided ahead is decided here, once: the fields of each syllable, which syllables issue
together from every syllable on at which the pipe may stand, and which registers a packet may have
to wait for.  A register is looked at only if some producer of it in the program takes longer than a
cycle towards some use of it in the program; of all others the value is always there in time.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from machines.diagnostics import input_error
from machines.instructions import operations
from machines.instructions.ia64_operands import BRANCH_HINTS, CONSTANT_REGISTERS
from machines.kinds.epic.dispersal import DispersalTable
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import (
    BUNDLE_BYTES,
    CONTINUATION,
    FIRST_OPERAND,
    OPERATION,
    BundleProgram,
)
from machines.kinds.epic.program import GUARD as GUARD_COLUMN
from machines.operations.row import Label, Symbol
from sim.cores.epic import state as at
from sim.cores.epic.renaming import Renaming
from sim.cores.epic.row_plans import FILES, USES, RowPlan, classes_of, is_register
from sim.cores.epic.write_core import application_registers, cases, is_narrow


class _Accesses(NamedTuple):
    """The registers of a syllable: [(register, use, an index into USES)] read, its guard first, and
    [(register, class)] written."""

    reads: list[tuple[int, int]]
    writes: list[tuple[int, str]]


class _Waits(NamedTuple):
    """What a syllable may have to wait for: its guard, and [(register and column of `toward`, as an
    entry of `checks` has them, whether only if the guard is true)]."""

    guard: int
    keys: list[tuple[int, bool]]


class Decoded:
    """A program decoded for a machine.

    code, wide, packets, checks, entries, foreseen   as in `sim.cores.epic.state.CoreState`
    starts    the first syllable of each packet
    ends      why each packet ends, an index into `machines.kinds.epic.dispersal.ENDS`
    entry     the packet at which the run starts
    slow      numbers of the registers that packets check
    """

    def __init__(self, program: BundleProgram, machine: Epic, addresses: list[int]):
        self.program, self.machine = program, machine
        self.classes = classes_of(machine)
        self.syllables = 3 * program.bundles
        self.window = machine.dispersal.bundles_per_cycle
        numbers = cases(machine.instructions).opcodes
        rows = operations().family(machine.instructions)
        self.plans = [RowPlan(rows[name], numbers[name]) for name in program.operations]
        self.rows = program.code.tolist()
        self.plan_of = [
            None if row[OPERATION] == CONTINUATION else self.plans[row[OPERATION]]
            for row in self.rows
        ]
        self.application = application_registers(machine.instructions)
        self.renaming = Renaming(program, machine, self.rows, self.plan_of)
        self.constant = {
            start + number
            for kind, (_, start) in FILES.items()
            for number in CONSTANT_REGISTERS[kind]
        }
        self.entries = self._arrivals()
        self.entry = int(self.entries[program.entry])
        self.accesses = self._accesses()
        self.slow = self._slow_registers()
        self._write_code(addresses)
        self._write_packets(DispersalTable(program, machine))
        self.foreseen = self._foreseen()

    def _arrivals(self) -> np.ndarray:
        """The packet at which a branch to each bundle goes on: a target inside an aligned fetch
        block finds only the bundles up to the block's end in that cycle."""
        block = self.machine.branches.fetch_bytes // BUNDLE_BYTES
        bundles = np.arange(self.program.bundles)
        available = np.minimum(self.window, block - bundles % block)
        return (3 * bundles * self.window + available - 1).astype(np.int32)

    def _foreseen(self) -> np.ndarray:
        """The packets at which the pipe may come to stand by no direct branch: where the program is
        called, where its calls go to, and where they come back; any label if there are other
        indirect branches."""
        found = np.zeros(len(self.packets) // at.PACKET_COLUMNS, dtype=np.uint8)
        bundles = [self.program.entry]
        for syllable, flags in enumerate(self.code[at.FLAGS :: at.CODE_COLUMNS].tolist()):
            if not flags & at.BRANCHES:
                continue
            if flags & at.CALLS:
                bundles.append(syllable // 3 + 1)
                if not flags & at.INDIRECT:
                    found[self.wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD]] = 1
            if flags & at.INDIRECT and not flags & at.RETURNS:
                bundles += self.program.labels
        found[self.entries[[bundle for bundle in bundles if bundle < self.program.bundles]]] = 1
        return found

    def _accesses(self) -> list[_Accesses]:
        """Of each syllable; constant registers are left out."""
        implied = {id(plan): self._implied(plan) for plan in self.plans}
        constant = self.constant
        found = []
        for plan, row in zip(self.plan_of, self.rows, strict=True):
            if plan is None:
                found.append(_Accesses([], []))
                continue
            reads = [(first + row[column], use) for column, first, use in plan.reads]
            writes = [(first + row[column], name) for column, first, name in plan.writes]
            reads = [read for read in reads if read[0] not in constant]
            writes = [write for write in writes if write[0] not in constant]
            more = implied[id(plan)]
            found.append(_Accesses(reads + more.reads, writes + more.writes))
        return found

    def _implied(self, plan: RowPlan) -> _Accesses:
        """What a syllable of a plan reads and writes whatever its operands are."""
        reads, writes, name_of_class = [], [], plan.row.scheduling_class
        if "rotates" in plan.row.flags:
            writes.append((self.renaming.last_predicate, name_of_class))
        for name in plan.row.implicit_reads:
            use = USES.index(plan.row.implicit_use(name))
            reads += [(register, use) for register in self._resource(name)]
        for name in plan.row.implicit_writes:
            writes += [(register, name_of_class) for register in self._resource(name)]
        return _Accesses(
            [read for read in reads if read[0] not in self.constant],
            [write for write in writes if write[0] not in self.constant],
        )

    def _resource(self, name: str) -> list[int]:
        """The registers that a resource is which rows name without an operand."""
        if name == "pr":
            return list(at.PREDICATES)
        if name in self.application:
            return [at.APPLICATION + self.application.index(name)]
        return []

    def _slow_registers(self) -> set[int]:
        """Registers for which some producer and some use in the program are over a cycle apart.

        Those that may be renamed to each other are taken for one.
        """
        producers: defaultdict[int, set[str]] = defaultdict(set)
        users: defaultdict[int, set[int]] = defaultdict(set)
        slow: set[int] = set()
        same, number = self.renaming.representative, self.classes.number
        for plan, (reads, writes) in zip(self.plan_of, self.accesses, strict=True):
            for register, use in reads:
                users[same[register]].add(use)
            for written, name in writes:
                self._require_latency(name, plan)
                register = same[written]
                producers[register].add(name)
                users[register].add(self.classes.writer_column(name))
                if plan.flags & at.LOADS and name == plan.row.scheduling_class:
                    slow.add(register)  # its latency is known only when it has missed
        is_late = (self.classes.toward > 1).tolist()
        slow |= {
            register
            for register, names in producers.items()
            if any(is_late[number[name]][use] for name in names for use in users[register])
        }
        return {register for register in range(at.REGISTERS) if same[register] in slow}

    def _require_latency(self, name: str, plan: RowPlan) -> None:
        if name not in self.classes.number:
            raise input_error(
                f"machine '{self.machine.name}' gives no latency to class '{name}', which "
                f"'{plan.row.name}' writes",
                hint=f"add latencies.{name}",
            )

    def _write_code(self, addresses: list[int]) -> None:
        rows, wide_words = [], []
        for syllable in range(self.syllables):
            cells, wide = self._cells(syllable, addresses)
            rows.append(cells)
            wide_words.append(wide)
        beyond = [0] * at.CODE_COLUMNS  # running off the end
        beyond[at.OPCODE] = len(cases(self.machine.instructions).texts)
        beyond[at.GUARD], beyond[at.FLAGS], beyond[at.SKIP] = at.PREDICATE, at.MAY_FAULT, 1
        code = np.array([*rows, beyond], dtype=np.uint16)
        wide = code.view(np.int64)
        wide[:-1, at.WIDE_WORD] = wide_words
        # What has nothing to execute is stepped over: an unguarded nop, half a long instruction.
        is_real = [
            plan is not None and (row[GUARD_COLUMN] != 0 or "nop" not in plan.row.flags)
            for plan, row in zip(self.plan_of, self.rows, strict=True)
        ]
        upcoming = np.where([*is_real, True], np.arange(self.syllables + 1), self.syllables)
        self.next_real = np.minimum.accumulate(upcoming[::-1])[::-1]
        distance = self.next_real[1:] - np.arange(self.syllables)
        code[:-1, at.SKIP] = np.minimum(distance, at.LARGEST_SKIP)
        self.code, self.wide = code.reshape(-1), wide.reshape(-1)

    def _cells(self, syllable: int, addresses: list[int]) -> tuple[list[int], int]:
        """A syllable's columns of `code`, and what stands in its wide word."""
        cells, wide = [0] * at.CODE_COLUMNS, 0
        plan, row = self.plan_of[syllable], self.rows[syllable]
        if plan is None:
            cells[at.OPCODE] = at.NOT_AN_OPERATION
            return cells, wide
        guard = at.PREDICATE + row[GUARD_COLUMN]
        needs = self.renaming.needed(plan, row)
        is_renamed = needs > 0 or self.renaming.concerns(plan, row)
        cells[at.OPCODE] = plan.opcode
        cells[at.GUARD] = at.PREDICATE if plan.is_always_executed else guard
        cells[at.GUARD] |= needs << at.NEEDS_SHIFT
        cells[at.FLAGS] = plan.flags | self._branch_flags(plan, row) | at.RENAMED * is_renamed
        if plan.is_always_executed:
            cells[at.OPERAND + len(plan.row.operands)] = guard
        for k, operand in enumerate(plan.row.operands):
            value = row[FIRST_OPERAND + k]
            if is_register(operand):
                number = FILES[operand.kind.name][1] + value
                is_p0 = operand.is_written and number == at.PREDICATE
                cells[at.OPERAND + k] = at.NO_PREDICATE if is_p0 else number
            elif is_narrow(operand):
                cells[at.OPERAND + k] = value + at.IMMEDIATES * is_renamed
            elif not isinstance(operand.kind, Label):
                wide = addresses[value] if isinstance(operand.kind, Symbol) else value
            elif plan.row.control:
                wide = self._target(value, syllable)
            if plan.row.access and operand.name == plan.row.access.address:
                cells[at.ADDRESS_REGISTER] = at.GENERAL + value
        if plan.makes_frame:  # its result, if it has one, waits for the frame
            wide = cells[at.OPERAND] if plan.row.writes else at.HELD
            cells[at.OPERAND] = at.HELD
        self._write_marks(cells, plan, syllable)
        return cells, wide

    def _branch_flags(self, plan: RowPlan, row: list[int]) -> int:
        if not plan.row.control:
            return 0
        flags = at.CONDITIONAL if row[GUARD_COLUMN] else 0
        for k, operand in enumerate(plan.row.operands):
            if operand.name == "hint":
                hint = BRANCH_HINTS[row[FIRST_OPERAND + k]]
                flags |= at.HINTED_TAKEN * hint.endswith("tk") | at.DYNAMIC * (hint[0] == "d")
        return flags

    def _target(self, bundle: int, syllable: int) -> int:
        if 0 <= bundle < self.program.bundles:
            return int(self.entries[bundle])
        location = self.program.locations[syllable] if self.program.locations else None
        raise input_error(f"the branch goes to bundle {bundle}, which does not exist", location)

    def _write_marks(self, cells: list[int], plan: RowPlan, syllable: int) -> None:
        """Marks of a syllable's results that someone may wait for."""
        columns = [at.MARK, at.SECOND_MARK, *[at.THIRD_MARK] * (plan.row.control is not None)]
        writes = [write for write in self.accesses[syllable].writes if write[0] in self.slow]
        if writes and "pr" in plan.row.implicit_writes:
            writes = [(at.ALL_PREDICATES, plan.row.scheduling_class)]
        for register, name in writes:
            is_increment = plan.row.access and name != plan.row.scheduling_class
            column = at.THIRD_MARK if is_increment else columns.pop(0)
            cells[column] = register | self.classes.number[name] << at.MARK_SHIFT
            cells[at.FLAGS] |= at.MARKED

    def _write_packets(self, table: DispersalTable) -> None:
        window, syllables = self.window, self.syllables
        starts = np.repeat(np.arange(syllables), window)
        self.starts = np.append(starts, syllables)
        ends = starts + table.count.reshape(-1)
        self.ends = table.end.reshape(-1)
        packets = np.zeros((len(starts) + 1, at.PACKET_COLUMNS), dtype=np.int32)
        lines = int(self.machine.memory.l1i.line)
        begins = np.array([row[OPERATION] != CONTINUATION for row in self.rows], dtype=np.int64)
        instructions = np.concatenate([[0], np.cumsum(begins)])
        body = packets[:-1]
        body[:, at.END] = ends
        body[:, at.FIRST] = self.next_real[starts]
        body[:, at.NEXT_PACKET] = ends * window + window - 1
        body[ends == syllables, at.NEXT_PACKET] = len(starts)
        body[:, at.COUNT] = instructions[ends] - instructions[starts]
        body[:, at.FIRST_LINE] = starts // 3 * BUNDLE_BYTES // lines
        body[:, at.LAST_LINE] = np.maximum(ends - 1, starts) // 3 * BUNDLE_BYTES // lines
        beyond = packets[-1]  # the pipe runs off the end of the code
        beyond[[at.FIRST, at.END]] = syllables, syllables + 1
        beyond[at.COUNT] = 1
        beyond[[at.FIRST_LINE, at.LAST_LINE]] = body[-1, at.LAST_LINE]
        waits = self._waits()
        checks: list[int] = []
        for number in self._reachable(packets):
            first, end = int(packets[number, at.FIRST]), int(packets[number, at.END])
            packets[number, at.CHECKS] = len(checks)
            checks += self._checks(waits, first, end)
            packets[number, at.CHECKS_END] = len(checks)
        self.packets = packets.reshape(-1)
        self.checks = np.array(checks or [0], dtype=np.uint32)

    def _reachable(self, packets: np.ndarray) -> list[int]:
        """Packets at which the pipe can come to stand: branches may go to any bundle."""
        following = packets[:, at.NEXT_PACKET].tolist()
        found = set()
        for number in self.entries.tolist():
            while number not in found and number != len(packets) - 1:
                found.add(number)
                number = following[number]
        return sorted(found)

    def _waits(self) -> list[_Waits]:
        """Of each syllable."""
        found = []
        for plan, row, (reads, writes) in zip(self.plan_of, self.rows, self.accesses, strict=True):
            guard = row[GUARD_COLUMN] if plan and not plan.is_always_executed else 0
            keys = [
                (reg | use << at.COLUMN_SHIFT, k > 0)
                for k, (reg, use) in enumerate(reads)
                if reg in self.slow
            ]
            keys += [
                (reg | self.classes.writer_column(name) << at.COLUMN_SHIFT, True)
                for reg, name in writes
                if reg in self.slow
            ]
            found.append(_Waits(guard, keys))
        return found

    def _checks(self, waits: list[_Waits], start: int, end: int) -> list[int]:
        """The entries of a packet, each once."""
        found: dict[int, int] = {}
        written: set[int] = set()  # by earlier syllables of the packet
        for syllable in range(start, end):
            own, keys = waits[syllable]
            # A guard that the packet itself computes is not known yet: the operands are waited for.
            guard = 0 if at.PREDICATE + own in written else own << at.GUARD_SHIFT
            for key, is_guarded in keys:
                found.setdefault(key | guard if is_guarded else key, syllable - start)
            written.update(register for register, _ in self.accesses[syllable].writes)
        return [key | offset << at.SYLLABLE_SHIFT for key, offset in found.items()]
