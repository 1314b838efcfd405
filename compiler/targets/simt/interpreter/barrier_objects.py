"""Barrier objects in the shared memory of a block that is interpreted (mbarrier).

    mbarrier.init [0], 2          object 0: phase 0, two arrivals are missing
    mbarrier.try_wait [0], …      the thread waits until the phase is over
    cp.async.mbarrier.arrive [0]  a copy is there at once here, and so it arrives

A thread that waits gives way; if no thread can go on, those that wait are told that their time is
over, as the hardware may tell them at any time: if that changes nothing it is a deadlock.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.targets.simt.interpreter.copies_meanwhile import BlockCopies, ThreadCopies
from compiler.targets.simt.interpreter.tensor_boxes import Box
from compiler.targets.simt.interpreter.thread_memory import Bytes
from machines.kinds.simt import copy_faults
from machines.layout import MemoryFault
from machines.operations.row import BarrierObject
from machines.vocabulary import mbarriers

SIZE = 8
MOST_BYTES = mbarriers.SIGN - 1


@dataclass(slots=True, eq=False)
class Object:
    """phase: how many are over."""

    phase: int = 0


class BarrierObjects:
    """Those of a block, by address; `changes`: how often one has changed."""

    def __init__(self, shared: Bytes, copies: BlockCopies):
        self.shared, self.meetings = shared, copies.meetings
        self.objects: dict[int, Object] = {}
        self.changes = 0

    def word(self, address: int) -> int:
        at, data = self.shared(address, SIZE)
        return int.from_bytes(data[at : at + SIZE], "little")

    def put(self, address: int, word: int) -> None:
        at, data = self.shared(address, SIZE)
        object_ = self.objects.get(address)
        before = self.word(address)
        if object_ is not None and mbarriers.parity(word) != mbarriers.parity(before):
            object_.phase += 1
            self.meetings.at((object_, "over")).learn(self.meetings.at(object_))
        data[at : at + SIZE] = word.to_bytes(SIZE, "little")
        self.changes += word != before

    def is_over(self, address: int, parity: int) -> bool:
        return mbarriers.is_over(self.word(address), parity)

    def what_is_missing(self, address: int) -> str:
        """For messages: what the phase of an object waits for."""
        return copy_faults.missing(address, self.word(address))


class ThreadObjects:
    """What a thread does to barrier objects of its block."""

    def __init__(self, all_objects: BarrierObjects, copies: ThreadCopies):
        self.all, self.copies = all_objects, copies

    def _word(self, address: int) -> int:
        """The word of an object, or a fault."""
        self.copies.find_object(address, SIZE)
        if address not in self.all.objects:
            raise MemoryFault(copy_faults.NO_OBJECT, address, SIZE)
        return self.all.word(address)

    def do(self, row: BarrierObject, address: int, count: int, bytes_: int) -> int:
        """What a row does but 'test'; the word before, as a signed number."""
        if row.does == "init":
            self._init(address, count)
            return 0
        word = self._word(address)
        if row.does == "inval":
            del self.all.objects[address]
            self.all.put(address, 0)
        elif row.does == "copies":
            self._arrive_with_copies(address, word, row.counts_in)
        else:
            self._change(row, address, word, count, bytes_)
        return word

    def _init(self, address: int, count: int) -> None:
        self.copies.find_object(address, SIZE)
        if not 1 <= count <= mbarriers.MOST_COUNT:
            raise MemoryFault(copy_faults.BAD_COUNT, address, SIZE)
        if address in self.all.objects:
            raise MemoryFault(copy_faults.IS_OBJECT, address, SIZE)
        if len(self.all.objects) == copy_faults.MOST_OBJECTS:
            raise MemoryFault(copy_faults.MANY_OBJECTS, address, SIZE)
        self.all.put(address, mbarriers.new(count))
        self.all.objects[address] = Object()

    def _change(self, row: BarrierObject, address: int, word: int, count: int, bytes_: int) -> None:
        by = -bytes_ if row.does == "complete" else bytes_
        if bytes_ > MOST_BYTES or abs(mbarriers.missing_bytes(word) + by) > MOST_BYTES:
            raise MemoryFault(copy_faults.BAD_BYTES, address, SIZE)
        after = mbarriers.changed(word, by) if by else word
        if row.does == "arrive":
            if not 1 <= count <= mbarriers.pending(word):
                raise MemoryFault(copy_faults.TOO_MANY, address, SIZE)
            after = mbarriers.arrived(after, count, count if row.drops else 0)
            is_over = mbarriers.parity(after) != mbarriers.parity(word)
            if is_over and not row.completes:
                raise MemoryFault(copy_faults.TOO_FEW, address, SIZE)
            self.copies.tell(self.all.objects[address])
        self.all.put(address, after)

    def _arrive_with_copies(self, address: int, word: int, counts_in: bool) -> None:
        if not counts_in and mbarriers.pending(word) < 1:
            raise MemoryFault(copy_faults.TOO_MANY, address, SIZE)
        object_ = self.all.objects[address]
        self.copies.arrive_at(object_, object_.phase)
        self.copies.tell(object_)
        if not counts_in:
            self.all.put(address, mbarriers.arrived(word, 1, 0))
        elif mbarriers.pending(word) == 0:  # one more is missing, and comes
            self.all.put(address, mbarriers.arrived(mbarriers.expecting(word, 1), 1, 0))

    def bulk_in(self, row: int, address: int, source: int, size: int, barrier: int) -> None:
        """Copy many bytes to shared memory: they are there at once, and the object is told."""
        if barrier % SIZE or barrier not in self.all.objects:
            raise MemoryFault(copy_faults.NO_OBJECT, barrier, SIZE)
        self.copies.bulk_in(row, address, source, size, self.all.objects[barrier])
        if size:
            self.all.put(barrier, mbarriers.changed(self.all.word(barrier), -size))

    def tensor_in(
        self, row: int, address: int, words: list[int], coordinates: tuple[int, ...], barrier: int
    ) -> None:
        """The same of a box of a tensor."""
        box = Box(words, coordinates, address)
        if barrier % SIZE or barrier not in self.all.objects:
            self.copies.check_box(box)
            raise MemoryFault(copy_faults.NO_OBJECT, barrier, SIZE)
        self.copies.tensor_in(row, box, self.all.objects[barrier])
        self.all.put(barrier, mbarriers.changed(self.all.word(barrier), -box.size))

    def test(self, row: BarrierObject, address: int, phase: int) -> bool:
        """Whether a phase is over."""
        self._word(address)
        if row.is_parity and phase not in (0, 1):
            raise MemoryFault(copy_faults.BAD_PARITY, address, SIZE)
        parity = phase if row.is_parity else mbarriers.parity(phase)
        if not self.all.is_over(address, parity):
            return False
        object_ = self.all.objects[address]
        self.copies.learn((object_, "over"))
        self.copies.known.phases[object_] = object_.phase
        return True
