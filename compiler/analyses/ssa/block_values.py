"""What each block does by itself: the values it makes, those it takes over, those it leaves.

    BB4: @p x = a - b         makes x (linked to the x it takes over) and then y; takes over p, a, b
         y = x * a            and, for the link, x; the use of x reads the x made here
         branch q, BB2, BB5   takes over q

A value is named by the occurrence that defines it.  Renaming joins the blocks: it says which value
a block takes over.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.ssa.occurrences import occurrences
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class BlockValues:
    """Variables and blocks by number; a block that is never reached has and does nothing.

    uses         for every definition its uses in its own block, in their order
    previous     for predicated definitions the one before it in the block, if there is one
    taken        for every block the variables it takes over, with who reads that: o for a use, ~o
                 for a predicated definition that is linked to it
    left         for every block the variables it assigns, with their last definition
    exposed      for every block what it uses before it certainly assigns it
    killed       for every block what it certainly assigns
    effect_prs   what is assigned anywhere
    global_prs   what is exposed anywhere: it lives across blocks

    A guarded definition ends neither liveness nor upward exposure.
    """

    uses: dict[int, list[int]]
    previous: dict[int, int]
    taken: list[dict[int, list[int]]]
    left: list[dict[int, int]]
    exposed: list[set[int]]
    killed: list[set[int]]
    effect_prs: frozenset[int]
    global_prs: frozenset[int]


@cached_by_version
def block_values(function: Function) -> BlockValues:
    """What the blocks of a function do, each by itself."""
    numbered = occurrences(function)
    variable, predicated = numbered.variable, numbered.predicated
    uses: dict[int, list[int]] = {definition: [] for definition in range(numbered.parameters)}
    previous: dict[int, int] = {}
    all_taken, all_left, all_exposed, all_killed = [], [], [], []
    for reached, events in zip(numbered.reached, numbered.events, strict=True):
        taken: dict[int, list[int]] = {}
        left: dict[int, int] = {}
        exposed: set[int] = set()
        killed: set[int] = set()
        for event in events if reached else ():
            if event >= 0:
                name = variable[event]
                if name in left:
                    uses[left[name]].append(event)
                else:
                    taken.setdefault(name, []).append(event)
                if name not in killed:
                    exposed.add(name)
            else:
                definition = ~event
                name = variable[definition]
                uses[definition] = []
                if definition not in predicated:
                    killed.add(name)
                elif name in left:
                    previous[definition] = left[name]
                else:
                    taken.setdefault(name, []).append(event)
                left[name] = definition
        all_taken.append(taken)
        all_left.append(left)
        all_exposed.append(exposed)
        all_killed.append(killed)
    return BlockValues(
        uses,
        previous,
        all_taken,
        all_left,
        all_exposed,
        all_killed,
        frozenset().union(*all_left),
        frozenset().union(*all_exposed),
    )
