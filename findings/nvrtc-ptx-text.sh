#!/usr/bin/env bash
# Expected: what nvrtcGetPTX gives is a text file, the same wherever it is compiled, for the source came
#   from memory under the name "kernel.cu"; and a `.loc` names a file that a `.file` above it declares.
# Seen (NVRTC 13.5.37): (1) the size that nvrtcGetPTXSize gives counts a NUL at the end, so what is written
#   to a file whole ends in an invisible byte (caches of just-in-time compilers keep it); (2) with -lineinfo
#   the text holds the absolute path of the directory that the process ran in, before a name that was never
#   a file; (3) the only `.file` stands after the last `.loc` that uses it.
# Why it matters: a reader of PTX must take one NUL at the end, and resolve files after the whole text is
#   read; keys of caches by content differ from directory to directory.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet nvidia-cuda-nvrtc==13.5.37
library=$(echo "$folder"/env/lib/python3*/site-packages/nvidia/cu13/lib/libnvrtc.so.13)
cd "$folder"

"$folder/env/bin/python" - "$library" <<'PY' | tee "$folder/seen"
import ctypes
import os
import sys

nvrtc = ctypes.CDLL(sys.argv[1])
source = b'extern "C" __global__ void kernel(float *x) { x[threadIdx.x] *= 2; }'
program = ctypes.c_void_p()
options = (ctypes.c_char_p * 2)(b"--gpu-architecture=compute_90", b"-lineinfo")
assert not nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", 0, None, None)
assert not nvrtc.nvrtcCompileProgram(program, 2, options)
size = ctypes.c_size_t()
nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
ptx = ctypes.create_string_buffer(size.value)
nvrtc.nvrtcGetPTX(program, ptx)

text = ptx.raw
print("last bytes:", text[-4:])
print("holds the working directory:", os.getcwd().encode() in text)
print("last .loc before first .file:", text.rindex(b".loc") < text.index(b".file"))
PY

diff "$folder/seen" - <<'SEEN'
last bytes: b'u"\n\x00'
holds the working directory: True
last .loc before first .file: True
SEEN
