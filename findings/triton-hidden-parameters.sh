#!/usr/bin/env bash
# Expected: the entry of a compiled kernel has the parameters of its function: five here.
# Seen (Triton 3.9.0): of `kernel(x, y, n, stride, BLOCK)` with stride = 1 and BLOCK = 256, the constant
#   ones vanish from the signature (no trace of them in PTX but their effects), and two 64-bit pointers that
#   nobody wrote stand at the end, for global and profiling scratch memory; the sizes of both are 0 here,
#   and still they are parameters, to be filled with null. The parameters have no names but `kernel_param_0`
#   …, pointers claim `.align 1`, and the block's size is `.reqntid`, not what the launcher says.
# Why it matters: whoever launches Triton's PTX by the Python signature passes arguments at the wrong
#   offsets; a loader must count from the PTX and know which parameters may be left null.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet triton==3.9.0
export TRITON_CACHE_DIR=$folder/cache TRITON_DEFAULT_FP_FUSION=1

cat > "$folder/kernel.py" <<'PY'
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def kernel(x, y, n, stride, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at * stride, tl.load(x + at, mask=at < n) * 2, mask=at < n)


types = {"x": "*fp32", "y": "*fp32", "n": "i32", "stride": "constexpr", "BLOCK": "constexpr"}
source = ASTSource(kernel, types, {(3,): 1, (4,): 256})
compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32))
print(re.search(r"\.visible \.entry.*?\n\{", compiled.asm["ptx"], re.DOTALL)[0][:-2])
print("scratch:", compiled.metadata.global_scratch_size, compiled.metadata.profile_scratch_size)
PY
"$folder/env/bin/python" "$folder/kernel.py" | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
.visible .entry kernel(
	.param .u64 .ptr .global .align 1 kernel_param_0,
	.param .u64 .ptr .global .align 1 kernel_param_1,
	.param .u32 kernel_param_2,
	.param .u64 .ptr .global .align 1 kernel_param_3,
	.param .u64 .ptr .global .align 1 kernel_param_4
)
.reqntid 128
scratch: 0 0
SEEN
