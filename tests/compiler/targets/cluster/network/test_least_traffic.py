"""The bytes that layers have to move, and what results say of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from compiler import compile
from compiler.text_form import parse
from machines.diagnostics import InputError
from machines.kinds.cluster.code import LAYERS, LEAST_BYTES
from sim.results.layer import Layer
from tests.sim.cluster.chip_runs import run

LEAST = {
    # Reads x twice, and its weights; what is read within the layer costs nothing.
    "x: f32[64]) -> (y: f32[64]) {\n w: f32[64] = random(1, 0.2)\n"
    'h = nn.mul(x, w) in "a"\n y = nn.add(h, x) in "a"': {"a": 4 * (64 + 64 + 64)},
    # Two layers, of which the second one reads what the first one makes, by another shape.
    "x: f32[8, 8]) -> (y: f32[64]) {\n"
    'h = nn.exp(x) in "a"\n r = nn.reshape(h) {shape: (64)}\n y = nn.relu(r) in "b"': {
        "a": 4 * 2 * 64,
        "b": 4 * 2 * 64,
    },
    # One number is in the code.
    'x: f16[64]) -> (y: f16[64]) {\n w: f16[] = fill(3)\ny = nn.mul(x, w) in "a"': {
        "a": 2 * 2 * 64
    },
    # A slice; nothing of a table, of which places may name no row at all.
    "x: f32[8, 16]) -> (y: f32[4, 16]) {\n"
    'y = nn.slice(x) {starts: (2, 0), sizes: (4, 16)} in "a"': {"a": 4 * 2 * 64},
    'x: f32[50, 16], p: i32[3]) -> (y: f32[3, 16]) {\ny = nn.gather(x, p) {axis: 0} in "a"': {
        "a": 4 * (48 + 3)
    },
    'x: f32[2, 16], p: i32[5]) -> (y: f32[5, 16]) {\ny = nn.gather(x, p) {axis: 0} in "a"': {
        "a": 4 * (80 + 5)
    },
    # Updates may name no row, or each of them; sums that leave the last of each row out.
    "x: f32[8, 16], p: i32[3], u: f32[3, 16]) -> (y: f32[8, 16]) {\n"
    'y = nn.scatter(x, p, u) in "a"': {"a": 4 * (5 * 16 + 3 + 8 * 16)},
    "x: f32[2, 16], p: i32[3], u: f32[3, 16]) -> (y: f32[2, 16]) {\n"
    'y = nn.scatter(x, p, u) in "a"': {"a": 4 * (3 + 2 * 16)},
    "x: f32[8, 16], p: i32[3], u: f32[3, 16]) -> (y: f32[8, 16]) {\n"
    'y = nn.scatter_add(x, p, u) in "a"': {"a": 4 * (8 * 16 + 3 + 8 * 16)},
    "x: f32[8, 16]) -> (y: f32[8, 16]) {\n"
    'y = nn.cumulative_sum(x) {axis: 0, exclusive: true} in "a"': {"a": 4 * (7 * 16 + 8 * 16)},
    # Windows: a quarter of the points; columns 0, 1, 3 and 4 of 6; all of them, not the border.
    "x: f32[1, 6, 6, 8]) -> (y: f32[1, 3, 3, 8]) {\n w: f32[8, 1, 1, 8] = random(1, 1)\n"
    'y = nn.conv(x, w) {strides: (2, 2)} in "a"': {"a": 4 * (9 * 8 + 64 + 9 * 8)},
    "x: f32[1, 6, 6, 8]) -> (y: f32[1, 6, 2, 8]) {\n"
    'y = nn.pool_max(x) {kernel: (1, 2), strides: (1, 3)} in "a"': {"a": 4 * 8 * (6 * 4 + 6 * 2)},
    "x: f32[1, 4, 4, 8]) -> (y: f32[1, 4, 4, 8]) {\n"
    'y = nn.pool_max(x) {kernel: (3, 3), pads: (1, 1, 1, 1)} in "a"': {"a": 4 * 2 * 8 * 16},
    # Rows 0, 2 and 4 of an image of one column; then the border, and row 2.
    "x: f32[1, 5, 1, 8]) -> (y: f32[1, 2, 1, 8]) {\n"
    'y = nn.pool_max(x) {kernel: (2, 1), dilations: (2, 1), strides: (2, 1)} in "a"': {
        "a": 4 * 8 * (3 + 2)
    },
    "x: f32[1, 4, 1, 8]) -> (y: f32[1, 2, 1, 8]) {\n"
    'y = nn.pool_max(x) {kernel: (1, 1), strides: (3, 1), pads: (1, 0, 0, 0)} in "a"': {
        "a": 4 * 8 * (1 + 2)
    },
}


def compiled(text: str):
    code = f"network @f({text}\n return y = y\n}}\n"
    passes = ["lower_network", *_rest()]
    return compile("f.net", source=code, machine=sim.load_machine("mlu_single"), passes=passes)


def _rest() -> tuple[str, ...]:
    from compiler.targets.cluster.pipeline import PASSES

    return PASSES


@pytest.mark.parametrize("text", LEAST)
def test_what_layers_have_to_move(text: str):
    program = compiled(text).program
    assert {layer.name: layer.least_bytes for layer in program.layers} == LEAST[text]


def test_a_layer_in_several_pieces_is_one():
    """A sum of what an exponential gave, in one layer: the elements between go through DRAM and are
    not what it has to move."""
    text = 'x: f32[8, 16]) -> (y: f32[1, 16]) {\n h = nn.exp(x) in "a"\n'
    text += 's = nn.reduce_sum(h) {axes: (0)} in "a"\n y = nn.reshape(s) {shape: (1, 16)}'
    (layer,) = compiled(text).program.layers
    assert layer.least_bytes == 4 * (128 + 16)


def test_results_say_what_was_moved_again(simrun, tmp_path: Path):
    path = tmp_path / "f.net"
    text = 'network @f(x: f32[1024]) -> (y: f32[1024]) {\n y = nn.exp(x) in "a"\n return y = y\n}\n'
    path.write_text(text)
    result = sim.run(path, machine="mlu_single")
    layer = result.layers[0]
    assert (layer.least_bytes, layer.bytes["dram"], layer.moved_again) == (8192, 8192, 1.0)
    assert [row.least_bytes for row in result.layers[1:]] == [None, None]
    assert result.to_dict()["layers"][0]["least_bytes"] == 8192
    ran = simrun(str(path), "--machine", "mlu_single")
    assert "bytes of DRAM, of the least\n" in ran.out and "8.19 kB  1.00 ×\n" in ran.out
    shown = simrun("explain", str(path), "--machine", "mlu_single", "--show", "layers")
    assert "8.19 kB  8.19 kB  1.00 ×" in shown.out


WRITTEN = """
x: f32[64] in dram
a: f32[64] in nram

