"""Models that run without a workload, and what judges their outputs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """y = relu(x + w), z = whether it is more than 1, as booleans; an extent of x is open."""
    weights = np.arange(12, dtype=np.float32).reshape(1, 12) / 8 - 1
    one = numpy_helper.from_array(np.array(1, np.float32), "one")
    graph = helper.make_graph(
        [
            helper.make_node("Add", ["x", "w"], ["s"], name="sum"),
            helper.make_node("Relu", ["s"], ["y.out"], name="act"),
            helper.make_node("Greater", ["y.out", "one"], ["z"], name="large"),
        ],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 12])],
        [
            helper.make_tensor_value_info("y.out", TensorProto.FLOAT, ["batch", 12]),
            helper.make_tensor_value_info("z", TensorProto.BOOL, ["batch", 12]),
        ],
        [numpy_helper.from_array(weights, "w"), one],
    )
    path = tmp_path / "small model.onnx"
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(made, path)
    return path


def test_a_model_runs_without_a_workload(simrun, model: Path):
    done = simrun(str(model), "--machine", "teaching_chip", "--dimension", "batch=2")
    assert done.code == 0, done.err
    assert "small_model on teaching_chip: done, nothing checked" in done.out
    assert "sum" in done.out


def test_onnxruntime_judges_its_outputs(simrun, model: Path):
    pytest.importorskip("onnxruntime")
    words = [str(model), "--machine", "teaching_chip", "--dimension", "batch=2"]
    done = simrun(*words, "--against", "onnxruntime")
    assert done.code == 0, done.err
    assert "24 of 24 as onnxruntime within rtol 0.001, atol 1e-05" in done.out
    assert "z: 24 of 24 as onnxruntime\n" in done.out
    done = simrun(*words, "--against", "onnxruntim")
    assert done.code == 2 and "onnxruntime" in done.err


def test_a_wrong_output_is_found(simrun, model: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("onnxruntime")
    from sim.levels.network import network_call

    monkeypatch.setattr(network_call, "write_constant", lambda constant, space: None)
    words = [str(model), "--machine", "teaching_chip", "--dimension", "batch=2"]
    done = simrun(*words, "--against", "onnxruntime")
    assert done.code == 1 and "OUTPUTS WRONG" in done.out


def test_a_missing_onnxruntime_is_told(simrun, model: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    words = [str(model), "--machine", "teaching_chip", "--dimension", "batch=2"]
    done = simrun(*words, "--against", "onnxruntime")
    assert done.code == 2
    assert "onnxruntime is not installed: there is nothing to compare with" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "names no machine"),
        (["--machine", "teaching_chip"], "is open: 'batch'"),
        (["--machine", "teaching_chip"], "bind it: --dimension 'batch=…'"),
        (
            ["--machine", "teaching_chip", "--dimension", "batch=1", "--dimension", "batsh=1"],
            "no open dimension 'batsh' to be bound  [onnx]\n    hint: did you mean 'batch'?",
        ),
        (
            ["--machine", "teaching_chip", "--dimension", "batch=1", "--dimension", "batch=2"],
            "--dimension 'batch' is 1 and 2",
        ),
        (["--machine", "teaching_chip", "--dimension", "batch=none"], "is no extent"),
        (["--machine", "itanium2", "--dimension", "batch=1"], "runs no code of level 'network'"),
        (["--machine", "h100", "--dimension", "bat=1"], "h100 runs no code of level 'network'"),
        (["--machine", "teaching_chip", "--against", "onnxruntime", "--timing-only"], "--against"),
    ],
)
def test_what_is_missing_is_told(simrun, model: Path, words: list[str], message: str):
    done = simrun(str(model), *words)
    assert done.code == 2 and message in done.err


def test_a_network_as_text_leaves_nothing_open(simrun, tmp_path: Path):
    path = tmp_path / "f.net"
    path.write_text(
        "network @f(x: f32[2]) -> (y: f32[2]) {\n    y = nn.relu(x)\n    return y = y\n}\n"
    )
    words = [str(path), "--machine", "teaching_chip"]
    done = simrun(*words, "--dimension", "batch=2")
    assert done.code == 2 and "the network has no open dimension 'batch'" in done.err
    content = {"workload": "f", "program": str(path), "machine": "teaching_chip"}
    with pytest.raises(InputError, match="the network has no input 'z' to be bound"):
        sim.run({**content, "values": {"z": 1}, "arguments": {"x": [1.0, 2.0]}})
    assert simrun(*words).code == 0


def test_a_workload_binds_dimensions_and_expects_by_name(model: Path, tmp_path: Path):
    x = np.full((3, 12), 0.25, np.float32)
    expected = np.maximum(x + np.arange(12, dtype=np.float32) / 8 - 1, 0)
    content = {
        "workload": "small",
        "program": str(model),
        "machine": "teaching_chip",
        "dimensions": {"batch": 3},
        "arguments": {"x": x},
        "expect": {"y_out": expected},
    }
    result = sim.run(content)
    assert result.ok and result.outputs["z"].dtype == np.uint8
    with pytest.raises(InputError, match="'batch': should be greater than or equal to 1"):
        sim.run({**content, "dimensions": {"batch": 0}})
    with pytest.raises(InputError, match="leave out 'fold_constants'"):
        sim.run({**content, "passes": ["inline_calls"]})


def test_python_runs_a_model(model: Path):
    asked = {"machine": "teaching_chip", "dimensions": {"batch": 1}}
    result = sim.run(model, **asked)
    assert result.status == "done" and not result.checks
    assert result.outputs["y_out"].shape == (1, 12)
    other = sim.run(model, **asked, arguments={"x": np.zeros((1, 12), np.float32)})
    assert (other.outputs["y_out"] != result.outputs["y_out"]).any()
    with sim.session(model, **asked, tensors=["s"]) as session:
        while session.advance(100):
            pass
        outputs = session.finish().outputs
    assert (outputs["y_out"] == result.outputs["y_out"]).all()
    assert (outputs["y_out"] == np.maximum(outputs["s"], 0)).all()
    with pytest.raises(InputError, match="dimensions"):
        sim.run({"program": str(model)}, **asked)
    pytest.importorskip("onnxruntime")
    checks = sim.run(model, **asked, against="onnxruntime").checks
    assert [check.ok for check in checks] == [True, True]


def test_views_of_a_model(simrun, model: Path):
    words = ["explain", str(model), "--dimension", "batch=2"]
    done = simrun(*words, "--show", "network")
    assert done.code == 0 and '= nn.relu(s) in "' in done.out, done.err
    done = simrun(*words, "--show", "layers", "--machine", "teaching_chip", "--format", "json")
    told = json.loads(done.out)
    assert sum(row["cycles"] for row in told["layers"]) == told["cycles"]
    assert len([row for row in told["layers"] if row["commands"]]) >= 1
    done = simrun(*words, "--show", "layers", "--machine", "teaching_chip")
    assert done.code == 0 and done.out.startswith("layer ") and "100.0 %" in done.out
    done = simrun(*words, "--show", "passes", "--machine", "teaching_chip")
    assert done.code == 0 and "lower_network: layers: " in done.out
    done = simrun(*words, "--show", "ir")
    assert done.code == 2 and "is no IR" in done.err
    done = simrun("explain", str(model), "--show", "network")
    assert done.code == 2 and "is open: 'batch'" in done.err


def test_keys_of_networks_are_of_no_other_program(tmp_path: Path):
    path = tmp_path / "f.sir"
    path.write_text("func @f() {\nentry:\n    return\n}\n")
    content = {"workload": "f", "program": str(path), "machine": "teaching_chip"}
    with pytest.raises(InputError, match="'dimensions' belongs to networks"):
        sim.run({**content, "dimensions": {"batch": 1}})


def test_tensors_between_are_outputs(simrun, model: Path):
    asked = {"machine": "teaching_chip", "dimensions": {"batch": 2}}
    outputs = sim.run(model, **asked, tensors=["s", "y.out"]).outputs
    assert list(outputs) == ["y_out", "z", "s"]  # what is an output is none twice
    np.testing.assert_array_equal(outputs["y_out"], np.maximum(outputs["s"], 0))
    words = [
        str(model),
        "--machine",
        "teaching_chip",
        "--dimension",
        "batch=2",
        "--tensor",
        "y.out",
    ]
    words += ["--tensor", "s"]
    pytest.importorskip("onnxruntime")
    done = simrun(*words, "--against", "onnxruntime")
    assert done.code == 0, done.err
    assert "s: 24 of 24 as onnxruntime within" in done.out
    done = simrun(*words[:-1], "y_out")
    assert done.code == 2
    assert "there is no tensor 'y_out' that could be an output" in done.err and "y.out" in done.err


def test_a_text_of_a_network_says_its_outputs_itself(simrun, tmp_path: Path):
    path = tmp_path / "f.net"
    path.write_text("network @f(x: f32[4]) -> (y: f32[4]) {\n    y = nn.relu(x)\n    return y\n}\n")
    done = simrun(str(path), "--machine", "teaching_chip", "--tensor", "y")
    assert done.code == 2 and "name them behind 'return'" in done.err


def test_levels_are_listed(simrun):
    rows = [line.split("  ") for line in simrun("list", "levels").out.splitlines()]
    (row,) = ([cell.strip() for cell in row if cell] for row in rows if row[0] == "network")
    assert row[:3] == ["network", ".net .onnx", "cluster"] and row[3].startswith("fold_constants ")
