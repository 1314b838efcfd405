"""Strength reduction: small loops before and after, and what it says of its choices."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.analyses.values.induction import ClosedForms
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.module import Function
from compiler.ir.printer import print_function
from compiler.pass_lists import passes
from compiler.text_form import parse
from compiler.transformation import Changes, make_options
from compiler.verify.ir import findings_of
from tests.compiler.one_pass import MACHINE, apply
from tests.programs.growing_programs import growing


def reduced(text: str, **options) -> tuple[Function, Changes]:
    """The only function of a text after the pass and the removal of dead code."""
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    plugin = passes()["reduce_strength"]
    changes = plugin.run(function, MACHINE, make_options(plugin, options))
    clean = passes()["remove_dead_code"]
    clean.run(function, None, make_options(clean, {}))
    assert findings_of(module) == []
    return function, changes


def block(function: Function, name: str) -> list[str]:
    """The lines of a block, without attributes and places."""
    lines = [line.strip() for line in print_function(function).splitlines()]
    start = lines.index(f"{name}:") + 1
    end = next(k for k in range(start, len(lines)) if lines[k].endswith((":", "}")))
    return lines[start:end]


def remarks(changes: Changes) -> list[str]:
    return [f"{remark.what}: {remark.why}" for remark in changes.remarks]


COLUMN = """
func @column(b: ptr, n: i64, m: i64, c: i64) -> f64 {
entry:
    jump before
before:
    jump loop
loop:
    k = phi.i64 [before: 0, loop: next]
    sum = phi.f64 [before: 0.0, loop: more]
    t = mul.i64 k, n
    u = add.i64 t, c
    o = shl.i64 u, 3
    p = add.ptr b, o
    x = load.f64 p
    more = add.f64 sum, x
    next = add.i64 k, 1
    again = lt_s.i64 next, m
    branch again, loop, done
done:
    return more
}
"""


def test_an_address_goes_along_with_the_loop():
    function, changes = reduced(COLUMN)
    assert block(function, "before") == [
        "shl.1 = shl.i64 c, 3",
        "add.1 = add.ptr b, shl.1",
        "shl.2 = shl.i64 n, 3",
        "jump loop",
    ]
    assert block(function, "loop") == [
        "p.1 = phi.ptr [before: add.1, loop: p.2]",
        "k = phi.i64 [before: 0, loop: next]",
        "sum = phi.f64 [before: 0.0, loop: more]",
        "x = load.f64 p.1",
        "more = add.f64 sum, x",
        "next = add.i64 k, 1",
        "again = lt_s.i64 next, m",
        "p.2 = add.ptr p.1, shl.2",
        "branch again, loop, done",
    ]
    assert remarks(changes) == ["address reduced: from b + 8·c by 8·n each iteration"]
    assert changes.remarks[0].location.line == 13


NEST = """
func @sum(a: ptr, n: i64) -> i64 {
entry:
    jump rows
rows:
    row = phi.i64 [entry: 0, next: row2]
    first = mul.i64 row, n
    jump columns
columns:
    k = phi.i64 [rows: 0, columns: k2]
    s = phi.i64 [rows: 0, columns: s2]
    at = add.i64 first, k
    o = shl.i64 at, 3
    p = add.ptr a, o
    x = load.i64 p
    s2 = add.i64 s, x
    k2 = add.i64 k, 1
    inside = lt_s.i64 k2, n
    branch inside, columns, next
next:
    row2 = add.i64 row, 1
    more = lt_s.i64 row2, n
    branch more, rows, done
done:
    return s2
}
"""


def test_what_an_inner_loop_starts_from_is_reduced_in_the_outer_one():
    function, changes = reduced(NEST)
    assert not any(" mul." in line for line in print_function(function).splitlines())
    assert remarks(changes) == [
        "address reduced: from a + 8·first by 8 each iteration",
        "value reduced: from 0 by n each iteration",
    ]
    a = np.arange(36, dtype=np.int64)
    memory = memory_for(parse(NEST, "x"), {"a": a})
    assert interpret(function, {"a": a, "n": 6}, memory).value == sum(range(30, 36))


def loop_of(statements: str, end: str = "n", kind: str = "i64") -> str:
    return f"""
