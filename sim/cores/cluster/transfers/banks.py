"""The banks of DRAM while a chip runs: what copies find open, and how long they keep a bank busy.

A bank is a link: what it has to carry is the time that it needs, for its bytes at the speed of its
controller and for every row that is opened.  In *parts*, of which a byte has `byte` and of which
`cycle` pass in a cycle, this is a whole number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sim.cores.cluster.transfers.dram import Visit
from sim.cores.cluster.transfers.sharing import Link


@dataclass(slots=True, eq=False)
class Bank:
    """One bank.

    row     which one a copy has left open, if it stays so
    opened  how many it has opened
    """

    link: Link
    byte: int
    cycle: int
    stays_open: bool
    row: int | None = None
    opened: int = 0

    def carry(self, visit: Visit, opening: int) -> int:
        """Parts for a visit that begins now, whose rows take so many cycles each."""
        opened, first, last, moved = visit
        opened -= first == self.row
        self.opened += opened
        if self.stays_open:
            self.row = last
        return moved * self.byte + opened * opening * self.cycle


Visits = tuple[tuple[Bank, Visit, int], ...]
"""To banks, each with the cycles that it takes to open a row."""


class Way(NamedTuple):
    """What a copy goes over: links, with the bytes that each carries, and visits to banks."""

    links: tuple[tuple[Link, int], ...] = ()
    visits: Visits = ()

    def visit(self) -> tuple[tuple[Link, int], ...]:
        """The links of banks, for a copy that begins now, with their parts."""
        parts: dict[Link, int] = {}
        for bank, visit, opening in self.visits:
            parts[bank.link] = parts.get(bank.link, 0) + bank.carry(visit, opening)
        return tuple(parts.items())
