"""Products of which the MEM core of each cluster loads an operand and sends it, one layer after
another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from compiler import compile, read_source
from compiler.targets.cluster.network.means import Means
from compiler.targets.cluster.network.templates import mapping
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.cluster.code import BESIDE
from tests.campaign.seeds import spread
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


@pytest.mark.parametrize("way", spread(mapping.WAYS, 2), ids=str)
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


@pytest.mark.parametrize("buffers", [2, 1])
@pytest.mark.parametrize("way", spread(mapping.WAYS, 3), ids=str)
@pytest.mark.parametrize("kind", ["matmul", "depth", "conv"])
def test_ways_of_odd_layers(kind, way, buffers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
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
    compare(network, machine, tmp_path, means=Means(buffers))


@pytest.mark.parametrize("off", [{"buffers": 1}, {"serve": False}], ids=str)
def test_what_is_switched_off_was_worth_its_while(off, tmp_path: Path):
    """Values stay, and cycles rise."""
    network = """\
network @main(x: f16[512, 512]) -> (y: f16[512, 512]) {
    w: f16[512, 512] = random(1, 0.1)
    a = nn.matmul(x, w) in "one"
    return y = a
}
"""
    (tmp_path / "network.net").write_text(network)
    numbers = {"seed": 1, "low": -1, "high": 1}
    workload = {
        "workload": "network", "program": str(tmp_path / "network.net"), "machine": "mlu370",
        "arguments": {"x": {"dtype": "f16", "shape": [512, 512], "random": numbers}},
    }  # fmt: skip
    usual = sim.run(workload)
    without = sim.run(workload | {"passes": ["default", {"lower_network": off}]})
    np.testing.assert_array_equal(usual.outputs["y"], without.outputs["y"])
    assert without.cycles > 1.05 * usual.cycles
    assert usual.counters["BUS_COMMANDS"]
    assert bool(without.counters["BUS_COMMANDS"]) == off.get("serve", True)


def test_numbers_of_buffers_are_one_or_two(tmp_path: Path):
    (tmp_path / "network.net").write_text(NETWORK)
    passes = ["default", {"lower_network": {"buffers": 3}}]
    with pytest.raises(InputError, match="1 or 2 buffers of each operand, not 3"):
        compile(tmp_path / "network.net", machine=load_machine("mlu370"), passes=passes)


def test_the_function_of_the_mem_core_is_beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    only(monkeypatch, ("inputs", "weights"))
    file = tmp_path / "network.net"
    file.write_text(NETWORK)
    found = compile(file, machine=load_machine("mlu370"))
    assert BESIDE.of(found.functions[0]) == {"mem": "main_mem"}
    assert [function.name for function in found.functions] == ["main", "main_mem"]
