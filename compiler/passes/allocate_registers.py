"""Give every virtual register a register of the machine.

How is the target's: see `compiler/targets/epic/allocation.py` and `compiler/targets/simt`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets import target_of
from compiler.transformation import AllocateOptions, Changes, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine, options: AllocateOptions) -> Changes:
    return Changes(target_of(machine).allocate(function, machine.description, options))


PLUGIN = Pass(
    "allocate_registers",
    "Give every virtual register a register of the machine, by graph colouring with spills.",
    run,
    forms={"virtual": "allocated"},
    options=AllocateOptions,
)
