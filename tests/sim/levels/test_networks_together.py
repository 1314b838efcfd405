"""Several networks on one chip: tasks on clusters of their own, with times at which they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from compiler.levels.network.programs import interpret, parse
from machines.diagnostics import InputError

TEXT = """
network @first(x: f32[4, 32]) -> (y: f32[4, 32]) {
    w: f32[32, 32] = random(1, 0.2)
    h = nn.matmul(x, w) in "product"
    a = nn.relu(h) in "act"
    return y = a
}

network @second(x: f32[64], z: f32[64]) -> (y: f32[64]) {
    h = nn.mul(x, z) in "scale"
    return y = h
}
"""
DRAW = np.random.default_rng(1)
INPUTS = {
    "first": {"x": DRAW.integers(-8, 9, (4, 32)).astype(np.float32) / 8},
    "second": {name: DRAW.integers(-8, 9, 64).astype(np.float32) / 8 for name in ("x", "z")},
}
LAUNCH = {"type": "union1", "dim": 2}


def content(folder: Path, tasks: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    path = folder / "two.net"
    path.write_text(TEXT)
    names = list(dict.fromkeys(task["kernel"] for task in tasks))
    arguments = {
        name if len(names) == 1 else f"{kernel}.{name}": array
        for kernel in names
        for name, array in INPUTS[kernel].items()
    }
    said = {"workload": "two", "program": str(path), "machine": "teaching_chip", "clusters": 1}
    return {**said, "arguments": arguments, "tasks": tasks, **more}


def expected(kernel: str) -> np.ndarray:
    function = parse(TEXT, "two.net").functions[kernel]
    return interpret(function, list(INPUTS[kernel].values()))["y"]


def length(result: sim.Result, kernel: str) -> int:
    (step,) = [step for step in result.steps if step.get("kernel") == kernel]
    return step["end"] - step["begin"]


def test_two_networks_at_once_give_what_each_gives_alone(tmp_path: Path):
    """None is faster than alone on its cluster; both at once are not slower than in turn."""
    tasks = [{"kernel": "first", **LAUNCH}, {"kernel": "second", "stream": 1, **LAUNCH}]
    together = sim.run(content(tmp_path, tasks))
    in_turn = sim.run(content(tmp_path, [{**task, "stream": 0} for task in tasks]))
    assert together.cycles <= in_turn.cycles
    for task in tasks:
        kernel = task["kernel"]
        alone = sim.run(content(tmp_path, [{**task, "stream": 0}]))
        wanted = expected(kernel)
        np.testing.assert_allclose(alone.outputs["y"], wanted, rtol=1e-5, atol=1e-6)
        for both in (together, in_turn):
            assert (both.outputs[f"{kernel}.y"] == alone.outputs["y"]).all()
        assert length(together, kernel) >= length(alone, kernel)
    programs = {layer.program for layer in together.layers}
    assert programs == {"first", "second", ""}
    assert sum(layer.cycles for layer in together.layers) == together.cycles


def test_a_network_comes_when_it_arrives(tmp_path: Path):
    tasks = [
        {"kernel": "first", **LAUNCH},
        {"kernel": "second", "stream": 1, "arrival": "300 cycles", **LAUNCH},
    ]
    result = sim.run(content(tmp_path, tasks))
    (step,) = [step for step in result.steps if step["kernel"] == "second"]
    assert step["begin"] >= 300
    assert (result.outputs["second.y"] == expected("second")).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"clusters": 3}, "no job of teaching_chip has 3 clusters"),
        ({"tasks": [{"kernel": "first", "type": "union1", "dim": 4}]}, "for another launch"),
        ({"tasks": [{"kernel": "first", "type": "union2", "dim": 4}]}, "for another launch"),
        ({"tasks": [{"kernel": "third", **LAUNCH}]}, "has no network 'third'"),
    ],
)
def test_what_cannot_be_launched_is_told(tmp_path: Path, change: dict[str, Any], message: str):
    with pytest.raises(InputError, match=message):
        sim.run({**content(tmp_path, [{"kernel": "first", **LAUNCH}]), **change})


def test_a_network_for_the_whole_chip_is_no_task(tmp_path: Path):
    given = content(tmp_path, [{"kernel": "first", **LAUNCH}])
    with pytest.raises(InputError, match="lowered for all of the machine"):
        sim.run({key: value for key, value in given.items() if key != "clusters"})
    alone = {key: value for key, value in given.items() if key != "tasks"}
    with pytest.raises(InputError, match="lowered for a part of the machine"):
        sim.run({**alone, "entry": "first"})
