"""What issues a plain instruction does what the longer way does for it, in every bit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from machines.description.load import Machine
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from sim.cores.kept_arrays import arrays_of
from sim.cores.simt import state as at
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.host import shortcuts
from sim.cores.simt.units.shortcuts import SHAPE, SHORTCUT
from tests.campaign.seeds import campaign, check_all
from tests.sim.fields.variants import variant
from tests.sim.simt import random_kernel_runs
from tests.sim.simt.random_row_programs import RandomRows
from tests.sim.simt.random_row_runs import POLICIES, assembled, placed

MACHINES = (
    ("teaching_gpu",),
    ("teaching_gpu", "scheduler.policy=gty"),
    ("a100", "sms=2"),
    ("a100", "sms=2", "dependences.kind=control_bits"),
    ("h200", "sms=2", "scheduler.policy=lrr"),
)
"""Some pipes of the A100 are further apart.  Where control bits say when an instruction may issue,
none is plain."""
CYCLES = 300_000
Left = tuple[dict[str, Any], Counter]
"""All arrays that a program leaves, also where it has not ended; how many of its instructions have
each shape."""


def machine_of(seed: int, policy: str) -> Machine:
    name, *changes = MACHINES[seed % len(MACHINES)]
    return variant(name, (f"reconvergence.policy={policy}", *changes))


def rows(seed: int) -> Left:
    """What random rows leave."""
    source = RandomRows(seed)
    program = assembled(source)
    memory, launches = placed(source, program)
    machine = machine_of(seed, POLICIES[seed % len(POLICIES)])
    core = SimtCore(program, machine.description, memory)
    for number, given in enumerate(launches):
        start(core, number, "k", source.grid, given)
    return left_by(core)


def kernel(seed: int) -> Left:
    """What a random kernel leaves, which the compiler has scheduled."""
    source = random_kernel_runs.generate(seed, random_kernel_runs.options_of(seed))
    machine = machine_of(seed, "markers")
    compilation = random_kernel_runs.compiled(source, machine)
    memory, given = random_kernel_runs.placed(source, compilation)
    core = SimtCore(compilation.program, machine.description, memory)
    start(core, 0, "main", source.grid, list(given.values()))
    return left_by(core)


def start(core: SimtCore, number: int, name: str, grid: Grid, given: list) -> None:
    values = [core.memory.address(value) if isinstance(value, str) else value for value in given]
    frame = core.program.kernels[name].frame
    core.start(number, name, grid, parameter_bytes(frame, values))


def left_by(core: SimtCore) -> Left:
    core.advance(CYCLES)
    core.settle()
    assert (core.state.stalls >= 0).all()
    shapes = core.decoded.code.reshape(-1, at.CODE_COLUMNS)[:, SHORTCUT.SHAPE]
    return arrays_of(core.state, {*at.FIXED} - {"bytes"}), Counter(shapes.tolist())


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether arrays are, but for what holds nothing between two instructions."""
    return all(
        same(one[name], other[name])
        if isinstance(one[name], Mapping)
        else np.array_equal(one[name], other[name])
        for name in one.keys() - {"rows"}
    )


def check(run: Callable[[int], Left], seed: int) -> Counter:
    short, shapes = run(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortcuts, "shape_of", lambda instruction: SHAPE.ANY)
        long, plain = run(seed)
    assert not plain.keys() - {SHAPE.ANY}
    assert same(short, long), f"seed {seed}"
    return shapes


def check_shapes(seeds: range) -> None:
    """The same of several; each shape stands in some of them."""
    for run in (rows, kernel):
        found: Counter = Counter()
        check_all(lambda seed, run=run, found=found: found.update(check(run, seed)), seeds)
        assert all(
            found[shape] for shape in (SHAPE.PLAIN_LANES, SHAPE.PLAIN_PARAMETER, SHAPE.PLAIN_WORDS)
        )


def test_the_shorter_way_does_the_same():
    check_shapes(range(5))


@campaign(25, end=1500)
def test_campaign(seeds: range):
    check_shapes(seeds)