func @f(n: i64, m: i32, a: ptr, b: ptr, c: i1) {{
entry:
    jump loop
loop:
    i = phi.{kind} [entry: 0, loop: next]
    {statements}
    next = add.{kind} i, 1
    again = lt_s.{kind} next, {end}
    branch again, loop, done
done:
    return
}}
"""


def test_equal_addresses_share_a_variable():
    function, _ = reduced(
        loop_of("""
    o = shl.i64 i, 3
    p = add.ptr a, o
    x = load.i64 p
    q = add.ptr a, o
    store.i64 q, x
    """)
    )
    assert [line for line in block(function, "loop") if "phi.ptr" in line] == [
        "p.1 = phi.ptr [entry: a, loop: p.2]"
    ]


def test_equal_numbers_of_two_types_do_not():
    function, _ = reduced(
        loop_of("""
    t = mul.i64 i, n
    q = ptr.i64.ptr t
    x = load.i64 q
    store.i64 a, t
    """)
    )
    phis = [line for line in block(function, "loop") if "phi." in line]
    assert phis[:2] == [
        "q.1 = phi.ptr [entry: ptr.1, loop: q.2]",
        "t.1 = phi.i64 [entry: 0, loop: t.2]",
    ]


def test_a_narrow_counter_is_extended_before_the_loop_if_it_cannot_wrap():
    statements = """
    t = mul.i32 i, 6
    w = sext.i32.i64 t
    p = add.ptr a, w
    x = load.i16 p
    """
    function, _ = reduced(loop_of(statements, end="1000", kind="i32"))
    assert "p.2 = add.ptr p.1, 6" in block(function, "loop")
    function, changes = reduced(loop_of(statements, end="m", kind="i32"))
    assert "p = add.ptr a, w" in block(function, "loop")
    assert remarks(changes) == ["value reduced: from 0 by 6 each iteration"]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (
            "t = mul.i64 i, i\n store.i64 a, t",
            "product left in the loop: it depends on t, and it is a product of things that change",
        ),
        (
            "x = load.i64 a\n t = mul.i64 x, n\n store.i64 a, t",
            "product left in the loop: it depends on x, and load.i64 is not followed",
        ),
        (
            "@c t = mul.i64 i, n else 0\n store.i64 a, t",
            "product left in the loop: it depends on t, and it is assigned under a guard",
        ),
        (
            "t = mul.i64 n, n\n store.i64 a, t",
            "product left in the loop: it does not change in the loop",
        ),
    ],
)
def test_products_that_stay_are_named(statements, expected):
    function, changes = reduced(loop_of(statements))
    assert remarks(changes) == [expected]
    assert any(".i64 " in line and "mul" in line for line in block(function, "loop"))


def test_a_loop_that_runs_too_seldom_is_left_alone():
    """A product before the loop is not worth the one in its only iteration."""
    statements = """
    s = mul.i64 n, n
    t = mul.i64 s, i
    u = add.i64 t, s
    store.i64 a, u
    """
    assert reduced(loop_of(statements, end="1"))[1].counts == {"product left in the loop": 1}
    assert reduced(loop_of(statements, end="20"))[1].counts == {
        "product left in the loop": 1,
        "value reduced": 1,
    }


def test_no_more_variables_than_wanted():
    statements = "".join(
        f"""
    t{k} = mul.i64 i, {k}
    u{k} = shl.i64 t{k}, 3
    p{k} = add.ptr a, u{k}
    x{k} = load.i64 p{k}
    """
        for k in (11, 13, 19)
    )
    _, changes = reduced(loop_of(statements), limit=2)
    assert changes.counts == {"address reduced": 2, "left in the loop": 5 - 2}
    assert remarks(changes)[0] == "left in the loop: enough variables go along with it"
    function, changes = reduced(loop_of(statements), limit=0)
    assert "address reduced" not in changes.counts
    assert "t11 = mul.i64 i, 11" in block(function, "loop")


def test_a_product_that_many_need_comes_first():
    """With one variable allowed it is the product, not one of the three addresses."""
    statements = "t = mul.i64 i, n\n" + "".join(
        f"""
    u{k} = add.i64 t, {k}
    o{k} = shl.i64 u{k}, 3
    p{k} = add.ptr a, o{k}
    x{k} = load.i64 p{k}
    """
        for k in (3, 5, 9)
    )
    _, changes = reduced(loop_of(statements), limit=1)
    assert remarks(changes)[-1] == "value reduced: from 0 by n each iteration"
    function, changes = reduced(loop_of(statements), limit=8)
    assert changes.counts == {"address reduced": 3}
    assert sum("phi." in line for line in block(function, "loop")) == 4


def test_a_region_of_two_entries_is_left_alone():
    _, changes = reduced("""
func @f(c: i1, n: i64, a: ptr) {
entry:
    i = copy.i64 n
    branch c, left, right
left:
    x = phi.i64 [entry: 0, right: y]
    t = mul.i64 x, n
    store.i64 a, t
    jump right
right:
    y = phi.i64 [entry: 0, left: x]
    branch c, left, done
done:
    return
}
""")
    assert remarks(changes) == ["region left alone: it has several entries"]


def test_a_nest_is_looked_at_once_whatever_its_depth(monkeypatch: pytest.MonkeyPatch):
    looked_at: list[str] = []
    look = ClosedForms._pass_over
    monkeypatch.setattr(
        ClosedForms, "_pass_over", lambda self, block: [looked_at.append(block), look(self, block)]
    )
    for size in (160, 1280):
        function = growing("loop_nest", size).functions["grow"]
        apply("construct_ssa", function)
        looked_at.clear()
        apply("reduce_strength", function)
        assert len(looked_at) <= len(function.blocks)
