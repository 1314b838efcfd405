#!/usr/bin/env bash
# Expected: `mov.u32 %r, 1` is a move, or an integer operation.
# Seen (ptxas 13.5.37): ptxas spreads constants over pipes. Some are a sum in packed halves of a product of
#   zeros and two half-precision floats whose bits are those of the integer (HFMA2.MMA on sm_80, HFMA2 on
#   sm_120): 100000 = 0x000186a0 is -RZ * RZ + (5.96e-08, -0.000101). Others go through the multiplier
#   (IMAD.MOV on sm_80), and one or two are moves.
# Why it matters: counts by functional unit show floating-point work in kernels that have none, and a model
#   with one move unit charges the wrong pipe; a reader of SASS must know that -0.000101 is 100000.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --no-deps nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37
tools=$(echo "$folder"/env/lib/python3*/site-packages/nvidia/cu13/bin)

for machine in sm_80 sm_120; do
    cat > "$folder/kernel.ptx" <<PTX
.version 8.8
.target $machine
.address_size 64
.visible .entry kernel(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [out];
    mov.u32 %r0, 1;
    mov.u32 %r1, 2;
    mov.u32 %r2, 100000;
    mov.u32 %r3, -1;
    st.global.v4.u32 [%d1], {%r0, %r1, %r2, %r3};
    ret;
}
PTX
    "$tools/ptxas" -O3 -arch=$machine "$folder/kernel.ptx" -o "$folder/kernel.cubin"
    echo "$machine:"
    "$tools/nvdisasm" "$folder/kernel.cubin" |
        sed -n 's/^ *\/\*[0-9a-f]\{4\}\*\/ *\(.*[^ ]\) *;.*/    \1/p' | grep -e HFMA2 -e MOV | grep -v -F 'c[0x0]'
done | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
sm_80:
    HFMA2.MMA R4, -RZ, RZ, 0, 5.9604644775390625e-08
    MOV R6, 0x186a0
    IMAD.MOV.U32 R5, RZ, RZ, 0x2
    IMAD.MOV.U32 R7, RZ, RZ, -0x1
sm_120:
    HFMA2 R4, -RZ, RZ, 0, 5.9604644775390625e-08
    MOV R5, 0x2
    HFMA2 R6, -RZ, RZ, 5.9604644775390625e-08, -0.0001010894775390625
    MOV R7, 0xffffffff
SEEN
