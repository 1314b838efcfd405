"""Closed forms of induction variables and addresses, and how often loops run."""

from __future__ import annotations

from itertools import product, takewhile

import pytest

from compiler.analyses.loops import loops
from compiler.analyses.values.induction import ClosedForms, closed_forms
from compiler.analyses.values.trip_counts import most_passes
from compiler.ir.module import Function
from compiler.text_form import parse
from compiler.verify.ir import findings_of


def function(body: str, parameters: str = "n: i64, a: ptr, m: i32") -> Function:
    text = f"cells: i64[64] in global\nfunc @f({parameters}) {{\nentry:\n{body}\n}}\n"
    module = parse(text, "test.sir")
    assert findings_of(module) == []
    return module.functions["f"]


def counted(
    statements: str, kind: str = "i64", start="0", step=1, test="lt_s", end="n"
) -> Function:
    """A loop over i, tested at its end on the next i."""
    return function(f"""
        jump loop
    loop:
        i = phi.{kind} [entry: {start}, loop: next]
        {statements}
        next = add.{kind} i, {step}
        more = {test}.{kind} next, {end}
        branch more, loop, done
    done:
        return
    """)


def shown(f: Function, *names: str) -> list[str]:
    """The forms of variables as their own blocks see them, or why there are none."""
    forms = closed_forms(f)
    return [
        forms.refused.get(name) or str(forms.form(name, forms.definition[name][0]))
        for name in names
    ]


def test_sums_and_products_are_followed():
    f = counted("""
        t = mul.i64 i, n
        o = shl.i64 t, 3
        p = add.ptr a, o
        b = address.ptr cells
        u = sub.i64 5, i
        v = neg.i64 u
        q = add.ptr b, v
        w = not.i64 i
        x = int.ptr.i64 q
    """, start="2", step=3)  # fmt: skip
    assert shown(f, "i", "p", "q", "w", "x", "next") == [
        "3·[loop] + 2",
        "24·[loop]·n + a + 16·n",
        "&cells + 3·[loop] - 3",
        "-3·[loop] - 3",
        "&cells + 3·[loop] - 3",
        "3·[loop] + 5",
    ]
    assert closed_forms(f).basic["i"].step.constant == 3


def test_a_nest_is_a_sum_over_both_loops():
    f = function("""
        jump rows
    rows:
        row = phi.i64 [entry: 0, next: row2]
        first = mul.i64 row, 100
        jump columns
    columns:
        k = phi.i64 [rows: first, columns: k2]
        k2 = add.i64 k, 1
        inside = ne.i64 k2, n
        branch inside, columns, next
    next:
        beyond = add.i64 k2, 7
        row2 = add.i64 row, 1
        more = lt_s.i64 row2, 10
        branch more, rows, done
    done:
        return
    """)
    assert shown(f, "k", "beyond") == ["[columns] + 100·[rows]", "k2 + 7"]
    forms = closed_forms(f)
    assert forms.range(forms.form("first", "rows"), "rows") == (0, 900)
    within = ClosedForms(f, loops(f).by_header["columns"])
    assert str(within.form("k2", "columns")) == "[columns] + first + 1"


@pytest.mark.parametrize(
    ("statements", "name", "why"),
    [
        ("x = and.i64 i, 3", "x", "and.i64 is not followed"),
        ("x = mul.i64 i, i", "x", "it is a product of things that change"),
        ("x = shl.i64 n, i", "x", "it is shifted by a variable"),
        ("@c x = add.i64 i, 1 else n", "x", "it is assigned under a guard"),
    ],
)
def test_what_is_not_followed_has_a_reason(statements, name, why):
    f = counted("c = eq.i64 i, 3\n" + statements)
    assert shown(f, name) == [why]


@pytest.mark.parametrize(
    ("coming_round", "why"),
    [
        ("next = mul.i64 i, 2", "it does not come round with an invariant sum added"),
        ("next = add.i64 i, j", "it does not come round with an invariant sum added"),
        ("next = sub.i64 n, i", "it does not come round with an invariant sum added"),
        ("@c next = add.i64 i, 1 else i", "it does not come round with an invariant sum added"),
        ("next = copy.i64 n", "it does not come round with an invariant sum added"),
    ],
)
def test_phis_that_are_no_induction_variables(coming_round, why):
    f = function(f"""
        jump loop
    loop:
        i = phi.i64 [entry: 0, loop: next]
        j = phi.i64 [entry: 0, loop: j2]
        c = lt_s.i64 i, 9
        {coming_round}
        j2 = add.i64 j, 1
        branch c, loop, done
    done:
        return
    """)
    assert shown(f, "i", "j") == [why, "[loop]"]


def test_a_variable_that_goes_down_by_an_argument():
    f = function("""
        jump loop
    loop:
        i = phi.i64 [entry: n, loop: next]
        same = copy.i64 i
        next = sub.i64 same, n
        more = gt_s.i64 next, 0
        branch more, loop, done
    done:
        return
    """)
    assert shown(f, "i", "next") == ["-[loop]·n + n", "-[loop]·n"]


def test_several_ways_in_have_to_agree():
    text = """
        c = eq.i64 n, 5
        branch c, other, loop
    other:
        jump loop
    loop:
        i = phi.i64 [entry: 0, other: {start}, loop: next]
        next = add.i64 i, 1
        more = lt_s.i64 next, n
        branch more, loop, done
    done:
        return
    """
    assert shown(function(text.format(start=0)), "i") == ["[loop]"]
    disagreeing = function(text.format(start="n"))
    assert shown(disagreeing, "i") == ["the loop is entered with several values of it"]


