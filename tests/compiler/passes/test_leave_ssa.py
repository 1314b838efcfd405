"""Leaving SSA form: the exact code of small cases, and random programs there and back."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from compiler import read_source
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.builder import add_function
from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Guard, Module
from compiler.ir.printer import print_function
from compiler.passes.construct_ssa import construct
from compiler.passes.leave_ssa import PLUGIN, leave
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from machines.operations.row import Operand, Operation
from machines.types import I1, I64
from tests.compiler.leaving_ssa import check, check_round_trip, instructions_reached

WORKLOADS = Path(__file__).parents[3] / "workloads"


def left(text: str) -> tuple[list[str], dict[str, int]]:
    """The lines of the only function after the pass, without its head, and what was counted."""
    module = parse(dedent(text), "test.sir")
    (function,) = module.functions.values()
    changes = leave(function)
    assert findings_of(module) == []
    return lines(function), {what: n for what, n in changes.counts.items() if n}


def lines(function: Function) -> list[str]:
    return print_function(function).splitlines()[1:-1]


def becomes(before: str, after: str, **counts: int) -> None:
    code, counted = left(before)
    assert code == dedent(after).strip("\n").splitlines()
    assert counted == {what.replace("_", " "): n for what, n in counts.items()}


def value(text: str, **arguments: object) -> object:
    """What the only function returns, before and after the pass."""
    module = parse(dedent(text), "test.sir")
    (function,) = module.functions.values()
    before = interpret(function, arguments, memory_for(module, {}), limit=10_000).value
    leave(function)
    assert interpret(function, arguments, memory_for(module, {}), limit=10_000).value == before
    return before


# Phis


def test_a_loop_keeps_no_copy():
    becomes(
        """
        func @f(n: i64) -> i64 {
        entry:
            jump loop
        loop:
            i1 = phi.i64 [entry: 0, loop: i2]
            i2 = add.i64 i1, 1
            c1 = lt_s.i64 i2, n
            branch c1, loop, done
        done:
            return i2
        }
        """,
        """
entry:
    i = copy.i64 0
    jump loop
loop:
    i = add.i64 i, 1
    c = lt_s.i64 i, n
    branch c, loop, done
done:
    return i
""",
        phis_replaced=1,
        copies_inserted=1,
    )


LOST_COPY = """
func @f(n: i64) -> i64 {
entry:
    x1 = const.i64 1
    jump loop
loop:
    x2 = phi.i64 [entry: x1, loop: x3]
    x3 = add.i64 x2, 1
    p1 = lt_s.i64 x3, n
    branch p1, loop, done
done:
    return x2
}
"""


def test_the_lost_copy_problem():
    """x2 is read after the loop, when x3 has been written and its copy for the next round too."""
    becomes(
        LOST_COPY,
        """
entry:
    x = const.i64 1
    jump loop
loop:
    x2 = copy.i64 x
    x = add.i64 x2, 1
    p = lt_s.i64 x, n
    branch p, loop, done
done:
    return x2
""",
        phis_replaced=1,
        copies_inserted=1,
    )
    assert value(LOST_COPY, n=5) == 4


SWAP = """
func @f(a: i64, b: i64, n: i64) -> i64 {
entry:
    jump loop
loop:
    x1 = phi.i64 [entry: a, loop: y1]
    y1 = phi.i64 [entry: b, loop: x1]
    i1 = phi.i64 [entry: n, loop: i2]
    i2 = sub.i64 i1, 1
    p1 = gt_s.i64 i2, 0
    branch p1, loop, done
done:
    z1 = shl.i64 x1, 8
    z2 = add.i64 z1, y1
    return z2
}
"""


def test_the_swap_problem():
    """Three copies for two phis: `a` and `b` change places through one temporary."""
    becomes(
        SWAP,
        """
entry:
    jump loop
loop:
    b.1 = copy.i64 b
    b = copy.i64 a
    a = copy.i64 b.1
    n = sub.i64 n, 1
    p = gt_s.i64 n, 0
    branch p, loop, done
