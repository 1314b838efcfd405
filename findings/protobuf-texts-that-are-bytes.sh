#!/usr/bin/env bash
# Expected: a field of type string is a `str` in Python, and bytes that are no UTF-8 are refused when a message
#   is parsed.
# Seen (protobuf 7.36.2, onnx 1.23.2): a message of proto2 syntax, as those of ONNX are, is parsed without a
#   word, and the field is then of type `bytes`; which it is depends on the content.
# Why it matters: one flipped bit in a name of a model becomes a TypeError somewhere else; a reader looks at the
#   types of all texts once, after parsing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnx==1.23.2 protobuf==7.36.2 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import onnx

node = onnx.NodeProto(op_type="Relu").SerializeToString()
print(type(onnx.NodeProto.FromString(node).op_type).__name__)
print(type(onnx.NodeProto.FromString(node.replace(b"e", b"\xff")).op_type).__name__)
PY

diff "$folder/seen" - <<'SEEN'
str
bytes
SEEN
