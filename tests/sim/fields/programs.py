"""Tiny programs that together use every figure of a machine, and what a run of one comes to.

    for program in programs("epic"):
        program.run(machine)     # bytes: equal if the machine does, and says, the same

A run's result is everything that can be told of it: the compiled program, cycles, counters, stalls,
registers, memory, or the error.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from compiler import compile
from compiler.targets.simt.mark_program import mark_program
from machines.diagnostics import InputError
from machines.grid import Grid
from machines.layout import Memory
from machines.load import Machine
from machines.warp_program import KernelFrame
from sim.cores.epic.run import simulate
from sim.cores.simt.counters import COUNTERS
from sim.cores.simt.drive import QUANTUM, Core
from sim.cores.simt.tally import Tally, check_laws
from sim.counters import count
from tests.sim.simt.assembly import assemble
from tests.sim.simt.test_hand_worked import read_heading

HERE = Path(__file__).parent
LIMIT = 100_000
"""Cycles, after which a program that has not ended is stopped."""


@dataclass(frozen=True)
class FieldProgram:
    """A program: what it does with a machine, as bytes to compare."""

    name: str
    result: Callable[[Machine], bytes]

    def run(self, machine: Machine) -> bytes:
        try:
            return self.result(machine)
        except InputError as error:
            return str(error).encode()


@cache
def programs(kind: str) -> tuple[FieldProgram, ...]:
    """The programs for a kind of machine."""
    if kind == "epic":
        files = [*HERE.glob("*.s"), *(HERE.parent / "hand_worked").glob("*.s")]
        return tuple(FieldProgram(f.stem, partial(_assembly, f, f.read_text())) for f in files)
    files = [*HERE.glob("*.rows"), *(HERE.parent / "simt" / "hand_worked").glob("*.rows")]
    return tuple(FieldProgram(f.stem, partial(_rows, f.read_text())) for f in files)


def _assembly(path: Path, text: str, machine: Machine) -> bytes:
    """Assemble a program and run it."""
    program = compile(path, machine=machine, source=text).program
    memory = Memory([(buffer.name, buffer.size) for buffer in program.buffers])
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[: len(buffer.data)] = np.frombuffer(buffer.data, np.uint8)
    program.write_addresses(memory)
    done = simulate(program, machine, memory, {}, cycle_limit=LIMIT)
    told = (done.status, done.cycles, done.counters, done.breakdown, done.fault, done.registers)
    arrays = (program.code, program.templates, done.executed, done.squashed, done.stalls)
    return _digest(told, (*arrays, memory.bytes))


def _rows(text: str, machine: Machine) -> bytes:
    """Run rows as they are written, on a grid as their heading says."""
    heading = read_heading(text)
    frame = KernelFrame(shared=int(heading.get("shared", ["0"])[0]))
    program = assemble(text, frame, int(heading.get("registers", ["0"])[0]))
    described, memory = machine.description, Memory([("x", 16384), ("y", 16384)])
    own = described.reconvergence
    if own.policy == "markers" and own.markers == "at_load":
        program = mark_program(program, own.rules, own.marker_position)
    core = Core(program, described, memory)
    blocks, threads = (int(heading.get(k, [v])[0]) for k, v in (("blocks", "1"), ("threads", "32")))
    core.start(0, "k", Grid((blocks, 1, 1), (threads, 1, 1)), b"")
    status = QUANTUM
    while status == QUANTUM and core.cycle < LIMIT:
        status = core.advance(LIMIT)
    tally = Tally(core)
    check_laws(tally)
    told = (status, core.cycle, count(COUNTERS, tally), tally.breakdown, core.fault)
    arrays = (program.code, tally.executed, tally.active, tally.stalls)
    return _digest(told, (*arrays, memory.bytes))


def _digest(told: object, arrays: Iterable[np.ndarray]) -> bytes:
    found = hashlib.sha256(repr(told).encode())
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.digest()
