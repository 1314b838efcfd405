"""DU and UD chains by the classic fixpoint: the reference that `compiler.analyses.chains` meets.

    in(b)  = union of out(p) over b's predecessors p; the parameters at the entry
    out(b) = gen(b) | in(b) - kill(b)

iterated over the blocks in reverse post-order until nothing changes (Aho, Lam, Sethi, Ullman,
*Compilers*, 2006, section 9.2.4).  Sets are bit vectors, held in integers; the definitions of one
variable have neighbouring bits.  A guarded definition generates but does not kill.
"""

from __future__ import annotations

from compiler.analyses.chains import Chains, chains_from
from compiler.analyses.occurrences import DEFINITION, Occurrences, occurrences
from compiler.ir.module import Function


def reaching_definitions(function: Function) -> Chains:
    """The chains of a well-formed function in variable form.

    Raises ValueError for a function in SSA form, where a tied value passes definitions of one
    variable on to another, which is no union of sets.
    """
    places = occurrences(function)
    if places.is_ssa:
        raise ValueError(f"function '{function.name}' is in SSA form")
    definitions = _Definitions(places)
    before = _fixpoint(places, definitions)
    groups: dict[tuple[int, int], list[int]] = {}
    for block in places.order:
        _read_block(places, definitions, block, before[block], groups)
    return chains_from(
        places,
        (
            ([definitions.of[variable][k] for k in _bits(mask)], sorted(used))
            for (variable, mask), used in groups.items()
        ),
    )


class _Definitions:
    """The bits of definitions: bit `start[v] + k` is the k-th definition of variable v, `of[v][k]`.

    Within the bits of its variable, `bit` of a definition is 1 << k.
    """

    def __init__(self, places: Occurrences):
        self.of: list[list[int]] = [[] for _ in places.variables]
        self.bit: dict[int, int] = {}
        for occurrence, variable in enumerate(places.variable):
            if places.kind[occurrence] == DEFINITION:
                self.bit[occurrence] = 1 << len(self.of[variable])
                self.of[variable].append(occurrence)
        self.start = []
        bits = 0
        for found in self.of:
            self.start.append(bits)
            bits += len(found)
        self.all = [(1 << len(found)) - 1 for found in self.of]


def _fixpoint(places: Occurrences, definitions: _Definitions) -> list[int]:
    """For every block the definitions that reach its head."""
    called = 0
    for parameter in range(places.parameters):
        called |= 1 << definitions.start[places.variable[parameter]]
    gen, keep = [0] * len(places.blocks), [0] * len(places.blocks)
    for block in places.order:
        gen[block], keep[block] = _gen_and_keep(places, definitions, block)
    before, after = [0] * len(places.blocks), [0] * len(places.blocks)
    changed = True
    while changed:
        changed = False
        for block in places.order:
            reaching = 0 if block else called
            for source in places.predecessors[block]:
                reaching |= after[source]
            before[block] = reaching
            leaving = gen[block] | reaching & keep[block]
            if leaving != after[block]:
                after[block] = leaving
                changed = True
    return before


def _gen_and_keep(places: Occurrences, definitions: _Definitions, block: int) -> tuple[int, int]:
    """The definitions of a block that leave it, and the complement of those it kills."""
    generated: dict[int, int] = {}
    killed: set[int] = set()
    for event in places.events[block]:
        if event < 0:
            variable = places.variable[~event]
            if ~event in places.predicated:
                generated[variable] = generated.get(variable, 0) | definitions.bit[~event]
            else:
                generated[variable] = definitions.bit[~event]
                killed.add(variable)
    gen = kill = 0
    for variable, mask in generated.items():
        gen |= mask << definitions.start[variable]
        if variable in killed:
            kill |= definitions.all[variable] << definitions.start[variable]
    return gen, ~kill


def _read_block(
    places: Occurrences,
    definitions: _Definitions,
    block: int,
    before: int,
    groups: dict[tuple[int, int], list[int]],
) -> None:
    """Put every use of a block under its variable and the definitions that reach it."""
    variables, start, all_of = places.variable, definitions.start, definitions.all
    reaching: dict[int, int] = {}
    for event in places.events[block]:
        if event >= 0:
            variable = variables[event]
            if variable not in reaching:
                reaching[variable] = before >> start[variable] & all_of[variable]
            groups.setdefault((variable, reaching[variable]), []).append(event)
        else:
            variable = variables[~event]
            mask = definitions.bit[~event]
            if ~event in places.predicated:
                if variable not in reaching:
                    reaching[variable] = before >> start[variable] & all_of[variable]
                mask |= reaching[variable]
            reaching[variable] = mask


def _bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
