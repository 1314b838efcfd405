"""How an interpretation of ptx rows ends: done, with a fault, with threads that wait for ever."""

from __future__ import annotations

from dataclasses import dataclass

from machines.diagnostics import Location
from machines.threads.grid import Triple


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a run ended: at which pc, in which thread.

    kind     'out of bounds', 'misaligned', 'trap' or 'race with a copy'
    address  as the instruction forms it, in its space; None for a trap
    copy     of a race: where the copy stands
    """

    kind: str
    pc: int
    location: Location | None
    address: int | None
    block: Triple
    thread: Triple
    copy: Location | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread that waits for ever: for what, and at which pc."""

    block: Triple
    thread: Triple
    what: str
    pc: int
    location: Location | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of a grid ended.

    status   'done', 'fault', 'deadlock' or 'limit'
    steps    instructions of the blocks that threads have begun, guarded-off ones included
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
            return f"{self.fault.kind}{address}: {who}, pc {self.fault.pc}{where}"
        if self.waiting:
            one = self.waiting[0]
            who = f"thread {one.thread} of block {one.block} and {len(self.waiting) - 1} more"
            return f"deadlock: {who} wait, the first for {one.what} at pc {one.pc}"
        return f"{self.status} after {self.steps} instructions"
