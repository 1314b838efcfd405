"""Networks as workloads, from their text to outputs that are those of the interpreter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from compiler.levels.network.programs import interpret, parse
from machines.diagnostics import InputError

TEXT = """
network @small(x: f32[48], z: f32[48]) -> (y: f32[48], early: f32[48]) {
    w: f32[48] = random(1, 0.2)
    h = nn.mul(x, w) in "scale"
    a = nn.relu(h) in "scale"
    b = nn.add(a, z) in "sum"
    return y = b, early = a
}
"""
X = (np.arange(48, dtype=np.float32) - 20) / 8
Z = np.full(48, 0.5, np.float32)


def workload(folder: Path, **more: Any) -> dict[str, Any]:
    path = folder / "small.net"
    path.write_text(TEXT)
    content = {"workload": "small", "program": str(path), "machine": "teaching_chip"}
    return {**content, "arguments": {"x": X, "z": Z}, **more}


def expected() -> dict[str, np.ndarray]:
    module = parse(TEXT, "small.net")
    return interpret(module.functions["small"], [X, Z])


def test_outputs_are_those_of_the_interpreter(tmp_path: Path):
    wanted = expected()
    result = sim.run(workload(tmp_path, expect=wanted))
    assert result.ok and [check.name for check in result.checks] == ["y", "early"]
    for name, array in wanted.items():
        assert (result.outputs[name] == array).all() and result.outputs[name].shape == array.shape


def test_layers_are_those_of_the_network(tmp_path: Path):
    result = sim.run(workload(tmp_path))
    assert [layer.name for layer in result.layers] == ["scale", "sum", "rest", "launch"]
    assert sum(layer.cycles for layer in result.layers) == result.cycles
    assert all(layer.cycles and layer.commands for layer in result.layers[:2])
    assert result.layers[0].bytes["iodma"] == 3 * X.nbytes  # x and w in, a out
    nothing = result.layers[2]
    assert not nothing.commands and not any(nothing.waits.values())


def test_what_is_wrong_is_told(tmp_path: Path):
    with pytest.raises(InputError, match="'late' cannot be compared"):
        sim.run(workload(tmp_path, expect={"late": 0.0}))
    with pytest.raises(InputError, match="input 'z' is missing: the network wants f32"):
        sim.run(workload(tmp_path, arguments={"x": X}))
