"""What instructions of PTX give, by hand, and which rows they become."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from machines.threads.spaces import LOCAL_BASE, SHARED_BASE
from tests.compiler.frontends.ptx_runs import kernel, only, read, result, rows, run

M1, MIN32, MAX32 = 0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF


def _f32(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


@pytest.mark.parametrize(
    "code, wanted",
    [
        # Shifts clamp at the width; counts are unsigned.
        ("mov.u32 %r2, 32; shl.b32 %r1, -1, %r2", 0),
        ("mov.u32 %r2, -1; shr.u32 %r1, -1, %r2", 0),
        ("mov.u32 %r2, 33; shr.s32 %r1, -8, %r2", M1),
        ("mov.u32 %r2, 31; shr.b32 %r1, -1, %r2", 1),
        ("mov.u32 %r2, 36; shf.l.wrap.b32 %r1, 0x12345678, 0x9ABCDEF0, %r2", 0xABCDEF01),
        ("mov.u32 %r2, 36; shf.r.clamp.b32 %r1, 0x12345678, 0x9ABCDEF0, %r2", 0x9ABCDEF0),
        # Division: truncates; MIN / -1 wraps.
        ("div.s32 %r1, -7, 2", M1 - 2),
        ("rem.s32 %r1, -7, 2", M1),
        ("mov.s32 %r2, -1; div.s32 %r1, 0x80000000, %r2", MIN32),
        ("div.u32 %r1, -7, 2", 0x7FFF_FFFC),
        # Wide, high and accumulated products.
        ("mul.hi.u32 %r1, -1, -1", M1 - 1),
        ("mul.hi.s32 %r1, -1, -1", 0),
        ("mov.b16 %rs1, 0xFFFF; mul.wide.s16 %r1, %rs1, %rs1", 1),
        ("mov.b16 %rs1, 0xFFFF; mul.wide.u16 %r1, %rs1, %rs1", 0xFFFE_0001),
        ("mad.lo.u32 %r1, 3, 4, -20", M1 - 7),
        ("mul24.lo.s32 %r1, 0x1FFFFFF, 5", M1 - 4),
        ("sad.s32 %r1, -3, 4, 10", 17),
        ("add.sat.s32 %r1, 0x7FFFFFF0, 100", MAX32),
        ("sub.sat.s32 %r1, 0x80000000, 1", MIN32),
        # Carries.
        ("add.cc.u32 %r2, -1, 1; addc.u32 %r1, 5, 6", 12),
        ("sub.cc.u32 %r2, 0, 1; subc.u32 %r1, 5, 0", 4),
        ("mad.lo.cc.u32 %r2, -1, 2, 3; madc.hi.u32 %r1, -1, 2, 0", 2),
        ("add.cc.s32 %r2, -1, 1; addc.cc.s32 %r3, -1, 0; addc.s32 %r1, 0, 0", 1),
        # Bits.
        ("bfe.s32 %r1, 0xF0, 4, 4", M1),
        ("bfe.u32 %r1, 0xF0, 4, 4", 15),
        ("bfe.u32 %r1, 0xF0, 4, 0", 0),
        ("bfi.b32 %r1, 0xF, 0, 8, 4", 0xF00),
        ("bfind.u32 %r1, 0", M1),
        ("bfind.shiftamt.s32 %r1, -2", 31),
        ("lop3.b32 %r1, 0xF0F0, 0xCCCC, 0xAAAA, 0x80", 0x8080),
        ("prmt.b32 %r1, 0x33221100, 0x77665544, 0x4567", 0x44556677),
        ("prmt.b32 %r1, 0x80, 0, 0x8888", M1),
        ("prmt.b32.f4e %r1, 0x33221100, 0x77665544, 1", 0x44332211),
        ("popc.b64 %r1, 0xFF00FF00FF", 24),
        ("clz.b32 %r1, 0", 32),
        ("brev.b32 %r1, 1", MIN32),
        ("cnot.b32 %r1, 0", 1),
        ("dp4a.u32.s32 %r1, 0x01020304, -1, 0", M1 - 9),
        ("fns.b32 %r1, 0xF0, 4, 3", 6),
        # Comparisons: with NaN only the unordered ones hold.
        ("setp.lt.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r1, 1, 0, %p1", 0),
        ("setp.ltu.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r1, 1, 0, %p1", 1),
        ("setp.ne.f32 %p1, 0f7FC00000, 0f7FC00000; selp.b32 %r1, 1, 0, %p1", 0),
        ("setp.neu.f32 %p1, 0f7FC00000, 0f7FC00000; selp.b32 %r1, 1, 0, %p1", 1),
        ("setp.nan.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r1, 1, 0, %p1", 1),
        ("setp.lo.u32 %p1, 1, -1; selp.b32 %r1, 1, 0, %p1", 1),
        ("setp.lt.s32 %p1, 1, -1; selp.b32 %r1, 1, 0, %p1", 0),
        ("setp.eq.f32 %p1|%p2, 0f00000000, 0f80000000; selp.b32 %r1, 1, 0, %p2", 0),
        ("setp.gt.s32 %p3, 1, 0; setp.lt.and.s32 %p1|%p2, 5, 3, %p3; selp.b32 %r1, 1, 0, %p2", 1),
        ("setp.gt.s32 %p3, 1, 0; setp.lt.or.s32 %p1, 5, 3, !%p3; selp.b32 %r1, 1, 0, %p1", 0),
        ("setp.gt.s32 %p3, 1, 0; setp.lt.xor.s32 %p1, 3, 5, %p3; selp.b32 %r1, 1, 0, %p1", 0),
        # Predicates that are read and written by one instruction, guards too.
        ("mov.pred %p1, 1; setp.lt.and.s32 %p1|%p2, 5, 3, %p1; selp.b32 %r1, 1, 0, %p2", 1),
        ("mov.pred %p1, 1; mov.pred %p2, 0; @%p1 setp.lt.s32 %p1|%p2, 5, 3; "
         "selp.b32 %r1, 1, 0, %p2", 1),
        ("mov.pred %p1, 1; @!%p1 setp.lt.s32 %p1, 5, 3; selp.b32 %r1, 1, 0, %p1", 1),
        ("set.lt.u32.f32 %r1, 0f00000000, 0f3F800000", M1),
        ("set.ge.f32.s32 %f1, 3, 3; mov.b32 %r1, %f1", _f32(1.0)),
        ("slct.f32.s32 %f1, 0f3F800000, 0f40000000, -1; mov.b32 %r1, %f1", _f32(2.0)),
        ("testp.subnormal.f32 %p1, 0f00000001; selp.b32 %r1, 1, 0, %p1", 1),
        # Conversions: clamp; NaN is 0; halves to even.
        ("cvt.rzi.s32.f32 %r1, 0f4F800000", MAX32),
        ("cvt.rzi.u32.f32 %r1, 0fBF800000", 0),
        ("cvt.rzi.s32.f32 %r1, 0f7FC00000", 0),
        ("cvt.rni.s32.f32 %r1, 0f40200000", 2),
        ("cvt.rpi.s32.f32 %r1, 0f40200000", 3),
        ("cvt.rmi.s32.f32 %r1, 0fC0200000", M1 - 2),
        ("cvt.rn.f32.s32 %f1, 16777217; mov.b32 %r1, %f1", _f32(16777216.0)),
        ("cvt.rp.f32.s32 %f1, 16777217; mov.b32 %r1, %f1", _f32(16777218.0)),
        ("cvt.sat.u8.s32 %r1, 300", 255),
        ("cvt.s8.s32 %r1, 200", M1 - 55),
        ("cvt.u16.u32 %rs1, 0x12345; cvt.u32.u16 %r1, %rs1", 0x2345),
        ("cvt.s16.s32 %r1, 0x18000", 0xFFFF_8000),
        ("mov.b64 %rd1, 0x1234567890; cvt.u32.u64 %r1, %rd1", 0x34567890),
        ("mov.b32 %r2, -5; cvt.s64.s32 %rd1, %r2; shr.s64 %rd1, %rd1, 32; "
         "cvt.u32.u64 %r1, %rd1", M1),
        ("cvt.sat.f32.f32 %f1, 0fC0200000; mov.b32 %r1, %f1", 0),
        # Floats: rounding modes, saturation, flushing, NaN in min and max.
        ("add.rz.f32 %f1, 0f3F800000, 0f33000001; mov.b32 %r1, %f1", _f32(1.0)),
        ("add.rp.f32 %f1, 0f3F800000, 0f00000001; mov.b32 %r1, %f1", 0x3F800001),
        ("add.sat.f32 %f1, 0f3F800000, 0f3F800000; mov.b32 %r1, %f1", _f32(1.0)),
        ("mul.ftz.f32 %f1, 0f00800000, 0f3F000000; mov.b32 %r1, %f1", 0),
        ("mul.f32 %f1, 0f00800000, 0f3F000000; mov.b32 %r1, %f1", 0x400000),
        ("fma.rn.f32 %f1, 0f3F800001, 0f3F800001, 0fBF800002; mov.b32 %r1, %f1", _f32(2.0**-46)),
        ("mad.rn.f32 %f1, 0f40000000, 0f40400000, 0f3F800000; mov.b32 %r1, %f1", _f32(7.0)),
        ("min.f32 %f1, 0f7FC00000, 0f40000000; mov.b32 %r1, %f1", _f32(2.0)),
        ("max.NaN.f32 %f1, 0f7FC00000, 0f40000000; mov.b32 %r1, %f1", 0x7FFF_FFFF),
        ("copysign.f32 %f1, 0f80000000, 0f40000000; mov.b32 %r1, %f1", _f32(-2.0)),
        ("neg.f32 %f1, 0f00000000; mov.b32 %r1, %f1", MIN32),
        ("div.rn.f32 %f1, 0f3F800000, 0f40400000; mov.b32 %r1, %f1", 0x3EAAAAAB),
        ("mov.f32 %f1, 1.5; mov.b32 %r1, %f1", _f32(1.5)),
        ("mov.f64 %fd1, 0d4000000000000000; cvt.rn.f32.f64 %f1, %fd1; mov.b32 %r1, %f1", _f32(2)),
        # Moves.
        ("mov.b64 %rd1, {%r1, -1}; mov.b64 {_, %r1}, %rd1", M1),
        ("mov.b32 %r2, 0x20001; mov.b32 {%rs1, %rs2}, %r2; cvt.u32.u16 %r1, %rs2", 2),
        ("mov.b16 %rs1, 7; mov.b64 %rd1, {%rs1, %rs1, %rs1, 9}; shr.u64 %rd1, %rd1, 48;"
         "cvt.u32.u64 %r1, %rd1", 9),
        ("mov.u32 %r1, WARP_SZ", 32),
        ("mov.pred %p1, 1; not.pred %p2, %p1; xor.pred %p1, %p1, %p2; selp.b32 %r1, 4, 5, %p1", 4),
        ("mov.u32 %r1, %ntid.x", 1),
        ("mov.u32 %r1, %nctaid.y", 1),
        # Guards.
        ("mov.u32 %r1, 1; setp.ne.s32 %p1, %r1, 1; @%p1 mov.u32 %r1, 5; "
         "@!%p1 add.u32 %r1, %r1, 2", 3),
        ("mov.u32 %r1, 9; mov.pred %p1, 0; @%p1 ret; @%p1 exit; mov.u32 %r1, 4", 4),
        ("mov.u32 %r1, 9; mov.pred %p1, 0; @%p1 trap", 9),
        # Scopes: a register of an inner brace is another one.
        ("mov.u32 %r1, 7; { .reg .b32 %r1; mov.u32 %r1, 8; }", 7),
        ("mov.u32 %r1, 7; { .reg .b32 t; mov.u32 t, 8; add.u32 %r1, %r1, t; } "
         "{ .reg .b32 t; mov.u32 t, 100; add.u32 %r1, %r1, t; }", 115),
        # Branches.
        ("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 3; setp.lt.u32 %p1, %r1, 10; @%p1 bra L", 12),
        ("mov.u32 %r1, 1; bra.uni A; mov.u32 %r1, 2; A: B:", 1),
        ("mov.u32 %r2, 1; T: .branchtargets A, B, C; brx.idx %r2, T; A: mov.u32 %r1, 10; bra D; "
         "B: mov.u32 %r1, 20; bra D; C: mov.u32 %r1, 30; D:", 20),
        ("{ mov.u32 %r1, 1; L: add.u32 %r1, %r1, %r1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L; } "
         "{ L: add.u32 %r1, %r1, %r1; setp.lt.s32 %p1, %r1, 40; @%p1 bra L; }", 64),
        # Windows of generic addresses.
        ("mov.u64 %rd1, 0; isspacep.global %p1, %rd0; selp.b32 %r1, 1, 0, %p1", 1),
        (f"mov.u64 %rd1, {SHARED_BASE + 8}; isspacep.shared %p1, %rd1; selp.b32 %r1, 1, 0, %p1", 1),
        (f"mov.u64 %rd1, {LOCAL_BASE + 8}; isspacep.shared %p1, %rd1; selp.b32 %r1, 1, 0, %p1", 0),
        ("cvta.shared.u64 %rd1, 16; cvta.to.shared.u64 %rd1, %rd1; cvt.u32.u64 %r1, %rd1", 16),
        # Left out: they change no value.
        ("mov.u32 %r1, 3; prefetch.global.L1 [%rd0]; membar.gl; fence.acq_rel.gpu; "
         "nanosleep.u32 5", 3),
    ],
)  # fmt: skip
def test_results_by_hand(code: str, wanted: int):
    end = "" if code[-1] in "}:" else ";"
    assert result(f"{code}{end}\nst.global.u32 [%rd0], %r1;") == [wanted]


@pytest.mark.parametrize(
    "code, dtype, wanted",
    [
        ("mul.wide.u32 %rd1, -1, -1", "u8", 0xFFFF_FFFE_0000_0001),
        ("mad.wide.s32 %rd1, -3, 5, 1", "i8", -14),
        ("shl.b64 %rd1, 1, 64", "u8", 0),
        ("shr.s64 %rd1, -4, 200", "i8", -1),
        ("add.cc.u64 %rd2, -1, 2; addc.u64 %rd1, 0, 0", "u8", 1),
        ("mul.hi.u64 %rd1, -1, -1", "u8", 2**64 - 2),
        ("bfi.b64 %rd1, 3, 0, 40, 2", "u8", 3 << 40),
        ("bfe.s64 %rd1, 0x8000000000, 32, 8", "i8", -128),
        ("mov.b64 %rd1, {1, 2}", "u8", 2 << 32 | 1),
        ("cvt.rzi.u64.f64 %rd1, 0dBFF0000000000000", "u8", 0),
        ("cvt.rni.s64.f64 %rd1, 0d4002000000000000", "i8", 2),
        ("mov.b32 %r1, 0x80; cvt.s8.s32 %rd1, %r1", "i8", -128),
        ("mov.b32 %r1, -3; cvt.u16.u32 %rd1, %r1", "u8", 0xFFFD),
        ("fma.rm.f64 %fd1, 0d3FF0000000000000, 0d3FF0000000000000, 0d0000000000000001; "
         "mov.b64 %rd1, %fd1", "u8", 0x3FF0_0000_0000_0000),
        ("add.f64 %fd1, 0d3FF0000000000000, 0d4000000000000000; mov.b64 %rd1, %fd1", "f8", 3.0),
        ("cvt.f64.f32 %fd1, 0f3FC00000; mov.b64 %rd1, %fd1", "f8", 1.5),
        ("max.s64 %rd1, -1, 1", "i8", 1),
        ("max.u64 %rd1, -1, 1", "i8", -1),
        ("neg.s64 %rd1, 5", "i8", -5),
        ("selp.f64 %fd1, 0d3FF0000000000000, 0d4000000000000000, %p1; mov.b64 %rd1, %fd1",
         "f8", 2.0),
    ],
)  # fmt: skip
def test_results_of_64_bits(code: str, dtype: str, wanted: int | float):
    body = f"setp.ne.s32 %p1, 0, 0; {code};\nst.global.b64 [%rd0], %rd1;"
    assert result(body, dtype) == [wanted]


ABOVE = """
.const .align 4 .b8 bytes[8] = {1, 2, 255, 4, 5};
.const .f32 one = 0f3F800000;
.global .align 8 .f64 pair[2] = {1.5, 0d4000000000000000};
.global .s16 short[3] = {-1, 2};
"""


@pytest.mark.parametrize(
    "code, wanted",
    [
        ("ld.const.u8 %r1, [bytes+2]", 255),
        ("ld.const.s8 %r1, [bytes+2]", M1),
        ("ld.const.u32 %r1, [bytes+4]", 5),
        ("ld.const.f32 %f1, [one]; mov.b32 %r1, %f1", _f32(1.0)),
        ("ld.global.f64 %fd1, [pair+8]; cvt.rzi.s32.f64 %r1, %fd1", 2),
        ("mov.u64 %rd1, short; ld.global.s16 %r1, [%rd1]", M1),
        ("mov.u64 %rd1, short+2; ld.global.u16 %r1, [%rd1+2]", 0),
        ("cvta.global.u64 %rd1, short; ld.s16 %rd2, [%rd1]; shr.s64 %rd2, %rd2, 40; "
         "cvt.u32.u64 %r1, %rd2", M1),
        ("ld.global.nc.v2.f64 {%fd1, %fd2}, [pair]; add.f64 %fd1, %fd1, %fd2; "
         "cvt.rni.s32.f64 %r1, %fd1", 4),
        ("ld.const.v4.u8 {%rs1, %rs2, _, %rs3}, [bytes]; cvt.u32.u16 %r1, %rs3", 4),
    ],
)  # fmt: skip
def test_initialised_memory(code: str, wanted: int):
    out = np.zeros(1, "u4")
    module = read(kernel(f"{code};\nst.global.u32 [%rd0], %r1;", ABOVE))
    [buffer] = module.buffers.values()
    assert buffer.space == ("constant" if "ld.const" in code else "global")
    assert run(module, "k", [out])[0].tolist() == [wanted]


def test_shared_addresses_wrap_at_32_bits():
    """As nvcc writes tile[y - 1][x]: a negative base, and the difference in the offset."""
    body = """.shared .align 4 .b8 tile[64];
        mov.u32 %r1, tile; add.s32 %r1, %r1, -96; mov.u32 %r2, 77;
        st.shared.u32 [%r1+100], %r2;
        ld.shared.u32 %r3, [tile+4];
        cvt.s64.s32 %rd1, %r1; ld.shared.u32 %r4, [%rd1+100]; add.u32 %r3, %r3, %r4;
        st.global.u32 [%rd0], %r3;"""
    assert result(body) == [154]


def test_narrow_stores_and_loads():
    body = """.local .align 8 .b8 depot[16]; mov.u64 %rd1, depot; mov.b64 %rd2, 0x8182838485868788;
        st.local.u64 [%rd1], %rd2; st.local.u8 [%rd1+1], %rd2; st.local.u16 [depot+4], %rd2;
        ld.local.s8 %rd3, [%rd1+1]; ld.local.u8 %rs1, [%rd1+2]; cvt.u64.u16 %rd4, %rs1;
        ld.local.u64 %rd5, [%rd1]; st.global.u64 [%rd0], %rd3; st.global.u64 [%rd0+8], %rd4;
        st.global.u64 [%rd0+16], %rd5;"""
    assert result(body, "i8", 3) == [-120, 0x86, 0x8182878885868888 - 2**64]


FUNCTIONS = """
.func (.reg .b32 %d) twice (.reg .b32 %a) { add.s32 %d, %a, %a; ret; }
.func (.param .b32 r) sum (.param .align 4 .b8 p[8]) {
    .reg .b32 %r<3>; .reg .pred %p<2>;
    ld.param.u32 %r1, [p]; ld.param.u32 %r2, [p+4];
    setp.eq.s32 %p1, %r1, 0; @%p1 bra $L; st.param.b32 [r+0], %r1; @!%p1 ret;
$L: add.s32 %r1, %r1, %r2; st.param.b32 [r+0], %r1; ret;
}
.func (.param .b64 r) whole (.param .align 8 .b8 p[8]) {
    .reg .b64 %rd<3>; .local .align 4 .b8 here[4];
    mov.b64 %rd1, p; ld.param.u64 %rd2, [%rd1]; st.param.b64 [r], %rd2; ret;
}
"""


def test_calls():
    """Registers as parameters; a result of two ways; a parameter whose address is taken."""
    body = """mov.u32 %r1, 21; call (%r2), twice, (%r1); st.global.u32 [%rd0], %r2;
    { .param .align 4 .b8 a[8]; .param .b32 b;
      st.param.b32 [a], 0; st.param.b32 [a+4], 7; call.uni (b), sum, (a); ld.param.u32 %r3, [b]; }
    { .param .align 4 .b8 a[8]; .param .b32 b;
      st.param.v2.b32 [a], {%r1, %r2}; call.uni (b), sum, (a); ld.param.u32 %r4, [b]; }
    { .param .align 8 .b8 a[8]; .param .b64 b; setp.eq.s32 %p1, %r1, 21; mov.u64 %rd2, 3;
      st.param.b32 [a], 5; st.param.b32 [a+4], 6; @%p1 call (b), whole, (a);
      ld.param.b64 %rd2, [b]; }
    st.global.v2.u32 [%rd0+8], {%r3, %r4}; st.global.u64 [%rd0+16], %rd2;
    """
    assert result(body, "u4", 6, FUNCTIONS) == [42, 0, 7, 21, 5, 6]
    assert only(kernel(body, FUNCTIONS)).frame.local == 16  # 4 bytes of `here`, 8 of the copy


def test_address_of_a_kernel_parameter():
    text = kernel(
        "mov.b64 %rd1, s; add.s64 %rd1, %rd1, 4; ld.param.u16 %r1, [%rd1+2];\n"
        "cvta.param.u64 %rd2, s; ld.u8 %r2, [%rd2+1]; st.global.v2.u32 [%rd0], {%r1, %r2};",
        parameters=".param .u64 out, .param .align 2 .b8 s[8]",
    )
    [out] = run(read(text), "k", [np.zeros(2, "u4"), bytes([1, 2, 3, 4, 5, 6, 7, 8])])
    assert out.tolist() == [0x0807, 2]


@pytest.mark.parametrize("threads", [1, 3, 40])
def test_reductions_of_barriers(threads: int):
    body = """mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 2;
        bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 0, !%p1; bar.red.or.pred %p3, 2, %p1;
        selp.b32 %r3, 10, 0, %p2; selp.b32 %r4, 100, 0, %p3; add.s32 %r2, %r2, %r3;
        add.s32 %r2, %r2, %r4; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %rd0, %rd1;
        st.global.u32 [%rd1], %r2;"""
    [out] = run(read(kernel(body)), "k", [np.zeros(threads, "u4")], 1, threads)
    assert set(out.tolist()) == {min(threads, 2) + 100}


@pytest.mark.parametrize(
    "code, wanted",
    [
        ("add.u32 %r1, %r2, 1", "add.s32"),
        ("add.ftz.f32 %f1, %f2, %f3", "add.rn.ftz.f32"),
        ("mul.lo.u64 %rd1, %rd2, 3", "mul.lo.s64"),
        ("setp.eq.u32 %p1, %r1, 0", "setp.eq.s32"),
        ("setp.ne.b16 %p1, %rs1, 0", "setp.ne.s16"),
        ("mov.f32 %f1, %f2", "mov.b32"),
        ("selp.f64 %fd1, %fd2, %fd3, %p1", "selp.b64"),
        ("ld.global.nc.f32 %f1, [%rd0]", "ld.global.b32"),
        ("ld.relaxed.gpu.global.L1::no_allocate.L2::128B.u16 %r1, [%rd0]", "ld.global.u16"),
        ("ld.volatile.u64 %rd1, [%rd0]", "ld.generic.b64"),
        ("ldu.global.u32 %r1, [%rd0]", "ld.global.b32"),
        ("st.global.wt.s8 [%rd0], %rs1", "st.global.u8"),
        ("atom.relaxed.gpu.global.add.s32 %r1, [%rd0], 1", "atom.global.add.u32"),
        ("atom.shared::cta.exch.b64 %rd1, [%r1], %rd2", "atom.shared.exch.b64"),
        ("atom.cas.b32 %r1, [%rd0], 1, 2", "atom.generic.cas.b32"),
        ("atom.global.max.u32 _, [%rd0], 1", "red.global.max.u32"),
        ("red.global.add.f32 [%rd0], %f1", "red.global.add.f32"),
        ("red.global.inc.u32 [%rd0+4], 5", "red.global.inc.u32"),
        ("barrier.cta.sync.aligned 1, 64", "bar.sync"),
        ("bar.arrive 2, 64", "bar.arrive"),
        ("bar.warp.sync -1", "bar.warp.sync"),
        ("fence.sc.cta", "membar.cta"),
        ("vote.sync.any.pred %p1, %p2, -1", "vote.sync.any.pred"),
        ("shfl.sync.bfly.b32 %r1, %f1, 1, 31, -1", "shfl.sync.bfly.b32"),
        ("match.all.sync.b64 %r1|%p1, %rd1, -1", "match.all.sync.b64"),
        ("redux.sync.max.u32 %r1, %r2, -1", "redux.sync.max.u32"),
        ("activemask.b32 %r1", "activemask"),
        ("mov.u64 %rd1, %clock64", "mov.clock64"),
        ("mov.u32 %r1, %lanemask_ge", "mov.lanemask_ge"),
        ("cvta.to.const.u64 %rd1, %rd2", "mov.b64"),
        ("sqrt.approx.ftz.f32 %f1, %f2", "sqrt.approx.ftz.f32"),
        ("rcp.approx.ftz.f64 %fd1, %fd2", "rcp.approx.ftz.f64"),
        ("tanh.approx.f32 %f1, %f2", "tanh.approx.f32"),
    ],
)
def test_rows(code: str, wanted: str):
    assert rows(kernel(f"{code};")) == [wanted]


def test_a_generic_load_narrows_local_addresses_once_a_block():
    body = """ld.local.u32 %r1, [%rd1]; st.local.u32 [%rd1+4], %r1; add.s64 %rd1, %rd1, 8;
        ld.local.u32 %r1, [%rd1];"""
    made = rows(kernel(body))
    assert made.count("cvt.u32.u64") == 2
    assert made == [
        *["cvt.u32.u64", "ld.local.b32", "st.local.b32", "add.s64", "cvt.u32.u64", "ld.local.b32"]
    ]


def test_temporaries_of_guarded_code_are_not_guarded():
    """They would seem to be read before they are written, and live from the entry on."""
    function = only(
        kernel("mov.pred %p1, 1; @%p1 st.local.u8 [%rd1], %rd2; @%p1 ld.u8 %rd1, [%rd0];")
    )
    guarded = [i.operation.name for _, i in function.instructions() if i.guard]
    assert guarded == ["st.local.u8", "ld.generic.u8", "cvt.u64.u32"]


def test_unreachable_code_is_dropped_and_blocks_keep_their_order():
    text = kernel("bra B; mov.u32 %r1, 1; A: exit; mov.u32 %r1, 2; B: bra A; C: bra C;")
    assert list(only(text).blocks) == ["entry", "A", "B"]


def test_a_failed_assertion_is_a_trap():
    above = """.extern .func __assertfail (.param .b64 a, .param .b32 b) .noreturn;
        .global .b8 text[4] = {65, 66, 67, 0};"""
    body = """setp.eq.u32 %p1, 1, 1; @%p1 bra L;
        { .param .b64 a; .param .b32 b; mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1;
          st.param.b64 [a], %rd1; st.param.b32 [b], 5; call.uni __assertfail, (a, b); }
        L:"""
    assert "trap" in rows(kernel(body, above))
