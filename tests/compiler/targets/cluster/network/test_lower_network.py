"""A network is compiled and run as any program."""

from __future__ import annotations

import re

import numpy as np

import sim
from compiler import compile, read_functions
from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import TensorType
from compiler.levels.network.programs import interpret, parse
from compiler.targets.cluster.network.layer import layers_of
from compiler.targets.cluster.network.lowering import tile_text
from machines.description.load import load_machine
from machines.types import F32, TYPES
from tests.programs.network_runs import check, some

TEXT = """network @first(
    x: f32[2, 5, 7], unread: i8[3]
) -> (y: f32[2, 7, 5], x2: f32[2, 5, 7], z: f32[7]) {
    b: f32[7] = [1, -2, 3, -4, 5, -6, 7]
    a: f32[2, 5, 7] = nn.add(x, b) in "one"
    r: f32[2, 5, 7] = nn.relu(a) in "one"
    t: f32[2, 7, 5] = nn.transpose(r) {order: (0, 2, 1)} in "two"
    nobody: f32[7] = nn.exp(b)
    return y = t, x2 = x, z = b
}
"""


def test_results_that_are_inputs_constants_and_made(tmp_path):
    path = tmp_path / "first.net"
    path.write_text(TEXT)
    x, unread = np.linspace(-9, 9, 70, dtype="f4").reshape(2, 5, 7), np.zeros(3, "i1")
    (function,) = read_functions(path, machine=load_machine("mlu370"), passes=[])
    wanted = interpret(function, [x, unread])
    arguments = {
        "x": {"dtype": "f32", "shape": [2, 5, 7], "value": 0},
        "unread": {"dtype": "i8", "shape": [3], "value": 0},
    }
    for machine in ("mlu370", "teaching_chip", "mlu_single"):
        workload = {"workload": "t", "program": str(path), "machine": machine}
        result = sim.run(workload | {"arguments": arguments}, arguments={"x": x, "unread": unread})
        assert result.status == "done"
        for name, array in wanted.items():
            np.testing.assert_array_equal(result.outputs[name], array)


NAMES = """network @layer0_a(x: f32[512, 512]) -> (y: f32[512, 512]) {
    w: f32[512, 512] = random(1, 0.2)
    y = nn.matmul(x, w) in "a"
    return y = y
}
"""
OTHER = """network @layer0_a_mem(x: f32[64]) -> (z: f32[64]) {
    z = nn.exp(x) in "b"
    return z = z
}
"""


def test_networks_that_are_called_like_functions_of_layers(tmp_path):
    """Or like what MEM cores do beside one: each function has a name of its own."""
    chip = load_machine("mlu370")
    text = tile_text(parse(NAMES, "n.net").functions["layer0_a"].body, "layer0_a", chip.description)
    names = re.findall(r"func @(\w+)", text[0])
    assert len(names) == len(set(names)) == 4
    path = tmp_path / "two.net"
    path.write_text(NAMES + OTHER)
    x = np.linspace(-1, 1, 64, dtype="f4")
    arguments = {"x": {"dtype": "f32", "shape": [64], "value": 0}}
    workload = {"workload": "t", "program": str(path), "machine": "mlu370"}
    workload |= {"entry": "layer0_a_mem", "arguments": arguments}
    result = sim.run(workload, arguments={"x": x})
    np.testing.assert_allclose(result.outputs["z"], np.exp(x), 1e-6)
    found = compile(path, machine=chip, entry="layer0_a").function
    assert {"layer0_a", "layer0_a_mem", "layer0_a_mem_"} <= {*found.functions}


def test_nothing_to_saturate_where_all_numbers_are_held():
    """Alone, and behind a product: there is no such row, as it would be a plain one."""
    build, numbers = NetworkBuilder(), np.random.default_rng(5)
    type = TensorType(TYPES["i8"], (4, 8))
    x, w = build.input("x", type), build.constant(some(numbers, TensorType(TYPES["i8"], (8, 4))))
    y = build.emit("convert", x, layer="a", to=TYPES["i32"], mode="saturate")
    product = build.emit("matmul", x, w, layer="b", to=TYPES["i32"])
    z = build.emit("convert", product, layer="b", to=TYPES["i64"], mode="saturate")
    build.output("y", y), build.output("z", z)
    check(build.network(), load_machine("mlu270"), {"x": some(numbers, type)})


def test_what_is_read_by_another_shape_is_read_when_it_is_there():
    build = NetworkBuilder()
    type = TensorType(F32, (64, 60))
    a = build.emit("relu", build.input("x", type), layer="one")
    flat = build.emit("reshape", a, shape=(type.count,), layer="one")
    again = build.emit("reshape", flat, shape=type.shape, layer="one")
    build.output("y", build.emit("add", a, again, layer="one"))
    network = build.network()
    assert [len(layer.nodes) for layer in layers_of(network)] == [1, 1]
    check(network, load_machine("mlu370"), {"x": some(np.random.default_rng(0), type)}, {"add1"})


def test_branches_that_know_nothing_of_one_another_have_no_barrier_between_them():
    build = NetworkBuilder()
    x = build.input("x", TensorType(F32, (64, 60)))
    branches = [build.emit(name, x, layer=name) for name in ("relu", "neg", "abs")]
    build.output("y", build.emit("concat", *branches, axis=1, layer="together"))
    text, _, _ = tile_text(build.network(), "main", load_machine("mlu370").description)
    assert text.count("sync_all_ipu") == 1
