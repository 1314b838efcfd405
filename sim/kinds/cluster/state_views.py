"""What a session shows of a chip: what cores and engines do, and what is in their queues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.cores.cluster.command import Command
from sim.cores.cluster.compute_queue import ComputeQueue
from sim.cores.cluster.core import ChipCore
from sim.cores.cluster.run import ChipRun
from sim.cores.cluster.scalar import NOWHERE
from sim.cores.cluster.transfers.dma_engine import DmaEngine
from sim.cores.cluster.transfers.staged_copies import StagedCopies, StepOfCopy
from sim.state_views import StateView, place


def _cores(run: ChipRun) -> Iterator[ChipCore]:
    """Those of the jobs that are in flight, in their order."""
    yield from sorted((c for job in run.jobs for c in job.cores), key=lambda core: core.number)


def cores(run: ChipRun) -> Iterator[dict[str, Any]]:
    """A row for each core that has a task."""
    for core in _cores(run):
        position, does = core.doing
        location = None
        if position != NOWHERE:
            location = run.program.locations[core.code.first + position]
        yield {
            "cluster": core.number[0],
            "core": core.number[1],
            "role": core.code.role,
            "does": does,
            "since": int(core.since),
            "instruction": None if position == NOWHERE else str(core.code.code[position]),
            "source": place(location),
        }


def queues(run: ChipRun) -> Iterator[dict[str, Any]]:
    """A row for each command that has not ended, the oldest of a queue first."""
    for core in _cores(run):
        for name, queue in core.queues.items():
            for number, command in enumerate(queue.pending):
                yield {
                    "cluster": core.number[0],
                    "core": core.number[1],
                    "queue": name,
                    "place": number,
                    **_command(run, command),
                    "since": None if command.begun is None else int(command.begun),
                }


def engines(run: ChipRun) -> Iterator[dict[str, Any]]:
    """A row for each engine."""
    found: dict[int, tuple[tuple[int, ...], str, DmaEngine | ComputeQueue]] = {}
    for processor in run.chip.processors.values():
        for queue, taker in processor.engines.items():
            some = taker.engines.values() if isinstance(taker, StagedCopies) else [taker]
            for engine in some:
                if isinstance(engine, DmaEngine):
                    found[id(engine)] = engine.place[:2], engine.name, engine
                else:
                    found[id(engine)] = processor.number, queue, engine
    for number, name, engine in sorted(found.values(), key=lambda one: one[:2]):
        if isinstance(engine, ComputeQueue):
            at_work = [engine.running] if engine.running is not None else []
        else:
            at_work = list(engine.in_flight)
        yield {
            "cluster": number[0],
            "core": number[1],
            "engine": name,
            "in flight": len(at_work),
            "waiting": len(engine.waiting),
            **_command(run, at_work[0] if at_work else None),
        }


def _command(run: ChipRun, command: Command | StepOfCopy | None) -> dict[str, Any]:
    """What it does, and where it stands."""
    if command is None:
        return {"command": None, "source": None}
    given = command.command if isinstance(command, StepOfCopy) else command
    location = run.program.locations[given.location]
    return {"command": str(given.instruction.row), "source": place(location)}


STATE_VIEWS = (
    StateView("cores", "What each core that has a task does, and since when.", cores),
    StateView("queues", "The commands that have not ended, and since when they move.", queues),
    StateView("engines", "What each engine has in flight, and how many wait for it.", engines),
)
