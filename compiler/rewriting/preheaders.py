"""Give loops a block that runs once before them, for code that need not run in every iteration.

A:    jump loop                            A:    jump loop.before.1
B:    branch p, loop, C                    B:    branch p, loop.before.1, C
loop: i = phi [A: 0, B: n, loop: j]   ->   loop.before.1:
      …                                          i.1 = phi [A: 0, B: n]
      branch q, loop, done                       jump loop
                                           loop: i = phi [loop.before.1: i.1, loop: j]
                                                 …
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import Loop
from compiler.ir.builder import Builder
from compiler.ir.effects import keeps_order
from compiler.ir.module import Block, Function, Instruction, Value
from machines.operations.row import Label


def preheaders(function: Function, loops: Iterable[Loop]) -> dict[str, Block]:
    """For each of the loops, by its header, the block that runs once before the header whenever the
    loop is entered, and goes nowhere else; it is made if there is none.  For functions in variable
    and in SSA form.  It does not draw at its end (`branch opaque, loop, loop`), so what is put
    there comes before no draw.

    The loops have to be from the function as it is now.  They are given together, so that its graph
    and its layout are gone through once: a new block goes to one header, and changes nothing for
    the others.  Blocks that nothing reaches enter loops like others, as phis name them too.  An
    irreducible region has no such block: ValueError.
    """
    builder, predecessors = Builder(function), control_flow(function).predecessors
    found: dict[str, Block] = {}
    made: dict[str, Block] = {}
    for loop in loops:
        if loop.is_irreducible:
            raise ValueError(f"the region of {', '.join(loop.entries)} has no single header")
        outside = [name for name in predecessors[loop.header] if name not in loop.latches]
        if outside == [loop.preheader] and _is_usable(function.blocks[loop.preheader]):
            found[loop.header] = function.blocks[loop.preheader]
        else:
            found[loop.header] = made[loop.header] = _make(builder, loop.header, outside)
    if made:
        _lay_out(builder, made)
    return found


def _is_usable(block: Block) -> bool:
    return not keeps_order(block.terminator)


def _make(builder: Builder, name: str, outside: Collection[str]) -> Block:
    """A block between a header and the blocks that enter its loop; it is last in the layout."""
    header = builder.function.blocks[name]
    before = builder.block(builder.fresh_block(f"{name}.before"), header.location)
    _join_values(builder, before, header, frozenset(outside))
    builder.at(before)
    builder.emit("jump", name, location=header.instructions[0].location)
    for source in outside:
        _redirect(builder, builder.function.blocks[source].terminator, name, before.name)
    return before


def _lay_out(builder: Builder, made: dict[str, Block]) -> None:
    """Put each block just before its header; before the entry it becomes the entry."""
    new = {block.name for block in made.values()}
    blocks: dict[str, Block] = {}
    for name, block in builder.function.blocks.items():
        if name in made:
            blocks[made[name].name] = made[name]
        if name not in new:
            blocks[name] = block
    builder.function.blocks = blocks
    builder.order(blocks)


def _join_values(builder: Builder, before: Block, header: Block, outside: Collection[str]) -> None:
    """Let the header's phis take from `before` what they took from the blocks outside."""
    for phi in [i for i in header.instructions if i.is_phi]:
        pairs = list(zip(phi.operands[::2], phi.operands[1::2], strict=True))
        entering = [(label, value) for label, value in pairs if label in outside]
        staying = [(label, value) for label, value in pairs if label not in outside]
        joined = _one_value(builder, before, phi, entering)
        operands = ((before.name, joined), *staying)
        builder.change(phi, operands=tuple(item for pair in operands for item in pair))


def _one_value(
    builder: Builder, before: Block, phi: Instruction, entering: list[tuple[Value, Value]]
) -> Value:
    """The value that comes in over several edges: itself if it is one, or that of a new phi."""
    first = entering[0][1]
    if all(repr(value) == repr(first) for _, value in entering):
        return first
    builder.at(before)
    return builder.emit(
        phi.operation,
        *(item for pair in entering for item in pair),
        result=builder.fresh(phi.results[0]),
        location=phi.location,
    )


def _redirect(builder: Builder, terminator: Instruction, old: str, new: str) -> None:
    kinds = (operand.kind for operand in terminator.operation.reads)
    operands = (
        new if value == old and isinstance(kind, Label) else value
        for value, kind in zip(terminator.operands, kinds, strict=True)
    )
    builder.change(terminator, operands=tuple(operands))
