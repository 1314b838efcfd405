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


Visit = tuple[int, int, int, int]
"""What a copy does in a bank: how many rows it opens there, the first and the last of them, and the
bytes that it moves.  A plain tuple, as each copy makes a dozen."""


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
    span     the first byte that is reached, and the one behind the last
    begins   int64[segments]
    """

    start: int
    length: int

    @property
    def form(self) -> Hashable: ...

    @property
    def span(self) -> tuple[int, int]: ...

    @property
    def begins(self) -> np.ndarray: ...


MOST_KEPT = 20_000
"""Demands that are kept, so that memory does not grow with the run."""


class Demands:
    """What copies ask of DRAM, worked out once for those that are alike.

    *Near* copies reach so few rows that each stands in a bank of its own: wherever they begin in a
    row of all controllers, they open the same rows as seen from the first, once each.  Of others it
    counts in which banks rows stand: so many bytes further on as all banks of all controllers have
    in one row each, the same is asked of rows that are `count` further on, which stand in the banks
    next to those.
    """

    def __init__(self, dram: Dram):
        self.dram = dram
        self._count = dram.banks.count if dram.banks is not None else 0
        turn = dram.interleave * dram.controllers if dram.controllers > 1 else 1
        self._row = _together(dram) * dram.line if dram.banks is not None else 1
        self._near, self._far = (
            lcm(dram.line, turn, self._row * times) for times in (1, max(self._count, 1))
        )
        self._found: dict[Hashable, Demand | Near] = {}

    def of(self, one: Segments, rewrites: bool) -> Demand:
        if self.dram.banks is not None:
            first, end = one.span
            rows = (end - 1) // self._row - first // self._row
            if rows < self._count - 1 and one.length:
                return self._of_near(one, first // self._near, rewrites)
        return self._of_far(one, one.start // self._far, rewrites)

    def _kept(self, one: Segments, base: int, rewrites: bool, near: bool) -> Demand | Near:
        """Of the same segments that begin so many bytes before."""
        key = one.start - base, one.length, one.form, rewrites, near
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MOST_KEPT:
                self._found.clear()
            ask = near_demand if near else demand
            found = self._found[key] = ask(one.begins - base, one.length, self.dram, rewrites)
        return found

    def _of_near(self, one: Segments, turns: int, rewrites: bool) -> Demand:
        moved, visits = self._kept(one, turns * self._near, rewrites, True)
        count, before = self._count, turns * (self._near // self._row)
        found = []
        for controller, row, size in visits:
            row += before
            found.append(((controller, (row + row // count) % count), (1, row, row, size)))
        found.sort()
        return Demand(moved, dict(found))

    def _of_far(self, one: Segments, turns: int, rewrites: bool) -> Demand:
        moved, banks = self._kept(one, turns * self._far, rewrites, False)
        if not turns or not banks:
            return Demand(moved, banks)
        count, rows = self._count, turns * (self._far // self._row)
        by = rows // count % count
        further = [
            ((controller, (number + by) % count), (opened, first + rows, last + rows, size))
            for (controller, number), (opened, first, last, size) in banks.items()
        ]
        return Demand(moved, dict(sorted(further)))


class Near(NamedTuple):
    """Of a copy whose rows stand in banks of their own: bytes of each controller, and of each row
    of a controller that it opens, as (controller, row, bytes)."""

    moved: tuple[int, ...]
    visits: tuple[tuple[int, int, int], ...]


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


def near_demand(begins: np.ndarray, length: int, dram: Dram, rewrites: bool) -> Near:
    """The same of a near copy."""
    first, end = begins // dram.line, -(-(begins + length) // dram.line)
    together = _together(dram)
    pieces = _cut_at_rows(first, end, together)
    if rewrites:
        again = _covered_in_part(begins, begins + length, first, end, dram.line)
        pieces = tuple(np.concatenate(parts) for parts in zip(pieces, *again, strict=True))
    lines = _at_controllers(pieces, dram)
    row = pieces[0] // together
    lowest = int(row.min())
    moved = np.zeros((int(row.max()) - lowest + 1, dram.controllers), np.int64)
    np.add.at(moved, row - lowest, lines.T)
    moved *= dram.line
    visits = (
        (controller, lowest + number, size)
        for number, of_row in enumerate(moved.tolist())
        for controller, size in enumerate(of_row)
        if size
    )
    return Near(tuple(moved.sum(axis=0).tolist()), tuple(visits))


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
        beyond = line % every - number
        return line // every * together + np.minimum(np.maximum(beyond, 0), together)

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
    return {number: tuple(visit) for number, *visit in found}
