"""Dead code: each rule by hand, with what keeps an operation."""

from __future__ import annotations

import pytest

from tests.compiler.one_pass import After, after

HEAD = """
a: i32[8] in global
func @f(n: i64, x: i32, y: i32, q: ptr, c: i1, d: i1) -> i32 {
"""


def applied(text: str, **options) -> After:
    return after("remove_dead_code", f"{HEAD}{text}\n}}\n", **options)


def block(*lines: str, **options) -> list[str]:
    return applied("\n".join(("entry:", *lines, "return 0")), **options).lines[1:-1]


def test_a_chain_that_nothing_needs():
    lines = ["u = add.i32 x, y", "v = mul.i32 u, 3", "w = sub.i32 u, 1", "store.i32 q, w"]
    assert block(*lines) == [lines[0], *lines[2:]]


def test_guards_bounds_and_earlier_values_are_needed():
    lines = [
        "p = not.i1 c",
        "u = add.i32 x, y",
        "m = add.i64 n, 1",
        "@p v = add.i32 x, 1 else u",
        "tensor.fill.i32 a[0:m], v",
    ]
    assert block(*lines) == lines


@pytest.mark.parametrize(
    "line",
    [
        "u = load.i32 q",
        "u = div_s.i32 x, y",
        "u = opaque.i1",
        "@c u = load.i32 q else 0",
        "tensor.fill.i32 a[0:8], 0",
        "u = tensor.sum.i32 a[0:n]",
        "u = tensor.sum.i32 any(a[0:4], a[4:8])",
    ],
)
def test_what_has_an_effect_stays(line):
    assert block(line) == [line]


def test_what_cannot_fault_goes():
    assert block("u = div_s.i32 x, 2", "v = tensor.sum.i32 a[0:8]") == []


def test_a_load_that_is_proven_not_to_fault():
    lines = ["p = address.ptr a", "u = add.ptr p, 28", "v = load.i32 u"]
    assert block(*lines) == []
    assert block(*lines, loads=False) == lines
    outside = [lines[0], "u = add.ptr p, 32", lines[2]]
    assert block(*outside) == outside
    assert block("u = load.i32 q", "v = load.i32 q") == ["u = load.i32 q"]


def test_phis_that_only_feed_themselves():
    text = """entry:
    jump loop
loop:
    i = phi.i32 [entry: x, loop: j]
    k = phi.i32 [entry: y, loop: m]
    j = add.i32 i, 1
    m = add.i32 k, 1
    store.i32 q, m
    branch c, loop, done
done:
    return 0"""
    found = applied(text)
    assert "j = add.i32 i, 1" not in found
    assert "k = phi.i32 [entry: y, loop: m]" in found
    assert found.remarks == [
        ("phi removed", "nothing needs 'i'"),
        ("operation removed", "nothing needs 'j'"),
    ]


# Guards

FIRST = "u = add.i32 x, 1"


@pytest.mark.parametrize(("one", "other"), [("c", "!c"), ("!c", "c"), ("c", "e"), ("p", "!r")])
def test_guards_that_cover_each_other_hide_the_earlier_value(one, other):
    """Nothing reads v but where `one` holds; so u is dead, and v needs no guard."""
    asked = ["e = not.i1 c", "p = lt_s.i32 x, y", "r = gt_s.i32 y, x"]
    lines = [FIRST, f"@{one} v = add.i32 x, 2 else u", f"@{other} w = add.i32 x, 3 else v"]
    left = block(*asked, *lines, "store.i32 q, w")
    assert left[-3:] == ["v = add.i32 x, 2", lines[2], "store.i32 q, w"]
    assert FIRST not in left


@pytest.mark.parametrize(("one", "other"), [("c", "c"), ("c", "!d"), ("c", "d")])
def test_guards_that_do_not_cover_each_other(one, other):
    lines = [FIRST, f"@{one} v = add.i32 x, 2 else u", f"@{other} w = add.i32 x, 3 else v"]
    assert block(*lines, "store.i32 q, w") == [*lines, "store.i32 q, w"]


def test_a_later_definition_without_a_guard_does_cover():
    """In SSA form it reads no earlier value at all."""
    lines = ["@c v = add.i32 x, 2 else y", "w = add.i32 x, 3", "store.i32 q, w"]
    assert block(*lines) == lines[1:]


def test_an_operation_that_may_fault_keeps_its_guard():
    lines = [FIRST, "@c v = load.i32 q else u", "@!c w = add.i32 x, 3 else v", "store.i32 q, w"]
    assert block(*lines) == ["@c v = load.i32 q else 0", *lines[2:]]
    assert block(*lines, hidden_ties=False) == lines


def test_operands_under_the_same_guard_hide_it_too():
    lines = [FIRST, "@c v = add.i32 x, 2 else u", "@c store.i32 q, v"]
    assert block(*lines) == ["v = add.i32 x, 2", "@c store.i32 q, v"]
    lines[2] = "@!c store.i32 q, v"
    assert block(*lines) == lines


@pytest.mark.parametrize(
    "use",
    [
        "@!c w = add.i32 v, 3 else v",  # reads it where c does not hold, as an operand
        "store.i32 q, v",
        "@!c store.i32 q, v",
    ],
)
def test_any_other_use_sees_the_earlier_value(use):
    lines = [FIRST, "@c v = add.i32 x, 2 else u", "@!c w2 = add.i32 x, 3 else v", use]
    left = block(*lines, "store.i32 q, w2", *(["store.i32 q, w"] if "w =" in use else []))
    assert lines[1] in left


def test_a_phi_sees_the_earlier_value():
    text = f"""entry:
    {FIRST}
    @c v = add.i32 x, 2 else u
    branch c, left, join
left:
    jump join
join:
    w = phi.i32 [entry: 0, left: v]
    return w"""
    assert "@c v = add.i32 x, 2 else u" in applied(text)


def test_a_guard_on_the_value_itself():
    lines = ["@c v = copy.i1 d else d", "@v store.i32 q, x"]
    assert block(*lines) == lines


def test_the_remarks_say_why():
    lines = ["entry:", FIRST, "@c v = load.i32 q else u", "@c store.i32 q, v", "return 0"]
    assert applied("\n".join(lines)).remarks == [
        ("earlier value dropped", "'v' is read only where @c holds"),
        ("operation removed", "nothing needs 'u'"),
    ]
