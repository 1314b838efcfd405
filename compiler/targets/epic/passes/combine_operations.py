"""Within a block, let one operation do the work of two.

    %1 = dep.z %i, 3, 61         %q = shladd %i, 3, %p          shift left by 1 to 4, and add
    %q = add %p, %1

    %1 = zxt4 %i                 %2 = dep.z %i, 3, 32           zero-extend, and shift left
    %2 = dep.z %1, 3, 61

    %1 = and.imm 4, %x           %c, %d = tbit.z %x, 2          test one bit
    %c, %d = cmp.eq.imm 0, %1

The first operation stays; if nothing else reads its result `remove_unread_results` takes it away.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.local_values import LocalValues
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions import operations

ZERO_EXTENSIONS = {"zxt1": 8, "zxt2": 16, "zxt4": 32}
LARGEST_SHLADD = 4

Combined = tuple[str, tuple]  # operation, operands


def shift_and_add(instruction: Instruction, values: LocalValues) -> Combined | None:
    if instruction.operation.name != "add":
        return None
    for shifted, other in (instruction.operands, instruction.operands[::-1]):
        maker = values.maker(shifted)
        if maker is None or maker.operation.name != "dep.z":
            continue
        source, count, length = maker.operands
        if 1 <= count <= LARGEST_SHLADD and count + length == 64:
            return "shladd", (source, count, other)
    return None


def extend_and_shift(instruction: Instruction, values: LocalValues) -> Combined | None:
    if instruction.operation.name != "dep.z":
        return None
    extended, count, length = instruction.operands
    maker = values.maker(extended)
    if maker is None or maker.operation.name not in ZERO_EXTENSIONS:
        return None
    bits = ZERO_EXTENSIONS[maker.operation.name]
    return "dep.z", (maker.operands[0], count, min(length, bits))


def check_a_bit(instruction: Instruction, values: LocalValues) -> Combined | None:
    if instruction.operation.name not in ("cmp.eq.imm", "cmp4.eq.imm"):
        return None
    constant, register = instruction.operands
    maker = values.maker(register)
    if constant != 0 or maker is None or maker.operation.name != "and.imm":
        return None
    mask, tested = maker.operands
    if mask < 0 or mask.bit_count() != 1:
        return None
    return "tbit.z", (tested, mask.bit_length() - 1)


PATTERNS: tuple[Callable[[Instruction, LocalValues], Combined | None], ...] = (
    shift_and_add,
    extend_and_shift,
    check_a_bit,
)


def combine(function: Function) -> Changes:
    """Combine in all blocks."""
    changes, builder, table = Changes(), Builder(function), operations().family("ia64")
    for block in function.blocks.values():
        values = LocalValues()
        for instruction in block.instructions:
            for pattern in PATTERNS:
                combined = pattern(instruction, values)
                if combined is not None:
                    name, operands = combined
                    builder.change(instruction, operation=table[name], operands=operands)
                    changes.count(pattern.__name__.replace("_", " "))
            values.pass_over(instruction)
    return changes


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return combine(function)


PLUGIN = Pass(
    "combine_operations",
    "Within a block, let one operation do the work of two.",
    run,
    forms={"virtual": "virtual"},
    kinds=("epic",),
)
