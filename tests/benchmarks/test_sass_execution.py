"""Machine code executed: each kind of instruction by hand, a kernel by hand, and whole workloads,
whose arrays are those of our own runs."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from machines.layout import Extent, Memory
from machines.threads.grid import Grid
from sim.workload.schema import read_workload
from tests.benchmarks.sass.execution import execute
from tests.benchmarks.sass.floats import fused
from tests.benchmarks.sass.instruction import decode
from tests.benchmarks.sass.lanes import CannotExecute, Threads, constant_bank
from tests.benchmarks.sass.launches import compared
from tests.benchmarks.sass.meanings import meaning_of
from tests.benchmarks.sass.toolkit import missing_tools
from workloads.compile_kernels import GPU

VALIDATION = Path(__file__).parents[2] / "workloads" / "validation"
SAXPY = """
/*0000*/ LDC R1, c[0x0][0x28] ;
/*0010*/ S2R R0, SR_TID.X ;
/*0020*/ S2UR UR4, SR_CTAID.X ;
/*0030*/ LDC R7, c[0x0][RZ] ;
/*0040*/ IMAD R7, R7, UR4, R0 ;
/*0050*/ ULDC UR4, c[0x0][0x210] ;
/*0060*/ ISETP.GE.AND P0, PT, R7, UR4, PT ;
/*0070*/ @P0 EXIT ;
/*0080*/ LDC.64 R2, c[0x0][0x218] ;
/*0090*/ ULDC.64 UR4, c[0x0][0x208] ;
/*00a0*/ ULDC UR6, c[0x0][0x214] ;
/*00b0*/ LDC.64 R4, c[0x0][0x220] ;
/*00c0*/ IMAD.WIDE R2, R7, 0x4, R2 ;
/*00d0*/ LDG.E R2, desc[UR4][R2.64] ;
/*00e0*/ IMAD.WIDE R4, R7, 0x4, R4 ;
/*00f0*/ LDG.E R7, desc[UR4][R4.64] ;
/*0100*/ FFMA R7, R2, UR6, R7 ;
/*0110*/ STG.E desc[UR4][R4.64], R7 ;
/*0120*/ EXIT ;
"""


def decoded(text: str):
    """Of lines without their bits."""
    lines = []
    for line in text.strip().splitlines():
        lines += [f"{line} /* 0x0000000000000000 */", "/* 0x000fe20000000000 */"]
    return list(decode(lines))


def test_a_kernel_by_hand():
    """70 of 128 threads, in blocks of 64: four warps issue eight instructions, and three of them,
    the last with six threads, eleven more."""
    memory = Memory([Extent("x", 280), Extent("y", 280)])
    memory.view("x", "f4")[:] = np.arange(70)
    memory.view("y", "f4")[:] = 1
    addresses = memory.address("x"), memory.address("y")
    parameters = struct.pack("<ifQQ", 70, 2.0, *addresses)
    grid = Grid((2, 1, 1), (64, 1, 1))
    counts = execute(decoded(SAXPY), "sm_90", grid, parameters, memory, 0, 0)
    assert counts.tolist() == [4] * 8 + [3] * 11
    assert (memory.view("y", "f4") == 2 * np.arange(70) + 1).all()


PARTED = """
/*0000*/ S2R R0, SR_TID.X ;
/*0010*/ BSSY B1, 0xf0 ;
/*0020*/ BSSY B0, 0xe0 ;
/*0030*/ ISETP.GE.AND P0, PT, R0, 0x10, PT ;
/*0040*/ @P0 BRA 0xc0 ;
/*0050*/ IADD3 R0, R0, -0x1, RZ ;
/*0060*/ ISETP.EQ.AND P1, PT, R0, 0x8, PT ;
/*0070*/ @P1 BREAK B0 ;
/*0080*/ @P1 BRA 0xf0 ;
/*0090*/ ISETP.GT.AND P1, PT, R0, RZ, PT ;
/*00a0*/ @P1 BRA 0x50 ;
/*00b0*/ BRA 0xd0 ;
/*00c0*/ MOV R0, RZ ;
/*00d0*/ BSYNC B0 ;
/*00e0*/ MOV R1, RZ ;
/*00f0*/ BSYNC B1 ;
/*0100*/ EXIT ;
"""


def test_threads_that_part_issue_apart_until_they_meet():
    """Of 32 threads the upper half takes one way.  Of the lower half 9 to 15 come down to 8 one
    after the other and leave, so that nobody waits for them in the inner meeting; of the others,
    which go around up to eight times, 0 and 1 end the loop in its first turn, then one in each.
    Those that leave a loop at different times go their ways apart up to the meeting: eight and the
    upper half in the inner one, they together and the seven that left in the outer one."""
    grid = Grid((1, 1, 1), (32, 1, 1))
    memory = Memory([Extent("x", 16)])
    counts = execute(decoded(PARTED), "sm_90", grid, b"", memory, 0, 0).tolist()
    assert counts[:5] == [1] * 5
    assert counts[5:11] == [8] * 6
    assert counts[11:14] == [8, 1, 9]
    assert counts[14:] == [1, 8, 1]


A, B, C = 0x89ABCDEF, 0x7FFFFFFF, 0xFFFFFFF0
M = 0xFFFFFFFF


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


@pytest.mark.parametrize(
    ("text", "words", "flags"),
    [  # R2, R3, R4 are A, B, C; P1 is true, P2 false; results in R6, R7 and P3, P4
        ("IADD3 R6, P3, P4, R2, R3, R4", (A + B + C & M,), (True, True)),
        ("IADD3 R6, P3, P4, R2, R3, RZ", (A + B & M,), (True, False)),
        ("IADD3 R6, P3, R2, -RZ, RZ", (A,), (True,)),
        ("IADD3 R6, P3, R2, -R2, RZ", (0,), (True,)),
        ("IADD3.X R6, R2, ~R3, RZ, P1, !PT", (A + (~B & M) + 1 & M,), ()),
        ("LEA R6, P3, R2, R3, 0x3", ((A << 3) + B & M,), (((A << 3) & M) + B > M,)),
        ("LEA.HI.X R6, R2, R3, R4, 0x2, P1", (((C << 32 | A) << 2 >> 32) + B + 1 & M,), ()),
        ("LEA.HI R6, R2, R3, RZ, 0x1f", ((A >> 1) + B & M,), ()),
        ("LEA.HI.X.SX32 R6, R2, R3, 0x1, P2", ((signed(A) << 1 >> 32) + B & M,), ()),
        ("IMAD R6, R2, R3, R4", (A * B + C & M,), ()),
        ("IMAD.HI.U32 R6, R2, R3, RZ", (A * B >> 32,), ()),
        ("IMAD.HI R6, R2, R3, RZ", (signed(A) * signed(B) >> 32 & M,), ()),
        ("IMAD.WIDE R6, R2, R3, RZ", (signed(A) * B & M, signed(A) * B >> 32 & M), ()),
        ("IMAD.WIDE.U32 R6, R2, R3, R2",
         (A * B + (B << 32 | A) & M, A * B + (B << 32 | A) >> 32 & M), ()),
        ("IMAD.MOV R6, RZ, RZ, -R2", (-A & M,), ()),
        ("IMAD.SHL.U32 R6, R2, 0x8, RZ", (A << 3 & M,), ()),
        ("LOP3.LUT R6, R2, R3, R4, 0x96, !PT", (A ^ B ^ C,), ()),
        ("LOP3.LUT R6, R2, R3, R4, 0xca, !PT", (A & B | ~A & C & M,), ()),
        ("LOP3.LUT P3, RZ, R2, 0x10, RZ, 0xc0, !PT", (), (False,)),
        ("PLOP3.LUT P3, P4, P1, P2, PT, 0x80, 0xfe", (), (False, True)),
        ("SHF.L.U32 R6, R2, 0x4, RZ", (A << 4 & M,), ()),
        ("SHF.R.S32.HI R6, RZ, 0x4, R2", (signed(A) >> 4 & M,), ()),
        ("SHF.R.U32.HI R6, RZ, 0x20, R2", (0,), ()),
        ("SHF.L.U64.HI R6, R2, 0x4, R3", (((B << 32 | A) << 4) >> 32 & M,), ()),
        ("SHF.R.U64 R6, R2, 0x24, R3", ((B << 32 | A) >> 0x24 & M,), ()),
        ("SHF.L.W.U32.HI R6, R2, 0x5, R2", ((A << 5 | A >> 27) & M,), ()),
        ("PRMT R6, R2, 0x7610, R3", (B & 0xFFFF0000 | A & 0xFFFF,), ()),
        ("PRMT R6, R2, 0x9910, RZ", (signed(0xFFFFCDEF) & M,), ()),
        ("ISETP.GT.AND P3, P4, R2, R3, PT", (), (False, True)),
        ("ISETP.GT.U32.OR P3, P4, R2, R3, P2", (), (True, False)),
        ("ISETP.GE.AND.EX P3, PT, R3, R3, PT, P2", (), (False,)),
        ("ISETP.NE.AND.EX P3, PT, R3, R3, PT, P1", (), (True,)),
        ("SEL R6, R2, R3, !P1", (B,), ()),
        ("VIMNMX R6, R2, R3, PT", (A,), ()),
        ("VIADDMNMX R6, R3, 0x1, RZ, !PT", (0,), ()),
        ("POPC R6, R2", (bin(A).count("1"),), ()),
        ("FLO.U32 R6, R3", (30,), ()),
        ("HFMA2.MMA R6, -RZ, RZ, 1.875, 0", (0x3F800000,), ()),
        ("FADD R6, -RZ, 1.5", (0x3FC00000,), ()),
        ("FSETP.GTU.AND P3, PT, |R3|, +INF, PT", (), (True,)),  # B is a NaN
        ("F2I.TRUNC.NTZ R6, -2.75", (-2 & M,), ()),
        ("I2FP.F32.S32 R6, R2", (struct.unpack("<I", struct.pack("<f", signed(A)))[0],), ()),
        ("R2P PR, R2.B1, 0x18", (), (True, False)),  # of 0xcd bits 3 and 4
    ],
)  # fmt: skip
def test_instructions_by_hand(text: str, words: tuple[int, ...], flags: tuple[bool, ...]):
    grid = Grid((1, 1, 1), (32, 1, 1))
    bank = constant_bank("sm_90", grid, b"", 0)
    threads = Threads(grid, Memory([Extent("x", 16)]), bank, 0, 0)
    at = np.arange(32)
    for name, value in (("R2", A), ("R3", B), ("R4", C)):
        threads.set_register(name, at, np.uint32(value))
    threads.set_predicate("P1", at, True)
    (instruction,) = decoded(f"/*0000*/ {text} ;")
    with np.errstate(all="ignore"):
        meaning_of(instruction)(threads, at)
    for name, word in zip(("R6", "R7"), words, strict=False):
        assert {hex(one) for one in threads.register(name, at)} == {hex(word)}, name
    for name, flag in zip(("P3", "P4"), flags, strict=False):
        assert set(threads.predicate(name, at)) == {flag}, name


@pytest.mark.parametrize(
    ("text", "lanes"),
    [
        ("SHFL.DOWN PT, R6, R2, 0x10, 0x1f", [*range(16, 32), *range(16, 32)]),
        ("SHFL.BFLY PT, R6, R2, 0x1, 0x1f", [k ^ 1 for k in range(32)]),
        ("SHFL.UP PT, R6, R2, 0x1, RZ", [0, *range(31)]),
        ("SHFL.IDX PT, R6, R2, 0x3, 0x1c1f", [k & 28 | 3 for k in range(32)]),
    ],
)
def test_shuffles_by_hand(text: str, lanes: list[int]):
    grid = Grid((1, 1, 1), (32, 1, 1))
    threads = Threads(grid, Memory([Extent("x", 16)]), b"", 0, 0)
    at = np.arange(32)
    threads.set_register("R2", at, at.astype(np.uint32))
    (instruction,) = decoded(f"/*0000*/ {text} ;")
    meaning_of(instruction)(threads, at)
    assert threads.register("R6", at).tolist() == lanes


@pytest.mark.parametrize(
    ("text", "byte"),
    [
        ("LDS R6, [R2]", 8),
        ("LDS R6, [R2.X4+0x4]", 36),
        ("LDS R6, [R2+UR4+-0x8]", 16),
        ("LDS.U8 R6, [R2+0x1]", 9),
        ("LDS.U16 R6, [UR4]", 16),
    ],
)
def test_addresses_by_hand(text: str, byte: int):
    """R2 is 8 and UR4 16; byte k of the block's shared memory is k."""
    grid = Grid((1, 1, 1), (32, 1, 1))
    threads = Threads(grid, Memory([Extent("x", 16)]), b"", 64, 0)
    threads.shared[:, :256] = np.arange(256)
    at = np.arange(32)
    threads.set_register("R2", at, np.uint32(8))
    threads.set_register("UR4", at, np.uint32(16))
    (instruction,) = decoded(f"/*0000*/ {text} ;")
    meaning_of(instruction)(threads, at)
    size = 1 if "U8" in text else 2 if "U16" in text else 4
    expected = int.from_bytes(bytes(range(byte, byte + size)), "little")
    assert set(threads.register("R6", at).tolist()) == {expected}


