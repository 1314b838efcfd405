"""NVIDIA's ptxas as a judge of lines of PTX, and a table of lines to judge.

ptxas reports what is wrong with all lines of a file at once.  It is kept from making code by a line
that is wrong for certain; so some ten thousand lines cost a second.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pytest

from compiler.frontends.ptx import PLUGIN, findings
from compiler.frontends.ptx.types import words
from machines.diagnostics import InputError

PTXAS = shutil.which("ptxas")
needs_ptxas = pytest.mark.skipif(
    PTXAS is None, reason="ptxas is not installed (CUDA's toolkit, or pip install nvidia-cuda-nvcc)"
)
WRONG = "add.u16 %rs1, %f1, %f2;"
"""A line that ptxas refuses for certain."""
TARGET = "sm_90a"
HEADER = """.version 9.0
.target sm_90a
.address_size 64
.global .align 16 .b8 gl[256];
.shared .align 16 .b8 sh[256];
.visible .entry k(.param .u64 p) {
.reg .pred %p<10>; .reg .b16 %rs<20>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
.reg .f32 %f<20>; .reg .f64 %fd<20>; .reg .b128 %q<9>;
"""
_REPORT = re.compile(r"line (\d+); (?:error|fatal)")


def header(target: str) -> str:
    """What stands before lines of a target."""
    return HEADER.replace(TARGET, target)


def refused_by_ptxas(lines: Sequence[str], folder: Path, target: str = TARGET) -> dict[int, str]:
    """The lines that ptxas refuses, by number, and what it says of them."""
    made_for = max(target, "sm_75")  # the first for which ptxas 13 makes code
    found: dict[int, str] = {}
    first = HEADER.count("\n") + 1
    source = folder / "lines.ptx"
    while True:
        left = ["" if n in found else line for n, line in enumerate(lines)]
        source.write_text(header(target) + "\n".join([*left, WRONG, "ret;", "}"]) + "\n")
        arguments = [PTXAS, f"-arch={made_for}", str(source), "-o", str(folder / "lines.cubin")]
        said = subprocess.run(arguments, capture_output=True, text=True).stderr
        before = len(found)
        for report in said.splitlines():
            number = int(match[1]) - first if (match := _REPORT.search(report)) else len(lines)
            if number < len(lines):
                found.setdefault(number, report.partition(";")[2].strip())
        if len(found) == before:
            assert f"line {first + len(lines)};" in said, said[-500:]
            return found


ALL = words("u16 s16 b16 u32 s32 b32 u64 s64 b64 f16 f16x2 f32 f64 u8 s8 b8 pred")
PRIORITIES = ["", "L1::evict_first", "L1::no_allocate"]
FETCHED = ["", "L2::128B"]
NUMBERS = words("u16 s16 u32 s32 u64 s64 f16 f32 f64 u8 s8")
ROUNDED = ["", "rn", "rz", "rm", "rp"]
FTZ, SAT, NOFTZ = ["", "ftz"], ["", "sat"], ["", "noftz"]
COMPARED = words("eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan")
SPACES = ["", "global", "shared", "local", "const"]
FEW = words("b16 u32 f64")

TABLE: list[tuple[str, str, list[Sequence[str]]]] = [
    ("add sub", "t t t", [ROUNDED, FTZ, SAT, ["", "cc"], ALL]),
    ("mul", "d t t", [["", "lo", "hi", "wide"], ROUNDED, FTZ, SAT, ALL]),
    ("mad", "d t t d", [["", "lo", "hi", "wide"], ROUNDED, FTZ, ["", "sat", "cc"], ALL]),
    ("mul24", "t t t", [["", "lo", "hi"], ALL]),
    ("mad24", "t t t t", [["", "lo", "hi"], SAT, ALL]),
    ("addc subc", "t t t", [["", "cc"], ALL]),
    ("madc", "t t t t", [["", "lo", "hi"], ["", "cc"], ALL]),
    ("fma", "t t t t", [ROUNDED, FTZ, ["", "sat", "relu"], ALL]),
    ("div", "t t t", [["", "approx", "full", "rn", "rz", "rm", "rp"], FTZ, SAT, ALL]),
    ("rcp sqrt", "t t", [["", "approx", "rn", "rz", "rm", "rp"], FTZ, ALL]),
    ("rsqrt sin cos lg2 ex2 tanh", "t t", [["", "approx", "rn"], FTZ, ALL]),
    ("min max", "t t t", [FTZ, ["", "NaN"], ["", "xorsign.abs"], ["", "relu"], ALL]),
    ("abs neg", "t t", [FTZ, SAT, ALL]),
    ("rem and or xor copysign", "t t t", [FTZ, ALL]),
    ("not cnot", "t t", [ALL]),
    ("sad", "t t t t", [ALL]),
    ("shl shr", "t t r", [ALL]),
    ("shf", "r r r r", [["l", "r"], ["", "clamp", "wrap"], ALL]),
    ("popc clz", "r t", [ALL]),
    ("brev", "t t", [ALL]),
    ("bfind", "r t", [["", "shiftamt"], ALL]),
    ("bfe", "t t r r", [ALL]),
    ("bfi", "t t t r r", [ALL]),
    ("fns", "r r r r", [ALL]),
    ("bmsk", "r r r", [["", "clamp", "wrap"], ALL]),
    ("testp", "p t", [words("finite infinite number notanumber normal subnormal"), ALL]),
    ("setp", "p t t", [COMPARED, FTZ, ALL]),
    ("setp", "p t t p", [["eq", "lt", "equ"], ["and", "or", "xor", "nand"], FTZ, ALL]),
    ("setp", "pq t t", [["eq", "lt", "nan"], ALL]),
    ("set", "d0 t t", [["eq", "lt", "lo", "nan"], FTZ, ["u32", "s32", "f32", "b32", "u16"], ALL]),
    ("selp", "t t t p", [ALL]),
    ("slct", "d0 d0 d0 t", [FTZ, ALL, ["s32", "f32", "u32"]]),
    ("cvt", "d0 t", [["", *ROUNDED[1:], "rni", "rzi", "rmi", "rpi"], FTZ, SAT, NUMBERS, NUMBERS]),
    ("lop3", "r r r r #0x40", [ALL]),
    ("prmt", "r r r r", [ALL, ["", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16", "x"]]),
    ("dp4a", "r r r r", [["u32", "s32", "b32"], ["u32", "s32"]]),
    ("dp2a", "r r r r", [["", "lo", "hi"], ["u32", "s32"], ["u32", "s32"]]),
    ("mov", "t t", [["", "sync"], ALL]),
    ("atom", "t [rd] t", [["", "global", "shared", "local"],
        ["add", "sub", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"], NOFTZ, ALL]),
    ("red", "[rd] t", [["", "global", "shared", "local"],
        ["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"], NOFTZ, ALL]),
    ("atom", "t [rd] t t", [["", "global"], ["cas", "add"], ALL]),
    ("ld", "t [rd]", [["", "weak", "volatile", "relaxed.gpu"], SPACES, ["", "ca", "nc"], ALL]),
    ("ld", "t [rd]", [["", "weak", "relaxed", "acquire", "acquire.cta", "release.gpu", "gpu",
        "weak.volatile"], SPACES, ["", "cg", "cs", "lu", "cv", "wb", "wt", "cg.nc"], FEW]),
    ("st", "[rd] t", [["", "weak", "volatile", "release.gpu"], SPACES, ["", "wb", "ca"], ALL]),
    ("st", "[rd] t", [["", "weak", "relaxed", "acquire", "release.cta", "acquire.gpu", "gpu",
        "relaxed.sys"], SPACES, ["", "cg", "cs", "lu", "cv", "wt", "nc"], FEW]),
    ("atom", "t [rd] t", [["", "relaxed", "acquire.cta", "acq_rel.gpu", "gpu", "weak", "volatile",
        "release.release", "sc.gpu"], ["", "global"], ["", "ca", "nc"], ["exch"], FEW]),
    ("red", "[rd] t", [["", "relaxed", "release.cta", "acquire.gpu", "gpu", "weak"], ["", "global"],
        ["", "wb"], ["add", "exch"], FEW]),
    ("ld", "t [rd]", [["", "weak", "volatile", "acquire.gpu"], SPACES, ["", "cg", "nc"], PRIORITIES,
        FETCHED, ["b32"]]),
    ("ld", "t [rd] rd", [["", "volatile", "relaxed.gpu"], SPACES, ["", "ca", "nc"],
        ["L2::cache_hint"], FETCHED, ["b32"]]),
    ("st", "[rd] t", [["", "volatile", "release.gpu"], SPACES, ["", "wb"], PRIORITIES, FETCHED,
        ["b32"]]),
    ("st", "[rd] t rd", [["", "volatile", "release.gpu"], SPACES, ["", "wb"], ["L2::cache_hint"],
        ["b32"]]),
    ("atom", "t [rd] t rd", [SPACES, ["add", "exch", "min"], ["", "L2::cache_hint"],
        ["b32", "u32"]]),
    ("red", "[rd] t rd", [SPACES, ["add", "min"], ["", "L2::cache_hint", "L1::evict_first"],
        ["u32"]]),
    ("prefetch", "[rd]", [["", "global", "local", "shared", "const"], ["L1", "L2", "L3",
        "L2::evict_last", "L2::evict_normal", "L1::evict_last", "tensormap"]]),
    ("discard applypriority", "[rd] #128", [["", "global", "shared"], ["L2", "L1",
        "L2::evict_normal", "L2::evict_last"]]),
    ("fence", "", [["", "sc", "acq_rel", "acquire", "release", "proxy", "mbarrier_init"], ["",
        "cta", "cluster", "gpu", "sys", "gl", "alias", "async", "async.global", "async.local",
        "async.shared::cta", "async.shared::cluster", "release.cluster", "release.cta"]]),
    ("fence", "", [["proxy.tensormap::generic"], ["release", "acquire", "sc"], ["", "cta", "sys"]]),
    ("fence", "[rd] #128", [["proxy.tensormap::generic"], ["release", "acquire"], ["", "gpu"]]),
    ("shfl", "d0 r r r r", [["", "sync"], ["up", "bfly", "idx", ""], ["b32", "u32", "b64"]]),
    ("shfl", "pr r r r r", [["sync"], ["up", "idx"], ["b32", "f32"]]),
    ("vote", "p p r", [["sync", ""], ["all", "any", "uni", "ballot"], ["pred", "b32"]]),
    ("vote", "r p r", [["sync", ""], ["all", "ballot"], ["pred", "b32"]]),
    ("match", "r t r", [["any", "all"], ["sync", ""], ALL]),
    ("redux", "r t r", [["sync", ""], ["add", "min", "max", "and", "or", "xor"], ["", "abs"], ALL]),
    ("isspacep", "p rd", [["global", "shared", "local", "const", "param", "reg"]]),
    ("cvta", "rd rd", [["", "to"], [*SPACES, "param"], ["u64", "u32", "s64"]]),
]  # fmt: skip
"""Opcodes, what their operands are, and their modifiers, one of each list."""

_BY_HAND = """
bar.sync 0;
bar.sync 1, 33;
bar.sync 1, 64;
bar.sync 1, 0;
bar.sync 16;
bar.sync %r1;
bar.sync %r1, %r2;
bar.sync 1, %r2;
bar.arrive 1;
bar.arrive 1, 32;
bar.arrive 1, 48;
bar.arrive %r1, 64;
barrier.sync 1, 96;
barrier.sync.aligned 1;
barrier.sync %r1, 32;
bar.red.popc.u32 %r1, 0, %p1;
bar.red.popc.u32 %r1, 1, 33, %p1;
bar.red.and.pred %p1, 1, !%p2;
bar.red.or.pred %p1, %r1, %p2;
bar.red.popc.s32 %r1, 0, %p1;
bar.red.and.u32 %r1, 0, %p1;
bar.sync 0.5;
bar.sync;
bar 0;
bar.sync 1, 2, 3;
bar.warp.sync 3;
bar.warp.sync %r1;
bar.warp.sync;
bar.cta.sync 1;
barrier.cta.sync 1;
barrier.arrive 1, 64;
bar.sync.aligned 1;
membar;
membar.cta;
membar.gl;
membar.sys;
membar.gpu;
fence;
fence.sc;
fence.sc.gpu;
fence.acq_rel.cta;
fence.acq_rel;
fence.gpu;
fence.proxy.alias;
membar.gl.cta;
membar.proxy.alias;
membar.proxy.async;
fence.proxy.tensormap::generic.acquire.gpu [%rd1], 64;
fence.acquire.sync_restrict::shared::cluster.cluster;
fence.release.sync_restrict::shared::cta.cluster;
fence.acquire.sync_restrict::shared::cta.cluster;
fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;
createpolicy.fractional.L2::evict_last.b64 %rd1, 0f3F000000;
createpolicy.fractional.L2::evict_last.b64 %rd1, %f1;
createpolicy.fractional.L2::evict_last.b64 %rd1, 2.0;
createpolicy.fractional.L2::evict_last.b64 %rd1, 0.0;
createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 %rd1;
createpolicy.fractional.L2::evict_first.L2::evict_last.b64 %rd1;
createpolicy.fractional.L2::evict_first.b32 %r1;
createpolicy.fractional.b64 %rd1;
createpolicy.L2::evict_first.b64 %rd1;
createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd1, [%rd2], 4096, 8192;
createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], %r1, %r2;
createpolicy.range.L2::evict_last.b64 %rd1, %rd2, %r1, %r2;
createpolicy.cvt.L2.b64 %rd1, %rd2;
createpolicy.cvt.L1.b64 %rd1, %rd2;
discard.global.L2 [%rd1], 64;
griddepcontrol.wait;
griddepcontrol.launch_dependents;
griddepcontrol.start;
setmaxnreg.inc.sync.aligned.u32 240;
setmaxnreg.dec.sync.aligned.u32 24;
setmaxnreg.dec.sync.aligned.u32 20;
setmaxnreg.dec.sync.aligned.u32 41;
setmaxnreg.dec.sync.aligned.u32 264;
setmaxnreg.dec.sync.aligned.u32 %r1;
setmaxnreg.dec.aligned.u32 40;
elect.sync _|%p1, 0xffffffff;
elect.sync %r1|%p1, %r2;
elect.sync %r1|_, %r2;
elect.sync %p1, %r2;
elect %r1|%p1, %r2;
mov.b128 %q1, {%rd1, %rd2};
mov.b128 {%r1, %r2, %r3, %r4}, %q1;
mov.b128 %q1, %q2;
mov.b128 %q1, 5;
mov.b128 %q1, %rd1;
mov.b128 {%rd1}, %q1;
mov.u128 %q1, %q2;
ld.global.b128 %q1, [%rd1];
ld.global.v2.b128 {%q1, %q2}, [%rd1];
ld.shared.L2::128B.b128 %q1, [%r1];
st.global.L1::no_allocate.b128 [%rd1], %q1;
st.shared.b128 [%r1], %q1;
st.global.b128 [%rd1], %rd2;
add.b128 %q1, %q2, %q3;
selp.b128 %q1, %q2, %q3, %p1;
mov.u32 %r1, %cluster_ctarank;
mov.u32 %r1, %cluster_ctarank.x;
mov.u32 %r1, %clusterid.x;
mov.u32 %r1, %clusterid;
mov.pred %p1, %is_explicit_cluster;
mov.u32 %r1, %is_explicit_cluster;
mov.u32 %r1, %aggr_smem_size;
mov.f32 %f1, %cluster_nctaid.z;
pmevent 1;
pmevent 16;
pmevent.mask 0xff;
brkpt;
isspacep.shared::cta %p1, %rd1;
isspacep.shared::cluster %p1, %rd1;
ld.shared::cluster.b32 %r1, [%rd1];
ld.shared::cta.b32 %r1, [%rd1];
st.shared::cluster.b32 [%rd1], %r1;
mov.u32 %r1, 3*4+(1<<2);
mov.u32 %r1, (5);
mov.u32 %r1, 7 % 4;
mov.u32 %r1, 1 ? 2 : 3;
mov.u32 %r1, ~5 & 0xff;
mov.u32 %r1, !5;
mov.u32 %r1, 5 == 5;
mov.u32 %r1, 5 && 0;
mov.u32 %r1, 1 - 2 - 3;
mov.u32 %r1, -(4);
mov.u32 %r1, 9 / 2;
mov.u32 %r1, 9 / 0;
mov.u32 %r1, 5 > 3;
mov.u32 %r1, 5 >> 1;
mov.u32 %r1, 1 << 4 | 3;
mov.u32 %r1, 6 ^ 3;
mov.u32 %r1, (1 + 2;
mov.u32 %r1, (.s64) 5;
mov.u32 %r1, (.u64) 5 + 1;
add.s32 %r1, %r2, 3+4;
mov.f64 %fd1, 1.5 + 2.5;
mov.f64 %fd1, 2.0 * 3;
mov.f64 %fd1, -(1.5);
mov.f32 %f1, 1.0 / 4.0;
ld.global.u8 %r1, [gl+1];
ld.global.u8 %r1, gl[1];
ld.global.u32 %r1, gl[4];
st.global.u8 gl[3], %r1;
ld.global.u8 %r1, [gl+2*3];
ld.shared.u8 %r1, sh[1+2];
ld.global.u8 %r1, [%rd1+2*4];
ld.shared.u8 %r1, [sh+(1<<2)];
ld.global.u8 %r1, gl[%r1];
ld.global.u8 %r1, [gl-1];
mov.u64 %rd1, gl;
mov.u64 %rd1, gl+8;
mov.u64 %rd1, gl+2*4;
mov.u64 %rd1, gl[2];
mov.u32 %r1, sh+4;
mad.hi.sat.s32 %r1, %r2, %r3, %r4;
mad.lo.sat.s32 %r1, %r2, %r3, %r4;
mad.hi.sat.u32 %r1, %r2, %r3, %r4;
madc.hi.cc.u32 %r1, %r2, %r3, %r4;
madc.lo.cc.s64 %rd1, %rd2, %rd3, %rd4;
madc.hi.cc.s32 %r1, %r2, %r3, %r4;
setp.nan.f16 %p1, %rs1, %rs2;
setp.num.f16 %p1, %rs1, %rs2;
setp.ltu.f16 %p1, %rs1, %rs2;
nanosleep.u32 5;
nanosleep.u32 %r1;
nanosleep 5;
nanosleep.u64 5;
activemask.b32 %r1;
activemask.u32 %r1;
activemask %r1;
exit;
ret.uni;
exit.uni;
trap;
trap.uni;
ret %r1;
bra.uni 5;
prefetch.global.L1 [%rd1];
prefetch.L1 [%rd1];
prefetch [%rd1];
prefetchu.L1 [%rd1];
prefetch.global.L3 [%rd1];
prefetchu.L2 [%rd1];
mov.b32 %r1, {%rs1, %rs2};
mov.b32 {%rs1, %rs2}, %r1;
mov.b64 %rd1, {%r1, %r2};
mov.b64 {%r1, _}, %rd1;
mov.u32 {%rs1, %rs2}, %r1;
mov.u32 %r1, {%rs1, %rs2};
mov.b64 {%rs1, %rs2, %rs3, %rs4}, %rd1;
mov.b32 %r1, {%rs1};
ld.global.v2.u32 {%r1, %r2}, [%rd1];
ld.global.v2.u32 {%r1}, [%rd1];
ld.global.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd5];
ld.global.v2.pred {%p1, %p2}, [%rd1];
st.global.v4.f32 [%rd1], {%f1,%f2,%f3,%f4};
ld.global.v3.u32 {%r1,%r2,%r3}, [%rd1];
ld.global.v2.u32 {%r1, %r1}, [%rd1];
ld.global.u32 _, [%rd1];
add.s32 _, %r1, %r2;
setp.eq.s32 _|%p1, %r1, 2;
add.s32 %r1, %r2, 0x1ffffffff;
add.s32 %r1, 3, 4;
add.s32 %r1, %r2, -1;
add.u16 %rs1, %rs2, 70000;
shl.b32 %r1, %r2, 33;
lop3.b32 %r1, %r2, %r3, %r4, 256;
lop3.b32 %r1, %r2, %r3, %r4, %r5;
lop3.b32 %r1, %r2, %r3, %r4, 1+2;
mov.u32 %r1, %tid.x;
mov.u16 %rs1, %tid.x;
mov.u64 %rd1, %tid.x;
mov.u64 %rd1, %clock64;
mov.u32 %r1, %clock64;
mov.f32 %f1, %tid.x;
mov.b32 %r1, %laneid;
mov.s32 %r1, %ntid.y;
mov.u32 %r1, WARP_SZ;
mov.u32 %r1, %lanemask_lt;
add.f32 %f1, %f2, 1.0;
add.f32 %f1, %f2, 1;
add.f64 %fd1, %fd2, 0f3F800000;
add.f32 %f1, %f2, 0d3FF0000000000000;
mov.b32 %r1, 0f3F800000;
mov.b32 %r1, 1.0;
mov.b64 %rd1, 1.0;
mov.u32 %r1, 0f3F800000;
mov.b16 %rs1, 0f3F800000;
selp.f32 %f1, 1.0, 0.0, %p1;
selp.b32 %r1, 1, 0, 1;
selp.b32 %r1, 1, 0, !%p1;
and.pred %p1, %p2, 1;
mov.pred %p1, 1;
not.pred %p1, %p2;
mov.pred %p1, %p2;
xor.pred %p1, !%p2, %p3;
and.pred %p1, !%p2, %p3;
setp.eq.s32 %p1, 1, 2;
"""
BY_HAND = [f"{line.strip()};" for line in _BY_HAND.split(";") if line.strip()]
"""Lines of which some are no PTX at all, at which ptxas stops: it is asked of each by itself."""


def _operand(shape: str, number: int, type: str, destination: str) -> str:
    if shape.startswith("#"):
        return shape[1:]
    if shape == "[rd]":
        return "[%rd9]"
    if shape in ("r", "rd", "p"):
        return f"%{shape}{number}"
    if shape in ("pq", "pr"):
        return f"%p{number}|%p{number + 1}" if shape == "pq" else f"%r{number}|%p{number}"
    return f"{_register(destination if shape.startswith('d') else type)}{number}"


def _register(type: str) -> str:
    if type in ("f32", "f64"):
        return "%f" if type == "f32" else "%fd"
    if type == "pred":
        return "%p"
    bits = 32 if type == "f16x2" else int(re.sub(r"\D", "", type) or 32)
    return {8: "%rs", 16: "%rs", 32: "%r", 64: "%rd"}[bits]


def _double(type: str) -> str:
    return {"16": "b32", "32": "b64"}.get(re.sub(r"\D", "", type), type)


def lines() -> Iterator[str]:
    """The lines of the table, one instruction each."""
    for opcodes, shapes, modifiers in TABLE:
        for opcode, parts in product(opcodes.split(), product(*modifiers)):
            types = [part for part in parts if part in ALL]
            type = types[-1] if types else "b32"
            destination = _double(type) if "wide" in parts else type
            if "d0" in shapes:
                destination = types[0] if types else "b32"
            operands = [
                _operand(shape, number, type, destination)
                for number, shape in enumerate(shapes.split(), start=1)
            ]
            name = ".".join((opcode, *(part for part in parts if part)))
            yield f"{name} {', '.join(operands)};"


def refused_here(lines: Sequence[str], target: str = TARGET) -> dict[int, str]:
    """The lines that the front end refuses, by number, and what it says first of each."""
    text = header(target) + "\n".join([*lines, WRONG, "ret;", "}"]) + "\n"
    first = HEADER.count("\n") + 1
    found: dict[int, str] = {}
    with (
        patch.object(findings, "OF_A_FORM", len(text)),
        patch.object(findings, "MOST_FORMS", len(text)),
        pytest.raises(InputError) as caught,
    ):
        PLUGIN.read(text, "lines.ptx")
    for one in caught.value.diagnostics:
        found.setdefault(one.location.line - first, one.message)
    del found[len(lines)]
    return found
