"""A tiny program of ptx rows for every way in which rows of a scheduling class act, and which of
the figures of its class a program with such a row shows.

    for way in ways():        # 'fma: b32 of b32', 'barrier: bar.sync', …
        told(way, machine)             # cycles, counters and stalls
        way.figures(machine)           # ('classes', 'fma', 'latency'), …

A class has rows that act differently: an atomic with a result and one without, a barrier that
waits and one that does not.  A figure that one of them does not read is a fault that no program of
the others finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from compiler.targets.simt import TARGET
from compiler.targets.simt.control_bits import set_control_bits
from compiler.text_form import parse
from machines.description.load import Machine
from machines.instructions import operations
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import KernelFrame, KernelParameter, WarpProgram, parameter_bytes
from machines.layout import Memory
from machines.operations.row import Immediate, Label, Lane, Operand, Operation, Symbol
from machines.threads.grid import Grid
from machines.types import PTR
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from sim.kinds.simt.vocabulary import VOCABULARY
from tests.sim.simt.test_hand_worked import checked_statistics
from tests.warp_programs import line

LIMIT = 10_000_000
ADDRESS = "d2"
"""Where the bytes of the program's only buffer are: what a row of memory accesses."""
BUSY = ["d98 = div.rn.f64 d96, d96", *["r95 = ex2.approx.f32 r97"] * 4]
"""Come before the row: on every machine one of their pipes is still busy then."""
OBJECT = "r76"
"""Holds 0, where a barrier object is."""
MASK = "r70"
"""All lanes."""
SPACES_FROM_ZERO = ("shared", "local", "param")
TIMED_CONTROL = (
    "exit", "barrier", "warp_barrier", "fence", "convergence", "convergence_wait", "copy_group",
)  # fmt: skip
"""Classes without results whose `latency` says when the warp goes on."""
POLICY_ROWS = {"bssy": "barriers", "bsync": "barriers", "break": "barriers", "marker": "markers"}
"""Rows that the compiler writes for one policy of reconvergence alone."""
ROWS_OF_THEIR_OWN = ("branch", "exit", *TIMED_CONTROL, "sleep")
"""Classes each of whose rows the core carries out in its own way."""


@dataclass(frozen=True)
class Way:
    """What some rows of a class do alike: one of them stands for all.

    parted   half of the warp's lanes execute the row, and the others something else
    """

    row: Operation
    parted: bool = False

    def __str__(self) -> str:
        reads, writes = (" ".join(sorted(of)) or "nothing" for of in (self.reads, self.writes))
        lanes = " in half a warp" if self.parted else ""
        return f"{self.row.scheduling_class}: {self.row.name}: {reads} to {writes}{lanes}"

    @property
    def writes(self) -> frozenset[str]:
        return files(self.row.writes)

    @property
    def reads(self) -> frozenset[str]:
        return files(self.row.reads)

    def suits(self, machine: Machine) -> bool:
        """Whether programs of a machine have such rows."""
        own = machine.description.reconvergence
        wanted = POLICY_ROWS.get(self.row.name)
        if self.row.name == "marker" and own.marker_position != "first_in_block":
            return False
        has_copies = machine.description.memory.copies is not None
        if (self.row.asynchronous or self.row.barrier_object) and not has_copies:
            return False
        is_bulk = self.row.asynchronous and self.row.asynchronous.does.startswith("bulk")
        if is_bulk and machine.description.memory.bulk is None:
            return False
        return wanted is None or wanted == own.policy

    @property
    def known(self) -> str:
        """The class."""
        return self.row.scheduling_class

    def figures(self, machine: Machine) -> Iterator[tuple[str, ...]]:
        """The keys of the figures of its class that a program with such a row shows."""
        for field in machine.fields():
            of_class = field.keys[:2] == ("classes", self.known)
            if of_class and not field.unread and self.shows(field.keys[2], machine):
                yield field.keys

    def shows(self, figure: str, machine: Machine) -> bool:
        """Whether a program with such a row must tell a figure of its class from another."""
        described: Simt = machine.description
        by_control_bits = described.dependences.kind == "control_bits"
        own = described.classes[self.row.scheduling_class]
        if figure == "pipe":  # what half a warp waits for, the other half may hide
            return not self.parted
        if figure == "latency":
            return bool(self.writes) or self.row.scheduling_class in TIMED_CONTROL
        if figure == "result":
            return bool(self.writes) or bool(by_control_bits and self.reads and own.read)
        if figure == "guard":
            return "pred" in self.writes
        if figure == "read":
            return by_control_bits and bool(self.reads)
        return True


def files(operands: tuple[Operand, ...]) -> frozenset[str]:
    """Of the registers among operands: b32, b64, pred."""
    return frozenset(o.kind.file for o in operands if isinstance(o.kind, Lane))


@cache
def ways() -> list[Way]:
    """One for every way in which rows act; not those that end the run with a fault,
    after which nothing takes time."""
    found: dict[object, Way] = {}
    for row in operations().family("ptx").values():
        if row.fault is not None and not row.accesses:
            continue
        if row.barrier_object and row.barrier_object.does in ("init", "inval"):
            continue  # twice is a fault
        first = row.accesses[0] if row.accesses else None
        shape = (
            row.scheduling_class,
            row.name if row.scheduling_class in ROWS_OF_THEIR_OWN else "",
            first and (first.kind, first.space),
            "members" in row.implicit_reads,
            files(row.writes),
            files(row.reads),
        )
        found.setdefault(shape, Way(row))
        if shape[1]:
            found.setdefault((shape, "parted"), Way(row, parted=True))
    return list(found.values())


