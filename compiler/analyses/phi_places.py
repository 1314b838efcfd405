"""Where SSA form needs phis: in the iterated dominance frontiers, if the variable is live there.

    BB2: branch opaque, BB3, BB4        BB3 and BB4 assign x.  The frontier of BB3 is BB4, where x
    BB3: @p x = a + b                   is live because the guarded definition kills nothing; the
    BB4: @p x = a - b              ->   frontier of BB4 is BB2, where it is live for the same
         branch opaque, BB2, BB5        reason.  So BB2 and BB4 get a phi for x.
    BB5: y = x

Cytron, Ferrante, Rosen, Wegman, Zadeck, *Efficiently Computing Static Single Assignment Form and
the Control Dependence Graph*, 1991; with liveness (pruned SSA) Choi, Cytron, Ferrante, *Automatic
Construction of Sparse Data Flow Evaluation Graphs*, 1991.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.dominators import dominators
from compiler.analyses.occurrences import Occurrences, occurrences
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class BlockSets:
    """Variables by number.  A guarded definition ends neither liveness nor upward exposure.

    assigned     for every block what it assigns; nothing for one that is never reached
    killed       for every block what it certainly assigns
    exposed      for every block what it uses before it certainly assigns it
    effect_prs   what is assigned anywhere
    global_prs   what is exposed anywhere: it lives across blocks
    """

    assigned: list[set[int]]
    killed: list[set[int]]
    exposed: list[set[int]]
    effect_prs: frozenset[int]
    global_prs: frozenset[int]


@cached_by_version
def block_sets(function: Function) -> BlockSets:
    """What the blocks of a function assign and use."""
    places = occurrences(function)
    variable, predicated = places.variable, places.predicated
    all_assigned, all_killed, all_exposed = [], [], []
    for reached, events in zip(places.reached, places.events, strict=True):
        assigned: set[int] = set()
        killed: set[int] = set()
        exposed: set[int] = set()
        for event in events if reached else ():
            if event >= 0:
                if variable[event] not in killed:
                    exposed.add(variable[event])
            else:
                assigned.add(variable[~event])
                if ~event not in predicated:
                    killed.add(variable[~event])
        all_assigned.append(assigned)
        all_killed.append(killed)
        all_exposed.append(exposed)
    return BlockSets(
        all_assigned,
        all_killed,
        all_exposed,
        frozenset().union(*all_assigned),
        frozenset().union(*all_exposed),
    )


def phi_places(function: Function) -> list[list[int]]:
    """For every block the variables that need a phi at its head, in the order of their numbers."""
    places, sets = occurrences(function), block_sets(function)
    joined = sorted(sets.effect_prs & sets.global_prs)
    live_in = _live_in(places, sets, joined)
    frontier = by_number(places, dominators(function).frontier)
    assigning: dict[int, list[int]] = {variable: [] for variable in joined}
    for block in places.order:
        for variable in sets.assigned[block]:
            if variable in assigning:
                assigning[variable].append(block)
    phis: list[list[int]] = [[] for _ in places.blocks]
    for bit, (variable, pending) in enumerate(assigning.items()):
        placed = set()
        while pending:
            for block in frontier[pending.pop()]:
                if block not in placed and live_in[block] >> bit & 1:
                    placed.add(block)
                    phis[block].append(variable)
                    pending.append(block)
    return phis


def _live_in(places: Occurrences, sets: BlockSets, variables: list[int]) -> list[int]:
    """For every block which of the variables are live at its head; bit k means `variables[k]`."""
    bits = {variable: 1 << k for k, variable in enumerate(variables)}

    def mask(found: set[int]) -> int:
        return sum(bits[variable] for variable in found if variable in bits)

    live = [mask(exposed) for exposed in sets.exposed]
    passed = [~mask(killed) for killed in sets.killed]
    changed = True
    while changed:
        changed = False
        for block in reversed(places.order):
            before = live[block]
            for target in places.successors[block]:
                live[block] |= live[target] & passed[block]
            changed |= live[block] != before
    return live


def by_number(places: Occurrences, related: dict[str, tuple[str, ...]]) -> list[list[int]]:
    """A relation between names of blocks as one between their numbers."""
    number = {name: index for index, name in enumerate(places.blocks)}
    return [[number[other] for other in related.get(name, ())] for name in places.blocks]