def test_products_and_sums_are_rounded_once():
    """The product is 1 + 2^-11 + 2^-24, half a unit of the last place above 1 + 2^-11; the third
    operand decides, and f64 alone would round it away."""
    a = np.full(2, 1 + 2**-12, np.float32)
    c = np.array([2.0**-90, -(2.0**-90)], np.float32)
    up, down = 1 + 2**-11 + 2**-23, 1 + 2**-11
    assert fused(a, a, c).tolist() == [up, down]
    assert fused(a, a, c, "RM").tolist() == fused(a, a, c, "RZ").tolist() == [down, down]
    assert fused(a, a, c, "RP").tolist() == [up, up]
    assert fused(-a, a, c, "RZ").tolist() == [-down, -down]


@pytest.mark.parametrize("text", ["HMMA.16816.F32 R4, R8, R2, R4", "TEX R0, R2, R3, 0x0, 2D"])
def test_what_is_not_known_says_so(text: str):
    (instruction,) = decoded(f"/*0000*/ {text} ;")
    with pytest.raises(CannotExecute, match=text[:4]):
        meaning_of(instruction)


@pytest.mark.skipif(bool(missing_tools()), reason="no ptxas or no nvdisasm")
@pytest.mark.parametrize(
    "name",
    ["scan", *(pytest.param(path.parent.name, marks=pytest.mark.campaign)
               for path in sorted(GPU.glob("*/*.cu")))],
)  # fmt: skip
def test_workloads_leave_the_same_arrays(name: str):
    """But for what approximate functions make of it, and for threads that race."""
    (ptx,) = (GPU / name).glob("*.ptx")
    for found in compared(GPU / name / "workload.yaml", ptx, "h100"):
        if found.theirs is None:
            assert "c[0x" in found.why
            continue
        allowed = {"nbody": 0.3, "bfs": 0.01, "frontier": 0.01}.get(name, 0)
        assert found.differing <= allowed * found.written, found
        assert 0.5 < found.ours.issued / found.theirs.issued < 2, found


@pytest.mark.campaign
@pytest.mark.skipif(bool(missing_tools()), reason="no ptxas or no nvdisasm")
@pytest.mark.parametrize(
    ("workload", "variant"),
    [
        ("heat", "heat_1024"),
        ("memory", "count_global_of_1"),
        ("transpose", "transpose_padded_1024"),
        ("histogram", "histogram_of_16"),
    ],
)
def test_the_counts_are_those_of_an_h100(workload: str, variant: str):
    """What Nsight Compute counted of the second of two launches."""
    folder = VALIDATION / "kernels"
    counted = json.loads((folder / "h100_counted.json").read_text())["kernels"][variant]
    path = folder / f"{workload}.yaml"
    ptx = folder / read_workload(path).form.program
    (found,) = compared(path, ptx, "h100", variant=variant)
    issued = found.theirs.issued / found.launches
    assert issued == pytest.approx(counted["warp_instructions"], rel=0.001)
