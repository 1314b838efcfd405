"""Listings of machine code decoded: each control bit, targets, loops, purposes, by hand."""

from __future__ import annotations

import pytest

from tests.benchmarks.sass.code import Code, code_of_sass
from tests.benchmarks.sass.families import pipe_of_sass, purpose_of_sass
from tests.benchmarks.sass.instruction import Control, Instruction, control_of, decode
from tests.benchmarks.sass.toolkit import NoToolkit, assemble, missing_tools

LISTING = """
.text.sum:
\t//## File "sum.cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;          /* 0x00000a00ff017b82 */
                                                                   /* 0x000ff00000000800 */
        /*0010*/                   IMAD R13, R20, R0.reuse, R3.reuse ; /* 0x00000000140d7224 */
                                                                   /* 0x180fe200078e0203 */
.L_x_1:
\t//## File "sum.cu", line 5
        /*0020*/                   LDG.E R6, desc[UR4][R2.64] ;    /* 0x0000000402067981 */
                                                                   /* 0x000ea2000c1e1900 */
.L_x_0:
        /*0030*/                   IADD3 R4, P0, R4, 0x1, RZ ;     /* 0x0000000104047810 */
                                                                   /* 0x000fca0007f1e0ff */
        /*0040*/               @P0 BRA `(.L_x_0) ;                 /* 0x0000000000708947 */
                                                                   /* 0x000fea0003800000 */
        /*0050*/                   FADD R6, R6, R7 ;               /* 0x0000000706067221 */
                                                                   /* 0x004fca0000000000 */
        /*0060*/               @P1 CALL.REL.NOINC `($slow) ;       /* 0x0000000000708947 */
                                                                   /* 0x000fea0003800000 */
        /*0070*/              @!P1 BRA 0x20 ;                      /* 0x0000000000708947 */
                                                                   /* 0x000fea0003800000 */
        /*0080*/                   EXIT ;                          /* 0x000000000000794d */
                                                                   /* 0x000fea0003800000 */
$slow:
        /*0090*/                   MUFU.RCP R6, R6 ;               /* 0x0000000600067308 */
                                                                   /* 0x000e220000001000 */
        /*00a0*/                   RET.REL.NODEC R4 `(sum) ;       /* 0xfffffff404a87950 */
                                                                   /* 0x000fea0003c3ffff */
.L_x_2:
        /*00b0*/                   BRA `(.L_x_2);                  /* 0xfffffffc00fc7947 */
                                                                   /* 0x000fc0000383ffff */
        /*00c0*/                   NOP;                            /* 0x0000000000007918 */
                                                                   /* 0x000fc00000000000 */
"""


def decoded() -> list[Instruction]:
    return list(decode(LISTING.splitlines()))


def test_a_line_has_its_operation_operands_guard_target_and_source():
    code = decoded()
    assert [i.at for i in code] == list(range(0, 0xD0, 16))
    load, back = code[2], code[4]
    assert (load.name, load.operands) == ("LDG.E", ("R6", "desc[UR4][R2.64]"))
    assert (load.labels, load.source) == ((".L_x_1",), ("sum.cu", 5))
    assert (back.guard, back.target) == ("P0", ".L_x_0")
    assert (code[7].guard, code[7].target, code[1].source) == ("!P1", "0x20", ("sum.cu", 3))
    assert str(code[1]) == "IMAD R13, R20, R0.reuse, R3.reuse"


@pytest.mark.parametrize(
    ("upper", "control"),
    [  # bits 105 to 125, lowest last: reuse, waits, reads, writes, no yield, stall
        (0b0110_000000_111_111_1_0001, Control(1, False, None, None, (), 6)),
        (0b0000_000000_111_010_1_0001, Control(1, False, 2, None, (), 0)),
        (0b0000_000100_111_111_0_0101, Control(5, True, None, None, (2,), 0)),
        (0b0001_100001_000_101_0_1111, Control(15, True, 5, 0, (0, 5), 1)),
    ],
)
def test_control_bits(upper: int, control: Control):
    assert control_of(upper << 105) == control


