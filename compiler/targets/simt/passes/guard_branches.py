"""Short ways around become guarded rows of a SIMT machine.

    head: bra %p, swap, on               head: @%p st.shared.b32 [%a], %y
    swap: st.shared.b32 [%a], %y    ->         @%p st.shared.b32 [%b], %x
          st.shared.b32 [%b], %x               (and what stood in `on`)
          bra.uni on

All threads then go the same way, those whose predicate is false without effect.  The assembler
behind nvcc does so to a few rows; as it leaves nothing to part and to meet, it is off (limit 0)
unless it is asked for: `passes: [default, {guard_branches: {limit: 6}}]`.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.targets.simt.combination.values import row
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.instructions.ptx_operands import SOFTWARE


@dataclass(frozen=True, slots=True)
class GuardBranchesOptions:
    limit: int = option(0, "Most rows that a branch leads around to be guarded instead.")


@dataclass(frozen=True, slots=True)
class Way:
    """A block that a branch leads to or around, and the block behind both."""

    block: Block
    behind: str
    guard: Guard


def guard_short_ways(function: Function, limit: int) -> Changes:
    """Guard blocks of at most `limit` rows, inner ones first."""
    changes, builder = Changes(), Builder(function)
    if not limit:
        return changes
    for name in reversed(control_flow(function).reverse_postorder):
        while name in function.blocks:
            head = function.blocks[name]
            way = _way(function, head, limit)
            if way is None:
                break
            changes.note("branch guarded", head.terminator)
            _guard(function, builder, head, way)
            _run_on(function, builder, head)
    return changes


def _way(function: Function, head: Block, limit: int) -> Way | None:
    """The short way around of a block's branch, if it has one."""
    last = head.terminator
    if last.operation.control != "branch" or not isinstance(last.operands[0], str):
        return None
    predicate, taken, otherwise = last.operands
    for inside, behind, negated in ((taken, otherwise, False), (otherwise, taken, True)):
        block = function.blocks[inside]
        if (
            inside != behind
            and block.successors == (behind,)
            and control_flow(function).predecessors[inside] == (head.name,)
            and len(block.instructions) - 1 <= limit
            and all(_may_be_guarded(i, predicate) for i in block.instructions[:-1])
        ):
            return Way(block, behind, Guard(predicate, negated))
    return None


def _may_be_guarded(instruction: Instruction, predicate: str) -> bool:
    operation = instruction.operation
    is_software = bool(operation.flags & SOFTWARE)  # which branches, or is long
    is_plain = not (operation.is_convergent or operation.orders_memory or is_software)
    return instruction.guard is None and is_plain and predicate not in instruction.results


def _guard(function: Function, builder: Builder, head: Block, way: Way) -> None:
    """Put the rows of the way in the place of the branch, guarded unless it does not matter."""
    jump = Instruction(row("bra.uni"), (), (way.behind,), location=head.terminator.location)
    needed = set(liveness(function).live_in[way.behind])
    for instruction in way.block.instructions[:-1]:
        if instruction.operation.has_effect or needed.intersection(instruction.results):
            builder.change(instruction, guard=way.guard)
    code = [*head.instructions[:-1], *way.block.instructions[:-1], jump]
    builder.set_instructions(head, code)
    builder.remove_block(way.block.name)


def _run_on(function: Function, builder: Builder, head: Block) -> None:
    """Take in the block behind, if nobody else leads there."""
    (behind,) = head.successors
    if behind != head.name and control_flow(function).predecessors[behind] == (head.name,):
        following = function.blocks[behind].instructions
        builder.set_instructions(head, [*head.instructions[:-1], *following])
        builder.remove_block(behind)


def run(function: Function, machine: Machine, options: GuardBranchesOptions) -> Changes:
    return guard_short_ways(function, options.limit)


PLUGIN = Pass(
    "guard_branches",
    "Short ways around become guarded rows of a SIMT machine; off unless a limit is given.",
    run,
    forms={"virtual": "virtual"},
    options=GuardBranchesOptions,
    kinds=("simt",),
)
