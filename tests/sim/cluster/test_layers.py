"""What each layer of a program costs: worked out by hand, and of random programs reckoned anew from
the trace of their commands."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from compiler import compile
from compiler.text_form import parse, print_module
from machines.diagnostics import InputError
from machines.kinds.cluster.code import LAYERS
from machines.kinds.cluster.program import ClusterProgram
from machines.layout import Memory
from sim.cores import Outcome, Request
from sim.cores.cluster.host_steps import Copy, Launch
from sim.cores.cluster.layers import Charged, JobLayers
from sim.results.layer import LAUNCH, REST, Layer
from sim.results.sections import sections
from sim.results.vocabulary import vocabulary_of
from sim.simulate import simulate
from sim.timeline.recording import Recording
from tests.campaign.seeds import campaign, check_all
from tests.programs.random_tiles import Options, generate
from tests.programs.tile_runs import LIMIT, filled, machine_named
from tests.sim.cluster.chip_runs import AS_WRITTEN, run
from tests.sim.rests import check_every_rest

ONE_CORE = ["clusters=1", "cores=1"]


def figures(outcome: Outcome) -> dict[str, Layer]:
    return {layer.name: layer for layer in outcome.statistics.layers}


def cycles_of(outcome: Outcome) -> dict[str, int]:
    return {name: layer.cycles for name, layer in figures(outcome).items()}


# Worked out by hand on teaching_chip, as tests/sim/cluster/hand_worked says

TWO_LAYERS = """
x, y: f32[64] in dram
a, b: f32[64] in nram
w: f32[64] in nram

func @main() {
    layers = ("first", "second", "third")
entry:
    tensor.copy.f32 a[0:64], x[0:64] {layer: 0}
    tensor.copy.f32 w[0:64], x[0:64] {layer: 1}
    sync_io 0
    tensor.add.f32 b[0:64], a[0:64], a[0:64] {layer: 0}
    tensor.mul.f32 b[0:64], b[0:64], w[0:64] {layer: 1}
    sync_compute 0
    tensor.copy.f32 y[0:64], b[0:64] {layer: 2}
    return
}
"""
"""The first copy is given at 1, set up until 6, and moves its 256 bytes from 32 to 48; the second
one moves until 64.  The core waits from 3 to 64, gives two operations at 65 and 66, which take
1 + 8 + 4 cycles each, until 78 and 91; it waits from 67, and gives a copy at 92, set up until 97.
One way to DRAM is 3, so it moves from 100 until 116."""


def test_cycles_of_layers_are_those_worked_out():
    done = run(TWO_LAYERS, overrides=ONE_CORE).outcome
    assert cycles_of(done) == {
        "first": 78, "second": 91 - 78, "third": 116 - 91, REST: 0, LAUNCH: 0
    }  # fmt: skip
    first, second, third, *_ = done.statistics.layers
    assert [(o.begin, o.end, o.span, o.commands) for o in (first, second, third)] == [
        (1, 78, 77, 2), (2, 91, 89, 2), (92, 116, 24, 1)
    ]  # fmt: skip
    # The engine belongs to its oldest copy: to the first one until 48, to the second one from then.
    assert first.spent == {"iodma.setup": 31, "iodma.transfer": 16, "compute.vector": 13}
    assert second.spent == {"iodma.transfer": 16, "compute.vector": 13}
    assert third.spent == {"iodma.setup": 8, "iodma.transfer": 16}
    assert first.bytes == second.bytes == {"iodma": 256, "dram": 256, "ports": 256}
    # `sync_io` waits for the first one's operands: it is of the layer of the next command.
    assert {k: n for k, n in first.waits.items() if n} == {"wait_io": 64 - 3}
    assert {k: n for k, n in third.waits.items() if n} == {"wait_compute": 91 - 67, "wait_io": 24}
    assert first.operations == second.operations == {"vector": 64, "matrix": 0}
    assert first.least["vector"] == 64 * 4 / 32  # bytes by those of a step
    assert first.bound == ("iodma.setup", 47) and third.bound == ("iodma.transfer", 24)


def test_rates_are_those_of_the_machine():
    """The matrix unit has 4 lanes of f32, a product each a cycle, on each of 4 cores at 1 GHz."""
    text = """
    a: f32[32] in nram
    w: f32[64] in wram
    c: f32[32] in nram

    func @main() {
    entry:
        tensor.matmul.f32 c[0:32], a[0:32], w[0:64], 4, 8, 8 {layer: 0}
        return
    }
    """
    done = run(text).outcome
    only = done.statistics.layers[0]
    assert only.name == "layer 0" and only.operations["matrix"] == 4 * 2 * 4 * 8 * 8
    ((unit, rate, peak),) = only.rates(10**9)
    assert (unit, peak) == ("matrix", 4 * 2 * 4 * 10**9)
    assert rate == only.operations["matrix"] / only.span * 10**9


LAUNCHED = """
x, y: f32[64] in dram
a: f32[64] in nram

func @with() {
    layers = ("load", "store")
entry:
    tensor.copy.f32 a[0:64], x[0:64] {layer: 0}
    sync_io 0
    tensor.copy.f32 y[0:64], a[0:64] {layer: 1}
    return
}

