"""The banks of DRAM while a chip runs: what copies find open, and how long they keep a bank busy.

A bank is a link: what it has to carry is the time that it needs, for its bytes at the speed of its
controller and for every row that is opened.  In *parts*, of which a byte has `byte` and of which
`cycle` pass in a cycle, this is a whole number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sim.cores.cluster.dram import Visit
from sim.cores.cluster.sharing import Link


@dataclass(slots=True, eq=False)
class Bank:
    """One bank; `row`: which one a copy has left open, if it stays so."""

    link: Link
    byte: int
    cycle: int
    stays_open: bool
    row: int | None = None

    def carry(self, visit: Visit, opening: int) -> tuple[int, int]:
        """Parts for a visit that begins now, whose rows take so many cycles each; rows opened."""
        opened = visit.opened - (visit.first == self.row)
        if self.stays_open:
            self.row = visit.last
        return visit.moved * self.byte + opened * opening * self.cycle, opened


class Way(NamedTuple):
    """What a copy goes over.

    links   with the bytes that each carries
    visits  to banks, each with the cycles that it takes to open a row
    """

    links: tuple[tuple[Link, int], ...] = ()
    visits: tuple[tuple[Bank, Visit, int], ...] = ()

    def visit(self) -> tuple[tuple[tuple[Link, int], ...], int]:
        """The links of banks, for a copy that begins now, with their parts; rows opened."""
        parts: dict[Link, int] = {}
        rows = 0
        for bank, visit, opening in self.visits:
            carried, opened = bank.carry(visit, opening)
            parts[bank.link] = parts.get(bank.link, 0) + carried
            rows += opened
        return tuple(parts.items()), rows
