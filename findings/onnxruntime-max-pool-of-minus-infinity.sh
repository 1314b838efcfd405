#!/usr/bin/env bash
# Expected: the largest of -inf and -inf is -inf; MaxPool chooses one of its inputs.
# Seen (onnxruntime 1.31.1, CPU): -3.4028235e+38, the lowest finite float, which stands nowhere in the
#   input: it is where a search may begin. ReduceMax of the same two numbers is -inf, and onnx's own
#   reference evaluator (1.23.2) gives -inf for both. Of NaN and 1 both runtimes pool 1, while ReduceMax is
#   NaN.
# Why it matters: -inf is what masks of attention are made of; a comparison of a chip's results with
#   onnxruntime in bits fails there, and the chip is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.31.1 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

x = np.array([[[-np.inf, -np.inf], [np.nan, 1]]], np.float32)
for operator, attributes in ("MaxPool", {"kernel_shape": [2]}), ("ReduceMax", {"keepdims": 1}):
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)]
    axes = []
    if operator == "ReduceMax":
        axes = [helper.make_tensor("axes", TensorProto.INT64, [1], [2])]
    node = helper.make_node(operator, ["x", *(one.name for one in axes)], ["y"], **attributes)
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 2, 1))]
    graph = helper.make_graph([node], "g", inputs, outputs, axes)
    opsets = [helper.make_opsetid("", 21)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    onnx.checker.check_model(model)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    print(operator, "onnxruntime:", session.run(None, {"x": x})[0].ravel())
    print(operator, "reference:  ", ReferenceEvaluator(model).run(None, {"x": x})[0].ravel())
PY

diff "$folder/seen" - <<'SEEN'
MaxPool onnxruntime: [-3.4028235e+38  1.0000000e+00]
MaxPool reference:   [-inf   1.]
ReduceMax onnxruntime: [-inf  nan]
ReduceMax reference:   [-inf  nan]
SEEN
