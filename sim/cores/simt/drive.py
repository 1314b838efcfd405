"""The SIMT core with a program in memory: built before time starts, then advanced from outside.

core = SimtCore(program, machine, memory)
core.start(0, "saxpy", Grid((128, 1, 1), (256, 1, 1)), param)
while (status := core.advance(until)) == QUANTUM: ...
core.finished()                                     # [0]: grid 0 has ended
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from machines.diagnostics import Location, input_error
from machines.kinds.simt import clusters
from machines.kinds.simt.copy_faults import RACES, missing
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.occupancy import occupancy
from machines.kinds.simt.program import Kernel, WarpProgram
from machines.kinds.simt.reconvergence import (
    COUNT,
    HELD,
    LANES,
    LIVE,
    MASK,
    MEETING,
    PC,
    STANDS_AT,
    STATE,
    SYNCING,
    TAG,
)
from machines.layout import Memory
from machines.threads.grid import Grid, Triple
from sim.cores.kept_arrays import arrays_of, with_arrays
from sim.cores.rest import Plain
from sim.cores.returned import STUCK
from sim.cores.simt import state as at
from sim.cores.simt.build import build_state, grow_for
from sim.cores.simt.decode import Decoded
from sim.cores.simt.parts import Parts
from sim.cores.simt.timeline import Noted, Timeline
from sim.cores.simt.units.barriers import ARRIVAL, BARRIER, BARRIERS
from sim.cores.simt.units.block_dispatcher import (
    BLOCK,
    DISPATCH,
    DISPATCHED,
    GRID,
    RESIDENT,
    SLOTS,
    SM,
)
from sim.cores.simt.units.clusters import (
    BLOCK_CLUSTER,
    GRID_CLUSTER,
    WARP_CLUSTER,
    latency_of,
)
from sim.cores.simt.units.clusters import KINDS as CLUSTER_KINDS
from sim.cores.simt.units.faults import FAULT, FAULTS, MET, WITHOUT_ADDRESS
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import SM_STORES, SPANS
from sim.cores.simt.units.mbarriers import HELD as AT_OBJECT
from sim.cores.simt.units.multiprocessor import ADVANCE, NOW, SIZE
from sim.cores.simt.units.stalls import IDLE, WAIT
from sim.cores.simt.units.trace import TRACE, TRACED
from sim.cores.simt.write_core import load_core
from sim.engine import Carried
from sim.timeline.span import Happening
from sim.timeline.window import TraceWindow


@dataclass(frozen=True, slots=True)
class ThreadFault:
    """Why a thread could not go on.

    kind     'out of bounds', 'misaligned', 'division by zero', 'trap', …
    pc       of the instruction; `location`: where it is in the source
    address  of the access, as the instruction named it; None where there is none
    grid, block, thread   the number that `start` gave the grid; indices in it
    copy     of a race: where the copy stands that it is with
    """

    kind: str
    pc: int
    location: Location | None
    address: int | None
    grid: int
    block: Triple
    thread: Triple
    cycle: int
    copy: Location | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Threads of a warp that wait for something that cannot come any more.

    what   'barrier 0', 'convergence barrier 3', 'lanes 0xffff of its warp'
    lanes  bit mask of them; their threads are those of the warp times its width, and on
    pc     the instruction they wait in
    """

    grid: int
    block: Triple
    warp: int
    lanes: int
    what: str
    pc: int
    location: Location | None


