"""What a program of ptx rows means: runs a grid and judges the core that runs warps.

    thread 0 runs to bar.sync, then thread 1, …; when the last one has come all go on

Every thread runs alone, in the order of their numbers, up to where it meets others: a barrier or an
operation of its warp.  There is no time, and no warp beyond the lanes that a mask names, so nothing
depends on how threads part and meet; the rows of convergence barriers and markers do nothing, and
`activemask` is the thread alone.  Blocks run one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from compiler.ir.interpret import STEP_LIMIT
from compiler.ir.meaning import NAMESPACE, OperationFault
from compiler.targets.simt.generate_python import GeneratedKernel, generate, source_name
from machines.diagnostics import Location, input_error, nearest
from machines.grid import Grid, Triple
from machines.instructions import operations
from machines.isa import Operation
from machines.kinds.simt import Simt
from machines.lanes import lane_bits, read_lane
from machines.layout import BASE, GRANULE, Memory, MemoryFault
from machines.numbers import sign_extend, wrap
from machines.spaces import LOCAL, LOCAL_BASE, SHARED, SHARED_BASE, space_of
from machines.warp_program import OPERATION, Kernel, WarpProgram, parameter_bytes

_MASK = (1 << 64) - 1
_WORD = (1 << 32) - 1

Thread = Generator[tuple, object, None]


class StepLimit(Exception):
    """The next block of rows would pass the limit."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a run ended: in which row and thread.

    kind     'out of bounds', 'misaligned' or 'trap'
    address  as the instruction forms it, in its space; None for a trap
    """

    kind: str
    row: int
    location: Location | None
    address: int | None
    block: Triple
    thread: Triple


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread that waits for ever: for what, and in which row."""

    block: Triple
    thread: Triple
    what: str
    row: int
    location: Location | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of a grid ended.

    status   'done', 'fault', 'deadlock' or 'limit'
    steps    rows of the blocks that threads have begun, guarded-off ones included
    waiting  of a deadlock: every thread of the block that has not ended
    """

    status: str
    steps: int
    fault: Fault | None = None
    waiting: tuple[Waiting, ...] = ()

    def __str__(self) -> str:
        if self.fault:
            where = f" at {self.fault.location}" if self.fault.location else ""
            address = "" if self.fault.address is None else f" at {self.fault.address:#x}"
            who = f"thread {self.fault.thread} of block {self.fault.block}"
            return f"{self.fault.kind}{address}: {who}, row {self.fault.row}{where}"
        if self.waiting:
            one = self.waiting[0]
            who = f"thread {one.thread} of block {one.block} and {len(self.waiting) - 1} more"
            return f"deadlock: {who} wait, the first for {one.what} in row {one.row}"
        return f"{self.status} after {self.steps} rows"


def interpret(
    program: WarpProgram,
    machine: Simt,
    memory: Memory,
    kernel: str | None,
    grid: Grid,
    arguments: Mapping[str, object] | Sequence[object] = (),
    *,
    limit: int = STEP_LIMIT,
) -> Outcome:
    """Run a kernel (the program's entry if None) on every thread of a grid; changes `memory`.

    An argument is a number, the bytes of a struct, or the name of a placed buffer for its address.
    Raises InputError for a kernel that the program has not and for arguments that do not fit.
    """
    name = kernel or program.entry
    if name not in program.kernels:
        hint = nearest(str(name), program.kernels)
        raise input_error(f"the program has no kernel '{name}'", hint=hint)
    chosen = program.kernels[name]
    parameters = parameter_bytes(chosen.frame, _values(chosen, arguments, memory))
    return _Launch(program, machine, memory, chosen, grid, parameters, limit).run()


def memory_for(program: WarpProgram, arrays: Mapping[str, np.ndarray]) -> Memory:
    """A memory with arrays, then the program's buffers, and their contents."""
    sizes = [(name, array.nbytes) for name, array in arrays.items()]
    memory = Memory([*sizes, *((buffer.name, buffer.size) for buffer in program.buffers)])
    for name, array in arrays.items():
        memory.view(name)[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[:] = np.frombuffer(buffer.data, np.uint8)
    return memory


def _values(kernel: Kernel, arguments, memory: Memory) -> list:
    names = [parameter.name for parameter in kernel.frame.parameters]
    if isinstance(arguments, Mapping):
        missing = [name for name in names if name not in arguments]
        if missing:
            raise input_error(f"kernel '{kernel.name}' needs an argument '{missing[0]}'")
        arguments = [arguments[name] for name in names]
    return [memory.address(one) if isinstance(one, str) else one for one in arguments]


# ── memory ───────────────────────────────────────────────────────────────────────────────────

Bytes = Callable[[int, int], tuple[int, object]]
"""(address, size) -> place and the bytes it lies in, or MemoryFault."""


def _global_bytes(memory: Memory) -> Bytes:
    owners, starts, ends = (a.tolist() for a in (memory.granule_map, memory.starts, memory.ends))
    data, granules = memory.bytes.data, len(memory.granule_map)

    def find(address: int, size: int):
        granule = (address - BASE) // GRANULE
        owner = owners[granule] if 0 <= granule < granules else 0
        if not owner or address + size > ends[owner] or address < starts[owner]:
            raise MemoryFault("out of bounds", address, size)
        if address % size:
            raise MemoryFault("misaligned", address, size)
        return address - BASE, data

    return find


def _window_bytes(data: bytearray) -> Bytes:
    end = len(data)

    def find(address: int, size: int):
        if address + size > end:
            raise MemoryFault("out of bounds", address, size)
        if address % size:
            raise MemoryFault("misaligned", address, size)
        return address, data

    return find


def _generic_bytes(everywhere: Bytes, shared: Bytes, local: Bytes) -> Bytes:
    def find(address: int, size: int):
        space = space_of(address)
        try:
            if space == SHARED:
                return shared(address - SHARED_BASE, size)
            if space == LOCAL:
                return local(address - LOCAL_BASE, size)
            return everywhere(address, size)
        except MemoryFault as fault:
            raise MemoryFault(fault.kind, address, size) from None

    return find


# ── a launch ─────────────────────────────────────────────────────────────────────────────────


def _always(value: object, number: int) -> object:
    return value


@dataclass(slots=True)
class _Running:
    """A thread of a block: where it waits (row, mask or barrier, what it brings) and since when it
    can go on with what is sent to it."""

    number: int
    code: Thread
    waits: tuple | None = None
    answer: object = None
    done: bool = False


class _Launch:
    def __init__(self, program, machine, memory, kernel, grid, parameters, limit):
        self.program, self.machine, self.kernel, self.grid = program, machine, kernel, grid
        self.generated: GeneratedKernel = generate(program, kernel)
        self.spent = [0]
        self.everywhere = _global_bytes(memory)
        table = operations().family("ptx")
        self.rows: list[Operation] = [
            table[program.operations[n]] for n in program.code[:, OPERATION]
        ]
        self.space = {
            **NAMESPACE,
            "spent": self.spent,
            "limit": limit,
            "StepLimit": StepLimit,
            "Fault": OperationFault,
            "int_from_bytes": int.from_bytes,
            "global_bytes": self.everywhere,
            "parameter": partial(_parameter, parameters, False),
            "signed_parameter": partial(_parameter, parameters, True),
            **{
                name: memory.address(program.symbols[index])
                for index, name in self.generated.symbols.items()
            },
        }

        exec(self.generated.code, self.space)
        self.thread: Callable[..., Thread] = self.space["thread"]

    def run(self) -> Outcome:
        for number in range(self.grid.block_count):
            block = _BlockRun(self, self.grid.block_index(number))
            outcome = block.run()
            if outcome is not None:
                return outcome
        return Outcome("done", self.spent[0])


def _parameter(space: bytes, signed: bool, offset: int, size: int) -> int:
    if offset + size > len(space):
        raise MemoryFault("out of bounds", offset, size)
    return int.from_bytes(space[offset : offset + size], "little", signed=signed)


class _BlockRun:
    """One block of threads, run to its end."""

    def __init__(self, launch: _Launch, index: Triple):
        self.launch, self.index, self.grid = launch, index, launch.grid
        self.width = launch.machine.warp_width
        frame = launch.kernel.frame
        size = frame.shared_bytes(self.grid.dynamic_shared)
        self.shared = _window_bytes(bytearray(size))
        self.locals: dict[int, Bytes] = {}
        self.specials = self.find_specials(size)
        self.arrived: dict[int, list[int]] = {}
        self.threads = [self.begin(number) for number in range(self.grid.block_threads)]

    def find_specials(self, shared_bytes: int) -> list[Callable[[int], object]]:
        """For each parameter of `thread` what it is, as a function of the thread's number."""
        grid, launch, width = self.grid, self.launch, self.width
        known: dict[str, object] = {
            "smid": 0,
            "nsmid": launch.machine.sms,
            "nwarpid": launch.machine.limits.warps,
            "gridid": 0,
            "dynamic_smem_size": grid.dynamic_shared,
            "total_smem_size": shared_bytes,
            "shared_bytes": self.shared,
        }
        for name, triple in (
            ("ntid", grid.threads),
            ("ctaid", self.index),
            ("nctaid", grid.blocks),
        ):
            known |= {f"{name}_{axis}": value for axis, value in zip("xyz", triple, strict=True)}
        wide, high, _ = grid.threads
        own: dict[str, Callable[[int], object]] = {
            "tid_x": lambda number: number % wide,
            "tid_y": lambda number: number // wide % high,
            "tid_z": lambda number: number // (wide * high),
            "laneid": lambda number: number % width,
            "warpid": lambda number: number // width,
            "activemask": lambda number: 1 << number % width,
            "local_bytes": self.local_of,
            "generic_bytes": self.generic_of,
        }
        return [
            own[name] if name in own else partial(_always, known[name])
            for name in launch.generated.specials
        ]

    def local_of(self, number: int) -> Bytes:
        """The local memory of a thread."""
        if number not in self.locals:
            self.locals[number] = _window_bytes(bytearray(self.launch.kernel.frame.local))
        return self.locals[number]

    def generic_of(self, number: int) -> Bytes:
        return _generic_bytes(self.launch.everywhere, self.shared, self.local_of(number))

    def begin(self, number: int) -> _Running:
        """A thread at the kernel's entry."""
        arguments = [find(number) for find in self.specials]
        return _Running(number, self.launch.thread(*arguments))

    def run(self) -> Outcome | None:
        """Run all threads; None if they come to their ends."""
        ready = list(self.threads)
        while ready:
            for thread in ready:
                try:
                    self.advance(thread)
                except (MemoryFault, OperationFault) as error:
                    return self.faulted(thread, error)
                except StepLimit:
                    return Outcome("limit", self.launch.spent[0])
            ready = self.released()
        waiting = tuple(self.waiting(t) for t in self.threads if not t.done)
        return Outcome("deadlock", self.launch.spent[0], waiting=waiting) if waiting else None

    def advance(self, thread: _Running) -> None:
        """Run a thread until it ends or waits."""
        answer, thread.answer, thread.waits = thread.answer, None, None
        while True:
            try:
                waits = thread.code.send(answer)
            except StopIteration:
                thread.done = True
                return
            row = self.launch.rows[waits[0]]
            if row.name.startswith("bar.") and row.name != "bar.warp.sync":
                self.arrived.setdefault(waits[1], []).append(thread.number)
                if row.name == "bar.arrive":
                    answer = None
                    continue
            thread.waits = waits
            return

    # Who may go on ------------------------------------------------------------------------------

    def released(self) -> list[_Running]:
        """The threads that have what they waited for, in order."""
        ready = [*self.past_barriers(), *self.past_warp_rows()]
        return sorted(ready, key=lambda thread: thread.number)

    def past_barriers(self) -> Iterator[_Running]:
        alive = [thread.number for thread in self.threads if not thread.done]
        for barrier, arrived in list(self.arrived.items()):
            here = [t for t in self.threads if t.waits and self.at_barrier(t) == barrier]
            counts = [thread.waits[2] for thread in here if thread.waits[2]]
            full = len(arrived) >= min(counts) if counts else set(alive) <= set(arrived)
            if full and here:
                del self.arrived[barrier]
                yield from here

    def at_barrier(self, thread: _Running) -> int | None:
        row = self.launch.rows[thread.waits[0]]
        return thread.waits[1] if row.name == "bar.sync" else None

    def past_warp_rows(self) -> Iterator[_Running]:
        groups: dict[tuple, list[_Running]] = {}
        for thread in self.threads:
            if thread.waits and self.at_barrier(thread) is None:
                row, mask, _ = thread.waits
                meeting = "warp" if self.launch.rows[row].name == "bar.warp.sync" else row
                groups.setdefault((thread.number // self.width, meeting, mask), []).append(thread)
        for (warp, meeting, mask), here in groups.items():
            members = self.members(warp, mask)
            if members & ~_lanes(here, self.width):
                continue
            if meeting != "warp":
                self.exchange(self.launch.rows[meeting], members, here)
            yield from here

    def members(self, warp: int, mask: int) -> int:
        """The lanes of a mask that have a thread which has not ended, as a set of bits."""
        first = warp * self.width
        alive = _lanes(
            (t for t in self.threads[first : first + self.width] if not t.done), self.width
        )
        return alive & sign_extend(mask, 32) & _MASK

    def exchange(self, row: Operation, members: int, here: list[_Running]) -> None:
        """Give every thread that is here what the row gives it."""
        own = {thread.number % self.width: thread.waits[2] for thread in here}
        lanes = [lane for lane in own if members >> lane & 1]
        if row.name.startswith("shfl"):
            for thread in here:
                value, source = thread.waits[2]
                known = members >> source & 1 and source in own
                thread.answer = own[source][0] if known else value
            return
        if row.implicit_reads[1] == "gathered":
            combine, kind = _combination(row), row.writes[0].kind.type
            given = own[lanes[0]] if lanes else 0
            for lane in lanes[1:]:
                given = read_lane(lane_bits(combine(own[lane], given), kind), kind)
        elif row.implicit_reads[1] == "ballot":
            given = sum(1 << lane for lane in lanes if own[lane])
        for thread in here:
            if row.implicit_reads[1] == "equal":
                given = sum(1 << lane for lane in lanes if own[lane] == thread.waits[2])
            thread.answer = wrap(members), wrap(given)

    # What went wrong ----------------------------------------------------------------------------

    def faulted(self, thread: _Running, error: MemoryFault | OperationFault) -> Outcome:
        row = _row_of(error, self.launch)
        location = self.launch.program.locations[row] if self.launch.program.locations else None
        place = self.index, self.grid.thread_index(thread.number)
        fault = Fault(error.kind, row, location, error.address, *place)
        return Outcome("fault", self.launch.spent[0], fault)

    def waiting(self, thread: _Running) -> Waiting:
        row, what, _ = thread.waits
        name = self.launch.rows[row].name
        text = f"barrier {what}" if name == "bar.sync" else f"{name} with mask {what & _WORD:#x}"
        locations = self.launch.program.locations
        location = locations[row] if locations else None
        return Waiting(self.index, self.grid.thread_index(thread.number), text, row, location)


def _lanes(threads, width: int) -> int:
    return sum(1 << thread.number % width for thread in threads)


@cache
def _combination(row: Operation) -> Callable[[int, int], int]:
    """What a row of redux makes of one more value and of those before."""
    return eval(f"lambda a, gathered: {row.meaning.removeprefix('d = ')}", dict(NAMESPACE))


def _row_of(error: Exception, launch: _Launch) -> int:
    """The row whose code raised an exception."""
    name, trace = source_name(launch.kernel), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            return launch.generated.places[trace.tb_lineno]
        trace = trace.tb_next
    raise error
