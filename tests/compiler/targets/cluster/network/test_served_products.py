"""Products of which the MEM core of each cluster loads an operand and sends it, one layer after
another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from compiler import compile, read_source
from compiler.targets.cluster.network.templates import mapping
from machines.description.load import load_machine
from machines.kinds.cluster.code import BESIDE
from tests.compiler.targets.cluster.network.lowered import compare, evaluated
from tests.compiler.targets.cluster.network.test_products import layer

NETWORK = """\
network @main(x: f32[2, 7, 7, 24]) -> (y: f32[2, 7, 7, 24]) {
    u: f32[24, 1, 1, 24] = random(1, 0.5)
    v: f32[24, 3, 3, 24] = random(2, 0.25)
    a: f32[2, 7, 7, 24] = nn.conv(x, u) in "one"
    b: f32[2, 7, 7, 24] = nn.relu(a) in "one"
    c: f32[2, 7, 7, 24] = nn.conv(b, v) {pads: (1, 1, 1, 1)} in "two"
    d: f32[2, 7, 7, 24] = nn.add(c, x) in "two"
    e: f32[2, 7, 7, 24] = nn.conv(d, u) in "three"
    return y = e
}
"""


def only(monkeypatch: pytest.MonkeyPatch, way: tuple[str, str]) -> None:
    """Let layers be done in one way alone."""
    best = mapping._best_of_each_way
    monkeypatch.setattr(mapping, "WORTHWHILE", np.inf)
    monkeypatch.setattr(
        mapping,
        "_best_of_each_way",
        lambda *given: {known: one for known, one in best(*given).items() if known == way},
    )


@pytest.mark.parametrize("way", mapping.WAYS, ids=str)
def test_layers_one_after_the_other(way, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    only(monkeypatch, way)
    file = tmp_path / "network.net"
    file.write_text(NETWORK)
    x = np.random.default_rng(1).uniform(-1, 1, (2, 7, 7, 24)).astype("f4")
    machine = load_machine("mlu370")
    network = read_source(file, machine=machine).functions["main"].body
    wanted = evaluated(network, {network.inputs[0]: x})
    workload = {
        "workload": "network", "program": str(file), "machine": "mlu370",
        "arguments": {"x": {"dtype": "f32", "shape": [2, 7, 7, 24], "value": 0}},
    }  # fmt: skip
    result = sim.run(workload, arguments={"x": x})
    assert result.status == "done", result
    np.testing.assert_allclose(result.outputs["y"], wanted[network.outputs["y"]], 1e-4, 1e-4)
    assert bool(result.counters["BUS_COMMANDS"]) == bool(way[1])


@pytest.mark.parametrize("way", mapping.WAYS, ids=str)
@pytest.mark.parametrize("kind", ["matmul", "depth", "conv"])
def test_ways_of_odd_layers(kind, way, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    only(monkeypatch, way)
    draw = np.random.default_rng(3)
    machine = "teaching_chip"
    if kind == "matmul":
        network = layer(draw, "matmul", (2, 1, 5, 7), (3, 7, 9), followers="ba")
    elif kind == "depth":
        if way[0] == "weights":
            pytest.skip("weights that stay are not in parts")
        network = layer(draw, "matmul", (13, 411), (411, 19), followers="br")
    else:
        network = layer(draw, "conv", (2, 5, 7, 3), (6, 3, 2, 3), followers="b", pads=(1, 0, 1, 1))
    compare(network, machine, tmp_path)


def test_the_function_of_the_mem_core_is_beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    only(monkeypatch, ("inputs", "weights"))
    file = tmp_path / "network.net"
    file.write_text(NETWORK)
    found = compile(file, machine=load_machine("mlu370"))
    assert BESIDE.of(found.functions[0]) == {"mem": "main_mem"}
    assert [function.name for function in found.functions] == ["main", "main_mem"]