func @main() {
    layers = ("first", "second")
    least_bytes = LEAST
entry:
    tensor.copy.f32 a[0:64], x[0:64] {layer: 0}
    tensor.copy.f32 x[0:64], a[0:64] {layer: 1}
    return
}
"""


def test_programs_say_it_themselves():
    done = run(WRITTEN.replace("LEAST", "(64, 0)"), overrides=["clusters=1", "cores=1"]).outcome
    first, second, *_ = done.statistics.layers
    assert (first.least_bytes, first.moved_again) == (64, 4.0)
    assert (second.least_bytes, second.moved_again) == (0, None)
    function = parse(WRITTEN.replace("LEAST", "(64, 0)"), "t.sir").functions["main"]
    assert len(LAYERS.of(function)) == len(LEAST_BYTES.of(function)) == 2


@pytest.mark.parametrize(
    ("least", "message"),
    [
        ("(64)", "'least_bytes' is of 1 layers: @main names 2"),
        ("(64, -1)", "'least_bytes' are numbers from 0 on, not -1"),
    ],
)
def test_wrong_notes_are_told(least: str, message: str):
    with pytest.raises(InputError, match=message):
        run(WRITTEN.replace("LEAST", least), overrides=["clusters=1", "cores=1"])


def test_a_network_that_runs_twice_has_to_move_it_twice(tmp_path: Path):
    text = 'network @f(x: f32[64]) -> (y: f32[64]) {\n y = nn.exp(x) in "a"\n return y = y\n}\n'
    (tmp_path / "f.net").write_text(text)
    content = {
        "workload": "f",
        "program": str(tmp_path / "f.net"),
        "machine": "teaching_chip",
        "clusters": 1,
        "arguments": {"x": {"dtype": "f32", "shape": [64], "value": 0.5}},
        "tasks": [{"type": "union1", "dim": 2}, {"type": "union1", "dim": 2}],
    }
    layer = sim.run(content).layers[0]
    assert (layer.least_bytes, layer.bytes["dram"]) == (1024, 1024)


def test_regions_have_what_they_moved():
    before = Layer("a", 0, commands=3, bytes={"dram": 100}, least_bytes=80)
    after = Layer("a", 0, commands=6, bytes={"dram": 200}, least_bytes=160)
    assert after.since(before).least_bytes == 80
    assert after.moved_again == after.since(before).moved_again == 1.25
    assert Layer("a").since(Layer("a")).least_bytes is None
    assert np.isclose(after.since(None).moved_again, 1.25)
