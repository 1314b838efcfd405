"""Which forms of instructions of small floats there are, on which targets: as ptxas says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.campaign.seeds import short_form
from tests.compiler.frontends.half_forms import NOT_TAKEN, TARGETS, lines
from tests.compiler.frontends.ptxas import needs_ptxas, refused_by_ptxas, refused_here

PARTS = 12
"""Of the lines: a run of all tests takes one, for every target; the campaign all."""


def differences(asked: list[str], target: str, folder: Path) -> list[str]:
    """Lines that only one of the two takes."""
    theirs, ours = refused_by_ptxas(asked, folder, target), refused_here(asked, target)
    return [
        f"{line}   ptxas: {theirs.get(n)}   here: {ours.get(n)}"
        for n, line in enumerate(asked)
        if (n in theirs) != (n in ours) and not (NOT_TAKEN.match(line) and n in ours)
    ]


@needs_ptxas
@pytest.mark.parametrize("part", short_form(range(PARTS), 1))
@pytest.mark.parametrize("target", TARGETS)
def test_a_form_is_taken_by_both_or_by_neither(target: str, part: int, tmp_path: Path):
    asked = list(lines())
    random.Random(7).shuffle(asked)
    assert differences(asked[part::PARTS], target, tmp_path) == []


_OTHER_ORDERS = """
max.s16x2.relu %r1, %r2, %r3;
min.s32.relu %r1, %r2, %r3;
max.f16.NaN %rs1, %rs2, %rs3;
add.f16.sat.rn %rs1, %rs2, %rs3;
fma.rn.f16x2.relu %r1, %r2, %r3, %r4;
fma.f16.relu %rs1, %rs2, %rs3, %rs4;
add.f32.ftz %f1, %f2, %f3;
mul.s32.lo %r1, %r2, %r3;
cvt.f16.f32.rn %rs1, %f2;
cvt.f16.rn.f32 %rs1, %f2;
cvt.f32.rn.f16 %f1, %rs2;
setp.f16.lt %p1, %rs1, %rs2;
atom.f16.add.noftz %rs1, [%rd1], %rs2;
red.global.f32.add [%rd1], %f2;
atom.global.v2.f32.add {%f1, %f3}, [%rd1], {%f4, %f5};
red.v4.f16x2.noftz.max [%rd1], {%r1, %r2, %r3, %r4};
ld.f32.global %f1, [%rd1];
vabsdiff4.u32.u32.u32 %r1, %r2, %r3, %r4;
vabsdiff4.u32.u32.u32 %r1, %r2, %r3;
vabsdiff4.add.u32.s32.u32 %r1, %r2, %r3, %r4;
vabsdiff2.s32.u32.u32.sat %r1, %r2, %r3, %r4;
vabsdiff2.u32.b32.u32 %r1, %r2, %r3, %r4;
"""


@needs_ptxas
def test_types_stand_where_ptxas_takes_them(tmp_path: Path):
    assert differences(_OTHER_ORDERS.strip().splitlines(), "sm_90", tmp_path) == []


_OF_EIGHT_BITS = """
{ .reg .b8 m; cvt.rzi.u8.bf16 m, %rs1; mov.b16 %rs2, {m, 0}; }
{ .reg .u8 m; cvt.rni.s8.bf16 m, %rs1; }
{ .reg .b8 m; cvt.rn.bf16.s8 %rs1, m; cvt.rz.bf16.u8 %rs1, m; }
{ .reg .b8 m; cvt.rzi.u8.f16 m, %rs1; cvt.u32.u8 %r1, m; }
{ .reg .b8 m, n; mov.b16 {m, n}, %rs1; mov.b32 %r1, {m, n, m, n}; }
{ .reg .b8 m; ld.global.b8 m, [%rd1]; st.global.b8 [%rd1], m; }
cvt.rzi.u8.bf16 %rs2, %rs1;
cvt.rn.bf16.u8 %rs1, %rs2;
{ .reg .b8 m; mov.b8 m, 5; }
{ .reg .b8 m; add.s16 %rs1, %rs2, m; }
"""


@needs_ptxas
def test_registers_of_eight_bits(tmp_path: Path):
    assert differences(_OF_EIGHT_BITS.strip().splitlines(), "sm_90", tmp_path) == []
