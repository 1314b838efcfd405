"""Order the rows in each block of a SIMT machine's code so that less is waited for.

    ld.global.b32 %a, [%p]            ld.global.b32 %a, [%p]
    add.s32       %s, %s, %a    ->    ld.global.b32 %b, [%p+4]
    ld.global.b32 %b, [%p+4]          add.s32       %s, %s, %a
    add.s32       %s, %s, %b          add.s32       %s, %s, %b

A warp issues its rows in order, so what comes behind one that waits waits too.  The assembler
behind nvcc orders PTX anew for that reason.  Registers are taken as far as they cost no resident
warps (or as far as the code has them anyway): see `compiler.targets.simt.scheduling`.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.liveness import LiveSets, liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.targets.simt.block_rows import BlockRows
from compiler.targets.simt.live_profile import Registers
from compiler.targets.simt.registers.operands import files_of
from compiler.targets.simt.scheduling import Scheduler
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.kinds.simt.fields import Simt

GAPS = 2
"""Registers that may be left over between others in a block of pairs, which begin at even numbers:
where no more are alive than a full SM has less these, no kernel of tests/corpus is given more than
a full SM has.  In a block without pairs none are, and the last two let chains run side by side."""


@dataclass(frozen=True, slots=True)
class ScheduleLanesOptions:
    registers: int = option(0, "Registers it may fill; 0: as many as cost no resident warps.")


def schedule(function: Function, description: Simt, registers: int) -> Changes:
    """Order the rows of each block anew, except for what ends it."""
    changes, builder = Changes(), Builder(function)
    most = registers or free_registers(description)
    live = liveness(function)
    registers_of = _Registers(function, live.live_in)
    for name, block in function.blocks.items():
        named = [register for i in block.instructions for register, _ in files_of(i)]
        leaving = live.live_out.among(name, named)
        alive = registers_of.alive(name)
        rows = BlockRows(block.instructions, leaving, alive, description)
        has_pairs = any(function.types[register].bits == 64 for register in named)
        gaps = GAPS if has_pairs and not registers else 0
        code = [block.instructions[number] for number in Scheduler(rows).run(most - gaps)]
        if code != block.instructions:
            builder.set_instructions(block, code)
            changes.count("blocks ordered anew")
    return changes


class _Registers:
    """How many registers of 32 bits, and predicates, are alive at the heads of blocks."""

    def __init__(self, function: Function, live: LiveSets):
        self._live, types = live, function.types
        self._predicates = live.mask_of(name for name in live.names if types[name].bits == 1)
        self._pairs = live.mask_of(name for name in live.names if types[name].bits == 64)

    def alive(self, block: str) -> Registers:
        held = self._live.mask(block)
        predicates = (held & self._predicates).bit_count()
        return held.bit_count() - predicates + (held & self._pairs).bit_count(), predicates


def free_registers(description: Simt) -> int:
    """Registers of a thread with which an SM is full of warps."""
    limits = description.limits
    return limits.registers // (limits.warps * description.warp_width)


def run(function: Function, machine: Machine, options: ScheduleLanesOptions) -> Changes:
    return schedule(function, machine.description, options.registers)


PLUGIN = Pass(
    "schedule_lanes",
    "Order the rows in each block of a SIMT machine's code so that less is waited for.",
    run,
    forms={"virtual": "virtual"},
    options=ScheduleLanesOptions,
    kinds=("simt",),
)
