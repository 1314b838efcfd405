"""Construction of SSA form: its text for small functions, its runs for random ones."""

from __future__ import annotations

import pytest

from compiler.ir.module import Module
from compiler.ir.printer import print_function
from compiler.passes.construct_ssa import construct
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from machines.description.load import Machine
from tests.compiler.ssa_in_and_out import check


def constructed(text: str) -> tuple[str, dict[str, int]]:
    """The only function of a text in SSA form, and what was counted."""
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    changes = construct(function)
    assert findings_of(Module({function.name: function}, module.buffers)) == []
    assert function.types.keys() == {
        *(name for name, _ in function.parameters),
        *(name for _, i in function.instructions() for name in i.results),
    }
    return print_function(function), changes.counts


def test_the_example_of_the_page():
    text, counts = constructed(
        "func @f(p: i1) -> i32 {\n"
        "BB1:\n    i = const.i32 0\n    jump BB2\n"
        "BB2:\n    @p i = add.i32 i, 1\n    branch opaque, BB2, BB3\n"
        "BB3:\n    return i\n}\n"
    )
    assert text == (
        "func @f(p: i1) -> i32 {\n"
        "BB1:\n    i1 = const.i32 0\n    jump BB2\n"
        "BB2:\n    i2 = phi.i32 [BB1: i1, BB2: i3]\n"
        "    @p i3 = add.i32 i2, 1 else i2\n    branch opaque, BB2, BB3\n"
        "BB3:\n    return i3\n}\n"
    )
    assert counts == {"phis placed": 1}


def test_entry_unreachable_blocks_and_what_was_never_assigned():
    """Guards, bounds and extents cannot be literals; everything else reads a 0."""
    text, counts = constructed(
        "buf: f32[16] in global\n"
        "func @f(x: f32) -> f32 {\n"
        "top:\n"
        "    @g x = add.f32 x, y\n"
        "    tensor.fill.f32 buf[k:8], y\n"
        "    tensor.matmul.f32 buf[0:1], buf[4:5], buf[8:9], k, k, k\n"
        "    branch g, top, end\n"
        "dead:\n    g = const.i1 1\n    k = const.i64 1\n    y = const.f32 2.0\n    jump top\n"
        "end:\n    @g y = copy.f32 x\n    return y\n}\n"
    )
    assert text == (
        "func @f(x: f32) -> f32 {\n"
        "entry.1:\n    zero.1 = const.i1 0\n    zero.2 = const.i64 0\n    zero.3 = const.f32 0.0\n"
        "    jump top\n"
        "top:\n    x1 = phi.f32 [entry.1: x, top: x2]\n"
        "    @zero.1 x2 = add.f32 x1, 0.0 else x1\n"
        "    tensor.fill.f32 buf[zero.2:8], zero.3\n"
        "    tensor.matmul.f32 buf[0:1], buf[4:5], buf[8:9], zero.2, zero.2, zero.2\n"
        "    branch 0, top, end\n"
        "end:\n    @zero.1 y1 = copy.f32 x2 else 0.0\n    return y1\n}\n"
    )
    assert counts == {"unreachable blocks removed": 1, "entries added": 1, "phis placed": 1}


def test_names():
    """A dot after a digit or a dot; parameters keep their names, which versions pass over."""
    text, _ = constructed(
        "func @f(x: i32, x2: i32, x3: i32) -> i32 {\nb:\n"
        "    x = add.i32 x, x2\n    x = add.i32 x, x3\n    x2 = copy.i32 x\n"
        "    t.1 = copy.i32 x2\n    t. = copy.i32 t.1\n    t = copy.i32 t.\n    return t\n}\n"
    )
    assert text == (
        "func @f(x: i32, x2: i32, x3: i32) -> i32 {\nb:\n"
        "    x1 = add.i32 x, x2\n    x4 = add.i32 x1, x3\n    x2.1 = copy.i32 x4\n"
        "    t.1.1 = copy.i32 x2.1\n    t..1 = copy.i32 t.1.1\n    t1 = copy.i32 t..1\n"
        "    return t1\n}\n"
    )


def test_the_new_name_of_a_variable_is_the_old_one_of_another():
    """And has another type."""
    text, _ = constructed(
        "func @f(a: i32, b: f32) -> f32 {\nb:\n"
        "    x1 = copy.f32 b\n    x = copy.i32 a\n    y = float_s.i32.f32 x\n"
        "    x1 = add.f32 x1, y\n    return x1\n}\n"
    )
    assert "x1.1 = copy.f32 b\n    x1 = copy.i32 a\n" in text
    assert "x1.2 = add.f32 x1.1, y1\n" in text


def test_a_phi_that_swaps():
    text, _ = constructed(
        "func @f(a: i32, b: i32) -> i32 {\n"
        "entry:\n    jump loop\n"
        "loop:\n    t = copy.i32 a\n    a = copy.i32 b\n    b = copy.i32 t\n"
        "    branch opaque, loop, end\n"
        "end:\n    return a\n}\n"
    )
    assert "a1 = phi.i32 [entry: a, loop: a2]\n    b1 = phi.i32 [entry: b, loop: b2]\n" in text
    assert "t1 = copy.i32 a1\n    a2 = copy.i32 b1\n    b2 = copy.i32 t1\n" in text


def test_ssa_form_stays_as_it_is():
    text = (
        "func @f(p: i1) -> i32 {\n"
        "b0:\n    @p x = const.i32 1 else 0\n    return x\n"
        "dead:\n    jump dead\n}\n"
    )
    assert constructed(text) == (text, {})


@pytest.mark.parametrize("seeds", [range(k, k + 6) for k in range(0, 12, 6)], ids=str)
def test_random_programs(seeds: range, itanium2: Machine):
    for seed in seeds:
        check(seed, itanium2)
