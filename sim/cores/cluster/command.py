"""A command as it was given to a queue."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from machines.kinds.cluster.program import CoreCode, Interval, StreamInstruction
from machines.kinds.cluster.queues import IPU
from machines.tensors.work import Number
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.races.order import Lane
from sim.cores.cluster.scratchpads import CoreNumber, Owner, owner

if TYPE_CHECKING:
    from sim.cores.cluster.costs import Cost
    from sim.cores.cluster.transfers.banks import Way


def core_name(core: CoreNumber, role: str) -> str:
    """'core 0 of cluster 1'."""
    cluster, number = core
    which = f"core {number}" if role == IPU else "the MEM core"
    return f"{which} of cluster {cluster}"


@dataclass(slots=True, eq=False)
class Command:
    """One command.

    core, code, position  who gave it, and where in its code it stands
    scalars         of its operands, as they were then (`scalar.scalar_arguments`)
    cost            what it costs
    ended           called with it when it has ended
    targets         the cores into whose memories it writes
    lane, epoch     its place in the order: which one of its lane it is, from 1
    begun           the cycle in which its bytes began to move, or it to be computed
    number          greater than those of the core's earlier commands
    """

    core: CoreNumber
    code: CoreCode
    position: int
    scalars: tuple[Number, ...]
    cost: Cost
    ended: Callable[[Command], None]
    targets: tuple[CoreNumber, ...]
    lane: Lane
    epoch: int
    begun: int | None = None
    has_ended: bool = False
    number: int = field(default_factory=count().__next__)

    @property
    def order(self) -> tuple:
        """Among what is given to an engine in one cycle: by place, and as the core gave them."""
        return (*self.core, self.number)

    @property
    def instruction(self) -> StreamInstruction:
        return self.code.code[self.position]

    @property
    def layer(self) -> int | None:
        return self.instruction.layer

    @property
    def location(self) -> int:
        """Its place among the locations of the program."""
        return self.code.first + self.position

    @property
    def title(self) -> str:
        """What it does, for messages."""
        return f"'{self.instruction.row}'"

    @property
    def giver(self) -> str:
        """Who gave it, for messages."""
        return core_name(self.core, self.code.role)

    def begins(self, now: int) -> None:
        """Its bytes begin to move."""
        self.begun = now

    def way(self, channel: int) -> Way:
        """What it goes over, from its core on this channel of a DMA."""
        target = self.targets[0][0] if self.cost.is_far else None
        return self.cost.way(self.core, channel, target)

    def touches(self) -> Iterator[tuple[Owner, Bytes]]:
        """What it reads and writes, and in which memories; what is sent to nobody is not read."""
        for one in self.cost.touched if self.targets else ():
            if one.size:
                for core in self.targets if one.stores else (self.core,):
                    yield owner(one.space, core), one

    def interval(self, one: Bytes) -> str:
        """One that it touches, as programs write it, with the numbers that there were."""
        given, touched = iter(self.scalars), iter(self.cost.touched)
        for value in self.instruction.operands:
            if not isinstance(value, Interval):
                next(given)
                continue
            bounds = [int(next(given)) for _ in range(2 + 2 * len(value.steps))]
            if next(touched) == one:
                steps = tuple(zip(bounds[2::2], bounds[3::2], strict=True))
                return str(Interval(value.buffer, bounds[0], bounds[1], steps))
        return one.buffer
