#!/usr/bin/env bash
# Expected: `cuda.compile_ptx` gives the PTX of a kernel, which ptxas takes, as it does for float32.
# Seen (numba-cuda 0.30.4): where elements are float16, products and sums are calls of two functions that the
#   PTX only declares; their bodies are C++ that Numba compiles and links when it launches on a GPU. The call
#   passes addresses of locals, so that each operation is two stores, a call and a load.
# Why it matters: PTX of Numba is complete for the numbers that PTX has instructions for, and halves are not
#   among them although it has: such a file is refused for what it lacks, by name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet numba-cuda==0.30.4 numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 \
    cuda-core==1.2.2 cuda-bindings==13.5.0 nvidia-cuda-nvrtc==13.5.37 nvidia-nvvm==13.5.37 \
    nvidia-cuda-runtime==13.5.37 nvidia-nvjitlink==13.5.37

cat > "$folder/kernel.py" <<'PY'
import re

from numba import cuda, float32, from_dtype
from numpy import dtype


def squares(x, y):
    i = cuda.grid(1)
    y[i] = x[i] * x[i] + x[i]


for name, type in ("float32", float32), ("float16", from_dtype(dtype("float16"))):
    text, _ = cuda.compile_ptx(squares, (type[::1], type[::1]), cc=(8, 0))
    declared = re.findall(r"\.extern \.func\s+(?:\([^)]*\)\s*)?(\w+)", text)
    print(name, "declares", *sorted(declared) or ["nothing"])
    own = sorted(set(re.findall(r"(?:mul|add|fma)\.(?:rn\.)?f\d+", text)))
    print(name, "computes with", *own or ["calls"])
PY
"$folder/env/bin/python" -W ignore "$folder/kernel.py" | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
float32 declares nothing
float32 computes with fma.rn.f32
float16 declares _ZmlRK6__halfS1__nbst _ZplRK6__halfS1__nbst
float16 computes with calls
SEEN