done:
    z = shl.i64 b, 8
    z2 = add.i64 z, a
    return z2
""",
        phis_replaced=3,
        copies_inserted=3,
    )
    assert value(SWAP, a=1, b=2, n=1) == 0x102
    assert value(SWAP, a=1, b=2, n=2) == 0x201


def test_phis_that_take_from_phis_of_their_block():
    """a takes what b had before, b what c has now: one after the other in this order."""
    becomes(
        """
        func @f(n: i64) -> i64 {
        entry:
            jump loop
        loop:
            a1 = phi.i64 [entry: 0, loop: b1]
            b1 = phi.i64 [entry: 1, loop: c1]
            i1 = phi.i64 [entry: n, loop: i2]
            c1 = add.i64 a1, b1
            i2 = sub.i64 i1, 1
            p1 = gt_s.i64 i2, 0
            branch p1, loop, done
        done:
            return b1
        }
        """,
        """
entry:
    a = copy.i64 0
    c = copy.i64 1
    jump loop
loop:
    b = copy.i64 c
    c = add.i64 a, b
    n = sub.i64 n, 1
    p = gt_s.i64 n, 0
    a = copy.i64 b
    branch p, loop, done
done:
    return b
""",
        phis_replaced=3,
        copies_inserted=4,
    )


def test_a_copy_on_a_critical_edge_spares_what_the_other_way_and_the_branch_read():
    """`loop` has two ways: x1 is read on one, and p1 decides between them."""
    becomes(
        """
        func @f(n: i64, q: ptr) -> i64 {
        entry:
            jump loop
        loop:
            x1 = phi.i64 [entry: 5, loop: 7]
            p1 = phi.i1 [entry: 1, loop: p2]
            store.i64 q, x1
            p2 = eq.i64 n, 9
            branch p1, loop, done
        done:
            return x1
        }
        """,
        """
entry:
    x.1 = copy.i64 5
    p2 = copy.i1 1
    jump loop
loop:
    x = copy.i64 x.1
    p = copy.i1 p2
    store.i64 q, x
    p2 = eq.i64 n, 9
    x.1 = copy.i64 7
    branch p, loop, done
done:
    return x
""",
        phis_replaced=2,
        copies_inserted=5,
    )


def test_what_holds_the_same_value_may_share_a_name_though_both_are_needed():
    """x1 lives on beside x2, which is a copy of it on every way."""
    becomes(
        """
        func @f(a: i64, p: i1) -> i64 {
        entry:
            x1 = add.i64 a, 1
            y1 = copy.i64 x1
            branch p, left, join
        left:
            y2 = copy.i64 y1
            jump join
        join:
            x2 = phi.i64 [entry: y1, left: y2]
            z1 = phi.i64 [entry: x1, left: a]
            s1 = mul.i64 x2, z1
            return s1
        }
        """,
        """
entry:
    x = add.i64 a, 1
    y = copy.i64 x
    branch p, left, join
left:
    x = copy.i64 a
    jump join
join:
    s = mul.i64 y, x
    return s
""",
        phis_replaced=2,
        copies_inserted=1,
        copies_removed=1,
    )


def test_two_parameters_are_never_one():
    becomes(
        """
        func @f(a: i64, b: i64, p: i1) -> i64 {
        entry:
            branch p, left, join
        left:
            jump join
        join:
            x1 = phi.i64 [entry: a, left: b]
            return x1
        }
        """,
        """
entry:
    branch p, left, join
left:
    a = copy.i64 b
    jump join
join:
    return a
""",
        phis_replaced=1,
        copies_inserted=1,
    )


def test_of_two_copies_the_one_in_the_deeper_loop_is_saved():
    becomes(
        """
        func @f(a: i64, p: i1) -> i64 {
        entry:
            u1 = add.i64 a, 1
            v1 = mul.i64 u1, 3
            branch p, other, loop
        other:
            jump join
        loop:
            branch opaque, loop, join
        join:
            x1 = phi.i64 [other: u1, loop: v1]
            return x1
        }
        """,
        """
