"""What commands do to memory, when they end."""

from __future__ import annotations

from machines.instructions.cluster_control import is_send
from machines.kinds.cluster.program import Interval, StreamInstruction
from machines.kinds.cluster.tasks import Job
from machines.operations.row import Region
from machines.tensors.elements import stored_type
from machines.tensors.places import Cells, Place
from machines.tensors.work import Loops, Number, perform
from sim.cores.cluster.command import Command
from sim.cores.cluster.command_faults import CommandFault
from sim.cores.cluster.scratchpads import CoreNumber, Scratchpads


class Values:
    """Of a job; `loops` runs the loops of rows."""

    def __init__(self, memory: Scratchpads, loops: Loops):
        self.memory, self.loops = memory, loops
        self.results: dict[Command, Number | None] = {}
        self._cells: dict[tuple[CoreNumber, str, str, str], Cells] = {}

    def perform(self, command: Command) -> None:
        """Do what a command does."""
        for target in command.targets:
            places, numbers = self._operands(command, target)
            known = command.cost.known | numbers  # a cost that was kept for 0.0 is that of -0.0 too
            result = perform(command.instruction.row, places, known, self.loops)
            if command.instruction.results:
                self.results[command] = result

    def _operands(
        self, command: Command, target: CoreNumber
    ) -> tuple[dict[str, Place], dict[str, Number]]:
        """Where its intervals are, and its other operands."""
        places, numbers, given = {}, {}, iter(command.scalars)
        row, operands = command.instruction.row, command.instruction.operands
        for operand, value in zip(row.reads, operands, strict=False):
            if not isinstance(value, Interval):
                numbers[operand.name] = next(given)
                continue
            bounds = [next(given) for _ in range(2 + 2 * len(value.steps))]
            core = target if operand.kind.access == "store" else command.core
            places[operand.name] = self._of(core, value.buffer, operand.kind).at(*bounds)
        return places, numbers

    def _of(self, core: CoreNumber, buffer: str, kind: Region) -> Cells:
        key = core, buffer, kind.type.name, kind.access  # a region takes long to hash
        found = self._cells.get(key)
        if found is None:
            elements = self.memory.bytes(buffer, core).view(stored_type(kind.type))
            address = self.memory.places.address(buffer)
            is_stored = kind.access == "store"
            found = Cells(address, elements, is_stored, kind.type.in_byte)
            self._cells[key] = found
        return found


def targets(
    instruction: StreamInstruction, scalars: tuple[Number, ...], core: CoreNumber, job: Job
) -> tuple[CoreNumber, ...]:
    """The cores into whose memories a command of a core of a job writes.

    Raises CommandFault for a core or a cluster that is not there.
    """
    if not is_send(instruction.row):
        return (core,)
    where, cluster, given = instruction.row.name.split(".")[1], core[0], scalars[-1:]
    if where == "broadcast":
        return tuple((cluster, k) for k in job.cores)
    (number,) = given
    if where == "multicast":
        if number >> len(job.cores):
            about = f"{number:#b} names more than the {len(job.cores)} of the cluster"
            raise CommandFault("no such core", about)
        return tuple((cluster, k) for k in job.cores if number >> k & 1)
    there = job.cores if where == "unicast" else job.clusters
    if not 0 <= number < len(there):
        what = "core" if where == "unicast" else "cluster"
        raise CommandFault(f"no such {what}", f"{number}, of 0 to {len(there) - 1}")
    return ((cluster, there[number]),) if where == "unicast" else ((there[number], core[1]),)
