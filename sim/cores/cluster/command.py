"""A command as it was given to a queue."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from machines.kinds.cluster.program import StreamInstruction
from machines.tensors.work import Number
from sim.cores.cluster.bytes_touched import Bytes
from sim.cores.cluster.scratchpads import CoreNumber, Owner, owner

if TYPE_CHECKING:
    from sim.cores.cluster.costs import Cost


@dataclass(slots=True, eq=False)
class Command:
    """One command.

    core, position  who gave it, and where in its code it stands
    scalars         of its operands, as they were then (`scalar.scalar_arguments`)
    cost            what it costs
    ended           called with it when it has ended
    targets         the cores into whose memories it writes
    begun           the cycle in which its bytes began to move, or it to be computed
    number          greater than those of the core's earlier commands
    """

    core: CoreNumber
    position: int
    instruction: StreamInstruction
    scalars: tuple[Number, ...]
    cost: Cost
    ended: Callable[[Command], None]
    targets: tuple[CoreNumber, ...]
    begun: int | None = None
    has_ended: bool = False
    number: int = field(default_factory=count().__next__)

    @property
    def order(self) -> tuple:
        """Among what is given to an engine in one cycle: by place, and as the core gave them."""
        return (*self.core, self.number)

    def touches(self) -> Iterator[tuple[Owner, Bytes]]:
        """What it reads and writes, and in which memories."""
        for one in self.cost.touched:
            if one.size:
                for core in self.targets if one.stores else (self.core,):
                    yield owner(one.space, core), one

    def clashes(self, other: Command) -> tuple[Owner, int, int] | None:
        """Bytes that one of the two writes and the other one touches, if there are any."""
        for memory, one in self.touches():
            for place, two in other.touches():
                if place == memory and (one.stores or two.stores):
                    common = one.common(two)
                    if common is not None:
                        return memory, *common
        return None
