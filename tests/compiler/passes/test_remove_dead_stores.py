"""Dead stores: each rule by hand, with what breaks it, and random programs before and after."""

from __future__ import annotations

from collections import Counter

import pytest

from compiler.analyses.memory.footprint_index import FootprintIndex
from compiler.analyses.safe_accesses import SafeAccesses
from compiler.ir.printer import print_instruction
from compiler.text_form import parse
from compiler.transformation import Changes
from compiler.verify.ir import findings_of
from tests.campaign.seeds import cut
from tests.compiler.behaviour import behaviour
from tests.compiler.one_pass import apply
from tests.programs.random_memory import RandomMemory

HEAD = """
a: i32[8] in global
b: i32[8] in global
f: f32[8] in global
func @f(q: ptr, r: ptr, c: i1, i: i64, x: i32, y: i32, g: f32) {
"""


def applied(text: str, **options) -> tuple[list[str], Changes]:
    """The stores and tensor operations that are left, and what the pass says."""
    module = parse(f"{HEAD}{text}\n}}\n", "test.sir")
    function = module.functions["f"]
    changes = apply("remove_dead_stores", function, **options)
    assert findings_of(module) == []
    kept = [i for _, i in function.instructions() if i.operation.stores]
    return [print_instruction(i).strip() for i in kept], changes


def left(*lines: str, **options) -> list[str]:
    """What is left of one block that begins with p = &a and s = &b."""
    begin = ("p = address.ptr a", "s = address.ptr b")
    return applied("entry:\n    " + "\n    ".join((*begin, *lines, "return")), **options)[0]


FIRST, SECOND = "store.i32 p, x", "store.i32 p, y"


def test_a_store_that_is_written_again():
    assert left(FIRST, SECOND) == [SECOND]
    assert left(FIRST, "store.i32 s, y") == [FIRST, "store.i32 s, y"]


@pytest.mark.parametrize(
    "cut_off, what_is_said_then",
    [
        ((FootprintIndex, "inside"), 0),  # no store writes any bytes for certain
        ((FootprintIndex, "meeting"), -1),  # any access may touch all bytes
        ((SafeAccesses, "is_safe"), False),
    ],
    ids=["inside", "meeting", "is_safe"],
)
def test_what_it_knows_of_memory_comes_from_the_analyses(monkeypatch, cut_off, what_is_said_then):
    between = "w = load.i32 s"
    assert left(FIRST, between, SECOND) == [SECOND]
    monkeypatch.setattr(*cut_off, lambda *_: what_is_said_then)
    assert left(FIRST, between, SECOND) == [FIRST, SECOND]


def test_a_part_that_is_not_written_again():
    narrow, wide = "store.i16 p, 1", "store.i32 p, x"
    assert left(narrow, wide) == [wide]
    assert left(wide, narrow) == [wide, narrow]
    high = "w = add.ptr p, 2"
    assert left(high, wide, narrow, "store.i16 w, 2") == [narrow, "store.i16 w, 2"]
    assert left(high, "store.i64 p, 9", narrow, "store.i16 w, 2")[0] == "store.i64 p, 9"


@pytest.mark.parametrize(
    ("between", "keeps"),
    [
        ("v = load.i32 p", True),
        ("v = load.i32 s", False),
        ("n = add.ptr p, 4\n v = load.i32 n", False),
        ("n = add.ptr p, 3\n v = load.i8 n", True),
        ("m = and.i64 i, 28\n n = add.ptr p, m\n v = load.i32 n", True),
        ("m = and.i64 i, 12\n m2 = add.i64 m, 4\n n = add.ptr p, m2\n v = load.i32 n", False),
        ("v = load.i32 q", True),  # may read it, may fault
        ("v = div_s.i32 x, y", True),  # may fault
        ("z = or.i32 y, 1\n v = div_s.i32 x, z", False),
        ("store.i32 q, 3", True),  # may fault
        ("v = tensor.sum.i32 a[0:2]", True),
        ("v = tensor.sum.i32 a[1:2]", False),
        ("tensor.copy.i32 b[0:2], a[0:2]", True),
        ("tensor.copy.i32 b[0:i], b[0:i]", True),  # may fault
        ("v = tensor.sum.i32 any(b[0:2], a[0:2])", True),
        ("o = opaque.i1", False),
    ],
)
def test_what_may_come_between(between, keeps):
    assert (FIRST in left(FIRST, between, SECOND)) == keeps


def test_a_store_that_may_fault_stays():
    """Without it the fault would be at the next store."""
    stores = ["store.i32 q, x", "store.i32 q, y"]
    assert left(*stores) == stores
    assert left("v = load.i32 q", *stores) == [stores[1]]
    _, changes = applied("entry:\n " + "\n ".join((*stores, "return")))
    assert changes.remarks[0].why == "it may fault"


def test_guards():
    guarded = "@c store.i32 p, y"
    assert left(FIRST, guarded) == [FIRST, guarded]
    assert left(guarded, FIRST) == [FIRST]


def test_tensor_operations():
    fill, first, second = (
        "tensor.fill.i32 a[0:8], 0", "tensor.fill.i32 a[0:4], 1", "tensor.fill.i32 a[4:8], 2",
    )  # fmt: skip
    assert left(fill, first, second) == [first, second]
    assert left(fill, first) == [fill, first]
    assert left(FIRST, fill) == [fill]
    copy = "tensor.copy.i32 a[0:4], a[4:8]"
    assert left(fill, copy, second) == [fill, copy, second]
    indirect = "tensor.fill.i32 any(a[0:4], a[4:8]), 3"
    assert left(indirect, fill) == [indirect, fill]  # it draws
    assert left(fill, indirect) == [fill, indirect]


