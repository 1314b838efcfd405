"""What issues a plain instruction does what the longer way does for it, in every bit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from machines.kinds.simt.program import parameter_bytes
from sim.cores.kept_arrays import arrays_of
from sim.cores.simt import state as at
from sim.cores.simt.decode import Decoded
from sim.cores.simt.drive import SimtCore
from tests.campaign.seeds import campaign, check_all
from tests.sim.fields.variants import variant
from tests.sim.simt.random_row_programs import RandomRows
from tests.sim.simt.random_row_runs import POLICIES, assembled, placed

MACHINES = (
    ("teaching_gpu",),
    ("teaching_gpu", "scheduler.policy=gty"),
    ("teaching_gpu", "dependences.kind=control_bits"),
    ("a100", "sms=2"),
    ("h200", "sms=2", "scheduler.policy=lrr"),
)
"""The A100 has cycles more between pipes."""
CYCLES = 300_000


def left_by(seed: int) -> tuple[dict[str, Any], Counter]:
    """(all arrays that a random program leaves, also where it has not ended, how many of its
    instructions have each shape)."""
    source = RandomRows(seed)
    program = assembled(source)
    memory, launches = placed(source, program)
    name, *changes = MACHINES[seed % len(MACHINES)]
    policy = f"reconvergence.policy={POLICIES[seed % len(POLICIES)]}"
    core = SimtCore(program, variant(name, (policy, *changes)).description, memory)
    frame = program.kernels["k"].frame
    for number, given in enumerate(launches):
        values = [memory.address(v) if isinstance(v, str) else v for v in given]
        core.start(number, "k", source.grid, parameter_bytes(frame, values))
    core.advance(CYCLES)
    core.settle()
    shapes = core.decoded.code.reshape(-1, at.CODE_COLUMNS)[:, at.SHAPE]
    return arrays_of(core.state, {*at.FIXED} - {"bytes"}), Counter(shapes.tolist())


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether arrays are, but for what holds nothing between two instructions."""
    return all(
        same(one[name], other[name])
        if isinstance(one[name], Mapping)
        else np.array_equal(one[name], other[name])
        for name in one.keys() - {"rows"}
    )


def check(seed: int) -> Counter:
    short, shapes = left_by(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Decoded, "_shape", lambda decoded, columns: at.ANY)
        long, plain = left_by(seed)
    assert not plain.keys() - {at.ANY}
    assert same(short, long), f"seed {seed}"
    return shapes


def check_shapes(seeds: range) -> None:
    """The same of several; each shape stands in some of them."""
    found: Counter = Counter()
    check_all(lambda seed: found.update(check(seed)), seeds)
    assert all(found[shape] for shape in (at.PLAIN_LANES, at.PLAIN_PARAMETER, at.PLAIN_WORDS))


def test_the_shorter_way_does_the_same():
    check_shapes(range(15))


@campaign(25, end=1500)
def test_campaign(seeds: range):
    check_shapes(seeds)
