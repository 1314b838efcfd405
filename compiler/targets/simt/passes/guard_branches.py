"""Short ways of a branch become guarded rows of a SIMT machine.

    head: bra %p, swap, on               head: @%p st.shared.b32 [%a], %y
    swap: st.shared.b32 [%a], %y    ->         @%p st.shared.b32 [%b], %x
          st.shared.b32 [%b], %x               (and what stood in `on`)
          bra.uni on

    head: bra %p, more, less             head: @%p add.s32 %n, %n, 1
    more: add.s32 %n, %n, 1         ->         @!%p sub.s32 %n, %n, 1
          bra.uni on                           (and what stood in `on`)
    less: sub.s32 %n, %n, 1
          bra.uni on

All threads then go the same way, those whose predicate is false without effect: nothing has to part
and to meet, loads of several ways are under way together, and the scheduler sees one block.  Rows
that change nothing but what only the way itself reads need no guard; a load needs one, as it may
fault, and has the attribute 'fresh' if none but the way reads what it gives.

ptxas for sm_90 guards a way of at most eight instructions, and two of at most seven each; where all
threads end behind the way, those that do not go it end at once instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.targets.simt.combination.values import row
from compiler.targets.simt.emit import only_ends
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.instructions.ptx_operands import SOFTWARE
from machines.kinds.simt.fields import Simt


@dataclass(frozen=True, slots=True)
class GuardBranchesOptions:
    limit: int = option(8, "Most instructions of a way to be guarded; 0: no way is.")


@dataclass(frozen=True, slots=True)
class Ways:
    """Blocks that a branch leads to, each with its guard, and the block behind them."""

    taken: tuple[tuple[Block, Guard], ...]
    behind: str


def guard_short_ways(function: Function, limit: int, description: Simt) -> Changes:
    """Guard ways of at most `limit` instructions of the machine, inner ones first; where both ways
    of a branch are guarded, each has to have one less."""
    guarding = _Guarding(function, limit, description)
    if limit:
        for name in reversed(control_flow(function).reverse_postorder):
            while name in function.blocks and guarding.guard(function.blocks[name]):
                pass
    return guarding.changes


class _Guarding:
    """Guards short ways of one function.

    Guarding changes nothing in what is alive at the heads of the blocks that are left: a row keeps
    what its register held only where that is alive on the way around.
    """

    def __init__(self, function: Function, limit: int, description: Simt):
        self.function, self.limit, self.description = function, limit, description
        self._ends_at_once = description.compute_capability is not None
        self.changes, self._builder = Changes(), Builder(function)
        self._alive = liveness(function).live_in
        self._before = {
            name: set(found) for name, found in control_flow(function).predecessors.items()
        }

    def guard(self, head: Block) -> bool:
        """Guard the short ways of a block's branch; whether it has some."""
        ways = self._ways(head)
        if ways is None:
            return False
        self.changes.note("branch guarded", head.terminator)
        self._take_in(head, ways)
        self._run_on(head)
        return True

    def _ways(self, head: Block) -> Ways | None:
        """The short ways of a block's branch, if nothing else lies between it and another block."""
        last, blocks = head.terminator, self.function.blocks
        if last.operation.control != "branch" or not isinstance(last.operands[0], str):
            return None
        predicate, taken, otherwise = last.operands
        if taken == otherwise:
            return None
        guards = {taken: Guard(predicate, False), otherwise: Guard(predicate, True)}
        for inside, behind in ((taken, otherwise), (otherwise, taken)):
            if self._ends_at_once and only_ends(blocks[behind]):
                continue
            if self._is_short(head, inside, behind, self.limit):
                return Ways(((blocks[inside], guards[inside]),), behind)
        behind, *others = blocks[taken].successors or ("",)
        if not others and all(self._is_short(head, way, behind, self.limit - 1) for way in guards):
            return Ways(tuple((blocks[way], guard) for way, guard in guards.items()), behind)
        return None

    def _is_short(self, head: Block, inside: str, behind: str, limit: int) -> bool:
        """Whether a block to which only `head` leads is a short way to the block behind."""
        block, predicate = self.function.blocks[inside], head.terminator.operands[0]
        code = block.instructions[:-1]
        return (
            block.successors == (behind,)
            and inside not in (head.name, behind)
            and self._before[inside] == {head.name}
            and len(code) <= limit
            and all(_may_be_guarded(one, predicate) for one in code)
            and sum(self.description.classes[one.operation.scheduling_class].slots for one in code)
            <= limit
        )

    def _take_in(self, head: Block, ways: Ways) -> None:
        """Put the rows of the ways in the branch's place, guarded unless it does not matter."""
        jump = Instruction(row("bra.uni"), (), (ways.behind,), location=head.terminator.location)
        needed = set(self._alive[ways.behind])
        for way, _ in ways.taken[1:]:
            needed.update(self._alive[way.name])
        code = head.instructions[:-1]
        for way, guard in ways.taken:
            for instruction in way.instructions[:-1]:
                self._guard_row(instruction, guard, not needed.isdisjoint(instruction.results))
            code += way.instructions[:-1]
        self._builder.set_instructions(head, [*code, jump])
        for way, _ in ways.taken:
            self._builder.remove_block(way.name)
            self._before[ways.behind].discard(way.name)
        self._before[ways.behind].add(head.name)

    def _guard_row(self, instruction: Instruction, guard: Guard, is_needed: bool) -> None:
        if not is_needed and not instruction.operation.has_effect:
            return
        attributes = dict(instruction.attributes)
        if instruction.results and not is_needed:
            attributes["fresh"] = True
        self._builder.change(instruction, guard=guard, attributes=attributes)

    def _run_on(self, head: Block) -> None:
        """Take in the block behind, if nobody else leads there."""
        (behind,) = head.successors
        is_entry = behind == self.function.entry.name
        if is_entry or behind == head.name or self._before[behind] != {head.name}:
            return
        following = self.function.blocks[behind]
        self._builder.set_instructions(head, [*head.instructions[:-1], *following.instructions])
        for other in following.successors:
            self._before[other].discard(behind)
            self._before[other].add(head.name)
        self._builder.remove_block(behind)


def _may_be_guarded(instruction: Instruction, predicate: str) -> bool:
    operation = instruction.operation
    is_software = bool(operation.flags & SOFTWARE)  # which branches, or is long
    is_plain = not (operation.is_convergent or operation.orders_memory or is_software)
    return instruction.guard is None and is_plain and predicate not in instruction.results


def run(function: Function, machine: Machine, options: GuardBranchesOptions) -> Changes:
    return guard_short_ways(function, options.limit, machine.description)


PLUGIN = Pass(
    "guard_branches",
    "Short ways of a branch become guarded rows of a SIMT machine.",
    run,
    forms={"virtual": "virtual"},
    options=GuardBranchesOptions,
    kinds=("simt",),
)
