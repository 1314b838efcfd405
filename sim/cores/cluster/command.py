"""A command as it was given to a queue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from machines.kinds.cluster.program import StreamInstruction
from machines.tensors.work import Number
from sim.cores.cluster.scratchpads import CoreNumber

if TYPE_CHECKING:
    from sim.cores.cluster.costs import Cost


@dataclass(slots=True, eq=False)
class Command:
    """
    core, position  who gave it, and where in its code it stands
    scalars         of its operands, as they were then (`scalar.scalar_arguments`)
    cost            what it costs
    ended           called with it when it has ended
    begun           the cycle in which its bytes began to move, or it to be computed
    """

    core: CoreNumber
    position: int
    instruction: StreamInstruction
    scalars: tuple[Number, ...]
    cost: Cost
    ended: Callable[[Command], None]
    begun: int = 0
