"""DU and UD chains: which definitions reach a use, and which uses a definition reaches.

    BB1: x = a + c                        x1 = a1 + c1
    BB2:                                  x2 = phi [BB1: x1, BB4: x4]
    BB3: @p x = a + b      by SSA names   @p1 x5 = a1 + b1               linked to x2
    BB4:                                  x3 = phi [BB2: x2, BB3: x5]
         @p x = a - b                     @p1 x4 = a1 - b1               linked to x3
    BB5: y = x                            y1 = x4

The use in BB5 reads x4.  x4 is predicated, so through its link also x3; that is a phi, so also x2
and x5; and so on: the definitions in BB1, BB3 and BB4 reach it.  No fixpoint is needed: a function
is renamed once (`compiler.analyses.ssa.renaming`), and the chains are read off the names, phis
folded away (`compiler.analyses.ssa.folding`).  `compiler.analyses.ssa.reaching_definitions` finds
the same by the classic fixpoint; `compiler.analyses.ssa.chain_tables` shows chains as tables, with
phis and without.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses import graphs
from compiler.analyses.cache import cached_by_version
from compiler.analyses.jitted import Kernel
from compiler.analyses.rows import Rows
from compiler.analyses.ssa import renaming_walk
from compiler.analyses.ssa.folding import folded
from compiler.analyses.ssa.occurrences import DEFINITION, Occurrences, occurrences
from compiler.analyses.ssa.renaming import COMPILED_FROM, renaming
from compiler.ir.module import Function

KERNEL = Kernel("chains", folded, COMPILED_FROM, uses=(graphs, renaming_walk), bits=32)


@dataclass(frozen=True, slots=True)
class Chains:
    """Chains between occurrences, each given by its number, in ascending order.

    defs   for every use the definitions that reach it (UD chain); empty for definitions
    uses   for every definition the uses it reaches (DU chain); empty for uses

    Uses by terminators are among them.  What is in a block the entry does not reach has no chains.
    """

    occurrences: Occurrences
    defs: Rows
    uses: Rows

    @property
    def length(self) -> int:
        """The number of pairs of a definition and a use that it reaches."""
        return len(self.defs.items)


@cached_by_version
def chains(function: Function) -> Chains:
    """The chains of a well-formed function, read off its SSA names.

    In a function that is in SSA form already, phis are definitions and uses like any other, and a
    guarded definition is linked to the value after its `else`.
    """
    known = renaming(function)
    size = len(known.occurrences.instructions)
    operands = known.operand_rows
    defs_start, defs, uses_start, uses = KERNEL(
        size, known.value_of, known.before, operands.start, operands.items
    )
    return Chains(known.occurrences, Rows(defs_start, defs), Rows(uses_start, uses))


@dataclass(frozen=True, slots=True)
class UsedBeforeDefinition:
    """A use that no definition reaches, and a way from the entry to its block (names)."""

    occurrence: int
    path: tuple[str, ...]


@cached_by_version
def used_before_definition(function: Function) -> tuple[UsedBeforeDefinition, ...]:
    """Every use that reads a variable before anything can have assigned it, in order of the text.

    On no path from the entry to the use stands a definition, so one path shows it: a shortest one.
    """
    numbered = occurrences(function)
    came_from = _shortest_ways(numbered)
    found = chains(function).defs
    reports = []
    for block in sorted(came_from):
        for instruction in range(numbered.first[block], numbered.first[block + 1]):
            if numbered.instructions[instruction].is_phi:
                continue
            for occurrence, kind in numbered.of(instruction):
                if kind != DEFINITION and not found[occurrence]:
                    path = [block]
                    while path[-1] != 0:
                        path.append(came_from[path[-1]])
                    names = tuple(numbered.blocks[b] for b in reversed(path))
                    reports.append(UsedBeforeDefinition(occurrence, names))
    return tuple(reports)


def _shortest_ways(numbered: Occurrences) -> dict[int, int]:
    """For every block that can be reached the one before it on a shortest way from the entry."""
    came_from = {0: 0}
    successors = Rows(numbered.start, numbered.targets)
    front = [0]
    while front:
        ahead = []
        for block in front:
            for target in successors[block]:
                if target not in came_from:
                    came_from[target] = block
                    ahead.append(target)
        front = ahead
    return came_from
