"""What operations cost on a kind of machine, for passes that weigh one way against another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compiler.ir.module import Instruction

DIVISION = 12
"""Instructions of a division or a square root where no figure is known: a seed and its steps."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Instructions that an operation becomes, and cycles from its operands to its result."""

    operations: int
    cycles: int


@dataclass(frozen=True)
class Costs:
    """What a target says; where it says nothing, or none is known, those of a plain processor.

    simple         an addition, a shift, a logical operation
    product        of two integers of 64 bits
    short_product  of an integer and a literal with few bits
    folded_shifts  shifts by so many bits are a part of the addition that reads them
    sequences      instructions that operations become, by the name without its type; others are one
    """

    simple: Cost = Cost(1, 1)
    product: Cost = Cost(1, 3)
    short_product: Cost = Cost(1, 3)
    folded_shifts: range = range(0)
    sequences: Mapping[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("div", "div_s", "div_u", "rem_s", "rem_u", "sqrt"), DIVISION
        )
    )

    def is_long(self, instruction: Instruction) -> bool:
        """Whether an operation becomes a sequence of instructions."""
        return _name(instruction) in self.sequences

    def instructions(self, instruction: Instruction) -> int:
        """How many instructions an operation becomes."""
        return self.sequences.get(_name(instruction), 1)


def _name(instruction: Instruction) -> str:
    return instruction.operation.name.split(".")[0]
