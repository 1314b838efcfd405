"""Give every virtual register a register of the machine, by graph colouring.

    add %1 = %a, %b            add r33 = r14, r15
    st8 [%p] = %1        ->    st8 [r16] = r33

What is common to all targets says `compiler.machine_code`: here a register gets the one that a copy
from or to it has, or the next in turn (`colouring`), and lives in a slot of the stack if it finds
none (`spilling`).  What a kernel of a pipelined loop reads has to stay in a register; if there
are too few, it gets a copy of its own around each kernel, so that the value may live in memory
elsewhere.  On exit every operand is a register of the machine, copies onto themselves are gone,
and an `alloc` opens the frame if a stacked register is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compiler.ir.module import Function
from compiler.machine_code.allocation import Allocator
from compiler.machine_code.interference import Interference
from compiler.targets.epic.frame import open_frame, outputs
from compiler.targets.epic.kernels import (
    invariants,
    rotating_blocks,
    rotating_registers,
    split_around_kernels,
    static_registers,
)
from compiler.targets.epic.registers.colouring import Reserved, colour
from compiler.targets.epic.registers.operands import OPERANDS, PREFIX, files_of, machine_liveness
from compiler.targets.epic.registers.pre_spilling import pre_spilled
from compiler.targets.epic.registers.spilling import Slots
from machines.diagnostics import InputError, input_error
from machines.kinds.epic.fields import Epic


def allocate(function: Function, description: Epic, rounds: int) -> dict[str, int]:
    """Allocate registers in place, spilling at most `rounds` times; returns counts of what was
    spilled or recomputed.

    Raises InputError if the register files cannot hold the code even with everything spilled.
    """
    allocator = _Allocator(function, description)
    allocator.allocate(rounds)
    open_frame(function, description)
    return allocator.spiller.counts


class _Allocator(Allocator):
    """Allocates the registers of one function.

    kept       the registers that kernels read; once they are split, their copies
    is_split   whether they are
    waiting    those of them that found no register before, and for which others gave way
    """

    def __init__(self, function: Function, description: Epic):
        super().__init__(function, OPERANDS)
        self._description = description
        self.spiller = Slots(function, description)
        self._kept, self._is_split = invariants(function), False
        self._waiting: frozenset[str] = frozenset()
        spilled = pre_spilled(function, description, self._kept)
        if spilled:
            files = {name: file for _, i in function.instructions() for name, file in files_of(i)}
            self.spiller.spill(spilled, files)

    def interference(self) -> Interference:
        function, description = self.function, self._description
        self._reserved = Reserved(
            outputs(function),
            {file: rotating_registers(function, description, file) for file in PREFIX},
        )
        self._rotating = rotating_blocks(function, description)
        self._static = static_registers(function, self._rotating)
        pointer = description.registers["general"].stack_pointer
        base = None if pointer is None else f"{PREFIX['general']}{pointer}"
        return Interference(function, machine_liveness(function), base)

    def colour(self) -> tuple[dict[str, str], list[list[str]]]:
        named = (self.graph.appearing[block] for block in self._rotating)
        static = self._static.union(*named)
        unspillable = self.spiller.temporaries | self._kept
        colours, homeless = colour(
            self.graph, self._description, self._reserved, static, unspillable
        )
        return colours, [[name] for name in homeless]

    def must_stay(self, group: Sequence[str]) -> bool:
        return all(name in self.spiller.temporaries or name in self._kept for name in group)

    def split(self, colours: Mapping[str, str], homeless: Sequence[Sequence[str]]) -> bool:
        """Give kernels registers of their own if what they read stands in the way of a temporary,
        or finds no register although something beside it gave way."""
        if self._is_split:
            return False
        without = self._kept - colours.keys()
        in_the_way = self._kept and any(map(self.must_stay, homeless))
        if not in_the_way and not without & self._waiting.union(*homeless):
            self._waiting |= without
            return False
        self._kept, self._is_split = split_around_kernels(self.function, self._kept), True
        return True

    def refusal(self, file: str) -> InputError:
        description, function = self._description, self.function
        return input_error(
            f"{description.name} has too few {file} registers for '{function.name}', even with "
            "every value kept in memory",
            function.location,
            hint=f"raise registers.{file}.count or shorten registers.{file}.reserved",
        )
