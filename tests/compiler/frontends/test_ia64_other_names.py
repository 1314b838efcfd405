"""Names that no label of the file defines: aliases, functions of other files, distances of data."""

from __future__ import annotations

import subprocess

import pytest

from compiler.targets.epic.assembly import print_assembly
from tests.compiler.frontends.test_ia64_wild import MACHINE, findings, read, run
from tests.compiler.gnu_as import OBJCOPY, complaints, needs_gnu_as

CALLS = """
        .text
        .global main#
        .global report#
        .type other, @function
main:   alloc r33 = ar.pfs, 0, 4, 2, 0
        mov r34 = b0
        mov r8 = 5 ;;
{0}
        mov b0 = r34
        mov ar.pfs = r33 ;;
        br.ret.sptk.many b0 ;;
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cmp.eq p6, p7 = 6, r8 ;;\n(p6) br.call.sptk.many b0 = report# ;;", ("done", 5, None)),
        ("cmp.eq p6, p7 = 5, r8 ;;\n(p6) br.call.sptk.many b0 = report# ;;",
         ("fault", None, "undefined function 'report'")),
        ("br.call.sptk.many b0 = unknown ;;\nbr.call.sptk b0 = report ;;",
         ("fault", None, "undefined function 'unknown'")),
        ("br.cond.sptk.many other# ;;", ("fault", None, "undefined function 'other'")),
        ("break.b 0x1fffff ;;", ("fault", None, "undefined function")),
    ],
    ids=["not reached", "reached", "the first of two", "a jump", "a break of that number"],
)  # fmt: skip
def test_a_function_of_another_file_faults_with_its_name(text, expected, tmp_path):
    program = read(CALLS.format(text))
    assert program.name == "main"
    assert run(program)[:3] == expected
    again = read(print_assembly(program, MACHINE.description))
    assert (again.code.tolist(), run(again)[:3]) == (program.code.tolist(), expected)


def test_programs_that_fault_with_different_names_are_different():
    texts = [CALLS.format(f"br.call.sptk b0 = {name} ;;") for name in ("one", "two", "one")]
    first, second, again = (read(text).content_hash for text in texts)
    assert first == again != second


def test_the_name_is_declared_before_the_entry():
    text = ".global report\n" + CALLS.format("br.call.sptk b0 = report ;;")
    assert read(text).name == "main"


def test_a_jump_to_an_unknown_label_is_a_mistake():
    (said,) = findings("main: nop 0 ;;\n br.cond.sptk mian ;;\n")
    assert "no label 'mian'" in said
    (said,) = findings("main: nop 0 ;;\n br.call.sptk b0 = b8 ;;\n")
    assert "no label 'b8'" in said


ALIASES = """
        .text
        .global start
second = first
third = second + 16
        .set start, main#
first:  { nop 0 ;; }
        adds r8 = 4, r8
        br.ret.sptk.many b0 ;;
main:   alloc r33 = ar.pfs, 0, 4, 2, 0
        mov r34 = b0
        mov r8 = 1
        movl r14 = behind ;;
        ld8 r15 = [r14], -8
        addl r16 = @gprel(behind), gp ;;
        ld8 r16 = [r16]
        ld8 r14 = [r14] ;;
        add r15 = r15, r16
        br.call.sptk.many b0 = third ;;
        add r8 = r8, r15
        br.call.sptk.many b0 = second ;;
        add r8 = r8, r14
        mov b0 = r34
        mov ar.pfs = r33 ;;
        br.ret.sptk.many b0 ;;
        .data
table:  data8 100
        data8 1000
