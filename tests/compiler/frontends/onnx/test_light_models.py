"""The light models of the package onnx: ResNet-50 and others, whose weights are one number."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

onnx = pytest.importorskip("onnx")

from compiler.frontends.onnx.model import read_model  # noqa: E402

LIGHT = Path(onnx.__file__).parent / "backend/test/data/light"


def test_resnet50_is_read_with_its_layers():
    model = read_model(LIGHT / "light_resnet50.onnx")
    network = model.module.functions[model.module.entry].body
    found = Counter(node.operator.name for node in network.nodes)
    assert (found["conv"], found["matmul"], found["pool_max"], found["softmax"]) == (53, 1, 1, 1)
    assert [str(network.types[name]) for name in network.inputs] == ["f32[1, 3, 224, 224]"]
    (output,) = network.outputs.values()
    assert str(network.types[output]) == "f32[1, 1000]"
    assert model.tensors["r0"] in network.types
    assert list(network.layers())[:3] == ["n0", "n1", "n2"]
    assert sum(constant.type.count for constant in network.constants.values()) == 25_557_032
