"""The light models of the package onnx: ResNet-50 and others, with weights as
`workloads/networks/light.py` makes them, against onnxruntime."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from compiler.frontends.onnx.model import read_model  # noqa: E402
from tests.campaign.seeds import short_form  # noqa: E402
from tests.compiler.frontends.onnx.running import network_of, read, run  # noqa: E402
from workloads.networks.light import FOLDER, NAMES, light_model, with_outputs  # noqa: E402

BETWEEN = (
    "AveragePool",
    "BatchNormalization",
    "Concat",
    "Conv",
    "Gemm",
    "LRN",
    "MaxPool",
    "Relu",
    "Sum",
)
"""Operators whose results are compared, some of them spread over the network."""


def test_resnet50_is_read_with_its_layers():
    model = read_model(FOLDER / "light_resnet50.onnx")
    network = network_of(model)
    found = Counter(node.operator.name for node in network.nodes)
    assert (found["conv"], found["matmul"], found["pool_max"], found["softmax"]) == (53, 1, 1, 1)
    assert [str(network.types[name]) for name in network.inputs] == ["f32[1, 3, 224, 224]"]
    (output,) = network.outputs.values()
    assert str(network.types[output]) == "f32[1, 1000]"
    assert model.tensors["r0"] in network.types
    assert list(network.layers())[:3] == ["n0", "n1", "n2"]
    assert sum(constant.type.count for constant in network.constants.values()) == 25_557_032


@pytest.mark.parametrize("name", short_form(("shufflenet", *sorted({*NAMES} - {"shufflenet"})), 1))
def test_against_onnxruntime(name: str, tmp_path: Path):
    runtime = pytest.importorskip("onnxruntime")
    made = light_model(name)
    path = tmp_path / f"{name}.onnx"
    onnx.save(made, path)
    between = [node.output[0] for node in made.graph.node if node.op_type in BETWEEN][:-1]
    tensors = [between[int(k)] for k in np.linspace(0, len(between) - 1, 6)]
    more = tmp_path / "more.onnx"
    onnx.save(with_outputs(made, tensors), more)
    del made
    options = runtime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = runtime.InferenceSession(more, options, providers=["CPUExecutionProvider"])
    image = np.random.default_rng(7).standard_normal((1, 3, 224, 224), np.float32)
    (source,) = (one.name for one in session.get_inputs())
    names = [one.name for one in session.get_outputs()]
    wanted = dict(zip(names, session.run(None, {source: image}), strict=True))
    del session
    found = run(read(path), {source: image}, tensors)
    assert len(found) == len(wanted) == 7
    for tensor, array in wanted.items():
        assert array.std() > 0.01
        np.testing.assert_allclose(found[tensor], array, rtol=1e-3, atol=1e-5, err_msg=tensor)
