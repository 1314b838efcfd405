"""Constants: each rule by hand, with what it must not do."""

from __future__ import annotations

import pytest

from compiler.analyses.values.constants import constants
from compiler.text_form import parse
from tests.compiler.one_pass import After, after

HEAD = """
a: i32[8] in global
b: i32[8] in global
func @f(n: i64, x: i32, y: i32, q: ptr, g: f64, c: i1, d: i1) -> i32 {
"""


def applied(text: str, **options) -> After:
    return after("propagate_constants", f"{HEAD}{text}\n}}\n", **options)


def block(*lines: str, **options) -> list[str]:
    """What one block becomes, its name and final `return 0` left out."""
    return applied("\n".join(("entry:", *lines, "return 0")), **options).lines[1:-1]


# Numbers


def test_numbers_are_computed_and_read():
    assert block("u = const.i32 4", "v = shl.i32 u, 1", "w = add.i32 v, x", "store.i32 q, w") == [
        "u = const.i32 4",
        "v = const.i32 8",
        "w = add.i32 8, x",
        "store.i32 q, w",
    ]


def test_they_wrap_as_the_row_says():
    assert block("u = add.i8 127, 1")[0] == "u = const.i8 -128"
    assert block("u = div.f64 1.0, -0.0")[0] == "u = const.f64 -inf"


def test_a_division_by_zero_stays_where_it_is():
    lines = ["z = const.i32 0", "u = div_s.i32 7, z", "store.i32 q, u"]
    assert block(*lines) == [lines[0], "u = div_s.i32 7, 0", lines[2]]
    assert block("z = const.i32 2", "u = div_s.i32 7, z")[1] == "u = const.i32 3"


def test_what_is_known_of_no_number():
    lines = ["u = load.i32 q", "v = address.ptr a", "w = opaque.i1", "z = add.i32 u, x"]
    assert block(*lines) == lines


def test_an_address_below_zero_is_no_literal():
    lines = ["u = ptr.i64.ptr 4096", "v = add.ptr u, -8192", "w = load.i32 v"]
    assert block(*lines) == ["u = copy.ptr 4096", "v = add.ptr 4096, -8192", "w = load.i32 v"]
    assert block("u = ptr.i64.ptr 4096", "w = load.i32 u")[1] == "w = load.i32 4096"


# Branches and phis

DIAMOND = """entry:
    u = const.i32 {number}
    p = lt_s.i32 u, 9
    branch p, left, right
left:
    v = add.i32 u, x
    jump join
right:
    store.i32 q, x
    jump join
join:
    w = phi.i32 [left: v, right: x]
    return w"""


@pytest.mark.parametrize(
    ("number", "goes", "gives"), [(4, "right", "left: v"), (9, "left", "right: x")]
)
def test_a_known_condition_decides_a_branch(number, goes, gives):
    found = applied(DIAMOND.replace("{number}", str(number)))
    assert f"{goes}:" not in found
    assert f"w = phi.i32 [{gives}]" in found
    assert found.changes.counts["branch decided"] == 1
    assert ("block removed", f"control never reaches '{goes}'") in found.remarks


def test_a_condition_that_is_not_known_decides_nothing():
    text = DIAMOND.replace("lt_s.i32 u, 9", "lt_s.i32 u, x")
    assert applied(text.replace("{number}", "4")).lines[2:4] == [
        "p = lt_s.i32 4, x",
        "branch p, left, right",
    ]


def test_a_number_that_nothing_comes_with():
    text = DIAMOND.replace("left: v, right: x", "left: 4, right: 5").replace("{number}", "4")
    assert applied(text).lines[-1] == "return 4"


def test_an_address_is_no_number():
    text = """entry:
    u = address.ptr a
    branch c, left, join
left:
    jump join
join:
    v = phi.ptr [entry: u, left: 4096]
    store.i32 v, x
    return 0"""
    assert "store.i32 v, x" in applied(text)


def test_an_unknown_branch_still_draws():
    text = "entry:\n branch opaque, out, out\nout:\n return 0"
    assert applied(text).lines[1] == "branch opaque, out, out"


LOOP = """entry:
    jump loop
loop:
    i = phi.i32 [entry: 1, latch: j]
    p = eq.i32 i, 1
    branch p, latch, other
other:
    k = add.i32 i, 1
    jump latch
latch:
    j = phi.i32 [loop: i, other: k]
    branch c, loop, done
done:
    return j"""


def test_a_number_and_the_branch_that_keeps_it_are_found_together():
    """`other`, which alone would change i, is reached only if i has changed already."""
    found = applied(LOOP)
    assert "other:" not in found
    assert found.lines[-1] == "return 1"
    (function,) = parse(f"{HEAD}{LOOP}\n}}\n", "test.sir").functions.values()
    assert constants(function).values == {"i": 1, "j": 1, "p": 1}


def test_a_loop_that_changes_its_variable():
    text = LOOP.replace("eq.i32 i, 1", "lt_s.i32 i, x")
    assert applied(text).lines[-1] == "return j"


