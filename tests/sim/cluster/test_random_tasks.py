"""Random tile programs as tasks: several on one chip, side by side and one behind the other, leave
what each leaves that has a chip of its own."""

from __future__ import annotations

import random
import re
from functools import partial
from unittest.mock import patch

import numpy as np
import pytest

from compiler import compile
from compiler.interpret.functions import memory_for
from compiler.targets.cluster.interpret import ChipShape, interpret_chip
from compiler.text_form import parse
from machines.description.load import Machine
from machines.kinds.cluster.code import BESIDE
from sim.cores import Request
from sim.cores.cluster import run as core
from sim.cores.cluster.host_steps import Copy, Launch
from sim.simulate import simulate
from tests.campaign.seeds import campaign, check_all
from tests.programs.random_tiles import Options, TileProgram, generate
from tests.programs.tile_runs import LIMIT, machine_named, shuffled_job

MACHINES = ("teaching_chip", "mlu370")
OPTIONS = (Options(), Options(stages=True), Options(mem=False), Options(exact=True))
CHIP = "clusters=4"


def renamed(program: TileProgram, number: int) -> TileProgram:
    """The same under names of its own."""
    names = re.findall(r"^(\w+): |^func @(\w+)", program.text, re.MULTILINE)
    words = "|".join(sorted({a or b for a, b in names}, key=len, reverse=True))
    pattern = re.compile(rf'(?<![\w.%])({words})(?=\[|: \w+\[|\(|")|(?<=@)({words})\b')
    text = pattern.sub(lambda found: f"{found[1] or found[2]}_{number}", program.text)
    sizes = {f"{name}_{number}": size for name, size in program.sizes.items()}
    return TileProgram(text, sizes, program.seed, program.arguments)


def of_kind(number: int, seed: int, name: str) -> tuple[TileProgram, int]:
    """A program, and for how many clusters it is."""
    clusters = random.Random(f"{seed} {number}").choice((1, 1, 2, 4))
    machine = machine_named(name, f"clusters={clusters}")
    one = generate(seed * 10 + number, machine, OPTIONS[(seed + number) % len(OPTIONS)])
    return renamed(one, number), clusters


def contents(program: TileProgram) -> dict[str, np.ndarray]:
    """What stands in its buffers, in the order of their first names."""
    return {name: values.view(np.uint8) for name, values in program.contents().items()}


def alone(program: TileProgram, number: int, clusters: int, machine: Machine) -> dict[str, bytes]:
    """What the interpreter leaves in its buffers."""
    module = parse(program.text)
    memory = memory_for(module, {})
    for name, values in contents(program).items():
        memory.view(name)[:] = values
    main = module.functions[f"main_{number}"]
    functions = [main, *(module.functions[name] for name in BESIDE.of(main).values())]
    arguments = {name: program.arguments[name] for name, _ in main.parameters}
    shape = ChipShape(clusters, machine.description.cores)
    outcome = interpret_chip(functions, arguments, memory, shape, limit=LIMIT)
    assert outcome.status == "done" and not outcome.races, outcome
    return {name: memory.view(name).tobytes() for name in program.sizes}


def check(seed: int, name: str) -> None:
    """Three programs in streams, with copies of the host between them, cores in two orders."""
    stream = random.Random(f"tasks {seed}")
    order = stream.choice(("in_order", "first_that_fits"))
    machine = machine_named(name, CHIP, f"peripheral.order={order}")
    programs = [of_kind(number, seed, name) for number in range(3)]
    wanted: dict[str, bytes] = {}
    host: dict[int, list[Launch | Copy]] = {}
    for number, (program, clusters) in enumerate(programs):
        wanted |= alone(program, number, clusters, machine)
        arguments = {n: program.arguments[n] for n in program.arguments}
        tasks = clusters * machine.description.cores
        arrival = stream.randrange(0, 400)
        launch = Launch(f"main_{number}", f"union{clusters}", tasks, arguments, arrival)
        steps = host.setdefault(stream.randrange(2), [])
        steps += [Copy(min(program.sizes), "device"), launch, Copy(max(program.sizes), "host")]
    text = "\n".join(program.text for program, _ in programs)
    kernels = [f"main_{number}" for number in range(3)]
    code = compile("tasks.sir", source=text, machine=machine, kernels=kernels)
    runs = []
    for shuffle in (None, seed):
        memory = memory_for(code.module, {})
        for program, _ in programs:
            for buffer, values in contents(program).items():
                memory.view(buffer)[:] = values
        request = Request(code.program, machine, memory, {}, host, cycle_limit=LIMIT)
        if shuffle is None:
            outcome = simulate(request)
        else:
            with patch.object(core, "RunningJob", partial(shuffled_job, shuffle)):
                outcome = simulate(request)
        assert outcome.status == "done", outcome.failure or outcome.waits_for
        assert {buffer: memory.view(buffer).tobytes() for buffer in wanted} == wanted
        runs.append((outcome.cycles, outcome.breakdown, outcome.steps))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("name", MACHINES)
def test_tasks_leave_what_they_leave_alone(name):
    check(0, name)


@campaign(50, 0, 300)
@pytest.mark.parametrize("name", MACHINES)
def test_campaign(name, seeds):
    check_all(lambda seed: check(seed, name), seeds)
