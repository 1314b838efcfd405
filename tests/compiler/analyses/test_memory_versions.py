"""Versions of memory: where phis stand, what an access finds, and what it may see of it."""

from __future__ import annotations

import pytest

from compiler.analyses.memory.memory_versions import START, LastWrites, memory_versions
from compiler.ir.module import Function
from compiler.text_form import parse

LOOP = """
a: i32[8] in global
b: i32[8] in global
func @f(q: ptr, x: i32, c: i1) {
entry:
    p = address.ptr a
    r = address.ptr b
    store.i32 p, x
    jump loop
loop:
    y = load.i32 {place}
    store.i32 r, y
    branch c, loop, out
out:
    z = load.i32 {place}
    return
}
"""


def function(text: str) -> Function:
    (found,) = parse(text, "test.sir").functions.values()
    return found


def loads(f: Function):
    return [i for _, i in f.instructions() if i.operation.loads]


def test_a_loop_that_writes_has_a_phi():
    f = function(LOOP.replace("{place}", "p"))
    found = memory_versions(f)
    first, second = (i for _, i in f.instructions() if i.operation.stores)
    assert found.writer == [None, None, first, second]
    assert found.previous == [[], [2, 3], [START], [1]]
    assert [found.before[load] for load in loads(f)] == [1, 3]
    assert found.before[first] == START and found.made[first] == 2
    assert found.at_end == {"entry": 2, "loop": 3, "out": 3}


@pytest.mark.parametrize(
    ("place", "reach", "seen"),
    [
        ("p", 9, [2, 2]),  # what entry stored: the loop writes elsewhere
        ("r", 9, [1, 3]),
        ("q", 9, [1, 3]),  # which may be anywhere
        ("p", 0, [1, 3]),
        ("p", 1, [2, 1]),
    ],
)
def test_what_a_load_may_see(place, reach, seen):
    f = function(LOOP.replace("{place}", place))
    writes = LastWrites(f, reach)
    assert [writes.seen_by(load) for load in loads(f)] == seen


MOVING = """
func @f(q: ptr, x: i32, c: i1) {
entry:
    jump loop
loop:
    i = phi.i64 [entry: 0, loop: j]
    j = add.i64 i, 4
    here = add.ptr q, i
    there = add.ptr q, j
    y = load.i32 here
    store.i32 there, y
    z = load.i32 here
    branch c, loop, out
out:
    return
}
"""


def test_addresses_that_move_with_the_loop_are_not_compared_across_it():
    """What y loads was stored in the iteration before; within one iteration it is 4 bytes off."""
    f = function(MOVING)
    writes = LastWrites(f, 9)
    assert [writes.seen_by(load) for load in loads(f)] == [1, 1]


def test_the_reach_ends_inside_a_loop():
    again = "store.i32 r, y\n    store.i32 r, x\n"
    f = function(LOOP.replace("{place}", "p").replace("store.i32 r, y\n", again))
    assert LastWrites(f, 1).seen_by(loads(f)[0]) == 1
    assert LastWrites(f, 2).seen_by(loads(f)[0]) == 2


def test_an_entry_that_is_jumped_to_has_two_ways_in():
    text = "entry:\n store.i32 q, 1\n branch c, entry, out\nout:\n return"
    f = function(f"func @f(q: ptr, c: i1) {{\n{text}\n}}\n")
    found = memory_versions(f)
    assert found.previous == [[], [START, 2], [1]]


def test_a_removed_write_is_passed_over():
    f = function(LOOP.replace("{place}", "q"))
    writes = LastWrites(f, 9)
    writes.removed.add(memory_versions(f).writer[3])
    assert [writes.seen_by(load) for load in loads(f)] == [2, 2]


def test_a_write_that_entry_does_not_reach_makes_no_version():
    text = "func @f(q: ptr) {\nentry:\n return\naway:\n store.i32 q, 1\n jump away\n}\n"
    assert memory_versions(function(text)).writer == [None]
