"""Mappings of layers that a file gives: they are done so, leave the same values, and what cannot be
is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sim
from compiler.targets.cluster.network.templates import mapping
from machines.diagnostics import InputError
from sim.explaining import Asked, shown_of
from sim.views import Shown

NETWORK = """\
network @main(x: f32[1, 4, 4, 8]) -> (y: f32[16, 24]) {
    w: f32[16, 3, 3, 8] = random(1, 0.5)
    d: f32[16, 24] = random(2, 0.5)
    a: f32[1, 4, 4, 16] = nn.conv(x, w) {pads: (1, 1, 1, 1)} in "one"
    b: f32[16, 16] = nn.reshape(a) {shape: (16, 16)}
    c: f32[16, 24] = nn.matmul(b, d) in "two"
    return y = c
}
"""
KEYS = ("tile", "stays", "served", "split")


@pytest.fixture
def network(tmp_path: Path) -> Path:
    file = tmp_path / "network.net"
    file.write_text(NETWORK)
    return file


def layers_of(network: Path) -> dict[str, dict]:
    """By name, of a network or of a workload."""
    asked = Asked("tiles", network, "teaching_chip", (), None, None)
    return {one["layer"]: one for one in shown_of(asked, "text", {}).content["layers"]}


def workload(network: Path, file: str, machine: str = "teaching_chip") -> dict:
    numbers = {"seed": 1, "low": -1, "high": 1}
    return {
        "workload": "network", "program": str(network), "machine": machine,
        "passes": ["default", {"lower_network": {"mapping": file}}],
        "arguments": {"x": {"dtype": "f32", "shape": [1, 4, 4, 8], "random": numbers}},
    }  # fmt: skip


def run(network: Path, file: str = "model") -> sim.Result:
    return sim.run(workload(network, file))


def written(folder: Path, given: dict[str, dict]) -> str:
    file = folder / "mappings.yaml"
    file.write_text(json.dumps(given))
    return str(file)


def test_every_way_that_is_given_leaves_the_same(network: Path, tmp_path: Path):
    layers, usual = layers_of(network), run(network)
    ranked = {name: layers[name]["mapping"]["ranked"] for name in ("one", "two")}
    assert all(len(ways) >= 3 for ways in ranked.values())
    cycles = {usual.cycles}
    for place in (1, 2):
        given = {name: {key: ways[place][key] for key in KEYS} for name, ways in ranked.items()}
        found = run(network, written(tmp_path, given))
        np.testing.assert_array_equal(found.outputs["y"], usual.outputs["y"])
        cycles.add(found.cycles)
    assert len(cycles) == 3


def test_a_layer_that_is_not_named_is_mapped_as_ever(network: Path, tmp_path: Path):
    other = layers_of(network)["two"]["mapping"]["ranked"][1]
    file = written(tmp_path, {"two": {key: other[key] for key in KEYS}})
    with_file = tmp_path / "workload.yaml"
    with_file.write_text(json.dumps(workload(network, file)))
    usual, given = layers_of(network), layers_of(with_file)
    assert given["one"]["mapping"] == usual["one"]["mapping"]
    assert given["two"]["mapping"]["given"]
    assert given["two"]["mapping"]["chosen"] == other


def test_of_two_layers_that_are_alike_one_is_given(tmp_path: Path):
    file = tmp_path / "alike.net"
    file.write_text("""\
network @main(x: f32[16, 16]) -> (y: f32[16, 16]) {
    w: f32[16, 16] = random(1, 0.5)
    a = nn.matmul(x, w) in "first"
    b = nn.matmul(a, w) in "second"
    c = nn.matmul(b, w) in "third"
    return y = c
}
""")
    usual = layers_of(file)
    other = usual["third"]["mapping"]["ranked"][1]
    with_file = tmp_path / "workload.yaml"
    mappings = written(tmp_path, {"third": {key: other[key] for key in KEYS}})
    numbers = {"dtype": "f32", "shape": [16, 16], "value": 1}
    with_file.write_text(json.dumps(workload(file, mappings) | {"arguments": {"x": numbers}}))
    given = layers_of(with_file)
    assert given["second"]["mapping"] == usual["second"]["mapping"]
    assert given["third"]["mapping"]["chosen"] == other


TILE = {"rows": [16], "columns": 24}
REFUSED = [
    ({"tow": {"tile": TILE, "stays": "weights"}}, "no layer 'tow' multiplies", "'two'"),
    ({"two": {"tile": TILE, "stays": "all"}}, "stays", "weights"),
    ({"two": {"tile": {"rows": [15], "columns": 24}, "stays": "weights"}},
     "there are no tiles of 15 rows, 24 columns", "rows that there are"),
    ({"two": {"tile": {"rows": [16], "columns": 23}, "stays": "weights"}},
     "there are no tiles of 16 rows, 23 columns", "columns that there are"),
    ({"two": {"tile": TILE, "stays": "inputs", "served": "inputs"}},
     "inputs cannot stay with inputs served", "weights stay, inputs served"),
    ({"two": {"tile": TILE, "stays": "weights", "split": {"rows": 2}}},
     "cores cannot share them 1 × 2 × 1", "1 × 1 × 1 tiles"),
]  # fmt: skip


@pytest.mark.parametrize("given, message, hint", REFUSED, ids=lambda value: str(value)[:40])
def test_what_cannot_be_is_refused_where_it_stands(
    given: dict, message: str, hint: str, network: Path, tmp_path: Path
):
    with pytest.raises(InputError) as refused:
        sim.run(workload(network, written(tmp_path, given), "mlu370"))
    assert "mappings.yaml:1:" in str(refused.value)
    assert message in str(refused.value)
    assert hint in str(refused.value)


def searched(file: Path, **given: str) -> Shown:
    return shown_of(Asked("mappings", file, "teaching_chip", (), None, None), "text", given)


def test_the_search_is_never_behind_the_model(network: Path, tmp_path: Path):
    """What it prints is a file that gives what it found."""
    usual, found = run(network), searched(network)
    content, file = found.content, tmp_path / "mappings.yaml"
    assert content["cycles"] <= content["cycles_by_the_model"] == usual.cycles
    file.write_text(found.text)
    assert run(network, str(file)).cycles == content["cycles"]
    for layer in content["layers"].values():
        assert len(layer["cycles"]) == 3
        assert layer["chosen"] == 0 or layer["cycles"][layer["chosen"]] < layer["cycles"][0]


def test_a_better_mapping_is_found(network: Path, monkeypatch: pytest.MonkeyPatch):
    """The model is made to prefer what is worse."""
    ranked = mapping._best_of_each_way

    def worse(*given):
        ways = sorted(ranked(*given).items(), key=lambda way: way[1].estimate.cycles)
        order = dict(zip(dict(ways), reversed(range(len(ways))), strict=True))
        return {
            way: replace(one, estimate=replace(one.estimate, cycles=order[way]))
            for way, one in ways
        }

    monkeypatch.setattr(mapping, "_best_of_each_way", worse)
    found = searched(network, best="3").content
    assert found["cycles"] < found["cycles_by_the_model"]
    assert any(layer["chosen"] for layer in found["layers"].values())


def test_what_has_no_mappings_says_so(network: Path, tmp_path: Path):
    with pytest.raises(InputError, match="1 to 7, not 'many'"):
        searched(network, best="many")
    alone = tmp_path / "alone.net"
    text = "network @main(x: f32[8]) -> (y: f32[8]) {\n    a = nn.relu(x)\n    return y = a\n}\n"
    alone.write_text(text)
    with pytest.raises(InputError, match=r"no layer of .* multiplies"):
        searched(alone)
