#!/usr/bin/env bash
# Expected: `ConvTranspose` with auto_pad SAME_UPPER has stride times as many places as its input, as its
#   page says, or all parts of the package say another number.
# Seen (onnx 1.23.2, onnxruntime 1.32.0): where the stride, 3, is wider than the kernel, 2, four places become
#   12 by the reference evaluator, and 11 by the shape inference of the same package and by the runtime, which
#   pad by no negative number.
# Why it matters: the shape of a tensor is then a matter of who is asked; a reader that infers shapes by the
#   package and values by its evaluator contradicts itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import numpy as np
import onnxruntime
from onnx import TensorProto, helper, shape_inference
from onnx.reference import ReferenceEvaluator

node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[3], auto_pad="SAME_UPPER")
graph = helper.make_graph(
    [node],
    "transposed",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 4])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
    [helper.make_tensor("w", TensorProto.FLOAT, [1, 1, 2], [1, 1])],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
inferred = shape_inference.infer_shapes(model).graph.output[0].type.tensor_type.shape.dim
x = {"x": np.ones((1, 1, 4), np.float32)}
session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
print("shape inference", inferred[2].dim_value)
print("runtime", session.run(None, x)[0].shape[2])
print("reference", ReferenceEvaluator(model).run(None, x)[0].shape[2])
PY

diff "$folder/seen" - <<'SEEN'
shape inference 11
runtime 11
reference 12
SEEN