def test_several_ways_round_have_to_agree():
    text = """
        jump loop
    loop:
        i = phi.i64 [entry: 0, low: x, high: y]
        c = lt_s.i64 i, n
        branch c, low, high
    low:
        x = add.i64 i, 2
        jump loop
    high:
        y = add.i64 i, {step}
        d = lt_s.i64 y, 1000
        branch d, loop, done
    done:
        return
    """
    assert shown(function(text.format(step=2)), "i") == ["2·[loop]"]
    disagreeing = function(text.format(step=3))
    assert shown(disagreeing, "i") == ["several ways round the loop add different sums"]


@pytest.mark.parametrize(
    ("statements", "end", "expected"),
    [
        ("x = sext.i32.i64 i", "100", "[loop]"),
        ("x = sext.i32.i64 i", "m", "[loop]"),  # i < m and so never past the largest i32
        ("t = mul.i32 i, 3\n x = sext.i32.i64 t", "100", "3·[loop]"),
        ("t = mul.i32 i, 3\n x = sext.i32.i64 t", "m", "t"),
        ("t = sub.i32 i, 5\n x = sext.i32.i64 t", "100", "[loop] - 5"),
        ("t = sub.i32 i, 5\n x = zext.i32.i64 t", "100", "i32 may wrap before it is extended"),
        ("x = zext.i32.i64 i", "100", "[loop]"),
        ("t = shl.i32 i, 24\n x = zext.i32.i64 t", "100", "16777216·[loop]"),
        ("t = shl.i32 i, 24\n x = sext.i32.i64 t", "200", "t"),
        ("w = trunc.i64.i32 n\n t = add.i32 w, i\n x = trunc.i32.i8 t", "m", "[loop] + n"),
        ("t = zext.i8.i32 -1\n x = sext.i32.i64 t", "m", "t"),
        ("c = lt_s.i32 i, 5\n x = zext.i1.i64 c", "m", "it is 0 or 1"),
    ],
)
def test_extensions_need_a_proof_that_nothing_wraps(statements, end, expected):
    f = counted(statements, kind="i32", end=end)
    assert shown(f, "x") == [expected]


@pytest.mark.parametrize(
    ("loop", "most"),
    [
        ({"end": "10"}, 10),
        ({"end": "10", "start": "4", "step": 4}, 2),
        ({"end": "-3"}, 1),
        ({"end": "1", "start": "7", "step": -2, "test": "ge_s"}, 4),
        ({"end": "12", "step": 4, "test": "ne"}, 3),
        ({"end": "13", "step": 4, "test": "ne"}, None),
        ({"end": "n"}, 2**63 - 1),
        ({"end": "n", "step": 2}, None),  # could pass the end of the type
        ({"end": "n", "test": "le_s"}, None),
        ({"end": "10", "start": "n"}, None),  # the first sum may wrap
        ({"end": "10", "test": "lt_u"}, 10),
        ({"end": "n", "test": "lt_u"}, None),
    ],
)
def test_how_often_a_loop_can_run(loop, most):
    f = counted("", **loop)
    assert closed_forms(f).most_iterations("loop", "loop") == (most or 1 << 64)


def test_a_test_of_floats_says_nothing():
    f = function("""
        jump loop
    loop:
        x = phi.f64 [entry: 0.0, loop: next]
        next = add.f64 x, 1.0
        more = lt.f64 next, inf
        branch more, loop, done
    done:
        return
    """)
    assert closed_forms(f).most_iterations("loop", "loop") == 1 << 64


def test_a_test_at_the_head_counts_one_more_there():
    f = function("""
        jump head
    head:
        i = phi.i64 [entry: 0, body: next]
        c = ge_s.i64 i, 10
        branch c, done, body
    body:
        next = add.i64 i, 1
        jump head
    done:
        return
    """)
    forms = closed_forms(f)
    assert forms.most_iterations("head", "head") == 11
    assert forms.most_iterations("head", "body") == 10


@pytest.mark.parametrize("relation", ["lt", "le", "gt", "ge", "eq", "ne"])
@pytest.mark.parametrize("step", [-3, -2, -1, 1, 2, 3])
def test_passes_are_those_of_a_four_bit_counter(relation, step):
    """No first number and bound of the ranges passes more often, and one passes as often, unless
    the counter can wrap."""
    holds = {
        "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__,
        "eq": int.__eq__, "ne": int.__ne__,
    }[relation]  # fmt: skip

    def passes(first: int, bound: int) -> int:
        counter = ((first + step * number + 8) % 16 - 8 for number in range(40))
        return sum(1 for _ in takewhile(lambda value: holds(value, bound), counter))

    known = 0
    ranges = [(-8, 7), (0, 0), (-2, 3), (5, 7), (-8, -8)]
    for first, bound in product(ranges, ranges):
        found = most_passes(relation, first, step, bound, 4)
        every = [passes(f, b) for f in range(first[0], first[1] + 1) for b in
                 range(bound[0], bound[1] + 1)]  # fmt: skip
        if found is not None:
            known += 1
            assert found >= max(every)
            assert found == max(every) or relation == "eq"
    goes_away = relation in (("gt", "ge") if step > 0 else ("lt", "le"))
    assert goes_away == (known == 0)
