"""Replace short conditional code by guarded instructions (if-conversion).

    A: branch p, T, J             A: t = add.i64 a, 1        (t is not read after T)
    T: t = add.i64 a, 1     ->       @p store.i64 q, t
       store.i64 q, t                @p x = copy.i64 t
       x = copy.i64 t                jump J
       jump J

Taken: a side that only A leads to and that goes where the other side goes (a triangle), or two such
sides that meet (a diamond).  Guards keep faults where they are, since a guarded-off load, store or
division does nothing.  What cannot fault and whose result nobody reads outside its side runs
without the guard, so that it need not wait for it.  For functions in variable form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.passes.simplify_control_flow import simplify
from compiler.transformation import Changes, Pass, option
from machines.load import Machine
from machines.types import I1

LONG_SEQUENCES = {"div": 12, "div_s": 12, "div_u": 12, "rem_s": 12, "rem_u": 12, "sqrt": 12}
"""Operations that become many: how many instructions they count as."""


@dataclass(frozen=True, slots=True)
class Hammock:
    """A branch that can be converted: its sides (block, guard is negated) and where they meet."""

    head: Block
    sides: tuple[tuple[Block, bool], ...]
    join: str


def convert(function: Function, limit: int) -> Changes:
    """Convert every branch whose sides have at most `limit` instructions together."""
    changes = Changes()
    while True:
        found = _first_convertible(function, limit)
        if found is None:
            break
        _convert(function, found)
        changes.count("branches converted")
        simplify(function)
    for reason in _refusals(function, limit):
        changes.count(reason)
    return changes


def _first_convertible(function: Function, limit: int) -> Hammock | None:
    for block in function.blocks.values():
        hammock = find_hammock(function, block)
        if hammock is not None and _why_not(hammock, limit) is None:
            return hammock
    return None


def _refusals(function: Function, limit: int) -> list[str]:
    """Why each remaining hammock was left alone."""
    hammocks = [find_hammock(function, block) for block in function.blocks.values()]
    return [_why_not(hammock, limit) for hammock in hammocks if hammock is not None]


def find_hammock(function: Function, head: Block) -> Hammock | None:
    """The triangle or diamond that starts at a block, if there is one."""
    if head.terminator.operation.name != "branch":
        return None
    condition, then, other = head.terminator.operands
    if not isinstance(condition, str) or then == other:
        return None
    predecessors = control_flow(function).predecessors

    def side_to(name: str) -> str | None:
        """Where a side goes on to, None if it is not a side."""
        block = function.blocks[name]
        if predecessors[name] != (head.name,) or name == function.entry.name or block is head:
            return None
        last = block.terminator
        return str(last.operands[0]) if last.operation.name == "jump" else None

    after_then, after_other = side_to(then), side_to(other)
    if after_then is not None and after_then == other:
        return Hammock(head, ((function.blocks[then], False),), str(other))
    if after_other is not None and after_other == then:
        return Hammock(head, ((function.blocks[other], True),), str(then))
    if after_then is not None and after_then == after_other:
        sides = ((function.blocks[then], False), (function.blocks[other], True))
        return Hammock(head, sides, after_then)
    return None


def _why_not(hammock: Hammock, limit: int) -> str | None:
    """Why a hammock is left alone, None if it is converted."""
    code = [i for block, _ in hammock.sides for i in block.instructions[:-1]]
    if sum(LONG_SEQUENCES.get(i.operation.name.split(".")[0], 1) for i in code) > limit:
        return "sides too long"
    if any(i.guard is not None or i.is_phi for i in code):
        return "sides with guards"
    if any(i.operation.implicit_reads for i in code):
        return "sides with conditions nothing is known of"
    return None


def _convert(function: Function, hammock: Hammock) -> None:
    head = hammock.head
    condition = str(head.terminator.operands[0])
    live_in = liveness(function).live_in
    needed = [{*live_in[hammock.join]} for _ in hammock.sides]
    for position, (block, _) in enumerate(hammock.sides):
        for earlier in range(position + 1):
            needed[earlier] |= set(live_in[block.name])
    builder = Builder(function)
    builder.set_instructions(head, head.instructions[:-1])
    builder.at(head)
    if any(condition in i.results for block, _ in hammock.sides for i in block.instructions):
        kept = builder.fresh(condition, I1)
        builder.emit("copy.i1", condition, result=kept, location=head.location)
        condition = kept
    for (block, negated), others in zip(hammock.sides, needed, strict=True):
        guard = Guard(condition, negated)
        for instruction in block.instructions[:-1]:
            free = _runs_freely(instruction, others)
            builder.insert(instruction if free else replace(instruction, guard=guard))
    builder.jump(hammock.join)
    for block, _ in hammock.sides:
        builder.remove_block(block.name)


def _runs_freely(instruction: Instruction, needed: set[str]) -> bool:
    """True if an instruction of a side can run although the side is not taken.

    It cannot fault, it is cheap, and what it overwrites is not needed by anyone else.
    """
    long = instruction.operation.name.split(".")[0] in LONG_SEQUENCES
    overwrites = any(name in needed for name in instruction.results)
    return not (instruction.operation.has_effect or long or overwrites)


@dataclass(frozen=True, slots=True)
class ConvertOptions:
    limit: int = option(8, "Most instructions on both sides together.")


def run(function: Function, machine: Machine, options: ConvertOptions) -> Changes:
    return convert(function, options.limit)


PLUGIN = Pass(
    "convert_branches",
    "Replace short conditional code by guarded instructions.",
    run,
    options=ConvertOptions,
)
