"""Control flow and liveness of machine code.

A machine block may hold a conditional branch before its last instruction and may run into the next
block of the layout, so its successors are not those of an IR block.  A call comes back to the next
block.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.loops import Loops, find_loops
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.registers import keeps_old_value, reads, writes


def successors(function: Function) -> dict[str, tuple[str, ...]]:
    """Where control may go after each block, each block once."""
    names = list(function.blocks)
    found = {}
    for name, following in zip(names, [*names[1:], None], strict=True):
        targets: list[str] = []
        falls = True
        for instruction in function.blocks[name].instructions:
            if instruction.operation.control != "call":
                targets += instruction.labels
            falls &= not leads_away(instruction)
        if falls and following is not None:
            targets.append(following)
        found[name] = tuple(dict.fromkeys(targets))
    return found


def leads_away(instruction: Instruction) -> bool:
    """Whether what follows in the layout is not reached: a branch without a guard, unless it goes
    by a counter, as those do that take none.  A call comes back."""
    operation = instruction.operation
    always = operation.control not in (None, "call") and "unpredicated" not in operation.flags
    return always and instruction.guard is None


@cached_by_version
def machine_loops(function: Function) -> Loops:
    return find_loops(function.entry.name, successors(function))


@dataclass(frozen=True, slots=True)
class MachineLiveness:
    """Registers live at both ends of every block, as bit sets over `numbers`."""

    numbers: dict[str, int]
    live_in: dict[str, int]
    live_out: dict[str, int]

    def names(self, mask: int) -> list[str]:
        """The registers of a bit set, in order of first appearance in the function."""
        return [name for name, number in self.numbers.items() if mask >> number & 1]


@cached_by_version
def machine_liveness(function: Function) -> MachineLiveness:
    """Liveness of registers, virtual or real; constant registers are left out."""
    numbers: dict[str, int] = {}
    for _, instruction in function.instructions():
        for name, _ in (*writes(instruction), *reads(instruction)):
            numbers.setdefault(name, len(numbers))
    follow = successors(function)
    exposed, killed = {}, {}
    for name, block in function.blocks.items():
        exposed[name], killed[name] = _summary(block.instructions, numbers)
    live_in = dict.fromkeys(function.blocks, 0)
    live_out = dict.fromkeys(function.blocks, 0)
    changed = True
    while changed:
        changed = False
        for name in reversed(function.blocks):
            out = 0
            for target in follow[name]:
                out |= live_in[target]
            before = exposed[name] | (out & ~killed[name])
            changed |= before != live_in[name] or out != live_out[name]
            live_in[name], live_out[name] = before, out
    return MachineLiveness(numbers, live_in, live_out)


def _summary(instructions: Iterable[Instruction], numbers: dict[str, int]) -> tuple[int, int]:
    """Bit sets of registers read before they are overwritten, and of registers overwritten."""
    exposed = killed = 0
    for instruction in instructions:
        for name, _ in reads(instruction):
            exposed |= (1 << numbers[name]) & ~killed
        if not keeps_old_value(instruction):
            for name, _ in writes(instruction):
                killed |= 1 << numbers[name]
    return exposed, killed


def step_backward(live: int, instruction: Instruction, numbers: dict[str, int]) -> int:
    """Registers live before an instruction, from those live after it."""
    if not keeps_old_value(instruction):
        for name, _ in writes(instruction):
            live &= ~(1 << numbers[name])
    for name, _ in reads(instruction):
        live |= 1 << numbers[name]
    return live
