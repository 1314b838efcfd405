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

from compiler.analyses.cache import cached_by_version
from compiler.analyses.dominators import dominators
from compiler.analyses.occurrences import DEFINITION, Occurrences, occurrences
from compiler.analyses.phi_places import by_number, phi_places
from compiler.ir.module import Function

NOTHING = -1
"""In place of a value: the variable was never assigned, or the place is never reached."""
CALL = -1
"""In place of a block: where the entry comes from when the function is called."""


@dataclass(frozen=True)
class Renaming:
    """Values are the SSA names by number, in the order in which the walk defines them.

    value        for every occurrence the value that it defines or uses
    definition   for every value the occurrence that defines it, NOTHING for a phi
    variable     for every value its variable
    previous     for every predicated value the one that it is linked to
    phis         for every block the values of its phis
    operands     for every phi the values it joins, in the order of `sources` of its block
    is_ssa       the function was in SSA form already: its variables are the values, phis included
    """

    occurrences: Occurrences
    value: list[int]
    definition: list[int]
    variable: list[int]
    previous: dict[int, int]
    phis: list[list[int]]
    operands: dict[int, list[int]]
    is_ssa: bool

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The SSA name of every value: its variable and, from 1 on, a version.

        Parameters keep their names.  After a variable that ends in a digit or a dot stands a dot;
        a version that would give a parameter's name is passed over.  In a function that is in SSA
        form the names are there already.
        """
        variables, parameters = self.occurrences.variables, self.occurrences.parameters
        if self.is_ssa:
            return variables
        names = [variables[v] for v in self.variable[:parameters]]
        taken = set(names)
        last: dict[int, int] = {}
        for v in self.variable[parameters:]:
            base = variables[v] + ("." if variables[v][-1] in ".0123456789" else "")
            version = last.get(v, 0) + 1
            while f"{base}{version}" in taken:
                version += 1
            last[v] = version
            names.append(f"{base}{version}")
        return tuple(names)

    def sources(self, block: int) -> list[int]:
        return sources(self.occurrences, block)


def sources(places: Occurrences, block: int) -> list[int]:
    """Where control comes from, as phis see it: an entry that is jumped to is also called."""
    return [CALL, *places.predecessors[block]] if block == 0 else places.predecessors[block]


def is_ssa(function: Function) -> bool:
    """Whether a function is in SSA form: it has a phi or a tied value."""
    return any(i.is_phi or i.otherwise for _, i in function.instructions())


@cached_by_version
def renaming(function: Function) -> Renaming:
    """The SSA names of a well-formed function; one in SSA form already keeps its own."""
    places = occurrences(function)
    if is_ssa(function):
        return _as_it_is(function, places)
    walk = _Walk(places, phi_places(function))
    walk.run(by_number(places, dominators(function).children))
    same_as = _redundant_phis(walk.operands)
    return walk.renaming() if not same_as else _without(walk, same_as)


class _Walk:
    """The trial renaming: a walk of the dominator tree that gives every occurrence its value."""

    def __init__(self, places: Occurrences, wanted: list[list[int]]):
        self.places, self.wanted = places, wanted
        self.value = [NOTHING] * len(places.variable)
        self.definition: list[int] = []
        self.variable: list[int] = []
        self.previous: dict[int, int] = {}
        self.phis: list[list[int]] = [[] for _ in places.blocks]
        self.operands: dict[int, list[int]] = {}
        self.current = [NOTHING] * len(places.variables)
        self.hidden: list[tuple[int, int]] = []  # (variable, value) to come back to on the way up
        self.incoming = [
            [[NOTHING] * len(sources(places, block)) for _ in variables]
            for block, variables in enumerate(wanted)
        ]
        # For every block the phis that it goes to: their block, and its place among the sources
        self.outgoing: list[list[tuple[int, int]]] = [[] for _ in places.blocks]
        for block, variables in enumerate(wanted):
            if variables:
                for place, source in enumerate(sources(places, block)):
                    if source != CALL:
                        self.outgoing[source].append((block, place))

    def run(self, children: list[list[int]]) -> None:
        """Children are visited in descending block order, which settles the version numbers."""
        for parameter in range(self.places.parameters):
            self.value[parameter] = self.define(self.places.variable[parameter], parameter)
        for variable, operands in zip(self.wanted[0], self.incoming[0], strict=True):
            operands[0] = self.current[variable]
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
        """Name what stands in a block, and what phis of its successors take from it."""
        variables, value, current = self.places.variable, self.value, self.current
        predicated = self.places.predicated
        for variable, operands in zip(self.wanted[block], self.incoming[block], strict=True):
            phi = self.define(variable, NOTHING)
            self.phis[block].append(phi)
            self.operands[phi] = operands
        for event in self.places.events[block]:
            if event >= 0:
                value[event] = current[variables[event]]
            else:
                variable = variables[~event]
                if ~event in predicated:
                    self.previous[len(self.definition)] = current[variable]
                value[~event] = self.define(variable, ~event)
        for target, place in self.outgoing[block]:
            for variable, operands in zip(self.wanted[target], self.incoming[target], strict=True):
                operands[place] = current[variable]

    def define(self, variable: int, occurrence: int) -> int:
        """A new value of a variable, from here on its current one."""
        self.hidden.append((variable, self.current[variable]))
        new = self.current[variable] = len(self.definition)
        self.definition.append(occurrence)
        self.variable.append(variable)
        return new

    def go_back(self, length: int) -> None:
        """Make current again what was before `hidden` grew past `length`."""
        while len(self.hidden) > length:
            variable, value = self.hidden.pop()
            self.current[variable] = value

    def renaming(self) -> Renaming:
        return Renaming(
            self.places,
            self.value,
            self.definition,
            self.variable,
            self.previous,
            self.phis,
            self.operands,
            is_ssa=False,
        )


def _redundant_phis(operands: dict[int, list[int]]) -> dict[int, int]:
    """Phis whose operands all have one definition point, themselves aside, with that value.

    Removing one may make others redundant, so it goes on until nothing changes.  A phi without any
    use and without a predicated value linked to it, which could go too, is never there: phis stand
    only where their variable is live, so that something on the way to a use takes their value, and
    a phi removed here leaves what takes its value to its operand.
    """
    users: dict[int, list[int]] = {}
    for phi, joined in operands.items():
        for value in joined:
            users.setdefault(value, []).append(phi)
    same_as: dict[int, int] = {}
    pending = list(operands)
    while pending:
        phi = pending.pop()
        points = {_follow(same_as, value) for value in operands[phi]} - {phi}
        if phi not in same_as and len(points) == 1:
            (same_as[phi],) = points
            freed = users.pop(phi, [])
            pending += freed
            users.setdefault(same_as[phi], []).extend(freed)
    return same_as


def _follow(same_as: dict[int, int], value: int) -> int:
    """What a value is the same as in the end; shortens the way there for the next time."""
    while value in same_as:
        further = same_as[value]
        if further in same_as:
            same_as[value] = same_as[further]
        value = further
    return value


def _without(walk: _Walk, same_as: dict[int, int]) -> Renaming:
    """The renaming without these phis, its values counted anew."""
    kept = [value for value in range(len(walk.definition)) if value not in same_as]
    number = {value: index for index, value in enumerate(kept)}
    number[NOTHING] = NOTHING
    for value in same_as:
        number[value] = number[_follow(same_as, value)]
    return Renaming(
        walk.places,
        [number[value] for value in walk.value],
        [walk.definition[value] for value in kept],
        [walk.variable[value] for value in kept],
        {number[value]: number[other] for value, other in walk.previous.items()},
        [[number[phi] for phi in phis if phi not in same_as] for phis in walk.phis],
        {
            number[phi]: [number[value] for value in joined]
            for phi, joined in walk.operands.items()
            if phi not in same_as
        },
        is_ssa=False,
    )


def _as_it_is(function: Function, places: Occurrences) -> Renaming:
    """In SSA form every variable is a value, and phis are instructions like any other."""
    number = {name: index for index, name in enumerate(places.variables)}
    value = [NOTHING] * len(places.variable)
    definition = [NOTHING] * len(places.variables)
    previous: dict[int, int] = {}

    def take(occurrence: int) -> None:
        value[occurrence] = places.variable[occurrence]
        if places.kind[occurrence] == DEFINITION:
            definition[value[occurrence]] = occurrence

    for parameter in range(places.parameters):
        take(parameter)
    for block in places.order:
        for occurrence in range(places.first[block], places.first[block + 1]):
            take(occurrence)
        for instruction in function.blocks[places.blocks[block]].instructions:
            for name, tied in zip(instruction.results, instruction.otherwise, strict=False):
                previous[number[name]] = number[tied] if isinstance(tied, str) else NOTHING
    for operand in _operands_never_taken(function, places):
        value[operand] = NOTHING
    return Renaming(
        places,
        value,
        definition,
        list(range(len(places.variables))),
        previous,
        [[] for _ in places.blocks],
        {},
        is_ssa=True,
    )


def _operands_never_taken(function: Function, places: Occurrences) -> Iterator[int]:
    """The operands of reached phis that belong to blocks the entry does not reach."""
    reached = {places.blocks[block] for block in places.order}
    for block in places.order:
        occurrence = places.first[block]
        for phi in function.blocks[places.blocks[block]].instructions:
            if not phi.is_phi:
                break
            occurrence += 1  # its result
            for label, value in zip(phi.operands[::2], phi.operands[1::2], strict=True):
                if isinstance(value, str):
                    if label not in reached:
                        yield occurrence
                    occurrence += 1
