"""Which variables blocks assign, and which live across blocks, for showing.

BB4: @p x = a - b         assigns x, y; reads p, a, b before it assigns them, and no x: the
     y = x * a            guarded definition of x does not end exposure, so x is read, too
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.rows import as_list
from compiler.analyses.ssa.phi_placement import assigned_and_exposed
from compiler.analyses.ssa.renaming import renaming
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class BlockSets:
    """Variables by number, ascending; a block that is never reached assigns nothing.

    assigned     for every block the variables that it assigns
    effect_prs   what is assigned anywhere
    global_prs   what some block reads before it certainly assigns it: it lives across blocks
    """

    assigned: list[list[int]]
    effect_prs: list[int]
    global_prs: list[int]


def block_sets(function: Function) -> BlockSets:
    """The sets of a well-formed function."""
    known = renaming(function)
    numbered, order = known.occurrences, as_list(known.order)
    names, places, _, read, _ = assigned_and_exposed(
        len(numbered.variables), order, numbered.first, numbered.bounds, numbered.variable
    )
    assigned: list[list[int]] = [[] for _ in numbered.blocks]
    for block, name in sorted(zip(places, names, strict=True)):
        assigned[block].append(name)
    return BlockSets(assigned, sorted(set(names)), sorted(set(read)))
