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

Phis stand where `compiler.analyses.ssa.phi_placement` says; one walk of the dominator tree names
everything (`compiler.analyses.ssa.renaming_walk`).  A definition under a guard kills nothing: its
value is linked to the one before it.  As sibling blocks may each extend the same value, the links
form a tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from compiler.analyses import graphs
from compiler.analyses.cache import cached_by_version
from compiler.analyses.graphs import NOTHING, depth_first, predecessors
from compiler.analyses.jitted import Integers, Kernel
from compiler.analyses.rows import Rows, as_list
from compiler.analyses.ssa import phi_placement
from compiler.analyses.ssa.occurrences import Occurrences, occurrences
from compiler.analyses.ssa.renaming_walk import UNGUARDED, renamed
from compiler.ir.module import Function

CALL = -1
"""In place of a block: where the entry comes from when the function is called."""
COMPILED_FROM = 50_000
"""From how many instructions on numba's code is used: to load it takes as long as plain Python
needs for the chains of so many."""
KERNEL = Kernel("renaming", renamed, COMPILED_FROM, uses=(graphs, phi_placement), bits=32)


@dataclass(frozen=True)
class Renaming:
    """A value is the occurrence that defines it; phis have the numbers behind the occurrences.

    order         the blocks the entry reaches, in reverse post-order
    predecessors  of every block, those of them that go there, in layout order
    phi_rows      for every block the variables that have a phi at its head
    operand_rows  for every phi the values it joins, in the order of `sources` of its block
    walk          the blocks in the order in which they were named
    value_of      for every occurrence the value that it defines or uses; NOTHING for a literal,
                  what was never assigned, and what is never reached
    before        for every predicated definition the value that it is linked to; UNGUARDED for all
                  other occurrences
    is_ssa        the function was in SSA form already: it keeps its names, and its phis are
                  occurrences
    """

    occurrences: Occurrences
    order: Integers
    predecessors: Rows
    phi_rows: Rows
    operand_rows: Rows
    walk: Integers
    value_of: Integers
    before: Integers
    is_ssa: bool

    @cached_property
    def value(self) -> list[int]:
        """`value_of`, for reading."""
        return as_list(self.value_of)

    @cached_property
    def previous(self) -> dict[int, int]:
        """For every predicated value the one that it is linked to."""
        return {o: other for o, other in enumerate(as_list(self.before)) if other != UNGUARDED}

    @cached_property
    def phis(self) -> list[range]:
        """For every block the values of its phis."""
        count, start = len(self.occurrences.variable), as_list(self.phi_rows.start)
        return [range(count + a, count + b) for a, b in pairwise(start)]

    @cached_property
    def joined(self) -> dict[int, int]:
        """For every phi its variable."""
        return dict(enumerate(as_list(self.phi_rows.items), len(self.occurrences.variable)))

    @cached_property
    def operands(self) -> dict[int, list[int]]:
        """For every phi the values it joins."""
        return dict(enumerate(self.operand_rows, len(self.occurrences.variable)))

    @cached_property
    def reached(self) -> frozenset[int]:
        """The blocks that the entry reaches."""
        return frozenset(as_list(self.order))

    def sources(self, block: int) -> list[int]:
        """Where control comes from, as phis see it: an entry that is jumped to is also called."""
        return [CALL, *self.predecessors[block]] if block == 0 else self.predecessors[block]

    def variable(self, value: int) -> int:
        """The variable that a value is one of."""
        return self.joined[value] if value in self.joined else self.occurrences.variable[value]

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
        for block in as_list(self.walk):
            yield from self.phis[block]
            for instruction in range(numbered.first[block], numbered.first[block + 1]):
                yield from numbered.definitions(instruction)


@cached_by_version
def renaming(function: Function) -> Renaming:
    """The SSA names of a well-formed function; one in SSA form already keeps its own."""
    numbered = occurrences(function)
    if numbered.is_ssa:
        return _as_it_is(numbered)
    found = KERNEL(len(numbered.instructions), *numbered.arguments)
    order, before_start, before, phi_start, phis, operand_start, operands, walk, value, previous = (
        found
    )
    return Renaming(
        numbered,
        order,
        Rows(before_start, before),
        Rows(phi_start, phis),
        Rows(operand_start, operands),
        walk,
        value,
        previous,
        is_ssa=False,
    )


def _as_it_is(numbered: Occurrences) -> Renaming:
    """In SSA form every variable is one value, and phis are instructions like any other."""
    successors = numbered.start, numbered.targets
    preorder, order, _ = depth_first(0, successors)
    walk = sorted(order)
    reached = {numbered.blocks[block] for block in order}
    number = {name: index for index, name in enumerate(numbered.variables)}
    definition = {numbered.variable[k]: k for k in range(numbered.parameters)}
    instructions = [
        k for block in walk for k in range(numbered.first[block], numbered.first[block + 1])
    ]
    for k in instructions:
        definition.update((numbered.variable[o], o) for o in numbered.definitions(k))
    value = [NOTHING] * len(numbered.variable)
    value[: numbered.parameters] = range(numbered.parameters)
    previous = [UNGUARDED] * len(numbered.variable)
    for k in instructions:
        instruction = numbered.instructions[k]
        for o, _ in numbered.of(k):
            value[o] = definition.get(numbered.variable[o], NOTHING)
        for o in _never_taken(numbered, k, reached):
            value[o] = NOTHING
        for o, tied in zip(numbered.definitions(k), instruction.otherwise, strict=False):
            is_variable = isinstance(tied, str)
            previous[o] = definition.get(number[tied], NOTHING) if is_variable else NOTHING
    none = Rows([0] * (len(numbered.blocks) + 1), [])
    no_operands = Rows([0], [])
    return Renaming(
        numbered,
        order,
        Rows(*predecessors(preorder, successors)),
        none,
        no_operands,
        walk,
        value,
        previous,
        is_ssa=True,
    )


def _never_taken(numbered: Occurrences, instruction: int, reached: set[str]) -> Iterator[int]:
    """The operands of a phi that belong to blocks the entry does not reach."""
    phi = numbered.instructions[instruction]
    if phi.is_phi:
        operands = range(numbered.bounds[3 * instruction + 2], numbered.bounds[3 * instruction + 3])
        for occurrence, label in zip(operands, phi.operands[::2], strict=True):
            if label not in reached:
                yield occurrence
