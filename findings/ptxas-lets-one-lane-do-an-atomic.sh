#!/usr/bin/env bash
# Expected: an atomic that a warp of 32 threads executes reaches memory as 32 atomic additions.
# Seen (ptxas 13.5.37, sm_90): where all lanes add to one address, ptxas rewrites it: the active lanes are
#   counted (VOTEU, POPC), or their values summed in the warp (REDUX.SUM), and the lane that UFLO elects
#   sends a single REDG for all. With an address of its own for each lane it does not. For floats, which
#   have no REDUX, it never does.
# Why it matters: traffic of atomics and contention at one address are 32 times less than PTX says; a
#   simulator that charges each lane for a shared counter is far off, and one that always merges is wrong
#   for floats, whose sum would depend on the order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --no-deps nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37
tools=$(echo "$folder"/env/lib/python3*/site-packages/nvidia/cu13/bin)

for operation in \
    'red.global.add.u32 [counter], 1' \
    'red.global.add.u32 [counter], %r1' \
    'red.global.add.u32 [%d1], 1' \
    'red.global.add.f32 [counter], %f1'; do
    cat > "$folder/kernel.ptx" <<PTX
.version 8.8
.target sm_90
.address_size 64
.global .align 4 .b32 counter;
.visible .entry kernel(.param .u64 in)
{
    .reg .b32 %r<3>;
    .reg .b64 %d<4>;
    .reg .f32 %f<2>;
    ld.param.u64 %d2, [in];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %d3, %r2, 4;
    add.u64 %d1, %d2, %d3;
    ld.global.u32 %r1, [%d1];
    mov.b32 %f1, %r1;
    $operation;
    ret;
}
PTX
    "$tools/ptxas" -O3 -arch=sm_90 "$folder/kernel.ptx" -o "$folder/kernel.cubin"
    echo "$operation:"
    "$tools/nvdisasm" "$folder/kernel.cubin" |
        sed -n 's/^ *\/\*[0-9a-f]\{4\}\*\/ *\(.*[^ ]\) *;.*/    \1/p' |
        grep -e VOTE -e POPC -e FLO -e REDUX -e RED -e ATOM
done | tee "$folder/seen"

diff "$folder/seen" - <<'SEEN'
red.global.add.u32 [counter], 1:
    VOTEU.ANY UR4, UPT, PT
    UFLO.U32 UR5, UR4
    POPC R5, UR4
    @P0 REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5
red.global.add.u32 [counter], %r1:
    VOTEU.ANY UR4, UPT, PT
    UFLO.U32 UR4, UR4
    REDUX.SUM UR5, R2
    @P0 REDG.E.ADD.STRONG.GPU desc[UR6][R4.64], R7
red.global.add.u32 [%d1], 1:
    REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7
red.global.add.f32 [counter], %f1:
    REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R4.64], R3
SEEN
