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

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.analyses.liveness import liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function
from compiler.targets.simt.scheduling import Scheduler
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.kinds.simt.fields import Simt

SIZES = {1: 0, 64: 2}
"""Bits of a type -> registers of 32 bits, where not one."""


@dataclass(frozen=True, slots=True)
class ScheduleLanesOptions:
    registers: int = option(0, "Registers it may fill; 0: as many as cost no resident warps.")


def schedule(function: Function, description: Simt, registers: int) -> Changes:
    """Order the rows of each block anew, except for what ends it."""
    changes, builder = Changes(), Builder(function)
    budget = registers or free_registers(description)
    live = liveness(function)
    for name, block in function.blocks.items():
        around = live.live_in[name], live.live_out[name]
        if _schedule_block(function, builder, block, around, description, budget):
            changes.count("blocks ordered anew")
    return changes


def _schedule_block(
    function: Function,
    builder: Builder,
    block: Block,
    around: tuple[tuple[str, ...], tuple[str, ...]],
    description: Simt,
    budget: int,
) -> bool:
    scheduler = Scheduler(block.instructions, *around, description)
    alive = _registers(function, around[0])
    code = scheduler.run(max(budget, scheduler.pressure(alive)), alive)
    if code == block.instructions:
        return False
    builder.set_instructions(block, code)
    return True


def _registers(function: Function, names: Iterable[str]) -> int:
    return sum(SIZES.get(function.types[name].bits, 1) for name in names)


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
