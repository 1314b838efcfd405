"""What the host of a chip does: the actions of `sim.cores.Request.host`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a workload is read without numpy
    from machines.tensors.work import Number


@dataclass(frozen=True)
class Launch:
    """So many tasks of a kernel.

    type       one of `machines.kinds.cluster.tasks.TaskType`
    arguments  of its parameters, by name
    arrival    cycle before which the host does not launch it
    of_host    buffers in DRAM whose content only the host has until a copy brings it
    """

    kernel: str
    type: str
    tasks: int
    arguments: Mapping[str, Number]
    arrival: int = 0
    of_host: tuple[str, ...] = ()


@dataclass(frozen=True)
class Copy:
    """The content of a buffer in DRAM on its way over the host link, `to` the 'device' or the
    'host'; not begun before cycle `arrival`."""

    buffer: str
    to: str
    arrival: int = 0
