"""What a caller has to know of a network that was lowered: where its tensors are in DRAM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from machines.levels.network.tensors import Constant, TensorType


@dataclass(frozen=True, slots=True)
class Placed:
    """A tensor in a buffer: its elements one behind the other in C order, from byte `offset` on.

    name  under which the caller has it; '' of a constant, which no caller names
    """

    name: str
    type: TensorType
    buffer: str
    offset: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class NetworkFunction:
    """The `body` that a lowering leaves of a network.

    inputs     in their order
    outputs    in their order; one may be an input, and two may be the same place
    constants  what is in memory before anything runs, and where.  What is stored in a file is read
               from there once there is a memory to read it into, so that it is never held twice
    launch     type and number of tasks of the launch that it is lowered for, as a workload's host
               has them, where that is a part of the machine; None: it has the machine to itself
    """

    call: ClassVar[str] = "sim.levels.network.network_call:network_call"
    inputs: tuple[Placed, ...]
    outputs: tuple[Placed, ...]
    constants: tuple[tuple[Placed, Constant], ...] = ()
    launch: tuple[str, int] | None = None
