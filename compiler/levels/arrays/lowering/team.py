"""A function of arrays that all threads of a grid execute together, as one team.

    every thread                    what stands outside of regions: all compute the same of it
    share   for k in rank, rank + threads, …:      a region: each thread does its own positions
    single  if rank == 0: …                        a region: one thread does it for all
    barrier                                        all threads wait for all

(OpenMP's words; the form is called SPMD.)  What a region writes, threads read after a barrier, and
what threads have read is written after one: so one stands before a region or a load where what was
done since the last one asks for it (`code.Pending`), and none at the end of the function.

Whatever a region faults with goes to the status word, and its thread to the region's end, as others
wait for it at the next barrier; behind it all look at the word, and stop.

The barrier is one of the grid: of all threads that wait at the block's, one counts the blocks that
have come, in a word that only grows.  So all blocks have to be resident.  It waits no longer if the
status word says that there was a fault: a thread that is late may see the fault of a region that
others are in already, and end before it comes to the next barrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from compiler.levels.arrays.lowering.arena import Arena
from compiler.levels.arrays.lowering.code import NOTHING_PENDING, Code, Pending
from compiler.levels.arrays.lowering.staged import NotAsAssumed, Operand
from machines.levels.arrays.types import ARENA, ARENA_UNIT, Passing
from machines.types import I1, I64, Type

_MOST_DEFERRED = 16
"""Bits of the number of what a region defers; the number of barriers so far stands above it."""


@dataclass(frozen=True)
class Deferred:
    """What is computed only if some iteration of a region wants it, as it may fault.

    number   among those of the region, from 1
    missing  the variable that says whether it has not been computed yet
    held     its words, in variables
    types    of the words
    compute  emits code for them
    """

    number: int
    missing: str
    held: list[str]
    types: tuple[Type, ...]
    compute: Callable[[], Sequence[Operand]]


@dataclass(frozen=True)
class Region:
    """What threads do alone.

    end         the block that all threads come to after it
    loops       how many loops were being written outside of it
    iterations  how many of those give back memory
    deferred    what some of its iterations want that all threads compute together, after which the
                region begins anew; None of one that cannot
    origin      of one that cannot and has many threads: what assumed that nothing is wanted so
    """

    end: str
    loops: int
    iterations: int
    deferred: dict[object, Deferred] | None = None
    origin: object = None


class Team:
    """The threads of a grid along x, in blocks of whole warps of `width` threads.

    region  the one that is written, if any
    """

    def __init__(self, code: Code, arena: Arena, width: int, passed: Passing):
        self.code, self.arena, self.width = code, arena, width
        self.region: Region | None = None
        self._status, self._blocks, self._wanted = passed.status, passed.arrived, passed.wanted
        code.team = self
        emit = code.builder.emit
        wide = {name: emit("sext.i32.i64", emit(f"{name}.x"))
                for name in ("tid", "ntid", "ctaid", "nctaid")}  # fmt: skip
        self._thread, self._grid = wide["tid"], wide["nctaid"]
        self.rank = emit("add.i64", emit("mul.i64", wide["ctaid"], wide["ntid"]), wide["tid"])
        self.threads = emit("mul.i64", wide["nctaid"], wide["ntid"])
        self._goal = code.variable("goal", I64, 0)
        self._stopped = code.variable("stopped", I64, 0)
        self._stops = False

    # ---- Barriers --------------------------------------------------------------------------------

    def before_load(self, base: str) -> None:
        """Outside of regions: what others wrote is there.  Arguments are never written."""
        code = self.code
        if self.region is None and base not in dict(code.builder.function.parameters):
            if code.pending.written:
                self._barrier()
            code.pending = code.pending.but(read=True)

    def _barrier(self) -> None:
        code, emit = self.code, self.code.builder.emit
        emit("barrier")
        code.builder.emit("add.i64", self._goal, self._grid, result=self._goal)
        code.choose(code.emit("eq.i64", self._thread, 0), self._wait_for_blocks)
        emit("barrier")
        code.pending = NOTHING_PENDING
        self._stops = True
        emit("load.i64", code.address(ARENA, self._status // 8, 8), result=self._stopped)
        following = code.block("on")
        code.builder.branch(code.emit("ne.i64", self._stopped, 0), "stopped", following)
        code.builder.block(following, code.builder.location)

    def _wait_for_blocks(self) -> None:
        code, emit = self.code, self.code.builder.emit
        count = code.address(ARENA, self._blocks // 8, 8)
        emit("fence")
        emit("atomic_add.i64", count, 1)
        again, there = code.block("wait"), code.block("there")
        code.arrive(again)
        are_missing = emit("lt_s.i64", emit("load.i64", count), self._goal)
        fault = emit("load.i64", code.address(ARENA, self._status // 8, 8))
        emit("fence")  # the next time memory is asked again, and what follows is loaded after it
        goes_on = emit("and.i1", are_missing, emit("eq.i64", fault, 0))
        code.builder.branch(goes_on, again, there)
        code.builder.block(there, code.builder.location)

    # ---- Regions ---------------------------------------------------------------------------------

    @contextmanager
    def _inside(
        self, deferred: dict[object, Deferred] | None = None, origin: object = None
    ) -> Iterator[None]:
        """What is emitted is a region."""
        code = self.code
        if code.pending.written or code.pending.read:
            self._barrier()
        end = code.block("shared")
        self.region = Region(end, len(code.loops), self.arena.iterations, deferred, origin)
        with code.region():
            yield
        code.arrive(end)
        code.pending = Pending(written=True)
        self.region = None

    def share(
        self,
        length: Operand,
        body: Callable[[Operand], None],
        keeps: bool = False,
        begin: Callable[[], None] = lambda: None,
        first: Operand | None = None,
    ) -> None:
        """For 0 … length - 1, each by one thread.  All may be done once more, from the beginning.

        keeps  whether what the body takes from the arena is needed after the region; else each
               thread has a part of what is left of the arena
        begin  what each thread does first
        first  each thread does a stretch of its own, from there to a length of its own
        """
        code = self.code
        again, before = code.block("again"), code.builder.current
        code.arrive(again)
        self._pass = code.builder.emit("shl.i64", self._goal, _MOST_DEFERRED)
        deferred: dict[object, Deferred] = {}
        self._before = before
        if keeps:
            self._share_and_keep(length, body, begin, deferred)
        else:
            self._share(length, body, begin, deferred, first=first)
        self._compute(deferred, again)

    def share_once(self, length: Operand, body: Callable[[Operand], None], origin: object) -> None:
        """The same of what cannot be done twice.  Raises NotAsAssumed, of an origin, if it wants
        what would be deferred."""
        self._share(length, body, lambda: None, None, origin)

    def _share(
        self,
        length: Operand,
        body: Callable[[Operand], None],
        begin: Callable[[], None],
        deferred: dict[object, Deferred] | None,
        origin: object = None,
        first: Operand | None = None,
    ) -> None:
        code, arena = self.code, self.arena
        begin_at, step = (self.rank, self.threads) if first is None else (first, 1)
        with self._inside(deferred, origin):
            begin()
            block, before = code.builder.current, arena.taken
            position = len(block.instructions)
            code.count_by(begin_at, length, step, lambda k: arena.iteration(lambda: body(k)))
        if arena.taken > before:
            here = code.builder.current
            code.builder.at(block, position)
            held = self._own_part(length if first is None else self.threads)
            code.builder.at(here)
            for name, value in zip((arena.top, arena.end), held, strict=True):
                code.assign(name, I64, value)

    def _own_part(self, length: Operand) -> list[Operand]:
        """Give each thread that has something to do its part of the arena; what all have left."""
        code, arena, emit = self.code, self.arena, self.code.builder.emit
        held = [emit("copy.i64", name) for name in (arena.top, arena.end)]
        left = emit("sub.i64", held[1], held[0])
        some = emit("max_s.i64", emit("min_s.i64", self.threads, length), 1)
        part = emit("and.i64", emit("div_s.i64", left, some), -ARENA_UNIT)
        begin = emit("add.i64", held[0], emit("mul.i64", self.rank, part))
        code.assign(arena.top, I64, begin)
        emit("add.i64", begin, part, result=arena.end)
        return held

    def _share_and_keep(
        self,
        length: Operand,
        body: Callable[[Operand], None],
        begin: Callable[[], None],
        deferred: dict[object, Deferred],
    ) -> None:
        """All take from one arena, whose top is a word of memory meanwhile."""
        code, arena = self.code, self.arena
        (word,) = self._words([I64])
        self.single([], lambda: self._put(word, I64, arena.top) or [])
        with self._inside(deferred), arena.taken_atomically(word):
            begin()
            code.count_by(self.rank, length, self.threads, body)
        self.before_load(word)
        code.builder.emit("load.i64", word, result=arena.top)

    # ---- What is computed only if some thread wants it -------------------------------------------

    def defers(self, loops: int) -> bool:
        """Whether what is defined in so many loops is computed by all, and not in the region."""
        region = self.region
        if region is None or loops > region.loops:
            return False
        if region.origin is not None:
            raise NotAsAssumed(region.origin)
        return region.deferred is not None

    def wanted(
        self, key: object, types: Sequence[Type], compute: Callable[[], Sequence[Operand]]
    ) -> list[Operand]:
        """In a region: words that all threads compute together, once a thread has wanted them."""
        code, region = self.code, self.region
        deferred = region.deferred
        if key not in deferred:
            begin = code.begin_at_end
            held = [begin(self._before, word, "held", 0) for word in types]
            missing = begin(self._before, I1, "missing", 1)
            deferred[key] = Deferred(len(deferred) + 1, missing, held, tuple(types), compute)
        found = deferred[key]
        number = found.number

        def want() -> None:
            value = code.add(self._pass, number)
            code.builder.emit("store.i64", code.address(ARENA, self._wanted // 8, 8), value)

        code.choose(found.missing, want, back_to=region.end)
        return [
            code.builder.emit(f"copy.{word}", name)
            for word, name in zip(types, found.held, strict=True)
        ]

    def _compute(self, deferred: dict[object, Deferred], again: str) -> None:
        """After a region: what a thread wanted, and then the region again."""
        if not deferred:
            return
        code, this = self.code, self._pass
        pointer = code.address(ARENA, self._wanted // 8, 8)
        self.before_load(pointer)
        wanted = code.builder.emit("load.i64", pointer)
        for one in deferred.values():

            def do(one: Deferred = one) -> None:
                values = one.compute()
                for name, type, value in zip(one.held, one.types, values, strict=True):
                    code.assign(name, type, value)
                code.assign(one.missing, I1, 0)
                self._barrier()

            code.choose(code.emit("eq.i64", wanted, code.add(this, one.number)), do, back_to=again)

    def single(self, types: Sequence[Type], do: Callable[[], Sequence[Operand]]) -> list[Operand]:
        """Do something in one thread, and have the words that it gives in all."""
        code, arena = self.code, self.arena
        words = self._words([I64, *types])
        with self._inside():
            before = arena.taken

            def alone() -> None:
                values = do()
                for word, type, value in zip(words[1:], types, values, strict=True):
                    self._put(word, type, value)
                if arena.taken > before:
                    self._put(words[0], I64, arena.top)

            code.choose(code.emit("eq.i64", self.rank, 0), alone)
        if arena.taken > before:
            code.assign(arena.top, I64, self._got(words[0], I64))
        return [self._got(word, type) for word, type in zip(words[1:], types, strict=True)]

    def _words(self, types: Sequence[Type]) -> list[str]:
        """Addresses of words in memory, 8 bytes each."""
        base = self.arena.base(self.arena.take(len(types), 8))
        return [self.code.address(base, k, 8) for k in range(len(types))]

    def _put(self, word: str, type: Type, value: Operand) -> None:
        code, emit = self.code, self.code.builder.emit
        if type is I1:
            value = code.emit("zext.i1.i8", value) if isinstance(value, str) else value
            emit("store.i8", word, value)
        else:
            emit(f"store.{type}", word, value)

    def _got(self, word: str, type: Type) -> Operand:
        emit = self.code.builder.emit
        self.before_load(word)
        if type is I1:
            return emit("ne.i8", emit("load.i8", word), 0)
        return emit(f"load.{type}", word)

    # ---- The end ---------------------------------------------------------------------------------

    def alone(self, do: Callable[[], None]) -> None:
        """At the function's end: one thread does something."""
        self.code.choose(self.code.emit("eq.i64", self.rank, 0), do)

    def write_stop(self) -> None:
        """The block in which threads end that have seen another's fault."""
        if self._stops:
            self.code.builder.block("stopped")
            self.code.builder.return_(self._stopped)
