"""What is said of launches of CUDA kernels that cannot be: one message, with place and hint."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from machines.diagnostics import InputError

# struct P { int n; float a; const float* x; unsigned char flag; };
# __constant__ float ns::mask[3];  template <class T> __global__ void ns::affine(P p, T* y, int k)
PTX = """\
.version 9.0
.target sm_90
.address_size 64
.const .align 4 .b8 _ZN2ns4maskE[12];
.visible .entry _ZN2ns6affineIfEEv1PPT_i(
	.param .align 8 .b8 _ZN2ns6affineIfEEv1PPT_i_param_0[24],
	.param .u64 .ptr .align 1 _ZN2ns6affineIfEEv1PPT_i_param_1,
	.param .u32 _ZN2ns6affineIfEEv1PPT_i_param_2
)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [_ZN2ns6affineIfEEv1PPT_i_param_1];
	ld.param.u32 %r1, [_ZN2ns6affineIfEEv1PPT_i_param_0];
	ld.const.u32 %r2, [_ZN2ns4maskE];
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry _Z4fillPii(.param .u64 _Z4fillPii_param_0, .param .u32 _Z4fillPii_param_1)
{
	ret;
}
.visible .entry _Z5fill2Pii(.param .u64 _Z5fill2Pii_param_0, .param .u32 _Z5fill2Pii_param_1)
{
	ret;
}
"""
WORKLOAD = """\
workload: refused
program: kernels.ptx
machine: teaching_gpu
arguments:
  n: 8
  x: {dtype: f32, shape: [8], value: 1}
  y: {dtype: i32, shape: [2], value: 0}
  mask: {dtype: f32, values: [1, 2, 1]}
launches:
  - {kernel: "ns::affine<float>", grid: 1, block: 32,
     arguments: [{struct: [{i32: n}, {f32: 1.5}, {ptr: x}, {u8: 3}]}, "y + 1", 4000000000]}
  - {kernel: fill, grid: 1, block: 32, arguments: [y, n - 1]}
expect:
  y: [0, 8]
"""
IN_ORDER = (
    "\n".join(WORKLOAD.splitlines()[:8])
    + """
launch: {kernel: fill, grid: 1, block: 1}
expect: {y: [0, 8]}
"""
)


def write(folder: Path, text: str) -> Path:
    (folder / "kernels.ptx").write_text(PTX)
    path = folder / "workload.yaml"
    path.write_text(text)
    return path


def test_what_is_right_is_taken(tmp_path: Path):
    assert sim.run(write(tmp_path, WORKLOAD)).ok


@pytest.mark.parametrize(
    "old, new, place, message, hint",
    [
        ("affine<float>", "afine<float>", (10, 14),
         "the program has no kernel 'ns::afine<float>'", "did you mean 'ns::affine<float>'?"),
        ("kernel: fill", "kernel: fil", (12, 14), "which kernel runs is not clear",
         "'fil' may be _Z4fillPii (fill), _Z5fill2Pii (fill2)"),
        (", n - 1]", "]", (12, 51), "kernel 'fill' takes 2 arguments, not 1",
         "its parameters: param_0 (64 bits), param_1 (32 bits)"),
        ("{u8: 3}", "{u8: 300}", (11, 65), "a field (u8): 300 does not fit into u8",
         "from 0 to 255"),
        ("{f32: 1.5}", "{f23: 1.5}", (11, 39), "there is no type 'f23'", "did you mean 'f32'?"),
        (", {u8: 3}", "", (11, 18), "the structure has 16 bytes, 'param_0' has 24",
         "its fields begin at bytes 0, 4, 8"),
        ("{struct: [{i32: n}, {f32: 1.5}, {ptr: x}, {u8: 3}]}", "x", (11, 18),
         "'param_0' is a structure of 24 bytes",
         "its fields in order: {struct: [{i32: 3}, {f32: 2.5}, {ptr: x}]}"),
        ("4000000000", "5000000000", (11, 80), "'param_2': 5000000000 does not fit into 32 bits",
         "from -2147483648 to 4294967295"),
        ("4000000000", "n / 2", (11, 80), "'param_2': 4.0 is not an integer where n = 8",
         "'//' divides integers"),
        ("4000000000", "4.0", (11, 80), "'param_2': 4.0 is not an integer", "write 4"),
        ("y + 1", "y + 3", (11, 71), "the offset into 'y' is 3", "from 0 to 2"),
        ('"y + 1"', "n", (11, 71), "'param_1' is an array, not a number",
         "name an array, or write null for a pointer to nothing"),
        ("[1, 2, 1]", "[1, 2, 1, 0]", (8, 9), "'mask' has 12 bytes in the program, 16 are given",
         "given are 4 elements of f32"),
        ("f32, values: [1, 2, 1]", "u8, values: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]", (8, 9),
         "'mask' has 12 bytes in the program, 13 are given", "given are 13 elements of u8"),
        ("mask:", "mosk:", (8, 9), "no launch reads 'mosk'",
         "leave it out; variables of its kernels: ns::mask"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_message(
    tmp_path: Path, old: str, new: str, place: tuple[int, int], message: str, hint: str
):
    assert WORKLOAD.count(old) == 1
    with pytest.raises(InputError) as caught:
        sim.run(write(tmp_path, WORKLOAD.replace(old, new)))
    [found] = caught.value.diagnostics
    assert (found.location.line, found.location.column) == place
    assert (found.message, found.hint) == (message, hint)


def test_arguments_in_order_are_listed(tmp_path: Path):
    with pytest.raises(InputError, match="kernel 'fill' takes 2 arguments, not 3") as caught:
        sim.run(write(tmp_path, IN_ORDER))
    assert "all arguments in order (n, x, y) unless" in caught.value.diagnostics[0].hint
