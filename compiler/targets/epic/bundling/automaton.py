"""Which operations fit one cycle of a machine, and how they are packed into bundles.

    {adds, shr.u, add, lfetch, xor, ld8}   ->   MII {lfetch, shr.u, adds}  MMI; {ld8, add, xor}

A finite-state automaton, built once for a machine from its templates and dispersal rules.  A state
is what a cycle holds: how many syllables of each kind, where two are of one kind if no
template and no port tells them apart.  It knows the patterns of templates with slots for these, and
is dead if there is none, or not a port for each.  A transition adds a syllable.  States are made
when they are first reached and kept.

Whether a state's syllables fit also depends on the order that some of them must keep.  That is
found by searching the state's patterns, best first, and kept as well: `Automaton.fits` answers
with a packing exactly if there is one.

After Chen, Liu, Ju, Chen, Yang and Wu, 'Optimizing instruction scheduling and templates for
Itanium' (J. Instruction-Level Parallelism, 2004), whose states are the occupied ports.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import or_

from compiler.analyses.layout_graph import members
from compiler.targets.epic.bundling.bundles import SLOTS, PackedBundle, Packing, Syllable
from compiler.targets.epic.bundling.patterns import Pattern, Patterns, Seam
from machines.kinds.epic.dispersal import Disperser, disperser, match
from machines.kinds.epic.fields import Epic

Filling = tuple[tuple[int | None, int], ...]
"""For each slot of a pattern: the number of the syllable in it (None: a nop), and the ports it may
use, as a bit mask."""


@lru_cache(maxsize=64)
def automaton(description: Epic) -> Automaton:
    """The automaton of a machine; machines that issue alike share one."""
    parts = description.templates, description.ports, description.dispersal
    return _shared(_Issuing(f"{description.instructions} {parts!r}", description))


@dataclass(frozen=True)
class _Issuing:
    """What an automaton is made of, as text, in which machines are compared, and one of them."""

    rules: str
    description: Epic = field(compare=False)


@lru_cache(maxsize=16)
def _shared(issuing: _Issuing) -> Automaton:
    return Automaton(issuing.description)


class Automaton:
    """Answers what fits one cycle of a machine.

    description    of a machine that issues so; others may differ in all else, as in latencies
    patterns       how many patterns of templates it has
    seams          where two cycles can share a bundle
    build_seconds  what making it took
    """

    def __init__(self, description: Epic):
        started = time.perf_counter()
        self.description = description
        patterns = Patterns(description)
        self._kind_of = patterns.kind_of
        by_seams: dict[tuple[Seam | None, Seam | None], list[Pattern]] = {}
        for pattern in sorted(patterns.all, key=self._preference):
            by_seams.setdefault((pattern.begins, pattern.ends), []).append(pattern)
        self._tables = {
            seams: _Table(found, patterns.samples, disperser(description))
            for seams, found in by_seams.items()
        }
        self.patterns = len(patterns.all)
        self.seams = tuple(dict.fromkeys(ends for _, ends in self._tables if ends is not None))
        self.takes = lru_cache(maxsize=1 << 16)(self._takes)
        self.build_seconds = time.perf_counter() - started

    @property
    def states(self) -> int:
        """How many states were reached so far."""
        return sum(table.states for table in self._tables.values())

    def fits(
        self,
        syllables: Sequence[Syllable],
        order: Collection[tuple[int, int]] = (),
        begins: Seam | None = None,
        ends: Seam | None = None,
    ) -> Packing | None:
        """A packing of syllables that issues in one cycle, a before b for each (a, b) of `order`.

        None if there is none.  Of several it is one of the fewest bundles, of these one of the
        fewest nop.f, which can stall.  `begins` and `ends` ask for one that shares its first and
        last bundle with the cycles around it.
        """
        nodes, found = self._find(syllables, order, begins, ends)
        return found and self._packing(found.pattern, found.filling, nodes)

    def _takes(
        self, syllables: tuple[Syllable, ...], order: frozenset[tuple[int, int]] = frozenset()
    ) -> bool:
        """Whether syllables issue in one cycle; `takes` remembers the answers."""
        return self._find(syllables, order, None, None)[1] is not None

    def cost(
        self,
        syllables: Sequence[Syllable],
        order: Collection[tuple[int, int]] = (),
        begins: Seam | None = None,
        ends: Seam | None = None,
    ) -> tuple[int, int] | None:
        """Bundles and nop.f of the packing that `fits` gives; None if there is none."""
        _, found = self._find(syllables, order, begins, ends)
        return found and found.cost

    def _find(
        self,
        syllables: Sequence[Syllable],
        order: Collection[tuple[int, int]],
        begins: Seam | None,
        ends: Seam | None,
    ) -> tuple[list[int], _Filled | None]:
        """The syllables' numbers in order of their kinds, and how a pattern is filled with them."""
        table = self._tables.get((begins, ends))
        if table is None:
            return [], None
        kinds = [self._kind_of[syllable] for syllable in syllables]
        nodes = sorted(range(len(kinds)), key=kinds.__getitem__)
        before = [0] * len(kinds)
        if order:
            position = {node: k for k, node in enumerate(nodes)}
            for first, second in order:
                before[position[second]] |= 1 << position[first]
        return nodes, table.find(tuple(kinds[node] for node in nodes), tuple(before))

    def _packing(self, pattern: Pattern, filling: Filling, nodes: list[int]) -> Packing:
        """A pattern's filling, by the numbers that the operations have outside."""
        held: list[list[int | None]] = [[None] * SLOTS for _ in pattern.templates]
        demands, operations = [], []
        for slot, (number, demand) in zip(pattern.slots, filling, strict=True):
            node = None if number is None else nodes[number]
            held[slot.bundle][slot.number] = node
            demands.append(demand)
            operations.append(node)
        names = tuple(self.description.ports)
        ports = {
            node: names[port]
            for node, port in zip(operations, match(tuple(demands)), strict=True)
            if node is not None
        }
        templates = [(name, self.description.templates[name]) for name in pattern.templates]
        bundles = tuple(
            PackedBundle(name, template.slots, tuple(filling), template.stops)
            for (name, template), filling in zip(templates, held, strict=True)
        )
        return Packing(bundles, dict(sorted(ports.items())))

    def _preference(self, pattern: Pattern) -> tuple:
        """Better patterns first."""
        templates = [self.description.templates[name] for name in pattern.templates]
        kinds = [kind for template in templates for kind in template.slots]
        return pattern.late, len(templates), kinds.count("F"), kinds.count("L")


