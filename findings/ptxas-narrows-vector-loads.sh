#!/usr/bin/env bash
# Expected: `ld.global.v4.u32` is one access of 16 bytes, which is why people write it.
# Seen (ptxas 13.5.37, sm_90): it loads what is used. Of four registers with two used that are not
#   neighbours it makes two loads of 4 bytes, at offsets 0 and 12; with two neighbours one of 8 bytes; with
#   one used, one of 4. Only with all four needed (or `volatile`) is it LDG.E.128.
# Why it matters: the number of memory instructions is neither what PTX says nor a lower bound of it;
#   requests, sectors and the address arithmetic of a coalescing model change with liveness.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --no-deps nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37
tools=$(echo "$folder"/env/lib/python3*/site-packages/nvidia/cu13/bin)

while read -r space used; do
    cat > "$folder/kernel.ptx" <<PTX
.version 8.8
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 in)
{
    .reg .b32 %r<6>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [in];
    ld.$space.v4.u32 {%r0, %r1, %r2, %r3}, [%d1];
    mov.u32 %r4, 0;
$(for lane in $used; do echo "    add.u32 %r4, %r4, %r$lane;"; done)
    st.global.u32 [%d1], %r4;
    ret;
}
PTX
    "$tools/ptxas" -O3 -arch=sm_90 "$folder/kernel.ptx" -o "$folder/kernel.cubin"
    echo "ld.$space.v4.u32, used $used:"
    "$tools/nvdisasm" "$folder/kernel.cubin" |
        sed -n 's/^ *\/\*[0-9a-f]\{4\}\*\/ *\(.*[^ ]\) *;.*/    \1/p' | grep LDG
done <<'CASES' | tee "$folder/seen"
global 0 1 2 3
global 0 3
global 0 1
global 2
volatile.global 2
CASES

diff "$folder/seen" - <<'SEEN'
ld.global.v4.u32, used 0 1 2 3:
    LDG.E.128 R4, desc[UR4][R2.64]
ld.global.v4.u32, used 0 3:
    LDG.E R0, desc[UR4][R2.64]
    LDG.E R5, desc[UR4][R2.64+0xc]
ld.global.v4.u32, used 0 1:
    LDG.E.64 R4, desc[UR4][R2.64]
ld.global.v4.u32, used 2:
    LDG.E R5, desc[UR4][R2.64+0x8]
ld.volatile.global.v4.u32, used 2:
    LDG.E.128.STRONG.SYS R4, desc[UR4][R2.64]
SEEN
