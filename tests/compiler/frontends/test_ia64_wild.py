"""Assembly as libraries and kernels have it: what GNU as takes means the same here."""

from __future__ import annotations

import subprocess

import pytest

from compiler.frontends.ia64 import PLUGIN
from compiler.targets.epic.assembly import print_assembly
from compiler.targets.epic.interpret import interpret
from compiler.targets.epic.standalone import standalone
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.epic.program import BundleProgram
from tests.compiler.frontends.test_ia64_bundling import check_bundles
from tests.compiler.gnu_as import OBJCOPY, complaints, needs_gnu_as
from tests.sim.epic.epic_runs import simulate
from tests.sim.epic.test_core_against_reference import memory_of

MACHINE = load_machine("itanium2")


def read(text: str) -> BundleProgram:
    return PLUGIN.read(text, "test.s", MACHINE)


def findings(text: str) -> list[str]:
    """What is said of a text, each with its hint."""
    with pytest.raises(InputError) as caught:
        read(text)
    return [f"{found.message}; {found.hint}" for found in caught.value.diagnostics]


FRAMES = (
    "alloc loc0 = ar.pfs, 2, 3, 1, 0\n",
    "alloc loc2 = ar.pfs, 2, 3, 1, 0\n",
    "alloc in1 = ar.pfs, 2, 3, 1, 0\n",
    "alloc out0 = ar.pfs, 2, 3, 1, 0\n",
    "alloc loc0 = 2, 3, 1, 0\n",
    "alloc r14 = ar64, 0, 16, 0, 8\n",
    "N = 3\nalloc loc1 = ar.pfs, N, N*2, 1, 8\n",
    "saved = r34\nalloc saved = ar.pfs, 2, 3, 1, 0\n",
    "alloc loc0 = ar.pfs, 2, 3, 1, 0\nkeep = loc1\nmov keep = b0\n",
    "(p0) alloc loc1 = ar.pfs, 2, 3, 1, 0\n",
    "alloc loc0 = ar.pfs, 8, 3, 1, 0\nalloc loc0 = ar.pfs, 2, 3, 1, 0\n ;;\nadd out0 = in1, loc0\n",
    ".regstk 2, 3, 1, 0\nadd loc0 = in0, in1\n",
    ".regstk 2, 3, 1, 0\n.regstk 1, 1, 1, 0\nadd loc0 = in0, out0\n",
    ".regstk 0, 16, 0, 8\n.rotr a[4], b[4]\nadd a[1] = b[0], r3\n",
    "alloc r14 = ar.pfs, 0, 16, 0, 8\n.rotr a[4], b[4]\n ;;\nadd a[1] = b[0], a[0]\n",
    "alloc r14 = ar.pfs, 0, 16, 0, 8\n.rotr a[4]\n.rotr c[2], d[6]\n ;;\nadd c[1] = c[0], d[5]\n",
    ".rotf x[3], y[2]\n.rotp s[3]\n(s[1]) fma.d x[0] = y[1], x[2], f0\n",
)  # fmt: skip
WRONG_FRAMES = (
    "alloc r14 = ar.pfs, 2, 3, 1\n",
    "alloc saved = ar.pfs, 2, 3, 1, 0\n",
    "alloc loc5 = ar.pfs, 2, 3, 1, 0\n",
    "(p6) alloc loc1 = ar.pfs, 2, 3, 1, 0\n",
    "alloc r14 = ar.pfs, 0, 16, 0, 9\n",
    "alloc r14 = ar.pfs, 97, 0, 0, 0\n",
    "alloc r14 = ar.pfs, 0, 1, 1, 8\n",
    ".regstk 2, 3, 1\nadd loc0 = in0, in1\n",
    ".regstk\nadd loc0 = in0, in1\n",
    "alloc r14 = ar.pfs, 0, 16, 0, 8\n.rotr a[9]\n ;;\nadd a[1] = a[0], r2\n",
)


