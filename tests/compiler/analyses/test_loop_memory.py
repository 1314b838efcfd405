"""Dependences between the accesses of a loop: at which distances, and why not."""

from __future__ import annotations

import pytest

from compiler.analyses.loop_memory import Dependence, LoopMemory, loop_memory
from compiler.analyses.loops import loops
from compiler.ir.module import Function
from compiler.text_form import parse
from compiler.verify.ir import findings_of

BUFFERS = """
cells: i64[64] in global
table: i64[64] in global
bytes: i8[64] in global
"""


def function(body: str, a: str = "a") -> Function:
    parameters = f"n: i64, m: i64, {a}: ptr, b: ptr, c: i1"
    module = parse(f"{BUFFERS}func @f({parameters}) {{\nentry:\n{body}\n}}\n", "test.sir")
    assert findings_of(module) == []
    return module.functions["f"]


def counted(statements: str, start="0", step=1, end="n", a="a") -> Function:
    """Statements in a loop over i, whose accesses are at `p`, `q`, …: see `place`."""
    return function(f"""
        cells_ = address.ptr cells
        table_ = address.ptr table
        jump loop
    loop:
        i = phi.i64 [entry: {start}, loop: next]
        {statements}
        next = add.i64 i, {step}
        more = {"lt_s" if step > 0 else "gt_s"}.i64 next, {end}
        branch more, loop, done
    done:
        return
    """, a)  # fmt: skip


def place(name: str, base: str, factor: object, offset: object) -> str:
    """Lines that set `name` to base + factor·i + offset bytes."""
    return f"""
        {name}_1 = mul.i64 i, {factor}
        {name}_2 = add.i64 {name}_1, {offset}
        {name} = add.ptr {base}, {name}_2
    """


def pair(f: Function, loop: str = "loop") -> dict[str, object]:
    """What is said of the two accesses of a loop, a store first: by direction."""
    found = loop_memory(f, loops(f).by_header[loop])
    first, second = found.accesses
    return {
        "there": said(found, first, second),
        "back": said(found, second, first),
        "self": said(found, first, first),
    }


def said(found: LoopMemory, source: object, target: object) -> object:
    """(least distance, exact distances) of a dependence; 'never' if there is none."""
    every = (*found.dependences, *found.independences)
    (one,) = (s for s in every if s.source is source and s.target is target)
    assert one.why
    return (one.omega, one.distances) if isinstance(one, Dependence) else "never"


def test_a_store_that_is_loaded_two_iterations_later():
    f = counted(place("p", "a", 8, 16) + "store.i64 p, i\n" + place("q", "a", 8, 0) + """
        x = load.i64 q
    """)  # fmt: skip
    assert pair(f) == {"there": (2, (2,)), "back": "never", "self": "never"}
    (flow,) = loop_memory(f, loops(f).by_header["loop"]).dependences
    assert (flow.kind, flow.why) == ("flow", "-16 bytes apart, by steps of 8")


@pytest.mark.parametrize(
    ("factor", "offset", "step", "there", "back"),
    [
        (8, 0, 1, (0, (0,)), "never"),
        (8, 24, 1, "never", (3, (3,))),  # the load first, the store three iterations later
        (8, -24, 1, (3, (3,)), "never"),
        (8, -24, -1, "never", (3, (3,))),
        (8, -24, 3, (1, (1,)), "never"),
        (16, 8, 1, "never", "never"),  # odd and even elements
        (8, 12, 1, "never", "never"),  # never aligned both
        (0, 0, 1, (0, None), (1, None)),
        (0, 8, 1, "never", "never"),
        (1, 0, 1, (0, (0,)), "never"),  # bytes apart by less than an access would be misaligned
        (-8, 40, 1, (5, (5,)), "never"),
        ("n", 0, 1, (0, None), (1, None)),
        ("n", 8, 1, (1, None), (1, None)),
    ],
)
def test_distances_of_equal_strides(factor, offset, step, there, back):
    lines = place("p", "a", factor, 0) + "store.i64 p, i\n" + place("q", "a", factor, offset)
    f = counted(lines + "x = load.i64 q", step=step, start="0", end="n")
    found = pair(f)
    assert (found["there"], found["back"]) == (there, back)


def test_accesses_of_different_sizes():
    lines = place("p", "a", 4, 0) + "store.i64 p, i\n" + place("q", "a", 4, 0)
    assert pair(counted(lines + "x = load.i32 q"))["there"] == (0, (0, 1))
    lines = place("p", "a", 4, 0) + "store.i64 p, i\n" + place("q", "a", 4, -8)
    assert pair(counted(lines + "x = load.i32 q"))["there"] == (2, (2, 3))
    lines = place("p", "a", 1, 0) + "store.i64 p, i\n" + place("q", "a", 1, 0)
    assert pair(counted(lines + "x = load.i8 q"))["there"] == (0, (0, 1, 2, 3, 4, 5, 6, 7))


