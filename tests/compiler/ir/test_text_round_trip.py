"""Printing a module and reading it back gives the same module."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.module import Buffer, Guard, Module
from compiler.ir.printer import print_literal
from compiler.text_form import parse, print_module
from compiler.verify.ir import verify
from machines.diagnostics import InputError
from machines.instructions import operations
from machines.types import F32, F64, I1, I32
from tests.campaign.seeds import short_form
from tests.programs.random_programs import Options, generate

pytestmark = pytest.mark.quick


def contents(module: Module):
    """Everything that the text form carries; NaN compares equal by its text."""
    return (
        list(module.buffers),
        [(b.name, b.dtype, b.count, b.space, b.data) for b in module.buffers.values()],
        [
            (
                f.name,
                f.parameters,
                f.noalias,
                f.result,
                f.types,
                list(f.blocks),
                [
                    (b.name, i.operation.name, i.results, repr(i.operands), i.guard,
                     repr(i.otherwise), i.attributes)
                    for b, i in f.instructions()
                ],
            )
            for f in module.functions.values()
        ],
    )  # fmt: skip


@pytest.mark.parametrize("examples", short_form([5, 60], 1))
def test_random_programs_round_trip(examples: int):
    @settings(max_examples=examples)
    @given(st.integers(0, 10**6))
    def check(seed):
        module = generate(seed, Options(size=25, opaque=True, faults=True, unassigned=True)).module
        verify(module)
        text = print_module(module)
        again = parse(text)
        assert contents(again) == contents(module)
        assert print_module(again) == text

    check()


@given(st.floats(), st.floats(width=32))
def test_float_literals_round_trip(wide, narrow):
    module = Module()
    builder = add_function(module, "f", [], F64)
    builder.block("entry")
    builder.emit("const.f32", narrow, result="x")
    builder.emit("const.f64", wide, result="y")
    builder.return_("y")
    instructions = parse(print_module(module)).functions["f"].entry.instructions
    for instruction, value in zip(instructions, (narrow, wide), strict=False):
        (read,) = instruction.operands
        assert math.isnan(value) == math.isnan(read)
        assert math.isnan(value) or repr(read) == repr(value)


def test_what_random_programs_lack_round_trips():
    """SSA form, tied uses, attributes, float and large buffers."""
    module = Module()
    add_buffer(module, Buffer("table", F32, 40, data=bytes(range(160))))
    builder = add_function(module, "f", [("n", I32), ("p", I1)], I32)
    builder.block("entry")
    tied = builder.emit("add.i32", "n", 255, guard=Guard("p", True), otherwise=("n",), result="x")
    builder.emit("copy.f32", 0.1, result="y", attributes={"count": 3, "why": "text", "ratio": 0.5})
    builder.jump("loop")
    builder.block("loop")
    builder.emit("phi.i32", "entry", tied, "loop", 7, result="z")
    builder.emit("branch.opaque", "loop", "out")
    builder.block("out")
    builder.return_("z")
    verify(module)
    text = print_module(module)
    assert "@!p x = add.i32 n, 255 else n" in text
    assert "branch opaque, loop, out" in text
    assert contents(parse(text)) == contents(module)


def test_the_builder_gives_literals_their_canonical_form():
    module = Module()
    builder: Builder = add_function(module, "f")
    builder.block("entry")
    builder.emit("const.i8", 255, result="a")
    builder.emit("const.f32", 0.1, result="b")
    builder.emit("const.f64", 1, result="c")
    builder.return_()
    values = [i.operands for i in module.functions["f"].entry.instructions[:3]]
    assert values == [(-1,), (0.10000000149011612,), (1.0,)]


TENSORS = """\
a: i8[64] in global
c: f32[12] in global