@needs_gnu_as
@pytest.mark.parametrize("text", FRAMES)
def test_frames_are_those_of_gnu_as(text, tmp_path):
    check_bundles(text, tmp_path)


@needs_gnu_as
@pytest.mark.parametrize("text", WRONG_FRAMES)
def test_frames_that_gnu_as_refuses(text, tmp_path):
    assert complaints(text, tmp_path)
    assert findings(text)


SECTIONS = (
    '.section weird,"a"\nt: data8 1\n',
    '.section "weird", "aw", @progbits\nt: data8 1\n',
    '.section weird, "aw", @nobits\nt: .skip 8\n',
    '.section weird,"aMS",@progbits,1\nt: stringz "a"\n',
    '.section weird,"aG",@progbits,group,comdat\nt: data8 1\n',
    ".section weird,#alloc\nt: data8 1\n",
    ".section .data.weird\nt: data8 1\n",
    ".section .tdata\nt: data8 1\n",
    ".section .init_array\nt: data8 1\n",
    ".data 1\nt: data8 1\n",
    ".comm t, 64, 16\n",
    ".lcomm t, 8*8, 16\n",
    '.pushsection __ex_table,"a"\nt: data8 1\n.popsection\n',
)


@needs_gnu_as
@pytest.mark.parametrize("section", SECTIONS)
def test_data_in_sections_of_any_name(section, tmp_path):
    text = f"nop 0\n{section}.text\nmovl r14 = t\n"
    assert not complaints(text, tmp_path)
    assert [buffer.name for buffer in read(text).buffers] == ["t"]


def test_tables_that_no_name_reaches_are_passed_over():
    program = read(
        '.data\nt: data8 1\n.text\n1: nop 0\n.section "__ex_table", "a"\ndata4 1b - ., 8\n'
        '.previous\nnop 0\n.section strange\ndata8 a - b\nname: data4 @secrel(x)\n'
        '.section .gcc_except_table,"a",@progbits\n.uleb128 4\n.data\ndata8 2\n.text\nnop 0\n'
    )  # fmt: skip
    assert [(b.name, b.size) for b in program.buffers] == [("t", 16)]


def test_code_in_other_sections_stands_behind():
    """Where a section is left and taken up again, one falls through from its first part."""
    program = read(
        'main: nop.m 1\n.section .fixup,"ax"\nmend: nop.m 2\n.previous\nnop.m 3\n'
        ".text 1\nnop.m 4\n.subsection 0\nnop.m 5\n"
    )
    numbers = [row[2] for row in program.code[::3].tolist()]
    assert numbers == [1, 3, 5, 4, 2]
    assert program.labels == {0: "main", 4: "mend"}


@needs_gnu_as
def test_common_symbols_of_this_file_name_their_alignment(tmp_path):
    text = "nop 0\n.lcomm t, 64\n"
    assert complaints(text, tmp_path)
    (said,) = findings(text)
    assert "takes a size and an alignment" in said


@pytest.mark.parametrize("flags", [', "q"', "", ', "a"'])
def test_one_wrong_section_is_one_message(flags):
    code = "".join(f"label{n}: add r14 = r15, r16 ;;\n" for n in range(3))
    (said,) = findings(f"nop 0\n.section code{flags}\n{code}")
    assert '"ax"' in said


# ------------------------------------------------------- addresses from gp, in data; the stack

