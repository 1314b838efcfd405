"""If-conversion: ways that meet where they like become one block that does the same."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from compiler.analyses.loops import loops
from compiler.ir.module import Module
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from tests.campaign.seeds import cut
from tests.compiler.behaviour import behaviour
from tests.compiler.one_pass import after, apply
from tests.programs.random_branches import RandomBranches

WHOLE = {"limit": 0, "loop_limit": 10_000}


def bodies(seed: int, exits: bool = False) -> tuple[Module, Counter]:
    """A random loop after conversion, which has to do the same for some arguments."""
    module = parse(RandomBranches(seed, exits).text, "body.sir")
    (function,) = module.functions.values()
    random = Random(seed)
    given = [{"a": random.randrange(-4, 9), "b": random.randrange(-4, 9), "n": 7} for _ in "123"]
    expected = [behaviour(function, module, one) for one in given]
    apply("simplify_control_flow", function)
    changes = apply("convert_branches", function, **WHOLE)
    assert [str(f) for f in findings_of(module)] == []
    assert [behaviour(function, module, one) for one in given] == expected
    return module, Counter(changes.counts)


@pytest.mark.parametrize("seeds", cut(20, 150))
def test_random_bodies_become_one_block_and_do_the_same(seeds):
    counts: Counter = Counter()
    for seed in seeds:
        module, did = bodies(seed)
        (function,) = module.functions.values()
        assert len(function.blocks) <= 3, seed
        counts += did
    assert counts["branches converted"] > len(seeds)


@pytest.mark.parametrize("seeds", cut(20, 150))
def test_random_loops_with_several_ends_become_one_block_and_do_the_same(seeds):
    counts: Counter = Counter()
    for seed in seeds:
        module, did = bodies(seed, exits=True)
        (function,) = module.functions.values()
        inner = [loop for loop in loops(function).by_header.values() if not loop.children]
        assert all(len(loop.members) == 1 for loop in inner), seed
        counts += did
    assert counts["branches converted"] > len(seeds)


def loop(*body: str) -> str:
    return "\n".join(
        [
            "func @f(a: i64, b: i64, n: i64, q: ptr) -> i64 {",
            "entry:\n x = const.i64 0\n jump body",
            "body:",
            *body,
            "next:",
            "n = sub.i64 n, 1\n more = ne.i64 n, 0\n branch more, body, done",
            "done:\n return x\n}",
        ]
    )


def converted(*body: str, **options) -> list[str]:
    """The loop's block without its test."""
    lines = after("convert_branches", loop(*body), **options).lines
    return lines[lines.index("body:") + 1 : lines.index("n = sub.i64 n, 1")]


def test_a_condition_under_a_condition_is_compared_under_it():
    assert converted(
        "p = lt_s.i64 a, b\n branch p, inner, next",
        "inner:\n q_ = lt_s.i64 x, 9\n branch q_, deep, next",
        "deep:\n x = add.i64 x, 1\n jump next",
    ) == [
        "p = lt_s.i64 a, b",
        "enter.1 = const.i1 0",
        "q_ = lt_s.i64 x, 9",
        "@p enter.1 = lt_s.i64 x, 9",
        "@enter.1 x = add.i64 x, 1",
    ]


def test_one_of_two_conditions():
    assert converted(
        "p = lt_s.i64 a, b\n branch p, deep, second",
        "second:\n q_ = eq.i64 x, 9\n branch q_, deep, next",
        "deep:\n store.i64 q, x\n jump next",
    ) == [
        "p = lt_s.i64 a, b",
        "enter.1 = const.i1 0",
        "@p enter.1 = const.i1 1",
        "q_ = eq.i64 x, 9",
        "@!p enter.1 = eq.i64 x, 9",
        "@enter.1 store.i64 q, x",
    ]


def test_what_every_way_passes_needs_no_guard():
    assert converted(
        "p = lt_s.i64 a, b\n branch p, one, other",
        "one:\n x = add.i64 x, 1\n jump both",
        "other:\n x = add.i64 x, 2\n jump both",
        "both:\n store.i64 q, x\n jump next",
    ) == [
        "p = lt_s.i64 a, b",
        "@p x = add.i64 x, 1",
        "@!p x = add.i64 x, 2",
        "store.i64 q, x",
    ]


def test_guards_in_guarded_code_hold_with_it():
    assert converted(
        "p = lt_s.i64 a, b\n r = lt_s.i64 a, 7\n branch p, one, next",
        "one:\n @!r store.i64 q, x\n jump next",
    )[2:] == [
        "both.1 = const.i1 0",
        "@p both.1 = not.i1 r",
        "@both.1 store.i64 q, x",
    ]


BREAK = (
    "p = lt_s.i64 a, b\n branch p, one, next",
    "one:\n c = eq.i64 x, 3\n branch c, done, two",
    "two:\n x = add.i64 x, 1\n jump next",
)
OPAQUE = ("p = opaque.i1\n branch p, one, next", "one:\n r = opaque.i1\n jump next")


@pytest.mark.parametrize(
    "body, options, why",
    (
        (BREAK, {"exits": False}, "left in the middle"),
        (OPAQUE, {}, "conditions nothing is known of"),
        ((*BREAK[:1], "one:\n x = add.i64 x, 1\n jump next"), {"loop_limit": 0}, "too much code"),
        (
            ("p = lt_s.i64 a, b\n branch p, one, next", "one:\n jump body"),
            {"exits": False}, "several ways back",
        ),
        (
            ("branch opaque, one, two", "one:\n x = add.i64 x, 1\n jump next",
             "two:\n x = add.i64 x, 2\n jump next"),
            {}, "branches that are not nested",
        ),
    ),
)  # fmt: skip
def test_loops_that_stay_say_why(body, options, why):
    counts = after("convert_branches", loop(*body), limit=0, **options).changes.counts
    assert counts[f"loop of several blocks: {why}"] == 1


def test_ways_back_become_one_before_the_test_is_copied():
    text = """
    func @f(n: i64, q: ptr) -> i64 {
    entry:
        i = const.i64 0
        jump head
    head:
        c = lt_s.i64 i, n
        branch c, body, done
    body:
        i = add.i64 i, 1
        p = eq.i64 i, 3
        branch p, skip, rest
    skip:
        jump head
    rest:
        store.i64 q, i
        jump head
    done:
        return i
    }
    """
    found = after("rotate_loops", text)
    assert found.changes.counts == {"heads copied": 1}
    assert found.lines.count("jump head.back.1") == 2
