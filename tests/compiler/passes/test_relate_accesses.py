"""What is said of the accesses of loops, and how it goes along to the machine code."""

from __future__ import annotations

import pytest

from compiler.ir.copy import copy_function
from compiler.ir.module import Function
from compiler.pass_lists import default_passes, make_steps
from compiler.pipelines import run_steps
from compiler.text_form import parse
from machines.description.load import load_machine
from tests.compiler.one_pass import after, apply

SHIFTED = """
func @shift(noalias a: ptr, b: ptr, n: i64) {
entry:
    start = add.ptr a, 16
    jump loop
loop:
    p = phi.ptr [entry: a, loop: p1]
    q = phi.ptr [entry: start, loop: q1]
    r = phi.ptr [entry: b, loop: r1]
    i = phi.i64 [entry: 0, loop: i1]
    x = load.f64 p
    y = load.f64 r
    z = add.f64 x, y
    store.f64 q, z
    p1 = add.ptr p, 8
    q1 = add.ptr q, 8
    r1 = add.ptr r, 8
    i1 = add.i64 i, 1
    more = lt_s.i64 i1, n
    branch more, loop, done
done:
    store.f64 a, 1.0
    return
}
"""


def related(text: str, **options) -> Function:
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    apply("relate_accesses", function, **options)
    return function


def numbers(function: Function) -> list[tuple[str, object]]:
    return [
        (i.operation.name, i.attributes.get("access"))
        for _, i in function.instructions()
        if i.operation.access is not None
    ]


def test_a_store_is_loaded_two_iterations_later():
    function = related(SHIFTED)
    assert numbers(function) == [
        ("load.f64", 1), ("load.f64", 2), ("store.f64", 3), ("store.f64", None),
    ]  # fmt: skip
    assert function.loop_distances == {
        (1, 3): None, (3, 1): 2, (2, 3): None, (3, 2): None, (3, 3): None,
    }  # fmt: skip


def test_what_is_unknown_meets_at_once():
    function = related(SHIFTED.replace("noalias a", "a"))
    assert function.loop_distances[2, 3] == 0 and function.loop_distances[3, 2] == 1


def test_loops_with_too_many_accesses_are_left_alone():
    found = after("relate_accesses", SHIFTED, limit=2)
    assert found.remarks == [("loop left alone", "it has 3 accesses")]
    assert "x = load.f64 p" in found


def test_related_anew_from_scratch():
    function = related(SHIFTED)
    first = (numbers(function), dict(function.loop_distances))
    apply("relate_accesses", function)
    assert (numbers(function), function.loop_distances) == first


def test_rotation_drops_the_numbers_of_its_copies():
    text = """
    func @f(a: ptr, n: i64) -> i64 {
    entry:
        jump head
    head:
        x = load.i64 a {access: 1}
        c = lt_s.i64 x, n
        branch c, body, done
    body:
        store.i64 a, n {access: 2}
        jump head
    done:
        return x
    }
    """
    found = after("rotate_loops", text)
    assert "x = load.i64 a {access: 1}" in found and "x = load.i64 a" in found


def test_a_decided_branch_may_make_another_loop_of_it():
    module = parse(SHIFTED.replace("branch more,", "branch 0,"), "test.sir")
    function = module.functions["shift"]
    apply("relate_accesses", function)
    apply("leave_ssa", function)
    apply("simplify_control_flow", function)
    assert function.loop_distances == {}


@pytest.mark.parametrize("last", ("select", "coalesce_copies", "allocate_registers"))
def test_numbers_reach_the_machine_code(last):
    machine = load_machine("itanium2")
    module = parse(SHIFTED, "test.sir")
    function = copy_function(module.functions["shift"])
    names = default_passes("epic")
    steps = make_steps("epic", "default")[: names.index(last) + 1]
    run_steps(steps, function, module, machine)
    found = {
        i.attributes["access"]: i.operation.name.split(".")[0]
        for _, i in function.instructions()
        if "access" in i.attributes
    }
    assert found == {1: "ldfd", 2: "ldfd", 3: "stfd"}
    assert function.loop_distances[3, 1] == 2 and function.loop_distances[1, 3] is None