entry:
    u = add.i64 a, 1
    v = mul.i64 u, 3
    branch p, other, loop
other:
    v = copy.i64 u
    jump join
loop:
    branch opaque, loop, join
join:
    return v
""",
        phis_replaced=1,
        copies_inserted=1,
    )


def test_phis_that_nothing_needs_leave_nothing():
    becomes(
        """
        func @f(n: i64, p: i1) -> i64 {
        entry:
            jump loop
        loop:
            x1 = phi.i64 [entry: 1, loop: x2]
            y1 = phi.i64 [entry: n, loop: x1]
            @p x2 = copy.i64 n else y1
            branch opaque, loop, done
        done:
            return n
        }
        """,
        """
entry:
    jump loop
loop:
    @p x = copy.i64 n
    branch opaque, loop, done
done:
    return n
""",
        phis_replaced=2,
        tied_values_replaced=1,
    )


def test_blocks_that_nothing_reaches_may_hold_anything():
    code, _ = left(
        """
        func @f(a: i64) -> i64 {
        entry:
            jump join
        dead:
            jump join
        join:
            x1 = phi.i64 [entry: a, dead: x2]
            x2 = add.i64 x1, 1
            return x2
        }
        """
    )
    assert code[-3:] == ["join:", "    a = add.i64 a, 1", "    return a"]


# Ties


def tied(code: str, after: str, result: str = "i64", **counts: int) -> None:
    """One block of a function of p and a."""
    head = f"func @f(p: i1, q: i1, a: i64) -> {result} {{\nentry:\n"
    becomes(head + code + "\n}\n", "entry:\n" + after, **counts)


def test_a_tie_whose_previous_value_dies_needs_no_copy():
    tied(
        "    x1 = add.i64 a, 1\n    @p x2 = mul.i64 x1, a else x1\n    return x2",
        "    x = add.i64 a, 1\n    @p x = mul.i64 x, a\n    return x",
        tied_values_replaced=1,
    )


def test_a_tie_whose_previous_value_is_read_later():
    tied(
        "    x1 = add.i64 a, 1\n    @p x2 = mul.i64 x1, 3 else x1\n"
        "    y1 = sub.i64 x2, x1\n    return y1",
        "    x = add.i64 a, 1\n    x2 = copy.i64 x\n    @p x2 = mul.i64 x, 3\n"
        "    y = sub.i64 x2, x\n    return y",
        tied_values_replaced=1,
        copies_inserted=1,
    )


def test_a_tie_to_a_literal():
    tied(
        "    @!p x1 = mul.i64 a, 3 else 7\n    return x1",
        "    x = copy.i64 7\n    @!p x = mul.i64 a, 3\n    return x",
        tied_values_replaced=1,
        copies_inserted=1,
    )


def test_a_tie_of_a_result_that_is_not_read():
    tied(
        "    x1 = add.i64 a, 1\n    @p x2 = div_s.i64 x1, a else x1\n    return x1",
        "    x = add.i64 a, 1\n    @p x2 = div_s.i64 x, a\n    return x",
        tied_values_replaced=1,
    )


def test_a_guard_is_read_after_the_copy_before_its_instruction():
    """The previous value must not go to where the guard stands, unless that is its value."""
    tied(
        "    @p p1 = not.i1 p else q\n    return p1",
        "    @p q = not.i1 p\n    return q",
        "i1",
        tied_values_replaced=1,
    )
    tied(
        "    @p p1 = not.i1 p else p\n    return p1",
        "    @p p = not.i1 p\n    return p",
        "i1",
        tied_values_replaced=1,
    )
    tied(
        "    p1 = not.i1 p\n    @p p2 = not.i1 q else p1\n    @p1 p3 = not.i1 p else p2\n"
        "    return p3",
        "    p1 = not.i1 p\n    p2 = copy.i1 p1\n    @p p2 = not.i1 q\n    @p1 p2 = not.i1 p\n"
        "    return p2",
        "i1",
        tied_values_replaced=2,
        copies_inserted=1,
    )


SUM_AND_DIFFERENCE = Operation(
    "add_sub.i64",
    "ir",
    (Operand("s", I64, "w"), Operand("d", I64, "w"), Operand("a", I64), Operand("b", I64)),
    "s = a + b; d = a - b",
    "No row of the IR has two results yet; their ties are in the results' order.",
)


@pytest.mark.parametrize(
    ("otherwise", "after"),
    (
        (("a", "b"), ["@p a, b = add_sub.i64 a, b", "x = mul.i64 a, b"]),
        (("b", "a"), ["@p b, a = add_sub.i64 a, b", "x = mul.i64 b, a"]),
        (
            ("a", "a"),
            ["d = copy.i64 a", "@p a, d = add_sub.i64 a, b", "x = mul.i64 a, d"],
        ),
        (
            ("a", 4),
            ["d = copy.i64 4", "@p a, d = add_sub.i64 a, b", "x = mul.i64 a, d"],
        ),
    ),
)
def test_ties_of_several_results(otherwise, after):
    builder = add_function(Module(), "f", [("p", I1), ("a", I64), ("b", I64)], I64)
    builder.block("entry")
    builder.emit(
        SUM_AND_DIFFERENCE, "a", "b", result=("s1", "d1"), guard=Guard("p"), otherwise=otherwise
    )
    builder.return_(builder.emit("mul.i64", "s1", "d1", result="x1"))
    leave(builder.function)
    assert [line.strip() for line in lines(builder.function)[1:-1]] == after


# Names


def test_parameters_keep_their_names_and_others_go_back_to_their_variables():
    becomes(
        """
        func @f(a: i64, p: i1) -> i64 {
        entry:
            x1 = add.i64 a, 1
            x2 = add.i64 x1, 1
            inf1 = mul.i64 x1, x2
            v.1.1 = add.i64 inf1, x1
            @p a1 = add.i64 v.1.1, 1 else a
            return a1
        }
        """,
        """
