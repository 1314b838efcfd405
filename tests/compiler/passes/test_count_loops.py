"""Counted loops: how often they run, for all kinds of tests; what is said of the others."""

from __future__ import annotations

from random import Random

import pytest

from compiler.interpret.functions import interpret, memory_for
from compiler.ir.module import Function, Module
from compiler.ir.printer import print_module
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from tests.compiler.one_pass import after, apply

RELATIONS = ("lt_s", "le_s", "gt_s", "ge_s", "lt_u", "le_u", "gt_u", "ge_u", "ne", "eq")
STEPS = (1, -1, 2, -2, 3, -5, 4, -64, 6, -12, 7, 100, -128)
LIMIT = 6000
"""Steps of a run: a loop over i8 that ends takes fewer."""


def loop(relation: str, step: int, guard: str, kind: str = "i8", start="a", bound="b") -> Module:
    """A loop that says how often its body ran and where its counter was then."""
    test = f"{relation}.{kind}"
    enter = f"g = {test} {start}, {bound}\n branch g, before, out" if guard else "jump before"
    module = parse(
        f"""
        func @f(a: {kind}, b: {kind}) -> i64 {{
        entry:
            {enter}
        before:
            jump loop
        loop:
            i = phi.{kind} [before: {start}, loop: j]
            n = phi.i64 [before: 0, loop: m]
            m = add.i64 n, 1
            j = add.{kind} i, {step}
            c = {test} j, {bound}
            branch c, loop, done
        done:
            where = {"copy.i64" if kind == "i64" else f"zext.{kind}.i64"} j
            high = shl.i64 where, 32
            r = add.i64 high, m
            return r
        out:
            return -1
        }}
        """,
        "test.sir",
    )
    assert findings_of(module) == []
    return module


def outcome(module: Module, function: Function, a: int, b: int) -> tuple[str, object]:
    arguments = {"a": a, "b": b}
    done = interpret(function, arguments, memory_for(module, arguments), limit=LIMIT)
    return done.status, done.value


def numbers(random: Random) -> tuple[int, int]:
    ends = (-128, -127, -1, 0, 1, 126, 127)
    return tuple(random.choice((random.choice(ends), random.randrange(-128, 128))) for _ in "ab")


@pytest.mark.parametrize("guard", ("", "guarded"))
@pytest.mark.parametrize("relation", RELATIONS)
def test_every_test_runs_as_often_as_before(relation, guard):
    random = Random(relation + guard)
    counted = 0
    for step in STEPS:
        module = loop(relation, step, guard)
        (function,) = module.functions.values()
        pairs = [numbers(random) for _ in range(10)]
        expected = [outcome(module, function, *pair) for pair in pairs]
        counted += apply("count_loops", function).counts.get("loop counted", 0)
        assert findings_of(module) == []
        assert [outcome(module, function, *pair) for pair in pairs] == expected, (step, pairs)
    assert counted >= (0 if relation == "eq" else 3)


@pytest.mark.parametrize("relation", RELATIONS)
def test_numbers_give_numbers(relation):
    random = Random(relation)
    for _ in range(25):
        step, (a, b) = random.choice(STEPS), numbers(random)
        module = loop(relation, step, "", start=str(a), bound=str(b))
        (function,) = module.functions.values()
        expected = outcome(module, function, 0, 0)
        changes = apply("count_loops", function)
        assert outcome(module, function, 0, 0) == expected
        if changes.counts.get("loop counted"):
            times = expected[1] & 0xFFFFFFFF if expected[0] == "done" else "2**64"
            assert changes.remarks[0].why == f"it runs {times} times"


def counted(*lines: str, **options) -> tuple[list[str], list[str]]:
    """The code before the loop, and what is said of it."""
    found = after("count_loops", "\n".join(lines), **options)
    start = found.lines.index("before:")
    return found.lines[start + 1 : found.lines.index("loop:") - 1], [w for _, w in found.remarks]


def plain(relation: str, step: int, guard: str = "x", **given) -> tuple[list[str], list[str]]:
    return counted(print_module(loop(relation, step, guard, **given)))


def test_a_guarded_loop_from_0_to_n_runs_n_times():
    assert plain("lt_s", 1, kind="i64", start="0") == ([], ["it runs b times"])


def test_a_guard_may_be_written_otherwise():
    text = """
    func @f(p: ptr, n: i64) {
    entry:
        c = ge_s.i64 1, n
        not = not.i1 c
        d = le_s.i64 n, 0
        branch d, done, outer
    outer:
        branch c, before, before
    before:
        jump loop
    loop:
        i = phi.i64 [before: 0, loop: j]
        q = phi.ptr [before: p, loop: r]
        store.i64 q, i
        r = add.ptr q, 8
        j = add.i64 i, 1
        more = gt_s.i64 n, j
        branch more, loop, done
    done:
        return
    }
    """
    assert counted(text) == ([], ["it runs n times"])


def test_pointers_up_to_an_end_that_is_a_whole_number_of_elements_away():
    text = """
    func @f(p: ptr, n: i64) {
    entry:
        o = shl.i64 n, 3
        end = add.ptr p, o
        jump before
    before:
        jump loop
    loop:
        q = phi.ptr [before: p, loop: r]
        store.i64 q, n
        r = add.ptr q, 8
        more = ne.ptr r, end
        branch more, loop, done
    done:
        return
    }
    """
    code, said = counted(text)
    assert said == ["it runs add.1 times"]
    assert not any("select" in line for line in code)


def test_a_counter_of_32_bits_is_counted_without_a_sign():
    code, said = plain("lt_s", 1, kind="i32")
    assert code == ["sub.1 = sub.i32 b, a", "zext.1 = zext.i32.i64 sub.1"]
    assert said == ["it runs zext.1 times"]


@pytest.mark.parametrize(
    "given, why",
    (
        (("lt_s", 3), "its counter may pass the end of its type"),
        (("lt_s", -1), "its counter goes away from its bound"),
        (("eq", 1), "it goes on only while two numbers are equal"),
        (("ne", 0), "its test does not change"),
    ),
)
def test_why_not(given, why):
    assert plain(*given) == ([], [why])


def test_a_division_can_be_refused():
    module_text = """
    func @f(b: i8) -> i64 {
    entry:
        n = sext.i8.i64 b
        jump before
    before:
        jump loop
    loop:
        i = phi.i64 [before: 0, loop: j]
        j = add.i64 i, 3
        c = lt_s.i64 j, n
        branch c, loop, done
    done:
        return j
    }
    """
    code, said = counted(module_text)
    assert any("div_u.i64" in line for line in code) and said[0].startswith("it runs select.1")
    assert counted(module_text, divide=False)[1] == ["it would take a division by 3"]


def test_counting_twice_changes_nothing():
    (function,) = loop("lt_s", 1, "x").functions.values()
    apply("count_loops", function)
    again = apply("count_loops", function)
    assert [r.why for r in again.remarks] == ["it counts down to 0 already"]


def test_loops_that_are_left_in_the_middle_stay():
    text = """
    func @f(p: ptr, n: i64) -> i64 {
    entry:
        jump before
    before:
        jump loop
    loop:
        i = phi.i64 [before: 0, next: j]
        o = shl.i64 i, 3
        q = add.ptr p, o
        x = load.i64 q
        found = eq.i64 x, n
        branch found, done, next
    next:
        j = add.i64 i, 1
        c = lt_s.i64 j, n
        branch c, loop, done
    done:
        return i
    }
    """
    assert counted(text) == ([], ["it is left in the middle"])