@dataclass(frozen=True, slots=True)
class _Filled:
    """A pattern, how it is filled, and what that costs: bundles, and nop.f."""

    pattern: Pattern
    filling: Filling
    cost: tuple[int, int]


@dataclass(eq=False, slots=True)
class _State:
    """What a cycle holds.

    kinds       of its syllables, ascending
    candidates  the patterns, as a bit mask, that have slots for them
    next        the state with one more syllable of a kind; None: it is dead
    found       what stands before each syllable (a bit mask of them) -> the filled pattern
    """

    kinds: tuple[int, ...]
    candidates: int
    next: dict[int, _State | None] = field(default_factory=dict)
    found: dict[tuple[int, ...], _Filled | None] = field(default_factory=dict)


class _Table:
    """The states of cycles that begin and end alike.

    Of each kind of syllable it knows the ports it can get at all, and its rivals: sets of kinds, as
    bit masks, that compete with it for slots.  Patterns of one shape, whose slots take the same
    kinds, are counted together.
    """

    def __init__(self, patterns: list[Pattern], samples: dict[int, Syllable], rules: Disperser):
        self._patterns = patterns
        self._samples = samples
        self._rules = rules
        self._supplies: dict[int, list[int]] = {}
        self._shapes: dict[tuple[int, ...], int] = {}
        for number, pattern in enumerate(patterns):
            takes = tuple(sorted(slot.takes for slot in pattern.slots))
            self._shapes[takes] = self._shapes.get(takes, 0) | 1 << number
        self._root = _State((), (1 << len(patterns)) - 1)
        self.states = 1
        self._ports, self._rivals = [], []
        for kind in range(len(samples)):
            slots = [slot for pattern in patterns for slot in pattern.slots if slot.demands[kind]]
            self._ports.append(reduce(or_, (slot.demands[kind] for slot in slots), 0))
            alike = (k for k, s in samples.items() if s.slot_kind == samples[kind].slot_kind)
            self._rivals.append(
                (
                    1 << kind,
                    sum(1 << k for k in alike),
                    reduce(or_, (slot.takes for slot in slots), 0),
                    (1 << len(samples)) - 1,
                )
            )

    def find(self, kinds: tuple[int, ...], before: tuple[int, ...]) -> _Filled | None:
        """The best pattern for syllables of these kinds (ascending), and how they fill it."""
        state: _State | None = self._root
        for kind in kinds:
            if kind not in state.next:
                state.next[kind] = self._add(state, kind)
            state = state.next[kind]
            if state is None:
                return None
        if before not in state.found:
            state.found[before] = self._search(state, before)
        return state.found[before]

    def _search(self, state: _State, before: tuple[int, ...]) -> _Filled | None:
        if any(before) and self.find(state.kinds, (0,) * len(before)) is None:
            return None
        for number in members(state.candidates):
            pattern = self._patterns[number]
            filling = arrange(pattern, state.kinds, before)
            if filling is not None:
                pairs = zip(pattern.slots, filling, strict=True)
                taken = sum(slot.kind == "F" for slot, (node, _) in pairs if node is not None)
                cost = len(pattern.templates), pattern.floating - taken
                return _Filled(pattern, filling, cost)
        return None

    def _add(self, state: _State, kind: int) -> _State | None:
        """The transition by a syllable."""
        kinds = (*state.kinds, kind)
        if any(self._excluded(kind, other) for other in state.kinds):
            return None
        if match(tuple(sorted(self._ports[k] for k in kinds))) is None:
            return None
        candidates = state.candidates
        for like in self._rivals[kind]:
            candidates &= self._having(like, sum(like >> k & 1 for k in kinds))
        self.states += bool(candidates)
        return _State(kinds, candidates) if candidates else None

    def _excluded(self, kind: int, other: int) -> bool:
        names = (self._samples[k].scheduling_class for k in (kind, other))
        return self._rules.excludes(*names)

    def _having(self, kinds: int, count: int) -> int:
        """The patterns, as a bit mask, with at least `count` slots for any of these kinds."""
        if kinds not in self._supplies:
            masks = [0] * (1 + max(map(len, self._shapes)))
            for takes, patterns in self._shapes.items():
                masks[sum(1 for taken in takes if taken & kinds)] |= patterns
            for fewer in range(len(masks) - 1, 0, -1):
                masks[fewer - 1] |= masks[fewer]
            self._supplies[kinds] = masks
        masks = self._supplies[kinds]
        return masks[count] if count < len(masks) else 0


