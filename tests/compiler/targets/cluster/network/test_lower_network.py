"""A network is compiled and run as any program."""

from __future__ import annotations

import numpy as np

import sim
from compiler import read_functions
from compiler.levels.network.programs import interpret
from machines.description.load import load_machine

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
