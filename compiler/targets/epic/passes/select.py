"""Replace IR operations by machine operations over virtual registers:
`compiler.targets.epic.select`."""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.epic.select import select_function
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    before = sum(len(block.instructions) for block in function.blocks.values())
    select_function(function, machine.description)
    after = sum(len(block.instructions) for block in function.blocks.values())
    return Changes({"IR operations": before, "machine operations": after})


PLUGIN = Pass(
    "select",
    "Replace IR operations by machine operations over virtual registers.",
    run,
    forms={"ir": "virtual"},
    kinds=("epic",),
)
