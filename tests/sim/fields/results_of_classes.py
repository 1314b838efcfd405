"""A tiny IA-64 program for everything that rows of a latency class write and every use in which
somebody may read it, and which latencies of the class it shows.

    for way in ways():           # 'call: ar.pfs as branch', 'compare: pr as predicate', …
        told(way, machine)       # cycles, counters and stalls

The row is that of a case worked out by hand (`tests/machines/ia64_cases.py`), which says what it
needs; who reads the result issues in the next cycle, wherever the row went.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from compiler.frontends.ia64 import PLUGIN
from machines.description.load import Machine
from machines.instructions import operations
from machines.layout import Memory
from machines.operations.row import Operation, RegisterKind
from tests.machines import ia64_cases as bench
from tests.sim.epic.epic_runs import simulate

LIMIT = 1_000_000
READERS = {
    ("gr", "integer"): ("A", "add r22 = {}, r0"),
    ("gr", "address"): ("M", "lfetch [{}]"),
    ("gr", "store_data"): ("M", "st8 [r23] = {}"),
    ("gr", "multimedia"): ("I", "popcnt r22 = {}"),
    ("gr", "setf"): ("M", "setf.sig f22 = {}"),
    ("fr", "fp"): ("F", "fmerge.s f22 = {0}, {0}"),
    ("fr", "getf"): ("M", "getf.sig r22 = {}"),
    ("fr", "fp_store_data"): ("M", "stf8 [r23] = {}"),
    ("pr", "predicate"): ("A", "({}) add r22 = r0, r0"),
    ("pr", "branch"): ("B", "({}) br.cond.sptk end"),
    ("br", "integer"): ("I", "mov r22 = {}"),
    ("br", "branch"): ("B", "(p8) br.cond.sptk {}"),
    ("ar.ccv", "application"): ("M", "mov r22 = ar.ccv"),
    ("ar.fpsr", "application"): ("M", "mov r22 = ar.fpsr"),
    ("ar.lc", "application"): ("I", "mov r22 = ar.lc"),
    ("ar.lc", "branch"): ("B", "br.cloop.sptk end"),
    ("ar.ec", "application"): ("I", "mov r22 = ar.ec"),
    ("ar.ec", "branch"): ("B", "br.wtop.sptk end"),
    ("ar.pfs", "application"): ("I", "mov r22 = ar.pfs"),
    ("ar.pfs", "branch"): ("B", "br.ret.sptk b0"),
}
"""By file or resource, and use: the slot kind and text of a row that reads it so."""
ONCE = bench._bundle("A", "cmp.eq p8, p9 = r21, r0") + bench._bundle("A", "adds r21 = 1, r21")
PREDICATES_WRITTEN = "p6"
"""One of those that a move to all predicates writes."""


@dataclass(frozen=True)
class Way:
    """A row that writes something of a latency class, and a use in which that is read.

    register   where the result is, in the program of the case; '' of a resource without operand
    """

    known: str
    resource: str
    use: str
    register: str
    case: bench.Case

    def __str__(self) -> str:
        return f"{self.known}: {self.resource} of {self.case.row} as {self.use}"

    def suits(self, machine: Machine) -> bool:
        return True

    def figures(self, machine: Machine) -> Iterator[tuple[str, ...]]:
        """The keys of the latencies that the reader may wait for."""
        latency = machine.description.latencies[self.known]
        own = ("latencies", self.known)
        yield (*own, "bypasses" if latency.result is not None else "extra", self.use)
        if latency.result is not None and self.use not in latency.bypasses:
            yield (*own, "result")


@cache
def ways() -> list[Way]:
    """One for every class, what is written of it, and use in which that is read."""
    found: dict[object, Way] = {}
    for case in bench.cases():
        if "fault" in case.expected or case.inputs.get("qp") == "0":
            continue
        row = operations()["ia64", case.row]
        for known, resource, register in _results(row):
            for (readable, use), _ in READERS.items():
                if readable == resource:
                    way = Way(known, resource, use, register, case)
                    found.setdefault((known, resource, bool(row.control), use), way)
    return list(found.values())


def _results(row: Operation) -> Iterator[tuple[str, str, str]]:
    """(latency class, file or resource, register) of what a row writes."""
    for operand in row.writes:
        if isinstance(operand.kind, RegisterKind):
            known = operand.produces or row.scheduling_class
            yield known, operand.kind.name, bench._register(row, operand.name)
    for resource in row.implicit_writes:
        yield row.scheduling_class, resource, PREDICATES_WRITTEN if resource == "pr" else ""


def source(way: Way) -> str:
    """The text of a way's program."""
    text = bench.program_text(way.case)
    slot, reader = READERS[way.resource, way.use]
    behind = bench._bundle(slot, reader.format(way.register))
    if (way.resource, way.use) == ("br", "branch"):  # it may lead here: the first time only
        behind = ONCE + behind
    for label in ("next", "there"):
        text = text.replace(f"{label}:\n", f"{label}:\n{behind}", 1)
    text = text.replace("here:\n", bench._set_general("r23", "@64") + "here:\n", 1)
    end = "end:\n" + bench._bundle("B", "br.ret.sptk b0")
    return text.replace(".data\n", f"{end}.data\n", 1)


def told(way: Way, machine: Machine) -> tuple:
    """Cycles, counters and where time went, of a way's program."""
    program = PLUGIN.read(source(way), str(way), machine)
    memory = Memory(buffer.extent for buffer in program.buffers)
    memory.view(bench.CELL, np.int64)[:] = 0
    done = simulate(program, machine, memory, {}, cycle_limit=LIMIT)
    return done.status, done.cycles, done.counters, done.breakdown
