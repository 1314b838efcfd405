"""What a program of threads means: runs a grid and judges every machine that runs warps.

    barrier          thread 0 runs to here, then thread 1, …; when the last one is here all go on

Every thread runs alone, in the order of their numbers, up to where it meets others: a barrier or an
operation of its warp.  There are no warps otherwise, so nothing depends on how threads part and
join.  Blocks run one after another.  A program without races gives the same memory in any order;
`backward` runs blocks and threads from the last to the first, which shows many races.

A block of which no thread can go on is a deadlock: some wait at a barrier, others at an operation
of their warp, or at another one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from compiler.interpret.functions import (
    STEP_LIMIT,
    Fault,
    OpaqueStream,
    argument_values,
    report_unassigned,
    room_for_calls,
)
from compiler.interpret.generate_python import source_name
from compiler.interpret.generate_threads import Point, translate_thread
from compiler.interpret.grid_memory import Window, spaced_accessors
from compiler.interpret.warp_operations import perform
from compiler.ir.memory_spaces import reachable, space_addresses, space_layout
from compiler.ir.module import Function, Instruction
from machines.diagnostics import Location, input_error
from machines.layout import Memory, MemoryFault
from machines.operations.evaluate import OperationFault
from machines.threads.grid import Grid, Triple
from machines.threads.spaces import LOCAL_BASE, SHARED, SHARED_BASE, space_of


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread that waits for ever: its block and its index there, and at which instruction."""

    block: Triple
    thread: Triple
    operation: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class GridOutcome:
    """How a run of a grid ended.

    status      'done', 'fault', 'deadlock' or 'limit' (the next piece of code would pass the limit
                of steps)
    fault       what went wrong, and `at`: block and thread that did it
    waiting     of a deadlock: who waits where, all threads of the block that have not ended
    steps       instructions of the pieces of code that threads have begun
    unassigned  variables that were read before any assignment (they read 0), each once
    """

    status: str
    steps: int
    fault: Fault | None = None
    at: tuple[Triple, Triple] | None = None
    waiting: tuple[Waiting, ...] = ()
    unassigned: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """What went wrong, a sentence a line."""
        if self.fault:
            block, thread = self.at
            where = f" at {self.fault.location}" if self.fault.location else ""
            address = f" at {self.fault.address:#x}" if self.fault.address is not None else ""
            return [f"{self.fault.kind}{address}: thread {thread} of block {block}{where}"]
        points: dict[tuple, list[Triple]] = {}
        for one in self.waiting:
            points.setdefault((one.operation, one.location), []).append(one.thread)
        return [_sentence(*point, threads) for point, threads in points.items()]


def _sentence(operation: str, location: Location | None, threads: list[Triple]) -> str:
    who = f"thread {threads[0]} waits"
    if len(threads) > 1:
        who = f"{len(threads)} threads from {threads[0]} to {threads[-1]} wait"
    return f"{who} at '{operation}'" + (f", {location}" if location else "")


def interpret_grid(
    function: Function,
    arguments: Mapping[str, object],
    memory: Memory,
    grid: Grid,
    *,
    warp_width: int = 32,
    limit: int = STEP_LIMIT,
    opaque_seed: int = 0,
    backward: bool = False,
) -> GridOutcome:
    """Run a verified kernel on every thread of a grid; `memory` is changed as they change it.

    Arguments are as `compiler.interpret.functions.interpret` takes them.
    Raises InputError for those, and for a function that is no kernel because it returns something.
    """
    if function.result is not None:
        message = f"@{function.name} returns {function.result}, and a kernel returns nothing"
        raise input_error(message, function.location, hint="let it write to an array")
    values = argument_values(function, arguments, memory)
    return _Launch(function, memory, grid, warp_width, limit, opaque_seed).run(values, backward)


_Windows = tuple[Window, Window]
"""Shared and local memory."""


class _Thread:
    """A thread: its constants under the names that rows read, its memory, and where it stands.

    waits    where it meets others, with the calls that led there; None while it can run
    brought  what it brings there; `given`: what it is to get
    """

    def __init__(self, grid: Grid, block: Triple, number: int, width: int, windows: _Windows):
        self.block, self.index = block, grid.thread_index(number)
        for name, triple in (
            ("tid", self.index), ("ntid", grid.threads), ("ctaid", block), ("nctaid", grid.blocks),
        ):  # fmt: skip
            for axis, value in zip("xyz", triple, strict=True):
                setattr(self, f"{name}_{axis}", value)
        self.warp, self.laneid = divmod(number, width)
        self.warpsize = width
        self.shared, self.local = windows
        self.calls: list[Point] = []
        self.code: Generator | None = None
        self.waits: tuple[Point, ...] | None = None
        self.brought: tuple = ()
        self.given: int | float | None = None

    def window(self, address: int) -> Window:
        """Its shared or its local memory."""
        return self.shared if space_of(address) == SHARED else self.local


