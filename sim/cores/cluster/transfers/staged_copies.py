"""The queue io of a core whose copies may go through SRAM: it hands them to the engines.

A load of three pieces, where a core has room for two:

    GDMA    ├ setup 1 ┤ latency 1 ├ piece 1 ┤
                      ├ setup 2 ┤ latency 2 ├ piece 2 ┤
    MVDMA                                   ├ setup 1 ├ piece 1 ┤
                                                      ├ setup 2 ├ piece 2 ┤
    GDMA                                                        ├ setup 3 ┤ latency 3 ├ piece 3 ┤
    MVDMA                                                                                       ├ …

The second step of a piece is given when the first has ended, and a piece sets out when there is
room.  A copy through SRAM is alone in its queue: it sets out when all that came before has ended,
and what comes behind it waits for its end.  So what comes later finds what came earlier, whichever
way each goes; copies by the IODMA follow one another as those of any DMA.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from machines.kinds.cluster.fields import Cluster
from sim.cores.cluster.command import Command
from sim.cores.cluster.costs import Cost
from sim.cores.cluster.scratchpads import CoreNumber
from sim.cores.cluster.transfers.banks import Way
from sim.cores.cluster.transfers.dma_engine import DmaEngine
from sim.cores.cluster.transfers.dram_paths import Piece, pieces_of
from sim.cores.cluster.transfers.links import Links


@dataclass(slots=True, eq=False)
class StepOfCopy:
    """A step of a piece of a copy, which an engine takes as it takes commands.

    piece, number  which piece, and which of its two steps
    """

    command: Command
    piece: int
    number: int
    cost: Cost
    ended: Callable[[StepOfCopy], None]
    begun: int | None = None

    @property
    def core(self) -> CoreNumber:
        return self.command.core

    @property
    def layer(self) -> int | None:
        return self.command.layer

    def begins(self, now: int) -> None:
        """Its bytes begin to move; a copy in steps begins with its first."""
        self.begun = now
        if (self.piece, self.number) == (0, 0):
            self.command.begins(now)

    def way(self, channel: int) -> Way:
        """What it goes over, on this channel of an engine."""
        return self.cost.way(self.core, channel, None)

    @property
    def order(self) -> tuple:
        """Among what is given to an engine in one cycle."""
        return (*self.command.order, self.piece, self.number)


@dataclass
class StagedCopies:
    """One core's.

    engines    that do the work of its IODMA, its MVDMA and the GDMA of its cluster, by name
    pieces     of its commands that have not ended; none of one that goes by the IODMA
    waiting    the commands that have not set out
    in_flight  those that have: one through SRAM, or any by the IODMA
    """

    machine: Cluster
    links: Links
    engines: Mapping[str, DmaEngine]
    pieces: dict[Command, tuple[Piece, ...]] = field(default_factory=dict)
    waiting: deque[Command] = field(default_factory=deque)
    in_flight: dict[Command, None] = field(default_factory=dict)
    _set_out: int = 0  # pieces of the copy that is in flight

    def __post_init__(self) -> None:
        for engine in self.engines.values():
            engine.is_shared = True  # by commands and steps of copies

    def give(self, command: Command) -> None:
        """A command for the end of the queue."""
        outstanding = {name: engine.outstanding for name, engine in self.engines.items()}
        self.pieces[command] = pieces_of(command.cost, self.machine, self.links, outstanding)
        command.ended = partial(self._ended, command.ended)
        self.waiting.append(command)
        self._take()

    def _take(self) -> None:
        while self.waiting and self._may_set_out(self.waiting[0]):
            command = self.waiting.popleft()
            self.in_flight[command] = None
            if not self.pieces[command]:
                self.engines["iodma"].give(command)
                continue
            self._set_out = 0
            for _ in self.pieces[command][: self.machine.sram.staging.pieces]:
                self._next_piece(command)

    def _may_set_out(self, command: Command) -> bool:
        if not self.in_flight:
            return True
        return not any(self.pieces[one] for one in (command, *self.in_flight))

    def _next_piece(self, command: Command) -> None:
        self._set_out += 1
        self._give(command, self._set_out - 1, 0, self._half_way)

    def _give(
        self, command: Command, piece: int, number: int, ended: Callable[[StepOfCopy], None]
    ) -> None:
        step = self.pieces[command][piece][number]
        self.engines[step.dma].give(StepOfCopy(command, piece, number, step.cost, ended))

    def _half_way(self, step: StepOfCopy) -> None:
        self._give(step.command, step.piece, 1, self._arrived)

    def _arrived(self, step: StepOfCopy) -> None:
        """Pieces arrive in their order, as both engines keep it."""
        command, count = step.command, len(self.pieces[step.command])
        if self._set_out < count:
            self._next_piece(command)
        elif step.piece == count - 1:
            command.ended(command)

    def _ended(self, tell: Callable[[Command], None], command: Command) -> None:
        del self.in_flight[command], self.pieces[command]
        tell(command)
        self._take()