ADDRESSES = """
        .data
other:  data8 5, 6
table:  data8 1, 2, 3, here, table + 16, there
        .section .sdata, "aw"
small:  data4 42
        .text
        .global main
main:   alloc loc0 = ar.pfs, 0, 3, 0, 0
        mov loc1 = gp
        mov loc2 = b0
        adds sp = -32, sp ;;
        st8 [sp] = gp
        addl r14 = @ltoff(table), gp
        addl r15 = @gprel(small), gp ;;
        ld8 r14 = [r14]
        ld4 r16 = [r15] ;;
        adds r14 = 32, r14 ;;
        ld8 r17 = [r14] ;;
        ld8 r8 = [r17]                          // table[2]
        addl r18 = @ltoffx(table+8), gp ;;
        ld8.mov r18 = [r18], table ;;
        ld8 r18 = [r18] ;;                      // table[1]
        add r8 = r8, r16 ;;
        add r8 = r8, r18
        add r19 = @ltoff(there), gp ;;
        ld8 r19 = [r19]
        movl r20 = table + 40 ;;
        ld8 r20 = [r20]
        mov b6 = r19 ;;
        cmp.eq p6, p7 = r19, r20
        br.call.sptk.many b0 = b6 ;;
(p6)    adds r8 = 1000, r8
        ld8 gp = [sp]
        adds sp = 32, sp
        mov b0 = loc2
        mov ar.pfs = loc0 ;;
        br.ret.sptk.many b0 ;;
here:   nop 0 ;;
there:  adds r8 = 500, r8
        movl r21 = @gprel(there) ;;
        add r21 = r21, gp ;;
        cmp.ne p7, p0 = r21, r19 ;;
(p7)    adds r8 = 1, r8
        br.ret.sptk.many b0 ;;
"""


def run(program: BundleProgram, machine=MACHINE) -> tuple:
    """Status, value, kind of fault and stack pointer, in which interpreter and core agree."""
    found = []
    for execute in (
        lambda memory: interpret(program, memory, machine=machine),
        lambda memory: simulate(program, machine, memory, {}),
    ):
        memory = memory_of(program, {})
        outcome = execute(memory)
        registers = getattr(outcome, "registers", outcome)
        fault = outcome.fault and outcome.fault.kind
        found.append((outcome.status, outcome.value, fault, registers.gr[12]))
    assert found[0] == found[1]
    return found[0]


@needs_gnu_as
def test_addresses_of_own_names(tmp_path):
    assert not complaints(ADDRESSES, tmp_path)
    program = read(ADDRESSES)
    assert run(program)[:3] == ("done", 3 + 42 + 2 + 500 + 1000, None)
    again = read(print_assembly(program, MACHINE.description))
    assert (again.buffers, again.symbols) == (program.buffers, program.symbols)
    assert sorted(again.addresses) == sorted(program.addresses)
    assert run(again) == run(program)
    emitted = standalone(program, MACHINE.description, [], {})
    assert not complaints(emitted, tmp_path)
    assert read(emitted)


DISTANCES = """
        .text
main:   mov r14 = ip ;;
1:      adds r14 = there - main, r14 ;;
        mov b6 = r14
        br.sptk.few b6 ;;
there:  mov r8 = 7 ;;
2:      br.ret.sptk.many b0 ;;
        .data
t:      data8 there - main, N + 1
        data4 there - 1b, 1b - there
        data2 2b - main
        data1 'a', (there - main) / 16
N = 5
"""


@needs_gnu_as
def test_distances_between_labels(tmp_path):
    assert not complaints(DISTANCES, tmp_path)
    program = read(DISTANCES)
    assert run(program)[:2] == ("done", 7)
    raw = tmp_path / "data.bin"
    subprocess.run([OBJCOPY, "-O", "binary", "-j", ".data", tmp_path / "text.o", raw], check=True)
    assert program.buffers[0].data == raw.read_bytes()


def test_one_address_of_nothing_is_said_before_the_run():
    program = read("addl r14 = @ltoff(nowhere), gp ;;\nld8 r14 = [r14] ;;\nbr.ret.sptk b0\n")
    with pytest.raises(InputError, match="'nowhere', which is no buffer"):
        memory_of(program, {})


DEEP = """
main:   adds r14 = SCRATCH, sp
        mov r15 = 100 ;;
        st8 [r14] = r15
1:      st8 [sp] = r15, -16
        adds r15 = -1, r15 ;;
        cmp.ne p6, p0 = 0, r15
(p6)    br.cond.dptk 1b ;;
        adds sp = 1600, sp
        mov r8 = 7
        br.ret.sptk.many b0 ;;
"""
"""One hundred frames of 16 bytes, and a store to the scratch area above the first."""


