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
from dataclasses import replace

from compiler.ir.module import Function
from compiler.targets.epic.bundles import SLOTS, PackedBundle, PackedRow
from compiler.targets.epic.flow import leads_away, machine_loops
from machines.kinds.epic import Epic
from machines.program import BUNDLE_BYTES


def align(function: Function, blocks: Mapping[str, list[PackedRow]], description: Epic) -> int:
    """Align the branch targets of a function whose blocks are these rows; returns how many bundles
    of nops that took."""
    fetched = max(description.branches.fetch_bytes // BUNDLE_BYTES, 1)
    heads = _innermost_heads(function)
    targets = {label for _, instruction in function.instructions() for label in instruction.labels}
    position = added = 0
    before: list[PackedRow] = []
    first_row_is_target = False
    for name, rows in blocks.items():
        first = len(rows[0].bundles) if rows else 0
        if name in targets and position % fetched + first > fetched:
            missing = fetched - position % fetched
            if leads_away(before[-1].code[-1]) or not _lengthen(
                before[first_row_is_target:], missing, description
            ):
                missing *= name in heads or leads_away(before[-1].code[-1])
                before[-1].bundles += missing * [_nops(description)[0]]
            position, added = position + missing, added + missing
        position += sum(len(row.bundles) for row in rows)
        if rows:
            before, first_row_is_target = rows, name in targets
    return added


def _lengthen(rows: list[PackedRow], count: int, description: Epic) -> bool:
    """Add bundles of nops to rows, and no cycle; False, and nothing changed, if they do not fit."""
    old = [row.bundles for row in rows]
    for _ in range(count):
        if not any(_lengthen_row(row, description) for row in reversed(rows)):
            for row, bundles in zip(rows, old, strict=True):
                row.bundles = bundles
            return False
    return True


def _lengthen_row(row: PackedRow, description: Epic) -> bool:
    """Add a bundle of nops to a row if it still issues in as many cycles."""
    before, cycles = row.bundles, row.cycles(description)
    for longer in _longer(before, description):
        row.bundles = longer
        if row.cycles(description) == cycles:
            return True
    row.bundles = before
    return False


def _longer(bundles: list[PackedBundle], description: Epic) -> Iterator[list[PackedBundle]]:
    """A row's bundles with one more, of nops, at the front or before the stop at the end."""
    names = {(t.slots, t.stops): name for name, t in description.templates.items()}
    *others, last = bundles
    inner = names.get((last.slots, ()))
    for nops in _nops(description):
        yield [nops, *bundles]
        ending = names.get((nops.slots, last.stops))
        if inner and ending:
            open_ended = replace(last, template=inner, stops=())
            yield [*others, open_ended, replace(nops, template=ending, stops=last.stops)]


def _nops(description: Epic) -> list[PackedBundle]:
    """Bundles of nops without stops; those without nop.f, which can stall, first."""
    templates = [(name, t) for name, t in description.templates.items() if not t.stops]
    templates.sort(key=lambda entry: (entry[1].slots.count("L"), entry[1].slots.count("F")))
    return [PackedBundle(name, t.slots, (None,) * SLOTS) for name, t in templates]


def _innermost_heads(function: Function) -> set[str]:
    """Heads of loops that contain no other loop."""
    loops = machine_loops(function).by_header
    return {head for head, loop in loops.items() if not loop.children}
