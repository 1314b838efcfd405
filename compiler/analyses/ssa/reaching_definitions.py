"""DU and UD chains by the classic fixpoint: the reference that `compiler.analyses.chains` meets.

    in(b)  = union of out(p) over b's predecessors p; the parameters at the entry
    out(b) = gen(b) | in(b) - kill(b)

iterated over the blocks in reverse post-order until nothing changes, then one walk through every
block (Aho, Lam, Sethi, Ullman, *Compilers*, 2006, section 9.2.4).  Sets are bit vectors, held in
integers: bit k is the k-th definition of the function.  A guarded definition generates but does not
kill.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.analyses.cache import cached_by_version
from compiler.analyses.chains import Chains
from compiler.analyses.ssa.occurrences import DEFINITION, Occurrences, occurrences
from compiler.ir.module import Function


@cached_by_version
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
    defs: list[list[int]] = [[] for _ in places.variable]
    uses: list[list[int]] = [[] for _ in places.variable]
    for block in places.order:
        reaching = before[block]
        for event in places.events[block]:
            if event < 0:
                reaching = definitions.after(reaching, ~event)
            else:
                of_variable = definitions.of[places.variable[event]]
                defs[event] = [definitions.all[k] for k in _bits(reaching & of_variable)]
                for definition in defs[event]:
                    uses[definition].append(event)
    return Chains(places, defs, [sorted(found) for found in uses])


class _Definitions:
    """All definitions in the order of the text, the bit of each, and the bits of each variable."""

    def __init__(self, places: Occurrences):
        self.places = places
        self.all = [o for o, kind in enumerate(places.kind) if kind == DEFINITION]
        self.bit = {definition: 1 << k for k, definition in enumerate(self.all)}
        self.of = [0] * len(places.variables)
        for definition, bit in self.bit.items():
            self.of[places.variable[definition]] |= bit

    def killed_by(self, definition: int) -> int:
        if definition in self.places.predicated:
            return 0
        return self.of[self.places.variable[definition]]

    def after(self, reaching: int, definition: int) -> int:
        """What reaches the place behind a definition."""
        return reaching & ~self.killed_by(definition) | self.bit[definition]


def _fixpoint(places: Occurrences, definitions: _Definitions) -> list[int]:
    """For every block the definitions that reach its head."""
    gen, kill = [0] * len(places.blocks), [0] * len(places.blocks)
    for block in places.order:
        for event in places.events[block]:
            if event < 0:
                gen[block] = definitions.after(gen[block], ~event)
                kill[block] |= definitions.killed_by(~event)
    called = sum(definitions.bit[parameter] for parameter in range(places.parameters))
    before, after = [0] * len(places.blocks), [0] * len(places.blocks)
    changed = True
    while changed:
        changed = False
        for block in places.order:
            reaching = 0 if block else called
            for source in places.predecessors[block]:
                reaching |= after[source]
            before[block] = reaching
            leaving = gen[block] | reaching & ~kill[block]
            if leaving != after[block]:
                after[block] = leaving
                changed = True
    return before


def _bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
