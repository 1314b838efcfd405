"""Names that Numba mangles, TTIR, entries of PTX: what is read of what generators write."""

from __future__ import annotations

import pytest

from sim.kinds.simt.generators.entries import Declared, entries
from sim.kinds.simt.generators.numba.mangled import Array, NotMangled, Number, is_mangled, signature
from sim.kinds.simt.generators.triton.ttir import Said, parameters

PATH = "_ZN8__main__5saxpyB2v1B9cw51cXTLSE"
NUMBERS = ["f32", "f64", "i32", "u32", "i64", "u64", "i8", "u8", "i16", "u16", "boolean"]
ARRAY = "5ArrayIfLi{}E1{}7mutable7alignedE"


@pytest.mark.parametrize(
    ("types", "read"),
    [
        ("", ()),
        ("f", (Number("f32"),)),
        (
            "fdijxyahstb",
            tuple(
                map(
                    Number,
                    ["f32", "f64", "i32", "u32", "i64", "u64", "i8", "u8", "i16", "u16", "boolean"],
                )
            ),
        ),
        (ARRAY.format(1, "C"), (Array("f32", 1, "C"),)),
        (ARRAY.format(3, "A") + "i", (Array("f32", 3, "A"), Number("i32"))),
        ("i" + ARRAY.format(2, "F") + "d", (Number("i32"), Array("f32", 2, "F"), Number("f64"))),
        ("5ArrayIDhLi1E1C7mutable7alignedE", (Array("f16", 1, "C"),)),
    ],
)
def test_types_of_mangled_names(types: str, read: tuple):
    assert signature(PATH + types) == ("saxpy", read)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("saxpy", "'saxpy' is not mangled"),
        (PATH + "8UniTuple", "a parameter of type 'UniTuple'"),
        (PATH + "q", "no length stands before 'q'"),
        (PATH + "99Array", "'99Array' ends too early"),
        (PATH + "5ArrayI5ArrayIfLi1E1C7mutable7alignedELi1E1CE", "an array of arrays"),
    ],
)
def test_what_is_no_name_of_numbas(name: str, said: str):
    with pytest.raises(NotMangled, match=said):
        signature(name)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [(PATH, True), ("_Z5saxpyPf", False), ("_ZN2ns5saxpyEPf", False), ("_ZN5tags1aB2abEv", False)],
)
def test_only_numba_gives_its_names_versions(name: str, is_one: bool):
    assert is_mangled(name) == is_one


def test_ttir_says_names_types_and_divisors():
    text = """module {
  tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x"(#loc)), %q: !tt.ptr<bf16>,
      %n: i32 {tt.divisibility = 16 : i32} loc("n"(#loc)), %s: f32 loc("s"(#loc)),
      %d: !tt.tensordesc<tensor<32x64xf16>>) attributes {noinline = false} {"""
    assert parameters(text) == (
        "k",
        (
            Said("x", "!tt.ptr<f32>", "f32", 16), Said("q", "!tt.ptr<bf16>", "bf16"),
            Said("n", "i32", None, 16), Said("s", "f32"),
            Said("d", "!tt.tensordesc<tensor<32x64xf16>>"),
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "module {}", "tt.func public @k(x) {", "tt.func private @k() {"]
)
def test_other_text_is_no_ttir(text: str):
    assert parameters(text) is None


def test_a_kernel_without_parameters():
    assert parameters("tt.func public @k() attributes {noinline = false} {") == ("k", ())


def test_entries_and_what_they_declare():
    text = """.visible .entry none
{ ret; }
.entry k(
    .param .u64 .ptr .global .align 1 k_param_0,
    .param .align 8 .b8 k_param_1[56],
    .param .align 64 .b8 k_param_2[128], .param .f32 k_param_3
)
.func (.param .b32 r) f(.param .b64 p) { ret; }"""
    assert entries(text) == {
        "none": (),
        "k": (Declared("u64", 8), Declared("b8", 56), Declared("b8", 128), Declared("f32", 4)),
    }
