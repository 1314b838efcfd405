"""Copies that go on while threads do something else, in a block that is interpreted.

    cp.async [0], [p], 16      words 0 … 3 are marked: thread 0, its batch 1
    cp.async.commit_group      the next copies are of batch 2
    ld.shared [0]              a race: thread 0 has not waited for batch 1
    cp.async.wait_group 0      it has
    ld.shared [0]              right; of another thread only behind a barrier

A copy moves its bytes at once: who could tell has a race, which is a fault.  The rule is the core's
(`sim.cores.simt.units.async_copies`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.targets.simt.interpreter.thread_memory import Bytes
from machines.kinds.simt.copy_faults import BAD_BULK, BAD_BYTES, BAD_SIZE, RACE
from machines.layout import MemoryFault
from machines.vocabulary.mbarriers import SIGN

WORD, UNIT_BYTES = 4, 16
MOST_BYTES = SIGN - 1
KEPT = 8
"""Arrivals at barrier objects of a thread that are remembered."""


class Race(MemoryFault):
    """An access to what a copy writes that nobody has waited for; `copy`: the copy's row."""

    def __init__(self, address: int, size: int, copy: int):
        super().__init__(RACE, address, size)
        self.copy = copy


@dataclass(frozen=True, slots=True)
class Mark:
    """Which copy has written a word last: whose, of which batch, in which row; of a bulk copy the
    barrier object is who, and its phase the batch.  `reads`: it reads the word."""

    owner: ThreadCopies | object
    batch: int
    row: int
    reads: bool = False


@dataclass(slots=True)
class BlockCopies:
    """What the threads of a block share.

    epoch  how often some have met at a barrier, in an atomic or a fence
    """

    marks: dict[int, Mark] = field(default_factory=dict)
    epoch: int = 0

    def meet(self) -> None:
        """What threads have waited for before, all may access."""
        self.epoch += 1