class SimtCore(Carried):
    """All SMs of a machine and their memory system; `state` is all there is to know about them."""

    def __init__(
        self,
        program: WarpProgram,
        machine: Simt,
        memory: Memory,
        *,
        trace_events: int = 0,
        threads: int = 1,
        window: TraceWindow | None = None,
    ):
        """`trace_events`: rows that there is room for between two `happened` (0: no trace).
        `window`: the part of the timeline that is wanted.
        `threads`: of the host, no more than there are SMs; with a trace it is one."""
        self._threads = 1 if trace_events else min(threads, machine.sms)
        self.program, self.machine, self.memory = program, machine, memory
        addresses = {name: _symbol_address(name, memory) for name in program.symbols}
        self.decoded = Decoded(program, machine, addresses, len(memory.starts), trace_events)
        self._core = load_core()
        self._take(build_state(self.decoded, memory))
        self._noted = Noted(window, machine.sms)
        self._timeline: Timeline | None = None
        self._ended_notes: list[Iterator[Happening]] = []
        self._run_ahead = int(self.state.parameters[ADVANCE.WINDOW])
        self._grids: list[Grid] = []
        self._ended: set[int] = set()

    def _take(self, state: at.CoreState) -> None:
        self.state, self._parts = state, Parts(self._core, state, self._threads)
        self._table = self._parts.tables[0]

    def _do(self, name: str, *numbers: int) -> int:
        """Let the jitted core do something with the state."""
        return self._core[name](self._table, *numbers)

    @property
    def cycle(self) -> int:
        """The cycle up to which everything has happened."""
        return int(self.state.scalars[NOW.CYCLE])

    @property
    def issued(self) -> int:
        """Warp instructions so far."""
        return int(self.state.executed.sum())

    def at_rest(self) -> Plain:
        grids = [[g.blocks, g.threads, g.dynamic_shared, g.in_clusters] for g in self._grids]
        return {"grids": grids, "arrays": arrays_of(self.state, at.FIXED)}

    def restore(self, state: Plain) -> None:
        self._grids = [
            Grid((*blocks,), (*threads,), dynamic, (*cluster,) if cluster else None)
            for blocks, threads, dynamic, cluster in state["grids"]
        ]
        if any(grid.cluster_size > 1 for grid in self._grids):
            self._threads = 1
        self._take(with_arrays(self.state, state["arrays"], at.FIXED, at.GROW))
        self._ended = set(range(len(self._grids)))

    def wait_until(self, cycle: int) -> None:
        """Nothing happens up to a cycle: no grid runs."""
        self.state.scalars[NOW.CYCLE] = max(self.cycle, cycle)

    def start(self, number: int, kernel: str, grid: Grid, param: bytes) -> None:
        """Let the blocks of a grid begin from the current cycle on.

        number  names the grid in `finished`, faults and reports; larger than those before
        param   the kernel's parameter space, addresses already put in
        Grids run side by side; blocks of one started earlier go first where both could.
        Raises InputError if a block does not fit an SM, or its clusters do not fit the machine.
        """
        self._note_or_not()
        described, machine = self.program.kernels[kernel], self.machine
        grid = clusters.clustered(described.frame, grid)
        if found := clusters.objection(machine, described.frame, grid):
            raise input_error(found[0], described.location, hint=found[1])
        shared = described.frame.shared_bytes(grid.dynamic_shared)
        if objection := described.frame.objection(grid.threads):
            message, hint = objection
            raise input_error(message, described.location, hint=hint)
        found = occupancy(
            machine, grid.block_threads, described.registers, shared, described.location
        )
        if described.frame.meets and grid.block_count > found.ctas * machine.sms:
            message = f"{grid.block_count} blocks wait for each other, and no more than "
            message += f"{found.ctas * machine.sms} are resident at once"
            raise input_error(message, described.location, hint="launch fewer blocks")
        local = -(-described.frame.local // 16) * 16
        if grid.cluster_size > 1:
            self._meet_across_sms()
        self._take(grow_for(self.state, machine, shared, local, param))
        state = self.state
        position = int(state.scalars[DISPATCHED.GRIDS])
        columns = state.grids.reshape(-1, at.GRID_COLUMNS)[position]
        limits, width = machine.limits, machine.warp_width
        registers = -(-width * described.registers // limits.register_unit) * limits.register_unit
        taken = -(-(shared + limits.shared_reserved) // limits.shared_unit) * limits.shared_unit
        for column, value in (
            (GRID.NUMBER, number),
            (GRID.BLOCKS, grid.block_count),
            (GRID.LEFT, grid.block_count),
            (GRID.THREADS, grid.block_threads),
            (GRID.WARPS, -(-grid.block_threads // width)),
            (GRID.REGISTERS, registers),
            (GRID.SHARED, shared),
            (GRID.SHARED_TAKEN, taken if shared else 0),
            (GRID.FIRST_PC, described.first),
            (GRID.LOCAL, local),
            (GRID.LOCAL_BYTES, described.frame.local),
            (GRID.PARAMETERS, len(state.param) - _padded(param)),
            (GRID.PARAMETER_BYTES, len(param)),
            (GRID.BEGAN, self.cycle),
            (GRID.CARVE_OUT, found.carve_out),
            (GRID.DYNAMIC, grid.dynamic_shared),
            (GRID.STORED, 0),
        ):
            columns[column] = value
        columns[GRID_CLUSTER.SIZE] = grid.cluster_size
        columns[GRID_CLUSTER.IS_SAID] = grid.in_clusters is not None
        columns[int(GRID_CLUSTER.EXTENT) :][:3] = grid.cluster_extents
        columns[int(GRID.GRID_EXTENT) :][:3] = grid.blocks
        columns[int(GRID.BLOCK_EXTENT) :][:3] = grid.threads
        state.scalars[DISPATCHED.GRIDS] += 1
        state.scalars[DISPATCHED.GRIDS_LEFT] += 1
        self._grids.append(grid)
        self._dispatch_blocks(found.carve_out)

    def _meet_across_sms(self) -> None:
        """From now on SMs begin things on others: one thread of the host has them all, and none
        runs farther ahead than what others begin there comes later."""
        self._threads = 1
        latest = min(latency_of(self.decoded), self.machine.dispatch.latency)
        self._run_ahead = max(1, min(self._run_ahead, latest))
        if self._timeline is None:
            self.state.parameters[ADVANCE.WINDOW] = self._run_ahead

    def _dispatch_blocks(self, carve_out: int) -> None:
        """Begin blocks; SMs without any take the carve-out first."""
        sms = self.state.sms.reshape(-1, at.SM_COLUMNS)
        for sm in range(self.machine.sms):
            if sms[sm, SM.BLOCKS] == 0:
                sms[sm, SM.CARVE_OUT] = carve_out
                self._do("divide_memory", sm, carve_out)
        self._do("dispatch_blocks", self.cycle)

    def advance(self, until: int) -> int:
        """Run until cycle `until`.

        Returns QUANTUM (there, or a grid has ended: `cycle` says which cycle it is), DONE (no grid
        is left; `cycle` is that of the last end), FAULTED or STUCK.
        """
        self._note_or_not()
        if self.decoded.trace_events:
            until = min(until, self._noted.stretch.change(self.cycle))
        status = self._parts.advance(until)
        while status == STUCK and self._next_carve_out():
            status = self._parts.advance(until)
        return status

    def _note_or_not(self) -> None:
        """Begin or end to note what happens, as it is wanted of the current cycle."""
        if self.decoded.trace_events:
            wanted = self._noted.stretch.holds(self.cycle)
            if wanted and self._timeline is None:
                self._begin_noting()
            elif not wanted and self._timeline is not None:
                self._end_noting()

    def _begin_noting(self) -> None:
        """Who sees everything happen sees it in the order of cycles: no SM runs ahead."""
        parameters = self.state.parameters
        parameters[TRACE.TRACES], parameters[ADVANCE.WINDOW] = self.decoded.trace_events, 1
        self._timeline = Timeline(self.decoded)
        if self._grids:
            self._tell_what_is_there(self._timeline)

    def _tell_what_is_there(self, timeline: Timeline) -> None:
        """Warps and barriers of which it is to be told that have begun before."""
        state = self.state
        blocks = state.blocks.reshape(-1, at.BLOCK_COLUMNS)
        grids = state.grids.reshape(-1, at.GRID_COLUMNS)
        slots = int(state.parameters[DISPATCH.BLOCK_SLOTS])
        for warp in self.live_warps():
            sm, slot = self.place(warp)
            own = self._warps()[warp]
            block = blocks[own[RESIDENT.BLOCK]]
            if self._noted.sms[sm]:
                timeline.is_there(
                    sm, slot, int(own[WAIT.SINCE]), int(state.next_pcs[warp]),
                    int(own[RESIDENT.BLOCK]) % slots, int(block[BLOCK.INDEX]),
                    int(block[BLOCK.BEGAN]), int(grids[block[BLOCK.GRID], GRID.WARPS]),
                )  # fmt: skip
        count = int(state.parameters[BARRIERS.COUNT])
        barriers = state.barriers[: len(blocks) * count * at.BARRIER_COLUMNS]
        barriers = barriers.reshape(len(blocks), count, at.BARRIER_COLUMNS)
        for number, which in np.argwhere(barriers[:, :, ARRIVAL.ARRIVED] > 0).tolist():
            sm, slot = divmod(number, slots)
            if self._noted.sms[sm] and blocks[number, BLOCK.GRID] >= 0:
                threads = int(barriers[number, which, ARRIVAL.ARRIVED])
                index = int(blocks[number, BLOCK.INDEX])
                timeline.have_come(sm, slot, which, index, self.cycle, threads)

    def _end_noting(self) -> None:
        """All that is under way is told up to here."""
        assert self._timeline is not None
        timeline, rows = self._timeline, self._rows()
        self._do("note_waits", self.cycle)
        warp = int(self.state.scalars[MET.WARP])
        is_fault = self.state.scalars[MET.FAULT] != FAULT.NO_FAULT
        end = timeline.end(self._rows(), self.cycle, self.place(warp) if is_fault else None)
        self._ended_notes += [timeline.of(rows), end]
        self.state.parameters[TRACE.TRACES] = 0
        self.state.parameters[ADVANCE.WINDOW] = self._run_ahead
        self._timeline = None

    def _next_carve_out(self) -> bool:
        """Whether blocks could begin that waited for SMs to be divided in another way."""
        grids = self.state.grids.reshape(-1, at.GRID_COLUMNS)[: len(self._grids)]
        sms = self.state.sms.reshape(-1, at.SM_COLUMNS)
        waiting = grids[grids[:, GRID.NEXT_BLOCK] < grids[:, GRID.BLOCKS]]
        if len(waiting) == 0 or sms[:, SM.BLOCKS].any():
            return False
        self._dispatch_blocks(int(waiting[0, GRID.CARVE_OUT]))
        return True

    def finished(self) -> list[int]:
        """Numbers of the grids that have ended since the last call."""
        grids = self.state.grids.reshape(-1, at.GRID_COLUMNS)[: len(self._grids)]
        ended = []
        for position, columns in enumerate(grids.tolist()):
            if columns[GRID.LEFT] == 0 and position not in self._ended:
                self._ended.add(position)
                ended.append(columns[GRID.NUMBER])
        return ended

    @property
    def resident_cycles(self) -> int:
        """Cycles of all warps from their beginning up to where they are charged."""
        own = self._warps()[self.live_warps()]
        gone = int(self.state.scalars[DISPATCHED.RESIDENT_CYCLES])
        return gone + int((own[:, WAIT.SINCE] - own[:, RESIDENT.STARTED]).sum())

    @property
    def core_cycles(self) -> int:
        """Cycles of all sub-cores up to where they are charged."""
        return int(self.state.subcores.reshape(-1, at.SUBCORE_COLUMNS)[:, IDLE.SINCE].sum())

    def settle(self) -> None:
        """Charge all cycles up to now, so that the sums are whole."""
        self._do("settle", self.cycle)

    def running(self, number: int) -> tuple[Kernel, Grid]:
        """The kernel of a grid that has begun, and the grid, by the grid's number."""
        grids = self.state.grids.reshape(-1, at.GRID_COLUMNS)[: len(self._grids)]
        position = grids[:, GRID.NUMBER].tolist().index(number)
        first = int(grids[position, GRID.FIRST_PC])
        kernel = next(k for k in self.program.kernels.values() if k.first == first)
        return kernel, self._grids[position]

    @property
    def fault(self) -> ThreadFault | None:
        """The fault that ended the run."""
        scalars = self.state.scalars
        number = int(scalars[MET.FAULT])
        if number == FAULT.NO_FAULT:
            return None
        names = (*FAULTS, *self.decoded.faults)
        pc, warp = int(scalars[MET.PC]), int(scalars[MET.WARP])
        grid, block, first = self.identity(warp)
        has_address = number < len(FAULTS) and number not in WITHOUT_ADDRESS
        return ThreadFault(
            names[number],
            pc,
            self.location(pc),
            int(scalars[MET.ADDRESS]) if has_address else None,
            grid,
            block,
            self._grid_of(warp).thread_index(first + int(scalars[MET.LANE])),
            int(scalars[MET.CYCLE]),
            self.location(int(scalars[MET.OTHER])) if names[number] in RACES else None,
        )

    def location(self, pc: int) -> Location | None:
        """Where in the source an instruction comes from."""
        locations = self.program.locations
        return locations[pc] if 0 <= pc < len(locations) else None

    def _grid_of(self, warp: int) -> Grid:
        return self._grids[int(self._warps()[warp, RESIDENT.GRID])]

    def identity(self, warp: int) -> tuple[int, Triple, int]:
        """Number of the grid, index of the block, number of the first thread of a warp."""
        columns = self._warps()[warp]
        grids = self.state.grids.reshape(-1, at.GRID_COLUMNS)
        blocks = self.state.blocks.reshape(-1, at.BLOCK_COLUMNS)
        number = int(grids[columns[RESIDENT.GRID], GRID.NUMBER])
        block = int(blocks[columns[RESIDENT.BLOCK], BLOCK.INDEX])
        first = int(columns[RESIDENT.NUMBER]) * self.machine.warp_width
        return number, self._grid_of(warp).block_index(block), first

    def _warps(self) -> np.ndarray:
        return self.state.warps.reshape(-1, at.WARP_COLUMNS)

    def live_warps(self) -> list[int]:
        """Numbers of the warps that are resident, in the order of SMs and of their slots."""
        subcore_warps = self.machine.limits.warps // self.machine.subcores
        resident = self.state.subcores.reshape(-1, at.SUBCORE_COLUMNS)[:, SLOTS.RESIDENT]
        found = [
            subcore * subcore_warps + bit
            for subcore, bits in enumerate(resident.tolist())
            if bits
            for bit in range(subcore_warps)
            if bits >> bit & 1
        ]
        return sorted(found, key=self.place)

    def place(self, warp: int) -> tuple[int, int]:
        """A warp's SM and its slot there."""
        machine = self.machine
        core, bit = divmod(warp, machine.limits.warps // machine.subcores)
        sm, subcore = divmod(core, machine.subcores)
        return sm, bit * machine.subcores + subcore

    def who_waits(self) -> str:
        waiting = self.stuck_report()
        lines = [
            f"block {one.block} warp {one.warp}, lanes {one.lanes & 0xFFFF_FFFF_FFFF_FFFF:#x}, "
            f"at {one.location or f'pc {one.pc}'}: waits for {one.what}"
            for one in waiting[:MOST_NAMED]
        ]
        more = len(waiting) - len(lines)
        if more:
            lines.append(f"and {more} more")
        return "no thread can ever go on:\n    " + "\n    ".join(lines)

    def stuck_report(self) -> list[Waiting]:
        """Who waits where, when `advance` has returned STUCK."""
        groups = self.state.groups
        found = []
        for warp in self.live_warps():
            grid, block, _ = self.identity(warp)
            number = int(self._warps()[warp, RESIDENT.NUMBER])
            for group in groups.waiting[warp, : groups.running[warp, COUNT]].tolist():
                pc, lanes, state, tag = (group[c] for c in (STANDS_AT, LANES, STATE, TAG))
                if state == HELD:
                    pc -= 1
                    what = self._held_at(warp, pc)
                elif state == SYNCING:
                    pc -= 1
                    what = f"convergence barrier {tag}"
                elif state == MEETING:
                    what = f"lanes {tag & (1 << self.machine.warp_width) - 1:#x} of its warp"
                else:
                    what = "the lanes above it"
                found.append(Waiting(grid, block, number, lanes, what, pc, self.location(pc)))
        found.sort(key=lambda one: (one.grid, one.block[::-1], one.warp, one.pc, one.lanes))
        return found

    def _held_at(self, warp: int, pc: int) -> str:
        """What lanes of a warp wait for at a barrier."""
        columns = self.decoded.code.reshape(-1, at.CODE_COLUMNS)[pc]
        if columns[INSTRUCTION.KIND] != CLUSTER_KINDS.WAIT:
            return f"barrier {columns[BARRIER.NUMBER]}"
        return clusters.awaited_text(self._not_come(int(self._warps()[warp, RESIDENT.BLOCK])))

    def _not_come(self, block: int) -> dict[Triple, int]:
        """How many threads of each block of a block's cluster have not come to its barrier."""
        blocks, warps = self.state.blocks.reshape(-1, at.BLOCK_COLUMNS), self._warps()
        cluster = blocks[block, BLOCK_CLUSTER.CLUSTER]
        found: dict[Triple, int] = {}
        for warp in self.live_warps():
            if blocks[warps[warp, RESIDENT.BLOCK], BLOCK_CLUSTER.CLUSTER] == cluster:
                live = int(self.state.groups.running[warp, LIVE])
                missing = (live & ~int(warps[warp, WARP_CLUSTER.PENDING])).bit_count()
                _, index, _ = self.identity(warp)
                if missing:
                    found[index] = found.get(index, 0) + missing
        return found

    def where_it_loops(self) -> str:
        lines = [f"the threads loop at {'; '.join(self._positions()[:MOST_NAMED])}"]
        lines += [
            f"block {one.block} warp {one.warp} at {one.location or f'pc {one.pc}'} waits for "
            f"{one.what}"
            for one in self.at_objects()[:MOST_NAMED]
        ]
        return ";\n    ".join(lines)

    def at_objects(self) -> list[Waiting]:
        """The warps that wait for phases of barrier objects, and what these wait for."""
        found = []
        stride = int(self.state.parameters[SPANS.SHARED_STRIDE])
        for warp in self.live_warps():
            columns = self._warps()[warp]
            if columns[AT_OBJECT.OFFSET] == 0:
                continue
            offset, slot = int(columns[AT_OBJECT.OFFSET]) - 1, int(columns[RESIDENT.BLOCK])
            first = slot * stride + offset
            word = int.from_bytes(self.state.shared[first : first + 8].tobytes(), "little")
            grid, block, _ = self.identity(warp)
            pc, lanes = (int(self.state.groups.running[warp, column]) for column in (PC, MASK))
            place = self.location(pc)
            number = int(columns[RESIDENT.NUMBER])
            found.append(Waiting(grid, block, number, lanes, missing(offset, word), pc, place))
        return found

    def _positions(self) -> list[str]:
        """Where the live warps are: locations, or names of blocks, each once."""
        pcs = sorted(
            {int(pc) for pc in self.state.groups.running[self.live_warps(), PC] if pc >= 0}
        )
        labels = sorted(self.program.labels)
        names = []
        for pc in pcs:
            before = [label for label in labels if label <= pc]
            location = self.location(pc)
            name = str(location) if location else f"pc {pc}"
            if location is None and before:
                name = self.program.labels[before[-1]]
            if name not in names:
                names.append(name)
        return names

    def fingerprint(self) -> tuple | None:
        """What a livelock repeats: registers, program counters and memory of every space (equal
        means the machine is where it was, whatever the clock says).  None while it cannot be
        one."""
        warps, state = self.live_warps(), self.state
        if not warps:
            return None
        parameters, groups = state.parameters, state.groups
        first, stride = int(parameters[SIZE.REGISTERS_AT]), int(parameters[SIZE.REGISTER_STRIDE])
        masks = state.masks[2:].reshape(-1, int(parameters[SIZE.PREDICATE_STRIDE]))
        words = state.words[first:].reshape(-1, stride)
        parts = (words[warps], masks[warps], groups.running[warps][:, [PC, MASK]])
        waiting = [
            groups.waiting[w, :n, [STANDS_AT, LANES]].tobytes()
            for w, n in zip(warps, groups.running[warps, COUNT].tolist(), strict=True)
        ]
        blocks = int(state.scalars[DISPATCHED.BLOCKS_RUN])
        spaces = (state.bytes, state.shared, state.local)
        writes = int(state.sms.reshape(-1, at.SM_COLUMNS)[:, SM_STORES.COUNT].sum())
        if sum(space.size for space in spaces) < SMALL_MEMORY:
            writes = hash(tuple(hash(space.tobytes()) for space in spaces))
        return (*(hash(part.tobytes()) for part in parts), hash(tuple(waiting)), blocks, writes)

    def happened(self) -> Iterable[Happening]:
        for one in self._ended_notes:
            yield from one
        self._ended_notes = []
        if self._timeline is not None:
            yield from self._timeline.of(self._rows())

    def still_happens(self) -> Iterable[Happening]:
        if self._timeline is not None:
            self._end_noting()
        yield from self.happened()

    def _rows(self) -> np.ndarray:
        """int64[rows, EVENT_COLUMNS]: what was noted since the last call."""
        count = int(self.state.scalars[TRACED.COUNT])
        rows = self.state.events.reshape(-1, at.EVENT_COLUMNS)[:count]
        assert len(rows) == count, "more was noted between two calls than there is room for"
        self.state.scalars[TRACED.COUNT] = 0
        return self._noted.wanted(rows)


MOST_NAMED = 8
"""Warps or positions that a report names."""
SMALL_MEMORY = 1 << 24
"""Bytes of memory up to which a livelock is seen by what is in memory, not by what was written."""


def _padded(param: bytes) -> int:
    return -(-max(len(param), 1) // 8) * 8


def _symbol_address(name: str, memory: Memory) -> int:
    if name not in memory.placements:
        raise input_error(
            f"the program uses the address of '{name}', which is no buffer in memory",
            hint=f"buffers: {', '.join(memory.placements) or 'none'}",
        )
    return memory.address(name)
