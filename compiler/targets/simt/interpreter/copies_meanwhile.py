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
from enum import Enum, auto

from compiler.targets.simt.interpreter.meetings import Known, Meetings, Waits
from compiler.targets.simt.interpreter.tensor_boxes import Box
from compiler.targets.simt.interpreter.thread_memory import Bytes
from machines.kinds.simt.copy_faults import (
    BAD_BULK,
    BAD_BYTES,
    BAD_SIZE,
    NO_LINE,
    OTHER_TYPE,
    RACE,
    RACE_WITH_LOAD,
    RACE_WITH_PRODUCT,
    RACE_WITH_STORE,
)
from machines.layout import MemoryFault
from machines.vocabulary import bulk_reductions, tensor_maps
from machines.vocabulary.mbarriers import SIGN

WORD, UNIT_BYTES, LINE = 4, 16, 128
MOST_BYTES = SIGN - 1
KEPT = 8
"""Arrivals at barrier objects of a thread that are remembered."""


class Race(MemoryFault):
    """A use of shared memory that is too early for what another row does there: see RACES."""

    def __init__(self, kind: str, address: int, size: int, other: int):
        super().__init__(kind, address, size)
        self.other = other


class Use(Enum):
    """What wants to use a word."""

    LOAD = auto()
    PRODUCT = auto()
    COPY_OUT = auto()
    STORE = auto()
    COPY_IN = auto()


WRITES = Use.STORE, Use.COPY_IN
MEANWHILE = Use.PRODUCT, Use.COPY_OUT


@dataclass(frozen=True, slots=True)
class Mark:
    """Which copy has written a word last: whose, of which batch, in which row; of a bulk copy the
    barrier object is who, and its phase the batch.  `reads`: it reads the word."""

    owner: ThreadCopies | object
    batch: int
    row: int
    reads: bool = False


@dataclass(slots=True)
class Word:
    """Who has used a word.

    copy     the last copy
    store    since: the time, the warp, the row
    readers  since that copy, by warp: the time, the row; `by_products`: what reads are products
    """

    copy: Mark | None = None
    store: tuple[int, int, int] | None = None
    readers: dict[int, tuple[int, int]] = field(default_factory=dict)
    by_products: bool = False


@dataclass(slots=True)
class BlockCopies:
    """What the threads of a block share."""

    words: dict[int, Word] = field(default_factory=dict)
    meetings: Meetings = field(default_factory=Meetings)

    def word(self, number: int) -> Word:
        return self.words.setdefault(number, Word())


