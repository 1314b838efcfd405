"""Within a block, turn extensions of values that are short enough already into copies.

    %1 = ld1 %p          %1 = ld1 %p             loads zero-extend
    %x = zxt1 %1   ->    %x = adds 0, %1

A value's *width* is the number of low bits outside of which it is known to be zero.  A zero
extension of at least that many bits, and a sign extension of more, changes nothing.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.registers.operands import copies_onto_itself, keeps_old_value, writes
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions import operations

LOADS = {"ld1": 8, "ld2": 16, "ld4": 32}
ZERO_EXTENSIONS = {"zxt1": 8, "zxt2": 16, "zxt4": 32}
SIGN_EXTENSIONS = {"sxt1": 8, "sxt2": 16, "sxt4": 32}
WHOLE = 64


def width_of(instruction: Instruction, widths: dict[str, int]) -> int:
    """The width of an operation's result, from the widths of the registers it reads."""
    name, operands = instruction.operation.name, instruction.operands

    def read(position: int) -> int:
        value = operands[position]
        return 0 if value == "r0" else widths.get(value, WHOLE)

    if name in LOADS:
        return LOADS[name]
    if name in ZERO_EXTENSIONS:
        return min(ZERO_EXTENSIONS[name], read(0))
    if name in ("addl", "adds", "movl") and isinstance(operands[0], int) and operands[0] >= 0:
        if name == "movl" or operands[1] == "r0":
            return operands[0].bit_length()
        return read(1) if operands[0] == 0 else WHOLE
    if name == "extr.u":
        return min(operands[2], max(read(0) - operands[1], 0))
    if name == "dep.z":
        return min(operands[1] + min(operands[2], read(0)), WHOLE)
    if name == "and":
        return min(read(0), read(1))
    if name == "and.imm" and operands[0] >= 0:
        return min(operands[0].bit_length(), read(1))
    if name in ("or", "xor"):
        return max(read(0), read(1))
    if name in ("or.imm", "xor.imm") and operands[0] >= 0:
        return max(operands[0].bit_length(), read(1))
    return WHOLE


def changes_nothing(instruction: Instruction, widths: dict[str, int]) -> bool:
    """True if an instruction is an extension of a value that is extended already."""
    name = instruction.operation.name
    if name in ZERO_EXTENSIONS:
        return widths.get(instruction.operands[0], WHOLE) <= ZERO_EXTENSIONS[name]
    if name in SIGN_EXTENSIONS:
        return widths.get(instruction.operands[0], WHOLE) < SIGN_EXTENSIONS[name]
    return False


def constant_widths(function: Function) -> dict[str, int]:
    """Widths of the registers that are written once, with a constant; 0 before that is no wider."""
    writers: dict[str, list[Instruction]] = {}
    for _, instruction in function.instructions():
        for name, _ in writes(instruction):
            writers.setdefault(name, []).append(instruction)
    return {
        name: width_of(found[0], {})
        for name, found in writers.items()
        if len(found) == 1 and found[0].operation.name in ("addl", "movl")
    }


def drop(function: Function) -> int:
    """Replace them in all blocks; returns how many."""
    builder, dropped = Builder(function), 0
    move = operations()["ia64", "adds"]
    constants = constant_widths(function)
    for block in function.blocks.values():
        widths, code = dict(constants), []
        for instruction in block.instructions:
            if changes_nothing(instruction, widths):
                operands = (0, *instruction.operands)
                builder.change(instruction, operation=move, operands=operands)
                dropped += 1
            if copies_onto_itself(instruction):
                continue
            code.append(instruction)
            width = width_of(instruction, widths)
            for name, _ in writes(instruction):
                old = widths.get(name, WHOLE) if keeps_old_value(instruction) else 0
                widths[name] = max(width, old)
        builder.set_instructions(block, code)
    return dropped


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return Changes({"extensions dropped": drop(function)})


PLUGIN = Pass(
    "drop_extensions",
    "Within a block, turn extensions of values that are short enough into copies.",
    run,
    forms={"virtual": "virtual"},
    kinds=("epic",),
)
