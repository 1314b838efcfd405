"""Nodes whose operands are all known, evaluated by the reference evaluator of the package onnx.

That evaluator is slow, and takes everything: it is asked for what is small, the arithmetic of
shapes say, and for what has no row.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from onnx import NodeProto
from onnx.reference import ReferenceEvaluator

from compiler.frontends.onnx.emitting.values import Value, element_type, known
from compiler.frontends.onnx.reading.tensors import ONNX_TYPES

SMALL = 4096
"""Elements of an operand up to which the evaluator is asked first."""
MOST = 1 << 22
"""Elements of an operand up to which it is asked at all."""
RANDOM = {
    "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
    "RandomUniformLike", "Dropout",
}  # fmt: skip
"""Operators that give something else each time."""


def folded(
    node: NodeProto, operands: Sequence[Value | None], versions: Mapping[str, int]
) -> list[Value | None] | None:
    """The results of a node of known operands; None if the evaluator does not give them."""
    if node.op_type in RANDOM or any(a.HasField("g") or a.graphs for a in node.attribute):
        return None
    given = {name: value for name, value in zip(node.input, operands, strict=True) if value}
    inputs = [
        onnx.helper.make_tensor_value_info(name, ONNX_TYPES[value.element], value.shape)
        for name, value in given.items()
    ]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
    graph = onnx.helper.make_graph([node], "folded", inputs, outputs)
    imports = [onnx.helper.make_opsetid(domain, version) for domain, version in versions.items()]
    model = onnx.helper.make_model(graph, opset_imports=imports)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = ReferenceEvaluator(model).run(
                None, {name: np.array(value.array) for name, value in given.items()}
            )
        values = iter(
            [known(np.asarray(array), element_type(np.asarray(array).dtype)) for array in found]
        )
    except Exception:  # whatever goes wrong there: the node is not folded
        return None
    return [next(values) if name else None for name in node.output]
