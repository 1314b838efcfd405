"""Copies: each rule by hand."""

from __future__ import annotations

from tests.compiler.one_pass import After, after

HEAD = """
a: i32[8] in global
func @f(n: i64, x: i32, y: i32, q: ptr, c: i1, d: i1) -> i32 {
"""


def applied(text: str) -> After:
    return after("propagate_copies", f"{HEAD}{text}\n}}\n")


def block(*lines: str) -> list[str]:
    return applied("\n".join(("entry:", *lines, "return 0"))).lines[1:-1]


def test_copies_of_copies_are_read_as_their_source():
    lines = ["u = copy.i32 x", "v = copy.i32 u", "store.i32 q, v"]
    assert block(*lines) == ["store.i32 q, x"]


def test_guards_bounds_and_earlier_values_are_read_too():
    lines = [
        "p = copy.i1 c",
        "u = copy.i32 x",
        "m = copy.i64 n",
        "@!p v = add.i32 u, y else u",
        "@p tensor.fill.i32 a[0:m], v",
    ]
    assert block(*lines) == [
        "@!c v = add.i32 x, y else x",
        "@c tensor.fill.i32 a[0:n], v",
    ]


def test_a_guarded_copy_chooses():
    lines = ["@c u = copy.i32 x else y", "store.i32 q, u"]
    found = applied("\n".join(("entry:", *lines, "return 0")))
    assert found.lines[1:-1] == lines
    assert found.remarks == [("copy left", "whether it is made depends on its guard")]
    assert block("@c u = copy.i32 x else x", "store.i32 q, u") == ["store.i32 q, x"]


def test_a_copy_of_a_number_is_left():
    lines = ["u = copy.i32 4", "store.i32 q, u"]
    assert block(*lines) == lines


LOOP = """entry:
    jump loop
loop:
    u = phi.i32 [entry: x, latch: v]
    branch c, latch, other
other:
    jump latch
latch:
    v = phi.i32 [loop: u, other: {0}]
    branch d, loop, done
done:
    return v"""


def test_phis_that_are_one_variable_together():
    found = applied(LOOP.replace("{0}", "u"))
    assert found.lines[-1] == "return x"
    assert not any("phi" in line for line in found.lines)
    assert found.remarks == [("phi removed", "it is 'x'")] * 2


def test_phis_that_join_different_values():
    for other in ("y", "7"):
        text = LOOP.replace("{0}", other)
        assert applied(text).lines[-1] == "return v"
        assert applied(text).changes.counts == {}


def test_a_phi_of_copies_of_one_variable():
    text = """entry:
    u = copy.i32 x
    branch c, left, join
left:
    v = copy.i32 u
    jump join
join:
    w = phi.i32 [entry: u, left: v]
    return w"""
    assert applied(text).lines[-1] == "return x"


def test_a_phi_with_one_operand():
    text = "entry:\n u = load.i32 q\n jump next\nnext:\n w = phi.i32 [entry: u]\n return w"
    assert applied(text).lines[-1] == "return u"
