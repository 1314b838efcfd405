"""The timeline of an EPIC machine, made of the rows that its core notes (`noting`).

issue      ├ ld8 add ┤ load ┄┄┄┄ ├ cmp br.ctop ┤ branch_flush ┄┄┄ ├ …    every cycle once
L1D, L2 …     ├ load ──────┤                                             on what answers
branches                           · wrong path
loops      ├ iteration ┤├ iteration ┤                                    of pipelined loops
calls        ├ function ──────────────────┤
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE
from sim.cores.epic import state as at
from sim.cores.epic.decode import Decoded
from sim.cores.epic.memory import hierarchy as caches
from sim.timeline.declared import COUNT, CYCLES, Event, Sum, TrackFamily
from sim.timeline.span import Happening, Instant, Span, Track
from sim.timeline.window import EVERYTHING, TraceWindow

MAIN = "memory"
OUTCOMES = ("predicted", "wrong path", "wrong target")
AT = ("bundle", "slot", "at", "operation", "location")
"""Where in the program: the label before it, and the line of the source."""

TRACKS = (
    TrackFamily("issue", "What issues, and what keeps the next packet from it: every cycle once."),
    TrackFamily("level", "A level of caches, or main memory: what it answers.", overlaps=True),
    TrackFamily("branches", "Branches as they are predicted."),
    TrackFamily("loops", "Iterations of software-pipelined loops, as registers rotate.",
                overlaps=True),
    TrackFamily("calls", "Functions that are called, one within the other.", overlaps=True),
)  # fmt: skip
EVENTS = (
    Event("issue", ("bundle", "slot", "at", "operations", "instructions", "location"),
          "A packet issues: its operations but nops, how many instructions it has in all.",
          "issue", lasts=True, label="operations"),
    Event("stall", ("reason", *AT), "The pipe waits, for a syllable that waits or that makes it "
          "wait.", "issue", lasts=True, label="reason", waits=True),
    Event("access", ("request", "level", "address", *AT), "An access, until an integer load would "
          "have its data, on the farthest level that it went to.", "level", lasts=True,
          label="request"),
    Event("fetch", ("level", *AT), "Code is not at hand, until it has come.", "level", lasts=True),
    Event("branch", ("outcome", "taken", *AT), "A branch: whether it was foreseen, and is taken.",
          "branches", label="outcome"),
    Event("iteration", AT, "From the first packet of a loop's body to the branch that rotates "
          "registers.", "loops", lasts=True, label="at"),
    Event("call", ("function", *AT), "From the branch that calls a function to the one that "
          "returns.", "calls", lasts=True, label="function"),
)  # fmt: skip


def _branches(run: Any) -> dict[str, int]:
    every, *wrong = run.state.branches.tolist()
    return dict(zip(OUTCOMES, (every - sum(wrong), *wrong), strict=True))


def _accesses(run: Any) -> int:
    plans = run.decoded.plan_of
    own = [k for k, plan in enumerate(plans) if plan is not None and plan.flags & at.MEMORY]
    return int(run.effective[own].sum()) - int(run.state.scalars[at.PREFETCHES_DROPPED])


SUMS = (
    Sum("packets issued", "issue", COUNT, lambda run: run.issuing),
    Sum("instructions of packets", "issue", "instructions", lambda run: run.packet_slots),
    Sum("cycles lost by cause", "stall", CYCLES, lambda run: run.lost, by="reason"),
    Sum("branches by what was foreseen", "branch", COUNT, _branches, by="outcome"),
    Sum("accesses", "access", COUNT, _accesses),
)


class Noted:
    """What is noted of a run: its cycles, and sorts of rows (None: all)."""

    def __init__(self, window: TraceWindow | None = None):
        self.stretch, self._kinds = EVERYTHING, None
        if window is None:
            return
        self.stretch = window.stretch
        if window.tracks:
            wants, levels = window.may_want, (*caches.LEVEL_NAMES, MAIN)
            asked = {
                at.ISSUE_ROW: wants("issue") or wants("loops"),
                at.LOST_ROW: wants("issue"),
                at.BRANCH_ROW: any(map(wants, ("branches", "loops", "calls"))),
                at.FETCH_ROW: any(map(wants, levels)),
                at.ACCESS_ROW: any(map(wants, levels)),
            }
            self._kinds = [kind for kind, is_asked in asked.items() if is_asked]

    def wanted(self, rows: np.ndarray) -> np.ndarray:
        """A copy of those that are."""
        if self._kinds is None:
            return rows.copy()
        return rows[np.isin(rows[:, 0], self._kinds)]


class Timeline:
    """Of one run of a program."""

    def __init__(self, decoded: Decoded):
        self._decoded, self._program = decoded, decoded.program
        self._packets = decoded.packets.reshape(-1, at.PACKET_COLUMNS).tolist()
        self._labels = sorted(decoded.program.labels)
        self._causes = tuple(decoded.machine.stall_order)
        self._issue = Track("issue", "issue")
        self._branches = Track("branches", "branches")
        self._loops, self._calls = Track("loops", "loops"), Track("calls", "calls")
        names = [*caches.LEVEL_NAMES, MAIN]  # OUTSIDE is -1
        self._levels = [Track(name, "level") for name in names]
        self._heads = self._heads_of_loops()
        self._iterations: dict[int, int] = {}
        self._called: list[tuple[int, dict[str, Any]]] = []
        self._stall: Span | None = None
        self._kept: dict[tuple[Any, ...], dict[str, Any]] = {}

    def _heads_of_loops(self) -> dict[int, list[int]]:
        """The packets at which bodies of loops begin whose branches rotate registers, and these."""
        found: dict[int, list[int]] = {}
        for syllable, plan in enumerate(self._decoded.plan_of):
            if plan is not None and plan.flags & at.BRANCHES and plan.flags & at.ROTATES:
                found.setdefault(self._target(syllable), []).append(syllable)
        return found

    def _target(self, syllable: int) -> int:
        """The packet to which a branch goes that is not an indirect one."""
        return int(self._decoded.wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD])

    def of(self, rows: np.ndarray) -> Iterator[Happening]:
        """int64[rows, ROW_COLUMNS], in the order in which they were noted."""
        kept, heads, track = self._kept, self._heads, self._issue
        for kind, cycle, *more in rows.tolist():
            if kind == at.ISSUE_ROW:
                if self._stall is not None:
                    yield self._stall
                    self._stall = None
                arguments = kept.get((more[0],))
                if arguments is None or more[0] in heads:
                    yield self._issued(cycle, more[0])
                else:
                    yield Span(track, cycle, cycle + 1, "issue", arguments)
            elif kind == at.LOST_ROW:
                end, cause, syllable, _ = more
                yield from self._lost(cycle, end, self._at(syllable, "reason", self._causes[cause]))
            elif kind == at.BRANCH_ROW:
                yield from self._branch(cycle, *more)
            elif kind == at.FETCH_ROW:
                end, syllable, level, _ = more
                arguments = self._at(syllable, "level", self._levels[level].name)
                yield Span(self._levels[level], cycle, end, "fetch", arguments)
            elif kind == at.ACCESS_ROW:
                yield self._access(cycle, *more)

    def end(self, cycle: int) -> Iterator[Happening]:
        """What there still is where the run ends."""
        yield from self._told_stall()
        while self._called:
            begin, arguments = self._called.pop()
            yield Span(self._calls, begin, max(cycle, begin), "call", arguments)

    def _issued(self, cycle: int, packet: int) -> Span:
        for syllable in self._heads.get(packet, ()):
            self._iterations[syllable] = cycle
        arguments = self._kept.get((packet,))
        if arguments is None:
            arguments = self._kept[packet,] = self._of_packet(packet)
        return Span(self._issue, cycle, cycle + 1, "issue", arguments)

    def _of_packet(self, packet: int) -> dict[str, Any]:
        row, start = self._packets[packet], int(self._decoded.starts[packet])
        plans = self._decoded.plan_of
        own = range(start, min(row[at.END], len(plans)))
        names = [plans[k].row.name for k in own if plans[k] is not None]
        where = self._where(start)
        return {
            "bundle": where["bundle"],
            "slot": where["slot"],
            "at": where["at"],
            "operations": " ".join(name for name in names if not name.startswith("nop")) or "nop",
            "instructions": row[at.COUNT],
            "location": self._where(min(row[at.FIRST], max(own, default=start)))["location"],
        }

    def _lost(self, cycle: int, end: int, arguments: dict[str, Any]) -> Iterator[Span]:
        """Cycles are lost; to the same as those before them where a call of the core ended."""
        last = self._stall
        if last is not None and last.end == cycle and last.arguments is arguments:
            self._stall = last._replace(end=end)
            return
        yield from self._told_stall()
        self._stall = Span(self._issue, cycle, end, "stall", arguments)

    def _told_stall(self) -> Iterator[Span]:
        if self._stall is not None:
            yield self._stall
            self._stall = None

    def _access(self, cycle: int, end: int, syllable: int, level: int, address: int) -> Span:
        plan, track = self._decoded.plan_of[syllable], self._levels[level]
        loads, stores = plan.flags & at.LOADS, plan.flags & at.STORES
        request = "semaphore" if loads and stores else "load" if loads else "store"
        if not loads and not stores:
            request = "prefetch"
        arguments = {
            "request": request,
            "level": track.name,
            "address": address,
            **self._at(syllable),
        }
        return Span(track, cycle, max(end, cycle), "access", arguments)

    def _branch(
        self, cycle: int, syllable: int, outcome: int, target: int, does: int
    ) -> Iterator[Happening]:
        where, flags = self._at(syllable), self._decoded.plan_of[syllable].flags
        arguments = {"outcome": OUTCOMES[outcome], "taken": bool(does & at.IS_TAKEN), **where}
        yield Instant(self._branches, cycle, "branch", arguments)
        if does & at.HAS_ROTATED and syllable in self._iterations:
            begin = self._iterations.pop(syllable)
            yield Span(self._loops, begin, cycle + 1, "iteration", where)
        if not does & at.IS_TAKEN:
            return
        if flags & at.CALLS:
            bundle = (target - CODE_BASE) // BUNDLE_BYTES
            if not flags & at.INDIRECT:
                bundle = int(self._decoded.starts[self._target(syllable)]) // 3
            function = self._label(bundle) or f"bundle {bundle}"
            self._called.append((cycle, {"function": function, **where}))
        elif flags & at.RETURNS and self._called:
            begin, said = self._called.pop()
            yield Span(self._calls, begin, cycle + 1, "call", said)

    # Arguments, each made once

    def _at(self, syllable: int, more: str = "", value: Any = None) -> dict[str, Any]:
        """Where in the program, and something else."""
        key = syllable, more, value
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = {**({more: value} if more else {}), **self._where(syllable)}
        return found

    def _where(self, syllable: int) -> dict[str, Any]:
        program, plans = self._program, self._decoded.plan_of
        is_there = syllable < len(plans)
        plan = plans[syllable] if is_there else None
        bundle, slot = divmod(syllable, 3)
        return {
            "bundle": bundle,
            "slot": slot,
            "at": self._label(bundle),
            "operation": plan.row.name if plan is not None else None,
            "location": program.locations[syllable] if syllable < len(program.locations) else None,
        }

    def _label(self, bundle: int) -> str | None:
        position = bisect_right(self._labels, bundle)
        return self._program.labels[self._labels[position - 1]] if position else None
