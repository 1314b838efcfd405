"""What a run counted: what every core and every engine did in each cycle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from machines.kinds.cluster.queues import IPU, MEM
from sim.cores.cluster.compute_queue import ComputeQueue
from sim.cores.cluster.core import CAUSES, IDLE
from sim.results.layer import Layer

if TYPE_CHECKING:
    from sim.cores.cluster.chip import Chip
    from sim.cores.cluster.job import RunningJob
    from sim.cores.cluster.scratchpads import CoreNumber

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
    barriers how often a barrier was passed
    work     operations of vector and matrix units, by type
    layers   of the program, and rows for what is none; nothing of a program without layers
    """

    cycles: int
    spent: Mapping[str, int]
    workers: int
    commands: Mapping[str, int]
    bytes: Mapping[str, int]
    links: Mapping[str, int]
    rows: int | None
    barriers: int
    work: Mapping[str, int]
    layers: tuple[Layer, ...] = ()

    def busy(self, of_engines: bool) -> dict[str, int]:
        """Of `spent` what was no idling, of engines or of cores."""
        does = {who: who.split(".") for who in self.spent}
        return {
            who: self.spent[who]
            for who, (name, what) in does.items()
            if what != IDLE and (name in (IPU, MEM)) != of_engines
        }


def gathered(chip: Chip, cycles: int, jobs: Iterable[RunningJob] = ()) -> Statistics:
    """Of a chip; `jobs` are those at work, of which nothing has been noted yet."""
    at_work: dict[CoreNumber, dict[str, int]] = {}
    barriers = chip.barriers
    for job in jobs:
        at_work |= job.so_far()
        barriers += job.met
    spent: dict[str, int] = {}
    commands: dict[str, int] = {}
    moved: dict[str, int] = {}
    work: dict[str, int] = {}

    def add(name: str, amount: int) -> None:
        spent[name] = spent.get(name, 0) + amount

    for processor in chip.processors.values():
        own = at_work.get(processor.number, {})
        for what, amount in processor.spent.items():
            add(f"{processor.role}.{what}", amount + own.get(what, 0))
        busy = sum(processor.spent.values()) + sum(own.values())
        add(f"{processor.role}.{IDLE}", cycles - busy)  # had no job
    for engine in chip.engines:
        engine.account()
        name = engine.name
        for what, amount in engine.spent.items():
            add(f"{name}.{what}", amount)
        commands[name] = commands.get(name, 0) + engine.commands
        if isinstance(engine, ComputeQueue):
            for of, count in engine.work.items():
                work[of] = work.get(of, 0) + count
        else:
            moved[name] = moved.get(name, 0) + engine.bytes
    links = chip.links
    carried = {name: sum(link.carried for link in group) for name, group in links.sorts().items()}
    rows = sum(bank.opened for bank in links.banks.values())
    has_rows = chip.machine.dram.banks is not None
    workers = len(chip.processors) + len(chip.engines)
    layers = () if chip.layers is None else chip.layers.figures(cycles, chip.stalls, CAUSES)
    return Statistics(
        cycles,
        spent,
        workers,
        commands,
        moved,
        carried,
        rows if has_rows else None,
        barriers,
        work,
        layers,
    )