def arrange(pattern: Pattern, kinds: tuple[int, ...], before: tuple[int, ...]) -> Filling | None:
    """Fill a pattern from left to right with syllables of these kinds, each behind those in its
    bit mask `before`, and nops; None if that cannot be done."""
    slots = pattern.slots
    room = [
        sum(bool(slot.demands[kind]) for slot in slots) for kind in range(len(slots[0].demands))
    ]
    nodes = sorted(range(len(kinds)), key=lambda node: (room[kinds[node]], node))
    after = [sum(1 << k for k, mask in enumerate(before) if mask >> node & 1) for node in nodes]
    after = dict(zip(nodes, after, strict=True))
    filling: list[tuple[int | None, int]] = []
    failed: set[tuple[int, int, tuple[int, ...]]] = set()

    def choices(index: int, remaining: int) -> Iterator[tuple[int | None, int]]:
        """Syllables, then a nop, for a slot, with the ports they may use; of several that are the
        same in all respects only the first."""
        tried = set()
        for node in nodes:
            same = kinds[node], before[node], after[node]
            if remaining >> node & 1 and not before[node] & remaining and same not in tried:
                tried.add(same)
                yield node, slots[index].demands[kinds[node]]
        if remaining.bit_count() < len(slots) - index:
            yield None, slots[index].nop

    def fill(index: int, remaining: int, demands: tuple[int, ...]) -> bool:
        if index == len(slots):
            return not remaining
        here = index, remaining, demands
        if here in failed or remaining.bit_count() > len(slots) - index:
            return False
        for node, demand in choices(index, remaining):
            more = tuple(sorted((*demands, demand)))
            if demand and match(more) is not None:
                filling.append((node, demand))
                if fill(
                    index + 1, remaining & ~(1 << node) if node is not None else remaining, more
                ):
                    return True
                filling.pop()
        failed.add(here)
        return False

    return tuple(filling) if fill(0, (1 << len(kinds)) - 1, ()) else None
