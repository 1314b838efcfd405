"""Runs tile programs three ways: as tiles, as streams without time, and on the simulated chip."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache, partial
from unittest.mock import patch

import numpy as np

from compiler import Compilation, compile
from compiler.interpret.functions import memory_for
from compiler.ir.module import Function, Module
from compiler.targets.cluster.interpret import ChipOutcome, ChipShape, interpret_chip
from compiler.text_form import parse
from machines.description.load import Machine, load_machine
from machines.kinds.cluster.code import BESIDE
from machines.layout import Memory
from sim.cores import Outcome, Request
from sim.cores.cluster import run as core
from sim.cores.cluster.job import RunningJob
from sim.simulate import simulate as simulated
from tests.programs.random_tiles import TileProgram

ONE_CORE = ("clusters=1", "cores=1")
LIMIT = 2_000_000


@lru_cache
def machine_named(name: str, *overrides: str) -> Machine:
    return load_machine(name, overrides)


def shape_of(machine: Machine) -> ChipShape:
    return ChipShape(machine.description.clusters, machine.description.cores)


def program_of(text: str, seed: int = 1, **arguments: int) -> TileProgram:
    """A program that is written down."""
    buffers = parse(text).buffers.values()
    sizes = {b.name: (b.dtype.name, b.count) for b in buffers if b.space == "dram"}
    return TileProgram(text, sizes, seed, arguments)


@dataclass
class Ended:
    """What a run left: how it ended, and the bytes of DRAM."""

    outcome: ChipOutcome | Outcome
    memory: Memory

    @property
    def bytes(self) -> bytes:
        return self.memory.bytes.tobytes()


def filled(module: Module, program: TileProgram) -> Memory:
    """DRAM at the beginning."""
    memory = memory_for(module, {})
    for name, values in program.contents().items():
        memory.view(name)[:] = values.view(np.uint8)
    return memory


def check_that_all_agree(program: TileProgram, machine: Machine) -> Compilation:
    """Tiles, streams and the simulated run leave the same DRAM, and nothing races."""
    return runs_that_agree(program, machine)[0]


def runs_that_agree(program: TileProgram, machine: Machine) -> tuple[Compilation, Ended]:
    """The same, and how the simulated run ended."""
    tiles = run_tiles(program, machine)
    assert tiles.outcome.status == "done" and not tiles.outcome.races, tiles.outcome
    code = compiled(program, machine)
    streams = run_streams(code, program, machine)
    assert streams.outcome.status == "done", streams.outcome
    assert not streams.outcome.races, str(streams.outcome.races[0])
    on_chip = simulate(code, program, machine)
    assert on_chip.outcome.status == "done", on_chip.outcome.failure
    assert tiles.bytes == streams.bytes == on_chip.bytes
    return code, on_chip


def compiled(program: TileProgram, machine: Machine, **options: bool) -> Compilation:
    """The program of streams; options are those of the pass that places waits."""
    passes = ["default", {"place_waits": options}] if options else None
    return compile("tiles.sir", source=program.text, machine=machine, entry="main", passes=passes)


def _entry_and_beside(functions: list[Function]) -> list[Function]:
    main = next(f for f in functions if f.name == "main")
    return [main, *(f for f in functions if f.name in BESIDE.of(main).values())]


def run_tiles(program: TileProgram, machine: Machine, *, backward: bool = False) -> Ended:
    module = parse(program.text)
    memory = filled(module, program)
    functions = _entry_and_beside(list(module.functions.values()))
    return _interpreted(functions, program, memory, machine, "ir", backward)


def run_streams(
    code: Compilation, program: TileProgram, machine: Machine, *, backward: bool = False
) -> Ended:
    memory = filled(code.module, program)
    return _interpreted(code.functions, program, memory, machine, "stream", backward)


def _interpreted(functions, program, memory, machine, form, backward) -> Ended:
    arguments = dict.fromkeys((name for name, _ in functions[0].parameters), None)
    arguments |= {name: program.arguments[name] for name in arguments}
    outcome = interpret_chip(
        functions, arguments, memory, shape_of(machine), form=form, limit=LIMIT, backward=backward
    )
    return Ended(outcome, memory)


def simulate(
    code: Compilation, program: TileProgram, machine: Machine, *, order: int | None = None
) -> Ended:
    """On the chip; with `order` the processes of its cores start in a random one."""
    memory = filled(code.module, program)
    request = Request(code.program, machine, memory, program.arguments, cycle_limit=LIMIT)
    if order is None:
        return Ended(simulated(request), memory)
    with patch.object(core, "RunningJob", partial(shuffled_job, order)):
        return Ended(simulated(request), memory)


def shuffled_job(order: int, *arguments) -> RunningJob:
    """A job whose cores begin in a random order."""
    job = RunningJob(*arguments)
    places = list(range(len(job.cores)))
    random.Random(order).shuffle(places)
    job.cores = [job.cores[k] for k in places]
    job.processors = [job.processors[k] for k in places]
    return job
