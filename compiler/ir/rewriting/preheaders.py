"""Give a loop a block that runs once before it, for code that need not run in every iteration.

A:    jump loop                            A:    jump loop.before.1
B:    branch p, loop, C                    B:    branch p, loop.before.1, C
loop: i = phi [A: 0, B: n, loop: j]   ->   loop.before.1:
      …                                          i.1 = phi [A: 0, B: n]
      branch q, loop, done                       jump loop
                                           loop: i = phi [loop.before.1: i.1, loop: j]
                                                 …
"""

from __future__ import annotations

from collections.abc import Collection

from compiler.analyses.loops import Loop
from compiler.ir.builder import Builder
from compiler.ir.effects import keeps_order
from compiler.ir.module import Block, Function, Instruction, Value
from machines.operations.row import Label


def preheader(function: Function, loop: Loop) -> Block:
    """The block that runs once before the loop's header whenever the loop is entered, and goes
    nowhere else; it is made if there is none.  For functions in variable and in SSA form.  It does
    not draw at its end (`branch opaque, loop, loop`), so what is put there comes before no draw.

    `loop` has to be from the function as it is now; loops found before a block was made know
    nothing of it.  Blocks that nothing reaches enter it like others, as phis name them too.  An
    irreducible region has no such block: ValueError.
    """
    if loop.is_irreducible:
        raise ValueError(f"the region of {', '.join(loop.entries)} has no single header")
    header = function.blocks[loop.header]
    outside = _outside(function, loop)
    if outside == [loop.preheader]:
        before = function.blocks[loop.preheader]
        if not keeps_order(before.terminator):
            return before
    builder = Builder(function)
    before = builder.block(builder.fresh_block(f"{loop.header}.before"), header.location)
    _lay_out_before(builder, before, header)
    _join_values(builder, before, header, outside)
    builder.at(before)
    builder.location = header.instructions[0].location
    builder.jump(header)
    for name in outside:
        _redirect(builder, function.blocks[name].terminator, header.name, before.name)
    return before


def _outside(function: Function, loop: Loop) -> list[str]:
    """The blocks outside a loop that go to its header: those that a phi there names, if there is
    one.  The graph would tell, but every block that is made would have it made anew.
    """
    header, members = loop.header, set(loop.members)
    first = function.blocks[header].instructions[0]
    if first.is_phi:
        return [label for label in first.operands[::2] if label not in members]
    return [
        name
        for name, block in function.blocks.items()
        if header in block.terminator.operands and header in block.successors
        if name not in members
    ]


def _lay_out_before(builder: Builder, block: Block, following: Block) -> None:
    """Put a block just before another one; before the entry it becomes the entry."""
    function = builder.function
    names = [name for name in function.blocks if name != block.name]
    names.insert(names.index(following.name), block.name)
    function.blocks = {name: function.blocks[name] for name in names}
    builder.order(names)


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
