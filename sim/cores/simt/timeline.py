"""The timeline of a SIMT machine, made of the rows that its core notes (`cycle.trace`).

    SM 0   warp 3        ├ fma ┤ wait ├ ld.global ┤ long_scoreboard ┤ not_selected ├ add …
           sub-core 1/fma   ├ fma ┤                                                ├ add …
           memory                        ├ ld.global ─────────────┤
           block slot 0  ├ block 7 ────────────────────────────────────────── …
           block slot 0/barrier 0               ├ phase ┤

What a warp waits for is worked out when it issues again, of what `cycle.stalls` charges then, and
by the same rules.  Cycles in which its pipe took nothing stand before those in which other warps
were picked, in whatever order they came.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.decode import Decoded
from sim.cores.simt.unit import STEP, STEP_BITS
from sim.cores.simt.units.block_dispatcher import DISPATCHED
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, SPACES
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.trace import EVENT, NOT_SERVED
from sim.timeline.declared import COUNT, CYCLES, Event, Sum, TrackFamily
from sim.timeline.span import Happening, Instant, Span, Track
from sim.timeline.window import EVERYTHING, TraceWindow

TRACKS = (
    TrackFamily("sm", "A streaming multiprocessor."),
    TrackFamily("warp", "A slot of it for a warp.", "sm"),
    TrackFamily("subcore", "A sub-core of it.", "sm"),
    TrackFamily("pipe", "A pipe of a sub-core.", "subcore"),
    TrackFamily("memory", "Its accesses to memory.", "sm", overlaps=True),
    TrackFamily("block slot", "A slot of it for a block of threads.", "sm"),
    TrackFamily("barrier", "A barrier of a block.", "block slot"),
)
AT = ("pc", "at", "operation", "location")
"""Where in the program: the label before it, and the line of the source."""
SPANS = (
    Event("issue", ("executed", *AT), "A warp issues an instruction; 'executed' is 0 if lanes are "
          "missing that are to execute it, too.", "warp", lasts=True, label="operation"),
    Event("stall", ("reason", *AT), "A warp waits, in or for an instruction.", "warp",
          lasts=True, label="reason", waits=True),
    Event("pipe", AT, "A pipe serves an instruction.", "pipe", lasts=True, label="operation"),
    Event("access", ("space", *AT), "From when an access leaves its pipe until its data may be "
          "used, or a store has arrived.", "memory", lasts=True, label="operation"),
    Event("block", ("block", "warps"), "A block runs.", "block slot", lasts=True, label="block"),
    Event("barrier phase", ("block", "threads", "until"), "From the first thread that comes to a "
          "barrier to the last; they may go on in cycle 'until', if it has opened.", "barrier",
          lasts=True),
)  # fmt: skip
EVENTS = (*told.EVENTS, *SPANS)


def _stalls(run: Any) -> dict[str, int]:
    sums = run.stalls.sum(axis=0).tolist()
    return {reason.name: sums[k] for k, reason in enumerate(why.REASONS) if k != why.SELECTED}


SUMS = (
    Sum("instructions issued = executed", "issue", "executed",
        lambda run: int(run.executed.sum())),
    Sum("cycles of issue = selected", "issue", CYCLES,
        lambda run: int(run.stalls[:, why.SELECTED].sum())),
    Sum("cycles of stalls by reason", "stall", CYCLES, _stalls, by="reason"),
    Sum("blocks", "block", COUNT, lambda run: int(run.state.scalars[DISPATCHED.BLOCKS_RUN])),
    Sum("warps of blocks", "block", "warps",
        lambda run: int(run.state.scalars[DISPATCHED.WARPS_RUN])),
)  # fmt: skip
NAMES_OF_SPACES = {number: name for name, number in SPACES.items()}


@dataclass(slots=True)
class _Warp:
    """A warp slot that is in use.

    slot   of its block
    since  the cycle up to which everything is told
    pc     of what it issued last
    issue  the row of that, if it has not been told: an issue may be tried again in its cycle
    """

    track: Track
    slot: tuple[int, int]
    since: int
    pc: int
    issue: Sequence[int] | None = None


@dataclass(slots=True)
class _Block:
    """A block that runs: its index, when it began, its warps, and those that have not left."""

    index: int
    begin: int
    warps: int = 0
    left: int = 0


@dataclass(slots=True)
class _Phase:
    """Of a barrier to which threads have come."""

    block: int
    begin: int
    threads: int = 0


class Noted:
    """What is noted of a run: its cycles; by SM, whether anything of it is.

    sms  bool[SMs]
    """

    def __init__(self, window: TraceWindow | None, sms: int):
        self.stretch = EVERYTHING if window is None else window.stretch
        wanted = [window is None or window.may_want(_name_of_sm(sm)) for sm in range(sms)]
        self.sms = np.array(wanted)
        self._is_all = all(wanted)

    def wanted(self, rows: np.ndarray) -> np.ndarray:
        """A copy of those that are."""
        return rows.copy() if self._is_all else rows[self.sms[rows[:, EVENT.SM]]]


class Timeline:
    """Of a run of a program, from the cycle in which it is made."""

    def __init__(self, decoded: Decoded):
        self._decoded, self._program = decoded, decoded.program
        self._code = decoded.code.reshape(-1, at.CODE_COLUMNS)
        self._heads = sorted(decoded.program.labels)
        self._tracks: dict[tuple[Any, ...], Track] = {}
        self._arguments: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._warps: dict[tuple[int, int], _Warp] = {}
        self._blocks: dict[tuple[int, int], _Block] = {}
        self._phases: dict[tuple[int, int, int], _Phase] = {}

    def is_there(
        self, sm: int, slot: int, since: int, pc: int,
        block_slot: int, block: int, began: int, warps: int,
    ) -> None:  # fmt: skip
        """A warp that has begun before: what it waits for is to be told from cycle `since` on."""
        place = sm, block_slot
        self._warps[sm, slot] = _Warp(self._track_of_warp(sm, slot), place, since, pc)
        if place not in self._blocks:
            self._blocks[place] = _Block(block, began, warps)
        self._blocks[place].left += 1

    def have_come(
        self, sm: int, slot: int, barrier: int, block: int, cycle: int, threads: int
    ) -> None:
        """Threads that have come to a barrier before; it is not known when."""
        self._phases[sm, slot, barrier] = _Phase(block, cycle, threads)

    def of(self, rows: np.ndarray) -> Iterator[Happening]:
        """int64[rows, EVENT_COLUMNS], in the order in which they were noted."""
        for row in rows.tolist():
            kind = row[EVENT.KIND]
            if kind == told.ISSUED:
                yield from self._issued(row)
            elif kind < len(told.EVENTS):
                yield self._event(row)
            elif kind == told.WARP_BEGUN:
                self._begun(row)
            elif kind == told.WARP_LEFT:
                yield from self._left(row)
            elif kind == told.ARRIVED:
                self._arrived(row)
            elif kind == told.OPENED:
                yield from self._opened(row)

    def end(
        self, rows: np.ndarray, cycle: int, fault: tuple[int, int] | None
    ) -> Iterator[Happening]:
        """What there still is where the run ends: rows of warps that wait.

        fault  SM and slot of the warp whose instruction could not be carried out
        """
        for row in rows.tolist():
            place = row[EVENT.SM], row[EVENT.SLOT]
            warp = self._warps[place]
            if place == fault:
                warp.issue = None
            yield from self._issue(warp)
            yield from self._waited(warp, row, max(cycle, row[EVENT.SINCE]))
        for slot, block in self._blocks.items():
            yield self._block(slot, block, max(cycle, block.begin))
        for key, phase in self._phases.items():
            yield self._phase(key, phase, max(cycle, phase.begin), None)

    # Warps

    def _event(self, row: Sequence[int]) -> Instant:
        sm, slot, pc = row[EVENT.SM], row[EVENT.SLOT], row[EVENT.PC]
        where = self._at(pc)
        arguments = {
            "sm": sm,
            "warp": slot,
            "block": row[EVENT.BLOCK],
            "pc": pc,
            "at": where["at"],
            "lanes": f"{row[EVENT.LANES] & 0xFFFF_FFFF_FFFF_FFFF:#x}",
            "location": where["location"],
        }
        name = told.EVENTS[row[EVENT.KIND]].name
        return Instant(self._track_of_warp(sm, slot), row[EVENT.CYCLE], name, arguments)

    def _begun(self, row: Sequence[int]) -> None:
        sm, begin = row[EVENT.SM], row[EVENT.CYCLE]
        place, slot = (sm, row[EVENT.SLOT]), (sm, row[EVENT.BLOCK_SLOT])
        track = self._track_of_warp(*place)
        self._warps[place] = _Warp(track, slot, begin, row[EVENT.PC])
        if slot not in self._blocks:
            self._blocks[slot] = _Block(row[EVENT.BLOCK], begin)
        self._blocks[slot].warps += 1
        self._blocks[slot].left += 1

    def _issued(self, row: list[int]) -> Iterator[Span]:
        yield from self._served(row)
        warp = self._warps[row[EVENT.SM], row[EVENT.SLOT]]
        before = warp.issue
        if before is not None and before[EVENT.CYCLE] == row[EVENT.CYCLE]:
            # It was not its turn: now it is, and what it waited for was charged the first time.
            warp.issue = row
            return
        yield from self._issue(warp)
        yield from self._waited(warp, row, row[EVENT.CYCLE])
        warp.issue = row

    def _left(self, row: Sequence[int]) -> Iterator[Span]:
        warp = self._warps.pop((row[EVENT.SM], row[EVENT.SLOT]))
        yield from self._issue(warp)
        yield from self._waited(warp, row, row[EVENT.CYCLE])
        block = self._blocks[warp.slot]
        block.left -= 1
        if not block.left:
            del self._blocks[warp.slot]
            yield self._block(warp.slot, block, row[EVENT.CYCLE])

    def _issue(self, warp: _Warp) -> Iterator[Span]:
        """What a warp issued last."""
        row, warp.issue = warp.issue, None
        if row is None:
            return
        pc, cycle, code = row[EVENT.PC], row[EVENT.CYCLE], self._code[row[EVENT.PC]]
        warp.pc, end = pc, cycle + int(code[INSTRUCTION.SLOTS])
        is_access = code[INSTRUCTION.KIND] >> STEP_BITS == STEP.ACCESSES
        served = row[EVENT.SERVED]
        executed = int(is_access or served != NOT_SERVED)
        yield Span(warp.track, cycle, end, "issue", self._at(pc, "executed", executed))
        warp.since = end + row[EVENT.CONFLICTS]
        if warp.since > end:
            yield self._stall(warp, end, warp.since, why.DISPATCH_STALL, pc)

    def _served(self, row: Sequence[int]) -> Iterator[Span]:
        """What pipe and memory do for an instruction."""
        pc, served, code = row[EVENT.PC], row[EVENT.SERVED], self._code[row[EVENT.PC]]
        if served == NOT_SERVED:
            return
        sm, taken = row[EVENT.SM], served - int(code[USE.INTERVAL])
        pipe = self._pipe(sm, row[EVENT.SLOT] % self._decoded.machine.subcores, code[USE.PIPE])
        yield Span(pipe, taken, served, "pipe", self._at(pc))
        if row[EVENT.DONE] != NOT_SERVED:
            arguments = self._at(pc, "space", NAMES_OF_SPACES[int(code[ACCESS.SPACE])])
            memory = self._track((sm, "memory"), "memory", "memory", self._sm(sm))
            yield Span(memory, taken, row[EVENT.DONE], "access", arguments)

    def _waited(self, warp: _Warp, row: Sequence[int], end: int) -> Iterator[Span]:
        """What a warp has waited for since it issued, up to a cycle."""
        pc = row[EVENT.PC]
        for until, reason, where in (
            (row[EVENT.HELD], row[EVENT.HOLD_REASON], warp.pc),
            (row[EVENT.CHECK], why.RECONVERGENCE_CHECK, warp.pc),
            (row[EVENT.READY], row[EVENT.WAIT_REASON], pc),
        ):
            yield from self._up_to(warp, min(until, end), reason, where)
        if warp.since < end:
            throttled = warp.since + row[EVENT.THROTTLED]
            yield from self._up_to(warp, throttled, row[EVENT.THROTTLE], pc)
            yield from self._up_to(warp, end, why.NOT_SELECTED, pc)

    def _up_to(self, warp: _Warp, end: int, reason: int, pc: int) -> Iterator[Span]:
        if warp.since < end:
            yield self._stall(warp, warp.since, end, reason, pc)
            warp.since = end

    def _stall(self, warp: _Warp, begin: int, end: int, reason: int, pc: int) -> Span:
        arguments = self._at(pc, "reason", why.REASONS[reason].name)
        return Span(warp.track, begin, end, "stall", arguments)

    # Blocks

    def _block(self, slot: tuple[int, int], block: _Block, end: int) -> Span:
        arguments = {"block": block.index, "warps": block.warps}
        return Span(self._slot(*slot), block.begin, end, "block", arguments)

    def _arrived(self, row: Sequence[int]) -> None:
        key = row[EVENT.SM], row[EVENT.BLOCK_SLOT], row[EVENT.BARRIER]
        if key not in self._phases:
            self._phases[key] = _Phase(row[EVENT.BLOCK], row[EVENT.CYCLE])
        self._phases[key].threads += row[EVENT.VALUE]

    def _opened(self, row: Sequence[int]) -> Iterator[Span]:
        key = row[EVENT.SM], row[EVENT.BLOCK_SLOT], row[EVENT.BARRIER]
        phase = self._phases.pop(key)
        yield self._phase(key, phase, row[EVENT.CYCLE], row[EVENT.VALUE])

    def _phase(self, key: tuple[int, int, int], phase: _Phase, end: int, until: int | None) -> Span:
        sm, slot, barrier = key
        name, parent = f"barrier {barrier}", self._slot(sm, slot)
        track = self._track((*key, "barrier"), name, "barrier", parent)
        arguments = {"block": phase.block, "threads": phase.threads, "until": until}
        return Span(track, phase.begin, end, "barrier phase", arguments)

    # Tracks and arguments, each made once

    def _at(self, pc: int, more: str = "", value: Any = None) -> dict[str, Any]:
        """Where in the program, and something else."""
        key = pc, more, value
        found = self._arguments.get(key)
        if found is None:
            found = self._arguments[key] = {**({more: value} if more else {}), **self._where(pc)}
        return found

    def _where(self, pc: int) -> dict[str, Any]:
        program, heads = self._program, self._heads
        is_there = 0 <= pc < len(program.locations)
        return {
            "pc": pc,
            "at": program.labels[heads[bisect_right(heads, pc) - 1]] if heads else None,
            "operation": program.operations[program.code[pc, 0]] if is_there else None,
            "location": program.locations[pc] if is_there else None,
        }

    def _track(self, key: tuple[Any, ...], name: str, family: str, parent: Track | None) -> Track:
        found = self._tracks.get(key)
        if found is None:
            found = self._tracks[key] = Track(name, family, parent)
        return found

    def _sm(self, sm: int) -> Track:
        return self._track((sm,), _name_of_sm(sm), "sm", None)

    def _track_of_warp(self, sm: int, slot: int) -> Track:
        return self._track((sm, slot, "warp"), f"warp {slot}", "warp", self._sm(sm))

    def _slot(self, sm: int, slot: int) -> Track:
        return self._track((sm, slot, "slot"), f"block slot {slot}", "block slot", self._sm(sm))

    def _pipe(self, sm: int, subcore: int, pipe: int) -> Track:
        key = (sm, subcore, int(pipe), "pipe")
        if key in self._tracks:
            return self._tracks[key]
        parent = self._track(
            (sm, subcore, "subcore"), f"sub-core {subcore}", "subcore", self._sm(sm)
        )
        return self._track(key, self._decoded.pipes[int(pipe)], "pipe", parent)


def _name_of_sm(sm: int) -> str:
    return f"SM {sm}"
