"""Value numbering: each rule by hand, with what makes two values differ."""

from __future__ import annotations

import pytest

from tests.compiler.one_pass import After, after

HEAD = """
a: i32[8] in global
b: i32[8] in global
f: f32[8] in global
func @f(n: i64, x: i32, y: i32, q: ptr, r: ptr, g: f64, h: f64, c: i1, d: i1) -> i32 {
"""
PLACES = ["p = address.ptr a", "s = address.ptr b"]


def applied(text: str, **options) -> After:
    return after("number_values", f"{HEAD}{text}\n}}\n", **options)


def block(*lines: str, **options) -> list[str]:
    """What one block becomes, its name and final `return 0` left out."""
    return applied("\n".join(("entry:", *lines, "return 0")), **options).lines[1:-1]


def are_one(first: str, second: str) -> bool:
    """Whether the value of the second of two operations is that of the first."""
    lines = [f"u = {first}", f"v = {second}"]
    left = block(*lines)
    assert left in (lines, lines[:1])
    return left == lines[:1]


# Operations


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("add.i32 x, y", "add.i32 x, y"),
        ("add.i32 x, y", "add.i32 y, x"),
        ("mul.f64 g, h", "mul.f64 h, g"),
        ("lt_s.i32 x, y", "gt_s.i32 y, x"),
        ("ge.f64 g, h", "le.f64 h, g"),
        ("div.f64 g, nan", "div.f64 g, nan"),
        ("div_s.i32 x, y", "div_s.i32 x, y"),
        ("address.ptr a", "address.ptr a"),
        ("const.i32 7", "const.i32 7"),
        ("load.i32 q", "load.i32 q"),
        ("tensor.sum.i32 a[0:n]", "tensor.sum.i32 a[0:n]"),
    ],
)
def test_equal_operations(first, second):
    assert are_one(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("add.i32 x, y", "add.i32 x, 1"),
        ("sub.i32 x, y", "sub.i32 y, x"),
        ("lt_s.i32 x, y", "lt_u.i32 x, y"),
        ("lt_s.i32 x, y", "gt_s.i32 x, y"),
        ("div.f64 g, 0.0", "div.f64 g, -0.0"),
        ("address.ptr a", "address.ptr b"),
        ("opaque.i1", "opaque.i1"),
        ("load.i32 q", "load.i32 r"),
        ("load.i32 q", "load.i16 q"),
        ("load.i32 q", "load.f32 q"),
        ("tensor.sum.i32 a[0:n]", "tensor.sum.i32 a[0:8]"),
        ("tensor.sum.i32 a[0:8]", "tensor.maximum.i32 a[0:8]"),
        ("tensor.sum.i32 any(a[0:4], a[4:8])", "tensor.sum.i32 any(a[0:4], a[4:8])"),
    ],
)
def test_different_operations(first, second):
    assert not are_one(first, second)


def test_operands_that_are_equal_make_equal_operations():
    lines = ["u = add.i32 x, 1", "v = add.i32 x, 1", "w = mul.i32 u, y", "z = mul.i32 y, v"]
    assert block(*lines, "store.i32 q, z") == [lines[0], lines[2], "store.i32 q, w"]


BRANCH = """entry:
    branch c, left, right
left:
    u = add.i32 x, y
    branch d, below, join
below:
    v = add.i32 x, y
    store.i32 q, v
    jump join
right:
    w = add.i32 x, y
    store.i32 q, w
    jump join
join:
    z = add.i32 x, y
    return z"""


def test_a_value_is_known_below_its_block_and_nowhere_else():
    left = applied(BRANCH)
    assert "v = add.i32 x, y" not in left
    assert "store.i32 q, u" in left
    assert {"w = add.i32 x, y", "z = add.i32 x, y"} <= set(left.lines)


