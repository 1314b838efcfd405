"""Tiny programs that together use every figure of a machine, and what a run of one comes to.

    for program in programs("epic").values():
        program.run(machine)     # text: equal if the machine does, and says, the same

A run's result is a hash of all that can be told of it: the compiled program, cycles, counters,
stalls, registers, memory.  Of a program that a machine refuses it is the error.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from compiler import compile
from compiler.targets.simt.mark_program import with_markers
from machines.description.load import Machine, load_machine
from machines.diagnostics import InputError
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores import Request
from sim.cores.returned import QUANTUM
from sim.cores.simt.drive import SimtCore
from sim.prepared_case import prepare
from sim.results.vocabulary import vocabulary_of
from sim.runner import compile_workload, execute
from sim.simulate import simulate as simulated
from sim.workload.schema import Workload, read_workload
from tests.sim.cluster.chip_runs import AS_WRITTEN
from tests.sim.epic.epic_runs import simulate
from tests.sim.simt.test_hand_worked import checked_statistics, read_heading
from tests.warp_programs import emitted

HERE = Path(__file__).parent
POLICY = re.compile(r"^// machine: reconvergence.policy=(\w+)$", re.MULTILINE)
OF_A_POLICY = re.compile(r"^\s*(?:\w+:)?\s*(?:bssy|bsync|break|marker)\b", re.MULTILINE)
"""Rows that the compiler writes for one policy alone."""
REFUSED = "refused: "
"""Begins the result of a program that does not run."""
LIMIT = 100_000
"""Cycles, after which a program that has not ended is stopped."""


@dataclass(frozen=True)
class FieldProgram:
    """A program.

    result    what it comes to on a machine, as text to compare
    policy    of reconvergence that it is for, if its rows are
    is_large  it was written to use many figures at once
    """

    name: str
    result: Callable[[Machine], str]
    policy: str | None = None
    is_large: bool = True

    def suits(self, machine: Machine) -> bool:
        return self.policy is None or self.policy == machine.description.reconvergence.policy

    def run(self, machine: Machine) -> str:
        try:
            return self.result(machine)
        except InputError as error:
            return f"{REFUSED}{error}"


def is_refusal(result: str) -> bool:
    """Whether the program of a result did not run."""
    return result.startswith(REFUSED)


@cache
def programs(kind: str) -> dict[str, FieldProgram]:
    """The programs for a kind of machine, by name."""
    written = {"epic": _of_assembly, "simt": _of_rows, "cluster": _of_tiles}
    found = [*written[kind]()]
    for path in HERE.glob("*.yaml"):
        workload = read_workload(path)
        if load_machine(workload.form.machine).kind == kind:
            found.append(FieldProgram(path.stem, partial(_workload, workload)))
    return {program.name: program for program in found}


def _of_assembly() -> Iterator[FieldProgram]:
    for path in (*HERE.glob("*.s"), *(HERE.parent / "epic" / "hand_worked").glob("*.s")):
        run = partial(_assembly, path, path.read_text())
        yield FieldProgram(path.stem, run, is_large=path.parent == HERE)


def _of_rows() -> Iterator[FieldProgram]:
    for path in (HERE.parent / "simt" / "hand_worked").glob("*.sir"):
        text = path.read_text()
        policy = POLICY.search(text) if OF_A_POLICY.search(text) else None
        yield FieldProgram(path.stem, partial(_rows, text), policy and policy[1], is_large=False)


def _of_tiles() -> Iterator[FieldProgram]:
    for path in (HERE.parent / "cluster" / "hand_worked").glob("*.sir"):
        yield FieldProgram(path.stem, partial(_tiles, path.read_text()), is_large=False)


def _assembly(path: Path, text: str, machine: Machine) -> str:
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


def _rows(text: str, machine: Machine) -> str:
    """Run rows as they are written, on a grid as their heading says."""
    heading = read_heading(text)
    program = emitted(text, registers=int(heading.get("registers", ["0"])[0]))
    described, memory = machine.description, Memory([("x", 16384), ("y", 16384)])
    program = with_markers(program, machine.description)
    core = SimtCore(program, described, memory)
    blocks, threads = (int(heading.get(k, [v])[0]) for k, v in (("blocks", "1"), ("threads", "32")))
    core.start(0, "k", Grid((blocks, 1, 1), (threads, 1, 1)), b"")
    status = QUANTUM
    while status == QUANTUM and core.cycle < LIMIT:
        status = core.advance(LIMIT)
    found = checked_statistics(core)
    told = (status, core.cycle, vocabulary_of("simt").count(found), found.breakdown, core.fault)
    arrays = (program.code, found.executed, found.active, found.stalls)
    return _digest(told, (*arrays, memory.bytes))


def _tiles(text: str, machine: Machine) -> str:
    """Run commands as they are written, on all cores."""
    program = compile(
        "f.sir", source=text, machine=machine, entry="main", passes=AS_WRITTEN
    ).program
    memory = Memory([(buffer.name, buffer.size) for buffer in program.buffers])
    done = simulated(Request(program, machine, memory, cycle_limit=LIMIT))
    told = (done.status, done.cycles, done.breakdown, done.failure, done.waits_for)
    told += (vocabulary_of("cluster").count(done.statistics), program.content_hash)
    return _digest(told, (done.executed, done.stalls, memory.bytes))


def _workload(workload: Workload, machine: Machine) -> str:
    """Compile a workload's program and run its cases, as the command line does."""
    compiled = compile_workload(workload, machine)
    found = []
    for case in workload.cases():
        result = execute(prepare(compiled, case), cycle_limit=LIMIT).to_dict()
        del result["provenance"]
        found.append(result)
    program = compiled.program
    if machine.kind == "cluster":
        return _digest((found, program.content_hash), ())
    control = [program.control] if machine.kind == "simt" else [program.templates]
    return _digest(found, (program.code, *control))


def _digest(told: object, arrays: Iterable[np.ndarray]) -> str:
    found = hashlib.sha256(repr(told).encode())
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()