entry:
    x = add.i64 a, 1
    x2 = add.i64 x, 1
    inf1 = mul.i64 x, x2
    v.1 = add.i64 inf1, x
    @p a = add.i64 v.1, 1
    return a
""",
        tied_values_replaced=1,
    )


def test_bounds_of_intervals_are_renamed():
    becomes(
        """
        m: i32[8] in global
        func @f(p: i1, a: i64) {
        entry:
            @p n1 = add.i64 a, 1 else 2
            tensor.fill.i32 m[0:n1], 7
            return
        }
        """,
        """
entry:
    n = copy.i64 2
    @p n = add.i64 a, 1
    tensor.fill.i32 m[0:n], 7
    return
""",
        tied_values_replaced=1,
        copies_inserted=1,
    )


def test_a_function_without_phis_and_ties_stays_as_it_is():
    text = """
    func @f(p: i1, a: i64) -> i64 {
    entry:
        x1 = copy.i64 a
        @p x1 = add.i64 x1, 1
        return x1
    }
    """
    function = parse(text).functions["f"]
    before, version = print_function(function), function.version
    assert not leave(function)
    assert (print_function(function), function.version) == (before, version)


def test_the_forms_it_takes():
    assert PLUGIN.forms == {"ssa": "ir", "ir": "ir"}


# There and back


KERNEL_FILES = sorted(path for path in WORKLOADS.glob("*/*.py") if "@kernel" in path.read_text())


@pytest.mark.parametrize("path", KERNEL_FILES, ids=lambda path: path.stem)
def test_workloads_come_back_without_more_instructions(path, itanium2):
    for function in read_source(path, machine=itanium2).functions.values():
        back = copy_function(function)
        construct(back)
        leave(back)
        assert instructions_reached(back) <= instructions_reached(function)


def test_random_programs_there_and_back():
    for seed in range(16):
        check_round_trip(seed)


def test_random_programs_with_copies_propagated_in_between():
    inserted = sum(check(seed).counts.get("copies inserted", 0) for seed in range(16))
    assert inserted > 60  # else nothing was made that needs copies
