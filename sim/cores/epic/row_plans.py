"""What decoding needs of a row: its flags, the registers it reads and writes, its latencies.

ld8 r1 = [r3], r2     flags LOADS, size 3; reads r2 and r3, for uses integer and address;
                      writes r1 of class integer_load, r3 of class post_increment
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import get_args

import numpy as np

from machines.instructions import operations
from machines.kinds.epic.fields import Epic, Use
from machines.kinds.epic.program import FIRST_OPERAND, GUARD
from machines.operations.row import Label, Operand, Operation, RegisterKind
from sim.cores.epic import state as at

USES: tuple[str, ...] = get_args(Use)
FILES = {
    "gr": ("general", at.GENERAL),
    "fr": ("floating", at.FLOATING),
    "pr": ("predicate", at.PREDICATE),
    "br": ("branch", at.BRANCH_REGISTER),
}
RENAMED = ("gr", "fr", "pr")
"""The files whose registers may be renamed."""


class Classes:
    """Latencies by class as the arrays the scoreboard reads.

    toward[c, u]               cycles from a producer of class c to use u
    toward[c, uses + w]        the same to a writer of class w, so that results land in order
    """

    def __init__(self, machine: Epic):
        self.number = {name: k for k, name in enumerate(machine.latencies)}
        result = np.array([machine.latency(name) for name in self.number])
        to_uses = np.array([[machine.latency(name, use) for use in USES] for name in self.number])
        to_writers = result[:, None] - result[None, :]
        self.toward = np.hstack([to_uses, to_writers]).astype(np.int32)
        self.longest = to_uses.max(axis=1).astype(np.int64)
        self.nominal = result.astype(np.int64)
        self.nominal[self._semaphores(machine)] = machine.memory.nearest_with_floats.latency
        self.columns = self.toward.shape[1]
        # Causes are named like the buckets of waiting producers: 'load', 'float', …
        order = list(machine.stall_order)
        waits = [order.index(latency.wait) for latency in machine.latencies.values()]
        self.waits = np.array(waits, dtype=np.int64)

    def _semaphores(self, machine: Epic) -> list[int]:
        """The classes whose result comes some cycles after the cache has answered."""
        rows = operations().family(machine.instructions).values()
        names = {r.scheduling_class for r in rows if r.access and r.access.kind == "load_store"}
        return sorted(self.number[name] for name in names & set(self.number))

    def writer_column(self, name: str) -> int:
        return len(USES) + self.number[name]


@lru_cache(maxsize=64)
def classes_of(machine: Epic) -> Classes:
    """The latencies of a machine, which all its runs share: nobody may change them."""
    classes = Classes(machine)
    for array in (classes.toward, classes.longest, classes.nominal, classes.waits):
        array.flags.writeable = False
    return classes


@dataclass(frozen=True)
class RowPlan:
    """What of a row decoding needs for each of its syllables."""

    row: Operation
    opcode: int

    @cached_property
    def flags(self) -> int:
        row, flags = self.row, 0
        if row.access:
            kind = row.access.kind
            flags |= at.LOADS * (kind in ("load", "load_store"))
            flags |= at.STORES * (kind in ("store", "load_store"))
            flags |= at.PREFETCHES * (kind == "prefetch")
            size = row.access.bytes
            flags |= (at.TEN_BYTES if size == 10 else size.bit_length() - 1) << at.SIZE_SHIFT
            floating = any(o.kind.name == "fr" for o in row.operands if is_register(o))
            flags |= at.FAR * (floating or kind == "load_store")
            flags |= at.FLOATING_LOAD * (floating and kind == "load")
        if "unconditional" in row.flags:
            for position, clears in ((0, at.CLEARS_FIRST), (1, at.CLEARS_SECOND)):
                operand = row.operands[position]
                flags |= clears * (operand.kind.name == "pr" and operand.is_written)
        if row.faults_if or self.makes_frame:
            flags |= at.MAY_FAULT
        if self.makes_frame:
            flags |= at.FRAMES
        if row.control:
            flags |= at.BRANCHES
            flags |= at.CALLS * (row.control == "call") | at.RETURNS * (row.control == "return")
            flags |= at.ROTATES * ("rotates" in row.flags)
            flags |= at.COUNTED * ("ar.lc" in row.implicit_reads)
            flags |= at.INDIRECT * (not any(isinstance(o.kind, Label) for o in row.operands))
        return flags

    @property
    def makes_frame(self) -> bool:
        """It changes the frame where it stands, without going anywhere."""
        return "cfm" in self.row.implicit_writes and not self.row.control

    @property
    def is_always_executed(self) -> bool:
        """Its predicate is an operand, not a condition."""
        return "qp" in self.row.implicit_reads

    @cached_property
    def reads(self) -> tuple[tuple[int, int, int], ...]:
        """(column, first number of its file, use as an index into USES) of each register read, its
        guard first."""
        guard = GUARD, at.PREDICATE, USES.index("branch" if self.row.control else "predicate")
        return guard, *(
            (FIRST_OPERAND + k, FILES[o.kind.name][1], USES.index(o.use))
            for k, o in enumerate(self.row.operands)
            if o.is_read and is_register(o)
        )

    @cached_property
    def writes(self) -> tuple[tuple[int, int, str], ...]:
        """(operand's column, first number of its file, latency class) of each register written."""
        return tuple(
            (FIRST_OPERAND + k, FILES[o.kind.name][1], o.produces or self.row.scheduling_class)
            for k, o in enumerate(self.row.operands)
            if o.is_written and is_register(o)
        )

    @cached_property
    def renamed(self) -> tuple[tuple[str, int], ...]:
        """(file, column) of each register that may be renamed, its guard first."""
        return ("pr", GUARD), *(
            (o.kind.name, FIRST_OPERAND + k)
            for k, o in enumerate(self.row.operands)
            if is_register(o) and o.kind.name in RENAMED
        )


def is_register(operand: Operand) -> bool:
    return isinstance(operand.kind, RegisterKind)