@pytest.mark.parametrize(("scratch", "kind"), [(8, None), (16, "out of bounds")])
def test_a_stack_that_standard_code_finds(scratch, kind):
    status, value, fault, pointer = run(read(DEEP.replace("SCRATCH", str(scratch))))
    assert fault == kind
    assert pointer % 16 == 0
    assert (status, value) == (("fault", None) if kind else ("done", 7))


@pytest.mark.parametrize(("kib", "kind"), [(1, "out of bounds"), (2, None)])
def test_the_stack_is_as_large_as_the_machine_says(kib, kind):
    machine = load_machine("itanium2", (f"memory.stack={kib}KiB",))
    program = PLUGIN.read(DEEP.replace("SCRATCH", "8"), "test.s", machine)
    assert run(program, machine)[2] == kind


def test_a_program_that_names_no_stack_pointer_has_no_stack():
    assert read("mov r8 = 1 ;;\nbr.ret.sptk b0\n").buffers == []
    assert [b.name for b in read("mov r8 = sp ;;\nbr.ret.sptk b0\n").buffers] == ["stack"]


NOT_MODELLED = {
    "speculation": (
        "ld8.s r2=[r3]|ld8.sa r2=[r3]|ld8.a r2=[r3]|ld8.c.clr r2=[r3]|ld8.c.clr.acq r2=[r3]|"
        "ldfd.s f6=[r3]|ldfpd.s f6,f7=[r3]|chk.s r2,foo|chk.s.i r2,foo|chk.a.nc r2,foo|"
        "tnat.z p6,p7=r3|tnat.nz p6,p7=r3|invala|invala.e r2"
    ),
    "SIMD": (
        "fpma f6=f7,f8,f9|fpack f6=f7,f8|fswap f6=f7,f8|fmix.lr f6=f7,f8|fsxt.l f6=f7,f8|"
        "fpabs f6=f7|fpcmp.eq f6=f7,f8|fpcvt.fx f6=f7|fpmerge.s f6=f7,f8|fprcpa f6,p6=f7,f8"
    ),
    "multimedia": (
        "padd1 r2=r3,r4|psub4 r2=r3,r4|pavgsub1 r2=r3,r4|pcmp1.eq r2=r3,r4|"
        "psad1 r2=r3,r4|pshladd2 r2=r3,1,r4|"
        "unpack1.h r2=r3,r4|unpack2.l r2=r3,r4|pack2.sss r2=r3,r4|mix4.r r2=r3,r4|"
        "mux1 r2=r3,@shuf|czx2.l r2=r3"
    ),
    "system": (
        "rsm 1|srlz.d|itc.i r2|ptr.d r2,r3|tak r2=r3|probe.r r2=r3,r4|sync.i|fwb|vmsw.0|fc.i r2"
    ),
    "this form of control flow": ("rfi|bsw.0|br.ia.sptk b6|cover|flushrs|brl.sptk foo"),
    "ar.fpsr": ("fchkf.s1 foo|fclrf.s1"),
    "16 bytes": ("ld16 r2,ar.csd=[r3]|st16 [r2]=r3,ar.csd|cmp8xchg16.acq r2=[r3],r4,ar.csd,ar.ccv"),
    "later processors": ("clz r2=r3|mpy4 r2=r3,r4|mpyshl4 r2=r3,r4|tf.z p6,p7=32"),
    "hints": ("hint @pause|hint.m 0"),
    "'ar.unat'": ("mov r2 = ar.unat"),
    "'pmd'": ("mov r2 = pmd[r3]"),
}


@pytest.mark.parametrize("reason", NOT_MODELLED)
def test_what_is_not_modelled_says_so(reason):
    """Everything the architecture has and the rows lack; never 'unknown'."""
    for instruction in NOT_MODELLED[reason].split("|"):
        (said,) = findings(f"foo: nop 0\n{instruction}\n")
        assert reason in said and "not modelled" in said, (instruction, said)
