"""What is under way at once must not touch the same bytes, if one of the two writes them.

Commands of one queue keep their order; of those of different queues, one that begins while another
one moves or computes the same bytes is a race, whatever comes out of it.
"""

from __future__ import annotations

from sim.cores.cluster.command import Command
from sim.cores.cluster.scratchpads import Owner


class RaceFault(Exception):
    """Two commands that touch the same bytes of a memory, `begin` … `end` - 1, at once."""

    def __init__(self, first: Command, second: Command, memory: Owner, begin: int, end: int):
        super().__init__(first, second, memory, begin, end)
        self.first, self.second, self.memory = first, second, memory
        self.begin, self.end = begin, end


class UnderWay:
    """The commands that move or compute, by the memories that they touch."""

    def __init__(self) -> None:
        self._commands: dict[Owner, dict[Command, None]] = {}

    def begin(self, command: Command) -> None:
        """Raises RaceFault if it touches what another one does."""
        memories = {memory for memory, _ in command.touches()}
        for other in {one: None for m in memories for one in self._commands.get(m, ())}:
            if not _of_one_queue(command, other):
                clash = command.clashes(other)
                if clash is not None:
                    raise RaceFault(other, command, *clash)
        for memory in memories:
            self._commands.setdefault(memory, {})[command] = None

    def end(self, command: Command) -> None:
        for memory in {memory for memory, _ in command.touches()}:
            del self._commands[memory][command]


def _of_one_queue(a: Command, b: Command) -> bool:
    return (a.core, a.instruction.queue) == (b.core, b.instruction.queue)
