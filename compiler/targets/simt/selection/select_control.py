"""Selection of what ends a block."""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.simt.selection.selector import Selector, rule


@rule("jump")
def jump(s: Selector, i: Instruction) -> None:
    s.emit("bra.uni", (), (i.operands[0],))


@rule("branch")
def branch(s: Selector, i: Instruction) -> None:
    condition, then, other = i.operands
    if then == other or not isinstance(condition, str):
        s.emit("bra.uni", (), (then if condition else other,))
    else:
        s.emit("bra", (), (s.variable(condition), then, other))


@rule("return")
def leave(s: Selector, i: Instruction) -> None:
    if i.operands and s.function.body is None:
        s.refuse("a kernel returns nothing", "store the result to memory")
    s.emit("exit")


@rule("opaque.i1")
@rule("branch.opaque")
def opaque(s: Selector, i: Instruction) -> None:
    s.refuse("nothing is known about an opaque condition", "write a comparison in its place")