func @f(x: i64, p: i1, v.2: i8) -> i8 {
entry:
    @!p tensor.fill.i8 a[0:32], v.2
    tensor.add.i8 any(a[x:40], a[0:x.1]), a[x:x.1], a[0:4]
    tensor.copy.i8 any(a[x:4, x by x.1], a[0:4]), a[0:1, 2 by -1, x by 0]
    @p s = tensor.sum.i8 any(a[0:32])
    x.1 = add.i64 x, 1
    tensor.matmul.f32 c[0:4], c[4:10], c[6:12], 2, 3, x {queue: 1}
    return s
}
"""


def test_tensors_round_trip():
    module = parse(TENSORS)
    assert print_module(module) == TENSORS
    assert contents(parse(print_module(module))) == contents(module)


def test_halves_are_rounded_once():
    text = "h: f16[4] in global = [2049.0, 1e-8, nan, nan(0x7e01)]\n"
    text += "b: bf16[5] in global = [1.00390625, 1.01171875, -0.0, nan, nan(0x7fc1)]\n"
    printed = print_module(parse(text))
    assert printed == (
        "h: f16[4] in global = [2048.0, 0.0, nan, nan(0x7e01)]\n"
        "b: bf16[5] in global = [1.0, 1.015625, -0.0, nan, nan(0x7fc1)]\n"
    )
    assert print_module(parse(printed)) == printed


def test_small_elements_are_encoded_and_packed():
    text = "a: i4[5] in global = [1, -2, 7, -8, 15]\nu: u4[2] in global = [15, 3]\n"
    text += "b: u8[3] in global = [255, 0, 7]\n"
    text += "x: e4m3[5] in global = [17.0, -0.0, nan, 448.0, nan(0xff)]\n"
    text += "y: e5m2[4] in global = [9.0, inf, nan, nan(0x7d)]\n"
    module = parse(text)
    printed = print_module(module)
    assert printed == (
        "a: i4[5] in global = [1, -2, 7, -8, -1]\n"
        "u: u4[2] in global = [15, 3]\n"
        "b: u8[3] in global = [255, 0, 7]\n"
        "x: e4m3[5] in global = [16.0, -0.0, nan, 448.0, nan(0xff)]\n"
        "y: e5m2[4] in global = [8.0, inf, nan, nan(0x7d)]\n"
    )
    assert print_module(parse(printed)) == printed
    data = {name: buffer.data for name, buffer in module.buffers.items()}
    assert data["a"] == bytes([0xE1, 0x87, 0x0F]) and data["u"] == b"\x3f"
    assert data["x"] == bytes([0x58, 0x80, 0x7F, 0x7E, 0xFF])
    assert data["y"] == bytes([0x48, 0x7C, 0x7E, 0x7D])
    assert [buffer.size for buffer in module.buffers.values()] == [3, 1, 3, 5, 4]


def test_halves_have_bounds():
    for type, number in (
        ("f16", "65520.0"), ("bf16", "3.4e38"), ("e5m2", "61440.0"), ("e4m3", "465.0"),
        ("e4m3", "inf"), ("u8", "256"), ("u8", "-1"), ("u4", "16"), ("i4", "16"), ("i4", "-9"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=f"does not fit {type}"):
            parse(f"h: {type}[1] in global = [{number}]\n")


def test_intervals_may_be_written_freely():
    text = TENSORS.replace("a[0:32], v.2", "a [ 0x0 :\n   3_2 ] , v.2")
    assert print_module(parse(text)) == TENSORS


def test_separate_parameters():
    text = "func @f(noalias a: ptr, b: ptr, noalias noalias: ptr, in_: i64) {\nbb:\n    return\n}\n"
    module = parse(text)
    assert module.functions["f"].noalias == {"a", "noalias"}
    assert print_module(module) == text


@pytest.mark.parametrize(
    "value, text",
    [(2.0**24, "16777216.0"), (1e15, "1000000000000000.0"), (0.1, "0.1"), (1e-45, "1e-45"),
     (1e16, "1e+16"), (-0.0, "-0.0"), (math.inf, "inf"), (math.nan, "nan")],
)  # fmt: skip
def test_numbers_of_32_bits_are_printed_alike_by_every_numpy(value: float, text: str):
    kind = operations().family("ir")["add.f32"].reads[0].kind
    assert print_literal(value, kind) == text
