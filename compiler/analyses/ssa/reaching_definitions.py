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
    numbered = occurrences(function)
    if numbered.is_ssa:
        raise ValueError(f"function '{function.name}' is in SSA form")
    definitions = _Definitions(numbered)
    before = _fixpoint(numbered, definitions)
    defs: list[list[int]] = [[] for _ in numbered.variable]
    uses: list[list[int]] = [[] for _ in numbered.variable]
    for block in numbered.order:
        reaching = before[block]
        for event in numbered.events[block]:
            if event < 0:
                reaching = definitions.after(reaching, ~event)
            else:
                of_variable = definitions.of[numbered.variable[event]]
                defs[event] = [definitions.all[k] for k in _bits(reaching & of_variable)]
                for definition in defs[event]:
                    uses[definition].append(event)
    return Chains(numbered, defs, [sorted(found) for found in uses])


class _Definitions:
    """All definitions in the order of the text, the bit of each, and the bits of each variable."""

    def __init__(self, numbered: Occurrences):
        self.numbered = numbered
        self.all = [o for o, kind in enumerate(numbered.kind) if kind == DEFINITION]
        self.bit = {definition: 1 << k for k, definition in enumerate(self.all)}
        self.of = [0] * len(numbered.variables)
        for definition, bit in self.bit.items():
            self.of[numbered.variable[definition]] |= bit

    def killed_by(self, definition: int) -> int:
        if definition in self.numbered.predicated:
            return 0
        return self.of[self.numbered.variable[definition]]

    def after(self, reaching: int, definition: int) -> int:
        """What reaches the point behind a definition."""
        return reaching & ~self.killed_by(definition) | self.bit[definition]


def _fixpoint(numbered: Occurrences, definitions: _Definitions) -> list[int]:
    """For every block the definitions that reach its head."""
    gen, kill = [0] * len(numbered.blocks), [0] * len(numbered.blocks)
    for block in numbered.order:
        for event in numbered.events[block]:
            if event < 0:
                gen[block] = definitions.after(gen[block], ~event)
                kill[block] |= definitions.killed_by(~event)
    called = sum(definitions.bit[parameter] for parameter in range(numbered.parameters))
    before, after = [0] * len(numbered.blocks), [0] * len(numbered.blocks)
    changed = True
    while changed:
        changed = False
        for block in numbered.order:
            reaching = 0 if block else called
            for source in numbered.predecessors[block]:
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
