"""Small models, made in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
NONE: Mapping[str, Any] = {}


def model(
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, Sequence[int | str]],
    outputs: Sequence[str],
    weights: Mapping[str, np.ndarray] = NONE,
    opset: int = 21,
    types: Mapping[str, int] = NONE,
    **more: Any,
) -> ModelProto:
    """A model of nodes; inputs by name with shapes, of f32 unless `types` says else."""
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info(n, types.get(n, FLOAT), s) for n, s in inputs.items()],
        [helper.make_tensor_value_info(n, types.get(n, FLOAT), None) for n in outputs],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10, **more)


def one(
    operator: str,
    inputs: Mapping[str, Sequence[int | str]],
    weights: Mapping[str, np.ndarray] = NONE,
    opset: int = 21,
    types: Mapping[str, int] = NONE,
    results: Sequence[str] = ("y",),
    **attributes: Any,
) -> ModelProto:
    """A model of one node; its operands are the inputs, then the weights."""
    node = helper.make_node(operator, [*inputs, *weights], results, **attributes)
    return model([node], inputs, results, weights, opset, types)