@dataclass(eq=False)
class ThreadCopies:
    """The copies of a thread.

    row     the row that it executes
    batch   of the next one
    groups  the batches of its groups
    waits   for them
    bulk_…  the same of bulk copies to global memory
    arrives (barrier object, phase, batch): who sees that the phase is over may access the batches
            up to that one
    product_groups  when each of its groups of products has ended
    """

    block: BlockCopies
    warp: int
    shared: Bytes
    everywhere: Bytes
    row: int = -1
    batch: int = 1
    groups: list[int] = field(default_factory=list)
    waits: Waits = field(default_factory=Waits)
    arrives: list = field(default_factory=list)
    bulk_batch: int = 1
    bulk_groups: list[int] = field(default_factory=list)
    bulk_waits: Waits = field(default_factory=Waits)
    product_groups: list[int] = field(default_factory=list)

    # Who may use a word ---------------------------------------------------------------------

    @property
    def known(self) -> Known:
        return self.block.meetings.of(self.warp)

    def knows(self, warp: int, time: int) -> bool:
        """Whether it knows what a warp has done at a time."""
        return warp == self.warp or self.known.done.get(warp, 0) >= time

    def is_late_for(self, mark: Mark, writes: bool) -> bool:
        """Whether this thread may use a word with the mark of a copy."""
        owner = mark.owner
        if mark.reads:
            if not writes:
                return True
            waits = owner.bulk_waits
            return mark.batch < waits.landed and self.knows(owner.warp, waits.when(mark.batch))
        if not isinstance(owner, ThreadCopies):
            return self.known.phases.get(owner, 0) >= mark.batch
        waits = owner.waits
        if mark.batch < waits.landed and self.knows(owner.warp, waits.when(mark.batch)):
            return True
        phases = self.known.phases
        return any(phases.get(o, 0) > n and batch >= mark.batch for o, n, batch in owner.arrives)

    def is_through(self, word: Word, warp: int) -> bool:
        """Whether it knows that a warp has read a word."""
        time = word.readers[warp][0]
        if word.by_products:
            waits = self.block.meetings.waits_of(warp)
            if waits.landed <= time:
                return False
            time = waits.when(time)
        return self.knows(warp, time)

    def race_with(self, word: Word, use: Use, is_same: bool = False) -> tuple[str, int] | None:
        """(what it is called, the other row) of a race; `is_same`: a copy would write what the last
        one has written, which is none."""
        copy = word.copy
        if copy is not None and not is_same and not self.is_late_for(copy, use in WRITES):
            return RACE, copy.row
        if use is Use.COPY_IN or (use is Use.STORE and word.by_products):
            for warp, (_, row) in word.readers.items():
                if not self.is_through(word, warp):
                    return (RACE_WITH_PRODUCT if word.by_products else RACE_WITH_LOAD), row
        if word.store is not None and use not in (Use.LOAD, Use.STORE):
            time, warp, row = word.store
            is_fenced = self.known.fenced.get(warp, 0) >= time
            if not (is_fenced if use in MEANWHILE else self.knows(warp, time)):
                return RACE_WITH_STORE, row
        return None

    def check(self, address: int, size: int, use: Use) -> None:
        """A race, if using some bytes of shared memory is one."""
        for number in range(address // WORD, -(-(address + size) // WORD)):
            word = self.block.words.get(number)
            if word is not None and (found := self.race_with(word, use)):
                raise Race(found[0], address, size, found[1])

    def note_read(self, address: int, size: int, by_products: bool, time: int) -> None:
        for number in range(address // WORD, -(-(address + size) // WORD)):
            word = self.block.word(number)
            pending = {w for w in word.readers if not self.is_through(word, w)}
            if word.by_products and not by_products and pending:
                continue  # what is on its way is what others have to wait for
            is_like = word.by_products == by_products
            word.readers = {w: r for w, r in word.readers.items() if is_like and w in pending}
            word.readers[self.warp] = time, self.row
            word.by_products = by_products

    def find_to_load(self, address: int, size: int):
        """Bytes of shared memory that are read, or a fault."""
        found = self.shared(address, size)
        self.check(address, size, Use.LOAD)
        self.note_read(address, size, False, self.block.meetings.now)
        return found

    def find(self, address: int, size: int):
        """Bytes of shared memory that are written, or a fault."""
        found = self.find_object(address, size)
        for number in range(address // WORD, -(-(address + size) // WORD)):
            self.block.word(number).store = self.block.meetings.now, self.warp, self.row
        return found

    def find_object(self, address: int, size: int):
        """The same of a barrier object."""
        found = self.shared(address, size)
        self.check(address, size, Use.STORE)
        return found

    # What it tells others ---------------------------------------------------------------------

    def tell(self, place: object) -> None:
        self.block.meetings.tell(self.warp, place)

    def learn(self, place: object) -> None:
        self.block.meetings.learn(self.warp, place)

    def meet(self) -> None:
        """A fence or an atomic: who has come to one before is known, who comes later will know."""
        self.tell("fences")
        self.learn("fences")

    def fence_proxies(self) -> None:
        """Copies and products may see what is known to be stored."""
        self.block.meetings.fence_proxies(self.warp)

    # Products ---------------------------------------------------------------------------------

    def multiply(self, row: int, chunks: list[int], size: int) -> None:
        """A product reads shared memory."""
        self.row = row
        for chunk in chunks:
            self.check(chunk, size, Use.PRODUCT)
        time = self.block.meetings.pass_time() if chunks else 0
        for chunk in chunks:
            self.note_read(chunk, size, True, time)

    def products(self, does: str, count: int = 0) -> None:
        """The end of a group of products, or a wait."""
        if does == "commit":
            self.product_groups.append(self.block.meetings.now)
        elif does == "wait" and len(self.product_groups) > count:
            waits = self.block.meetings.waits_of(self.warp)
            waits.note(self.product_groups[-1 - count], self.block.meetings.now)

    # Copies -----------------------------------------------------------------------------------

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
            is_same = data[at + k : at + k + WORD] == copied[k : k + WORD]
            if found := self.race_with(self.block.word(word), Use.COPY_IN, is_same):
                raise Race(found[0], address, size, found[1])
            data[at + k : at + k + WORD] = copied[k : k + WORD]
            self.block.words[word] = Word(mark)

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

    def bulk_out(self, row: int, address: int, source: int, size: int, kind: int) -> None:
        """Copy many bytes to global memory, or reduce what is there."""
        mark = Mark(self, self.bulk_batch, row, reads=True)
        self._bulk(row, address, source, size, mark, kind)

    def _bulk(
        self, row: int, address: int, source: int, size: int, mark: Mark, kind: int = 0
    ) -> None:
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
            word = self.block.word((address + k) // WORD)
            is_same = not mark.reads and bytes(inside[here]) == bytes(outside[its])
            use = Use.COPY_OUT if mark.reads else Use.COPY_IN
            if found := self.race_with(word, use, is_same):
                raise Race(found[0], address, size, found[1])
            if mark.reads:
                if not kind:
                    outside[its] = inside[here]
                word.copy = mark
            else:
                inside[here] = outside[its]
                self.block.words[(address + k) // WORD] = Word(mark)

        if kind:
            step = bulk_reductions.bytes_of(kind)
            for k in range(0, size, step):
                _reduce(kind, inside, address + k, outside, there + k, step)

    def tensor_in(self, row: int, box: Box, object_: object) -> None:
        """Copy a box of a tensor to shared memory, of which a barrier object is told."""
        self._move_box(box, Mark(object_, object_.phase + 1, row))

    def tensor_out(
        self, row: int, address: int, words: list[int], coordinates: tuple[int, ...], kind: int
    ) -> None:
        """Copy a box to a tensor in global memory, or reduce what is there."""
        box = Box(words, coordinates, address)
        if kind:
            kind |= tensor_maps.element_type(words, 0) << 4
            if not bulk_reductions.is_known(kind):
                raise MemoryFault(OTHER_TYPE, address, box.size)
        self._move_box(box, Mark(self, self.bulk_batch, row, reads=True), kind)

    def check_box(self, box: Box) -> None:
        """A fault, if a box may not be copied, whatever is in it."""
        if box.address % LINE:
            raise MemoryFault(NO_LINE, box.address, box.size)
        self.shared(box.address, 1)
        self.shared(box.end - 1, 1)
        if box.size > MOST_BYTES:
            raise MemoryFault(BAD_BYTES, box.address, box.size)
        for there, count, _ in box.runs():
            at, _ = self.everywhere(there, 1)
            if self.everywhere(there + count - 1, 1)[0] - at != count - 1:
                raise MemoryFault("out of bounds", there, count)

    def _move_box(self, box: Box, mark: Mark, kind: int = 0) -> None:
        self.check_box(box)
        first, size = box.address, box.size
        use = Use.COPY_OUT if mark.reads else Use.COPY_IN
        self.check(first, size, use)
        _, inside = self.shared(first, 1)
        for places, there in box.pieces():
            if kind and there is not None:
                step = bulk_reductions.bytes_of(kind)
                for k in range(0, len(places), step):
                    at, outside = self.everywhere(there + k, step)
                    _reduce(kind, inside, places[k], outside, at, step)
                continue
            for k, place in enumerate(places):
                if there is None:
                    if not mark.reads:
                        inside[place] = box.filler(k)
                    continue
                at, outside = self.everywhere(there + k, 1)
                if mark.reads:
                    outside[at] = inside[place]
                else:
                    inside[place] = outside[at]
        for word in range(first // WORD, (first + size) // WORD):
            if mark.reads:
                self.block.word(word).copy = mark
            else:
                self.block.words[word] = Word(mark)

    def bulk_commit(self) -> None:
        self.bulk_groups.append(self.bulk_batch)
        self.bulk_batch += 1

    def bulk_wait(self, count: int) -> None:
        if len(self.bulk_groups) > count:
            now = self.block.meetings.now
            self.bulk_waits.note(self.bulk_groups[-1 - count] + 1, now)

    def arrive_at(self, barrier: object, phase: int) -> None:
        """The copies so far are what a phase of a barrier object waits for."""
        self.arrives = [*self.arrives[1 - KEPT :], (barrier, phase, self.batch)]
        self.batch += 1

    def wait(self, count: int | None) -> None:
        """Wait for all groups but the last `count`; for all copies if that is None."""
        landed = 0
        if count is None:
            self.batch += 1
            landed = self.batch
        elif len(self.groups) > count:
            landed = self.groups[-1 - count] + 1
        self.waits.note(landed, self.block.meetings.now)


def _reduce(kind: int, inside, here: int, outside, there: int, size: int) -> None:
    """One element of global memory by one of shared memory."""
    old, new = (
        int.from_bytes(data[at : at + size], "little", signed=size == 8)
        for data, at in ((outside, there), (inside, here))
    )
    value = bulk_reductions.reduced(kind, old, new) & (1 << 8 * size) - 1
    outside[there : there + size] = value.to_bytes(size, "little")
