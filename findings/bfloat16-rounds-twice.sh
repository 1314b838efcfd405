#!/usr/bin/env bash
# Expected: a cast of float64 to bfloat16 gives the nearest bfloat16, ties to even, as NumPy's own cast of
#   float64 to float16 does.
# Seen (ml_dtypes 0.6.0 with numpy 2.4.6): the cast goes through float32 and rounds twice. A number a little
#   above the middle of two neighbours becomes the middle in float32, and then goes to the even neighbour,
#   which is the farther one: the smallest distance of float64 above 1 + 2**-8 is lost.
# Why it matters: expected values that NumPy computes in float64 are off by one place when they are cast at
#   the end; a judge that rounds to a narrow type does so once, from what was computed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet ml-dtypes==0.6.0 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import ml_dtypes
import numpy as np

for dtype, bits in (np.float16, 10), (ml_dtypes.bfloat16, 7), (ml_dtypes.float8_e4m3fn, 3):
    x = np.float64(1 + 2.0 ** -(bits + 1) + 2.0 ** -40)  # nearest: 1 + 2**-bits
    print(np.dtype(dtype).name, float(np.array([x]).astype(dtype)[0]), "nearest", 1 + 2.0**-bits)
PY

diff "$folder/seen" - <<'SEEN'
float16 1.0009765625 nearest 1.0009765625
bfloat16 1.0 nearest 1.0078125
float8_e4m3fn 1.0 nearest 1.125
SEEN
