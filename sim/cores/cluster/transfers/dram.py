"""What a copy costs DRAM: whole lines, lines that are written in part twice, and rows that banks
open.

64 bytes at 0          reads a line
64 bytes at 32         reads two
64 bytes to 32         reads two lines and writes two: neither is written whole
4 KiB at 0             16 lines from each of four controllers, if these take turns of 256 bytes,
                       and opens a row of each
16 × 256 bytes, 640 KiB apart    as many lines, of one controller, and a row for each 256 bytes

A row of each controller holds bytes that stand next to each other: of four controllers with rows of
8 KiB, row 0 of each is in the first 32 KiB, row 1 in the next.  Row r is in bank r + ⌊r / banks⌋,
modulo banks: rows that follow one another are in different banks, and so are rows that are as far
apart as there are banks, as they are often needed together (after Zhang, Zhu and Zhang, *A
permutation-based page interleaving scheme*, MICRO 2000).
"""

from __future__ import annotations

from collections.abc import Hashable
from math import lcm
from typing import NamedTuple, Protocol

import numpy as np

from machines.kinds.cluster.memories import Dram

Lines = tuple[np.ndarray, np.ndarray]
"""First ones, and those behind the last, of pieces of memory."""


class Visit(NamedTuple):
    """What a copy does in a bank: rows that it opens there, the first and the last of them, and the
    bytes that it moves."""

    opened: int
    first: int
    last: int
    moved: int


class Demand(NamedTuple):
    """What a copy asks of DRAM.

    moved  bytes of each controller
    banks  those that it needs, as (controller, bank); none if the machine has none
    """

    moved: tuple[int, ...]
    banks: dict[tuple[int, int], Visit]


class Segments(Protocol):
    """Bytes in DRAM.

    start    the first one
    length   of each segment
    form     where the others begin, as seen from the first
    begins   int64[segments]
    """

    start: int
    length: int

    @property
    def form(self) -> Hashable: ...

    @property
    def begins(self) -> np.ndarray: ...


MOST_KEPT = 20_000
"""Demands that are kept, so that memory does not grow with the run."""


class Demands:
    """What copies ask of DRAM, worked out once for those that are alike.

    So many bytes further on, as all banks of all controllers have in one row each, the same is
    asked of the same controllers, in rows that are `count` further on, which stand in the banks
    next to those.
    """

    def __init__(self, dram: Dram):
        self.dram = dram
        self._count = dram.banks.count if dram.banks is not None else 0
        turn = dram.interleave * dram.controllers if dram.controllers > 1 else 1
        rows = _together(dram) * dram.line * self._count if dram.banks is not None else 1
        self._period = lcm(dram.line, turn, rows)
        self._rows = self._period // rows * self._count
        self._found: dict[Hashable, Demand] = {}

    def of(self, one: Segments, rewrites: bool) -> Demand:
        turns, start = divmod(one.start, self._period)
        key = start, one.length, one.form, rewrites
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MOST_KEPT:
                self._found.clear()
            begins = one.begins - turns * self._period
            found = self._found[key] = demand(begins, one.length, self.dram, rewrites)
        if not turns or not found.banks:
            return found
        count, rows = self._count, turns * self._rows
        by = rows // count % count
        further = [
            ((controller, (number + by) % count), Visit(opened, first + rows, last + rows, moved))
            for (controller, number), (opened, first, last, moved) in found.banks.items()
        ]
        return Demand(found.moved, dict(sorted(further)))


def demand(begins: np.ndarray, length: int, dram: Dram, rewrites: bool) -> Demand:
    """Of segments with so many bytes each; `rewrites`: lines that are not wholly covered are moved
    twice."""
    first, end = begins // dram.line, -(-(begins + length) // dram.line)
    again = _covered_in_part(begins, begins + length, first, end, dram.line) if rewrites else []
    if dram.banks is None:
        lines = sum(_at_controllers(piece, dram).sum(axis=1) for piece in [(first, end), *again])
        return Demand(tuple(int(n) * dram.line for n in lines), {})
    pieces = _cut_at_rows(first, end, _together(dram))
    opening = len(pieces[0])
    every = [np.concatenate(parts) for parts in zip(pieces, *again, strict=True)]
    return _with_banks(every, opening, dram)


def _covered_in_part(
    begins: np.ndarray, ends: np.ndarray, first: np.ndarray, end: np.ndarray, line: int
) -> list[Lines]:
    """The first lines of segments, and the last ones, where these do not cover them."""
    head = begins % line != 0
    tail = (ends % line != 0) & ~(head & (end - first == 1))
    return [(first[head], first[head] + 1), (end[tail] - 1, end[tail])]


def _at_controllers(lines: Lines, dram: Dram) -> np.ndarray:
    """Controllers × pieces: how many lines of a piece stand at each controller."""
    first, end = lines
    if dram.controllers == 1:
        return (end - first)[None, :]
    together = dram.interleave // dram.line
    number = np.arange(dram.controllers)[:, None] * together
    every = together * dram.controllers

    def before(line: np.ndarray) -> np.ndarray:
        return line // every * together + np.clip(line % every - number, 0, together)

    return before(end) - before(first)


def _together(dram: Dram) -> int:
    """Lines in the rows of one number, of all controllers."""
    return dram.banks.row // dram.line * dram.controllers


def _cut_at_rows(first: np.ndarray, end: np.ndarray, together: int) -> Lines:
    """Segments in pieces, each in rows of one number, in their order."""
    row = first // together
    count = (end - 1) // together - row + 1
    number = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    begin = (np.repeat(row, count) + number) * together
    return (
        np.maximum(np.repeat(first, count), begin),
        np.minimum(np.repeat(end, count), begin + together),
    )


def _with_banks(pieces: Lines, opening: int, dram: Dram) -> Demand:
    """Of pieces that are in one row of each controller; the first `opening` ones open it, those
    behind them find it open."""
    lines = _at_controllers(pieces, dram)
    controller, piece = np.nonzero(lines)
    row = pieces[0][piece] // _together(dram)
    count = dram.banks.count
    bank = controller * count + (row + row // count) % count
    moved = np.zeros(dram.controllers * count, np.int64)
    np.add.at(moved, bank, lines[controller, piece])
    opens = piece < opening
    visits = _visits(bank[opens], row[opens], moved * dram.line)
    return Demand(
        tuple(int(n) * dram.line for n in lines.sum(axis=1)),
        {divmod(number, count): visit for number, visit in visits.items()},
    )


def _visits(bank: np.ndarray, row: np.ndarray, moved: np.ndarray) -> dict[int, Visit]:
    """By bank, of rows in the order in which they are needed: a row is opened that was not the one
    before in its bank."""
    order = np.argsort(bank, kind="stable")
    bank, row = bank[order], row[order]
    is_first = np.ones(len(bank), bool)
    is_first[1:] = bank[1:] != bank[:-1]
    is_opened = is_first.copy()
    is_opened[1:] |= row[1:] != row[:-1]
    begin = np.flatnonzero(is_first)
    end = np.append(begin[1:], len(bank))
    found = zip(
        bank[begin].tolist(),
        np.add.reduceat(is_opened, begin, dtype=np.int64).tolist() if len(begin) else (),
        row[begin].tolist(),
        row[end - 1].tolist(),
        moved[bank[begin]].tolist(),
        strict=True,
    )
    return {number: Visit(*visit) for number, *visit in found}
