"""Where kernels' variables lie, where their code comes from, and what a module holds."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from compiler.frontends.ptx import PLUGIN
from machines.diagnostics import Location
from machines.kinds.simt.program import KernelParameter
from machines.types import F32, F64, I8, I16, I32, I64, PTR
from tests.compiler.frontends.ptx_runs import FOLDER, HEADER, fixture, kernel, only, read


def test_parameters_are_aligned():
    frame = fixture("memory").functions["spaces"].frame
    assert [(p.type, p.offset, p.bytes, p.alignment) for p in frame.parameters] == [
        (I64, 0, 8, 8),
        (None, 8, 24, 8),
        (I64, 32, 8, 8),
        (None, 48, 16, 16),
        (I32, 64, 4, 4),
        (I8, 68, 1, 1),
        (I8, 69, 1, 1),
    ]
    assert frame.most_threads == 64


def test_types_of_parameters():
    types = ["u8", "s16", "u32", "f32", "f64", "s64", "u64", "b64"]
    text = ", ".join(f".param .{name} p{k}" for k, name in enumerate(types))
    made = only(f"{HEADER}.entry k({text}) {{ ret; }}")
    assert [p.type for p in made.frame.parameters] == [I8, I16, I32, F32, F64, I64, I64, I64]
    assert [p.name for p in made.frame.parameters if p.signed] == ["p1", "p5"]
    pointer = only(f"{HEADER}.entry k(.param .u64 .ptr .global .align 16 p) {{ ret; }}")
    assert pointer.frame.parameters == [KernelParameter("p", PTR, 0, 8, 8)]


def test_shared_memory():
    frame = fixture("memory").functions["spaces"].frame
    assert [(name.split("E")[-1], *rest) for name, *rest in frame.shared_names] == [
        ("4tile", 0, 4224),
        ("4part", 4224, 8),
        ("3raw", 4240, 40),
        ("bar.red", 4280, 4),
    ]
    assert (frame.shared, frame.dynamic_alignment) == (4284, 16)
    assert fixture("control").functions["branches"].frame.shared == 0


SHARED = """
.shared .align 8 .b8 unused[800];
.shared .b8 byte;
.shared .align 8 .b8 words[12];
.extern .shared .align 16 .b8 small[];
.extern .shared .align 32 .b8 large[];
.func f () { .shared .f32 own; .reg .f32 %f; ld.shared.f32 %f, [own]; ret; }
"""


def test_dynamic_shared_memory_stands_behind_the_static():
    """Only what a kernel and its callees name is laid out; dynamic arrays begin at one place."""
    body = """ld.shared.u8 %r1, [byte]; ld.shared.u32 %r2, [words+8]; call f;
        mov.u32 %r3, small; mov.u64 %rd1, large;"""
    made = only(kernel(body, SHARED))
    assert made.frame.shared_names == [("byte", 0, 1), ("words", 8, 12), ("own", 20, 4)]
    assert (made.frame.shared, made.frame.dynamic_alignment) == (24, 32)
    addresses = [
        i.operands[0] for _, i in made.instructions() if i.operation.name.startswith("mov.b")
    ]
    assert addresses[-2:] == [32, 32]


def test_local_memory_of_a_function_is_there_once():
    above = """.func f () {
        .local .align 16 .b8 depot[20]; .reg .b32 r; ld.local.u32 r, [depot]; ret; }"""
    body = ".local .b8 own[3]; ld.local.u8 %r1, [own]; call f; call f;"
    assert only(kernel(body, above)).frame.local == 16 + 20


def test_buffers():
    above = """.const .align 4 .b8 table[6] = {1, 0, 255};
        .global .align 8 .f64 d[2] = {1.0, 2}; .global .u32 zeros[7];
        .visible .const .f32 x = 0f3F800000;
        .weak .global .align 4 .u16 nested[2][2] = {{1}, {3, 0xFFFF}};"""
    names = ("table", "d", "zeros", "x", "nested")
    body = "".join(f"mov.u64 %rd1, {name};" for name in names)
    buffers = read(kernel(body, f"{above} .global .b8 unused[9];")).buffers
    described = {name: (b.dtype, b.count, b.space, b.data) for name, b in buffers.items()}
    assert described == {
        "table": (I8, 6, "constant", b"\1\0\xff\0\0\0"),
        "d": (F64, 2, "global", bytes.fromhex("000000000000f03f0000000000000040")),
        "zeros": (I32, 7, "global", None),
        "x": (F32, 1, "constant", b"\0\0\x80\x3f"),
        "nested": (I16, 4, "global", bytes.fromhex("010000000300ffff")),
    }


def test_registers_have_types():
    body = """mov.u32 %r1, 1; mov.f32 %f1, 1.0; mov.b16 %rs1, 1; mov.f64 %fd1, 1.0; mov.pred %p1, 1;
        mov.b64 %rd1, 1; { .reg .f32 x; mov.f32 x, %f1; }"""
    types = only(kernel(body)).types
    wanted = {"%r1": I32, "%f1": F32, "%rs1": I16, "%fd1": F64, "%rd1": I64, "%x": F32}
    assert {name: types[name] for name in wanted} == wanted
    assert "%r2" not in types


@pytest.fixture(name="beside")
def beside_fixture(tmp_path: Path) -> Path:
    """A PTX file with the CUDA source beside it, elsewhere."""
    for suffix in (".cu", ".ptx"):
        shutil.copy(FOLDER / f"control{suffix}", tmp_path)
    return tmp_path / "control.ptx"


def test_code_stands_in_the_cuda_source(beside: Path):
    module = PLUGIN.read(beside.read_text(), str(beside))
    source = beside.with_suffix(".cu")
    lines = source.read_text().splitlines()
    assert module.source == source.read_text()
    for row, text in (
        ("vote.sync.ballot.b32", "__ballot_sync"),
        ("redux.sync.add.s32", "__reduce_add"),
    ):
        places = [i.location for f in module.functions.values() for _, i in f.instructions()
                  if i.operation.name == row]  # fmt: skip
        assert all(place.file == str(source) for place in places)
        assert text in lines[places[0].line - 1]
    assert "warps(int" in lines[module.functions["warps"].location.line - 1]


def test_code_stands_in_the_ptx_file_if_there_is_no_source(beside: Path):
    beside.with_suffix(".cu").unlink()
    text = beside.read_text()
    module = PLUGIN.read(text, str(beside))
    assert module.source == text
    for function in module.functions.values():
        for _, instruction in function.instructions():
            place = instruction.location
            assert place.file == str(beside)
            line = text.splitlines()[place.line - 1]
            assert place.length > 1 and line[place.column - 1 :].strip()
    assert module.functions["calls"].location == Location(str(beside), 270, 17, 5)


def test_code_of_a_header_stands_where_it_was_inlined(tmp_path: Path):
    (tmp_path / "a.cu").write_text("\n" * 9)
    body = """.loc 2 77 3, function_name $x, inlined_at 1 4 5
        mov.u32 %r1, 1;
        .loc 2 78 3
        mov.u32 %r2, 1;
        .loc 1 0 3
        mov.u32 %r3, 1;
        .loc 1 6 0
        mov.u32 %r4, 1;"""
    text = kernel(body) + '.file 1 "/elsewhere/a.cu"\n.file 2 "/elsewhere/b.h"\n'
    [function] = PLUGIN.read(text, str(tmp_path / "a.ptx")).functions.values()
    places = {i.results[0]: i.location for _, i in function.instructions() if i.results}
    file = str(tmp_path / "a.cu")
    assert [places[f"%r{k}"] for k in (1, 2, 3, 4)] == [
        *[Location(file, 4, 5)] * 3,
        Location(file, 6, 1),
    ]


def test_work_is_linear():
    """Four times the text takes about four times the calls."""

    def calls(count: int) -> int:
        part = """add.s32 %r1, %r2, 1; setp.lt.s32 %p1, %r1, 5; @%p1 bra L{};
            ld.u32 %r3, [%rd0]; L{}: st.local.u32 [%rd1], %r3;
            """
        text = kernel("".join(part.format(k, k) for k in range(count)))
        made = 0

        def note(frame, event, argument):
            nonlocal made
            made += event in ("call", "c_call")

        sys.setprofile(note)
        try:
            read(text)
        finally:
            sys.setprofile(None)
        return made

    calls(50)
    assert calls(400) < 4.5 * calls(100)


def test_wide_declarations_take_no_room():
    text = kernel(".reg .b32 %q<9000000>; mov.u32 %q8999999, 1;")
    assert "%q8999999" in only(text).types
