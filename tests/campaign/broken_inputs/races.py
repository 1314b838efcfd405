"""Whether threads of a grid race: two touch a byte, one writes it, and no barrier lies between."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from unittest import mock

from compiler.targets.simt.interpreter import kernel_launch, thread_block
from compiler.targets.simt.interpreter.thread_block import BlockRun, Running


class _Accesses:
    """Who has touched which byte: a block, a thread, and between which barriers."""

    def __init__(self) -> None:
        self.who: tuple = ()
        self.block, self.between = 0, 0
        self.windows: list[bytearray] = []  # kept, so that none has the address of one before it
        self.readers: dict[tuple, set] = {}
        self.writers: dict[tuple, set] = {}

    def note(self, table: dict[tuple, set], space: object, part: slice) -> None:
        for byte in range(part.start, part.stop):
            table.setdefault((space, byte), set()).add(self.who)

    @property
    def collide(self) -> bool:
        """Whether some byte is written by one thread and touched by another at the same time."""
        for place, writers in self.writers.items():
            touching = writers | self.readers.get(place, set())
            for block, thread, between in writers:
                for other_block, other, then in touching:
                    if (block, thread) == (other_block, other):
                        continue
                    if block != other_block or between == then:
                        return True
        return False


class _Watched:
    """Bytes that tell who reads and writes them."""

    def __init__(self, data: object, space: object, accesses: _Accesses):
        self.data, self.space, self.accesses = data, space, accesses

    def __getitem__(self, part: slice) -> object:
        self.accesses.note(self.accesses.readers, self.space, part)
        return self.data[part]

    def __setitem__(self, part: slice, value: object) -> None:
        self.accesses.note(self.accesses.writers, self.space, part)
        self.data[part] = value


@contextmanager
def watched():
    """Watch all accesses of the row interpreter; gives what they were."""
    accesses = _Accesses()
    everywhere, window = kernel_launch.global_bytes, thread_block.window_bytes
    advance, released, begin = BlockRun.advance, BlockRun.released, BlockRun.__init__

    def watching(find: Callable, space: object) -> Callable:
        def found(address: int, size: int):
            at, data = find(address, size)
            return at, _Watched(data, space, accesses)

        return found

    def one_window(data: bytearray) -> Callable:
        accesses.windows.append(data)
        return watching(window(data), id(data))

    def advancing(self: BlockRun, thread: Running, turn: int) -> None:
        accesses.who = (accesses.block, thread.number, accesses.between)
        advance(self, thread, turn)

    def releasing(self: BlockRun) -> list[Running]:
        accesses.between += 1
        return released(self)

    def beginning(self: BlockRun, *arguments: object) -> None:
        accesses.block += 1
        begin(self, *arguments)

    with (
        mock.patch.object(
            kernel_launch, "global_bytes", lambda memory: watching(everywhere(memory), "")
        ),
        mock.patch.object(thread_block, "window_bytes", one_window),
        mock.patch.object(BlockRun, "advance", advancing),
        mock.patch.object(BlockRun, "released", releasing),
        mock.patch.object(BlockRun, "__init__", beginning),
    ):
        yield accesses