class _Ended(Exception):
    """The run has ended early."""

    def __init__(self, outcome: GridOutcome):
        self.outcome = outcome


class _Launch:
    def __init__(
        self, function: Function, memory: Memory, grid: Grid, width: int, limit: int, seed: int
    ):
        self.function, self.grid, self.width = function, grid, width
        self.functions = reachable(function)
        self.clock = [0, limit]
        self.unassigned: list[str] = []
        self.sizes = {space: space_layout(function, space).size for space in ("shared", "local")}
        runs: dict[str, Callable] = {}
        placed = space_addresses(function)
        for one in self.functions.values():
            generated = translate_thread(one)
            runs[one.name] = generated.bind(
                accessors=spaced_accessors(memory, generated),
                addresses=lambda name: placed[name] if name in placed else memory.address(name),
                opaque=OpaqueStream(seed).draw,
                unassigned=partial(report_unassigned, one, self.unassigned),
                fault=OperationFault,
                observe=None,
                callees=runs,
                pointed={},
                clock=self.clock,
            )
        self.start = runs[function.name]

    def run(self, values: list[int | float], backward: bool) -> GridOutcome:
        """Run all blocks, one after another."""
        numbers = range(self.grid.block_count)
        try:
            with room_for_calls(self.functions):
                for number in reversed(numbers) if backward else numbers:
                    self.run_block(self.grid.block_index(number), values, backward)
        except _Ended as end:
            return end.outcome
        return self.outcome("done")

    def outcome(self, status: str, **more) -> GridOutcome:
        unassigned = tuple(dict.fromkeys(self.unassigned))
        return GridOutcome(status, self.clock[0], unassigned=unassigned, **more)

    def run_block(self, block: Triple, values: list[int | float], backward: bool) -> None:
        shared = Window(SHARED_BASE, self.sizes["shared"] + self.grid.dynamic_shared)
        threads = []
        for number in range(self.grid.block_threads):
            windows = shared, Window(LOCAL_BASE, self.sizes["local"])
            thread = _Thread(self.grid, block, number, self.width, windows)
            thread.code = self.start(0, thread, *values)
            threads.append(thread)
        ready = threads
        while ready:
            for thread in reversed(ready) if backward else ready:
                self.advance(thread)
            threads = [thread for thread in threads if thread.code is not None]
            ready = self.released(threads)
        if threads:
            raise _Ended(self.outcome("deadlock", waiting=tuple(map(self.waiting, threads))))

    def advance(self, thread: _Thread) -> None:
        """Run a thread up to where it meets others, or to its end."""
        given, thread.given, thread.waits = thread.given, None, None
        try:
            point, thread.brought = thread.code.send(given)
            thread.waits = (point, *thread.calls)
        except StopIteration as end:
            thread.code = None
            if end.value[0] == "limit":
                raise _Ended(self.outcome("limit")) from None
        except (MemoryFault, OperationFault) as error:
            at = thread.block, thread.index
            raise _Ended(self.outcome("fault", fault=self.fault(error), at=at)) from None

    def released(self, threads: list[_Thread]) -> list[_Thread]:
        """The threads that can go on of those that wait: warps that are complete, else all that
        wait at barriers if nobody waits elsewhere."""
        ready: list[_Thread] = []
        for _, warp in groupby(threads, key=lambda thread: thread.warp):
            together = list(warp)
            operation = self.instruction(together[0]).operation
            is_same = all(thread.waits == together[0].waits for thread in together)
            if is_same and operation.name != "barrier":
                given = perform(operation, {t.laneid: t.brought for t in together})
                for thread in together:
                    thread.given = given[thread.laneid]
                ready += together
        if ready:
            return ready
        meet = all(self.instruction(thread).operation.name == "barrier" for thread in threads)
        return threads if meet else []

    def instruction(self, thread: _Thread) -> Instruction:
        """Where a thread waits."""
        name, block, index = thread.waits[0]
        return self.functions[name].blocks[block].instructions[index]

    def waiting(self, thread: _Thread) -> Waiting:
        at = self.instruction(thread)
        return Waiting(thread.block, thread.index, at.operation.name, at.location)

    def fault(self, error: MemoryFault | OperationFault) -> Fault:
        """Where the innermost function faulted."""
        name, block, index = list(self.frames(error))[-1]
        location = self.functions[name].blocks[block].instructions[index].location
        return Fault(error.kind, location, error.address, block, index, name)

    def frames(self, error: Exception) -> Iterator[Point]:
        sources = {source_name(name): name for name in self.functions}
        traceback = error.__traceback__
        while traceback is not None:
            name = sources.get(traceback.tb_frame.f_code.co_filename)
            if name is not None:
                points = translate_thread(self.functions[name]).points
                yield name, *points[traceback.tb_lineno]
            traceback = traceback.tb_next
