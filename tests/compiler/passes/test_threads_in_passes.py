"""What passes leave alone in programs of threads: order of memory, and who comes where."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.interpret.functions import memory_for
from compiler.interpret.grids import interpret_grid
from compiler.ir.printer import print_function
from compiler.pass_lists import default_passes, passes
from compiler.text_form import parse
from compiler.transformation import make_options
from compiler.verify.ir import findings_of
from machines.description.load import Machine, load_machine
from tests.campaign.seeds import short_form
from tests.programs.random_kernels import generate

IR_PASSES = default_passes("simt")[: default_passes("simt").index("select")]
ORDERING = ("barrier", "fence", "x = atomic_add.i32 q, 1", "x = atomic_cas.i32 q, 1, 2")
MEETING = ("v = vote_any c", "v = ballot c", "v = shuffle_down.i32 n, 1")


@pytest.fixture(name="machine", scope="module")
def machine_fixture() -> Machine:
    return load_machine("teaching_gpu")


def after(machine, text: str, *names: str) -> str:
    module = parse(text)
    function = module.functions["f"]
    for name in names:
        plugin = passes()[name]
        plugin.run(function, machine, make_options(plugin, {}))
        assert not findings_of(module), name
    return print_function(function)


HEAD = "func @f(p: ptr, q: ptr, n: i32, c: i1) {\n"
SSA = ("construct_ssa",)


@pytest.mark.parametrize("between", ORDERING)
def test_a_load_is_done_again_behind_what_orders_memory(machine, between):
    text = (
        HEAD
        + f"""b:
    a = load.i32 p
    {between}
    d = load.i32 p
    s = add.i32 a, d
    store.i32 q, s
    return
}}
"""
    )
    found = after(machine, text, *SSA, "number_values", "propagate_copies", "remove_dead_code")
    assert found.count("load.i32") == 2
    without = after(machine, text.replace(between, ""), *SSA, "number_values")
    assert without.count("load.i32") == 1


@pytest.mark.parametrize("between", ORDERING)
def test_what_was_stored_may_have_changed_behind_what_orders_memory(machine, between):
    text = (
        HEAD
        + f"""b:
    store.i32 p, n
    {between}
    d = load.i32 p
    store.i32 q, d
    return
}}
"""
    )
    found = after(machine, text, *SSA, "number_values", "remove_dead_stores", "remove_dead_code")
    assert found.count("load.i32 p") == 1


@pytest.mark.parametrize("between", ORDERING)
def test_a_store_is_seen_by_others_before_it_is_overwritten(machine, between):
    text = (
        "s: i32[4] in shared\n"
        + HEAD
        + f"""b:
    a = address.ptr s
    store.i32 a, 1
    {between}
    store.i32 a, 2
    return
}}
"""
    )
    assert after(machine, text, *SSA, "remove_dead_stores").count("store.i32") == 2
    without = after(machine, text.replace(between, ""), *SSA, "remove_dead_stores")
    assert without.count("store.i32") == 1


@pytest.mark.parametrize("between", ORDERING)
def test_the_same_value_is_stored_again_behind_what_orders_memory(machine, between):
    text = (
        HEAD
        + f"""b:
    store.i32 p, n
    {between}
    store.i32 p, n
    return
}}
"""
    )
    assert after(machine, text, *SSA, "remove_dead_stores").count("store.i32") == 2


LOOP = """b:
    i = const.i32 0
    jump loop
loop:
    {inside}
    i = add.i32 i, 1
    go = lt_s.i32 i, n
    branch go, loop, out
out:
    return
}}
"""


@pytest.mark.parametrize("between", ORDERING)
def test_loads_and_stores_stay_in_loops_with_what_orders_memory(machine, between):
    inside = f"y = load.i32 p\n    store.i32 q, y\n    {between}"
    loop = after(machine, HEAD + LOOP.format(inside=inside), *SSA, "move_invariants")
    assert loop.index("loop:") < loop.index("load.i32") < loop.index("store.i32")


@pytest.mark.parametrize("row", MEETING + ORDERING)
def test_nothing_that_threads_do_together_leaves_a_loop(machine, row):
    loop = after(machine, HEAD + LOOP.format(inside=row), *SSA, "move_invariants")
    assert loop.index("loop:") < loop.index(row.split(" = ")[-1].split()[0])


@pytest.mark.parametrize("row", MEETING + ORDERING)
def test_nothing_that_threads_do_together_is_merged_or_removed(machine, row):
    text = HEAD + f"b:\n    {row}\n    {row}\n    return\n}}\n"
    name = row.split(" = ")[-1].split()[0]
    assert after(machine, text, *IR_PASSES).count(name) == 2


@pytest.mark.parametrize("row", (*MEETING, "barrier"))
def test_no_head_of_a_loop_is_copied_where_threads_meet(machine, row):
    text = (
        HEAD
        + f"""b:
    i = const.i32 0
    jump loop
loop:
    {row}
    go = lt_s.i32 i, n
    branch go, body, out
body:
    i = add.i32 i, 1
    jump loop
out:
    return
}}
"""
    )
    name = row.split(" = ")[-1].split()[0]
    assert after(machine, text, "rotate_loops").count(name) == 1
    plain = after(machine, text.replace(row, "v = add.i32 i, 2"), "rotate_loops")
    assert plain.count("add.i32 i, 2") == 2


@pytest.mark.parametrize("row", MEETING + ORDERING)
def test_nothing_that_threads_do_together_is_guarded_or_made_unconditional(machine, row):
    text = (
        HEAD
        + f"b:\n    branch c, then, out\nthen:\n    {row}\n    jump out\nout:\n    return\n}}\n"
    )
    found = after(machine, text, "convert_branches")
    assert "branch c, then, out" in found
    assert "@c" not in found


def test_places_are_read_once(machine):
    text = (
        HEAD
        + """b:
    t = tid.x
    u = tid.x
    w = ntid.x
    s = add.i32 t, u
    r = add.i32 s, w
    store.i32 p, r
    return
}
"""
    )
    found = after(machine, text, *IR_PASSES)
    assert (found.count("tid.x"), found.count("ntid.x")) == (2, 1)  # 'ntid.x' has 'tid.x' in it


def test_votes_of_literals_are_left_to_the_warp(machine):
    text = (
        HEAD + "b:\n    v = vote_any 1\n    w = zext.i1.i32 v\n    store.i32 p, w\n    return\n}\n"
    )
    assert "vote_any" in after(machine, text, *IR_PASSES)


@pytest.mark.parametrize(("space", "removed"), [("global", True), ("shared", False)])
def test_shared_buffers_are_aligned_to_their_elements_only(machine, space, removed):
    """An i64 in a buffer of bytes may be misaligned there: the load may fault, and stays."""
    body = "b:\n    a = address.ptr s\n    x = load.i64 a\n    return\n}\n"
    found = after(machine, f"s: i8[64] in {space}\n{HEAD}{body}", *SSA, "remove_dead_code")
    assert ("load" not in found) == removed


@pytest.mark.parametrize("seed", short_form(range(24), 2))
def test_random_kernels_do_the_same_after_every_pass(machine, seed):
    kernel = generate(seed)

    def memory() -> np.ndarray:
        found = memory_for(kernel.module, kernel.arguments)
        outcome = interpret_grid(kernel.function, kernel.arguments, found, kernel.grid)
        assert outcome.status == "done", outcome.lines()
        return found.bytes

    expected = memory()
    for name in IR_PASSES:
        plugin = passes()[name]
        plugin.run(kernel.function, machine, make_options(plugin, {}))
    assert np.array_equal(memory(), expected)