def test_different_numbers_meet():
    text = (
        "entry:\n branch c, left, join\nleft:\n jump join\njoin:\n"
        " u = phi.i32 [entry: {0}, left: 2]\n return u"
    )
    assert applied(text.replace("{0}", "3")).lines[-1] == "return u"
    assert applied(text.replace("{0}", "2")).lines[-1] == "return 2"


def test_zeros_of_different_sign_are_different_numbers():
    text = (
        "entry:\n branch c, left, join\nleft:\n jump join\njoin:\n"
        " u = phi.f64 [entry: {0}, left: -0.0]\n v = div.f64 g, u\n return 0"
    )
    assert "v = div.f64 g, u" in applied(text.replace("{0}", "0.0"))
    assert "v = div.f64 g, -0.0" in applied(text.replace("{0}", "-0.0"))


# Guards


def test_a_guard_that_holds_is_dropped():
    lines = ["p = const.i1 1", "@p u = add.i32 x, y else x", "@p store.i32 q, u"]
    assert block(*lines)[1:] == ["u = add.i32 x, y", "store.i32 q, u"]
    assert block(*(line.replace("@p", "@!p") for line in lines))[1:] == []


def test_a_result_that_never_comes_is_the_earlier_value():
    lines = ["p = const.i1 0", "@p u = add.i32 x, y else x", "store.i32 q, u"]
    assert block(*lines)[1:] == ["store.i32 q, x"]
    assert block(*(line.replace("else x", "else 7") for line in lines))[1:] == [
        "u = const.i32 7",
        "store.i32 q, 7",
    ]


def test_what_is_switched_off_cannot_fault():
    assert block("p = const.i1 0", "@p u = load.i32 q else 1", "@p store.i32 q, u") == [
        "p = const.i1 0",
        "u = const.i32 1",
    ]


def test_a_guard_between_equal_numbers():
    assert block("@c u = add.i32 3, 4 else 7", "store.i32 q, u")[1] == "store.i32 q, 7"
    assert block("@c u = add.i32 3, 4 else 8", "store.i32 q, u")[1] == "store.i32 q, u"


def test_a_guarded_fault_gives_no_number():
    lines = ["@c u = div_s.i32 7, 0 else 7", "store.i32 q, u"]
    assert block(*lines) == lines


# Identities


def test_identities():
    lines = ["u = add.i32 x, 0", "v = sub.i32 u, u", "w = or.i32 u, v", "store.i32 q, w"]
    assert block(*lines) == ["v = const.i32 0", "store.i32 q, x"]
    assert block(*lines, identities=False) == [
        "u = add.i32 x, 0",
        "v = const.i32 0",
        "w = or.i32 u, 0",
        "store.i32 q, w",
    ]


def test_identities_of_divisions_by_one():
    assert block("u = rem_s.i32 x, 1")[0] == "u = const.i32 0"
    assert block("u = div_u.i32 x, 1", "store.i32 q, u") == ["store.i32 q, x"]


def test_an_identity_under_a_guard_is_left():
    assert block("@c u = add.i32 x, 0 else y") == ["@c u = add.i32 x, 0 else y"]


# Tensors


def test_bounds_become_exact():
    found = applied(
        "entry:\n u = const.i64 2\n v = add.i64 u, 4\n tensor.fill.i32 a[u:v], x\n return 0"
    )
    assert "tensor.fill.i32 a[2:6], x" in found
    assert found.changes.counts["bounds made exact"] == 1


@pytest.mark.parametrize(
    ("number", "operation"),
    [
        (9, "tensor.fill.i32 a[0:u], x"),
        (-1, "tensor.fill.i32 a[u:8], x"),
        (0, "tensor.fill.i32 a[0:u], x"),
        (3, "tensor.copy.i32 a[0:u], b[0:4]"),
        (3, "tensor.transpose.i32 a[0:8], b[0:8], u, 4"),
    ],
)
def test_what_would_be_refused_stays_and_faults(number, operation):
    found = applied(f"entry:\n u = const.i64 {number}\n {operation}\n return 0")
    assert operation in found
    assert found.changes.counts["bounds left"] == 1


def test_bounds_that_are_left_keep_their_variables():
    """u's definition stays where a removed operation's result is a bound."""
    found = applied(
        "entry:\n p = const.i1 0\n @p u = add.i64 n, 1 else 9\n"
        " tensor.fill.i32 a[0:u], x\n return 0"
    )
    assert found.lines[2:4] == ["u = const.i64 9", "tensor.fill.i32 a[0:u], x"]


def test_the_remarks_say_why():
    found = applied("entry:\n u = const.i32 4\n v = shl.i32 u, 1\n w = add.i32 x, 0\n return w")
    assert found.remarks == [
        ("result computed", "it is always 8: what it reads is known"),
        ("identity used", "add.i32 gives 'x'"),
    ]
