"""Give every virtual register a register of the machine: `registers.allocate`."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.module import Function
from compiler.targets.simt.registers.allocate import allocate
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class AllocateOptions:
    rounds: int = option(100, "How often allocation is done again after spilling.")
    registers: int = option(0, "32-bit registers a thread may have; 0: what the machine has.")
    apart: bool = option(False, "Give no two virtual registers the same one.")


def run(function: Function, machine: Machine, options: AllocateOptions) -> Changes:
    description, limit = machine.description, options.registers
    return Changes(allocate(function, description, options.rounds, limit, options.apart))


PLUGIN = Pass(
    "allocate_registers",
    "Give every virtual register a register of the machine, by graph colouring with spills.",
    run,
    forms={"virtual": "allocated"},
    options=AllocateOptions,
    kinds=("simt",),
)
