"""Keeping values of a thread in its local memory.

    add.s32 %x, %a, %b      ->      add.s32       %$1, %a, %b
                                    st.local.b32  [16], %$1
    mov.tid.x %t            ->      (again before each row that reads %t)
    setp.eq.s32 %p, %a, 0   ->      setp.eq.s32   %$2, %a, 0
                                    selp.b32      %$3, 1, 0, %$2

A slot is as large as the value.  A register that is written once, by a row that reads no other, is
computed again instead.  A predicate becomes a number in a register of 32 bits.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.ir.module import Function, Instruction, Value
from compiler.machine_code.spilling import Spiller
from compiler.targets.simt.registers.operands import OPERANDS, TYPE_OF_FILE
from machines.instructions import operations

BYTES = {"b32": 4, "b64": 8}
MADE_OF_NOTHING = ("load_param", "move", "special_register")
"""Scheduling classes of rows that give the same wherever they stand, if they read no register."""


class LocalMemory(Spiller):
    """Writes code around values in the local memory of a thread.

    The home of a predicate is the register with its number, that of any other the offset of a slot.
    """

    types = TYPE_OF_FILE

    def __init__(self, function: Function):
        super().__init__(function, OPERANDS)
        self._table = operations().family("ptx")

    def is_made_of_nothing(self, instruction: Instruction) -> bool:
        row = instruction.operation
        is_alone = instruction.guard is None and len(instruction.results) == 1
        reads_nothing = not instruction.variables_read and not row.flags
        return is_alone and reads_nothing and row.scheduling_class in MADE_OF_NOTHING

    def home(self, name: str, file: str) -> tuple[str | int, str]:
        if file != "pred":
            return self._slot(BYTES[file]), "spilled"
        number = self.lasting_register("b32")
        if name in self.function.valueless:
            self.function.valueless += (number,)
        return number, "predicates kept as numbers"

    def load(self, register: str, file: str, home: str | int) -> list[Instruction]:
        if file == "pred":
            return [self._make("setp.ne.s32", (register,), (home, 0))]
        return [self._make(f"ld.local.{file}", (register,), (0, home))]

    def store(self, register: str, file: str, home: str | int) -> list[Instruction]:
        if file == "pred":
            return [self._make("selp.b32", (home,), (1, 0, register))]
        return [self._make(f"st.local.{file}", (), (0, home, register))]

    def _slot(self, size: int) -> int:
        """The offset of a new slot in local memory."""
        frame = self.function.frame
        offset = -(-frame.local // size) * size
        self.function.frame = replace(frame, local=offset + size)
        return offset

    def _make(
        self, operation: str, results: tuple[str, ...], operands: tuple[Value, ...]
    ) -> Instruction:
        return Instruction(self._table[operation], results, operands)
