"""Give every virtual register a register of the machine: `registers.allocation`."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.module import Function
from compiler.targets.epic.registers.allocation import allocate
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class AllocateOptions:
    rounds: int = option(100, "How often allocation is done again after spilling.")


def run(function: Function, machine: Machine, options: AllocateOptions) -> Changes:
    return Changes(allocate(function, machine.description, options.rounds))


PLUGIN = Pass(
    "allocate_registers",
    "Give every virtual register a register of the machine, by graph colouring with spills.",
    run,
    forms={"virtual": "allocated"},
    options=AllocateOptions,
    kinds=("epic",),
)
