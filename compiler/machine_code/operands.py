"""Which registers instructions name: all that the common parts know of a target's code."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from compiler.analyses.liveness import kills
from compiler.ir.module import Instruction


def is_virtual(name: object) -> bool:
    """Whether a name is that of a register that selection made, which all begin with '%'."""
    return isinstance(name, str) and name.startswith("%")


def keeps_old_value(instruction: Instruction) -> bool:
    """Whether a guard may leave the old values of the registers that an instruction writes."""
    return not kills(instruction)


@dataclass(frozen=True)
class Operands:
    """How to read the instructions of a target.

    banks            register file -> the bank that its registers are in: what is alive in one bank
                     competes for it, be it of one file or of several that overlap
    named            (register, file) of all that an instruction names, in order
    move_source      the register that a plain move copies to its only result, None for all else
    read             the registers that an instruction reads, in order, the guard's among them
    written          the registers that it writes, in order
    keeps_old_value  whether the registers that it writes may keep their old values
    is_virtual       whether a register is still to be allocated
    """

    banks: Mapping[str, str]
    named: Callable[[Instruction], Iterable[tuple[str, str]]]
    move_source: Callable[[Instruction], str | None]
    read: Callable[[Instruction], Collection[str]] = lambda instruction: instruction.variables_read
    written: Callable[[Instruction], Collection[str]] = lambda instruction: instruction.results
    keeps_old_value: Callable[[Instruction], bool] = keeps_old_value
    is_virtual: Callable[[object], bool] = is_virtual
