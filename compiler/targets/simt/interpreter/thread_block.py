"""A block of threads run to its end: who runs, who waits for whom, and what lanes give each other.

    thread 0 runs to bar.sync, then thread 1, ...; when the last one has come all go on

A thread that has run for `TURN` rows gives way to the others, so that one that waits in a loop for
what another of its block writes does not wait for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache, partial
from itertools import product

from compiler.targets.simt.interpreter.barrier_objects import BarrierObjects, ThreadObjects
from compiler.targets.simt.interpreter.cluster import Cluster
from compiler.targets.simt.interpreter.copies_meanwhile import BlockCopies, ThreadCopies
from compiler.targets.simt.interpreter.generate_python import source_name
from compiler.targets.simt.interpreter.kernel_launch import Launch
from compiler.targets.simt.interpreter.outcome import Fault, Outcome, Waiting
from compiler.targets.simt.interpreter.running_thread import Running
from compiler.targets.simt.interpreter.thread_memory import Bytes, generic_bytes, window_bytes
from machines.layout import MemoryFault
from machines.operations.evaluate import NAMESPACE, OperationFault
from machines.operations.meaning import parsed
from machines.operations.row import Fragment, Operation
from machines.threads.grid import Triple
from machines.vocabulary.lanes import lane_bits, read_lane
from machines.vocabulary.mbarriers import parity
from machines.vocabulary.numbers import sign_extend, wrap
from machines.vocabulary.tensor_cores import chunk_address

TURN = 100_000
"""Rows after which the next thread has its turn."""
SHORT_TURN = 1_000
"""The same where blocks wait for each other."""
ROUNDS = 4
"""How often nobody can go on, and nothing changes when those that wait for barrier objects do all
the same, until that is called a deadlock."""
WRONG_MATRICES = {
    1: "a matrix out of bounds of shared memory",
    2: "a matrix that begins where its swizzle does not",
}
"""Faults by what the vocabulary of matrices calls them."""
_MASK = (1 << 64) - 1
_WORD = (1 << 32) - 1


def _always(value: object, number: int) -> object:
    return value


class BlockRun:
    """One block of threads, run to its end; `rank`: in its cluster."""

    def __init__(self, launch: Launch, index: Triple, cluster: Cluster, rank: int):
        self.launch, self.index, self.grid = launch, index, launch.grid
        self.cluster, self.rank = cluster, rank
        cluster.blocks.append(self)
        self.width = launch.machine.warp_width
        frame = launch.kernel.frame
        size = frame.shared_bytes(self.grid.dynamic_shared)
        self.shared_memory = bytearray(size)
        self.shared = window_bytes(self.shared_memory)
        self.locals: dict[int, Bytes] = {}
        self.copies = BlockCopies()
        self.objects = BarrierObjects(self.shared, self.copies)
        self.copies_by_thread: dict[int, ThreadCopies] = {}
        self.specials = self.find_specials(size)
        self.changes_seen, self.rounds = 0, 0
        self.arrived: dict[int, list[int]] = {}
        self.threads = [self.begin(number) for number in range(self.grid.block_threads)]
        self.ready = list(self.threads)

    def find_specials(self, shared_bytes: int) -> list[Callable[[int], object]]:
        """For each parameter of `thread` what it is, as a function of the thread's number."""
        grid, launch, width = self.grid, self.launch, self.width
        known: dict[str, object] = {
            "smid": 0,
            "nsmid": launch.machine.sms,
            "nwarpid": launch.machine.limits.warps,
            "gridid": launch.number,
            "dynamic_smem_size": grid.dynamic_shared,
            "total_smem_size": shared_bytes,
            "cluster_ctarank": self.rank,
            "cluster_nctarank": grid.cluster_size,
            "is_explicit_cluster": int(grid.in_clusters is not None),
        }
        extents = grid.cluster_extents
        for name, triple in (
            ("ntid", grid.threads),
            ("ctaid", self.index),
            ("nctaid", grid.blocks),
            ("clusterid", tuple(n // c for n, c in zip(self.index, extents, strict=True))),
            ("nclusterid", grid.clusters),
            ("cluster_ctaid", tuple(n % c for n, c in zip(self.index, extents, strict=True))),
            ("cluster_nctaid", extents),
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
            "shared_bytes": self.shared_of,
            "copies": self.copies_of,
            "objects": lambda number: ThreadObjects(self.objects, self.copies_of(number)),
            "local_bytes": self.local_of,
            "generic_bytes": self.generic_of,
            "shared_bytes_to_load": lambda number: self.copies_of(number).find_to_load,
            "generic_bytes_to_load": lambda number: generic_bytes(
                launch.everywhere, self.copies_of(number).find_to_load, self.local_of(number)
            ),
        }
        return [
            own[name] if name in own else partial(_always, known[name])
            for name in launch.generated.specials
        ]

    def local_of(self, number: int) -> Bytes:
        """The local memory of a thread."""
        if number not in self.locals:
            self.locals[number] = window_bytes(bytearray(self.launch.kernel.frame.local))
        return self.locals[number]

    def copies_of(self, number: int) -> ThreadCopies:
        """The copies of a thread that go on meanwhile."""
        if number not in self.copies_by_thread:
            self.copies_by_thread[number] = ThreadCopies(
                self.copies, number // self.width, self.shared, self.launch.everywhere
            )
        return self.copies_by_thread[number]

    def shared_of(self, number: int) -> Bytes:
        """Shared memory as a thread may access it."""
        return self.copies_of(number).find if self.has_copies else self.shared

    @property
    def has_copies(self) -> bool:
        """Whether something goes on meanwhile in shared memory."""
        return "copies" in self.launch.generated.specials

    def tell(self, thread: Running, place: Hashable) -> None:
        """A thread says at a place what it has done."""
        if self.has_copies:
            self.copies_of(thread.number).tell(place)

    def learn(self, thread: Running, place: Hashable) -> None:
        """It learns what has been told there."""
        if self.has_copies:
            self.copies_of(thread.number).learn(place)

    def learn_of_cluster(self) -> None:
        """The barrier of the cluster opens."""
        for thread in self.threads:
            self.learn(thread, "cluster")

    def generic_of(self, number: int) -> Bytes:
        shared = self.cluster.shared_of(self.shared_of(number))
        return generic_bytes(self.launch.everywhere, shared, self.local_of(number))

    def begin(self, number: int) -> Running:
        """A thread at the kernel's entry."""
        arguments = [find(number) for find in self.specials]
        return Running(number, self.launch.thread(*arguments))

    def run(self, backward: bool) -> Outcome | None:
        """Run all threads, from the last to the first if `backward`; None if they come to their
        ends."""
        while self.ready:
            outcome = self.go_round(backward, TURN)
            if outcome is not None:
                return outcome
        return self.stuck()

    def go_round(self, backward: bool, turn: int) -> Outcome | None:
        """Run each thread that can go on for a turn of so many rows, or until it waits; what ends
        the launch if anything does."""
        for thread in reversed(self.ready) if backward else self.ready:
            try:
                self.advance(thread, turn)
            except (MemoryFault, OperationFault) as error:
                return self.faulted(thread, error)
            if self.launch.spent[0] > self.launch.limit:
                return Outcome("limit", self.launch.spent[0])
        self.ready = self.released() or self.whose_time_is_over()
        return None

    def stuck(self) -> Outcome | None:
        """Who waits for ever, when nobody can go on."""
        waiting = tuple(self.waiting(t) for t in self.threads if not t.done)
        return Outcome("deadlock", self.launch.spent[0], waiting=waiting) if waiting else None

    def advance(self, thread: Running, turn: int) -> None:
        """Run a thread until it ends or waits."""
        answer, thread.answer, thread.waits = thread.answer, None, None
        spent = self.launch.spent
        spent[1] = min(spent[0] + turn, self.launch.limit)
        while True:
            try:
                waits = thread.code.send(answer)
            except StopIteration:
                thread.done = True
                return
            if waits is None:  # its turn is over
                return
            row = self.launch.rows[waits[0]]
            if row.barrier_object:
                thread.waits = waits
                return
            if row.meets.among == "cluster":
                answer = None
                if row.meets.releases:
                    self.tell(thread, "cluster")
                if self.cluster.meet(self, thread, waits[0], row.meets.waits):
                    continue
            if row.meets.among == "block":
                answer = None
                self.tell(thread, waits[1])
                if not row.meets.waits:
                    self.arrive(thread, *waits[1:])
                    continue
                if self.arrive(thread, *waits[1:]):
                    self.learn(thread, waits[1])
                    continue
            thread.waits = waits
            return

    def arrive(self, thread: Running, barrier: int, count: int) -> bool:
        """Count a thread that comes to a barrier; True if it was the last of `count` (0: all)."""
        arrived = self.arrived.setdefault(barrier, [])
        arrived.append(thread.number)
        if not count or len(arrived) < count:
            return False
        self.open(barrier)
        return True

    def open(self, barrier: int) -> None:
        """Let the threads that wait at a barrier go on."""
        del self.arrived[barrier]
        for thread in self.threads:
            if thread.waits and self.barrier_of(thread) == barrier:
                self.learn(thread, barrier)
                thread.waits = None

    # Who may go on ------------------------------------------------------------------------------

    def released(self) -> list[Running]:
        """The threads that can go on, in order."""
        self.cluster.open_if_complete()
        alive = {thread.number for thread in self.threads if not thread.done}
        for barrier, arrived in list(self.arrived.items()):
            here = [t for t in self.threads if t.waits and self.barrier_of(t) == barrier]
            if here and not any(thread.waits[2] for thread in here) and alive <= set(arrived):
                self.open(barrier)
        for thread in [*self.past_warp_rows(), *self.past_phases()]:
            thread.waits = None
        return [thread for thread in self.threads if not (thread.done or thread.waits)]

    def met_among(self, thread: Running) -> str:
        """Among whom a thread that waits meets others: its 'warp', 'block' or 'cluster', or at a
        barrier 'object'."""
        meets = self.launch.rows[thread.waits[0]].meets
        return meets.among if meets else "object"

    def barrier_of(self, thread: Running) -> int | None:
        """The barrier of the block that a thread waits at."""
        return thread.waits[1] if self.met_among(thread) == "block" else None

    @property
    def has_ended(self) -> bool:
        """Whether none of its threads runs any more."""
        return all(thread.done for thread in self.threads)

    def at_objects(self) -> Iterator[Running]:
        """The threads that wait for a phase of a barrier object."""
        for thread in self.threads:
            if thread.waits and self.launch.rows[thread.waits[0]].barrier_object:
                yield thread

    def past_phases(self) -> Iterator[Running]:
        """Those whose phase is over."""
        for thread in self.at_objects():
            row, address, phase = thread.waits
            is_parity = self.launch.rows[row].barrier_object.is_parity
            if self.objects.is_over(address, phase if is_parity else parity(phase)):
                yield thread

    def whose_time_is_over(self) -> list[Running]:
        """Nobody can go on: those that wait for a phase stop to, unless nothing has come of that
        for some times."""
        if self.objects.changes != self.changes_seen:
            self.changes_seen, self.rounds = self.objects.changes, 0
        self.rounds += 1
        waiting = list(self.at_objects()) if self.rounds <= ROUNDS else []
        for thread in waiting:
            thread.waits = None
        return waiting

    def past_warp_rows(self) -> Iterator[Running]:
        """The threads whose row of a warp all lanes of the mask have come to."""
        groups: dict[tuple, list[Running]] = {}
        for thread in self.threads:
            if thread.waits and self.met_among(thread) == "warp":
                row, mask, _ = thread.waits
                meeting = row if self.launch.rows[row].combines else "warp"
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

    def exchange(self, row: Operation, members: int, here: list[Running]) -> None:
        """Give every thread that is here what the row gives it."""
        own = {thread.number % self.width: thread.waits[2] for thread in here}
        lanes = [lane for lane in own if members >> lane & 1]
        how = row.combines.how
        if how == "matrix":
            warp = here[0].number // self.width
            given = self.product(row, own, warp)
            chunks = self.chunks_read(row, own, warp) if row.group else ()
            for thread in here:
                lane = thread.number % self.width
                thread.answer = given if isinstance(given, str) else given[lane]
                if row.group and not isinstance(given, str):
                    thread.answer = chunks if thread is here[0] else (), thread.answer
            return
        if how == "shuffle":
            for thread in here:
                value, source = thread.waits[2]
                known = members >> source & 1 and source in own
                thread.answer = own[source][0] if known else value
            return
        if how == "reduce":
            combine, kind = _combination(row), row.writes[0].kind.type
            given = own[lanes[0]] if lanes else 0
            for lane in lanes[1:]:
                given = read_lane(lane_bits(combine(own[lane], given), kind), kind)
        elif how == "ballot":
            given = sum(1 << lane for lane in lanes if own[lane])
        for thread in here:
            if how == "match":
                given = sum(1 << lane for lane in lanes if own[lane] == thread.waits[2])
            thread.answer = wrap(members), wrap(given)

    def chunks_read(self, row: Operation, brought: dict[int, tuple], warp: int) -> list[int]:
        """Where a product reads shared memory, 16 bytes each, if the kernel has copies."""
        if not self.has_copies or not brought:
            return []
        read = [f for f in row.combines.fragments if f.name not in row.made]
        names = [name for f in read for name in f.operands] + [one.name for one in row.alone]
        of_lane = dict(zip(names, next(iter(brought.values())), strict=True))
        group, first, found = row.group, 16 * (warp & 3), []
        matrices = ((group.left, first, 16), (group.right, 0, group.columns))
        for (name, start, rows), turned in zip(matrices, group.turned, strict=True):
            if name is None:
                continue
            side = of_lane[turned]
            lines = range(start >> 3, start + rows >> 3) if side else range(start, start + rows)
            for line, chunk in product(lines, range(16 if side else 2)):
                address = chunk_address(of_lane[name], line, chunk, side)
                if address + 16 <= len(self.shared_memory):
                    found.append(address)
        return found

    def product(self, row: Operation, brought: dict[int, tuple], warp: int) -> list[tuple] | str:
        """What a row about fragments gives each lane of what each has brought; or a fault."""
        if len(brought) < self.width:
            return "lanes missing"
        names: dict[str, object] = {
            f.name: [0] * (self.width * len(f.operands)) for f in row.combines.fragments
        }
        written = [f for f in row.combines.fragments if f.name in row.made]
        read = list(_operands([f for f in row.combines.fragments if f not in written]))
        for number, (fragment, k) in enumerate(read):
            for lane, values in brought.items():
                names[fragment][self.width * k + lane] = values[number]
        for number, operand in enumerate(row.alone, start=len(read)):
            names[operand.name] = brought[0][number]
        if "shared" in row.implicit_reads:
            whole = len(self.shared_memory) & -4
            names["shared"] = memoryview(self.shared_memory)[:whole].cast("I")
            names["shared_size"], names["warp"] = len(self.shared_memory), warp
        exec(_code(row), _NAMES, names)
        if wrong := names.get("wrong"):
            return WRONG_MATRICES[wrong]
        return [
            tuple(names[name][self.width * k + lane] for name, k in _operands(written))
            for lane in range(self.width)
        ]

    # What went wrong ----------------------------------------------------------------------------

    def faulted(self, thread: Running, error: MemoryFault | OperationFault) -> Outcome:
        row = _row_of(error, self.launch)
        location = self.launch.program.locations[row] if self.launch.program.locations else None
        who = self.index, self.grid.thread_index(thread.number)
        other = getattr(error, "other", None)
        locations = self.launch.program.locations
        of_other = locations[other] if other is not None and locations else None
        fault = Fault(error.kind, row, location, error.address, *who, of_other)
        return Outcome("fault", self.launch.spent[0], fault)

    def waiting(self, thread: Running) -> Waiting:
        row, what, _ = thread.waits
        operation = self.launch.rows[row]
        if operation.barrier_object:
            text = self.objects.what_is_missing(what)
        elif operation.meets.among == "block":
            text = f"barrier {what}"
        elif operation.meets.among == "cluster":
            text = self.cluster.awaited()
        else:
            text = f"{operation} with mask {what & _WORD:#x}"
        locations = self.launch.program.locations
        location = locations[row] if locations else None
        return Waiting(self.index, self.grid.thread_index(thread.number), text, row, location)


def _lanes(threads, width: int) -> int:
    return sum(1 << thread.number % width for thread in threads)


@cache
def _combination(row: Operation) -> Callable[[int, int], int]:
    """What a row of redux makes of one more value and of those before."""
    return eval(f"lambda a, gathered: {parsed(row.meaning).value.text}", dict(NAMESPACE))


def _operands(fragments: list[Fragment]) -> Iterator[tuple[str, int]]:
    """Of all, in order: the fragment's name, which of its operands."""
    for fragment in fragments:
        yield from ((fragment.name, k) for k in range(len(fragment.operands)))


_NAMES = dict(NAMESPACE)


@cache
def _code(row: Operation):
    """A meaning that can be executed."""
    return compile(row.meaning, row.name, "exec")


def _row_of(error: Exception, launch: Launch) -> int:
    """The row whose code raised an exception, or that is to blame for it."""
    if hasattr(error, "row"):
        return error.row
    name, trace = source_name(launch.kernel), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            return launch.generated.points[trace.tb_lineno]
        trace = trace.tb_next
    raise error


def run_together(blocks: Sequence[BlockRun], backward: bool) -> Outcome | None:
    """Run blocks that may wait for each other, in turn; None if all come to their ends."""
    while any(block.ready for block in blocks):
        for block in blocks:
            outcome = block.go_round(backward, SHORT_TURN)
            if outcome is not None:
                return outcome
        for block in blocks:  # whom the last one has let go
            block.ready = block.released()
    found = (block.stuck() for block in blocks)
    return next((one for one in found if one is not None), None)
