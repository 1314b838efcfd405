"""The arena: one stretch of memory, taken from its begin upwards.

What an iteration of a loop takes it gives back at its end, unless what it made is kept: by all
iterations, or by one for all later ones, with all that it took before.  The first words of the
arena are arguments and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from compiler.levels.arrays.lowering.code import Code
from compiler.levels.arrays.lowering.staged import Operand
from machines.levels.arrays.types import ARENA, ARENA_SIZE, ARENA_TOO_SMALL, ARENA_UNIT
from machines.types import I64


class NoArena(Exception):
    """Something has to lie in memory where there is none for it."""


class Arena:
    """Memory for what has to lie in memory."""

    def __init__(self, code: Code):
        self.code = code
        self.top = self.end = ""  # until it begins
        self.taken = 0  # how often something was taken so far
        self._open: list[_Iteration | Halves] = []
        self._word = ""

    def begin(self, head: int) -> None:
        """Leave the first bytes (whole units) alone.

        The first array begins in the middle of a long cache line.  The caller's begin with one; if
        all did, streams that are gone through together would ask for new lines at the same time.
        """
        self.top = self.code.variable("top", I64, head)
        self.end = self.code.variable("end", I64, ARENA_SIZE.name)

    def take(self, count: Operand, size: int) -> Operand:
        """The place of so many elements of a size; too little room is a fault.  Raises NoArena."""
        if not self.top:
            raise NoArena
        code = self.code
        self.taken += 1
        if self._word:
            return self._take_atomically(count, size)
        left = code.emit("sub.i64", self.end, self.top)
        room = left if size == 1 else code.emit("shr_u.i64", left, size.bit_length() - 1)
        code.fault_if(code.emit("gt_u.i64", count, room), ARENA_TOO_SMALL)
        place = code.variable("place", I64, self.top)
        bytes = code.times(count, size)
        if size < 8:
            bytes = code.emit("and.i64", code.add(bytes, 7), -8)
        code.builder.emit("add.i64", self.top, bytes, result=self.top)
        return place

    @contextmanager
    def taken_atomically(self, word: str) -> Iterator[None]:
        """What is emitted inside is executed by many threads, which all take from one arena: its
        top is the word in memory at an address."""
        self._word = word
        yield
        self._word = ""

    def _take_atomically(self, count: Operand, size: int) -> Operand:
        code = self.code
        most = code.emit("shr_u.i64", self.end, size.bit_length() - 1)
        code.fault_if(code.emit("gt_u.i64", count, most), ARENA_TOO_SMALL)  # so nothing wraps
        bytes = code.emit("and.i64", code.add(code.times(count, size), 7), -8)
        place = code.builder.emit("atomic_add.i64", self._word, bytes)
        room = code.emit("sub.i64", self.end, place)
        code.fault_if(code.emit("lt_s.i64", room, bytes), ARENA_TOO_SMALL)
        return code.variable("place", I64, place)

    def base(self, place: Operand) -> str:
        """The address of a place."""
        return self.code.builder.emit("add.ptr", ARENA, place)

    def halves(self, floor: str) -> Halves:
        """What is left, in two halves, for a loop that begins here."""
        code = self.code
        left = code.emit("sub.i64", self.end, self.top)
        half = code.emit("and.i64", code.emit("shr_u.i64", left, 1), -ARENA_UNIT)
        middle = code.emit("add.i64", self.top, half)
        begin = code.emit("copy.i64", self.top)
        values = (begin, middle, middle, self.end)
        bounds = tuple(code.variable("half", I64, value) for value in values)
        return Halves(self, middle, bounds, floor)

    def iteration(self, do: Callable[[], Any]) -> Any:
        """One iteration of a loop, which gives back at its end what it took."""
        code = self.code
        block = code.builder.current
        position, before = len(block.instructions), self.taken
        iteration = _Iteration(self)
        with self.inside(iteration):
            made = do()
        if self.taken > before:
            here = code.builder.current
            code.builder.at(block, position)
            mark = code.builder.emit("copy.i64", self.top, result=iteration.mark)
            code.builder.at(here)
            code.builder.emit("copy.i64", mark, result=self.top)
        return made

    @contextmanager
    def inside(self, iteration: _Iteration | Halves) -> Iterator[None]:
        """An iteration is written."""
        self._open.append(iteration)
        yield
        self._open.pop()

    @property
    def iterations(self) -> int:
        """The number of nested loops, around the code that is written, whose iterations give back
        memory."""
        return len(self._open)

    def keep(self, iterations: int) -> None:
        """What has been taken so far is not given back by iterations inside of so many."""
        for iteration in self._open[iterations:]:
            iteration.keep()


@dataclass(slots=True, eq=False)
class _Iteration:
    """An iteration of a loop that gives back what it took.

    mark  the variable with the place that is the arena's top again at the iteration's end
    """

    arena: Arena
    mark: str | None = None

    def keep(self) -> None:
        """What lies below the top stays."""
        code = self.arena.code
        if self.mark is None:
            self.mark = code.builder.fresh("mark", I64)
        code.assign(self.mark, I64, self.arena.top)


@dataclass(slots=True, eq=False)
class Halves:
    """Memory of a loop whose state has arrays: an iteration makes the new state in the half in
    which the last one does not lie.

    A half begins behind what its iterations have computed for all later ones (`lowering.once`).

    middle  where the first half ends
    bounds  begin and end of the half that the next iteration takes, and of the other one
    floor   where the second half begins, if something for later iterations lies in it; else 0
    keeps   whether there may be something for later iterations
    """

    arena: Arena
    middle: Operand
    bounds: tuple[str, ...]
    floor: str
    keeps: bool = False

    def begin_iteration(self) -> None:
        """Take from the other half from here on."""
        code = self.arena.code
        begin, end, *others = [code.emit("copy.i64", bound) for bound in self.bounds]
        code.assign(self.arena.top, I64, begin)
        code.assign(self.arena.end, I64, end)
        for bound, value in zip(self.bounds, (*others, begin, end), strict=True):
            code.assign(bound, I64, value)

    def keep(self) -> None:
        """What lies below the top, in the half that the iteration takes, stays."""
        code, top = self.arena.code, self.arena.top
        *_, begin, end = self.bounds
        code.assign(begin, I64, top)
        is_second = code.emit("ne.i64", end, self.middle)
        code.builder.emit("select.i64", is_second, top, self.floor, result=self.floor)
        self.keeps = True

    def take_first(self) -> None:
        """After an iteration that took from the second half: take from the first one."""
        code, (begin, end, *_) = self.arena.code, self.bounds
        code.assign(self.arena.top, I64, begin)
        code.assign(self.arena.end, I64, end)
