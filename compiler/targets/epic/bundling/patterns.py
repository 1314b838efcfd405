"""The patterns of an EPIC machine: sequences of templates that can issue in one cycle.

    MII MMF;    slots M I I M M F; every syllable says by its kind which ports it may use in each

While a cycle fills from left to right, which port a slot leads to depends on the slots before it,
and hardly on what is in them.  Where it does (a branch or a hint in a B slot), there is a pattern
for each outcome, so that in a pattern a slot gives a kind of syllable a fixed set of ports.  All
this is found by asking the rules of `machines.kinds.epic.dispersal`, slot by slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from compiler.targets.epic.bundling.bundles import SLOTS, Syllable, nop, syllable_of
from machines.instructions import operations
from machines.kinds.epic.dispersal import Group, disperser
from machines.kinds.epic.fields import Epic, Template


@dataclass(frozen=True, slots=True)
class Seam:
    """A stop inside a bundle: one cycle's syllables end there, the next one's begin."""

    slots: tuple[str, ...]
    stop: int


@dataclass(frozen=True, slots=True)
class PatternSlot:
    """A slot of a pattern: bundle, number in it, and kind; `demands` is the ports, as a bit mask,
    that each kind of syllable may use there (0: it does not fit), `nop` those of a nop; `takes` is
    the kinds, as a bit mask, that fit."""

    bundle: int
    number: int
    kind: str
    demands: tuple[int, ...]
    nop: int
    takes: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """Templates (by name) whose syllables issue in one cycle.

    slots   those that hold a syllable of the cycle, from left to right
    floating  how many F slots its templates have in all
    begins  the seam it begins at; None: at a whole bundle
    ends    the seam it ends at; None: with the stop at the end of its last bundle
    late    nops stand behind an implicit stop, and issue a cycle later
    """

    templates: tuple[str, ...]
    slots: tuple[PatternSlot, ...]
    floating: int
    begins: Seam | None
    ends: Seam | None
    late: bool


@dataclass(frozen=True, slots=True)
class _Filled:
    """Slots of one bundle: (slot, number of the demand row); the ports taken after them."""

    slots: tuple[tuple[int, int], ...]
    fixed: int
    late: bool = False


class Patterns:
    """All patterns of a machine, and which syllables are of one kind.

    Two syllables are of one kind if no slot of any pattern tells them apart.  The rules are asked
    for one syllable of each sort: all that they see of it is alike.
    """

    def __init__(self, description: Epic):
        self._description = description
        self._rules = disperser(description)
        family = operations().family(description.instructions).values()
        syllables = sorted({syllable_of(row) for row in family if row.slot_kind})
        alike = {
            s: (s.slot_kind, s.last_slot, *self._rules.traits(s.scheduling_class))
            for s in syllables
        }
        first: dict[tuple, Syllable] = {}
        for syllable, sort in alike.items():
            first.setdefault(sort, syllable)
        self._asked = list(first.values())
        number = {sort: position for position, sort in enumerate(first)}
        self._rows: dict[tuple[int, ...], int] = {}
        self._fill = cache(lambda *where: tuple(self._ways(*where)))
        self._known: dict[tuple, dict[tuple[int, bool], tuple[int, ...]]] = {}
        found = list(self._extend((), (), 0, None))
        columns = list(zip(*self._rows, strict=True)) or [()] * len(first)
        kinds: dict[tuple, int] = {}
        self.kind_of: dict[Syllable, int] = {}
        for syllable, sort in alike.items():
            name = syllable.scheduling_class
            told_apart = columns[number[sort]], name if name in self._rules.watched else None
            self.kind_of[syllable] = kinds.setdefault(told_apart, len(kinds))
        self.samples = {kind: syllable for syllable, kind in reversed(self.kind_of.items())}
        places = [number[alike[self.samples[kind]]] for kind in range(len(kinds))]
        merged = [tuple(row[place] for place in places) for row in self._rows]
        slot_of = cache(lambda *where: self._slot(*where, merged))
        self.all = tuple(
            Pattern(names, tuple(slot_of(*slot) for slot in slots), self._floating(names), *rest)
            for names, slots, *rest in found
        )

    def _floating(self, names: tuple[str, ...]) -> int:
        return sum(self._description.templates[name].slots.count("F") for name in names)

    def _slot(self, bundle: int, slot: int, kind: str, row: int, merged: list) -> PatternSlot:
        demands = merged[row]
        takes = sum(1 << k for k, ports in enumerate(demands) if ports)
        own_nop = demands[self.kind_of[syllable_of(nop(kind))]]
        return PatternSlot(bundle, slot, kind, demands, own_nop, takes)

    def _extend(self, names: tuple, slots: tuple, fixed: int, begins: Seam | None) -> Iterator:
        """The patterns that begin with some bundles; `fixed` is the ports these have taken."""
        bundle = len(names)
        before = self._description.templates[names[-1]].shape if names else ""
        for name, template in self._description.templates.items():
            if self._rules.splits_between(before, template.shape):
                continue
            for start in range(SLOTS if bundle == 0 else 1):
                if start and start - 1 not in template.stops:
                    continue
                seam = Seam(template.slots, start - 1) if start else begins
                stop = next((slot for slot in template.stops if slot >= start), None)
                for filled in self._fill(name, bundle, start, stop, fixed):
                    more = tuple((bundle, p, template.slots[p], row) for p, row in filled.slots)
                    longer, code = (*names, name), (*slots, *more)
                    if stop is None and bundle + 1 < self._description.dispersal.bundles_per_cycle:
                        yield from self._extend(longer, code, filled.fixed, seam)
                    elif stop is not None:
                        ends = Seam(template.slots, stop) if stop < SLOTS - 1 else None
                        yield longer, code, seam, ends, filled.late

    def _ways(
        self, name: str, bundle: int, slot: int, stop: int | None, fixed: int
    ) -> Iterator[_Filled]:
        """The ways through the slots of a bundle, from one up to its stop."""
        template = self._description.templates[name]
        last = SLOTS - 1 if stop is None else stop
        if slot > last:
            yield _Filled((), fixed)
            return
        if template.slots[slot] == "X":
            if stop is not None or not self._rules.end_after(template, slot, None):
                yield from self._ways(name, bundle, slot + 1, stop, fixed)
            return
        for (after, ended), demands in self._outcomes(template, bundle, slot, fixed).items():
            this = (slot, self._rows.setdefault(demands, len(self._rows)))
            if ended and stop is not None and (slot == stop or stop == SLOTS - 1):
                yield _Filled((this,), after, late=slot < stop)
            elif not ended:
                for rest in self._ways(name, bundle, slot + 1, stop, after):
                    yield _Filled((this, *rest.slots), rest.fixed, rest.late)

    def _outcomes(
        self, template: Template, bundle: int, slot: int, fixed: int
    ) -> dict[tuple[int, bool], tuple[int, ...]]:
        """(ports taken afterwards, whether the group ends) -> demand of each sort of syllable that
        does this, 0 for the others.  Templates of one shape differ in their stops only."""
        where = template.shape, slot in template.stops, bundle, slot, fixed
        if where not in self._known:
            self._known[where] = self._ask(template, bundle, slot, fixed)
        return self._known[where]

    def _ask(
        self, template: Template, bundle: int, slot: int, fixed: int
    ) -> dict[tuple[int, bool], tuple[int, ...]]:
        group = Group(fixed=fixed, shape=template.shape)
        found: dict[tuple[int, bool], list[int]] = {}
        for number, syllable in enumerate(self._asked):
            if not syllable.fits(template.slots[slot], slot):
                continue
            row = syllable.scheduling_class
            joined = self._rules.join(group, template, slot, row, bundle)
            if isinstance(joined, Group):
                ended = self._rules.end_after(template, slot, row) is not None
                demands = found.setdefault((joined.fixed, ended), [0] * len(self._asked))
                demands[number] = joined.demands[-1]
        return {outcome: tuple(demands) for outcome, demands in found.items()}
