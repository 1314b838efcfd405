"""Programs that place their own waits share no addresses."""

from __future__ import annotations

import pytest

from compiler.targets.cluster.scratchpads import SCRATCHPADS
from machines.diagnostics import InputError
from machines.kinds.cluster.code import ADDRESSES
from tests.programs.random_tiles import Options, generate
from tests.programs.tile_runs import compiled, machine_named, program_of, run_tiles, simulate

K3 = program_of("""
x: f32[448] in dram
y: f32[448] in dram
z: f32[128] in dram
a: f32[448] in nram
b: f32[448] in nram
c: f32[128] in nram
d: f32[128] in nram

func @main() {
entry:
    tensor.copy.f32 a[0:448], x[0:448]
    sync_io 0
    tensor.exp.f32 d[0:128], a[0:128]
    tensor.add.f32 c[0:128], a[0:128], a[128:256]
    tensor.copy.f32 b[0:448], y[0:448]
    sync_io 0
    sync_compute 0
    tensor.add.f32 d[0:128], d[0:128], b[0:128]
    tensor.add.f32 c[0:128], c[0:128], d[0:128]
    sync_compute 0
    tensor.copy.f32 z[0:128], c[0:128]
    return
}
""")


def test_buffers_that_do_not_fit_side_by_side_are_refused():
    small = machine_named("teaching_chip", "clusters=1", "cores=1", "nram.size=4 KiB")
    with pytest.raises(InputError) as refused:
        compiled(K3, small, none=True)
    (finding,) = refused.value.diagnostics
    assert finding.location.line == 5
    assert finding.message == (
        "4608 bytes of buffers do not fit in 4096 of nram side by side, and a program that places "
        "its own waits shares no addresses"
    )
    # With waits of the compiler they share them, and with more room nobody need.
    assert simulate(compiled(K3, small), K3, small).bytes == run_tiles(K3, small).bytes
    large = machine_named("teaching_chip", "clusters=1", "cores=1", "nram.size=8 KiB")
    code = compiled(K3, large, none=True)
    assert simulate(code, K3, large).bytes == run_tiles(K3, large).bytes


def test_no_program_with_its_own_waits_shares():
    """Random ones in less and less NRAM, until they are refused."""
    refusals = 0
    for seed in range(4):
        program = generate(seed, machine_named("teaching_chip"), Options(stages=True))
        for size in (4096, 2048, 1024, 512):
            machine = machine_named("teaching_chip", f"nram.size={size} B", f"wram.size={size} B")
            try:
                code = compiled(program, machine, none=True)
            except InputError:
                refusals += 1
                continue
            for function in code.functions:
                for space in SCRATCHPADS:
                    placed = sorted(
                        (ADDRESSES.of(function)[b.name], b.size)
                        for b in function.buffers.values()
                        if b.space == space and b.name in ADDRESSES.of(function)
                    )
                    ends = [address + size for address, size in placed]
                    assert all(a >= end for (a, _), end in zip(placed[1:], ends, strict=False))
    assert refusals