@dataclass(eq=False)
class ThreadCopies:
    """The copies of a thread.

    batch   of the next one
    groups  the batches of its groups
    landed  it has waited for the batches before this one; `before`: in epochs before `epoch`
    bulk_…  the same of bulk copies to global memory
    arrives (barrier object, phase, batch): who sees that the phase is over may access the batches
            up to that one
    """

    block: BlockCopies
    warp: int
    shared: Bytes
    everywhere: Bytes
    batch: int = 1
    groups: list[int] = field(default_factory=list)
    landed: int = 1
    before: int = 1
    epoch: int = 0
    arrives: list = field(default_factory=list)
    bulk_batch: int = 1
    bulk_groups: list[int] = field(default_factory=list)
    bulk_landed: int = 1

    def may_access(self, mark: Mark, stores: bool = True) -> bool:
        """Whether this thread may load a word with a mark, or store it."""
        owner = mark.owner
        if mark.reads:
            return not stores or mark.batch < owner.bulk_landed
        if not isinstance(owner, ThreadCopies):
            return owner.seen >= mark.batch
        if mark.batch >= owner.landed:
            return any(o.seen > phase and batch >= mark.batch for o, phase, batch in owner.arrives)
        is_near = owner.warp == self.warp or mark.batch < owner.before
        return is_near or owner.epoch != self.block.epoch

    def find_to_load(self, address: int, size: int):
        """Bytes of shared memory that are read, or a fault."""
        return self.find(address, size, stores=False)

    def find(self, address: int, size: int, stores: bool = True):
        """Bytes of shared memory that are written, or a fault."""
        found = self.shared(address, size)
        if self.block.marks:
            for word in range(address // WORD, -(-(address + size) // WORD)):
                mark = self.block.marks.get(word)
                if mark is not None and not self.may_access(mark, stores):
                    raise Race(address, size, mark.row)
        return found

    def copy(self, row: int, address: int, source: int, size: int, count: int) -> None:
        """Copy `count` bytes, and zeros behind them up to `size`."""
        at, data = self.shared(address, size)
        if count > size:
            raise MemoryFault(BAD_SIZE, address, size)
        copied = bytes(size)
        if count:
            copied = self._read(source, count, size) + bytes(size - count)
        mark = Mark(self, self.batch, row)
        for k in range(0, size, WORD):
            word = (address + k) // WORD
            before = self.block.marks.get(word)
            is_same = data[at + k : at + k + WORD] == copied[k : k + WORD]
            if before is not None and not is_same and not self.may_access(before):
                raise Race(address, size, before.row)
            data[at + k : at + k + WORD] = copied[k : k + WORD]
            self.block.marks[word] = mark

    def _read(self, source: int, count: int, size: int) -> bytes:
        """`count` bytes of global memory at a multiple of `size`."""
        read = bytearray()
        for k in range(count):
            try:
                at, data = self.everywhere(source + k, 1)
            except MemoryFault as fault:
                raise MemoryFault(fault.kind, source, size) from None
            read += data[at : at + 1]
        if source % size:
            raise MemoryFault("misaligned", source, size)
        return bytes(read)

    def commit(self) -> None:
        """The copies since the last time are a group."""
        self.groups.append(self.batch)
        self.batch += 1

    def bulk_in(self, row: int, address: int, source: int, size: int, object_: object) -> None:
        """Copy many bytes to shared memory, of which a barrier object is told."""
        self._bulk(row, address, source, size, Mark(object_, object_.phase + 1, row))

    def bulk_out(self, row: int, address: int, source: int, size: int) -> None:
        """Copy many bytes to global memory."""
        self._bulk(row, address, source, size, Mark(self, self.bulk_batch, row, reads=True))

    def _bulk(self, row: int, address: int, source: int, size: int, mark: Mark) -> None:
        if size % UNIT_BYTES:
            raise MemoryFault(BAD_BULK, address, size)
        if size > MOST_BYTES:
            raise MemoryFault(BAD_BYTES, address, size)
        if address % UNIT_BYTES:
            raise MemoryFault("misaligned", address, size)
        if not size:
            return
        self.shared(address, 1)
        self.shared(address + size - 1, 1)
        _, inside = self.shared(address, 1)
        try:
            there, outside = self.everywhere(source, 1)
            last, _ = self.everywhere(source + size - 1, 1)
        except MemoryFault as fault:
            raise MemoryFault(fault.kind, source, size) from None
        if last - there != size - 1:
            raise MemoryFault("out of bounds", source, size)
        if source % UNIT_BYTES:
            raise MemoryFault("misaligned", source, size)
        for k in range(0, size, WORD):
            here, its = slice(address + k, address + k + WORD), slice(there + k, there + k + WORD)
            before = self.block.marks.get((address + k) // WORD)
            is_same = not mark.reads and bytes(inside[here]) == bytes(outside[its])
            is_late = before is not None and not self.may_access(before, not mark.reads)
            if is_late and not is_same:
                raise Race(address, size, before.row)
            if mark.reads:
                outside[its] = inside[here]
            else:
                inside[here] = outside[its]
            self.block.marks[(address + k) // WORD] = mark

    def bulk_commit(self) -> None:
        self.bulk_groups.append(self.bulk_batch)
        self.bulk_batch += 1

    def bulk_wait(self, count: int) -> None:
        if len(self.bulk_groups) > count:
            self.bulk_landed = max(self.bulk_landed, self.bulk_groups[-1 - count] + 1)

    def arrive_at(self, barrier: object, phase: int) -> None:
        """The copies so far are what a phase of a barrier object waits for."""
        self.arrives = [*self.arrives[1 - KEPT :], (barrier, phase, self.batch)]
        self.batch += 1

    def wait(self, count: int | None) -> None:
        """Wait for all groups but the last `count`; for all copies if that is None."""
        landed = self.landed
        if count is None:
            self.batch += 1
            landed = self.batch
        elif len(self.groups) > count:
            landed = self.groups[-1 - count] + 1
        if landed > self.landed:
            if self.epoch != self.block.epoch:
                self.before, self.epoch = self.landed, self.block.epoch
            self.landed = landed