@pytest.mark.parametrize(
    ("one", "other", "end", "there"),
    [
        ((24, 8), (16, 0), "n", (1, None)),
        ((16, 0), (24, 8), "n", "never"),  # the second is ahead and faster
        ((16, 0), (16, 8), "n", "never"),
        ((16, 0), (32, 8), "n", "never"),  # always an odd number of elements apart
        ((48, 0), (24, 8), "n", "never"),
        ((8, 0), (16, 800), "20", "never"),  # the second is ahead
        ((16, 0), (8, 800), "n", (0, None)),
        ((8, 800), (16, 0), "n", (0, None)),
        ((8, 0), (0, 80), "8", "never"),
        ((8, 0), (0, 80), "20", (0, None)),
        ((8, 0), ("m", 0), "20", (0, None)),
    ],
)
def test_unequal_strides(one, other, end, there):
    lines = place("p", "a", *one) + "store.i64 p, i\n" + place("q", "a", *other)
    assert pair(counted(lines + "x = load.i64 q", end=end))["there"] == there


def test_a_loop_that_ends_before_they_meet():
    lines = place("p", "a", 8, 80) + "store.i64 p, i\n" + place("q", "a", 8, 0) + "x = load.i64 q"
    assert pair(counted(lines, end="10"))["there"] == "never"
    assert pair(counted(lines, end="11"))["there"] == (10, (10,))


def test_pointers_may_be_anything_unless_arrays_are_separate():
    lines = place("p", "a", 8, 0) + "store.i64 p, i\n" + place("q", "b", 8, 0) + "x = load.i64 q"
    assert pair(counted(lines)) == {"there": (0, None), "back": (1, None), "self": "never"}
    apart = pair(counted(lines, a="noalias a"))
    assert (apart["there"], apart["back"]) == ("never", "never")


def test_a_separate_array_is_apart_from_buffers_whose_accesses_may_leave_them():
    lines = place("p", "a", 8, 0) + "store.i64 p, i\n" + place("q", "cells_", "m", 0)
    assert pair(counted(lines + "x = load.i64 q"))["there"] == (0, None)
    assert pair(counted(lines + "x = load.i64 q", a="noalias a"))["there"] == "never"


def test_a_store_apart_meets_nothing_else_in_its_own_loop():
    load = place("q", "a", "m", 0) + "x = load.i64 q"
    apart = place("p", "a", 8, 0) + "store.i64 p, i {apart: true}\n" + load
    assert pair(counted(apart)) == {"there": "never", "back": "never", "self": "never"}
    plain = apart.replace(" {apart: true}", "")
    assert pair(counted(plain))["there"] == (0, None)
    again = place("p", "a", 0, 0) + "store.i64 p, i {apart: true}\n" + load
    assert pair(counted(again))["self"] == (1, None)


def test_a_store_apart_may_meet_others_in_a_loop_around_its_own():
    f = function("""
        jump rows
    rows:
        r = phi.i64 [entry: 0, after: r_next]
        y = load.i64 b
        jump loop
    loop:
        i = phi.i64 [rows: 0, loop: next]
        k = shl.i64 i, 3
        p = add.ptr a, k
        store.i64 p, y {apart: true}
        next = add.i64 i, 1
        more = lt_s.i64 next, n
        branch more, loop, after
    after:
        r_next = add.i64 r, 1
        again = lt_s.i64 r_next, m
        branch again, rows, done
    done:
        return
    """)
    found = loop_memory(f, loops(f).by_header["rows"])
    load, store = sorted(found.accesses, key=lambda access: access.kind)
    assert said(found, store, load) != "never"


def test_what_may_be_made_of_a_separate_array_is_not_apart_from_it():
    chosen = "other = select.ptr c, a, b\n" + place("q", "other", 8, 0)
    lines = place("p", "a", 8, 0) + "store.i64 p, i\n" + chosen + "x = load.i64 q"
    assert pair(counted(lines, a="noalias a"))["there"] == (0, None)


def test_a_sum_of_two_pointers_is_in_no_array():
    lines = "far = int.ptr.i64 b\n" + place("p", "a", 8, 0) + place("q_", "a", 8, 0)
    f = counted(lines + "store.i64 p, i\n q = add.ptr q_, far\n x = load.i64 q", a="noalias a")
    assert pair(f)["there"] == (0, None)


def test_addresses_that_come_round_the_whole_memory():
    """By 2**61 bytes a time the eighth is the first again, unless that many would fault."""
    p, q = place("p", "a", 1 << 61, 0), place("q", "a", 1 << 61, 0)
    sometimes = counted(f"{p} @c store.i64 p, i\n {q} @c x = load.i64 q else 0")
    assert pair(sometimes)["there"] == (0, None)
    always = counted(f"{p} store.i64 p, i\n {q} x = load.i64 q")
    assert pair(always) == {"there": (0, (0,)), "back": "never", "self": "never"}


