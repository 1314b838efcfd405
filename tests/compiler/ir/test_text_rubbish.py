"""Whatever is typed, reading it ends in a module or in findings."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.interpret.functions import interpret, memory_for
from compiler.text_form import parse
from machines.diagnostics import InputError
from tests.campaign.seeds import short_form

SOURCE = """\
table: f32[3] in global = [1.0, -0.5, nan]
func @f(n: i32, p: i1) -> i32 {
entry:
    @!p start = copy.i32 0x10 else n {why: "text", count: -3}
    q = address.ptr table
    branch p, loop, out
loop:
    i = phi.i32 [entry: start, loop: next]
    next = add.i32 i, 1
    branch opaque, loop, out
out:
    r = phi.i32 [entry: 7, loop: next]
    store.f32 q, 1e-3
    wide = sext.i32.i64 r
    @p tensor.add.f32 any(table[0:1], table[1:2]), table[wide:3], table[0:1]
    tensor.matmul.f32 table[0:1], table[0:2], table[1:3], 1, 2, 1
    return r
}
"""
WORDS = ["", " ", "\n", "@", "!", ":", ",", "=", "(", ")", "[", "]", "{", "}", "->", "-", '"', "$",
         "func", "else", "opaque", "nan", "1e999", "99999999999", "-1.5", "any(",
         "table[0:2]", "[0:9]", "tensor.sum.f32", "0x", "phi.i32", "return",
         "jump out", "entry:", "p", "table", "i8", "é"]  # fmt: skip


@pytest.mark.parametrize("examples", short_form([60, 400], 1))
def test_damaged_text(examples: int):
    @settings(max_examples=examples)
    @given(
        st.lists(
            st.tuples(st.integers(0, len(SOURCE)), st.integers(0, 12), st.sampled_from(WORDS)),
            min_size=1,
            max_size=4,
        )
    )
    def check(changes):
        text = SOURCE
        for place, length, word in changes:
            text = text[:place] + word + text[place + length :]
        with contextlib.suppress(InputError):
            module = parse(text, "damaged.sir")
            for function in module.functions.values():
                given_values = {n: 0.0 if t.is_float else 1 for n, t in function.parameters}
                interpret(function, given_values, memory_for(module, {}), limit=1000)

    check()


def test_text_that_ends_anywhere():
    text = SOURCE.replace("n: i32, p: i1", "noalias x: ptr, n: i32, p: i1")
    assert parse(text)
    for end in range(len(text)):
        with contextlib.suppress(InputError):
            parse(text[:end], "cut.sir")


@given(st.text(max_size=200))
def test_any_text(text):
    with contextlib.suppress(InputError):
        parse(text)
