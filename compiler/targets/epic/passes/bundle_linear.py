"""The linear bundler: greedy, slot by slot, nothing moved once placed (the baseline).

    adds, shr.u, add, lfetch, xor, ld8   ->   MII {adds, shr.u, add}  MMF {lfetch, xor, nop.f}
                                              MFB {ld8, nop.f, nop.b}

For each slot the kinds are tried in a fixed order, and for each kind the first operation of the
row that does not pass one it depends on.  An operation that fits M and I slots counts as M where
the slot can still be M in some template, else as I.  A slot that stays empty gets a nop: nop.f,
then nop.b, then nop.i, if a template has it there and, while operations wait, leaves one of them
a slot behind it; a first slot gets nop.m.  This is the packing of Open64's software pipeliner
(osprey/be/cg/ia64/cg_swp_bundle.cxx).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compiler.analyses.dependence_graph import Arc
from compiler.targets.epic.bundling.automaton import Automaton
from compiler.targets.epic.bundling.bundles import SLOTS, PackedBundle, Syllable
from compiler.targets.epic.passes.bundlers import Bundler, DoesNotFit
from compiler.targets.epic.passes.microschedule import meeting
from machines.kinds.epic.fields import Epic

KIND_ORDER = (("M", "B"), ("F", "L", "I", "M", "B"), ("I", "F", "B"))
NOP_ORDER = (("M", "B"), ("F", "B", "I", "M"), ("F", "B", "I"))


def pack(
    syllables: Sequence[Syllable],
    arcs: Iterable[Arc],
    stages: Sequence[int],
    automaton: Automaton,
) -> list[PackedBundle]:
    """The bundles of a row, with a stop after the last; in how many cycles they issue is the
    machine's affair.  Raises DoesNotFit for an operation that no bundle takes."""
    packer = _Packer(syllables, meeting(arcs, stages), automaton.description)
    return packer.pack()


class _Templates:
    """The templates without a stop inside, by their slots.

    shapes   slot kinds of those that exist both with and without a stop at the end
    """

    def __init__(self, description: Epic):
        self._names = {(t.slots, t.stops): name for name, t in description.templates.items()}
        self.shapes = [
            slots
            for slots, stops in self._names
            if not stops and (slots, (SLOTS - 1,)) in self._names
        ]

    def continuations(self, filled: tuple[str, ...]) -> set[str]:
        """Kinds that the slot after `filled` may be of."""
        slot = len(filled)
        return {shape[slot] for shape in self.shapes if shape[:slot] == filled}

    def behind(self, filled: tuple[str, ...]) -> set[tuple[str, int]]:
        """Kinds and numbers of the slots there may be after `filled`."""
        first = len(filled)
        fitting = [shape for shape in self.shapes if shape[:first] == filled]
        return {(shape[slot], slot) for shape in fitting for slot in range(first, SLOTS)}

    def bundle(self, slots: tuple[str, ...], filling: list[int | None], stop: bool) -> PackedBundle:
        stops = (SLOTS - 1,) if stop else ()
        return PackedBundle(self._names[slots, stops], slots, tuple(filling), stops)


class _Packer:
    """Packs one row."""

    def __init__(self, syllables: Sequence[Syllable], order: list[Arc], description: Epic):
        self._row = syllables
        self._before = [{a.source for a in order if a.target == n} for n in range(len(syllables))]
        self._description = description
        self._templates = _Templates(description)
        self._waiting = list(range(len(syllables)))

    def pack(self) -> list[PackedBundle]:
        bundles: list[PackedBundle] = []
        while self._waiting or not bundles:
            left = len(self._waiting)
            slots, filling = self._fill()
            if left and len(self._waiting) == left:
                raise DoesNotFit(self._waiting[0])
            bundles.append(self._templates.bundle(slots, filling, stop=not self._waiting))
        return bundles

    def _fill(self) -> tuple[tuple[str, ...], list[int | None]]:
        """The slot kinds of the next bundle, and what is in them."""
        slots: tuple[str, ...] = ()
        filling: list[int | None] = []
        while len(slots) < SLOTS:
            kinds = self._templates.continuations(slots)
            if kinds == {"X"}:
                slots, filling = (*slots, "X"), [*filling, None]
                continue
            kind, node = self._choose(slots, kinds)
            if node is not None:
                self._waiting.remove(node)
            slots, filling = (*slots, kind), [*filling, node]
        return slots, filling

    def _choose(self, slots: tuple[str, ...], kinds: set[str]) -> tuple[str, int | None]:
        """The kind of the next slot and the operation for it; None for a nop."""
        slot = len(slots)
        for kind in KIND_ORDER[slot]:
            for node in self._waiting if kind in kinds else ():
                counts_as_m = self._row[node].slot_kind == "A" and "M" in kinds
                if (
                    self._row[node].fits(kind, slot)
                    and not (kind == "I" and counts_as_m)
                    and not self._before[node] & set(self._waiting)
                    and self._branch_allowed(node, kind, slot)
                ):
                    return kind, node
        return self._nop_kind(slots, kinds), None

    def _nop_kind(self, slots: tuple[str, ...], kinds: set[str]) -> str:
        """The kind of nop for the next slot."""
        allowed = [kind for kind in NOP_ORDER[len(slots)] if kind in kinds] or sorted(kinds)
        for kind in allowed:
            behind = self._templates.behind((*slots, kind))
            if any(self._row[node].fits(*later) for node in self._waiting for later in behind):
                return kind
        return allowed[0]

    def _branch_allowed(self, node: int, kind: str, slot: int) -> bool:
        """A branch goes where its port takes it, and so that what remains fits behind it."""
        if kind != "B":
            return True
        if len(self._waiting) > SLOTS - slot:
            return False
        port = self._description.dispersal.branch_ports[slot]
        return self._row[node].scheduling_class in self._description.ports[port].accepts


BUNDLER = Bundler("linear", "Greedy, slot by slot, as Open64's software pipeliner.", pack)
