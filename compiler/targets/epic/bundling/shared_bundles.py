"""Let consecutive rows share bundles, where a stop inside a bundle separates them.

    { .mii  ld8  nop.i  nop.i ;; }   ->   { .mmi  ld8 ;;  adds  sxt4 ;; }
    { .mii  adds sxt4   nop.i ;; }

A row can be packed so that it ends at a stop inside its last bundle, if the next one can begin
there and still issue in one cycle.  Of all ways to pack the rows of a block the one of the fewest
bundles is found by dynamic programming over the stop that each row begins at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compiler.targets.epic.bundling.automaton import Automaton
from compiler.targets.epic.bundling.bundles import PackedBundle, Syllable
from compiler.targets.epic.bundling.patterns import Seam


@dataclass(frozen=True, slots=True)
class Row:
    """A row of syllables and its bundles, if it shares none.

    order   pairs (a, b), a before b in the cycle; None if it takes more than one cycle, so that it
            stays as it is
    """

    syllables: Sequence[Syllable]
    order: Sequence[tuple[int, int]] | None
    bundles: list[PackedBundle]


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to pack the rows so far: bundles and nop.f, and the seams where the last row begins and
    ends."""

    cost: tuple[int, int] = (0, 0)
    begins: Seam | None = None
    ends: Seam | None = None
    before: _Way | None = None


@dataclass(slots=True)
class Run:
    """Rows that share bundles, so many of them; operations are numbered through all of them."""

    rows: int
    bundles: list[PackedBundle]


def share_bundles(rows: Sequence[Row], packer: Automaton) -> list[Run]:
    """The rows' bundles, as few as there can be."""
    runs: list[Run] = []
    numbered = 0
    for row, way in zip(rows, _best_ways(rows, packer), strict=True):
        bundles = _pack(row, way.begins, way.ends, packer)
        if way.begins is None:
            runs.append(Run(1, list(bundles)))
            numbered = len(row.syllables)
            continue
        run = runs[-1]
        first, *others = (_renumber(bundle, numbered) for bundle in bundles)
        own = way.begins.stop + 1
        shared = (*run.bundles[-1].filling[:own], *first.filling[own:])
        run.bundles[-1:] = [replace(first, filling=shared), *others]
        run.rows, numbered = run.rows + 1, numbered + len(row.syllables)
    return runs


def _renumber(bundle: PackedBundle, by: int) -> PackedBundle:
    return replace(bundle, filling=tuple(n if n is None else n + by for n in bundle.filling))


def _best_ways(rows: Sequence[Row], packer: Automaton) -> list[_Way]:
    ways: dict[Seam | None, _Way] = {None: _Way()}
    for row in rows:
        reached: dict[Seam | None, _Way] = {}
        for begins, before in ways.items():
            for ends in (None, *packer.seams):
                cost = _cost(row, begins, ends, packer)
                if cost is None:
                    continue
                new = cost[0] - (begins is not None)
                so_far = before.cost[0] + new, before.cost[1] + cost[1]
                if ends not in reached or so_far < reached[ends].cost:
                    reached[ends] = _Way(so_far, begins, ends, before)
        ways = reached
    way, found = ways[None], []
    while way.before is not None:
        found.append(way)
        way = way.before
    return found[::-1]


def _cost(
    row: Row, begins: Seam | None, ends: Seam | None, packer: Automaton
) -> tuple[int, int] | None:
    """Bundles and nop.f of a row between two seams; None if it does not go there."""
    if begins is None and ends is None:
        return len(row.bundles), sum(bundle.nops.count("F") for bundle in row.bundles)
    if row.order is None:
        return None
    return packer.cost(row.syllables, row.order, begins, ends)


def _pack(
    row: Row, begins: Seam | None, ends: Seam | None, packer: Automaton
) -> Sequence[PackedBundle]:
    if begins is None and ends is None:
        return row.bundles
    return packer.fits(row.syllables, row.order, begins, ends).bundles
