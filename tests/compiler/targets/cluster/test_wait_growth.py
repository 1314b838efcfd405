"""What `place_waits` does grows with the program and no faster: calls of functions, counted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from compiler import compile
from compiler.targets.cluster.passes import place_waits
from machines.description.load import Machine
from tests.programs.tile_runs import ONE_CORE, machine_named

HEAD = """x: f32[65536] in dram
y: f32[65536] in dram
a: f32[64] in nram
b: f32[64] in nram
func @main(n: i64) {
entry:
    j = const.i64 0
    jump head0
"""
BODY = """tensor.copy.f32 a[0:64], x[{low}:{high}]
tensor.add.f32 b[0:64], a[0:64], a[0:64]
tensor.exp.f32 b[0:64], b[0:64]
tensor.copy.f32 y[{low}:{high}], b[0:64]"""


def _loops(count: int, end: str, low: str = "0", high: str = "64", before: str = "") -> str:
    """Loops one behind the other, of four commands each."""
    return "".join(
        f"head{k}:\ni{k} = const.i64 0\n{before.format(k=k)}\njump loop{k}\nloop{k}:\n"
        f"{BODY.format(low=low.format(k=k), high=high.format(k=k))}\ni{k} = add.i64 i{k}, 1\n"
        f"p{k} = lt_s.i64 i{k}, n\n"
        f"branch p{k}, loop{k}, {f'head{k + 1}' if k + 1 < count else end}\n"
        for k in range(count)
    )


def _one_block(count: int) -> str:
    body = "\n".join(BODY.format(low=64 * k, high=64 * k + 64) for k in range(count))
    turn = "j = add.i64 j, 1\np = lt_s.i64 j, n\nbranch p, loop, end"
    return f"head0:\njump loop\nloop:\n{body}\n{turn}\n"


def _layers(count: int) -> str:
    """Of all cores: each reads what the others have written before they met."""
    layers = "".join(
        f"{BODY.format(low='low', high='high')}\n"
        f"tensor.copy.f32 a[0:64], y[{64 * k}:{64 * k + 64}]\n"
        f"tensor.add.f32 b[0:64], a[0:64], a[0:64]\n"
        f"tensor.copy.f32 x[low:high], b[0:64]\nsync_all_ipu 0\n"
        for k in range(count)
    )
    return f"head0:\nt = task_id\nlow = mul.i64 t, 64\nhigh = add.i64 low, 64\n{layers}jump end\n"


SHAPES: dict[str, Callable[[int], str]] = {
    "loops": lambda count: _loops(count, "end"),
    "bounds that are not known": lambda count: _loops(
        count, "end", "l{k}", "h{k}", "l{k} = mul.i64 n, {k}\nh{k} = add.i64 l{k}, 64"
    ),
    "all in a loop": lambda count: (
        _loops(count, "turn") + "turn:\nj = add.i64 j, 1\nq = lt_s.i64 j, n\nbranch q, head0, end\n"
    ),
    "one large block": _one_block,
    "meetings": _layers,
}


def calls_of(shape: str, count: int, machine: Machine) -> int:
    """How many functions are called, those of Python's own included, while waits are placed."""
    text = f"{HEAD}{SHAPES[shape](count)}end:\nreturn\n}}\n"
    passes = ["allocate_scratchpads", {"place_waits": {"none": True}}]
    function = compile("p.sir", source=text, machine=machine, entry="main", passes=passes).function
    calls = 0

    def note(_frame: FrameType, event: str, _about: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        place_waits.run(function, machine, place_waits.Options())
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("waits", ["drain", "counted"])
def test_twice_the_loops_are_twice_the_work(shape, waits):
    machine = machine_named("teaching_chip", *ONE_CORE, f"waits={waits}")
    few, twice = (calls_of(shape, count, machine) for count in (25, 50))
    assert 0 < twice <= 2**1.1 * few
