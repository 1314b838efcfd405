"""Keeping values in memory: slots of the buffer 'stack', below the stack pointer.

    add %x = %a, %b      ->      add  %$1 = %a, %b
                                 adds %$2 = -32, r12
                                 st8  [%$2] = %$1

A slot is 16 bytes, so that a floating register keeps its full 80 bits.  A predicate is stored as 0
or 1.  A register that is written once, with a constant, is computed again at each use instead.
"""

from __future__ import annotations

from itertools import chain

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction
from compiler.targets.epic.registers.operands import (
    CONSTANT,
    PREFIX,
    files_of,
    keeps_old_value,
    reads,
    writes,
)
from machines.diagnostics import input_error
from machines.instructions import operations
from machines.kinds.epic.fields import Epic
from machines.types import F64, I1, I64

SLOT_BYTES = 16
RECOMPUTED = frozenset({"movl", "movl.symbol"})
SMALLEST_OFFSET = -(1 << 13)
TYPES = {"general": I64, "floating": F64, "predicate": I1}


class Spiller:
    """Rewrites a function so that chosen registers live in memory; keeps what it handed out.

    temporaries   the short-lived registers it made, which must not be spilled again
    counts        how many registers were spilled or are recomputed
    """

    def __init__(self, function: Function, description: Epic):
        self._function = function
        self._table = operations().family("ia64")
        self._slots = 0
        self._stack_pointer = description.registers["general"].stack_pointer
        self._machine_name = description.name
        self.temporaries: set[str] = set()
        self.counts: dict[str, int] = {}

    def spill(self, names: list[str]) -> list[str]:
        """Give each register a slot, or recompute it, and rewrite everything that names it;
        returns the blocks that changed."""
        gone = frozenset(names)
        constants = self._constants(gone)
        slots: dict[str, int] = {}
        for name in names:
            if name not in constants:
                slots[name] = self._slots
                self._slots += 1
            kind = "recomputed" if name in constants else "spilled"
            self.counts[kind] = self.counts.get(kind, 0) + 1
        if slots and self._stack_pointer is None:
            raise input_error(
                f"{self._machine_name} has no stack pointer, so registers cannot be spilled",
                hint="the machine's registers.general.stack_pointer names it",
            )
        builder, changed = Builder(self._function), []
        for name, block in self._function.blocks.items():
            naming = [i for i in block.instructions if not _names_none_of(gone, i)]
            if not naming:
                continue
            rewritten = {i: self._rewrite(i, slots, constants) for i in naming}
            code = (rewritten.get(i, (i,)) for i in block.instructions)
            builder.set_instructions(block, chain.from_iterable(code))
            changed.append(name)
        return changed

    def _constants(self, names: frozenset[str]) -> dict[str, Instruction]:
        """The registers among `names` that a single instruction sets to a constant."""
        writers: dict[str, list[Instruction]] = {name: [] for name in names}
        for _, instruction in self._function.instructions():
            if not names.isdisjoint(instruction.results):
                for name in names.intersection(instruction.results):
                    writers[name].append(instruction)
        return {
            name: found[0]
            for name, found in writers.items()
            if len(found) == 1 and _is_constant(found[0])
        }

    def _rewrite(
        self, instruction: Instruction, slots: dict[str, int], constants: dict[str, Instruction]
    ) -> list[Instruction]:
        """The instruction over temporaries, with reloads before it and stores after it."""
        written = dict.fromkeys(name for name, _ in writes(instruction))
        if any(name in constants for name in written):
            return []
        read = dict.fromkeys(name for name, _ in reads(instruction))
        if keeps_old_value(instruction):
            read.update(written)
        files = dict(files_of(instruction))
        names: dict[str, str] = {}
        before: list[Instruction] = []
        after: list[Instruction] = []
        for name in (*read, *written):
            if (name in slots or name in constants) and name not in names:
                names[name] = self._temporary(files[name])
        for name in read:
            if name in constants:
                origin = constants[name]
                before.append(self._make(origin.operation.name, names[name], *origin.operands))
            elif name in slots:
                before += self._reload(names[name], files[name], slots[name])
        for name in written:
            if name in slots:
                after += self._store(names[name], files[name], slots[name])
        if names:
            guard = instruction.guard
            instruction.results = tuple(names.get(n, n) for n in instruction.results)
            instruction.operands = tuple(names.get(v, v) for v in instruction.operands)
            instruction.guard = guard and Guard(names.get(guard.name, guard.name))
        return [*before, instruction, *after]

    def _reload(self, register: str, file: str, slot: int) -> list[Instruction]:
        address, code = self._address(slot)
        if file == "floating":
            return [*code, self._make("ldfe", register, address, spill_slot=slot)]
        if file == "general":
            return [*code, self._make("ld8", register, address, spill_slot=slot)]
        value = self._temporary("general")
        load = self._make("ld8", value, address, spill_slot=slot)
        test = self._make("cmp.eq", ("p0", register), value, "r0")
        return [*code, load, test]

    def _store(self, register: str, file: str, slot: int) -> list[Instruction]:
        address, code = self._address(slot)
        if file == "floating":
            return [*code, self._make("stfe", (), address, register, spill_slot=slot)]
        if file == "general":
            return [*code, self._make("st8", (), address, register, spill_slot=slot)]
        value = self._temporary("general")
        zero = self._make("addl", value, 0, "r0")
        one = self._make("addl", value, 1, "r0")
        one.guard = Guard(register)
        store = self._make("st8", (), address, value, spill_slot=slot)
        return [zero, one, *code, store]

    def _address(self, slot: int) -> tuple[str, list[Instruction]]:
        """A temporary with the address of a slot, and the code that computes it."""
        address = self._temporary("general")
        pointer = f"{PREFIX['general']}{self._stack_pointer}"
        offset = -SLOT_BYTES * slot
        if offset >= SMALLEST_OFFSET:
            return address, [self._make("adds", address, offset, pointer)]
        distance = self._temporary("general")
        far = self._make("movl", distance, offset)
        return address, [far, self._make("add", address, distance, pointer)]

    def _temporary(self, file: str) -> str:
        name = f"%${len(self.temporaries) + 1}"
        self.temporaries.add(name)
        self._function.types[name] = TYPES[file]
        return name

    def _make(self, operation: str, results, *operands, **attributes) -> Instruction:
        if isinstance(results, str):
            results = (results,)
        return Instruction(self._table[operation], results, operands, attributes=attributes)


