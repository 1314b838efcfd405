#!/usr/bin/env bash
# Expected: a model of set 6 that `onnx.version_converter` brings to set 9 means what it meant, or the converter
#   says that it cannot.
# Seen (onnx 1.23.2, onnxruntime 1.32.0): PRelu of set 6 has one slope for each channel, three here; since set 7
#   slopes are broadcast from behind, so that they had to become a tensor of 3 x 1. The converter leaves them as
#   they are and says nothing, and what comes out is a model that the checker takes and nobody can run.
# Why it matters: models that PyTorch exported in 2017 and 2018 come through this converter; what comes out is
#   compared with stored results, not taken for granted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' 2>/dev/null | tee "$folder/seen"
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, version_converter

graph = helper.make_graph(
    [helper.make_node("PRelu", ["x", "slopes"], ["y"])],
    "slopes",
    [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 4]),
        helper.make_tensor_value_info("slopes", TensorProto.FLOAT, [3]),
    ],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3, 4])],
    [helper.make_tensor("slopes", TensorProto.FLOAT, [3], [0.1, 0.2, 0.3])],
)
old = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 6)], ir_version=3)
new = version_converter.convert_version(old, 9)
onnx.checker.check_model(new)
print("set", new.opset_import[0].version, "slopes", list(new.graph.initializer[0].dims))
session = onnxruntime.InferenceSession(new.SerializeToString(), providers=["CPUExecutionProvider"])
try:
    session.run(None, {"x": np.ones((2, 3, 4), np.float32)})
    print("runs")
except Exception as error:
    print("does not run:", type(error).__name__)
PY

diff "$folder/seen" - <<'SEEN'
set 9 slopes [3]
does not run: Fail
SEEN
