"""Findings of a PTX text come all at once: those of reading, of lowering, and of what stands
outside of functions; many of a form are shown by their lines; what only follows is left out."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from compiler.frontends.ptx import PLUGIN
from compiler.frontends.ptx.findings import MOST_FORMS, OF_A_FORM
from machines.diagnostics import Diagnostic, InputError
from tests.compiler.frontends.ptx_runs import HEADER, kernel, only
from tests.compiler.frontends.ptxas import PTXAS, needs_ptxas

LINE = 8


def findings(text: str) -> list[Diagnostic]:
    with pytest.raises(InputError) as caught:
        PLUGIN.read(text, "test.ptx")
    return caught.value.diagnostics


FAULTS = {
    "mov.u32 %r1, 5,;": "expected an operand",
    "add.s32 %r1 %r2, 1;": "expected ';'",
    ".shared .align 3 .b8 odd[4];": "power of two",
    "add.s33 %r1, %r2, 1;": "no type '.s33'",
    "mov.u32 %r1, nothing;": "'nothing' is not declared",
    "bra NOWHERE;": "no label 'NOWHERE'",
    "call nobody;": "no function 'nobody'",
    "vadd2;": "'vadd2' is not supported",
    "add.f32 %f1, %fd1, %f2;": "is a .f64 register",
}
"""A line, and what is said of it: by the parser, the search for functions, and lowering."""


def test_no_finding_hides_another():
    """Any of them, in any order: each line has its finding and no other."""
    rng = random.Random(7)
    for _ in range(40):
        lines = rng.sample(list(FAULTS), rng.randint(2, len(FAULTS)))
        found = findings(kernel("\n".join(lines)))
        assert [one.location.line - LINE - 1 for one in found] == list(range(len(lines)))
        for line, one in zip(lines, found, strict=True):
            assert FAULTS[line] in one.message


@pytest.mark.parametrize("above", [".visibl .b8 a;", ".global .align 3 .b8 a[2];"])
def test_what_is_wrong_outside_hides_nothing(above: str):
    found = findings(kernel("add.s33 %r1, %r2, 1;\nbra NOWHERE;", above))
    assert [one.location.line for one in found] == [4, LINE + 1, LINE + 2]


@pytest.mark.parametrize(
    "code",
    [
        ".reg .b33 %q<4>; mov.u32 %q1, 5; add.s32 %q2, %q1, %q1;",
        ".reg .b33 one; mov.u32 one, 5;",
        ".shared .align 3 .b8 s[4]; mov.u32 %r1, s; ld.shared.u32 %r1, [s];",
        "T: .branchtargets 5; brx.idx %r1, T;",
        "{ .reg .b33 %q<4>; { mov.u32 %q1, 5; } }",
    ],
)
def test_what_only_follows_is_left_out(code: str):
    assert len(findings(kernel(code))) == 1


def test_what_follows_from_a_broken_head_is_left_out():
    text = ".func f (.param .b33 n) { ret; }\n.entry k(.param .b33 a) { .reg .b32 %r<2>;\n"
    text += "ld.param.u32 %r1, [a]; .param .b32 p; st.param.b32 [p], %r1; call f, (p); ret; }"
    assert [one.location.line for one in findings(HEADER + text)] == [4, 5]
    text = ".func f ( { ret; }\n.entry k() { call f; ret; }"
    assert [one.location.line for one in findings(HEADER + text)] == [4]


def test_many_of_a_form_are_shown_by_their_lines():
    lines = [f"add.s32 %r1, %r2, %q{k};" for k in range(150)] + ["vadd2;"] * 3 + ["ad.s32 %r1;"]
    found = findings(kernel("\n".join(lines)))
    assert len(found) == OF_A_FORM + 1 + 3 + 1
    more = found[OF_A_FORM]
    assert more.message.startswith(f"'%q{OF_A_FORM}' is not declared")
    assert f"{150 - OF_A_FORM} times" in more.message
    first = LINE + 1 + OF_A_FORM
    assert more.hint.startswith(f"lines {first}, {first + 1}, ")
    assert more.hint.endswith(f"up to line {LINE + 150}")
    assert "ad.s32" in found[-1].message


def test_forms_beyond_what_is_shown_are_counted():
    lines = [f"foo{k};" for k in range(MOST_FORMS + 30)]
    found = findings(kernel("\n".join(lines)))
    assert len(found) == MOST_FORMS + 1
    assert found[-1].message == "30 more findings, of 30 other forms"


GOOD = [
    ".global .b32 t[4] = {}; .entry k() { .reg .b64 %r<2>; mov.u64 %r1, t; ret; }",
    ".const .b8 t[2][3] = {{}, {1}}; .entry k() { .reg .b64 %r<2>; mov.u64 %r1, t; ret; }",
    ".func g; .func f { ret; } .alias g, f; .entry k() { call g; ret; }",
    ".entry k() { .reg .b128 %q<4>; .reg .b128 one; ret; }",
    ".entry k() .reqnctapercluster 1 .explicitcluster { ret; }",
    ".entry k() .explicitcluster { ret; }",
    ".entry k() .reqntid 8 .reqnctapercluster 1, 1, 1 .blocksareclusters { ret; }",
    ".global .b32 t[4]; .entry k() { .reg .b64 %r<2>; mov.u64 %r1, t[3]; ret; }",
    ".global .b32 t[3] = {1+1, 2*3, -(4)}; .entry k() { .reg .b64 %r<2>; mov.u64 %r1, t; ret; }",
]
"""What ptxas takes."""


@pytest.mark.parametrize("text", GOOD)
def test_what_ptxas_takes_is_taken(text: str):
    assert list(PLUGIN.read(HEADER + text, "test.ptx").functions) == ["k"]


@needs_ptxas
def test_ptxas_takes_it(tmp_path: Path):
    for number, text in enumerate(GOOD):
        source = tmp_path / f"{number}.ptx"
        source.write_text(HEADER + text)
        arguments = [PTXAS, "-arch=sm_90", source, "-o", tmp_path / "made.cubin"]
        made = subprocess.run(arguments, capture_output=True, text=True)
        assert made.returncode == 0, (text, made.stderr)


def test_an_alias_calls_the_function_it_names():
    above = ".func (.reg .b32 r) g; .func (.reg .b32 r) f { mov.u32 r, 7; ret; } .alias g, f;"
    through, direct = (
        only(kernel(f"call (%r1), {name}; st.global.u32 [%rd0], %r1;", above)) for name in "gf"
    )
    names = [[i.operation.name for _, i in one.instructions()] for one in (through, direct)]
    assert names[0] == names[1] and "mov.b32" in names[0]


@pytest.mark.parametrize(
    "text, message",
    [
        (".alias g, f;", "'g' is no function that is only declared above"),
        (".func g; .alias g, f;", "'f' is no function that is defined above"),
        (".func g { ret; } .func f { ret; } .alias g, f;", "'g' is no function that is only"),
        (".func g; .entry f() { ret; } .alias g, f;", "'f' is no function that is defined"),
    ],
)
def test_aliases_that_are_none(text: str, message: str):
    [found] = findings(f"{HEADER}{text} .entry k() {{ ret; }}")
    assert message in found.message


LINES = """
.file 1 "PATH"
.entry k(.param .u64 p) {
.reg .b64 %rd<3>; .reg .b32 %r<3>;
.loc 1 3 1
ld.param.u64 %rd1, [p];
.loc 1 5 1
// begin inline asm
.loc 1 5 1
ld.global.u32 %r1, [%rd1];
.loc 1 6 1
ld.global.u32 %r2, [%rd1];
// end inline asm
st.global.u32 [%rd1], %r1;
.loc 1 9 1
st.global.u32 [%rd1], %r2;
ret; }
"""


def test_lines_within_an_asm_block_are_those_of_its_statement(tmp_path: Path):
    """LLVM counts on with each line of the block, into the lines behind the statement."""
    (tmp_path / "k.cu").write_text("\n" * 9)
    module = PLUGIN.read(HEADER + LINES.replace("PATH", "k.cu"), str(tmp_path / "k.ptx"))
    [function] = module.functions.values()
    lines = [i.location.line for _, i in function.instructions() if "exit" not in i.operation.name]
    assert lines == [3, 5, 5, 5, 9]


def test_a_source_is_found_where_the_file_directive_says(tmp_path: Path):
    """Beside the PTX file first; a relative path elsewhere means nothing here."""
    source, ptx = tmp_path / "src" / "k.cu", tmp_path / "made" / "k.ptx"
    source.parent.mkdir()
    ptx.parent.mkdir()
    source.write_text("\n" * 9)

    def place(path: str) -> str:
        module = PLUGIN.read(HEADER + LINES.replace("PATH", path), str(ptx))
        return module.functions["k"].location.file

    assert place(str(source)) == str(source)
    assert place(str(tmp_path / "nowhere" / "k.cu")) == place("src/k.cu") == str(ptx)
    beside = ptx.parent / "k.cu"
    beside.write_text("\n" * 9)
    assert place(str(source)) == str(beside)


@pytest.mark.parametrize("end", ["\0", "\0\0\n", "\0 what was there before # .entry"])
def test_a_text_ends_at_its_first_nul(end: str):
    """nvrtcGetPTX writes one, and who stores its buffer keeps it."""
    assert list(PLUGIN.read(kernel("") + end, "test.ptx").functions) == ["k"]