def test_equal_phis_of_one_block():
    text = """entry:
    branch c, left, join
left:
    jump join
join:
    u = phi.i32 [entry: x, left: y]
    v = phi.i32 [left: y, entry: x]
    w = phi.i32 [entry: y, left: x]
    z = sub.i32 v, w
    return z"""
    left = applied(text).lines
    assert "v = phi.i32 [left: y, entry: x]" not in left
    assert "z = sub.i32 u, w" in left


def test_equal_phis_of_two_blocks_differ():
    text = """entry:
    branch c, left, join
left:
    jump join
join:
    u = phi.i32 [entry: x, left: y]
    branch d, left2, join2
left2:
    jump join2
join2:
    v = phi.i32 [join: x, left2: y]
    return v"""
    assert applied(text).changes.counts == {}


# Guards


@pytest.mark.parametrize("second", ["@c", "@!e"])
def test_the_same_under_the_same_guard(second):
    lines = ["e = not.i1 c", "@c u = load.i32 q else x", f"{second} v = load.i32 q else x"]
    assert block(*lines, "store.i32 r, v") == [*lines[:2], "store.i32 r, u"]


def test_the_same_under_the_same_guard_with_another_earlier_value():
    lines = ["@c u = load.i32 q else x", "@c v = load.i32 q else y"]
    assert block(*lines) == [lines[0], "@c v = copy.i32 u else y"]
    assert block(lines[0], "@c v = load.i32 q else u", "store.i32 r, v")[1:] == ["store.i32 r, u"]


def test_the_same_under_another_guard():
    for guard in ("@!c", "@d"):
        lines = ["@c u = load.i32 q else x", f"{guard} v = load.i32 q else x"]
        found = applied("\n".join(("entry:", *lines, "return 0")))
        assert found.lines[1:-1] == lines
        assert found.remarks == [
            ("operation repeated", "the same at test.sir:7:1 is computed only under @c")
        ]


def test_what_is_known_everywhere_serves_a_guard():
    lines = ["u = mul.i32 x, y", "@c v = mul.i32 x, y else x", "@c w = mul.i32 x, y else u"]
    assert block(*lines, "store.i32 q, w") == [
        lines[0],
        "@c v = copy.i32 u else x",
        "store.i32 q, u",
    ]


def test_what_is_known_under_a_guard_serves_nothing_else():
    lines = ["@c u = mul.i32 x, y else x", "v = mul.i32 x, y"]
    assert block(*lines) == lines


def test_a_guarded_copy_is_not_made_of_what_is_no_more_than_one():
    lines = ["u = copy.i32 x", "@c v = copy.i32 x else y"]
    assert block(*lines) == lines


# Loads


@pytest.mark.parametrize(
    ("between", "is_known"),
    [
        ("store.i32 r, y", False),  # r may be q
        ("store.i32 p, y", False),  # q may be p
        ("tensor.fill.i32 a[0:8], 0", False),
        ("@c store.i32 r, y", False),
        ("z = load.i32 r", True),
    ],
)
def test_a_load_after_something(between, is_known):
    lines = [*PLACES, "u = load.i32 q", between, "v = load.i32 q"]
    assert (lines[-1] not in block(*lines)) == is_known


@pytest.mark.parametrize(
    ("between", "is_known"),
    [
        ("store.i32 s, y", True),
        ("store.i32 w, y", True),
        ("store.i16 w, 1", True),
        ("store.i64 p, 1", False),
        ("store.i16 p, 1", False),
        ("tensor.fill.i32 b[0:8], 0", True),
        ("tensor.fill.i32 a[1:8], 0", True),
        ("tensor.fill.i32 a[0:1], 0", False),
        ("tensor.fill.i32 a[0:n], 0", False),
        ("tensor.fill.i32 any(b[0:4], a[4:8]), 0", True),
        ("tensor.fill.i32 any(b[0:4], a[0:4]), 0", False),
    ],
)
def test_a_load_of_a_buffer_after_something(between, is_known):
    lines = [*PLACES, "w = add.ptr p, 4", "u = load.i32 p", between, "v = load.i32 p"]
    assert (lines[-1] not in block(*lines)) == is_known


