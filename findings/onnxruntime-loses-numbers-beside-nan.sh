#!/usr/bin/env bash
# Expected: one NaN in the input of a selection is itself lost or kept; the other numbers are treated as
#   ever.
# Seen (onnxruntime 1.31.1, CPU): the two largest of [1, NaN, 3, 2] are given as [1, NaN]: 3 is lost. The
#   different values of [1, NaN, NaN, 1, 5] are given as two, counted 4 and 1: NaN counts as equal to 1, as
#   if two numbers were equal wherever neither is less. onnx's own reference (1.23.2) gives [NaN, 3], and 1,
#   5 and one NaN.
# Why it matters: no order-based operator of an oracle may be trusted with NaN in its input; campaigns of
#   random floats must leave NaN out there, or state the order that they mean.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.31.1 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, ValueInfoProto, helper
from onnx.reference import ReferenceEvaluator

for operator, x, second, outputs, attributes in (
    ("TopK", [1, np.nan, 3, 2], [2], 2, {"axis": 0}),
    ("Unique", [1, np.nan, np.nan, 1, 5], None, 4, {}),
):
    feed = {"x": np.array(x, np.float32)}
    given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [len(x)])]
    constants = []
    if second is not None:
        constants = [helper.make_tensor("k", TensorProto.INT64, [1], second)]
    names = [f"y{at}" for at in range(outputs)]
    node = helper.make_node(operator, ["x", *(one.name for one in constants)], names, **attributes)
    results = [ValueInfoProto(name=name) for name in names]
    graph = helper.make_graph([node], "g", given, results, constants)
    opsets = [helper.make_opsetid("", 21)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    for name, run in ("onnxruntime", session.run), ("reference", ReferenceEvaluator(model).run):
        values = run(None, feed)
        print(operator, name, values[0].tolist(), "counts" if operator == "Unique" else "at", values[-1].tolist())
PY

diff "$folder/seen" - <<'SEEN'
TopK onnxruntime [1.0, nan] at [0, 1]
TopK reference [nan, 3.0] at [1, 2]
Unique onnxruntime [1.0, 5.0] counts [4, 1]
Unique reference [1.0, 5.0, nan] counts [2, 1, 2]
SEEN
