"""Rows that share bundles: the same cycles, in no more bundles, and as few as there can be."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import pytest

from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.bundling.bundles import issue, syllable_of
from compiler.targets.epic.bundling.shared_bundles import Row, Run, share_bundles
from machines.description.load import load_machine
from machines.instructions import operations
from machines.kinds.epic.fields import Epic
from tests.compiler.packing import random_row


def row(names: str, description: Epic, order=()) -> Row:
    syllables = [syllable_of(operations()["ia64", name]) for name in names.split()]
    packing = automaton(description).fits(syllables, order)
    return Row(syllables, order, list(packing.bundles))


def shown(run: Run) -> list[str]:
    return [
        f"{bundle.template} {' '.join('-' if n is None else str(n) for n in bundle.filling)}"
        for bundle in run.bundles
    ]


def test_a_load_and_what_waits_for_it(itanium2):
    rows = [row(names, itanium2.description) for names in ("ld8", "adds sxt4")]
    (run,) = share_bundles(rows, automaton(itanium2.description))
    assert run.rows == 2
    assert shown(run) == ["M;MI; 0 1 2"]


def test_a_machine_without_stops_inside_bundles():
    missing = [f"templates.{name}=null" for name in ("MI;I", "MI;I;", "M;MI", "M;MI;")]
    description = load_machine("itanium2", missing).description
    rows = [row(names, description) for names in ("ld8", "adds sxt4")]
    assert [run.rows for run in share_bundles(rows, automaton(description))] == [1, 1]


@pytest.mark.parametrize("name", ["itanium2", "itanium", "epic3"])
def test_random_rows(name):
    description = load_machine(name).description
    for seed in range(40):
        check(random.Random(seed), description)


def check(random_: random.Random, description: Epic) -> None:
    packer = automaton(description)
    rows: list[Row] = []
    while len(rows) < 5:
        syllables, order = random_row(random_, description)
        packing = packer.fits(syllables[:3], [p for p in order if max(p) < 3])
        # An implicit stop leaves nops for a cycle of their own.
        if packing and "semaphore" not in {s.scheduling_class for s in syllables[:3]}:
            order = [pair for pair in order if max(pair) < 3]
            rows.append(Row(syllables[:3], order, list(packing.bundles)))
    runs = share_bundles(rows, packer)
    assert sum(run.rows for run in runs) == len(rows)
    place = 0
    for run in runs:
        those = rows[place : place + run.rows]
        syllables = [s for row in those for s in row.syllables]
        assert issue(run.bundles, syllables, description).cycles == run.rows
        filling = [n for b in run.bundles for n in b.filling if n is not None]
        first = 0
        for one in those:
            numbers = range(first, first + len(one.syllables))
            assert sorted(filling[first : first + len(numbers)]) == list(numbers)
            assert all(filling.index(first + a) < filling.index(first + b) for a, b in one.order)
            first += len(numbers)
        for bundle in run.bundles:
            template = description.templates[bundle.template]
            assert (bundle.slots, bundle.stops) == (template.slots, template.stops)
        place += run.rows
    assert sum(len(run.bundles) for run in runs) == fewest(rows, description)


def fewest(rows: list[Row], description: Epic) -> int:
    """The fewest bundles, over all choices of where rows end."""
    packer = automaton(description)

    @cache
    def size(index: int, begins, ends) -> int | None:
        packing = packer.fits(rows[index].syllables, rows[index].order, begins, ends)
        return packing and len(packing.bundles) - (begins is not None)

    counts = []
    for ends in product((None, *packer.seams), repeat=len(rows) - 1):
        sizes = [
            size(k, *pair) for k, pair in enumerate(zip((None, *ends), (*ends, None), strict=True))
        ]
        if None not in sizes:
            counts.append(sum(sizes))
    return min(counts)
