#!/usr/bin/env bash
# Expected: the reference evaluator is the definition of the operators in executable form.
# Seen (onnx 1.23.2): LpPool (p = 2) of 1 2 3 4 5 with windows of two, step two and ceil_mode ends with a
#   window that holds 5 alone: 7.0710678, which is the norm of (5, 5). The evaluator pads such windows with
#   copies of the edge. onnxruntime 1.31.1 gives 5, the norm of what is there. For AveragePool and MaxPool
#   in the same place both give 5: of two copies, mean and largest are the same, so that it shows in norms
#   only.
# Why it matters: two runtimes agreeing with each other against the reference may be right; a third opinion
#   (the sum written out) has to decide before a chip's kernel is "mended".
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

x = np.arange(1, 6, dtype=np.float32).reshape(1, 1, 5)
for operator in "LpPool", "AveragePool", "MaxPool":
    node = helper.make_node(operator, ["x"], ["y"], kernel_shape=[2], strides=[2], ceil_mode=1)
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 1, 3))],
    )
    opsets = [helper.make_opsetid("", 21)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    onnx.checker.check_model(model)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    for name, run in ("onnxruntime", session.run), ("reference", ReferenceEvaluator(model).run):
        print(operator, name, run(None, {"x": x})[0].ravel().tolist())
PY

diff "$folder/seen" - <<'SEEN'
LpPool onnxruntime [2.2360680103302, 5.0, 5.0]
LpPool reference [2.2360680103302, 5.0, 7.071067810058594]
AveragePool onnxruntime [1.5, 3.5, 5.0]
AveragePool reference [1.5, 3.5, 5.0]
MaxPool onnxruntime [2.0, 4.0, 5.0]
MaxPool reference [2.0, 4.0, 5.0]
SEEN
