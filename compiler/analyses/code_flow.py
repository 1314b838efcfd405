"""Control flow of machine code.

A machine block may hold a conditional branch before its last instruction and may run into the next
block of the layout, so its successors are not those of an IR block.  A call comes back to the next
block.
"""

from __future__ import annotations

from compiler.ir.module import Function, Instruction


def successors(function: Function) -> dict[str, tuple[str, ...]]:
    """Where control may go after each block, each block once."""
    names = list(function.blocks)
    found = {}
    for name, following in zip(names, [*names[1:], None], strict=True):
        goes_to: list[str] = []
        falls = True
        for instruction in function.blocks[name].instructions:
            goes_to += targets(instruction)
            falls &= not leads_away(instruction)
        if falls and following is not None:
            goes_to.append(following)
        found[name] = tuple(dict.fromkeys(goes_to))
    return found


def predecessors(function: Function) -> dict[str, list[str]]:
    """From where control may come to each block."""
    found: dict[str, list[str]] = {name: [] for name in function.blocks}
    for name, goes_to in successors(function).items():
        for target in goes_to:
            found[target].append(name)
    return found


def targets(instruction: Instruction) -> tuple[str, ...]:
    """The blocks of the function that an instruction may go to."""
    operation = instruction.operation
    return instruction.labels if operation.control and operation.control != "call" else ()


def leads_away(instruction: Instruction) -> bool:
    """Whether what follows in the layout is not reached: a branch without a guard, unless it goes
    by a counter, as those do that take none.  A call comes back."""
    operation = instruction.operation
    always = operation.control not in (None, "call") and "unpredicated" not in operation.flags
    return always and instruction.guard is None
