"""Replace IR operations by machine operations over virtual registers.

The rules belong to the target: see `select.py` in `compiler/targets/epic` and `simt`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets import target_of
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    before = sum(len(block.instructions) for block in function.blocks.values())
    target_of(machine).select(function, machine.description)
    after = sum(len(block.instructions) for block in function.blocks.values())
    return Changes({"IR operations": before, "machine operations": after})


PLUGIN = Pass(
    "select",
    "Replace IR operations by machine operations over virtual registers.",
    run,
    forms={"ir": "virtual"},
)
