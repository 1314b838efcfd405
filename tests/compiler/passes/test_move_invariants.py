"""Motion out of loops: each rule by hand, with what forbids it, and random programs."""

from __future__ import annotations

from collections import Counter

import pytest

from compiler.ir.module import Function
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
f: f64[8] in global
func @f(q: ptr, r: ptr, c: i1, d: i1, n: i64, x: i64, y: i64, g: f64) {
"""


def applied(text: str, **options) -> tuple[Function, Changes]:
    """A function after the pass, and what the pass says."""
    module = parse(f"{HEAD}{text}\n}}\n", "test.sir")
    function = module.functions["f"]
    changes = apply("move_invariants", function, **options)
    assert findings_of(module) == []
    return function, changes


def lines(function: Function, block: str) -> list[str]:
    return [print_instruction(i).strip() for i in function.blocks[block].instructions]


def moved(body: str, **options) -> list[str]:
    """What leaves a loop of one block, which runs at least once and counts i from 0."""
    text = f"""
entry:
    at_a = address.ptr a
    at_b = address.ptr b
    first = load.i64 r
    jump loop
loop:
    i = phi.i64 [entry: 0, loop: next]
    {body}
    next = add.i64 i, 1
    again = lt_s.i64 next, n
    branch again, loop, done
done:
    return
"""
    function, _ = applied(text, **options)
    return lines(function, "entry")[3:-1]


def test_what_cannot_fault_moves_and_what_reads_it_follows():
    assert moved("u = add.i64 x, y\n v = mul.i64 u, u\n w = add.i64 v, i") == [
        "u = add.i64 x, y", "v = mul.i64 u, u",
    ]  # fmt: skip


def test_literals_move_only_with_what_reads_them():
    assert moved("u = const.i64 5\n w = add.i64 u, i") == []
    body = "u = const.i64 5\n p = address.ptr f\n v = add.i64 u, x\n w = add.i64 u, i"
    assert moved(body) == ["u = const.i64 5", "v = add.i64 u, x"]
    assert moved(body, literals=True) == [
        "u = const.i64 5", "p = address.ptr f", "v = add.i64 u, x",
    ]  # fmt: skip


def test_a_fault_stays_the_same_fault():
    division = "z = div_s.i64 x, y"
    assert moved(division) == [division]
    assert moved(f"u = add.i64 i, x\n {division}") == [division]
    assert moved(f"u = load.i64 q\n {division}") == ["u = load.i64 q", division]


@pytest.mark.parametrize(
    "before",
    [
        "p = add.ptr q, i\n u = load.i8 p",  # may fault before it
        "u = div_s.i64 x, i",
        "m = and.i64 i, 4\n p = add.ptr at_a, m\n store.i32 p, 1",  # a fault would show no store
        "o = opaque.i1",
    ],
)
def test_nothing_overtakes_an_effect(before):
    assert moved(f"{before}\n z = div_s.i64 x, y") == []
    proven = "t = or.i64 y, 1\n z = div_s.i64 x, t"
    assert "z = div_s.i64 x, t" in moved(f"{before}\n {proven}")


def test_a_load_that_cannot_fault_overtakes():
    safe = "p = add.ptr at_b, 4\n v = load.i32 p"
    before = "m = and.i64 i, 4\n o = add.ptr at_a, m\n store.i32 o, 1\n u = div_s.i64 x, i"
    assert "v = load.i32 p" in moved(f"{before}\n {safe}")
    assert "v = load.i64 r" in moved("u = div_s.i64 x, i\n v = load.i64 r")


@pytest.mark.parametrize(
    ("store", "may_write"),
    [
        ("store.i32 at_b, 1", True),
        ("p = add.ptr at_b, 4\n store.i32 p, 1", False),
        ("p = add.ptr at_b, 2\n store.i16 p, 1", True),
        ("m = and.i64 i, 12\n p = add.ptr at_b, m\n store.i32 p, 1", True),
        ("m = and.i64 i, 12\n k = add.i64 m, 4\n p = add.ptr at_b, k\n store.i32 p, 1", False),
        ("p = add.ptr at_a, i\n store.i8 p, 1", True),  # the address may be anywhere
        ("m = and.i64 i, 12\n p = add.ptr at_a, m\n store.i32 p, 1", False),
        ("store.i64 q, 1", True),
        ("@c store.i64 q, 1", True),
        ("tensor.fill.i32 b[0:2], 1", True),
        ("tensor.fill.i32 b[1:2], 1", False),
        ("tensor.fill.i32 a[0:n], 1", False),
        ("tensor.fill.i32 any(a[0:1], b[0:1]), 1", True),
    ],
)
def test_a_load_moves_if_nothing_in_the_loop_writes_there(store, may_write):
    load = "v = load.i32 at_b"
    assert (load not in moved(f"{load}\n {store}", stores=False)) == may_write
    assert (load not in moved(f"{store}\n {load}", stores=False)) == may_write


def test_pointers_with_the_same_base_are_told_apart():
    load = "p = add.ptr q, 8\n v = load.i64 p"
    assert "v = load.i64 p" in moved(f"{load}\n store.i64 q, i")
    assert "v = load.i64 p" not in moved(f"{load}\n o = add.ptr q, 12\n store.i32 o, 1")
    assert "v = load.i64 p" not in moved(f"{load}\n store.i64 r, i")
    assert "v = load.i64 p" not in moved(f"{load}\n store.i64 q, i", loads=False)


def test_guards_move_along():
    guarded = "@c z = div_s.i64 x, y else n"
    assert moved(guarded) == [guarded]
    assert moved("e = lt_s.i64 i, 5\n @e z = add.i64 x, y else n") == []
    assert moved("@c z = add.i64 x, y else i") == []
    long = "@c z = div_s.i64 x, 3 else n"
    assert moved(f"o = opaque.i1\n {long}") == []  # an iteration does without it if c is false
    assert moved(long) == [long]


WHILE = """
entry:
    first = load.i64 r
    jump head
head:
    i = phi.i64 [entry: 0, latch: next]
    t = lt_s.i64 i, n
    branch t, body, done
body:
    z = {operation}
    branch c, side, latch
side:
    s = {in_side}
    jump latch
latch:
    next = add.i64 i, 1
    jump head
done:
    return
"""


@pytest.mark.parametrize(
    ("operation", "in_side", "goes"),
    [
        ("add.i64 x, y", "add.i64 x, n", ["z", "s"]),
        ("div_s.i64 x, y", "add.i64 x, n", ["s"]),  # the loop may not run it
        ("load.i64 q", "load.i64 r", ["s"]),
        ("div.f64 g, g", "sqrt.f64 g", ["z"]),  # what is long, only where every iteration runs it
        ("div_s.i64 x, 3", "div_s.i64 x, 5", ["z"]),
    ],
)
def test_where_a_loop_may_not_come(operation, in_side, goes):
    text = WHILE.format(operation=operation, in_side=in_side)
    function, _ = applied(text)
    assert [line.split()[0] for line in lines(function, "entry")[1:-1]] == goes
    function, _ = applied(text, speculate_long=True)
    fast = {"z", "s"} if "div_s.i64 x, 3" in text or "sqrt" in text else set(goes)
    assert {line.split()[0] for line in lines(function, "entry")[1:-1]} == fast


JOIN = """
entry:
    jump loop
loop:
    i = phi.i64 [entry: 0, join: next]
    branch c, then, {other}
then:
    {then}
    jump join
join:
    z = div_s.i64 x, y
    next = add.i64 i, 1
    t = lt_s.i64 next, n
    branch t, loop, done
spin:
    branch d, spin, join
done:
    return
"""


@pytest.mark.parametrize(
    ("other", "then", "goes"),
    [
        ("join", "u = add.i64 i, x", True),
        ("join", "u = load.i64 q", False),
        ("done", "u = add.i64 i, x", False),  # the loop may be left before it
        ("spin", "u = add.i64 i, x", False),  # that may never end, without the fault
    ],
)
def test_every_way_comes_to_it_first(other, then, goes):
    function, _ = applied(JOIN.format(other=other, then=then))
    assert ("z = div_s.i64 x, y" in lines(function, "entry")) == goes


NEST = """
entry:
    jump outer
outer:
    i = phi.i64 [entry: 0, latch: next]
    jump inner
inner:
    j = phi.i64 [outer: 0, inner: more]
    u = add.i64 x, y
    v = add.i64 u, i
    z = div_s.i64 x, y
    more = add.i64 j, v
    s = lt_s.i64 more, n
    branch s, inner, latch
latch:
    w = add.i64 v, n
    next = add.i64 i, w
    t = lt_s.i64 next, n
    branch t, outer, done
done:
    return
"""


def test_a_nest_is_left_as_far_as_possible():
    function, changes = applied(NEST)
    assert lines(function, "entry") == ["u = add.i64 x, y", "z = div_s.i64 x, y", "jump outer"]
    assert lines(function, "outer")[1:] == ["v = add.i64 u, i", "jump inner"]
    assert changes.counts == {"operation moved out of the loop": 5}


def test_a_loop_that_the_function_begins_with():
    body = "o = opaque.i1\n u = add.i64 x, y\n z = div_s.i64 x, y"
    function, _ = applied(f"loop:\n {body}\n branch o, loop, done\ndone:\n return")
    assert lines(function, "loop.before.1") == ["u = add.i64 x, y", "jump loop"]
    assert function.entry.name == "loop.before.1"


def test_a_preheader_is_made_only_if_it_is_needed():
    text = """
entry:
    branch c, loop, done
loop:
    i = phi.i64 [entry: 0, loop: next]
    {body}
    next = add.i64 i, 1
    t = lt_s.i64 next, n
    branch t, loop, done
done:
    return
"""
    function, _ = applied(text.format(body="u = add.i64 x, y"))
    assert list(function.blocks) == ["entry", "loop.before.1", "loop", "done"]
    assert lines(function, "loop.before.1") == ["u = add.i64 x, y", "jump loop"]
    function, _ = applied(text.format(body="u = add.i64 x, i"))
    assert list(function.blocks) == ["entry", "loop", "done"]


def test_a_fault_does_not_come_before_the_draw_that_leads_to_the_loop():
    text = """
entry:
    branch opaque, loop, loop
loop:
    z = load.i64 q
    branch opaque, loop, done
done:
    return
"""
    function, _ = applied(text)
    assert lines(function, "entry") == ["branch opaque, loop.before.1, loop.before.1"]
    assert lines(function, "loop.before.1") == ["z = load.i64 q", "jump loop"]


def test_a_region_of_several_entries_is_left_alone():
    text = """
entry:
    branch c, left, right
left:
    u = add.i64 x, y
    branch d, right, done
right:
    jump left
done:
    return
"""
    function, changes = applied(text)
    assert "u = add.i64 x, y" in lines(function, "left")
    assert changes.counts == {"region left alone": 1}


@pytest.mark.parametrize(
    ("body", "goes"),
    [
        ("tensor.fill.i32 a[0:8], 0", True),
        ("tensor.copy.i32 a[0:4], b[0:4]", True),
        ("tensor.copy.i32 a[0:4], a[2:6]", False),  # each time it copies something else
        ("tensor.copy.i32 a[0:4], b[0:4]\n store.i32 at_b, 1", False),
        ("tensor.fill.i32 a[0:8], 0\n store.i32 at_a, 1", False),
        ("tensor.fill.i32 a[0:8], 0\n v = load.i32 at_a", True),
        ("v = load.i32 at_a\n tensor.fill.i32 a[0:8], 0", False),
        ("u = div_s.i64 x, i\n tensor.fill.i32 a[0:8], 0", False),  # a fault would show it
        ("k = trunc.i64.i32 i\n tensor.fill.i32 a[0:8], k", False),
        ("tensor.fill.i32 any(a[0:4], b[0:4]), 0", False),
        ("store.i32 at_a, 7", True),
        ("store.i64 q, x", True),
        ("store.i64 q, i", False),
        ("@c store.i64 q, x", True),
    ],
)
def test_stores_and_tensor_operations(body, goes):
    gone = [line for line in moved(body) if line.startswith(("tensor", "store", "@c store"))]
    assert bool(gone) == goes
    assert not any("store" in line or "tensor" in line for line in moved(body, stores=False))


def test_a_reduction_moves_as_a_load_does():
    reduction = "s = tensor.sum.i32 b[0:8]"
    assert moved(f"{reduction}\n m = and.i64 i, 12\n p = add.ptr at_a, m\n store.i32 p, 1") == [
        reduction
    ]
    assert moved(f"{reduction}\n m = and.i64 i, 12\n p = add.ptr at_b, m\n store.i32 p, 1") == []


def test_reasons_name_the_line():
    _, changes = applied(WHILE.format(operation="load.i64 q", in_side="load.i64 r"))
    assert {(r.what, r.location.line, r.why) for r in changes.remarks} == {
        ("load moved out of the loop", 18, "it cannot fault"),
        ("load left in the loop", 15, "it may fault, and the loop may not run it first of all"),
    }


def check(seed: int) -> Counter:
    """A random program does the same before and after; counts what the pass did."""
    program = RandomMemory(seed, faults=seed % 2 == 0)
    module = parse(program.text, "random.sir")
    (function,) = module.functions.values()
    expected = [behaviour(function, module, program.arguments, draw) for draw in (0, 1)]
    apply("construct_ssa", function)
    counts = Counter(apply("move_invariants", function).counts)
    assert findings_of(module) == []
    assert [behaviour(function, module, program.arguments, d) for d in (0, 1)] == expected
    return counts


@pytest.mark.parametrize("seeds", cut(16, 80))
def test_random_programs_do_the_same(seeds):
    counts = sum(map(check, seeds), Counter())
    for kind in ("operation", "load", "store"):
        assert counts[f"{kind} moved out of the loop"] > len(seeds) / 16
