"""Registers that a product of a group of warps is still using, and rows that touch them.

wgmma.mma_async … {%f1, …}, …;      %f1 is on its way
wgmma.commit_group.sync.aligned;    … as one of the last group
add.f32 %f9, %f1, %f2;              wrong: PTX says nothing of what it reads
wgmma.wait_group.sync.aligned 0;    %f1 is there

A product may add to what another product of the same registers has on its way.  ptxas lets such
rows be, with a warning, and puts waits before them; here they are errors, as what they would read
on a machine without these waits is anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.module import Function, Instruction

OPEN = -1
"""Age of products that are in no group."""
Flying = dict[str, tuple[int, bool, Instruction]]
"""Register -> (groups since it was used, whether it is written, by which product)."""


def registers_in_flight(function: Function) -> Iterator[tuple[str, Instruction, Instruction, bool]]:
    """(register, the row that touches it, the product that uses it, whether the row reads it)."""
    blocks = function.blocks
    if not any(i.operation.group for _, i in function.instructions()):
        return
    entering: dict[str, Flying] = {name: {} for name in blocks}
    work = list(blocks)
    while work:
        name = work.pop()
        leaving = dict(entering[name])
        for instruction in blocks[name].instructions:
            _pass(instruction, leaving)
        for successor in blocks[name].successors:
            if _join(entering[successor], leaving) and successor not in work:
                work.append(successor)
    for name, block in blocks.items():
        flying = dict(entering[name])
        for instruction in block.instructions:
            yield from _touched(instruction, flying)
            _pass(instruction, flying)


def _join(into: Flying, other: Flying) -> bool:
    """Take in what is on its way on another path; whether anything changed."""
    changed = False
    for register, use in other.items():
        known = into.get(register)
        if known is None or use[0] < known[0] or (use[1] and not known[1]):
            age = use[0] if known is None else min(use[0], known[0])
            writes = use[1] or (known is not None and known[1])
            into[register] = (age, writes, use[2])
            changed = True
    return changed


def _pass(instruction: Instruction, flying: Flying) -> None:
    """What is on its way behind a row."""
    group = instruction.operation.group
    if group is None:
        return
    if group.does == "multiply":
        for register in _left(instruction):
            flying.setdefault(register, (OPEN, False, instruction))
        for register in instruction.results:
            flying[register] = (OPEN, True, instruction)
    elif group.does == "commit":
        for register, (age, writes, product) in flying.items():
            flying[register] = (age + 1, writes, product)
    elif group.does == "wait":
        [count] = instruction.operands
        for register in [r for r, use in flying.items() if use[0] >= count]:
            del flying[register]


def _touched(
    instruction: Instruction, flying: Flying
) -> Iterator[tuple[str, Instruction, Instruction, bool]]:
    group = instruction.operation.group
    is_product = group is not None and group.does == "multiply"
    sums = set(instruction.results) if is_product else set()
    for register in dict.fromkeys(instruction.variables_read):
        if register in flying and flying[register][1] and register not in sums:
            yield register, instruction, flying[register][2], True
    for register in instruction.results:
        if register in flying and not (is_product and flying[register][1]):
            yield register, instruction, flying[register][2], False


def _left(instruction: Instruction) -> list[str]:
    """The registers of the left matrix, if it stands in registers."""
    pairs = zip(instruction.operation.reads, instruction.operands, strict=True)
    [left] = [f for f in instruction.operation.combines.fragments if f.name == "left"]
    held = left.operands if len(left.operands) > 1 else ()
    return [value for operand, value in pairs if operand.name in held and isinstance(value, str)]
