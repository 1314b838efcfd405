"""What the host of a SIMT machine does: the actions of `sim.cores.Request.host`."""

from __future__ import annotations

from dataclasses import dataclass

from machines.threads.grid import Grid


@dataclass(frozen=True)
class Launch:
    """A kernel on a grid; `parameters` is its parameter space."""

    kernel: str
    grid: Grid
    parameters: bytes = b""
    stream: int = 0


@dataclass(frozen=True)
class Copy:
    """An array's way over the host link, `to` the 'device' or the 'host'."""

    array: str
    to: str
    bytes: int
    stream: int = 0
