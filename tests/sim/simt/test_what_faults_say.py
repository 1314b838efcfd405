"""What a fault says beyond its kind: an assertion's text, the shared memory that is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from compiler.frontends.ptx import PLUGIN

KERNEL = """\
.version 9.0
.target sm_70
.address_size 64
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d,
.param .b64 e)
.noreturn;
.global .align 1 .b8 $str[6] = {110, 32, 62, 32, 51, 0};
.global .align 1 .b8 $file[5] = {102, 46, 99, 117, 0};
.global .align 1 .b8 $func[5] = {102, 105, 108, 108, 0};
.extern .shared .align 4 .b8 room[];
.visible .entry fill(.param .u64 .ptr y, .param .u32 n) {
	.reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<12>;
	ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [y];
	setp.gt.s32 %p1, %r1, 3;
	@%p1 bra ON;
	mov.u64 %rd2, $str; cvta.global.u64 %rd3, %rd2;
	mov.u64 %rd4, $file; cvta.global.u64 %rd5, %rd4;
	mov.u64 %rd6, $func; cvta.global.u64 %rd7, %rd6;
	{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
	st.param.b64 [p0], %rd3; st.param.b64 [p1], %rd5; st.param.b32 [p2], 12;
	st.param.b64 [p3], %rd7; st.param.b64 [p4], 1;
	call.uni __assertfail, (p0, p1, p2, p3, p4); }
ON:
	st.shared.u32 [room+28], %r1;
	ld.shared.u32 %r2, [room+28];
	st.global.u32 [%rd1], %r2;
	ret;
}
"""


NONE_GIVEN = "the kernel uses dynamic shared memory, and its launch gives none: shared: 4 KiB"


def test_the_text_of_an_assertion_that_is_not_known_is_not_said():
    """Its address comes from elsewhere: what the register held before does not count."""
    known = PLUGIN.read(KERNEL, "fill.ptx").functions["fill"].frame.traps
    assert len(known) == 1
    other_text = KERNEL.replace("%rd3, %rd2;", "%rd3, %rd2; ld.global.u64 %rd3, [%rd1];")
    assert PLUGIN.read(other_text, "fill.ptx").functions["fill"].frame.traps == []


@pytest.mark.parametrize(
    "n, shared, about, hint",
    [
        (3, 32, "assertion failed: 'n > 3', f.cu:12, in fill", None),
        (
            4,
            0,
            "",
            "the kernel uses dynamic shared memory, and its launch gives none: shared: 4 KiB",
        ),
        (4, 16, "", None),
        (4, 32, None, None),
    ],
)
def test_a_fault_says_what_it_is_about(tmp_path: Path, n: int, shared: int, about, hint):
    (tmp_path / "fill.ptx").write_text(KERNEL)
    path = tmp_path / "workload.yaml"
    path.write_text(
        f"""\
workload: faults
program: fill.ptx
machine: teaching_gpu
arguments: {{y: {{dtype: i32, shape: [1], value: 0}}, n: {n}}}
launch: {{kernel: fill, grid: 1, block: 32, shared: {shared} B}}
expect: {{y: [{n}]}}
"""
    )
    result = sim.run(path)
    if about is None:
        assert result.ok
        return
    assert about in result.fault["message"]
    assert result.fault.get("hint") == hint


FREED_TWICE = """\
.version 9.0
.target sm_90
.address_size 64
.extern .func free (.param .b64 block);
.extern .func (.param .b64 r) malloc (.param .b64 n);
.visible .entry twice (.param .u64 y)
{
	.reg .b64 %rd<3>;
	{ .param .b64 p0; .param .b64 q0; st.param.b64 [p0], 40;
	call.uni (q0), malloc, (p0);
	ld.param.b64 %rd1, [q0]; }
	{ .param .b64 p0; st.param.b64 [p0], %rd1; call.uni free, (p0); }
	{ .param .b64 p0; st.param.b64 [p0], %rd1; call.uni free, (p0); }
	ret;
}
"""


def test_what_is_freed_twice(tmp_path: Path):
    (tmp_path / "twice.ptx").write_text(FREED_TWICE)
    y = {"dtype": "i32", "shape": [1], "value": 0}
    workload = {
        "workload": "freed",
        "program": str(tmp_path / "twice.ptx"),
        "arguments": {"y": y},
        "launch": {"grid": 1, "block": 1},
    }
    message = sim.run(workload, machine="teaching_gpu").fault["message"]
    assert "twice.ptx:13" in message
    assert "trap: free of what malloc did not give out, or of what was freed already" in message


RECURRING = """\
.version 9.0
.target sm_90
.address_size 64
.func (.param .b32 r) deep (.param .b32 n)
{
	.reg .pred %p<2>; .reg .b32 %r<5>;
	ld.param.u32 %r1, [n];
	mov.u32 %r4, 0;
	setp.eq.s32 %p1, %r1, 0;
	@%p1 bra DONE;
	add.s32 %r2, %r1, -1;
	{ .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r2;
	call.uni (q0), deep, (p0);
	ld.param.b32 %r3, [q0]; }
	add.s32 %r4, %r3, %r1;
DONE:
	st.param.b32 [r], %r4;
	ret;
}
.visible .entry sum (.param .u64 y, .param .u32 n)
{
	.reg .b32 %r<3>; .reg .b64 %rd<2>;
	ld.param.u64 %rd1, [y];
	ld.param.u32 %r1, [n];
	{ .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r1;
	call.uni (q0), deep, (p0);
	ld.param.b32 %r2, [q0]; }
	st.global.u32 [%rd1], %r2;
	ret;
}
"""


def test_a_stack_that_is_too_small(tmp_path: Path):
    (tmp_path / "sum.ptx").write_text(RECURRING)
    workload = {
        "workload": "stack",
        "program": str(tmp_path / "sum.ptx"),
        "arguments": {"y": {"dtype": "i32", "shape": [1], "value": 0}, "n": 200},
        "launch": {"grid": 1, "block": 1},
        "expect": {"y": [20100]},
    }
    result = sim.run(workload, machine="teaching_gpu")
    assert "limits.stack" in result.fault["hint"]
    enough = {"limits.stack": "4KiB"}
    assert sim.run(workload, machine="teaching_gpu", overrides=enough).ok