func @without() {
entry:
    tensor.copy.f32 a[0:64], y[0:64]
    return
}
"""


def test_launches_copies_and_kernels_without_layers_have_their_cycles():
    """A launch takes 50 cycles, and 6 to start cores; a copy of 256 bytes 30, and 64 at 4 a cycle.
    What `with` takes is 48, and from there 1 + 5 + 3 + 16."""
    steps = [Launch("with", "block", 1, {}), Copy("x", "device"), Launch("without", "block", 1, {})]
    done = run(LAUNCHED, overrides=ONE_CORE, host={0: steps}).outcome
    found = cycles_of(done)
    assert found["load"] == 48 and found["store"] == 25
    assert found["without"] == 48
    assert found[LAUNCH] == done.cycles - 48 - 25 - 48 == 56 + 94 + 56
    programs = [layer.program for layer in done.statistics.layers]
    assert programs == ["with", "with", "without", "", ""]


def test_jobs_side_by_side_are_charged_to_the_oldest():
    """The second one is started 6 cycles later, and has what is left when the first one has ended;
    of two that begin so, the one that ends first has nothing left."""
    steps = [[Launch("without", "block", 1, {})], [Launch("with", "block", 1, {})]]
    chip = {"overrides": ["clusters=1"], "values": False}
    done = run(LAUNCHED, host=dict(enumerate(steps)), **chip).outcome
    found, rows = cycles_of(done), figures(done)
    assert found[LAUNCH] == 56 and found["without"] == rows["without"].end - 56
    assert found["load"] == rows["load"].end - rows["without"].end > 0
    assert found["store"] == done.cycles - rows["load"].end
    done = run(LAUNCHED, host=dict(enumerate(steps[::-1])), **chip).outcome
    found, rows = cycles_of(done), figures(done)
    assert found["without"] == 0 and rows["without"].bytes["iodma"] == 256
    assert found["load"] + found["store"] == done.cycles - 56


def test_a_run_that_is_cut_off_belongs_to_what_is_not_finished():
    done = run(TWO_LAYERS, overrides=ONE_CORE, status="limit", limit=70).outcome
    assert cycles_of(done) == {"first": 70, "second": 0, "third": 0, REST: 0, LAUNCH: 0}
    done = run(TWO_LAYERS, overrides=ONE_CORE, status="limit", limit=85).outcome
    assert cycles_of(done) == {"first": 78, "second": 7, "third": 0, REST: 0, LAUNCH: 0}


def test_what_belongs_to_no_layer_has_a_row():
    text = TWO_LAYERS.replace("y[0:64], b[0:64] {layer: 2}", "y[0:64], b[0:64]")
    done = figures(run(text, overrides=ONE_CORE).outcome)
    assert done[REST].cycles == 116 - 91 and done["third"].cycles == 0
    assert done[REST].spent == {"iodma.setup": 8, "iodma.transfer": 16}


def test_a_program_without_layers_has_none():
    text = LAUNCHED.replace(" {layer: 0}", "").replace(" {layer: 1}", "")
    text = text.replace('    layers = ("load", "store")\n', "")
    assert not run(text, entry="with", values=False).outcome.statistics.layers


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{layer: 3}", "layer 3 has no name: @main names 3"),
        ("{layer: -1}", "a number from 0 to 65535, not -1"),
        ("{layer: 70000}", "not 70000"),
        ("{layer: true}", "not True"),
        ('{layer: "third"}', "not 'third'"),
    ],
)
def test_numbers_that_are_no_layers_are_told(written: str, message: str):
    with pytest.raises(InputError, match=message):
        run(TWO_LAYERS.replace("{layer: 2}", written), overrides=ONE_CORE)


# Random programs

MACHINES = (
    ("teaching_chip",),
    ("teaching_chip", "dram_path=auto"),
    ("teaching_chip", "dma_engines=one"),
    ("mlu370",),
)
OPTIONS = (Options(), Options(stages=True), Options(mem=False))


def with_layers(text: str, seed: int) -> str:
    """The program with layers of random commands, most of them in the order of the program."""
    module, draw = parse(text), random.Random(seed)
    count = draw.randint(1, 6)
    for function in module.functions.values():
        commands = [i for _, i in function.instructions() if i.operation.walk is not None]
        for k, instruction in enumerate(commands):
            number = k * count // len(commands)
            if draw.random() < 0.2:
                number = draw.randrange(count)
            if draw.random() < 0.9:
                instruction.attributes["layer"] = number
    LAYERS.say(module.functions["main"], tuple(f"part {k}" for k in range(count)))
    return print_module(module)


def run_of(text: str, program: Any, machine: Any, tell: Any = None) -> tuple[Outcome, Memory, Any]:
    code = compile("tiles.sir", source=text, machine=machine, entry="main")
    memory = filled(code.module, program)
    recording = Recording(vocabulary_of(machine.kind), tell)
    request = Request(code.program, machine, memory, program.arguments, cycle_limit=LIMIT)
    if tell is not None:
        request = replace(request, on_trace=recording.take)
    return simulate(request), memory, code.program


def reckoned(program: ClusterProgram, happened: list[Any], cycles: int) -> list[int]:
    """The cycles of layers, and of the rest, by the ends of commands in the trace."""
    lines = {
        location.line: instruction.layer
        for code in program.codes
        for instruction, location in zip(code.code, program.locations[code.first :], strict=False)
        if instruction.row.walk is not None
    }
    ends = [0] * len(program.layers)
    for one in happened:
        if one.name == "command" and (layer := lines[one.arguments["location"].line]) is not None:
            ends[layer] = max(ends[layer], one.end)
    reached = [max([0, *ends[: k + 1]]) for k in range(len(ends))]
    return [b - a for a, b in zip([0, *reached], [*reached, cycles], strict=True)]


def check(seed: int, *chip: str) -> None:
    """Layers change nothing, their cycles are those of the trace, and every path moves for them
    what it moves."""
    machine, happened = machine_named(*chip), []
    program = generate(seed, machine, OPTIONS[seed % len(OPTIONS)])
    plain, plain_memory, _ = run_of(program.text, program, machine)
    text = with_layers(program.text, seed)
    outcome, memory, code = run_of(text, program, machine, happened.append)
    assert outcome.cycles == plain.cycles and (memory.bytes == plain_memory.bytes).all()
    if not code.layers:  # the commands of layers were in vain
        return
    *layers, launch = outcome.statistics.layers
    assert launch.cycles == 0
    assert [layer.cycles for layer in layers] == reckoned(code, happened, outcome.cycles)
    moved: dict[str, int] = {}
    for layer in layers:
        for name, size in layer.bytes.items():
            moved[name] = moved.get(name, 0) + size
    links = {name: n for name, n in outcome.statistics.links.items() if name in layers[0].widths}
    told = {**outcome.statistics.bytes, **links}
    assert moved == {name: size for name, size in told.items() if size}
    for layer in layers:  # none beats a roofline of what it did
        parts = [done / peak for _, done, peak in layer.rates(1)]
        busy = [cycles / layer.span for cycles in layer.busy().values() if cycles]
        assert all(part <= 1 for part in (*parts, *busy)), layer
    assert sum(layer.commands for layer in layers) >= outcome.statistics.commands["compute"]
    assert json.loads(json.dumps([layer.to_dict(10**9) for layer in layers]))


@pytest.mark.parametrize("chip", MACHINES, ids=" ".join)
def test_random_programs_have_their_cycles(chip: tuple[str, ...]):
    for seed in range(3):
        check(seed, *chip)


@campaign(50, 0, 1000)
@pytest.mark.parametrize("chip", MACHINES, ids=" ".join)
def test_campaign(chip, seeds):
    check_all(lambda seed: check(seed, *chip), seeds)


# Results


@pytest.fixture
def content(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "net.sir").write_text(LAUNCHED.replace("a[0:64], y[0:64]", "a[0:64], x[0:64]"))
    one = {"kernel": "with", "type": "block", "dim": 1}
    other = {"kernel": "without", "type": "union1", "dim": 2}
    return {
        "workload": "net",
        "program": str(tmp_path / "net.sir"),
        "machine": "teaching_chip",
        "arguments": {"x": np.ones(64, np.float32), "y": np.zeros(64, np.float32)},
        "tasks": [one, other, one],
        "passes": AS_WRITTEN,
    }


def test_runs_that_are_taken_up_go_on_counting(content, tmp_path: Path):
    assert check_every_rest(content, tmp_path) >= 2


def test_layers_of_a_region_add_up_to_it(content):
    whole, region = sim.run(content), sim.run({**content, "measure": {"after": 1}})
    assert sum(layer.cycles for layer in region.layers) == region.cycles < whole.cycles
    assert [layer.commands for layer in whole.layers] == [2, 2, 2, 0, 0]
    assert [layer.commands for layer in region.layers] == [1, 1, 2, 0, 0]
    assert [layer.cycles for layer in region.layers][:2] == [48, 25]
    assert [layer.span for layer in whole.layers][:2] == [2 * 47, 2 * 24]


def test_reports_have_them(content):
    result = sim.run(content)
    told = result.to_dict()["layers"]
    assert sum(row["cycles"] for row in told) == result.cycles
    assert [row["layer"] for row in told] == [0, 1, 2, None, None]
    assert json.loads(result.to_json())["layers"] == told
    (section,) = [one for one in sections(result) if one.title.startswith("layers")]
    assert [row[0] for row in section.rows] == ["load", "store", "without", "launch"]
    content["program"] = content["program"].replace("net.sir", "plain.sir")
    Path(content["program"]).write_text(re.sub(r" \{layer: .\}|    layers.*\n", "", LAUNCHED))
    assert "layers" not in sim.run(content, races=False).to_dict()


def test_a_single_cycle_is_charged():
    charged = Charged.of(3)
    charged.take(JobLayers(0, 2, [2, 2, None], [5, 6, 2], tuple, ended=7), 9)
    assert (charged.launch, charged.cycles, charged.until) == (2, [3, 1, 1], 7)
    assert charged.spans == [3, 4, 0]
