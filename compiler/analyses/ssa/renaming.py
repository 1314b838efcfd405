"""The SSA names of a function's variables, worked out without changing the function.

    BB1: x = a + c                     x1 = a1 + c1
         p = opaque                    p1 = opaque
    BB2:                               x2 = phi [BB1: x1, BB4: x4]
         branch opaque, BB3, BB4  ->
    BB3: @p x = a + b                  @p1 x5 = a1 + b1               linked to x2
    BB4:                               x3 = phi [BB2: x2, BB3: x5]
         @p x = a - b                  @p1 x4 = a1 - b1               linked to x3
         branch opaque, BB2, BB5
    BB5: y = x                         y1 = x4

Phis stand in the iterated dominance frontiers, where their variable is live (Cytron, Ferrante,
Rosen, Wegman, Zadeck, *Efficiently Computing Static Single Assignment Form and the Control
Dependence Graph*, 1991; Choi, Cytron, Ferrante, *Automatic Construction of Sparse Data Flow
Evaluation Graphs*, 1991).  One walk of the dominator tree names everything.  A definition under a
guard kills nothing: its value is linked to the one before it.  As sibling blocks may each extend
the same value, the links form a tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from compiler.analyses.cache import cached_by_version
from compiler.analyses.dominators import dominators
from compiler.analyses.ssa.block_values import BlockValues, block_values
from compiler.analyses.ssa.occurrences import DEFINITION, NOTHING, Occurrences, occurrences
from compiler.analyses.ssa.phi_placement import by_number, phi_placement
from compiler.ir.module import Function

CALL = -1
"""In place of a block: where the entry comes from when the function is called."""


@dataclass(frozen=True)
class Renaming:
    """A value is the occurrence that defines it; phis have the numbers behind the occurrences.

    uses       for every value the occurrences that use it, in order of the text; what uses a
               variable that was never assigned uses no value
    previous   for every predicated value the one that it is linked to
    phis       for every block the values of its phis
    joined     for every phi its variable
    operands   for every phi the values it joins, in the order of `sources` of its block
    walk       the blocks in the order in which they were named
    is_ssa     the function was in SSA form already: it keeps its names, and its phis are
               occurrences
    """

    occurrences: Occurrences
    uses: dict[int, list[int]]
    previous: dict[int, int]
    phis: list[list[int]]
    joined: dict[int, int]
    operands: dict[int, list[int]]
    walk: list[int]
    is_ssa: bool

    def sources(self, block: int) -> list[int]:
        """Where control comes from, as phis see it: an entry that is jumped to is also called."""
        return _sources(self.occurrences, block)

    def variable(self, value: int) -> int:
        """The variable that a value is one of."""
        return self.joined[value] if value in self.joined else self.occurrences.variable[value]

    @cached_property
    def value(self) -> list[int]:
        """For every occurrence the value that it defines or uses; NOTHING if the variable was
        never assigned, or the occurrence is never reached."""
        found = [NOTHING] * len(self.occurrences.variable)
        for value, uses in self.uses.items():
            if value < len(found):
                found[value] = value
            for use in uses:
                found[use] = value
        return found

    @cached_property
    def names(self) -> dict[int, str]:
        """The SSA name of every value: its variable and, from 1 on, a version.

        Parameters keep their names.  After a variable that ends in a digit or a dot stands a dot;
        a version that would give a parameter's name is passed over.
        """
        numbered = self.occurrences
        variables, parameters = numbered.variables, range(numbered.parameters)
        if self.is_ssa:
            return {v: variables[numbered.variable[v]] for v in self.values()}
        names = {value: variables[numbered.variable[value]] for value in parameters}
        taken = set(names.values())
        version: dict[int, int] = {}
        for value in self.values():
            if value in parameters:
                continue
            variable = self.variable(value)
            base = variables[variable]
            base += "." if base[-1] in ".0123456789" else ""
            version[variable] = version.get(variable, 0) + 1
            while f"{base}{version[variable]}" in taken:
                version[variable] += 1
            names[value] = f"{base}{version[variable]}"
        return names

    def values(self) -> Iterator[int]:
        """All values in the order in which they were named."""
        numbered = self.occurrences
        yield from range(numbered.parameters)
        for block in self.walk:
            yield from self.phis[block]
            for occurrence in range(numbered.first[block], numbered.first[block + 1]):
                if numbered.kind[occurrence] == DEFINITION:
                    yield occurrence


def _sources(numbered: Occurrences, block: int) -> list[int]:
    return [CALL, *numbered.predecessors[block]] if block == 0 else numbered.predecessors[block]


@cached_by_version
def renaming(function: Function) -> Renaming:
    """The SSA names of a well-formed function; one in SSA form already keeps its own."""
    numbered = occurrences(function)
    if numbered.is_ssa:
        return _as_it_is(function, numbered)
    walk = _Walk(numbered, block_values(function), phi_placement(function))
    walk.run(by_number(numbered, dominators(function).children))
    return walk.renaming()


class _Walk:
    """The walk of the dominator tree that gives every use its value."""

    def __init__(self, numbered: Occurrences, values: BlockValues, wanted: list[list[int]]):
        self.numbered, self.values = numbered, values
        self.uses = dict(values.uses)
        self.elsewhere: dict[int, list[int]] = {}  # uses in blocks that take a value over
        self.previous = dict(values.previous)
        self.phis: list[list[int]] = []
        self.joined: dict[int, int] = {}
        self.operands: dict[int, list[int]] = {}
        self.order: list[int] = []
        self.current = [NOTHING] * len(numbered.variables)
        self.hidden: list[tuple[int, int]] = []  # (variable, value) to come back to on the way up
        self.across = set(chain.from_iterable(values.taken)).union(*wanted)
        # For every block the blocks with phis that it goes to, and its position among their sources
        self.outgoing: list[list[tuple[int, int]]] = [[] for _ in numbered.blocks]
        for block, variables in enumerate(wanted):
            self.add_phis(block, variables)

    def add_phis(self, block: int, variables: list[int]) -> None:
        sources = _sources(self.numbered, block) if variables else []
        first = len(self.numbered.variable) + len(self.joined)
        phis = list(range(first, first + len(variables)))
        self.phis.append(phis)
        for phi, variable in zip(phis, variables, strict=True):
            self.joined[phi] = variable
            self.operands[phi] = [NOTHING] * len(sources)
        for position, source in enumerate(sources):
            if source != CALL:
                self.outgoing[source].append((block, position))

    def run(self, children: list[list[int]]) -> None:
        """Children are visited in descending block order, which settles the version numbers."""
        for parameter in range(self.numbered.parameters):
            self.current[self.numbered.variable[parameter]] = parameter
        for phi in self.phis[0]:
            self.operands[phi][0] = self.current[self.joined[phi]]
        pending = [0]
        while pending:
            block = pending.pop()
            if block < 0:
                self.go_back(~block)
            else:
                pending.append(~len(self.hidden))
                pending += sorted(children[block])
                self.enter(block)

    def enter(self, block: int) -> None:
        """Say what a block takes over, and what phis of its successors take from it."""
        self.order.append(block)
        current = self.current
        for phi in self.phis[block]:
            self.assign(self.joined[phi], phi)
        for variable, readers in self.values.taken[block].items():
            self.take(current[variable], readers)
        for variable, last in self.values.left[block].items():
            if variable in self.across:
                self.assign(variable, last)
        for target, position in self.outgoing[block]:
            for phi in self.phis[target]:
                self.operands[phi][position] = current[self.joined[phi]]

    def take(self, value: int, readers: list[int]) -> None:
        """Have uses, and links of predicated definitions, read this value."""
        if readers[-1] < 0:  # the definition is the last to read what the block takes over
            self.previous[~readers[-1]] = value
            readers = readers[:-1]
        if value != NOTHING and readers:
            self.elsewhere.setdefault(value, []).extend(readers)

    def assign(self, variable: int, value: int) -> None:
        self.hidden.append((variable, self.current[variable]))
        self.current[variable] = value

    def go_back(self, length: int) -> None:
        """Make current again what was before `hidden` grew past `length`."""
        while len(self.hidden) > length:
            variable, value = self.hidden.pop()
            self.current[variable] = value

    def renaming(self) -> Renaming:
        self.uses.update((phi, []) for phi in self.joined)
        for value, uses in self.elsewhere.items():
            self.uses[value] = sorted(self.uses[value] + uses)
        return Renaming(
            self.numbered,
            self.uses,
            self.previous,
            self.phis,
            self.joined,
            self.operands,
            self.order,
            is_ssa=False,
        )


def _as_it_is(function: Function, numbered: Occurrences) -> Renaming:
    """In SSA form every variable is one value, and phis are instructions like any other."""
    definition = {numbered.variable[k]: k for k in range(numbered.parameters)}
    for left in block_values(function).left:
        definition.update(left)
    number = {name: index for index, name in enumerate(numbered.variables)}
    uses: dict[int, list[int]] = {value: [] for value in definition.values()}
    previous: dict[int, int] = {}
    never_taken = set(_operands_never_taken(function, numbered))
    for block in sorted(numbered.order):
        for occurrence in range(numbered.first[block], numbered.first[block + 1]):
            value = definition.get(numbered.variable[occurrence], NOTHING)
            if value not in (NOTHING, occurrence) and occurrence not in never_taken:
                uses[value].append(occurrence)
        for instruction in function.blocks[numbered.blocks[block]].instructions:
            for name, tied in zip(instruction.results, instruction.otherwise, strict=False):
                other = definition.get(number[tied], NOTHING) if isinstance(tied, str) else NOTHING
                previous[definition[number[name]]] = other
    no_phis: list[list[int]] = [[] for _ in numbered.blocks]
    return Renaming(numbered, uses, previous, no_phis, {}, {}, sorted(numbered.order), is_ssa=True)


def _operands_never_taken(function: Function, numbered: Occurrences) -> Iterator[int]:
    """The operands of reached phis that belong to blocks the entry does not reach."""
    reached = {numbered.blocks[block] for block in numbered.order}
    for block in numbered.order:
        occurrence = numbered.first[block]
        for phi in function.blocks[numbered.blocks[block]].instructions:
            if not phi.is_phi:
                break
            occurrence += 1  # its result
            for label, value in zip(phi.operands[::2], phi.operands[1::2], strict=True):
                if isinstance(value, str):
                    if label not in reached:
                        yield occurrence
                    occurrence += 1
