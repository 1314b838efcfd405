"""Keeping values in memory: slots of the buffer 'stack', below the stack pointer.

    add %x = %a, %b      ->      add  %$1 = %a, %b
                                 adds %$2 = -32, r12
                                 st8  [%$2] = %$1

A slot is 16 bytes, so that a floating register keeps its full 80 bits.  A predicate is stored as 0
or 1.  A register that is written once, with a constant, is computed again at each use
instead.
"""

from __future__ import annotations

from compiler.ir.module import Function, Guard, Instruction
from compiler.machine_code.spilling import Spiller
from compiler.targets.epic.registers.operands import CONSTANT, OPERANDS, PREFIX
from machines.diagnostics import input_error
from machines.instructions import operations
from machines.kinds.epic.fields import Epic
from machines.types import F64, I1, I64

SLOT_BYTES = 16
RECOMPUTED = frozenset({"movl", "movl.symbol"})
SMALLEST_OFFSET = -(1 << 13)
TYPES = {"general": I64, "floating": F64, "predicate": I1}


class Slots(Spiller):
    """Writes code around values in slots of the stack."""

    types = TYPES

    def __init__(self, function: Function, description: Epic):
        super().__init__(function, OPERANDS)
        self._table = operations().family("ia64")
        self._slots = 0
        self._stack_pointer = description.registers["general"].stack_pointer
        self._machine_name = description.name

    def is_made_of_nothing(self, instruction: Instruction) -> bool:
        if instruction.guard is not None:
            return False
        if instruction.operation.name in RECOMPUTED:
            return True
        return (
            instruction.operation.name in ("addl", "adds") and instruction.operands[1] in CONSTANT
        )

    def again(self, origin: Instruction, register: str) -> Instruction:
        return self._make(origin.operation.name, register, *origin.operands)

    def home(self, name: str, file: str) -> tuple[int, str]:
        """The number of a slot."""
        if self._stack_pointer is None:
            raise input_error(
                f"{self._machine_name} has no stack pointer, so registers cannot be spilled",
                hint="the machine's registers.general.stack_pointer names it",
            )
        self._slots += 1
        return self._slots - 1, "spilled"

    def load(self, register: str, file: str, slot: int) -> list[Instruction]:
        address, code = self._address(slot)
        if file == "floating":
            return [*code, self._make("ldfe", register, address, spill_slot=slot)]
        if file == "general":
            return [*code, self._make("ld8", register, address, spill_slot=slot)]
        value = self.temporary("general")
        load = self._make("ld8", value, address, spill_slot=slot)
        test = self._make("cmp.eq", ("p0", register), value, "r0")
        return [*code, load, test]

    def store(self, register: str, file: str, slot: int) -> list[Instruction]:
        address, code = self._address(slot)
        if file == "floating":
            return [*code, self._make("stfe", (), address, register, spill_slot=slot)]
        if file == "general":
            return [*code, self._make("st8", (), address, register, spill_slot=slot)]
        value = self.temporary("general")
        zero = self._make("addl", value, 0, "r0")
        one = self._make("addl", value, 1, "r0")
        one.guard = Guard(register)
        store = self._make("st8", (), address, value, spill_slot=slot)
        return [zero, one, *code, store]

    def _address(self, slot: int) -> tuple[str, list[Instruction]]:
        """A temporary with the address of a slot, and the code that computes it."""
        address = self.temporary("general")
        pointer = f"{PREFIX['general']}{self._stack_pointer}"
        offset = -SLOT_BYTES * slot
        if offset >= SMALLEST_OFFSET:
            return address, [self._make("adds", address, offset, pointer)]
        distance = self.temporary("general")
        far = self._make("movl", distance, offset)
        return address, [far, self._make("add", address, distance, pointer)]

    def _make(self, operation: str, results, *operands, **attributes) -> Instruction:
        if isinstance(results, str):
            results = (results,)
        return Instruction(self._table[operation], results, operands, attributes=attributes)


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