def test_control_bits_stand_in_the_second_word():
    by_name = {i.name: i.control for i in decoded()}
    assert by_name["IMAD"] == Control(1, False, None, None, (), 6)
    assert by_name["LDG.E"] == Control(1, False, 2, None, (), 0)
    assert by_name["FADD"].waits == (2,)


def code() -> Code:
    return code_of_sass("sum", 14, 0, decoded())


def test_loops_nest_and_subroutines_and_padding_are_apart():
    found = code()
    assert [i.text.split()[0] for i in found.instructions][-1] == "EXIT"
    assert (found.slots(), found.subroutines) == (9, 2)
    assert [(loop.places, loop.depth, loop.innermost) for loop in found.loops] == [
        ((2, 3, 4, 5, 6, 7), 1, False),
        ((3, 4), 2, True),
    ]
    assert found.lines(found.loops[1].places) == {5}
    assert found.cycles(found.loops[1].places) == 5 + 5
    assert found.by("pipe", found.loops[0].places) == {"lg": 1, "alu": 1, "control": 3, "fma": 1}
    assert found.by("purpose")["branch"] == 4 and found.by("purpose")["parameter"] == 1


@pytest.mark.parametrize(
    ("text", "pipe", "purpose"),
    [
        ("IMAD.MOV.U32 R1, RZ, RZ, R2", "fma", "move"),
        ("IMAD.IADD R1, R2, 0x1, R3", "fma", "sum"),
        ("IMAD.WIDE R2, R0, 0x4, R2", "fma", "product"),
        ("HFMA2.MMA R25, -RZ, RZ, 0, 0", "half", "move"),
        ("CS2R R4, SRZ", "alu", "move"),
        ("CS2R R4, SR_CLOCKLO", "alu", "special register"),
        ("ULDC.64 UR8, c[0x0][0x208]", "uniform", "parameter"),
        ("LDC R4, c[0x3][R4]", "mio", "load"),
        ("LDS.64 R4, [R8]", "mio", "load"),
        ("F2FP.F16.F32.PACK_AB R4, R5, R6", "alu", "conversion"),
        ("DSETP.GT.AND P0, PT, R2, R4, PT", "fp64", "compare"),
    ],
)
def test_pipes_and_purposes(text: str, pipe: str, purpose: str):
    line = f"/*0000*/ {text} ; /* 0x0000000000000000 */"
    (found,) = decode([line, "/* 0x000fea0003800000 */"])
    assert (pipe_of_sass(found), purpose_of_sass(found)) == (pipe, purpose)


KERNEL = """
.version 7.8
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 there)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<3>;
    ld.param.u64 %rd1, [there];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.u32 %r1, [%rd2];
    shl.b32 %r2, %r1, 1;
    st.global.u32 [%rd2], %r2;
    ret;
}
"""


@pytest.mark.skipif(bool(missing_tools()), reason="no ptxas or no nvdisasm")
@pytest.mark.parametrize("target", ["sm_80", "sm_90"])
def test_what_the_tools_print_today_is_decoded(target: str, tmp_path):
    path = tmp_path / "twice.ptx"
    path.write_text(KERNEL)
    found = assemble(path, target)["twice"]
    listed = list(decode(found.listing))
    made = code_of_sass(found.name, found.registers, found.local, listed)
    assert (made.by("purpose")["load"], made.by("purpose")["store"], made.loops) == (1, 1, [])
    load = next(i for i in listed if i.operation == "LDG")
    assert load.control.writes is not None
    assert any(load.control.writes in i.control.waits for i in listed)


def test_what_is_missing_is_said_with_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path):
    path = tmp_path / "twice.ptx"
    path.write_text(KERNEL)
    monkeypatch.setattr("tests.benchmarks.sass.toolkit._path_of", lambda tool: None)
    with pytest.raises(NoToolkit, match="there is no ptxas; pip install nvidia-cuda-nvcc"):
        assemble(path, "sm_80")
