#!/usr/bin/env bash
# Expected: what `np.save` wrote, `np.load` reads, with its type or with an error when it is written.
# Seen (ml_dtypes 0.6.0 with numpy 2.4.6): bfloat16 and float8_e4m3fn come back as raw bytes (void) without a
#   word; float8_e5m2 is written with the type '<f1', which no version of NumPy has, and the file cannot be
#   read at all, although it was written without an error.
# Why it matters: a file of narrow floats says nothing of its type that can be trusted; whoever reads it has
#   to be told the type, and reads the bytes behind the header.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet ml-dtypes==0.6.0 numpy==2.4.6

cd "$folder"
"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import ml_dtypes
import numpy as np

for dtype in ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2:
    name = np.dtype(dtype).name
    np.save(f"{name}.npy", np.ones(2, dtype))
    try:
        print(name, "read as", np.load(f"{name}.npy").dtype)
    except ValueError as error:
        print(name, type(error).__name__)
PY

diff "$folder/seen" - <<'SEEN'
bfloat16 read as |V2
float8_e4m3fn read as |V1
float8_e5m2 ValueError
SEEN
