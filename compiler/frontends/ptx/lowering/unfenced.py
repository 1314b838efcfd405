"""Registers that change before a product of a group of warps uses them, without a fence between.

add.f32 %f1, %f1, %f2;
wgmma.fence.sync.aligned;           without it, PTX says nothing of what the product adds to
wgmma.mma_async … {%f1, …}, …;

What is only moved, or is a number, needs none of its own: compilers put such moves wherever they
like.  What another product has on its way needs none either.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.module import Function, Instruction

ANY = ""
"""Stands for all registers where no fence has been passed."""
Changed = dict[str, Instruction | None]
"""Register -> the row that has changed it since the last fence."""


def registers_unfenced(function: Function) -> Iterator[tuple[str, Instruction, Instruction | None]]:
    """(register, the product that uses it, the row that has changed it; None: no fence before)."""
    blocks = function.blocks
    if not any(i.operation.group for _, i in function.instructions()):
        return
    entering: dict[str, Changed] = {name: {} for name in blocks}
    entering[next(iter(blocks))] = {ANY: None}
    work = list(blocks)
    while work:
        name = work.pop()
        leaving = dict(entering[name])
        for instruction in blocks[name].instructions:
            _pass(instruction, leaving)
        for successor in blocks[name].successors:
            into = entering[successor]
            more = {register: row for register, row in leaving.items() if register not in into}
            into |= more
            if more and successor not in work:
                work.append(successor)
    for name, block in blocks.items():
        changed = dict(entering[name])
        for instruction in block.instructions:
            if _is(instruction, "multiply"):
                used = {ANY: None} | dict.fromkeys(_used(instruction))
                yield from ((r, instruction, changed[r]) for r in used if r in changed)
            _pass(instruction, changed)


def _is(instruction: Instruction, does: str) -> bool:
    group = instruction.operation.group
    return group is not None and group.does == does


def _pass(instruction: Instruction, changed: Changed) -> None:
    """What has changed behind a row."""
    if _is(instruction, "fence"):
        changed.clear()
        return
    read = [value for value in instruction.variables_read if isinstance(value, str)]
    is_move = instruction.operation.name.startswith("mov.") and not instruction.guard
    is_kept = _is(instruction, "multiply") or (is_move and not any(r in changed for r in read))
    for register in instruction.results:
        if is_kept:
            changed.pop(register, None)
        else:
            changed[register] = instruction


def _used(instruction: Instruction) -> list[str]:
    """The sums and the left matrix of a product, as far as they are registers."""
    pairs = zip(instruction.operation.reads, instruction.operands, strict=True)
    found = {f.name: f.operands for f in instruction.operation.combines.fragments}
    left = found["left"] if len(found["left"]) > 1 else ()
    held = {*found["c"], *left}
    return [value for operand, value in pairs if operand.name in held and isinstance(value, str)]
