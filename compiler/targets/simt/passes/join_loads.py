"""Loads of neighbouring words of shared memory become one of two or four words.

    shl.b32       %p, %t, 4                shl.b32          %p, %t, 4
    ld.shared.b32 %a, [%p+0]         ->    ld.shared.v2.b32 {%a, %b}, [%p+0]
    ld.shared.b32 %b, [%p+4]

A load of several words has to be aligned to all of them, so what an address is a multiple of must
be known; shared memory begins at 0.  The joined load stands where the first of them stood, if
nothing in between keeps the others back.  What the assembler behind nvcc does too: it makes 16
loads of 32 bits and 4 of 128 of the 32 in the loop of a tiled matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.targets.simt.combination.values import Values, row, values_of
from compiler.targets.simt.row_order import order
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine

WORDS = {"ld.shared.b32": 4, "ld.shared.b64": 8}
"""Loads that are joined -> their bytes."""
WIDEST = 16
"""Bytes of one load."""
DEPTH = 8
"""How many rows behind each other are looked at for what an address is made of."""


def join(function: Function) -> Changes:
    """Join loads within each block."""
    changes, builder, values = Changes(), Builder(function), values_of(function)
    for block in function.blocks.values():
        groups = list(_groups(block, values))
        if not groups:
            continue
        code: list[Instruction | None] = list(block.instructions)
        for group in groups:
            first, loads = min(group), [code[number] for number in group]
            for number in group:
                code[number] = None
            code[first] = _joined(loads, block.instructions[first])
            changes.count("loads joined", len(group))
        builder.set_instructions(block, [i for i in code if i is not None])
    return changes


def _joined(loads: list[Instruction], first: Instruction) -> Instruction:
    """One load in place of these, which stand in the order of their addresses."""
    results = tuple(name for load in loads for name in load.results)
    operation = row(f"ld.shared.v{len(loads)}.b{8 * WORDS[first.operation.name]}")
    return Instruction(operation, results, loads[0].operands, location=first.location)


def _groups(block: Block, values: Values) -> Iterator[list[int]]:
    """Numbers of loads that may be one, in the order of their addresses; each load once."""
    code, used = block.instructions, set()
    alike: dict[tuple, list[int]] = {}
    for number, load in enumerate(code):
        if _may_join(load):
            alike.setdefault((load.operation.name, load.operands[0]), []).append(number)
    if all(len(numbers) == 1 for numbers in alike.values()):
        return
    before = order(code)
    for start, first in enumerate(code):
        if start in used or not _may_join(first):
            continue
        size = WORDS[first.operation.name]
        followers = [
            number
            for number in alike[first.operation.name, first.operands[0]]
            if number > start
            and number not in used
            and all(other < start for other in before[number])
        ]
        aligned = multiple_of(first.operands[0], values)
        for width in (WIDEST, WIDEST // 2):
            group = _window(code, [start, *followers], width, size) if aligned % width == 0 else []
            if group:
                used.update(group)
                yield group
                break


def _may_join(instruction: Instruction) -> bool:
    is_plain = instruction.guard is None and not instruction.attributes
    return instruction.operation.name in WORDS and is_plain


def _window(code: list[Instruction], numbers: list[int], width: int, size: int) -> list[int]:
    """The loads that fill the aligned `width` bytes in which the first of them lies."""
    if width == size:
        return []
    base = code[numbers[0]].operands[1] // width * width
    at: dict[int, int] = {}
    for number in numbers:
        at.setdefault(code[number].operands[1], number)
    wanted = range(base, base + width, size)
    if not all(offset in at for offset in wanted):
        return []
    group = [at[offset] for offset in wanted]
    results = {code[number].results[0] for number in group}
    return group if len(results) == len(group) else []


def multiple_of(value: Value, values: Values, depth: int = DEPTH) -> int:
    """A power of two, at most `WIDEST`, that divides what an operand holds."""
    if not isinstance(value, str):
        return WIDEST if value == 0 else min(WIDEST, value & -value)
    made = values.origin(value)
    if made is None or depth == 0:
        return 1
    name = made.operation.name
    parts = [multiple_of(o, values, depth - 1) for o in made.operands]
    if name in ("add.s32", "sub.s32", "or.b32", "xor.b32", "mov.b32"):
        return min(parts)
    if name == "and.b32":
        return max(parts)
    if name == "mul.lo.s32":
        return min(WIDEST, parts[0] * parts[1])
    if name == "mad.lo.s32":
        return min(WIDEST, parts[0] * parts[1], parts[2])
    if name == "shl.b32" and isinstance(made.operands[1], int):
        return min(WIDEST, parts[0] << min(made.operands[1], 8))
    return 1


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return join(function)


PLUGIN = Pass(
    "join_loads",
    "Loads of neighbouring words of shared memory become one.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
