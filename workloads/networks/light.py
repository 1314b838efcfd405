"""The light models of the package onnx with weights.

    python -m workloads.networks.light resnet50 OUT.onnx

The package has nine networks (ResNet-50, VGG-19, …) of which each weight is `ConstantOfShape`, one
number again and again: all their results are constants.  Here every weight becomes an initializer
of seeded random numbers, scaled so that numbers stay near 1 (after He et al. 2015, "Delving Deep
into Rectifiers"), and the softmax at the end goes, behind which a deep network says little.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, NodeProto, helper, numpy_helper

NAMES = (
    "bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet",
    "squeezenet", "vgg19", "zfnet512",
)  # fmt: skip
FOLDER = Path(onnx.__file__).parent / "backend/test/data/light"


def light_model(name: str) -> ModelProto:
    """A light model with seeded weights, of up to 575 MB; its last tensor before the softmax is
    its output."""
    model = onnx.load(FOLDER / f"light_{name}.onnx")
    graph = model.graph
    shapes = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    uses = _uses(graph)
    nodes, weights = [], []
    for node in graph.node:
        if node.op_type != "ConstantOfShape":
            nodes.append(node)
            continue
        shape = tuple(int(n) for n in shapes[node.input[0]])
        (weight,) = node.output
        weights.append(numpy_helper.from_array(_weight(weight, shape, uses), weight))
    kept = [_mended(t, uses) for t in graph.initializer]
    known = {t.name for t in (*kept, *weights)}
    nodes, output = _without_softmax(nodes)
    inputs = [i for i in graph.input if i.name not in known]
    read = {name for node in nodes for name in node.input}
    found = helper.make_graph(
        nodes,
        name,
        inputs,
        [helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, None)],
        [t for t in (*kept, *weights) if t.name in read],
    )
    return helper.make_model(found, opset_imports=model.opset_import, ir_version=8)


def with_outputs(model: ModelProto, tensors: list[str]) -> ModelProto:
    """The same model, with further outputs."""
    found = ModelProto()
    found.CopyFrom(model)
    for name in tensors:
        info = helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
        found.graph.output.append(info)
    return found


def _uses(graph: GraphProto) -> dict[str, tuple[NodeProto, int]]:
    """The first reader of a tensor, and as which operand; what only reshapes is passed over."""
    found: dict[str, tuple[NodeProto, int]] = {}
    for node in reversed(graph.node):
        for k, name in enumerate(node.input):
            found[name] = node, k
            if node.op_type in ("Unsqueeze", "Reshape") and node.output[0] in found:
                found[name] = found[node.output[0]]
    return found


_SCALES: dict[tuple[str, int], Callable] = {
    ("BatchNormalization", 1): lambda random, shape: np.full(shape, 0.5),
    ("BatchNormalization", 2): lambda random, shape: random.normal(0, 0.1, shape),
    ("BatchNormalization", 3): lambda random, shape: random.normal(0, 0.1, shape),
    ("BatchNormalization", 4): lambda random, shape: random.uniform(0.8, 1.2, shape),
    ("Mul", 1): lambda random, shape: random.uniform(0.8, 1.2, shape),
    ("Add", 1): lambda random, shape: random.normal(0, 0.1, shape),
    ("Conv", 2): lambda random, shape: random.normal(0, 0.05, shape),
    ("Gemm", 2): lambda random, shape: random.normal(0, 0.05, shape),
}


def _weight(name: str, shape: tuple[int, ...], uses: dict) -> np.ndarray:
    node, place = uses[name]
    random = np.random.default_rng(crc32(name.encode()))
    scale = _SCALES.get((node.op_type, place))
    if scale is not None:
        return scale(random, shape).astype(np.float32)
    gain = 1 if node.op_type == "Gemm" else 2
    deviation = np.float32(math.sqrt(gain / math.prod(shape[1:])))
    return random.standard_normal(shape, np.float32) * deviation


def _mended(tensor: onnx.TensorProto, uses: dict) -> onnx.TensorProto:
    """A stored tensor; of a batch normalization what goes with the new weights."""
    if tensor.name not in uses or tensor.data_type != onnx.TensorProto.FLOAT:
        return tensor
    node, place = uses[tensor.name]
    if (node.op_type, place) not in _SCALES:
        return tensor
    shape = tuple(tensor.dims)
    return numpy_helper.from_array(_weight(tensor.name, shape, uses), tensor.name)


def _without_softmax(nodes: list[NodeProto]) -> tuple[list[NodeProto], str]:
    last = nodes[-1]
    if last.op_type == "Softmax":
        return nodes[:-1], last.input[0]
    return nodes, last.output[0]


if __name__ == "__main__":
    onnx.save(light_model(sys.argv[1]), sys.argv[2])
