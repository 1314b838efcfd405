"""Where SSA form needs phis: in the iterated dominance frontiers, if the variable is live there.

    BB2: branch opaque, BB3, BB4        BB3 and BB4 assign x.  The frontier of BB3 is BB4, where x
    BB3: @p x = a + b                   is live because the guarded definition kills nothing; the
    BB4: @p x = a - b              ->   frontier of BB4 is BB2, where it is live for the same
         branch opaque, BB2, BB5        reason.  So BB2 and BB4 get a phi for x.
    BB5: y = x

Cytron, Ferrante, Rosen, Wegman, Zadeck, *Efficiently Computing Static Single Assignment Form and
the Control Dependence Graph*, 1991; with liveness (pruned SSA) Choi, Cytron, Ferrante, *Automatic
Construction of Sparse Data Flow Evaluation Graphs*, 1991.

No phi that is placed so need be removed again.  It never joins one definition point only (itself
aside): a block of the frontier ends two ways that share no block and come from two definitions, or
from one and the call, so the last definition or phi on each is another.  And something takes its
value: the variable is live, so a way leads to a use that nothing cuts; the first phi, link of a
predicated definition, or use on it is what takes it.
"""

from __future__ import annotations

from compiler.analyses.dominators import dominators
from compiler.analyses.ssa.block_values import BlockValues, block_values
from compiler.analyses.ssa.occurrences import Occurrences, occurrences
from compiler.ir.module import Function


def phi_placement(function: Function) -> list[list[int]]:
    """For every block the variables that need a phi at its head, in the order of their numbers."""
    numbered, values = occurrences(function), block_values(function)
    joined = _joined(function, numbered, values)
    live_in = _live_in(numbered, values, joined)
    frontier = by_number(numbered, dominators(function).frontier)
    assigning: dict[int, list[int]] = {variable: [] for variable in joined}
    for block in numbered.order:
        for variable in values.left[block]:
            if variable in assigning:
                assigning[variable].append(block)
    phis: list[list[int]] = [[] for _ in numbered.blocks]
    for bit, (variable, pending) in enumerate(assigning.items()):
        placed = set()
        while pending:
            for block in frontier[pending.pop()]:
                if block not in placed and live_in[block] >> bit & 1:
                    placed.add(block)
                    phis[block].append(variable)
                    pending.append(block)
    return phis


def _joined(function: Function, numbered: Occurrences, values: BlockValues) -> list[int]:
    """The variables of effect_prs and global_prs, but for those of one certain definition that
    dominates every use: they are live nowhere in its frontier."""
    only: dict[int, int | None] = {}
    for block in numbered.order:
        for variable in values.left[block]:
            is_first = variable not in only and variable in values.killed[block]
            only[variable] = block if is_first else None
    tree = dominators(function)
    needed = set()
    for block in numbered.order:
        for variable in values.exposed[block]:
            if variable in only and variable not in needed:
                source = only[variable]
                if source is None or not tree.strictly_dominates(
                    numbered.blocks[source], numbered.blocks[block]
                ):
                    needed.add(variable)
    return sorted(needed)


def _live_in(numbered: Occurrences, values: BlockValues, variables: list[int]) -> list[int]:
    """For every block which of the variables are live at its head; bit k means `variables[k]`."""
    bits = {variable: 1 << k for k, variable in enumerate(variables)}

    def mask(found: set[int]) -> int:
        return sum(bits[variable] for variable in found if variable in bits)

    live = [mask(exposed) for exposed in values.exposed]
    passed = [~mask(killed) for killed in values.killed]
    changed = True
    while changed:
        changed = False
        for block in reversed(numbered.order):
            before = live[block]
            for target in numbered.successors[block]:
                live[block] |= live[target] & passed[block]
            changed |= live[block] != before
    return live


def by_number(numbered: Occurrences, related: dict[str, tuple[str, ...]]) -> list[list[int]]:
    """A relation between names of blocks as one between their numbers."""
    number = {name: index for index, name in enumerate(numbered.blocks)}
    return [[number[other] for other in related.get(name, ())] for name in numbered.blocks]