def _names_none_of(names: frozenset[str], instruction: Instruction) -> bool:
    guard = instruction.guard
    return (
        names.isdisjoint(instruction.results)
        and names.isdisjoint(instruction.operands)
        and (guard is None or guard.name not in names)
    )


def _is_constant(instruction: Instruction) -> bool:
    if instruction.guard is not None:
        return False
    if instruction.operation.name in RECOMPUTED:
        return True
    return instruction.operation.name in ("addl", "adds") and instruction.operands[1] in CONSTANT


def move_stack_pointer(description: Epic, by: int) -> list[Instruction]:
    """Code that adds to the stack pointer.

    Raises InputError for a distance that no immediate holds.
    """
    pointer = f"{PREFIX['general']}{description.registers['general'].stack_pointer}"
    row = operations()["ia64", "adds"]
    if not SMALLEST_OFFSET <= by <= -SMALLEST_OFFSET - 1:
        raise input_error(
            f"a function that calls spills {abs(by) // SLOT_BYTES} registers, which is too many",
            hint="keep fewer values alive across its calls",
        )
    return [Instruction(row, (pointer,), (by, pointer))]


def stack_bytes(function: Function) -> int:
    """Size of the stack that the function's spill slots need, 0 if it has none.

    The stack pointer stands 16 bytes below the end and slots grow downward from it.
    """
    slots = [
        i.attributes["spill_slot"]
        for _, i in function.instructions()
        if "spill_slot" in i.attributes
    ]
    return SLOT_BYTES * (max(slots) + 1) if slots else 0