def test_a_variable_offset_inside_a_fill():
    lines = ("m = and.i64 i, 12", "n = add.ptr p, m", "store.i32 n, 1")
    assert left(*lines, "tensor.fill.i32 a[0:4], 1") == ["tensor.fill.i32 a[0:4], 1"]
    assert len(left(*lines, "tensor.fill.i32 a[0:3], 1")) == 2


BRANCHES = """
entry:
    p = address.ptr a
    store.i32 p, x
    branch c, then, other
then:
    store.i32 p, 1
    jump join
other:
    {other}
    jump join
join:
    {join}
    return
"""


@pytest.mark.parametrize(
    ("other", "join", "is_dead"),
    [
        ("store.i32 p, 2", "", True),
        ("", "", False),
        ("", "store.i32 p, 3", True),
        ("v = load.i32 p", "store.i32 p, 3", False),
        ("z = div_s.i32 x, y", "store.i32 p, 3", False),
    ],
)
def test_on_every_way(other, join, is_dead):
    stores, _ = applied(BRANCHES.format(other=other, join=join))
    assert ("store.i32 p, x" not in stores) == is_dead


LOOP = """
entry:
    p = address.ptr a
    jump loop
loop:
    k = phi.i64 [entry: 0, loop: next]
    m = and.i64 k, 28
    n = add.ptr p, m
    store.i32 n, 1
    next = add.i64 k, 4
    branch c, loop, done
done:
    {done}
    return
"""


def test_in_a_loop_a_name_is_the_address_of_this_iteration():
    """The next iteration stores by the same name, but somewhere else."""
    assert "store.i32 n, 1" in applied(LOOP.format(done=""))[0]
    assert "store.i32 n, 1" in applied(LOOP.format(done="store.i32 n, 2"))[0]
    done = "tensor.fill.i32 a[0:8], 0"
    assert applied(LOOP.format(done=done))[0] == [done]


def test_an_endless_loop_may_be_looked_at():
    text = "entry:\n p = address.ptr a\n store.i32 p, x\n jump loop\n"
    stores, _ = applied(f"{text}loop:\n store.i32 p, y\n jump loop")
    assert len(stores) == 2


def test_a_value_that_is_there_already():
    assert left(FIRST, FIRST) == [FIRST]
    assert left(FIRST, "v = load.i32 s", FIRST) == [FIRST]
    assert left("v = load.i32 q", "store.i32 q, v") == []
    assert left("v = load.i32 q", "store.i32 q, v", known_values=False) == ["store.i32 q, v"]


@pytest.mark.parametrize(
    ("between", "is_there"),
    [
        ("u = load.i32 q", True),
        ("store.i32 p, 1", False),  # q may be p
        ("n = add.ptr q, 4\n store.i32 n, 1", True),
        ("n = add.ptr q, 2\n store.i16 n, 1", False),
        ("@c store.i32 q, 1", False),
        ("@c store.i32 q, v", True),
        ("tensor.fill.i32 a[0:1], 1", False),
        ("tensor.fill.i32 any(a[0:1], a[1:2]), 1", False),
        ("w = div_s.i32 x, y", True),
    ],
)
def test_what_may_change_the_value(between, is_there):
    stores = left("v = load.i32 q", between, "store.i32 q, v")
    assert (stores[-1:] != ["store.i32 q, v"]) == is_there


def test_a_guarded_access_tells_no_value():
    store = "store.i32 q, x"
    assert left("v = load.i32 q", f"@c {store}", store) == [store]
    assert left("v = load.i32 q", "@c x1 = load.i32 q else x", "store.i32 q, x1") != []


def test_the_same_value_is_the_same_bits():
    assert left("store.f32 p, 0.0", "store.f32 p, -0.0") == ["store.f32 p, -0.0"]
    known = left("store.f32 p, 0.0", "v = load.f32 p", "store.f32 p, -0.0")
    assert known == ["store.f32 p, 0.0", "store.f32 p, -0.0"]
    assert left("store.f32 p, g", "v = load.i32 p", "store.f32 p, g") == ["store.f32 p, g"]
    loaded = ("v = load.f32 p", "store.f32 p, v")
    assert left(*loaded) == ["store.f32 p, v"]  # a NaN would change its bits


def test_reasons_name_the_line():
    text = "entry:\n p = address.ptr a\n store.i32 p, x\n v = load.i32 p\n store.i32 p, y\n return"
    _, changes = applied(text)
    assert [(r.what, r.location.line, r.why) for r in changes.remarks] == [
        ("store kept", 8, "load.i32 at line 9 may read it"),
        ("store kept", 10, "not every way from here writes it again"),
    ]


def check(seed: int) -> Counter:
    """A random program does the same before and after; counts what the pass did."""
    program = RandomMemory(seed, faults=seed % 2 == 0)
    module = parse(program.text, "random.sir")
    (function,) = module.functions.values()
    expected = behaviour(function, module, program.arguments, seed)
    apply("construct_ssa", function)
    counts = Counter(apply("remove_dead_stores", function).counts)
    assert findings_of(module) == []
    assert behaviour(function, module, program.arguments, seed) == expected
    return counts


@pytest.mark.parametrize("seeds", cut(16, 80))
def test_random_programs_do_the_same(seeds):
    counts = sum(map(check, seeds), Counter())
    assert counts["store removed"] > len(seeds) / 16
