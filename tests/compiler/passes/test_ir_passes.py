"""Passes over IR: small programs before and after, and that they still do the same."""

from __future__ import annotations

import pytest

from compiler.interpret.functions import interpret, memory_for
from compiler.ir.module import Function, Module
from compiler.ir.printer import print_function
from compiler.pass_lists import passes
from compiler.text_form import parse
from compiler.transformation import make_options
from compiler.verify.ir import findings_of
from tests.campaign.seeds import short_form
from tests.compiler.both_ways import Ran, compare_text, differences
from tests.compiler.one_pass import MACHINE
from tests.programs.random_programs import Options, generate

IR_PASSES = (
    "leave_ssa", "simplify_control_flow", "convert_branches", "rotate_loops", "lay_out_blocks",
)  # fmt: skip


def apply(text: str, name: str, **options) -> tuple[Function, dict[str, int]]:
    """The only function of a text after a pass, and what the pass counted."""
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    plugin = passes()[name]
    changes = plugin.run(function, MACHINE, make_options(plugin, options))
    assert findings_of(module) == []
    return function, {what: n for what, n in changes.counts.items() if n}


def body(function: Function) -> list[str]:
    return [line.strip() for line in print_function(function).strip().splitlines()[1:-1]]


TRIANGLE = """
func @clamp(a: i64, q: ptr) -> i64 {
entry:
    p = gt_s.i64 a, 100
    branch p, then, join
then:
    t = sub.i64 a, 100
    store.i64 q, t
    a = copy.i64 100
    jump join
join:
    return a
}
"""


def test_a_triangle_becomes_guarded_code():
    function, counts = apply(TRIANGLE, "convert_branches")
    assert body(function) == [
        "entry:",
        "p = gt_s.i64 a, 100",
        "t = sub.i64 a, 100",
        "@p store.i64 q, t",
        "@p a = copy.i64 100",
        "return a",
    ]
    assert counts == {"branches converted": 1}


def test_a_long_side_stays_a_branch():
    function, counts = apply(TRIANGLE, "convert_branches", limit=2)
    assert "then:" in body(function)
    assert counts == {"branch left: too much code": 1}


DIAMOND = """
func @pick(a: i64, b: i64) -> i64 {
entry:
    p = lt_s.i64 a, b
    branch p, then, other
then:
    x = add.i64 a, 1
    p = eq.i64 a, 0
    jump join
other:
    x = div_s.i64 a, b
    jump join
join:
    y = zext.i1.i64 p
    x = add.i64 x, y
    return x
}
"""


def test_a_side_that_changes_the_condition_is_guarded_by_a_copy_of_it():
    function, _ = apply(DIAMOND, "convert_branches", limit=20)
    assert body(function)[1:8] == [
        "p = lt_s.i64 a, b",
        "p.1 = copy.i1 p",
        "@p.1 x = add.i64 a, 1",
        "@p.1 p = eq.i64 a, 0",
        "@!p.1 x = div_s.i64 a, b",
        "y = zext.i1.i64 p",
        "x = add.i64 x, y",
    ]


@pytest.mark.parametrize("a", (-3, 0, 5))
@pytest.mark.parametrize("b", (0, 2))
def test_a_guarded_division_faults_only_if_its_side_is_taken(a, b, itanium2):
    order = ["default", {"convert_branches": {"limit": 20}}]
    got = compare_text(DIAMOND, {"a": a, "b": b}, itanium2, order)
    assert (got.status == "fault") == (b == 0 and a >= 0)


LOOP = """
func @sum(n: i64) -> i64 {
entry:
    s = const.i64 0
    i = const.i64 0
    jump head
head:
    c = lt_s.i64 i, n
    branch c, loop, exit
loop:
    s = add.i64 s, i
    i = add.i64 i, 1
    jump head
exit:
    return s
}
"""


def test_a_loop_tests_at_its_end():
    function, counts = apply(LOOP, "rotate_loops")
    assert counts == {"heads copied": 1}
    assert body(function)[7:13] == [
        "loop:",
        "s = add.i64 s, i",
        "i = add.i64 i, 1",
        "c = lt_s.i64 i, n",
        "branch c, loop, exit",
        "exit:",
    ]


def test_a_long_head_is_not_copied():
    function, counts = apply(LOOP, "rotate_loops", limit=1)
    assert counts == {"heads too long": 1}
    assert "jump head" in body(function)


def test_blocks_that_follow_each_other_become_one():
    text = """
    func @f(a: i64) -> i64 {
    entry:
        branch 1, first, never
    first:
        jump second
    second:
        b = add.i64 a, 1
        jump third
    never:
        jump third
    third:
        return b
    }
    """
    function, _ = apply(text, "simplify_control_flow")
    assert body(function) == ["entry:", "b = add.i64 a, 1", "return b"]


def test_a_block_that_jumps_to_itself_stays():
    text = "func @f() {\nentry:\n    jump loop\nloop:\n    jump loop\n}\n"
    function, _ = apply(text, "simplify_control_flow")
    assert body(function)[-1] == "jump loop"


def test_blocks_are_laid_out_along_the_flow():
    text = LOOP.replace("branch c, loop, exit", "branch c, loop, exit")
    shuffled = text.replace("exit:\n    return s\n", "").replace(
        "loop:\n", "exit:\n    return s\nloop:\n"
    )
    function, _ = apply(shuffled, "lay_out_blocks")
    assert list(function.blocks) == ["entry", "head", "loop", "exit"]


SWAP = """
func @fibonacci(n: i64) -> i64 {
entry:
    jump head
head:
    a = phi.i64 [entry: 0, loop: b]
    b = phi.i64 [entry: 1, loop: s]
    i = phi.i64 [entry: 0, loop: j]
    c = lt_s.i64 i, n
    branch c, loop, exit
loop:
    s = add.i64 a, b
    j = add.i64 i, 1
    jump head
exit:
    return a
}
"""


def test_phis_that_hand_values_to_each_other(itanium2):
    for n, value in ((0, 0), (1, 1), (2, 1), (10, 55)):
        assert compare_text(SWAP, {"n": n}, itanium2).value == value


def test_phis_of_booleans(itanium2):
    text = """
    func @toggle(n: i64) -> i1 {
    entry:
        jump head
    head:
        p = phi.i1 [entry: 1, loop: q]
        i = phi.i64 [entry: 0, loop: j]
        c = lt_s.i64 i, n
        branch c, loop, exit
    loop:
        q = not.i1 p
        j = add.i64 i, 1
        jump head
    exit:
        return p
    }
    """
    for n in range(4):
        assert compare_text(text, {"n": n}, itanium2).value == 1 - n % 2


@pytest.mark.parametrize("seed", short_form(range(60), 5))
def test_passes_keep_results_memory_and_faults_of_random_programs(seed):
    """Judged by the IR interpreter after every pass, faults at their exact place's kind."""
    program = generate(seed, Options(faults=seed % 3 == 0, unassigned=seed % 5 == 0))
    function, module = program.function, program.module
    expected = run(function, module, program.arguments)
    for name in IR_PASSES:
        plugin = passes()[name]
        plugin.run(function, MACHINE, make_options(plugin, {}))
        assert findings_of(module) == []
        got = run(function, module, program.arguments)
        assert differences(expected, got) == [], name
        assert expected.fault == got.fault, name


def run(function: Function, module: Module, arguments: dict) -> Ran:
    memory = memory_for(module, arguments)
    outcome = interpret(function, arguments, memory, limit=2_000_000)
    return Ran(outcome.status, outcome.value, outcome.fault and outcome.fault.kind, memory)
