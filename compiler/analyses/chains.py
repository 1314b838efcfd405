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
folded away.  `compiler.analyses.ssa.reaching_definitions` finds the same by the classic fixpoint;
`compiler.analyses.ssa.chain_tables` shows chains as tables, with phis and without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from compiler.analyses.cache import cached_by_version
from compiler.analyses.ssa.occurrences import DEFINITION, NOTHING, Occurrences, occurrences
from compiler.analyses.ssa.renaming import Renaming, renaming
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class Chains:
    """Chains between occurrences, each given by its number, in ascending order.

    defs   for every use the definitions that reach it (UD chain); empty for definitions
    uses   for every definition the uses it reaches (DU chain); empty for uses

    Uses by terminators are among them.  What is in a block the entry does not reach has no chains.
    Lists are shared between occurrences: they must not be changed.
    """

    occurrences: Occurrences
    defs: list[list[int]]
    uses: list[list[int]]

    @property
    def length(self) -> int:
        """The number of pairs of a definition and a use that it reaches."""
        return sum(map(len, self.defs))


@cached_by_version
def chains(function: Function) -> Chains:
    """The chains of a well-formed function, read off its SSA names.

    In a function that is in SSA form already, phis are definitions and uses like any other, and a
    guarded definition is linked to the value after its `else`.
    """
    renamed = renaming(function)
    return chains_from(renamed.occurrences, _groups(renamed))


def chains_from(numbered: Occurrences, groups: Iterable[tuple[list[int], list[int]]]) -> Chains:
    """Chains from pairs of definitions and the uses that all of these, and no others, reach."""
    nothing: list[int] = []
    defs = [nothing] * len(numbered.variable)
    uses = [nothing] * len(numbered.variable)
    joined: dict[int, list[list[int]]] = {}
    for definitions, used in groups:
        for use in used:
            defs[use] = definitions
        for definition in definitions:
            if uses[definition] is nothing:
                uses[definition] = used
            else:
                joined.setdefault(definition, [uses[definition]]).append(used)
    for definition, parts in joined.items():
        uses[definition] = sorted(use for part in parts for use in part)
    return Chains(numbered, defs, uses)


def _groups(renamed: Renaming) -> Iterator[tuple[list[int], list[int]]]:
    """For every value that is used: the definitions behind it and its uses."""
    behind: dict[int, list[int]] = {}
    for value, uses in renamed.uses.items():
        if not uses:
            continue
        if value in renamed.previous or value in renamed.operands:
            behind[value] = definitions_behind(renamed, value, behind)
            yield behind[value], uses
        else:
            yield [value], uses


def definitions_behind(
    renamed: Renaming, value: int, behind: Mapping[int, list[int]] = MappingProxyType({})
) -> list[int]:
    """The definitions behind a value, through phis and links; `behind` has those known already."""
    previous, operands = renamed.previous, renamed.operands
    found: set[int] = set()
    seen = {value, NOTHING}
    pending = [value]
    while pending:
        value = pending.pop()
        if value in behind:
            found.update(behind[value])
        elif value in operands:
            fresh = [other for other in operands[value] if other not in seen]
            seen.update(fresh)
            pending += fresh
        else:
            found.add(value)
            other = previous.get(value, NOTHING)
            if other not in seen:
                seen.add(other)
                pending.append(other)
    return sorted(found)


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
    numbered, found = occurrences(function), chains(function)
    came_from = _shortest_ways(numbered)
    reports = []
    for block, reached in enumerate(numbered.reached):
        for occurrence in range(numbered.first[block], numbered.first[block + 1]):
            instruction = numbered.instruction[occurrence]
            is_use = numbered.kind[occurrence] != DEFINITION and not instruction.is_phi
            if reached and is_use and not found.defs[occurrence]:
                path = [block]
                while path[-1] != 0:
                    path.append(came_from[path[-1]])
                names = tuple(numbered.blocks[b] for b in reversed(path))
                reports.append(UsedBeforeDefinition(occurrence, names))
    return tuple(reports)


def _shortest_ways(numbered: Occurrences) -> dict[int, int]:
    """For every block that can be reached the one before it on a shortest way from the entry."""
    came_from = {0: 0}
    front = [0]
    while front:
        ahead = []
        for block in front:
            for target in numbered.successors[block]:
                if target not in came_from:
                    came_from[target] = block
                    ahead.append(target)
        front = ahead
    return came_from
