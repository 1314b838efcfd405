"""Machine blocks apart from the layout: straight code, and where control goes at its end.

    a:  cmp.eq %p, p0 = …            Straight(code: cmp, br.cond b; goes_on: "c")
        (%p) br.cond b        <->
        br.cond c                    what follows the block in the layout no longer matters

Blocks are taken apart, put together in other ways, and laid out again; a branch is written where
control does not run on, and turned around where that saves one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.analyses.code_flow import leads_away, targets
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.targets.epic.bundling.groups import EARLY_PREDICATES
from compiler.targets.epic.registers.operands import writes
from compiler.targets.epic.selection.select_control import ALWAYS, UNLIKELY
from machines.instructions import operations
from machines.types import I1

COMPARES = (*EARLY_PREDICATES, "fp_compare")
"""Scheduling classes whose two predicates are opposites."""


@dataclass(slots=True)
class Straight:
    """A block's instructions without the branch that ends it, if that goes to one place.

    goes_on  where control goes at the end; None if it does not come there
    """

    code: list[Instruction]
    goes_on: str | None

    @property
    def targets(self) -> tuple[str, ...]:
        """Where control may go, each block once."""
        found = dict.fromkeys(label for i in self.code for label in targets(i))
        return tuple(dict.fromkeys((*found, *([self.goes_on] if self.goes_on else []))))

    @property
    def exit(self) -> Instruction | None:
        """The conditional branch at the end, None if there is none."""
        last = self.code[-1] if self.code else None
        return last if last and last.operation.name == "br.cond" and last.guard else None


def take_apart(function: Function) -> dict[str, Straight]:
    """The blocks of a function, in layout order."""
    names = [*function.blocks, None]
    return {
        name: _straight(block, following)
        for (name, block), following in zip(function.blocks.items(), names[1:], strict=True)
    }


def _straight(block: Block, following: str | None) -> Straight:
    last = block.instructions[-1] if block.instructions else None
    if last is None or not leads_away(last):
        return Straight(list(block.instructions), following)
    if last.operation.name == "br.cond":
        return Straight(block.instructions[:-1], last.labels[0])
    return Straight(list(block.instructions), None)


def put_together(function: Function, blocks: Mapping[str, Straight]) -> None:
    """Make these the blocks of a function, in this order; the others go."""
    builder = Builder(function)
    for name in [name for name in function.blocks if name not in blocks]:
        builder.remove_block(name)
    builder.order(blocks)
    for (name, block), following in zip(blocks.items(), [*blocks, None][1:], strict=True):
        code = list(block.code)
        if block.goes_on not in (None, following):
            leave = block.exit
            if leave is not None and leave.labels == (following,) and turn_around(builder, code):
                builder.change(code[-1], operands=(UNLIKELY, block.goes_on))
            else:
                branch = operations()["ia64", "br.cond"]
                code.append(Instruction(branch, (), (ALWAYS, block.goes_on)))
        builder.set_instructions(function.blocks[name], code)


def turn_around(builder: Builder, code: list[Instruction]) -> bool:
    """Let the branch at the end of straight code be taken where it was not; False, and nothing
    changed, if no compare in the code gives the opposite of its predicate."""
    branch = code[-1]
    opposite = _opposite(builder, code[:-1], branch.guard.name)
    if opposite is None:
        return False
    builder.change(branch, guard=Guard(opposite))
    return True


def _opposite(builder: Builder, code: list[Instruction], predicate: str) -> str | None:
    """A predicate that is true at the end of straight code exactly if this one is false."""
    changed: set[str] = set()
    for instruction in reversed(code):
        written = [name for name, _ in writes(instruction)]
        if predicate in written:
            return _other_result(builder, instruction, predicate, changed)
        changed.update(written)
    return None


def _other_result(
    builder: Builder, compare: Instruction, predicate: str, changed: set[str]
) -> str | None:
    operation = compare.operation
    if operation.scheduling_class not in COMPARES or "parallel" in operation.flags:
        return None
    if compare.guard is not None:
        return None
    first, second = compare.results
    other = second if first == predicate else first
    if other in changed:
        return None
    if other == "p0":
        other = builder.fresh("%not", I1)
        results = (predicate, other) if first == predicate else (other, predicate)
        builder.change(compare, results=results)
    return other
