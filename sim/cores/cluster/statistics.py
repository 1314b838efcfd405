"""What a run counted: what every core and every engine did in each cycle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.cores.cluster.compute_queue import ComputeQueue
from sim.cores.cluster.dma_engine import DmaEngine

if TYPE_CHECKING:
    from sim.cores.cluster.chip import Chip

OF_DMAS = ("setup", "transfer", "idle")
OF_UNITS = ("vector", "matrix", "idle")


@dataclass(frozen=True)
class Statistics:
    """The figures of one run.

    spent    cycles by who did what: 'ipu.scalar', 'iodma.transfer', 'compute.matrix', …
    workers  cores and engines
    commands, bytes  by engine
    links    bytes that links carried, by their sort
    rows     of DRAM that were opened; None if it has none
    meetings how often cores met
    """

    cycles: int
    spent: Mapping[str, int]
    workers: int
    commands: Mapping[str, int]
    bytes: Mapping[str, int]
    links: Mapping[str, int]
    rows: int | None
    meetings: int


def gathered(chip: Chip, cycles: int) -> Statistics:
    """Of a chip whose run has ended."""
    spent: dict[str, int] = {}
    commands: dict[str, int] = {}
    moved: dict[str, int] = {}

    def add(name: str, amount: int) -> None:
        spent[name] = spent.get(name, 0) + amount

    for core in chip.cores:
        for what, amount in core.spent.items():
            add(f"{core.code.role}.{what}", amount)
    for engine in chip.engines:
        engine.account()
        name = "compute" if isinstance(engine, ComputeQueue) else engine.name
        for what, amount in engine.spent.items():
            add(f"{name}.{what}", amount)
        commands[name] = commands.get(name, 0) + engine.commands
        if not isinstance(engine, ComputeQueue):
            moved[name] = moved.get(name, 0) + engine.bytes
    links = chip.links
    carried = {
        "dram": sum(link.carried for link in links.controllers),
        "ports": sum(link.carried for link in links.ports),
    }
    for name in ("srams", "buses"):
        if hasattr(links, name):
            carried[name] = sum(link.carried for link in getattr(links, name))
    rows = sum(engine.rows for engine in chip.engines if isinstance(engine, DmaEngine))
    has_rows = chip.machine.dram.banks is not None
    workers = len(chip.cores) + len(chip.engines)
    meetings = sum(meeting.times for meeting in chip.meetings.values())
    return Statistics(
        cycles, spent, workers, commands, moved, carried, rows if has_rows else None, meetings
    )
