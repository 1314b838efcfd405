"""What the PTX front end does not take: every finding with its place, its line and a hint."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from compiler.frontends import ptx
from compiler.frontends.ptx import PLUGIN
from compiler.frontends.ptx.lowering import code as made_code
from compiler.frontends.ptx.lowering.lower_body import HANDLERS, NOT_SUPPORTED
from compiler.frontends.ptx.lowering.lower_memory import DROPPED
from machines.description.load import load_machine
from machines.diagnostics import Diagnostic, InputError
from tests.compiler.frontends.ptx_runs import HEADER, kernel, only

LINE = 8
"""Of the body in what `kernel` makes: the header, the head and the registers stand above."""


def findings(text: str) -> list[Diagnostic]:
    with pytest.raises(InputError) as caught:
        PLUGIN.read(text, "test.ptx")
    assert all(found.location.file == "test.ptx" for found in caught.value.diagnostics)
    return caught.value.diagnostics


BOX = "cp.async.bulk.tensor.{}.shared::cluster.global.{}.mbarrier::complete_tx::bytes"


@pytest.mark.parametrize(
    "code, message, hint",
    [
        ("cp.async.cg.shared.global [%r1], [%rd1], ¦8", "copies 16 bytes, not 8", ""),
        ("cp.async.ca.shared.global [%r1], [%rd1], ¦12", "copies 4 or 8 or 16 bytes, not 12", ""),
        ("cp.async.ca.shared.global [%r1], [%rd1], 8, ¦9", "reads up to 8 bytes, not 9", ""),
        ("¦cp.async.ca.global.shared [%rd1], [%r1], 4", "not copy from global to shared", ""),
        ("cp.async.wait_group ¦%r1", "a number from 0 on", ""),
        ("cp.async.wait_group ¦64", "more than 63 groups", ""),
        ("cp.async.bulk.wait_group ¦8", "more than 7 groups", ""),
        (
            "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], ¦24",
            "copies a multiple of 16 bytes, not 24",
            "",
        ),
        ("¦cp.async.bulk.global.shared::cta [%rd1], [%r1], 16", "is of no group", ".bulk_group"),
        ("¦cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16, [%r2]", "who is told", ""),
        (
            "¦cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
            "[%r1], [%rd1], 16, [%r2], %rs1",
            "is not supported",
            "one block",
        ),
        ("¦cp.async.bulk.tensor.2d.tile [%r1], [%rd1]", "from where to where", ""),
        (
            f"¦{BOX.format('2d', 'im2col')} [%r1], [%rd1, {{%r2, %r3}}], [%r4]",
            "is not supported",
            "",
        ),
        (f"{BOX.format('2d', 'tile')} [%r1], [%rd1, ¦{{%r2}}], [%r4]", "not 1", ""),
        (
            f"¦{BOX.format('6d', 'tile')} [%r1], [%rd1, {{%r2}}], [%r4]",
            "how many dimensions",
            ".1d",
        ),
        ("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group ¦[%rd1], [%r1]", "coordinates", ""),
        ("ld.global.u32 %r1, ¦[%rd1, {%r2}]", "only copies of boxes", ""),
        ("¦mbarrier.ini.shared.b64 [%r1], 3", "no 'mbarrier.ini.shared.b64'", "did you mean"),
        ("¦mbarrier.init.shared.b32 [%r1], 3", "ends in '.b64'", ""),
        ("¦mbarrier.init.global.b64 [%rd1], 3", "'.global' of 'mbarrier.init", ""),
        ("¦mbarrier.arrive.shared.b64 %rd1", "takes 2 to 3 operands, not 1", ""),
        ("mbarrier.arrive.shared::cluster.b64 ¦%rd1, [%r1]", "'_' stands for it", ""),
        ("¦mbarrier.try_wait.shared::cluster.b64 %p1, [%r1], %rd1", "their own block", ""),
        ("¦tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%r1}]", "is not supported", ""),
        ("¦neg.f32x2 %rd1, %rd2", "type '.f32x2'", ""),
        ("¦shfl.down.b32 %r1, %r2, 1, 31", "without .sync", "shfl.sync"),
        ("¦atom.global.min.noftz.f16x2 %r1, [%rd1], %r2", "is one of vectors", ".v2"),
        ("¦red.shared.add.v2.f32 [%rd1], {%f1, %f2}", "there is no", "in global memory"),
        ("bar.red.or.pred %p1, ¦%r1, %p2", "number is in a register", ""),
        ("mov.u32 %r1, ¦%envreg3", "'%envreg3' is not supported", ""),
        ("mov.u32 %r1, ¦%cluster_ctarank.x", "there is no register '%cluster_ctarank.x'", ""),
        ("call (%r1), %rd1, (%r2), ¦proto", "there is no prototype 'proto'", ""),
        ("ld.global.b128 ¦%rd1, [%rd0]", "is a .b64 register, the instruction takes .b128", ""),
        ("¦and.b128 %rd1, %rd0, %rd1", "type '.b128'", ""),
        (".reg .b128 %q; ¦ld.global.v2.b128 {%q, %q}, [%rd0]", "has more than 128 bits", ""),
        (".reg .b128 %q; mov.b128 ¦{%rd1}, %q", "has two or four parts, not 1", ""),
        (".reg .b128 %q; add.s64 %rd1, %rd1, ¦%q", "is a .b128 register", ""),
        ("¦ld.shared.L2::cache_hint.u32 %r1, [%rd0], %rd1", "'.L2::cache_hint' and '.shared'", ""),
        ("¦ld.global.L2::cache_hint.u32 %r1, [%rd0]", "takes 3 operands, not 2", ""),
        ("¦st.global.L2::128B.u32 [%rd0], %r1", "'st' has no '.L2::128B'", ""),
        ("setmaxnreg.dec.sync.aligned.u32 ¦20", "24 to 256 registers, a multiple of 8", ""),
        ("createpolicy.fractional.L2::evict_last.b64 %rd1, ¦2.0", "above 0 and at most 1", ""),
        ("discard.global.L2 [%rd1], ¦64", "'discard' is of 128 bytes", ""),
        ("elect.sync ¦%p1, -1", "'d|p'", "_|%p1"),
        ("¦fence.proxy.foo", "there is no 'fence.proxy.foo'", "fence.proxy.alias"),
        ("¦ad.s32 %r1, %r2, 1", "there is no instruction 'ad.s32'", "'sad'"),
        ("¦add.s33 %r1, %r2, 1", "there is no type '.s33'", "'s32'"),
        ("¦add.pred %p1, %p2, %p3", "'add' takes no '.pred'", "types: u16"),
        ("¦add.s32 %r1, %r2", "takes 3 operands, not 2", ""),
        ("add.s32 %r1, ¦%r41, 1", "'%r41' is not declared", "%r0 to %r39"),
        ("add.s32 %r1, ¦%x1, 1", "'%x1' is not declared", "did you mean"),
        ("add.s32 %r1, ¦%f1, 1", "'%f1' is a .f32 register", ""),
        ("add.f32 %f1, ¦%fd1, %f2", "is a .f64 register, the instruction takes .f32", ""),
        ("add.s32 ¦%rd1, %r1, 1", "is a .b64 register, the instruction takes .s32", ""),
        ("add.f32 %f1, %f2, ¦1", "the integer 1 cannot be a .f32", "0f3F800000"),
        ("add.s32 %r1, %r2, ¦0f3F800000", "a floating literal cannot be a .s32", ""),
        ("mov.f32 %f1, ¦0d3FF0000000000000x", "is no number", "0f3F800000"),
        ("selp.b32 %r1, 1, 0, ¦%r2", "the instruction takes .pred", ""),
        ("add.s32 ¦1, %r1, 2", "a number cannot be written", ""),
        ("¦setp.less.s32 %p1, %r1, 2", "no comparison '.less'", "'le'"),
        ("¦setp.lt.b32 %p1, %r1, 2", "no comparison '.lt' of '.b32'", "eq, ne"),
        ("¦cvt.f32 %f1, %r1", "has no type", "types: u8"),
        ("¦cvta.to.globl.u64 %rd1, %rd2", "names no space", "global"),
        ("¦lop3.b32 %r1, %r2, %r3, %r4, 256", "256 does not fit", ""),
        ("lop3.b32 %r1, %r2, %r3, %r4, ¦%r5", "is a number", ""),
        ("mov.u32 %r1, ¦%tid.w", "there is no register '%tid.w'", "'%tid.z'"),
        ("mov.u64 %rd1, ¦%tid.x", "'%tid.x' has 32 bits", ""),
        ("mov.u64 %rd1, ¦nothing", "'nothing' is not declared", ""),
        ("@¦%r1 mov.u32 %r1, 1", "the instruction takes .pred", ""),
        ("bra ¦NOWHERE", "there is no label 'NOWHERE'", "LOOP"),
        ("bar.sync ¦16", "numbered 0 to 15", ""),
        ("bar.sync 1, ¦33", "whole warps of 32 threads, not 33", ""),
        ("¦bar.sync.aligned 1", "'bar' has no '.aligned'", "barrier.aligned"),
        ("¦fence.acq_rel", "does not say among which threads", ".gpu"),
        ("¦membar.gpu", "does not say among which threads", ".gl"),
        ("¦red.global.exch.b32 [%rd1], %r1", "there is no 'red.exch'", "atom.exch"),
        ("¦atom.global.add.s64 %rd1, [%rd2], %rd3", "'atom' takes no '.s64'", "u64"),
        ("¦atom.global.and.u32 %r1, [%rd2], %r3", "'atom' takes no '.u32'", "b32"),
        ("¦atom.global.add.noftz.u32 %r1, [%rd2], %r3", "has no '.noftz'", ""),
        ("¦atom.global.acq_rel.ca.add.u32 %r1, [%rd2], %r3", "has no '.ca'", ""),
        ("¦ld.global.volatile.ca.u32 %r1, [%rd2]", "'.volatile' and '.ca' do not go together", ""),
        ("¦ld.local.relaxed.gpu.u32 %r1, [%rd2]", "'.relaxed' and '.local' do not", ""),
        ("¦ld.acquire.global.u32 %r1, [%rd2]", "among which threads", ".acquire.gpu"),
        ("¦ld.global.wb.u32 %r1, [%rd2]", "'ld' has no '.wb'", "cg"),
        ("¦ld.nc.u32 %r1, [%rd2]", "only ld.global has '.nc'", ""),
        ("¦st.global.acquire.gpu.u32 [%rd2], %r1", "'st' has no '.acquire'", "release"),
        ("¦cvt.sat.s32.s8 %r1, %rs1", "nothing to saturate", ""),
        ("¦setp.lo.s32 %p1, %r1, 2", "no comparison '.lo' of '.s32'", ""),
        ("mov.u32 %r1, ¦{%rs1, %rs2}", "a vector is moved as bits", "mov.b32"),
        ("add.s32 ¦_, %r1, %r2", "cannot be left out", ""),
        ("¦prefetch.global [%rd1]", "does not say a level of the cache", ".L1 or .L2"),
        ("¦nanosleep.u64 %rd1", "'nanosleep' takes no '.u64'", ""),
        ("ld.global.u32 %r1, ¦%r2[1]", "'%r2' is no array", ""),
        ("¦add.rn.f32x2 %rd1, %rd2, %rd3", "which sm_100 has, is not supported", "sm_90"),
        ("¦ld.global.v8.b32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1]", "which sm_100 has", ""),
        ("¦tcgen05.fence::before_thread_sync", "which sm_100a has, is not supported", ""),
        ("¦cvt.rn.satfinite.e2m1x2.f32 %r1, %f1, %f2", "which sm_100a has, is not", ""),
        ("¦st.bulk.weak.shared::cta [%r1], 1024, 0", "which sm_100 has, is not supported", ""),
        ("¦max.f32 %f1, %f2, %f3, %f4", "of 4 operands, which sm_100 has, is not supported", ""),
        ("¦min.ftz.NaN.f32 %f1, %f2, %f3, %f4", "which sm_100 has", "sm_90"),
        ("¦redux.sync.max.abs.f32 %f1, %f2, -1", "which sm_100a has, is not supported", ""),
        ("¦max.f32 %f1, %f2, %f3, %f4, %f5", "takes 3 operands, not 5", ""),
        ("call (%r1), ¦nobody, (%r2)", "there is no function 'nobody'", ""),
        ("ld.global.u32 %r1, [¦out]", "'out' is a parameter", "ld.param"),
        ("ld.param.u32 %r1, [¦%f1]", "holds no address", ""),
        ("ld.shared.u32 %r1, ¦[12]", "only an address in local memory", ""),
        ("ld.shared.v2.u32 ¦%r1, [%r2]", "2 registers are wanted, not 1", ""),
        ("ld.global.u64 ¦%r1, [%rd0]", "is a .b32 register", ""),
        ("st.const.u32 ¦[%rd0], %r1", "only read", ""),
        ("ld.global.u32 %r1, ¦%rd0", "takes an address in brackets", ""),
        (".shared .b32 s; ld.global.u32 %r1, [¦s]", "'s' is in shared memory", "use .shared"),
        ("atom.local.add.u32 %r1, ¦[%rd1], 1", "global or shared memory", ""),
        ("add.s32 %r1, %r2, 1 ¦add.s32 %r1, %r2, 1", "expected ';'", ""),
        ("ld.global.u32 %r1, [%rd0¦", "expected ']'", ""),
        ("¦.regs .b32 %q<4>", "no directive '.regs'", "'.reg'"),
        (".reg ¦.b33 %q<4>", "there is no type '.b33'", "'b32'"),
        (".reg .b32 %r1, ¦%r1", "'%r1' is declared twice", ""),
        (".shared ¦.align 3 .b8 s[4]", "power of two", ""),
        (".shared .b8 ¦s[]", "how many elements", ""),
        (".const .pred ¦c = 1", "never in memory", ""),
        ("mov.u32 %r1, ¦#5", "'#' has no meaning", ""),
        ("T: .branchtargets LOOP; brx.idx %r1, ¦U", "there is no table 'U'", "valid names: T"),
    ],
)
def test_findings(code: str, message: str, hint: str):
    """¦ stands before the place that the finding points at."""
    marked = kernel(f"LOOP:\n{code};")
    before = marked[: marked.index("¦")]
    text = marked.replace("¦", "")
    first = findings(text)[0]
    assert message in first.message
    assert hint in (first.hint or "")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert (first.location.line, first.location.column) == (line, column)
    assert first.source_line == text.splitlines()[line - 1]


def test_all_findings_at_once_in_source_order():
    body = "add.s33 %r1, %r2, 1;\nmov.u32 %r99, 5;\nfoo;\nadd.s32 %r1, %r2, 1;\nbra L;\n"
    found = findings(kernel(body))
    assert [one.location.line for one in found] == [LINE + k for k in (1, 2, 3, 5)]
    body = "mov.u32 %r1, 5,;\nadd.s32 %r1 %r2, 1;\n.reg .b32;\n[;\nmov.u32 %r1, 1;"
    found = findings(kernel(body))
    assert [one.location.line for one in found] == [LINE + k for k in (1, 2, 3, 4)]


def test_only_what_may_not_fit_is_saturated():
    """Of conversions among integers: `.sat` where some number of one type is none of another."""

    def lowest_and_highest(kind: str) -> tuple[int, int]:
        bits = int(kind[1:])
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)

    kinds = [f"{sign}{bits}" for sign in "us" for bits in (8, 16, 32, 64)]
    registers = {8: "%rs1", 16: "%rs1", 32: "%r1", 64: "%rd1"}
    for target, source in product(kinds, kinds):
        operands = ", ".join(registers[int(kind[1:])] for kind in (target, source))
        text = kernel(f"cvt.sat.{target}.{source} {operands};")
        low, high = lowest_and_highest(target)
        fits = low <= lowest_and_highest(source)[0] and lowest_and_highest(source)[1] <= high
        if fits:
            assert "nothing to saturate" in findings(text)[0].message
        else:
            assert list(PLUGIN.read(text, "test.ptx").functions) == ["k"], text


def test_labels_stand_once():
    [found] = findings(kernel("L: mov.u32 %r1, 1;\nL: bra L;"))
    assert (found.message, found.location.line) == ("label 'L' stands twice", LINE + 2)


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "a PTX file begins with '.version'"),
        (HEADER, "no kernel"),
        (".version 9.0\n.target sm_90\n.address_size 32\n", "addresses of 32 bits"),
        (".version 9.0\n.target compute\n", "'compute' is no target"),
        (f"{HEADER}.visibl .entry k() {{ ret; }}", "unknown directive '.visibl'"),
        (f"{HEADER}.entry k() .maxntdi 3 {{ ret; }}", "unknown directive '.maxntdi'"),
        (f"{HEADER}.entry k() {{ ret; }} .entry k() {{ ret; }}", "'k' is defined twice"),
        (f"{HEADER}.entry k(.param .b32 a, .param .b32 a) {{ ret; }}", "'a' is declared twice"),
        (f"{HEADER}.entry k() {{ ret;", "this brace is never closed"),
        (f"{HEADER}.entry k() {{ {'{' * 60} {'}' * 60} ret; }}", "more than 50 braces"),
        (f"{HEADER}.global .b8 a[2] = {{1, 2, 3}};", "more initial values than elements"),
        (f"{HEADER}.global .b8 a[2] = {{1, 256}}; .entry k() {{}}", "256 does not fit"),
        (f"{HEADER}.global .b8 a; .const .b8 a;", "'a' is declared twice"),
        (f"{HEADER}.global .b8 a[{'9' * 5000}];", "is no number"),
        (f"{HEADER}.global .texref t;", "variables of type '.texref'"),
        (f"{HEADER}/* open", "this comment has no end"),
        (f"{HEADER}.file 1 \"a\"\n.file 1 \"b\"\n", "file 1 is declared twice"),
    ],
)  # fmt: skip
def test_findings_of_modules(text: str, message: str):
    with pytest.raises(InputError, match=re.escape(message)):
        PLUGIN.read(text, "test.ptx")


CALLS = """
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func (.param .b64 r) realloc (.param .b64 a);
.func h (.param .b32 n) { ret; }
.global .u64 pointer = generic(counter);
.global .u32 counter;
.extern .global .u32 elsewhere;
"""


@pytest.mark.parametrize(
    "code, message",
    [
        (
            "{ .param .b32 r; .param .b64 a; call (r), vprintf, (a, a); }",
            "its format is none of the file's texts",
        ),
        ("{ .param .b64 a; call (a), realloc, (a); }", "'realloc' is not defined"),
        ("{ .param .b32 a; call h, (a, a); }", "'h' has 1 arguments, 2 are given"),
        ("{ .param .b64 a; call h, (a); }", "'n' has 4 bytes, 'a' 8"),
        ("ld.param.u32 %r1, [out+8];", "the parameter has 8 bytes"),
        ("ld.param.v2.u32 {%r1, %r2}, [out+4];", "the parameter has 8 bytes"),
        ("call h, (%r1);", "a register or number given for a '.param'"),
        ("{ .param .b32 a; st.param.b32 [a+2], 1; call h, (a); }", "'a' has 4 bytes"),
        ("mov.u64 %rd1, pointer;", "begins with the address of 'counter'"),
        ("ld.global.u32 %r1, [elsewhere];", "'elsewhere' is defined in another file"),
        (
            "P: .callprototype _ (.param .b64 _); { .param .b64 a; call %rd0, (a), P; }",
            "no function of this file whose address is taken",
        ),
        ("call %rd0, ();", "does not say what it may call"),
        ("P: .calltargets h, q; call %rd0, P;", "there is no function 'q'"),
        ("P: .calltargets h; call %rd0, P;", "'h' has 1 arguments, 0 are given"),
    ],
)
def test_calls_and_symbols(code: str, message: str):
    [found] = findings(kernel(code, CALLS))
    assert message in found.message


def test_a_kernel_that_is_not_supported_is_refused_when_it_is_named():
    good = ".visible .entry good() { ret; }\n"
    bad = ".visible .entry bad() { stackrestore.u64 %r1;\n tcgen05.wait; }\n"
    module = PLUGIN.read(HEADER + good + bad, "test.ptx")
    assert list(module.functions) == ["good"]
    assert [found.location.line for found in module.refused["bad"].diagnostics] == [5, 6]
    assert module.entry is None
    with pytest.raises(InputError, match=r"'stackrestore\.u64'"):  # none is left
        PLUGIN.read(HEADER + bad, "test.ptx")


UNHAD = """
.visible .entry good(.param .u64 out) { ret; }
.global .texref picture;
.global .align 16 .v4 .b32 wide[4];
.func helper() { .reg .v2 .b32 %q<2>; mov.b64 %q1, 5; ret; }
.visible .entry smem() { .reg .b32 %r<2>; mov.u32 %r1, %reserved_smem_offset_1; ret; }
.visible .entry environment() { .reg .b32 %r<2>; mov.b32 %r1, %envreg4; ret; }
.visible .entry video() { .reg .b32 %r<3>; vadd4.u32.u32.u32 %r1, 1, 2, 3; ret; }
.visible .entry sample() { .reg .f32 %f<5>; tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [picture, {1}];
  ret; }