def test_equal_addresses_need_not_be_one_variable():
    lines = ["u = add.ptr q, 8", "v = add.ptr u, -4", "w = add.ptr q, 4"]
    lines += ["i = load.i32 v", "j = load.i32 w", "store.i32 q, j"]
    assert block(*lines)[3:] == [lines[3], "store.i32 q, i"]


def test_a_load_of_what_was_stored():
    assert block("store.i32 q, x", "u = load.i32 q", "store.i32 r, u")[1:] == ["store.i32 r, x"]
    assert block("store.i32 q, 5", "u = load.i32 q")[1:] == ["u = const.i32 5"]
    assert block("store.f64 q, g", "u = load.f64 q", "store.f64 r, u")[1:] == ["store.f64 r, g"]


@pytest.mark.parametrize(
    "lines",
    [
        ["store.i32 q, x", "u = load.f32 q"],
        ["store.i32 q, x", "u = load.i16 q"],
        ["store.i32 q, x", "store.i32 r, y", "u = load.i32 q"],
        ["@c store.i32 q, x", "u = load.i32 q"],
        ["@c store.i32 q, x", "@!c u = load.i32 q else y"],
    ],
)
def test_a_load_of_something_else(lines):
    assert block(*lines) == lines


def test_a_load_of_what_was_stored_under_the_same_guard():
    lines = ["@c store.i32 q, x", "@c u = load.i32 q else y"]
    assert block(*lines) == [lines[0], "@c u = copy.i32 x else y"]


def test_loads_can_be_left_alone():
    lines = ["u = load.i32 q", "v = load.i32 q"]
    assert block(*lines, loads=False) == lines


def test_a_write_further_back_than_the_reach():
    lines = [*PLACES, "u = load.i32 p", *["store.i32 s, x"] * 3, "v = load.i32 p"]
    assert lines[-1] not in block(*lines, reach=3)
    assert lines[-1] in block(*lines, reach=2)


def test_the_remark_names_the_write():
    found = applied("entry:\n u = load.i32 q\n store.i32 r, x\n v = load.i32 q\n return v")
    assert found.remarks == [
        ("load repeated", "'store.i32' at test.sir:8:2 may write there"),
    ]


PATHS = """entry:
    p = address.ptr a
    s = address.ptr b
    u = load.i32 p
    branch c, left, join
left:
    {0}
    jump join
join:
    v = load.i32 p
    return v"""


@pytest.mark.parametrize(
    ("write", "is_known"), [("store.i32 s, x", True), ("store.i32 p, x", False)]
)
def test_a_write_on_one_of_two_ways(write, is_known):
    assert ("v = load.i32 p" not in applied(PATHS.replace("{0}", write))) == is_known


ROUND = """entry:
    p = address.ptr a
    s = address.ptr b
    u = load.i32 p
    jump loop
loop:
    i = phi.i64 [entry: 0, loop: j]
    j = add.i64 i, 4
    m = and.i64 i, 28
    t = add.ptr {base}, m
    v = load.i32 {place}
    store.i32 t, v
    branch d, loop, done
done:
    w = load.i32 p
    return w"""


def test_a_load_in_a_loop_that_writes_elsewhere():
    left = applied(ROUND.replace("{base}", "s").replace("{place}", "p"))
    assert {"v = load.i32 p", "w = load.i32 p"}.isdisjoint(left.lines)
    assert left.lines[-1] == "return u"


def test_a_load_in_a_loop_that_may_write_there():
    left = applied(ROUND.replace("{base}", "p").replace("{place}", "p"))
    assert {"v = load.i32 p", "w = load.i32 p"} <= set(left.lines)


