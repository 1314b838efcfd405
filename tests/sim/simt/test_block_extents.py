"""A kernel that says how its blocks are (`.reqntid`, `.maxntid`) is launched with no others."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest

import sim
from compiler.frontends.ptx import PLUGIN
from machines.diagnostics import InputError

KERNEL = """\
.version 9.0
.target sm_70
.address_size 64
.visible .entry fill(.param .u64 .ptr y) DIRECTIVE
{
	.reg .b32 %r<6>; .reg .b64 %rd<4>;
	ld.param.u64 %rd1, [y];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.z; mov.u32 %r5, %ntid.y; mad.lo.s32 %r2, %r4, %r5, %r2;
	mad.lo.s32 %r1, %r2, %r3, %r1;
	mul.wide.s32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
	st.global.u32 [%rd1], %r1;
	ret;
}
"""
CASES = [
    (".reqntid 128", [128], None),
    (".reqntid 128", [128, 1], None),
    (".reqntid 128", [64], "blocks of 64 threads, and the kernel says that its blocks have 128"),
    (".reqntid 128", [129], "blocks of 129 threads, and the kernel says that its blocks have 128"),
    (".reqntid 128", [64, 2], "blocks of 64 by 2 threads, and the kernel says that its blocks "),
    (".reqntid 16, 8", [16, 8], None),
    (".reqntid 16, 8", [8, 16], "have 16 by 8"),
    (".reqntid 16, 8", [128], "have 16 by 8"),
    (".reqntid 4, 2, 8", [4, 2, 8], None),
    (".reqntid 4, 2, 8", [4, 2, 4], "have 4 by 2 by 8"),
    (".maxntid 64", [64], None),
    (".maxntid 64", [32], None),
    (".maxntid 8, 8", [64], None),
    (".maxntid 64", [8, 9], "blocks of 72 threads, and the kernel says that its blocks have 64 at"),
]  # fmt: skip


@pytest.mark.parametrize("directive, block, message", CASES)
def test_a_launch_with_another_block_is_refused(
    tmp_path: Path, directive: str, block: list[int], message: str | None
):
    count = prod(block)
    (tmp_path / "fill.ptx").write_text(KERNEL.replace("DIRECTIVE", directive))
    path = tmp_path / "workload.yaml"
    path.write_text(
        f"""\
workload: extents
program: fill.ptx
machine: teaching_gpu
arguments: {{y: {{dtype: i32, shape: [{count}], value: -1}}}}
launch: {{kernel: fill, grid: 1, block: {block}}}
expect: {{y: {list(range(count))}}}
"""
    )
    if message is None:
        assert sim.run(path).ok
        return
    with pytest.raises(InputError) as caught:
        sim.run(path)
    [found] = caught.value.diagnostics
    assert (found.location.line, found.location.column) == (5, 40)
    assert message in found.message


@pytest.mark.parametrize("directive", [".reqntid 1, 2, 3, 4", ".reqntid 0", ".maxntid 0, 4"])
def test_extents_that_no_block_has(directive: str):
    with pytest.raises(InputError, match="takes one to three numbers of threads"):
        PLUGIN.read(KERNEL.replace("DIRECTIVE", directive), "fill.ptx")
