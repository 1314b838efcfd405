"""Memory as one more SSA variable, and the last write that an access may see.

    entry: store.i32 p, x               version 1 of the start, 0
           jump loop
    loop:                               version 2 = phi [entry: 1, loop: 3]
           y = load.i32 q               sees 2; if q is never r: what 1 left
           store.i32 r, y               version 3 of 2
           branch opaque, loop, out

Every write makes a version; where versions meet a phi does, in the iterated dominance frontier.
What an access sees is found by going back from its version past writes that touch none of its
bytes, and past a phi if that leads on every way to the version before it (Novillo, *Memory SSA — A
Unified Approach for Sparsely Representing Memory Operations*, 2007, asks the same way).  Two loads
of one address that see the same version give the same value.  For that it is not enough to know
that the same stores may be read (`memory_dependence`): they may have run again in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.def_use import def_use
from compiler.analyses.dominators import dominators
from compiler.analyses.memory.addresses import Footprint, addresses
from compiler.ir.module import Function, Instruction

START = 0
"""The version that the caller leaves."""


@dataclass(frozen=True, slots=True)
class MemoryVersions:
    """The versions of a function's memory by number, reached blocks only.

    before    what each access finds; a store's own version is another
    made      the version that each store makes
    writer    for each version its store, None for the start and for phis
    previous  for each version those that it comes from: one of a store, several of a phi
    block     for each version where it is made
    at_end    for each block the version at its end
    """

    before: dict[Instruction, int]
    made: dict[Instruction, int]
    writer: list[Instruction | None]
    previous: list[list[int]]
    block: list[str]
    at_end: dict[str, int]


@cached_by_version
def memory_versions(function: Function) -> MemoryVersions:
    """The versions of memory of a function in SSA form."""
    entry = function.entry.name
    found = MemoryVersions({}, {}, [None], [[]], [entry], {})
    phis = {name: _new(found, None, [], name) for name in _phi_blocks(function)}
    dominance, flow = dominators(function), control_flow(function)
    pending = [entry]
    while pending:
        name = pending.pop()
        pending += dominance.children[name]
        above = found.at_end[dominance.parent[name]] if name != entry else START
        version = phis.get(name, above)
        for instruction in function.blocks[name].instructions:
            row = instruction.operation
            if row.loads or row.stores:
                found.before[instruction] = version
            if row.stores:
                version = _new(found, instruction, [version], name)
                found.made[instruction] = version
        found.at_end[name] = version
    for name, phi in phis.items():
        sources = (s for s in flow.predecessors[name] if s in found.at_end)
        found.previous[phi] += [START] * (name == entry)
        found.previous[phi] += (found.at_end[source] for source in sources)
    return found


def _new(found: MemoryVersions, writer: Instruction | None, previous: list[int], block: str) -> int:
    found.writer.append(writer)
    found.previous.append(previous)
    found.block.append(block)
    return len(found.writer) - 1


def _phi_blocks(function: Function) -> list[str]:
    """The iterated dominance frontier of the blocks that write, each block once."""
    frontier = dominators(function).frontier
    pending = [
        name
        for name in control_flow(function).reverse_postorder
        if any(i.operation.stores for i in function.blocks[name].instructions)
    ]
    placed: dict[str, None] = {}
    while pending:
        for name in frontier[pending.pop()]:
            if name not in placed:
                placed[name] = None
                pending.append(name)
    return list(placed)


class LastWrites:
    """Looks for the last write that may touch some footprints.

    It looks at no more than `reach` versions for each question; the answer is then one that is
    later than need be.  Writes in `removed` are passed over.
    """

    def __init__(self, function: Function, reach: int):
        self.function, self.reach = function, reach
        self.removed: set[Instruction] = set()
        self._versions = memory_versions(function)
        self._addresses = addresses(function)
        self._dominance = dominators(function)
        self._definition = def_use(function).definition

    def seen_by(self, instruction: Instruction) -> int:
        """The version that last wrote, maybe, what an access loads or stores."""
        touched = self._addresses.touched(instruction)
        footprints = touched.loads + touched.stores
        version, left = self._versions.before[instruction], self.reach
        while left > 0:
            if self._versions.writer[version] is not None:
                if self._may_write(version, footprints):
                    return version
                (version,) = self._versions.previous[version]
                left -= 1
            else:
                above, left = self._around_phi(version, footprints, left)
                if above is None:
                    return version
                version = above
        return version

    def writes_own_sources(self, instruction: Instruction) -> bool:
        """Whether what an operation stores may meet what it loads."""
        touched = self._addresses.touched(instruction)
        return any(a.may_meet(b) for a in touched.stores for b in touched.loads)

    def _may_write(self, version: int, footprints: tuple[Footprint, ...]) -> bool:
        writer = self._versions.writer[version]
        if writer in self.removed:
            return False
        stores = self._addresses.touched(writer).stores
        return any(stored.may_meet(footprint) for stored in stores for footprint in footprints)

    def _around_phi(
        self, phi: int, footprints: tuple[Footprint, ...], left: int
    ) -> tuple[int | None, int]:
        """The version before a phi's block if no write after it touches the footprints, else None.

        Addresses are compared only if their variables were assigned before that, so that they have
        not changed on the way.  Also gives how many more versions may be looked at.
        """
        block = self._versions.block[phi]
        if phi == START or block not in self._dominance.parent:
            return None, left
        end = self._versions.at_end[self._dominance.parent[block]]
        footprints = tuple(self._lasting(footprint, block) for footprint in footprints)
        seen, pending = {end, phi}, list(self._versions.previous[phi])
        while pending:
            version = pending.pop()
            if version in seen:
                continue
            seen.add(version)
            left -= 1
            if left < 0 or (
                self._versions.writer[version] and self._may_write(version, footprints)
            ):
                return None, left
            pending += self._versions.previous[version]
        return end, left

    def _lasting(self, footprint: Footprint, block: str) -> Footprint:
        """What is known of a footprint whatever runs between a block's dominator and it."""
        changes = any(self._dominance.dominates(block, other) for other in self._made_in(footprint))
        return replace(footprint, base=None) if changes else footprint

    def _made_in(self, footprint: Footprint) -> Iterator[str]:
        """The blocks where the variables of an address are assigned; parameters are nowhere."""
        for name in footprint.base.atoms if footprint.base else ():
            if name in self._definition:
                yield self._definition[name][0]
