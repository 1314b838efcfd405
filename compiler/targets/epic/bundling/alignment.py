"""Put branch targets where the front end fetches their first row in one cycle.

    row      { .mii … ;; }                row      { .mii … }
    loop:    { .mmi … }            ->              { .mfb nops ;; }
             { .mfb … br loop ;; }        loop:    { .mmi … }      begins a pair of bundles

What is fetched in a cycle is an aligned block of code.  A row that straddles two of them costs a
cycle each time it is branched to.  Bundles of nops go into rows before it that have room for them,
so that they cost no cycle.  The head of an innermost loop is worth one all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from compiler.analyses.code_flow import leads_away
from compiler.ir.module import Function
from compiler.machine_code.loops import machine_loops
from compiler.targets.epic.bundling.bundles import SLOTS, PackedBundle, PackedRows
from machines.kinds.epic.dispersal import NeverIssues
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BUNDLE_BYTES


def align(function: Function, blocks: Mapping[str, list[PackedRows]], description: Epic) -> int:
    """Align the branch targets of a function whose blocks are these rows; returns how many bundles
    of nops that took."""
    fetched = max(description.branches.fetch_bytes // BUNDLE_BYTES, 1)
    heads = _innermost_heads(function)
    targets = {label for _, instruction in function.instructions() for label in instruction.labels}
    position = added = 0
    last: PackedRows | None = None
    room: list[PackedRows] = []  # what may get longer: no target is moved that could straddle
    for name, rows in blocks.items():
        first = rows[0].first if rows else 0
        if name in targets and position % fetched + first > fetched:
            missing = fetched - position % fetched
            unreached = leads_away(last.code[-1])
            if unreached or not _lengthen(room, missing, description):
                missing *= unreached or name in heads
                last.bundles += missing * [_nops(description)[0]]
            position, added = position + missing, added + missing
        if name in targets and first > 1:
            room.clear()
        room += rows[1:] if name in targets else rows
        position += sum(len(row.bundles) for row in rows)
        last = rows[-1] if rows else last
    return added


def _lengthen(rows: list[PackedRows], count: int, description: Epic) -> bool:
    """Add bundles of nops to rows, the last that takes one first, and no cycle; False, and nothing
    changed, if they do not fit.  Rows that never will are dropped from the list."""
    old: dict[int, tuple[PackedRows, list[PackedBundle]]] = {}
    for _ in range(count):
        position = len(rows) - 1
        while position >= 0:
            row, bundles = rows[position], rows[position].bundles
            if _lengthen_row(row, description):
                old.setdefault(id(row), (row, bundles))
                break
            if id(row) not in old:
                del rows[position]
            position -= 1
        else:
            for row, bundles in old.values():
                row.bundles = bundles
            return False
    return True


def _lengthen_row(row: PackedRows, description: Epic) -> bool:
    """Add a bundle of nops to a row if it still issues in as many cycles."""
    before, cycles = row.bundles, row.cycles(description)
    for longer in _longer(before, description):
        row.bundles = longer
        with suppress(NeverIssues):
            if row.cycles(description) == cycles:
                return True
    row.bundles = before
    return False


def _longer(bundles: list[PackedBundle], description: Epic) -> Iterator[list[PackedBundle]]:
    """A row's bundles with one more, of nops, before the stop at the end or at the front."""
    names = _names(description)
    *others, last = bundles
    *inside, end = last.stops
    inner = names.get((last.slots, tuple(inside)))
    for nops in _nops(description):
        ending = names.get((nops.slots, (end,)))
        if inner and ending:
            open_ended = replace(last, template=inner, stops=tuple(inside))
            yield [*others, open_ended, replace(nops, template=ending, stops=(end,))]
        yield [nops, *bundles]


@lru_cache(maxsize=64)
def _names(description: Epic) -> dict[tuple, str]:
    """The templates by their slots and stops."""
    return {(t.slots, t.stops): name for name, t in description.templates.items()}


@lru_cache(maxsize=64)
def _nops(description: Epic) -> list[PackedBundle]:
    """Bundles of nops without stops; those without nop.f, which can stall, first."""
    templates = [(name, t) for name, t in description.templates.items() if not t.stops]
    templates.sort(key=lambda entry: [entry[1].slots.count(kind) for kind in "LFB"])
    return [PackedBundle(name, t.slots, (None,) * SLOTS) for name, t in templates]


def _innermost_heads(function: Function) -> set[str]:
    """Heads of loops that contain no other loop."""
    loops = machine_loops(function).by_header
    return {head for head, loop in loops.items() if not loop.children}
