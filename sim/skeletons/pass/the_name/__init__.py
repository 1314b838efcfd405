"""Pass `the_name`: a product by two becomes a sum.

y = mul.i64 x, 2      ->      y = add.i64 x, x
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.instructions import operations


@dataclass(frozen=True, slots=True)
class Options:
    """What a pass list may choose: `the_name: {floats: false}`."""

    floats: bool = option(True, "Products of floats, too: twice a number is exact.")


def run(function: Function, machine: Machine, options: Options) -> Changes:
    """Replace every product by two; the builder notes that the function changed."""
    builder, changes = Builder(function), Changes()
    for _, instruction in [*function.instructions()]:
        operation, _, type_ = instruction.operation.name.partition(".")
        if operation != "mul" or (type_.startswith("f") and not options.floats):
            continue
        left, right = instruction.operands
        if right == 2 and isinstance(left, str):
            row = operations()["ir", f"add.{type_}"]
            builder.change(instruction, operation=row, operands=(left, left))
            changes.note("product became a sum", instruction)
    return changes


PASS = Pass(
    "the_name",
    "Make a product by two a sum.",
    run,
    forms={"ir": "ir", "ssa": "ssa"},
    options=Options,
)
