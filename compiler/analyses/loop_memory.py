"""Which accesses of a loop touch the same bytes, and how many iterations apart.

    loop: i = phi.i64 [entry: 2, loop: next]
          p = add.ptr a, …                      a + 8·[loop] + 16
          q = sub.ptr p, 16                     a + 8·[loop]
          x = load.i64 q
          store.i64 p, x                        flow: store -> load, distance 2
          …                                     (the load never meets an earlier store: no anti)

An access of iteration i and one of iteration i + omega are apart by `start' - start + stride·omega`
bytes if both move by the same stride, else by a sum over more unknowns.  They touch if that is less
than their sizes.  What is unknown is bounded as by Banerjee, *Dependence Analysis for
Supercomputing*, 1988, and what all factors have in common divides it (the GCD test there).

Addresses count modulo 2**64, so a solution in integers is one only if nothing wraps.  That follows
from how often the loop can run: from its tests, or from an access with a stride that every
iteration makes: as none of those may fault, all lie within the MOST_BYTES that memory can have.

Any number may be an address.  Two buffers are kept apart if the accesses are proven to stay inside:
by the range of their offsets, or because the first is inside and no iteration goes on so far that
it could be past the `GUARD` around the buffer.  Of buffers of a section, between which there is
none, the source promises it.  What goes through a pointer parameter of
`function.noalias` meets nothing that goes through another parameter or a buffer's name: that is
promised, as `restrict` does in C.  A store with the attribute APART meets no other instruction of
the innermost loop around it: what it fills was taken from an arena for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.analyses.loops import Loop, loops
from compiler.analyses.memory.loop_accesses import Access, accesses_of
from compiler.analyses.values.affine import Address, Atom, Iteration, Polynomial, Range
from compiler.analyses.values.induction import MOST_BYTES, ClosedForms, closed_forms
from compiler.ir.facts import is_flat
from compiler.ir.module import Function
from machines.layout import GUARD
from machines.types import PTR

APART = "apart"
MOST_DISTANCES = 16
"""More distances than these are not listed."""
WHOLE = 1 << 64


@dataclass(frozen=True, slots=True)
class Dependence:
    """`target` may touch bytes that `source` touched `omega` or more iterations before.

    kind       'flow' (store, load), 'anti' (load, store) or 'output' (store, store)
    omega      the least distance in iterations; 0: in one iteration, source first
    distances  the only distances there are, each of which there is if the loop runs that long and
               makes both accesses; None: any from omega on
    why        how that is known, or why no more is known
    """

    source: Access
    target: Access
    kind: str
    omega: int
    distances: tuple[int, ...] | None
    why: str


@dataclass(frozen=True, slots=True)
class Independence:
    """`target` never touches in the same or a later iteration what `source` touched, and why."""

    source: Access
    target: Access
    why: str


@dataclass(frozen=True, slots=True)
class LoopMemory:
    """All pairs of accesses of a loop of which one stores, in both orders."""

    accesses: tuple[Access, ...]
    dependences: tuple[Dependence, ...]
    independences: tuple[Independence, ...]


KINDS = {("store", "load"): "flow", ("load", "store"): "anti", ("store", "store"): "output"}


def loop_memory(function: Function, loop: Loop) -> LoopMemory:
    """The dependences among the accesses of a loop of a function in SSA form.

    A region of several entries has no iterations to count: ValueError.
    """
    if loop.is_irreducible:
        raise ValueError(f"the region of {', '.join(loop.entries)} has no iterations")
    judge = _Judge(function, loop)
    dependences, independences = [], []
    for source in judge.accesses:
        for target in judge.accesses:
            kind = KINDS.get((source.kind, target.kind))
            if kind is not None:
                found = judge.distance(source, target)
                if isinstance(found, str):
                    independences.append(Independence(source, target, found))
                else:
                    dependences.append(Dependence(source, target, kind, *found))
    return LoopMemory(judge.accesses, tuple(dependences), tuple(independences))


Found = tuple[int, tuple[int, ...] | None, str]
"""omega, distances and why; or, as text, why there is no dependence."""


class _Judge:
    def __init__(self, function: Function, loop: Loop):
        self.function, self.loop = function, loop
        self.forms: ClosedForms = closed_forms(function)
        self.here, self.later = Iteration(loop.header), Iteration(loop.header, 1)
        self.nest = loops(function)
        self.pointers = {name for name, kind in function.parameters if kind is PTR}
        self.accesses = tuple(accesses_of(function, loop, self.forms))
        self.after = {access.block: self._runs_after(access.block) for access in self.accesses}
        self.most = min(map(self._most_by_faults, self.accesses), default=WHOLE)

    def distance(self, x: Access, y: Access) -> Found | str:
        """At which distances `y` touches what `x` touched, or why it never does."""
        earliest = 0 if self._follows(x, y) else 1
        apart = self._in_different_buffers(x, y)
        if apart:
            return apart
        if x.instruction is not y.instruction and (self._is_apart(x) or self._is_apart(y)):
            return "one of them is promised to meet nothing else in the loop"
        for access in (x, y):
            if access.address is None or access.size is None:
                return earliest, None, access.why
            if access.size <= 0:
                return "nothing is touched"
        gap = self._gap(x, y)
        unequal = any(gap.stride(self.here).terms)
        stride, start = gap.stride(self.later).constant, gap.start(self.later).constant
        if not _can_touch(x, y, gap, WHOLE):
            return f"{gap} bytes apart, which is never near 0"
        if stride is None or start is None or unequal:
            return self._by_range(x, y, gap, earliest)
        if stride == 0:
            return self._at_rest(x, y, start, earliest)
        return self._by_stride(x, y, start, stride, earliest)

    def _is_apart(self, access: Access) -> bool:
        is_inside = self.nest.innermost[access.block] == self.loop.header
        return is_inside and APART in access.instruction.attributes

    def _gap(self, x: Access, y: Access) -> Polynomial:
        """How far `y` is after `x` in memory, with iterations of inner loops of their own, `y`
        being [loop]' iterations later."""

        def other(atom: Atom) -> Atom:
            is_inner = isinstance(atom, Iteration) and self.forms.varies(atom, self.loop)
            return Iteration(atom.header, 1) if is_inner and atom != self.here else atom

        later = Polynomial.atom(self.later, 64)
        moved = y.address.renamed(other) + y.address.stride(self.here).renamed(other) * later
        return moved - x.address

    def _at_rest(self, x: Access, y: Access, start: int, earliest: int) -> Found | str:
        if _touch(x, y, start):
            return earliest, None, "both stay at the same address"
        return "both stay at addresses apart"

    def _by_stride(
        self, x: Access, y: Access, start: int, stride: int, earliest: int
    ) -> Found | str:
        """Both move by the same stride: start + stride·omega has to be small."""
        last = self._most(y) - 1
        if abs(start) + abs(stride) * last + x.size + y.size >= WHOLE:
            return earliest, None, "their addresses may wrap round"
        first, end = _whole_between(1 - y.size - start, x.size - 1 - start, stride)
        span = range(max(first, earliest), min(end, last) + 1)
        found = [w for w in span[: MOST_DISTANCES + 1] if _touch(x, y, start + stride * w)]
        if not found and len(span) <= MOST_DISTANCES:
            return f"they meet in no later iteration, {start} bytes apart by steps of {stride}"
        why = f"{start} bytes apart, by steps of {stride}"
        if len(span) > MOST_DISTANCES:
            return span[0], None, why
        return found[0], tuple(found), why

    def _by_range(self, x: Access, y: Access, gap: Polynomial, earliest: int) -> Found | str:
        """The unknowns of the gap lie between bounds, if they are known; the distance is one."""
        stride = gap.stride(self.later)
        rest = gap.start(self.later)
        same_start = rest.constant
        if earliest == 0 and same_start is not None and not _touch(x, y, same_start):
            earliest = 1
        if stride.constant is None:
            return earliest, None, f"their stride {stride} is not known"
        low, high = rest.range(lambda atom: self._range(atom, x, y))
        step, last = stride.constant, self._most(y) - 1
        if max(abs(low), abs(high)) + abs(step) * last + x.size + y.size >= WHOLE:
            return earliest, None, f"{gap} bytes apart, which is not bounded"
        if not _can_touch(x, y, gap, 0):
            return f"{gap} bytes apart, which is never near 0"
        nearest, farthest = 1 - y.size - high, x.size - 1 - low
        if step == 0:
            first, end = (0, last) if nearest <= 0 <= farthest else (1, 0)
        else:
            first, end = _whole_between(nearest, farthest, step)
        first, end = max(first, earliest), min(end, last)
        if first > end:
            return f"{gap} bytes apart, from {low} to {high} and {step} each iteration"
        return first, None, f"{gap} bytes apart"

    def _in_different_buffers(self, x: Access, y: Access) -> str | None:
        homes = [self._home(access) for access in (x, y)]
        if None not in homes and homes[0] != homes[1]:
            return f"{homes[0]} and {homes[1]} are different buffers"
        bases = [self._base(access) for access in (x, y)]
        if None not in bases and bases[0] != bases[1]:
            promised = [base for base in bases if base in self.function.noalias]
            if promised:
                return f"'{promised[0]}' is promised to be noalias"
        return None

    def _base(self, access: Access) -> Atom | None:
        """The buffer or parameter that an access goes through."""
        if access.inside is not None:
            return Address(access.inside)
        bases = [
            (atom, factor)
            for (atom, *others), factor in (t for t in access.start.terms if t[0])
            if not others and (isinstance(atom, Address) or self._is_pointer(atom))
        ]
        if len(bases) != 1 or bases[0][1] != 1:
            return None
        base = bases[0][0]
        return base if isinstance(base, Address) or base in self.pointers else None

    def _home(self, access: Access) -> Atom | None:
        """The buffer that an access is certain to stay in."""
        base = self._base(access)
        if not isinstance(base, Address):
            return None
        return base if access.inside or self._stays_inside(access, base) else None

    def _is_pointer(self, atom: Atom) -> bool:
        return isinstance(atom, str) and self.function.types[atom] is PTR

    def _stays_inside(self, access: Access, base: Address) -> bool:
        """Whether it cannot leave its buffer without a fault in between."""
        buffer = self.function.buffers[base.buffer]
        if buffer.section is not None:
            return True
        room = buffer.size - access.size
        offset = access.start - Polynomial.atom(base, 64)
        low, high = self.forms.range(offset, access.block)
        if low >= 0 and high <= room:
            return True
        if access.address is None:
            return False
        stride = offset.stride(self.here).constant
        if not is_flat(buffer.space):
            return False  # no guard around it
        if stride is None or abs(stride) >= GUARD + access.size:
            return False  # one step may lead from inside to inside its neighbour
        if not self._is_in_every_iteration(access):
            return False
        low, high = self.forms.range(offset.start(self.here), access.block)
        return low >= 0 and high <= room

    def _most(self, access: Access) -> int:
        """How many iterations can make an access, at most."""
        return min(self.most, self.forms.most_iterations(self.loop.header, access.block))

    def _most_by_faults(self, access: Access) -> int:
        """How many iterations can begin before a regular access has left all memory.

        An interval that is empty, or may be, faults nowhere.
        """
        touches = access.size is not None and access.size > 0
        if access.address is None or not touches or not self._is_in_every_iteration(access):
            return WHOLE
        stride = access.address.stride(self.here).constant
        return MOST_BYTES // abs(stride) + 2 if stride else WHOLE

    def _is_in_every_iteration(self, access: Access) -> bool:
        """Whether no iteration ends without it, and it makes one access in each."""
        dominance = dominators(self.function)
        return (
            access.instruction.guard is None
            and access.is_certain
            and self.nest.innermost[access.block] == self.loop.header
            and all(dominance.dominates(access.block, latch) for latch in self.loop.latches)
        )

    def _range(self, atom: Atom, x: Access, y: Access) -> Range:
        """Of an unknown of a gap: of `x`, unless it is a copy."""
        if isinstance(atom, Iteration) and atom.copy:
            return self.forms.range_of(Iteration(atom.header), y.block)
        if atom == self.here:
            return 0, self._most(x) - 1
        return self.forms.range_of(atom, x.block)

    def _follows(self, x: Access, y: Access) -> bool:
        """Whether `y` can run after `x` in one iteration."""
        if x.block == y.block and x.position < y.position:
            return True
        return y.block in self.after[x.block]

    def _runs_after(self, block: str) -> frozenset[str]:
        """The blocks that can run after a block has ended, in the same iteration."""
        inside = frozenset(self.loop.members) - {self.loop.header}
        seen: set[str] = set()
        pending = [block]
        while pending:
            for following in control_flow(self.function).successors[pending.pop()]:
                if following in inside and following not in seen:
                    seen.add(following)
                    pending.append(following)
        return frozenset(seen)


def _touch(x: Access, y: Access, gap: int) -> bool:
    """Whether accesses share a byte if `y` begins `gap` bytes after `x`; both are aligned."""
    return -y.size < gap < x.size and gap % min(x.unit, y.unit) == 0


def _can_touch(x: Access, y: Access, gap: Polynomial, modulus: int) -> bool:
    """Whether the gap, an unknown multiple of what its factors have in common plus a number, can be
    small; `modulus` is 2**64, or 0 if it does not wrap and has a factor."""
    common = gcd(modulus, *(factor for product, factor in gap.terms if product))
    nearest = dict(gap.terms).get((), 0) % common
    return nearest < x.size or nearest - common > -y.size


def _whole_between(low: int, high: int, step: int) -> Range:
    """The first and the last whole number whose `step` fold lies from `low` to `high`."""
    if step < 0:
        low, high, step = -high, -low, -step
    return -(-low // step), high // step
