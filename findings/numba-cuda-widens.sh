#!/usr/bin/env bash
# Expected: a kernel over a float32 array and an int32 number, whose text has small integers only, computes
#   in 32 bits, as the same line of CUDA C does.
# Seen (numba-cuda 0.30.4 with numba 0.68.1): `a[i] * 2 + n // 3` becomes f64 arithmetic with a conversion
#   each way (an int64 beside a float32 makes float64), `//` on int32 becomes s64 arithmetic, the bound `i <
#   n` a compare of s64, and one array is seven parameters (meminfo, parent, items, item size, data, shape,
#   stride), of which two are read.
# Why it matters: on a machine with few f64 lanes such a kernel is slow for a reason that its source does
#   not show; who measures Python kernels on a simulator must look at the PTX's types first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet numba-cuda==0.30.4 numba==0.68.1 numpy==2.4.6 \
    nvidia-nvvm==13.5.37 nvidia-cuda-nvrtc==13.5.37 nvidia-cuda-runtime==13.5.37 nvidia-cuda-nvcc==13.5.37

"$folder/env/bin/python" - <<'PY' | tee "$folder/seen"
import re

from numba import cuda, types


def kernel(a, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = a[i] * 2 + n // 3


signature = (types.float32[::1], types.int32)
ptx, _ = cuda.compile(kernel, signature, cc=(9, 0), device=False, abi="numba")
print("parameters:", len(re.findall(r"\.param \.", ptx)), "read:", len(re.findall(r"ld\.param", ptx)))
wide = set(re.findall(r"^\s(?:@!?%p\d+ )?([a-z]+\.\S*(?:f64|s64)\S*)", ptx, re.MULTILINE))
print(*sorted(wide), sep="\n")
PY

diff "$folder/seen" - <<'SEEN'
parameters: 8 read: 3
add.s64
cvt.f64.f32
cvt.rn.f32.f64
cvt.rn.f64.s64
cvt.s64.s32
fma.rn.f64
mul.hi.s64
mul.lo.s64
setp.ge.s64
shr.s64
sub.s64
SEEN