# ── programs ─────────────────────────────────────────────────────────────────────────────────


def source(way: Way) -> str:
    """The text of a way's program: the row, what reads its results, the row twice more, and what
    overwrites its sources."""
    row = way.row
    before = [
        "r0 = mov.tid.x",
        f"{ADDRESS} = ld.param.b64 0",
        f"{MASK} = mov.b32 {'65535' if way.parted else '-1'}",
        "p7 = setp.lt.s32 r0, 16",
        *_objects(row),
        *(["bssy 0, end"] if POLICY_ROWS.get(row.name) == "barriers" else []),
        "bra p7, half, others" if way.parted else "bra.uni half",
    ]
    body = [*BUSY, *_again(row, 0), *_readers(row, 0), *_again(row, 1), *_again(row, 2),
            *_readers(row, 2), "bra.uni end"]  # fmt: skip
    if row.control:
        body = [*BUSY, "exit" if row.control == "return" else _row(row, 0)]
    others = ["others:", "r9 = mov.b32 2", "r9 = add.s32 r9, 1", "bra.uni end"]
    lines = "\n".join([*before, "half:", *body, *others, "end:", *_overwriting(row), "exit"])
    return f"form allocated of ptx\nfunc @k() {{\nentry:\n{lines}\n}}\n"


def _objects(row: Operation) -> Iterator[str]:
    """A barrier object at address 0 for rows that want one, and how often they arrive."""
    if row.barrier_object or row.scheduling_class == "copy_bulk":
        yield "p6 = setp.eq.s32 r0, 0"
        yield "@p6 mbarrier.init 0, 0, 1000"
        yield "bar.sync 0, 0"
    if row.barrier_object and row.barrier_object.count:
        yield f"{_register(Lane('u32'), 60 + 2 * row.position('count'))} = mov.b32 1"


def _again(row: Operation, number: int) -> Iterator[str]:
    """The row, where it may be executed again: threads come to the barrier of a cluster and wait
    there by turns, anything else is a fault."""
    of_cluster = row.meets is not None and row.meets.among == "cluster"
    if of_cluster and row.meets.waits:
        yield "barrier.cluster.arrive"
    yield _row(row, number)
    if of_cluster and not row.meets.waits:
        yield "barrier.cluster.wait"


def _row(row: Operation, number: int) -> str:
    texts = []
    for place, operand in enumerate(row.operands):
        texts.append(_operand(row, operand, place, number))
    return line(row, texts)


def _operand(row: Operation, operand: Operand, place: int, number: int) -> str:
    kind = operand.kind
    if isinstance(kind, Label):
        return "others" if operand.name == "otherwise" else "end"
    if isinstance(kind, Immediate):
        return "0"
    if isinstance(kind, Symbol):
        return "x"
    if not isinstance(kind, Lane):
        raise TypeError(kind)
    if operand.is_written:
        return _register(kind, 20 + 8 * number + 2 * place)
    if operand.name == "mask":
        return MASK
    if row.asynchronous and operand.name in row.asynchronous.barrier:
        return OBJECT
    spaces = [access.space for access in row.accesses if access.address == operand.name]
    if spaces and spaces[0] not in SPACES_FROM_ZERO:
        return ADDRESS
    return _register(kind, 60 + 2 * place)


def _register(kind: Lane, number: int) -> str:
    if kind.file == "pred":
        return f"p{number % 8}"
    return f"{'d' if kind.file == 'b64' else 'r'}{number}"


def _readers(row: Operation, number: int) -> Iterator[str]:
    """What reads the results of a row at once."""
    for place, operand in enumerate(row.operands):
        if not (operand.is_written and isinstance(operand.kind, Lane)):
            continue
        name = _register(operand.kind, 20 + 8 * number + 2 * place)
        if operand.kind.file == "pred":
            yield f"@{name} r90 = mov.b32 1"
        elif operand.kind.file == "b64":
            yield f"d92 = add.s64 {name}, 1"
        else:
            yield f"r91 = add.s32 {name}, 1"


def _overwriting(row: Operation) -> Iterator[str]:
    """What overwrites the registers that a row reads."""
    for place, operand in enumerate(row.operands):
        if operand.is_written or not isinstance(operand.kind, Lane):
            continue
        name = _operand(row, operand, place, 0)
        if operand.kind.file == "pred":
            yield f"{name} = mov.pred 1"
        else:
            yield f"{name} = mov.{operand.kind.file} 1"


def program_of(way: Way, described: Simt) -> WarpProgram:
    """The code of a way's program for a machine."""
    module = parse(source(way), "rows.sir", TARGET.records)
    [function] = module.functions.values()
    function.frame = KernelFrame([KernelParameter("x", PTR, 0, PTR.bytes)], shared=64, local=64)
    if described.dependences.kind == "control_bits":
        set_control_bits(function, described)
    return TARGET.emit([function], module, None)


def told(way: Way, machine: Machine) -> tuple:
    """Cycles, counters and where time went, of two warps a sub-core that run a way's program."""
    described = machine.description
    memory = Memory([("x", 256)])
    program = program_of(way, described)
    core = SimtCore(program, described, memory)
    given = parameter_bytes(program.kernels["k"].frame, [memory.address("x")])
    threads = 2 * described.subcores * described.warp_width
    core.start(0, "k", Grid((1, 1, 1), (threads, 1, 1)), given)
    status = core.advance(LIMIT)
    assert status == DONE, (str(way), status, core.fault, source(way))
    found = checked_statistics(core)
    return core.cycle, VOCABULARY.count(found), found.breakdown, np.array(found.stalls).tolist()
