#!/usr/bin/env bash
# Expected: the mean of a thousand ones is one.
# Seen (ml_dtypes 0.6.0 with numpy 2.4.6): 0.255859 in bfloat16. `sum` adds in bfloat16, where 256 + 1 is
#   256, and `mean` divides that by 1000; neither widens, nor adds in pairs as NumPy does for its own floats
#   (float16 gives 1). `x @ x` of the same array is 1000: the product widens. In float8_e4m3fn the sum stops
#   at 16.
# Why it matters: NumPy with these types is no oracle for a chip that accumulates in float32; cast before
#   each reduction. The error is not small, it is a factor of four, and grows with the length.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet ml-dtypes==0.6.0 numpy==2.4.6

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import ml_dtypes
import numpy as np

for dtype in np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn:
    x = np.ones(1000, dtype)
    print(x.dtype, "sum", x.sum(), "mean", x.mean(), "x @ x", x @ x)
PY

diff "$folder/seen" - <<'SEEN'
float16 sum 1e+03 mean 1.0 x @ x 1e+03
bfloat16 sum 256 mean 0.255859 x @ x 1000.0
float8_e4m3fn sum 16 mean 0.015625 x @ x 1000.0
SEEN
