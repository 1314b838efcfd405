#!/usr/bin/env bash
# Expected: `fma.rz.bf16` is refused, since the PTX ISA has `fma.rn` of halves alone; or, if it is taken, that it
#   is a fused multiply-add of bf16 cut toward zero.
# Seen (ptxas 13.5.37, sm_80 and sm_90): with .rz, .rm and .rp it is taken, and computes with other numbers. Each
#   operand becomes an f32 as if its bits were an f16 (HADD2.F32; a bf16 would be shifted), FFMA multiplies and
#   adds, and the result is packed as an f16: a bf16 1.0, 0x3F80, counts as 1.875. `fma.rn.bf16` is right.
# Why it matters: that ptxas takes a line does not make it an instruction of PTX; what no document has is
#   refused here, though ptxas is the judge of forms.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --no-deps nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37
tools=$(echo "$folder"/env/lib/python3*/site-packages/nvidia/cu13/bin)

while read -r form target; do
    cat > "$folder/kernel.ptx" <<PTX
.version 8.8
.target $target
.address_size 64
.visible .entry kernel(.param .u64 in)
{
    .reg .b16 %h<5>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [in];
    ld.global.u16 %h1, [%d1];
    ld.global.u16 %h2, [%d1+2];
    ld.global.u16 %h3, [%d1+4];
    $form %h4, %h1, %h2, %h3;
    st.global.u16 [%d1], %h4;
    ret;
}
PTX
    echo "$form $target:"
    if ! "$tools/ptxas" -O3 "-arch=$target" "$folder/kernel.ptx" -o "$folder/kernel.cubin" \
        > "$folder/said" 2>&1; then
        echo "    refused"
        continue
    fi
    "$tools/nvdisasm" "$folder/kernel.cubin" |
        sed -n 's/^ *\/\*[0-9a-f]\{4\}\*\/ *\(.*[^ ]\) *;.*/\1/p' |
        grep -oE "^(HADD2|FFMA|F2FP|HFMA2|SHL|IMAD\.U32|PRMT)[A-Z0-9_.]*" | sed 's/^/    /'
done <<'CASES' | tee "$folder/seen"
fma.rz.bf16 sm_90
fma.rz.bf16 sm_80
fma.rn.bf16 sm_90
fma.rp.bf16 sm_90
CASES

diff "$folder/seen" - <<'SEEN'
fma.rz.bf16 sm_90:
    HADD2.F32
    HADD2.F32
    HADD2.F32
    FFMA.RZ
    F2FP.F16.F32.PACK_AB
fma.rz.bf16 sm_80:
    HADD2.F32
    HADD2.F32
    HADD2.F32
    FFMA.RZ
    F2FP.PACK_AB
fma.rn.bf16 sm_90:
    HFMA2.BF16_V2
fma.rp.bf16 sm_90:
    HADD2.F32
    HADD2.F32
    HADD2.F32
    FFMA.RP
    F2FP.F16.F32.PACK_AB
SEEN
