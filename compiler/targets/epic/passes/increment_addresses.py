"""Let a load or store increment its address, in place of an addition of its own.

    ld8 %x = [%p]                      ld8 %x = [%p], 8
    add %s = %s, %x            ->      add %s = %s, %x
    adds %p = 8, %p

Within a stretch of code without branches: the access is the last to read the address before the
addition, and what is added is a small number or, for loads, a register that nothing changes in
between.  Pipelined loops have it done already, in a way of their own (`modulo_schedule`).
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.kernels import is_kernel
from compiler.targets.epic.pipelining.pointers import incremented, is_step, step_amount
from compiler.targets.epic.registers.operands import reads, writes
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def increment(function: Function) -> Changes:
    """Increment in all blocks."""
    changes, builder = Changes(), Builder(function)
    for block in function.blocks.values():
        if is_kernel(block):
            continue
        code: list[Instruction] = []
        for instruction in block.instructions:
            index = _access_before(code, instruction) if is_step(instruction) else None
            if index is None:
                code.append(instruction)
            else:
                code[index] = incremented(code[index], instruction)
                changes.count("additions taken over by accesses")
        if len(code) < len(block.instructions):
            builder.set_instructions(block, code)
    return changes


def _access_before(code: list[Instruction], step: Instruction) -> int | None:
    """The index of the access that can make the step."""
    pointer, amount = step.results[0], step_amount(step)
    for index in reversed(range(len(code))):
        instruction = code[index]
        if any(name == pointer for name, _ in reads(instruction)):
            return None if incremented(instruction, step) is None else index
        if instruction.operation.control:
            return None
        if any(name in (pointer, amount) for name, _ in writes(instruction)):
            return None
    return None


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return increment(function)


PLUGIN = Pass(
    "increment_addresses",
    "Let loads and stores increment their addresses.",
    run,
    forms={"virtual": "virtual"},
    kinds=("epic",),
)
