"""Changes that several passes make: other variables read, numbers in place of results."""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir.builder import Builder
from compiler.ir.module import Guard, Instruction
from machines.instructions import operations
from machines.operations.row import Operation
from machines.types import PTR, Type


def rename_variables(
    builder: Builder, instruction: Instruction, name_for: Callable[[str], str]
) -> None:
    """Put `name_for(name)` in place of every variable read: operands, bounds, guard and ties."""
    guard = instruction.guard
    builder.change(
        instruction,
        operands=instruction.operands_with(name_for),
        guard=guard and Guard(name_for(guard.name), guard.negated),
        otherwise=tuple(name_for(v) if isinstance(v, str) else v for v in instruction.otherwise),
    )


def copy_operation(t: Type) -> Operation:
    """The row that copies a variable of a type."""
    return operations()["ir", f"copy.{t}"]


def number_operation(t: Type) -> Operation:
    """The row that gives a variable of a type a number; addresses have no `const`."""
    return copy_operation(t) if t is PTR else operations()["ir", f"const.{t}"]
