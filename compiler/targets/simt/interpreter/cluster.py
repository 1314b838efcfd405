"""What the blocks of a cluster share where a program is interpreted: a barrier, shared memory.

every thread comes (arrive), does something else, and waits until all others have come
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from compiler.targets.simt.interpreter.running_thread import Running
from compiler.targets.simt.interpreter.thread_memory import Bytes
from machines.kinds.simt.clusters import awaited_text
from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault
from machines.threads.grid import Triple
from machines.threads.spaces import RANK_BITS

TWICE = "second arrival at the barrier of the cluster"
UNARRIVED = "wait without an arrival at the barrier of the cluster"
ENDED = "access to shared memory of a block that has ended"


class Member(Protocol):
    """What a cluster wants of a block: see `thread_block.BlockRun`."""

    rank: int
    index: Triple
    threads: list[Running]
    shared: Bytes

    @property
    def has_ended(self) -> bool: ...

    def met_among(self, thread: Running) -> str: ...

    def learn_of_cluster(self) -> None: ...


class Cluster:
    """The blocks by rank, and the threads that have come to the barrier since it last opened."""

    def __init__(self) -> None:
        self.blocks: list[Member] = []
        self.arrived: set[tuple[int, int]] = set()

    def meet(self, block: Member, thread: Running, row: int, waits: bool) -> bool:
        """A thread comes to the barrier, or waits there for the others; whether it goes on."""
        who = block.rank, thread.number
        if waits != thread.came:
            error = OperationFault(UNARRIVED if waits else TWICE)
            error.row = row
            raise error
        thread.came = not waits
        if not waits:
            self.arrived.add(who)
        return not waits or who not in self.arrived

    def open_if_complete(self) -> None:
        """Let the threads go that wait at the barrier, if all that have not ended have come."""
        if not self.arrived or any(True for _ in self._missing()):
            return
        self.arrived.clear()
        for block in self.blocks:
            block.learn_of_cluster()
            for thread in block.threads:
                if thread.waits and block.met_among(thread) == "cluster":
                    thread.waits = None

    def _missing(self) -> Iterator[tuple[Member, Running]]:
        """The blocks and threads that have not come."""
        for block in self.blocks:
            for thread in block.threads:
                if not thread.done and (block.rank, thread.number) not in self.arrived:
                    yield block, thread

    def awaited(self) -> str:
        """What a thread waits for that waits at the barrier."""
        found: dict[Triple, int] = {}
        for block, _ in self._missing():
            found[block.index] = found.get(block.index, 0) + 1
        return awaited_text(found)

    def shared_of(self, own: Bytes) -> Bytes:
        """Shared memory as a thread accesses it by generic addresses: `own` is its block's."""

        def find(offset: int, size: int):
            rank = (offset >> RANK_BITS) - 1
            if rank < 0:
                return own(offset, size)
            if rank >= len(self.blocks):
                raise MemoryFault("out of bounds", offset, size)
            if self.blocks[rank].has_ended:
                raise MemoryFault(ENDED, offset, size)
            return self.blocks[rank].shared(offset & (1 << RANK_BITS) - 1, size)

        return find
