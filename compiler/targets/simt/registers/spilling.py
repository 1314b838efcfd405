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

from collections.abc import Iterable
from dataclasses import replace

from compiler.analyses.liveness import kills
from compiler.ir.builder import Builder
from compiler.ir.copy import copy_instruction
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.targets.simt.registers.operands import TYPE_OF_FILE, files_of, reads, writes
from machines.instructions import operations

BYTES = {"b32": 4, "b64": 8}


class Spiller:
    """Rewrites a function so that chosen registers live elsewhere; keeps what it handed out.

    temporaries   the short-lived registers it made, which must not be spilled again
    counts        how many registers were spilled, recomputed or made numbers
    """

    def __init__(self, function: Function):
        self._function = function
        self._table = operations().family("ptx")
        self.temporaries: set[str] = set()
        self.counts: dict[str, int] = {}
        self._made = 0
        self._slots: dict[str, int] = {}
        self._numbers: dict[str, str] = {}
        self._origins: dict[str, Instruction] = {}

    def spill(self, names: Iterable[str], files: dict[str, str]) -> None:
        """Give each register another home and rewrite everything that names it."""
        names = list(names)
        self._slots, self._numbers = {}, {}
        self._origins = self._recomputable(names)
        for name in names:
            if name in self._origins:
                what = "recomputed"
            elif files[name] == "pred":
                number = self._numbers[name] = self._register("b32", is_temporary=False)
                if name in self._function.valueless:
                    self._function.valueless += (number,)
                what = "predicates kept as numbers"
            else:
                self._slots[name] = self._slot(BYTES[files[name]])
                what = "spilled"
            self.counts[what] = self.counts.get(what, 0) + 1
        builder = Builder(self._function)
        for block in self._function.blocks.values():
            code: list[Instruction] = []
            for instruction in block.instructions:
                code += self._rewrite(instruction)
            builder.set_instructions(block, code)

    def _slot(self, size: int) -> int:
        """The offset of a new slot in local memory."""
        frame = self._function.frame
        offset = -(-frame.local // size) * size
        self._function.frame = replace(frame, local=offset + size)
        return offset

    def _recomputable(self, names: list[str]) -> dict[str, Instruction]:
        """The registers among `names` that a single row makes out of nothing."""
        writers: dict[str, list[Instruction]] = {name: [] for name in names}
        for _, instruction in self._function.instructions():
            for name, _ in writes(instruction):
                if name in writers:
                    writers[name].append(instruction)
        return {
            name: found[0]
            for name, found in writers.items()
            if len(found) == 1 and _is_made_of_nothing(found[0])
        }

    def _rewrite(self, instruction: Instruction) -> list[Instruction]:
        """The instruction over temporaries, with what they hold made before and kept after it."""
        files = dict(files_of(instruction))
        moved = {
            name: self._register(files[name])
            for name in files
            if name in self._slots or name in self._numbers or name in self._origins
        }
        written = [name for name, _ in writes(instruction) if name in moved]
        if any(name in self._origins for name in written):
            return []
        wanted = dict.fromkeys(name for name, _ in reads(instruction) if name in moved)
        if not kills(instruction):
            wanted |= dict.fromkeys(written)
        before = [self._fetch(name, moved[name], files[name]) for name in wanted]
        after = [self._keep(name, moved[name], files[name]) for name in dict.fromkeys(written)]
        if moved:
            guard = instruction.guard
            instruction.results = tuple(moved.get(n, n) for n in instruction.results)
            instruction.operands = tuple(
                moved.get(v, v) if isinstance(v, str) else v for v in instruction.operands
            )
            instruction.guard = guard and Guard(moved.get(guard.name, guard.name), guard.negated)
        return [*before, instruction, *after]

    def _fetch(self, name: str, register: str, file: str) -> Instruction:
        if name in self._origins:
            again = copy_instruction(self._origins[name])
            again.results = (register,)
            return again
        if name in self._numbers:
            return self._make("setp.ne.s32", (register,), (self._numbers[name], 0))
        return self._make(f"ld.local.{file}", (register,), (0, self._slots[name]))

    def _keep(self, name: str, register: str, file: str) -> Instruction:
        if name in self._numbers:
            return self._make("selp.b32", (self._numbers[name],), (1, 0, register))
        return self._make(f"st.local.{file}", (), (0, self._slots[name], register))

    def _register(self, file: str, is_temporary: bool = True) -> str:
        self._made += 1
        name = f"%${self._made}"
        self._function.types[name] = TYPE_OF_FILE[file]
        if is_temporary:
            self.temporaries.add(name)
        return name

    def _make(
        self, operation: str, results: tuple[str, ...], operands: tuple[Value, ...]
    ) -> Instruction:
        return Instruction(self._table[operation], results, operands)


def _is_made_of_nothing(instruction: Instruction) -> bool:
    """Whether it reads no register and gives the same wherever it stands."""
    row = instruction.operation
    if instruction.guard is not None or len(instruction.results) != 1 or instruction.variables_read:
        return False
    return row.scheduling_class in ("load_param", "move", "special_register") and not row.flags