def test_addresses_that_move_with_a_loop_say_nothing_across_it():
    """t is 4 bytes on in the next iteration: what it loads is what was stored through it before."""
    text = """entry:
    jump loop
loop:
    i = phi.i64 [entry: 0, loop: j]
    j = add.i64 i, 4
    t = add.ptr q, i
    t2 = add.ptr q, j
    v = load.i32 t
    store.i32 t2, x
    w = load.i32 t
    k = add.i32 v, w
    store.i32 r, k
    branch d, loop, done
done:
    z = load.i32 t
    return z"""
    left = applied(text)
    assert "w = load.i32 t" not in left  # 4 bytes from what was stored in this iteration
    assert "v = load.i32 t" in left
    assert "z = load.i32 t" in left


# Reductions and tensor operations

FILL = "tensor.fill.i32 a[0:4], x"
ADD = "tensor.add.i32 b[0:4], a[0:4], a[4:8]"


def test_reductions_are_used_again():
    lines = ["u = tensor.sum.i32 a[0:4]", "tensor.fill.i32 a[4:8], x", "v = tensor.sum.i32 a[0:4]"]
    assert block(*lines, "store.i32 q, v")[2:] == ["store.i32 q, u"]
    lines[1] = "tensor.fill.i32 a[3:8], x"
    assert lines[2] in block(*lines)


@pytest.mark.parametrize(
    ("between", "goes"),
    [
        ("tensor.fill.i32 b[4:8], y", True),
        ("u = tensor.sum.i32 b[0:4]", True),
        ("tensor.fill.i32 b[3:8], y", False),  # the destination
        ("tensor.fill.i32 a[7:8], y", False),  # a source
        ("store.i32 q, y", False),
        ("@c tensor.fill.i32 b[0:1], y", False),
    ],
)
def test_a_tensor_operation_again(between, goes):
    assert block(ADD, between, ADD) == ([ADD, between] if goes else [ADD, between, ADD])


def test_tensor_operations_can_be_left_alone():
    assert block(ADD, ADD, tensors=False) == [ADD, ADD]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (FILL, "tensor.fill.i32 a[0:4], y"),
        (FILL, "tensor.fill.i32 a[0:5], x"),
        (FILL, "tensor.fill.i32 a[0:3], x"),
        ("@c " + FILL, FILL),
        ("@c " + FILL, "@!c " + FILL),
        ("tensor.copy.i32 a[0:4], a[2:6]", "tensor.copy.i32 a[0:4], a[2:6]"),
        ("tensor.fill.i32 any(a[0:4], b[0:4]), x", "tensor.fill.i32 any(a[0:4], b[0:4]), x"),
        ("tensor.fill.f32 f[0:4], 0.0", "tensor.fill.f32 f[0:4], -0.0"),
    ],
)
def test_tensor_operations_that_do_something_else(first, second):
    assert block(first, second) == [first, second]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (FILL, "@c " + FILL),
        ("@c " + FILL, "@c " + FILL),
        ("tensor.fill.i32 a[0:n], x", "tensor.fill.i32 a[0:n], x"),
        ("tensor.fill.f32 f[0:4], nan", "tensor.fill.f32 f[0:4], nan"),
    ],
)
def test_tensor_operations_that_do_the_same(first, second):
    assert block(first, second) == [first]


def test_what_a_removed_operation_wrote_was_there():
    """A reduction between the two is known after the second."""
    lines = [FILL, "u = tensor.sum.i32 a[0:8]", FILL, "v = tensor.sum.i32 a[0:8]", "store.i32 q, v"]
    assert block(*lines) == [*lines[:2], "store.i32 q, u"]


def test_the_remark_says_why_a_tensor_operation_stays():
    copy = "tensor.copy.i32 a[0:4], a[2:6]"
    found = applied(f"entry:\n {copy}\n {copy}\n return 0")
    assert found.remarks == [("tensor operation repeated", "it may overwrite what it reads")]
