"""Packing rows the slow way: every template sequence, every filling; `disperse` judges."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

from compiler.analyses.dependence_graph import Arc
from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.bundling.bundles import (
    SLOTS,
    PackedBundle,
    Packing,
    Syllable,
    nop,
    syllable_of,
)
from compiler.targets.epic.bundling.ports import PortCounter
from compiler.targets.epic.passes.bundlers import DoesNotFit
from compiler.targets.epic.passes.microschedule import microschedule
from machines.instructions import operations
from machines.kinds.epic.dispersal import AFTER_CLASS, BundleView, Group, disperse, disperser
from machines.kinds.epic.fields import Epic

SYLLABLES = sorted(
    {syllable_of(r) for r in operations().family("ia64").values() if "nop" not in r.flags}
)
USUAL = [
    syllable_of(operations()["ia64", name])
    for name in ("adds", "cmp.lt", "ld8", "st8", "extr.u", "shl", "sxt4", "ldfd", "fma.d.s0",
                 "br.cond")
]  # fmt: skip


def random_row(random_: random.Random, description: Epic) -> tuple[list[Syllable], list]:
    """A row of syllables and pairs (a, b) of which a must stand before b, without circles."""
    most = SLOTS * description.dispersal.bundles_per_cycle
    pool = USUAL if random_.random() < 0.8 else SYLLABLES
    row = [random_.choice(pool) for _ in range(random_.randint(0, most))]
    ranks = random_.sample(range(len(row)), len(row))
    chance = random_.choice((0, 0.1, 0.3))
    order = [
        (a, b)
        for a, b in product(range(len(row)), repeat=2)
        if ranks[a] < ranks[b] and random_.random() < chance
    ]
    return row, order


def check_row(random_: random.Random, description: Epic) -> None:
    """A random row fits exactly if there is a packing, and then as it is packed."""
    row, order = random_row(random_, description)
    packing = automaton(description).fits(row, order)
    assert (packing is not None) == exists(row, order, description), (row, order)
    if packing is not None:
        check_packing(packing, row, order, description)


def check_microscheduled(random_: random.Random, description: Epic) -> None:
    """A row takes one cycle if it can; else each cycle is a packing, and the order holds."""
    row, order = random_row(random_, description)
    arcs = [Arc(a, b, 0, 0) for a, b in order]
    try:
        cycles = microschedule(row, arcs, [0] * len(row), automaton(description))
    except DoesNotFit as problem:
        assert not exists([row[problem.node]], [], description)
        return
    if exists(row, order, description):
        assert len(cycles) == 1
    when = {node: k for k, packing in enumerate(cycles) for node in packing.ports}
    assert sorted(when) == list(range(len(row)))
    assert all(when[a] <= when[b] for a, b in order)
    for packing in cycles:
        nodes = sorted(packing.ports)
        place = {node: k for k, node in enumerate(nodes)}
        inside = [(place[a], place[b]) for a, b in order if {a, b} <= place.keys()]
        packed = packing.renumbered(place)
        check_packing(packed, [row[node] for node in nodes], inside, description)


def exists(row: list[Syllable], order: list, description: Epic) -> bool:
    """Whether any packing issues a row in one cycle, in order."""
    if not PortCounter(description).fits([syllable.scheduling_class for syllable in row]):
        return False
    before = [frozenset(a for a, b in order if b == node) for node in range(len(row))]
    window = description.dispersal.bundles_per_cycle
    take_bundle = disperser(description).take_bundle

    @cache
    def extend(place: int, group: Group, placed: frozenset[int]) -> bool:
        """Whether the rest of the row fits the bundles from `place` on, after such a group."""
        if len(row) - len(placed) > SLOTS * (window - place):
            return False
        for name, template in description.templates.items():
            ends = template.stops == (SLOTS - 1,)
            if template.stops and not ends:
                continue
            for filling in _fillings(template.slots, 0, placed, row, before):
                more = placed | {node for node in filling if isinstance(node, int)}
                classes = _classes(filling, row)
                taken = take_bundle(group, BundleView(name, classes), 0, place)
                if ends:
                    if len(more) == len(row) and _all_taken(taken, classes):
                        return True
                elif taken.end is None and place + 1 < window:
                    demands = tuple(sorted(taken.group.demands))
                    if extend(place + 1, taken.group._replace(demands=demands), more):
                        return True
        return False

    return extend(0, Group(), frozenset())


def _all_taken(taken, classes) -> bool:
    """Whether all of a last bundle issues, save nops behind an implicit stop."""
    left = classes[taken.count :]
    if not left:
        return True
    return taken.end == AFTER_CLASS and all(n is None or n.startswith("nop") for n in left)


def _classes(filling: tuple, row: list[Syllable]) -> tuple[str | None, ...]:
    syllables = (
        row[n] if isinstance(n, int) else n != "X" and syllable_of(nop(n)) for n in filling
    )
    return tuple(syllable.scheduling_class if syllable else None for syllable in syllables)


def _fillings(slots, place, placed, row, before) -> Iterator[tuple]:
    """Ways to fill the slots of a bundle from `place` on: numbers, or the slot's kind for a nop.
    Of operations that nothing tells apart the first comes first."""
    if place == SLOTS:
        yield ()
        return
    if slots[place] == "X":
        choices = ["X"]
    else:
        ready = [
            node
            for node in range(len(row))
            if node not in placed and before[node] <= placed and row[node].fits(slots[place], place)
        ]
        followers = {n: frozenset(m for m in range(len(row)) if n in before[m]) for n in ready}
        alike = {(row[n], before[n], followers[n]): n for n in reversed(ready)}
        choices: list = sorted(alike.values())
        choices.append(slots[place])
    for node in choices:
        more = placed | {node} if isinstance(node, int) else placed
        for rest in _fillings(slots, place + 1, more, row, before):
            yield (node, *rest)


def check_packing(packing: Packing, row: list[Syllable], order: list, description: Epic) -> None:
    """What a packing promises: everything is in it, issues in one cycle, in order, on its ports."""
    filling = [node for bundle in packing.bundles for node in bundle.filling]
    assert sorted(node for node in filling if node is not None) == list(range(len(row)))
    for bundle in packing.bundles:
        template = description.templates[bundle.template]
        assert (bundle.slots, bundle.stops) == (template.slots, template.stops)
        for place, (kind, node) in enumerate(zip(bundle.slots, bundle.filling, strict=True)):
            assert node is None or row[node].fits(kind, place)
    assert [bundle.stops for bundle in packing.bundles][:-1] == [()] * (len(packing.bundles) - 1)
    assert packing.bundles[-1].stops == (SLOTS - 1,)
    assert all(filling.index(a) < filling.index(b) for a, b in order)
    views = tuple(_view(bundle, row) for bundle in packing.bundles)
    group = disperse(description, views)
    left = [name for view in views for name in view.classes][group.count :]
    nops_left = all(name is None or name.startswith("nop") for name in left)
    assert not left or (group.end == AFTER_CLASS and nops_left and len(left) < SLOTS)
    issued = zip(filling, group.ports, strict=False)
    assert {node: port for node, port in issued if node is not None} == packing.ports


def _view(bundle: PackedBundle, row: list[Syllable]) -> BundleView:
    kinds = zip(bundle.slots, bundle.filling, strict=True)
    return BundleView(
        bundle.template,
        tuple(
            row[node].scheduling_class if node is not None
            else None if kind == "X" else nop(kind).scheduling_class
            for kind, node in kinds
        ),
    )  # fmt: skip