@pytest.mark.parametrize(
    ("q", "end", "there"),
    [
        (("table_", 8, 0), "64", "never"),
        (("table_", 8, 0), "n", "never"),  # each goes on by less than the gap between buffers
        (("table_", 8, -8), "n", (0, None)),  # begins outside
        (("table_", 4104, 0), "n", (0, None)),  # could jump over the gap
        (("table_", 8, "m"), "n", (0, None)),
        (("table_", 8, 512), "n", (0, None)),
        (("a", 8, 0), "n", (0, None)),
    ],
)
def test_buffers_are_apart_if_nothing_can_leave_its_own(q, end, there):
    lines = place("p", "cells_", 8, 0) + "store.i64 p, i\n" + place("q", *q) + "x = load.i64 q"
    assert pair(counted(lines, end=end))["there"] == there


def test_a_masked_index_stays_in_its_buffer():
    f = counted("""
        w = load.i64 a
        o = and.i64 w, 56
        p = add.ptr cells_, o
        store.i64 p, i
        q = add.ptr table_, o
        x = load.i64 q
    """)
    found = loop_memory(f, loops(f).by_header["loop"])
    _, store, load = found.accesses
    assert said(found, store, load) == "never"
    assert said(found, store, store) == (1, None)
    (output,) = (d for d in found.dependences if d.kind == "output")
    assert output.why == (
        "o in the address &cells + o changes in the loop: and.i64 is not followed"
    )


def test_what_runs_only_sometimes_proves_nothing():
    """The load may be the one access that would fault, so the store may jump far."""
    lines = place("p", "cells_", 8, 0) + "@c store.i64 p, i\n" + place("q", "table_", 8, 0)
    f = counted(lines + "@!c x = load.i64 q else 0")
    assert pair(f)["there"] == (0, None)


@pytest.mark.parametrize(("size", "meet"), [("0", True), ("n", True), ("1", False)])
def test_what_may_touch_nothing_does_not_leave_memory(size, meet):
    """Some iterations of a step of 2**46 bytes are all there can be, if each touches something."""
    f = counted(
        f"""
        low = shl.i64 i, 46
        high = add.i64 low, {size}
        tensor.fill.i8 bytes[low:high], 1
        {place("p", "cells_", 8, 80)}
        store.i64 p, 1
        {place("q", "cells_", 8, 0)}
        x = load.i64 q
        """
    )
    found = loop_memory(f, loops(f).by_header["loop"])
    assert [d.distances for d in found.dependences if d.kind == "flow"] == ([(10,)] if meet else [])


def test_sides_of_a_branch_never_meet_in_one_iteration():
    f = function("""
        jump loop
    loop:
        i = phi.i64 [entry: 0, join: next]
        branch c, then, other
    then:
        store.i64 a, i
        jump join
    other:
        x = load.i64 a
        jump join
    join:
        next = add.i64 i, 1
        more = lt_s.i64 next, n
        branch more, loop, done
    done:
        return
    """)
    assert pair(f) == {"there": (1, None), "back": (1, None), "self": (1, None)}


def test_rows_of_a_nest_are_iterations_of_the_outer_loop():
    f = function("""
        jump rows
    rows:
        row = phi.i64 [entry: 0, next: row2]
        jump columns
    columns:
        k = phi.i64 [rows: 0, columns: k2]
        r1 = mul.i64 row, 800
        r2 = shl.i64 k, 3
        r3 = add.i64 r1, r2
        p = add.ptr a, r3
        store.i64 p, k
        q = sub.i64 r3, 1600
        s = add.ptr a, q
        x = load.i64 s
        k2 = add.i64 k, 1
        inside = lt_s.i64 k2, 100
        branch inside, columns, next
    next:
        row2 = add.i64 row, 1
        more = lt_s.i64 row2, 50
        branch more, rows, done
    done:
        return
    """)
    assert pair(f, "rows") == {"there": (2, None), "back": "never", "self": (0, None)}
    assert pair(f, "columns") == {"there": "never", "back": "never", "self": "never"}


def test_tensors_in_a_loop():
    f = counted("""
        tensor.fill.i64 cells[0:8], 0
        high = add.i64 i, 16
        tensor.fill.i64 table[i:high], 1
        tensor.copy.i64 table[8:16], cells[8:16]
        tensor.fill.i8 any(bytes[0:8], bytes[8:n]), 2
    """)
    found = loop_memory(f, loops(f).by_header["loop"])
    cells, table, source, target, *_ = sorted(
        found.accesses, key=lambda access: (access.position, access.kind)
    )
    assert said(found, cells, source) == "never"
    assert said(found, cells, table) == "never"
    assert said(found, table, target) == (0, None)
    assert said(found, target, table) == (1, None)
    assert said(found, cells, cells) == (1, None)


def test_regions_are_refused():
    f = function("""
        branch c, left, right
    left:
        jump right
    right:
        branch c, left, done
    done:
        return
    """)
    with pytest.raises(ValueError, match="no iterations"):
        loop_memory(f, loops(f).irreducible[0])
