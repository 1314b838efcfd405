"""What a loop body consists of once its registers are known as values.

@q add x = x@1, %k        Node: results (x), operands (Use(x, 1), '%k'), guard Use(q, 0)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.ir.module import Value
from compiler.targets.epic.registers.operands import register_operands
from machines.diagnostics import Location
from machines.operations.row import Operation


@dataclass(eq=False)
class Web:
    """A value of each iteration, in a rotating register.

    initial   omega -> the register that holds, before the loop, what is read as the value of
              omega iterations before the first
    off       a predicate that has to be false where there is no iteration
    """

    name: str
    file: str
    initial: dict[int, str] = field(default_factory=dict)
    off: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """The value of `omega` iterations ago, 0: of this one."""

    web: Web
    omega: int


@dataclass(frozen=True, slots=True)
class Valid:
    """The guard that is true in the iterations there are."""


VALID = Valid()

Guarding = Use | str | Valid | None


@dataclass(eq=False)
class Node:
    """An instruction of the body; registers that do not rotate are names.

    waits   it writes no register where there is no iteration, but for predicates that it clears
    """

    operation: Operation
    results: tuple[Web | str, ...]
    operands: tuple[Use | Value, ...]
    guard: Guarding = None
    waits: bool = False
    attributes: dict[str, object] = field(default_factory=dict)
    location: Location | None = None

    @property
    def reads(self) -> list[tuple[Use | str, str]]:
        """(value or register, use) for every register read, the guard included."""
        found = [
            (self.operands[k], operand.use) for k, operand in register_operands(self.operation)[1]
        ]
        if isinstance(self.guard, (Use, str)):
            use = "branch" if self.operation.control else "predicate"
            found.append((self.guard, use))
        return found

    @property
    def writes(self) -> list[tuple[Web | str, str]]:
        """(value or register, latency class) for every register written."""
        own = self.operation.scheduling_class
        return [
            (self.results[k], operand.produces or own)
            for k, operand in register_operands(self.operation)[0]
        ]