tables = table
behind = tables + 8
"""


@needs_gnu_as
def test_aliases_of_code_and_data(tmp_path):
    assert not complaints(ALIASES, tmp_path)
    program = read(ALIASES)
    assert (program.name, program.entry) == ("start", 2)
    assert run(program)[:3] == ("done", 1 + 4 + 2000 + 4 + 100, None)
    again = read(print_assembly(program, MACHINE.description))
    assert run(again) == run(program)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = b", "'b' is not a constant, nor a register or label of this file"),
        ("a = b\nb = a", "is not a constant, nor a register or label of this file"),
        ("a = f + 8", "'a' is 8 bytes from 'f', which is inside a bundle"),
        ("f = g\ng: nop 0", "'f' is defined twice"),
    ],
)
def test_aliases_of_nothing(text, said):
    assert any(said in found for found in findings(f"f: nop 0 ;;\n{text}\n"))


@needs_gnu_as
def test_a_label_may_stand_twice_in_one_place(tmp_path):
    text = (
        "f: .global f\nf: g: f: nop 0 ;;\n br.call.sptk b0 = f ;;\n .data\n"
        "t: u:\nt: data8 1\nv: v: data8 2\n .align 16\nw:\nw: data8 3\n"
    )
    assert not complaints(text, tmp_path)
    program = read(text)
    assert {b.name: b.count for b in program.buffers} == {"t": 0, "u": 1, "v": 1, "w": 1}
    for twice in (
        "f: nop 0\nf: nop 0\n",
        "nop 0 ;;\nf: .align 32\nf: nop 0\n",
        "nop 0\n.data\nt: data1 1\nt: data1 2\n",
        "f: nop 0 ;;\n.align 32\n.data\nf: data1 1\n",
    ):
        assert any("defined twice" in found for found in findings(twice)), twice


def test_registers_by_names_that_look_like_others():
    text = "array = r20\nr01 = r21\ncrest = f6\nrr = r22\nf: add r8 = array, r01\nfneg f7 = crest\n"
    program = read(text + "add r9 = rr, array\nzero = f0\nfma.d f8 = f6, f6, zero ;;\n")
    rows = [(program.operations[code[0]], *code[2:5]) for code in program.code.tolist()]
    assert ("add", 8, 20, 21) in rows and ("add", 9, 22, 20) in rows
    assert ("fmpy.d.s0", 8, 6, 6) in rows


DISTANCES = """
        .text
f:      adds r8 = after - before, r0
        addl r9 = before - after, r0
        nop 0 ;;
        .data
before: data1 1
        data8 after - before, before - after
        data2 after - before + 5
after:  data4 far - after
        .skip 40
far:    data1 far - before
"""


@needs_gnu_as
def test_distances_between_data_are_those_of_gnu_as(tmp_path):
    text = DISTANCES
    assert not complaints(text, tmp_path)
    raw = tmp_path / "data.bin"
    made = [OBJCOPY, "-O", "binary", "-j", ".data", tmp_path / "text.o", raw]
    subprocess.run(made, check=True)
    program = read(text)
    placed = b""
    for buffer in program.buffers:
        placed += bytes(-len(placed) % buffer.alignment) + (
            buffer.data or bytes(buffer.count * buffer.dtype.bytes)
        )
    assert placed == raw.read_bytes()
    rows = [(program.operations[code[0]], *code[2:5]) for code in program.code.tolist()]
    assert rows[:2] == [("adds", 8, 26, 0), ("addl", 9, -26, 0)]


def test_an_address_below_all_memory():
    text = "f: movl r14 = t - 0x20000\nmovl r15 = u ;;\nld8 r15 = [r15] ;;\nsub r8 = r14, r15\n"
    text += "br.ret.sptk.many rp ;;\n.data\nt: data8 1\nu: data8 t - 0x20000\n"
    assert run(read(text))[:3] == ("done", 0, None)


def test_distances_between_data_and_code_are_refused():
    for expression in ("t - f", "f - t"):
        (said,) = findings(f"f: nop 0\n.data\nt: data8 {expression}\n")
        assert f"'{expression}' is not a constant" in said


def test_distances_between_sections_are_refused():
    text = "f: adds r8 = a - b, r0\n.data\na: data8 1\n.rodata\nb: data8 a - b\n"
    first, second = findings(text)
    assert "'a - b' is not a constant" in first and "'a - b' is not a constant" in second


WALK = """
        .text
f:      movl r14 = tab ;;
        ld8 r8 = [r14], 8 ;;
        ld8 r9 = [r14], 8
        nop 0 ;;
        ld4 r10 = [r14], {0}
        add r8 = r8, r9 ;;
        ld8 r11 = [r14], -24
        add r8 = r8, r10 ;;
        add r8 = r8, r11 ;;
        ld8 r9 = [r14] ;;
        add r8 = r8, r9
        br.ret.sptk.many rp ;;
        {1}
tab:    data8 1
tab2:   data8 42
tab3:   data4 500
tab4:   data8 7000
        .data
other:  data8 -1
"""


@pytest.mark.parametrize("section", [".data", ".rodata", '.section .mine, "a", @progbits'])
def test_a_walk_from_label_to_label(section):
    assert run(read(WALK.format(8, section)))[:3] == ("done", 1 + 42 + 500 + 7000 + 1, None)


def test_a_walk_off_the_end_of_a_section():
    assert run(read(WALK.format(-256, ".rodata")))[:3] == ("fault", None, "out of bounds")
