"""What commands do to memory, when they end."""

from __future__ import annotations

from machines.instructions.cluster_control import is_send
from machines.kinds.cluster.program import Interval, StreamInstruction
from machines.operations.evaluate import OperationFault
from machines.operations.row import Region
from machines.tensors.elements import stored_type
from machines.tensors.places import Cells, Place
from machines.tensors.work import Loops, Number, perform
from sim.cores.cluster.command import Command
from sim.cores.cluster.scratchpads import CoreNumber, Scratchpads


class Values:
    """Of a whole chip.

    cores  of a cluster, that compute
    loops  who runs the loops of rows
    """

    def __init__(self, memory: Scratchpads, clusters: int, cores: int, loops: Loops):
        self.memory, self.clusters, self.cores, self.loops = memory, clusters, cores, loops
        self.results: dict[Command, Number | None] = {}
        self._cells: dict[tuple[CoreNumber, str, Region], Cells] = {}

    def perform(self, command: Command) -> None:
        """Do what a command does."""
        for target in targets(command, self.clusters, self.cores):
            places = self._places(command, target)
            result = perform(command.instruction.row, places, command.cost.known, self.loops)
            if command.instruction.results:
                self.results[command] = result

    def _places(self, command: Command, target: CoreNumber) -> dict[str, Place]:
        """Where its intervals are."""
        places, given = {}, iter(command.scalars)
        row, operands = command.instruction.row, command.instruction.operands
        for operand, value in zip(row.reads, operands, strict=False):
            if not isinstance(value, Interval):
                next(given)
                continue
            bounds = [next(given) for _ in range(2 + 2 * len(value.steps))]
            core = target if operand.kind.access == "store" else command.core
            places[operand.name] = self._of(core, value.buffer, operand.kind).at(*bounds)
        return places

    def _of(self, core: CoreNumber, buffer: str, kind: Region) -> Cells:
        key = core, buffer, kind
        if key not in self._cells:
            elements = self.memory.bytes(buffer, core).view(stored_type(kind.type))
            address = self.memory.address(buffer)
            self._cells[key] = Cells(address, elements, kind.access == "store")
        return self._cells[key]


def targets(command: Command, clusters: int, cores: int) -> list[CoreNumber]:
    """The cores into whose memories a command writes."""
    row = command.instruction.row
    if not is_send(row):
        return [command.core]
    where, cluster, given = row.name.split(".")[1], command.core[0], command.scalars[-1]
    if where == "broadcast":
        return [(cluster, core) for core in range(cores)]
    if where == "multicast":
        return [(cluster, core) for core in range(cores) if given >> core & 1]
    return [(cluster, given)] if where == "unicast" else [(given, command.core[1])]


def check_target(
    instruction: StreamInstruction, scalars: tuple[Number, ...], clusters: int, cores: int
) -> None:
    """Raises OperationFault for a core or a cluster that is not there."""
    where = instruction.row.name.split(".")[1] if is_send(instruction.row) else ""
    if where == "unicast" and not 0 <= scalars[-1] < cores:
        raise OperationFault("no such core")
    if where == "to_cluster" and not 0 <= scalars[-1] < clusters:
        raise OperationFault("no such cluster")