.visible .entry long() { .reg .v2 .b32 %rq<3>; mov.b64 %rq2, 5; ret; }
.visible .entry wider() { .reg .b64 %rd<2>; mov.u64 %rd1, wide; ret; }
.visible .entry given(.param .b128 a) { ret; }
.visible .entry unknown() .perhaps 3 { ret; }
.visible .entry calls() { call helper; ret; }
.visible .entry wrong() { mov.u32 %r1, 5; ret; }
.visible .entry letters() { # ret; }
.visible .entry last(.param .u64 out) { ret; }
"""


@pytest.mark.parametrize(
    "name, message",
    [
        ("smem", "'%reserved_smem_offset_1' is not supported"),
        ("environment", "'%envreg4' is not supported"),
        ("video", "'vadd4.u32.u32.u32' is not supported"),
        ("sample", "'tex.1d.v4.f32.s32' is not supported"),
        ("long", "variables of type '.v2' are not supported"),
        ("wider", "variables of type '.v4' are not supported"),
        ("given", "a parameter of .b128 is not supported"),
        ("unknown", "unknown directive '.perhaps'"),
        ("calls", "variables of type '.v2' are not supported"),
        ("wrong", "'%r1' is not declared"),
        ("letters", "'#' has no meaning in PTX"),
    ],
)
def test_what_is_not_had_refuses_the_kernel_that_has_it(name: str, message: str):
    module = PLUGIN.read(HEADER + UNHAD, "test.ptx")
    assert list(module.functions) == ["good", "last"]
    [found] = module.refused[name].diagnostics
    assert message in found.message
    lines = (HEADER + UNHAD).splitlines()
    assert found.location.line > 3 and found.source_line == lines[found.location.line - 1]


def test_a_hundred_refused_kernels_leave_the_last():
    """More findings than a report shows: none of them gets lost."""
    bad = "".join(f".entry bad{k}() {{ .reg .b128 %q; vadd2; }}\n" for k in range(150))
    module = PLUGIN.read(f"{HEADER}{bad}.entry good() {{ ret; }}\n", "test.ptx")
    assert list(module.functions) == ["good"] and len(module.refused) == 150


ASSEMBLY = "// begin inline asm\nadd.u32 %r2, %r1, 1;\n// end inline asm\n"


@pytest.mark.parametrize(
    "behind, unwritten",
    [
        ("mov.u32 %r3, %r2;", []),
        ("mov.u32 %r3, %r1;", ["%r1"]),  # in the same block
        ("L: mov.u32 %r3, %r1; bra.uni L;", ["%r1", "%r1"]),
        ("mov.u32 %r3, %r4;", ["%r4"]),
    ],
)
def test_what_assembly_of_the_source_alone_reads_may_have_no_value(behind: str, unwritten: list):
    """LLVM leaves it so: Triton's conversions take four numbers, of which two may be none."""
    text = f"{HEADER}.entry k() {{ .reg .b32 %r<9>;\n{ASSEMBLY}\n{behind} ret; }}"
    if not unwritten:
        assert only(text).valueless == ("%r1",)
        return
    message = "'{}' is read here, and nothing has written it before"
    assert [found.message for found in findings(text)] == [message.format(r) for r in unwritten]


CALLED = ".func f() { .reg .b32 %r<3>; add.s32 %r1, %r2, 1; ret; }\n"
OWN = ".reg .pred %p<3>; .reg .b32 %r<3>; .reg .b64 %rd<3>;"


@pytest.mark.parametrize(
    "code, register",
    [
        ("¦add.s32 %r1, %r2, 1;", "%r2"),
        ("mov.u32 %r1, 1; ¦st.global.u32 [%rd1], %r1;", "%rd1"),
        ("mov.u32 %r1, 1;\n¦@%p1 mov.u32 %r1, 2;", "%p1"),
        ("bra L; K: mov.u32 %r2, 5; bra M;\nL: ¦add.s32 %r1, %r2, 1; bra M;\nM:", "%r2"),
        ("L: ¦add.s32 %r1, %r2, %r1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L;", "%r2"),
        ("¦mov.b64 %rd1, {%r1, 0};", "%r1"),
        ("¦addc.u32 %r1, 1, 2;", "the carry flag"),
        ("{ .reg .b32 %r2; ¦mov.u32 %r1, %r2; } mov.u32 %r2, 1;", "%r2"),
        ("mov.u32 %r2, 1; call f;", "%r2"),
        ("// implicit-def: %r2\nadd.s32 %r1, %r2, 1; call f;", "%r2"),
    ],
)
def test_a_register_that_nothing_wrote_is_not_read(code: str, register: str):
    """¦ stands before the reader; without it, the one of the function that is called is meant."""
    marked = f"{HEADER}{CALLED}.entry k() {{ {OWN}\n{code}\nret; }}"
    [found, *others] = findings(marked.replace("¦", ""))
    assert found.message == f"'{register}' is read here, and nothing has written it before"
    before = marked[: marked.index("¦" if "¦" in code else "add.s32")]
    place = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert (found.location.line, found.location.column) == place
    assert all("%r1" in other.message for other in others)


@pytest.mark.parametrize(
    "code",
    [
        "bra L; K: add.s32 %r1, %r2, 1; bra M;\nL: mov.u32 %r2, 5; bra K;\nM:",
        "setp.eq.u32 %p1, 1, 2; @%p1 bra L; mov.u32 %r2, 3;\nL: add.s32 %r1, %r2, 1;",
        "setp.eq.u32 %p1, 1, 2; @%p1 mov.u32 %r2, 3; add.s32 %r1, %r2, 1;",
        "L: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L;",
        "// implicit-def: %r2\nadd.s32 %r1, %r2, 1;",
        "add.cc.u32 %r1, 1, 2; addc.u32 %r1, 1, 2;",
    ],
)
def test_a_register_that_some_way_writes_is_read(code: str):
    """nvcc leaves one unwritten on ways where its value cannot matter."""
    text = f"{HEADER}.entry k() {{ {OWN}\n{code}\nret; }}"
    assert list(PLUGIN.read(text, "test.ptx").functions) == ["k"]


def test_a_finding_of_an_inlined_function_is_reported_once():
    above = ".func f () { alloca.u64 %rd1, 8; ret; }\n"
    assert len(findings(kernel("call f;\ncall f;", above))) == 1


def test_calls_that_would_grow_without_end(monkeypatch):
    """Forty functions that call the next one twice are 2^40 calls."""
    monkeypatch.setattr(made_code, "MOST_INSTRUCTIONS", 2000)
    chain = [f".func f{k} () {{ call f{k + 1}; call f{k + 1}; ret; }}\n" for k in range(40)]
    above = ".func f40 () { membar.gl; ret; }\n" + "".join(reversed(chain))
    [found] = findings(kernel("call f0;", above))
    assert "more than" in found.message and "fewer places" in found.hint


def test_calls_in_braces_in_calls():
    """Neither nested calls nor braces nor both run out of stack."""
    braces = "{" * 40 + "{}" + "}" * 40
    chain = [f".func f{k} () {{ {braces.format(f'call f{k + 1};')} }}\n" for k in range(40)]
    above = ".func f40 () { ret; }\n" + "".join(reversed(chain))
    assert "nested deeper than" in findings(kernel("call f0;", above))[0].message


def test_machines_of_other_kinds_refuse_ptx():
    with pytest.raises(InputError, match="itanium2 does not execute 'ptx' instructions"):
        PLUGIN.read(kernel(""), "test.ptx", load_machine("itanium2"))


def test_findings_print_their_line():
    [found] = findings(kernel("add.s32 %r1, %r2, %r44;"))
    assert str(found).splitlines() == [
        "test.ptx:9:19: error: '%r44' is not declared  [ptx]",
        "    add.s32 %r1, %r2, %r44;",
        "                      ^^^^",
        "    hint: '%r<40>' declares %r0 to %r39",
    ]


def test_the_page_names_every_modifier_that_is_left_out():
    page = (Path(ptx.__file__).parents[1] / "PTX.md").read_text()
    assert [word for word in DROPPED if f"`.{word}`" not in page] == []


def test_what_the_page_says_is_not_had_is_not():
    page = (Path(ptx.__file__).parents[1] / "PTX.md").read_text()
    names = re.findall(r"`(\w+)`", page.partition("- instructions of")[2].partition("\n\n")[0])
    assert len(names) > 8 and set(names) <= set(NOT_SUPPORTED) - HANDLERS.keys()
