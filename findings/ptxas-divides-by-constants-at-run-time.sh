#!/usr/bin/env bash
# Expected: an assembler that optimizes (ptxas -O3) makes a shift and a mask of a division and a remainder
#   by the constant 2, as every C compiler does.
# Seen (ptxas 13.5.37, sm_90): it keeps the general division, and computes the reciprocal of the constant
#   anew in every thread: I2F of the literal 2, MUFU.RCP, F2I, a Newton step, a correction behind two
#   compares. `and` by 1 beside it is one LOP3. nvcc hides this: its LLVM has replaced such divisions before
#   ptxas sees them. PTX that other generators or people write pays for all of it.
# Why it matters: the price of a `div` or `rem` row is the same whatever the divisor; a simulator of PTX
#   that folds constant divisors is faster than the hardware.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --no-deps nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37
tools=$(echo "$folder"/env/lib/python3*/site-packages/nvidia/cu13/bin)

for operation in 'rem.u32 %r2, %r1, 2' 'and.b32 %r2, %r1, 1'; do
    cat > "$folder/kernel.ptx" <<PTX
.version 8.8
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [out];
    ld.global.u32 %r1, [%d1];
    $operation;
    st.global.u32 [%d1], %r2;
    ret;
}
PTX
    "$tools/ptxas" -O3 -arch=sm_90 "$folder/kernel.ptx" -o "$folder/kernel.cubin"
    echo "$operation:"
    "$tools/nvdisasm" "$folder/kernel.cubin" |
        sed -n 's/^ *\/\*[0-9a-f]\{4\}\*\/ *\(.*[^ ]\) *;.*/    \1/p' |
        sed -n '/LDG/,/STG/p' | grep -v -e LDG -e STG
done | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
rem.u32 %r2, %r1, 2:
    I2F.U32.RP R6, 0x2
    MUFU.RCP R6, R6
    IADD3 R4, R6, 0xffffffe, RZ
    F2I.FTZ.U32.TRUNC.NTZ R5, R4
    IMAD.MOV.U32 R4, RZ, RZ, RZ
    LEA R7, -R5, RZ, 0x1
    IMAD.HI.U32 R5, R5, R7, R4
    IMAD.HI.U32 R5, R5, R0, RZ
    IMAD R5, R5, -0x2, R0
    ISETP.GE.U32.AND P0, PT, R5, 0x2, PT
    @P0 IADD3 R5, R5, -0x2, RZ
    ISETP.GE.U32.AND P0, PT, R5, 0x2, PT
    @P0 VIADD R5, R5, 0xfffffffe
and.b32 %r2, %r1, 1:
    LOP3.LUT R5, R0, 0x1, RZ, 0xc0, !PT
SEEN
