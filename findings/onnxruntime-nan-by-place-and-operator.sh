#!/usr/bin/env bash
# Expected: operators that take the largest of numbers treat NaN alike, as numpy does: it is the result.
# Seen (onnxruntime 1.32.0, onnx 1.23.2): `Max` gives NaN; `ReduceMax` passes it over; `ArgMax` passes it over
#   too, unless it stands first, where it is the result; the mean of nothing is 0. The reference evaluator gives
#   NaN, NaN, the place of the NaN, and NaN.
# Why it matters: whether a network hides a NaN depends on the operator, and on where the NaN stands; a test
#   that feeds NaN needs one rule of its own for each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' 2>/dev/null | tee "$folder/seen"
import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator


def both(title, operator, *arrays, **attributes):
    names = [f"x{k}" for k in range(len(arrays))]
    node = helper.make_node(operator, names, ["y"], **attributes)
    element = TensorProto.INT64 if operator == "ArgMax" else TensorProto.FLOAT
    graph = helper.make_graph(
        [node],
        "nan",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape) for n, a in zip(names, arrays)],
        [helper.make_tensor_value_info("y", element, None)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    given = dict(zip(names, arrays))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found = session.run(None, given)[0], ReferenceEvaluator(model).run(None, given)[0]
    print(title, *(np.asarray(array).reshape(-1)[0] for array in found))


row = np.array([1, np.nan, 3], np.float32)
both("Max", "Max", row[1:2], row[:1])
both("ReduceMax", "ReduceMax", row)
both("ArgMax", "ArgMax", row)
both("ArgMax, NaN first", "ArgMax", row[1:])
both("mean of nothing", "ReduceMean", np.zeros((1, 0), np.float32), axes=[1])
PY

diff "$folder/seen" - <<'SEEN'
Max nan nan
ReduceMax 3.0 nan
ArgMax 2 1
ArgMax, NaN first 0 0
mean of nothing 0.0 nan
SEEN
