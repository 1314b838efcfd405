"""Inlining: the code of a callee in place of its call, what stays a call; both do the same."""

from __future__ import annotations

import pytest

from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from tests.campaign.seeds import short_form
from tests.compiler.behaviour import behaviour
from tests.compiler.one_pass import apply, body
from tests.programs.random_call_text import RandomCalls

TWICE = """
func @main(a: i64, p: i1) -> i64 {
entry:
    x = copy.i64 1
    @p x = call.i64 @twice(a)
    return x
}

func @twice(n: i64) -> i64 {
entry:
    m = add.i64 n, n
    return m
}
"""


def inlined(text: str, name: str = "main", **options) -> tuple[Function, Module, list[str]]:
    module = parse(text, "test.sir")
    function = copy_function(module.functions[name])
    changes = apply("inline_calls", function, **options)
    alone = Module({function.name: function}, module.buffers, module.source)
    assert [str(finding) for finding in findings_of(alone)] == []
    return function, module, [remark.why for remark in changes.remarks]


def test_a_call_becomes_the_callees_code():
    function, _, said = inlined(TWICE.replace("@p x = call", "x = call"))
    assert body(function) == [
        "entry:", "x = copy.i64 1", "twice.n.1 = copy.i64 a", "jump twice.entry.1",
        "twice.entry.1:", "twice.m.1 = add.i64 twice.n.1, twice.n.1", "x = copy.i64 twice.m.1",
        "jump entry.after.1",
        "entry.after.1:", "return x",
    ]  # fmt: skip
    assert said == ["@twice has 2 instructions"]


@pytest.mark.parametrize("negated", ("", "!"))
def test_a_guarded_call_becomes_a_branch(negated):
    function, module, _ = inlined(TWICE.replace("@p x", f"@{negated}p x"))
    for p in (0, 1):
        given = {"a": 21, "p": p}
        assert behaviour(function, module, given).value == ("42" if p != bool(negated) else "1")


def test_a_variable_that_is_read_before_it_is_assigned_is_0_each_time():
    text = """
    func @main(n: i64) -> i64 {
    entry:
        s = call.i64 @count(n)
        t = call.i64 @count(n)
        u = add.i64 s, t
        return u
    }
    func @count(n: i64) -> i64 {
    entry:
        k = add.i64 k, n
        return k
    }
    """
    function, module, _ = inlined(text)
    assert behaviour(function, module, {"n": 5}).value == "10"


def test_functions_in_ssa_form_leave_it():
    text = """
    func @main(n: i64) -> i64 {
    entry:
        s = call.i64 @sum(n)
        return s
    }
    func @sum(n: i64) -> i64 {
    entry:
        jump loop
    loop:
        i = phi.i64 [entry: 0, loop: j]
        s = phi.i64 [entry: 0, loop: t]
        t = add.i64 s, i
        j = add.i64 i, 1
        c = le_s.i64 j, n
        branch c, loop, done
    done:
        return t
    }
    """
    function, module, _ = inlined(text)
    assert behaviour(function, module, {"n": 4}).value == "10"


def test_what_stays_a_call_says_why():
    recursive = TWICE.replace("m = add.i64 n, n", "m = call.i64 @twice(n)")
    assert inlined(recursive)[2] == ["@twice may call itself"]
    assert inlined(TWICE, single_limit=1)[2] == ["@twice has 2 instructions"]
    assert inlined(TWICE, growth=4)[2] == ["@main is long enough"]
    twice = TWICE.replace("return x", "y = call.i64 @twice(x)\n return y")
    assert inlined(twice, limit=1)[2] == ["@twice has 2 instructions"] * 2


@pytest.mark.parametrize("seed", short_form(range(40), 16))
def test_random_functions_do_the_same(seed):
    module = parse(RandomCalls(seed).text, "calls.sir")
    function = module.functions["f0"]
    changed = copy_function(function)
    apply("inline_calls", changed, limit=40 + seed % 3 * 100)
    given = {"n": seed % 5}
    assert behaviour(changed, module, given) == behaviour(function, module, given)
