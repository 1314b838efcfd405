"""Control flow, liveness and certain assignment."""

from __future__ import annotations

from compiler.analyses.assignment import uncertain_reads
from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.text_form import parse
from tests.programs.random_programs import Options, generate


def function(text: str) -> Function:
    return next(iter(parse(text).functions.values()))


LOOP = """
func @f(n: i64, p: i1) -> i64 {
out:
    jump head
dead:
    jump head
body:
    @p s = add.i64 s, i
    i = add.i64 i, 1
    jump head
head:
    more = lt_s.i64 i, n
    branch more, body, end
end:
    return s
}
"""


def test_graph_and_orders():
    flow = control_flow(function(LOOP))
    assert flow.successors["head"] == ("body", "end")
    assert flow.predecessors["head"] == ("out", "dead", "body")
    assert flow.reverse_postorder == ("out", "head", "body", "end")
    assert flow.unreachable == ("dead",)


def test_a_branch_with_two_equal_targets_has_one_successor():
    flow = control_flow(function("func @f(p: i1) {\na:\n    branch p, b, b\nb:\n    return\n}\n"))
    assert flow.successors["a"] == ("b",)
    assert flow.predecessors["b"] == ("a",)


def test_analyses_are_cached_until_the_function_changes():
    f = function(LOOP)
    before = control_flow(f)
    assert control_flow(f) is before
    Builder(f).remove_block("dead")
    assert control_flow(f).unreachable == ()


def test_guarded_definitions_do_not_kill():
    live = liveness(function(LOOP))
    assert live.live_in["out"] == ("n", "p", "s", "i")
    assert set(live.live_out["body"]) == {"n", "p", "s", "i"}
    assert live.live_in["end"] == ("s",)


def test_an_unguarded_definition_kills():
    live = liveness(
        function(LOOP.replace("jump head\ndead", "s = const.i64 0\n    jump head\ndead"))
    )
    assert live.live_in["out"] == ("n", "p", "i")


SSA = """
func @f(a: i32, p: i1) -> i32 {
entry:
    branch p, left, right
left:
    b = add.i32 a, 1
    jump join
right:
    @p c = add.i32 a, 2 else a
    jump join
join:
    d = phi.i32 [left: b, right: c]
    return d
}
"""


def test_phi_operands_live_at_the_end_of_their_predecessor():
    live = liveness(function(SSA))
    assert live.live_out["left"] == ("b",)
    assert live.live_out["right"] == ("c",)
    assert live.live_in["join"] == ()


def test_a_tied_definition_kills_because_it_always_assigns():
    live = liveness(function(SSA))
    assert live.live_in["right"] == ("a", "p")


def test_certain_assignment_is_an_intersection_over_paths():
    text = """
    func @f(p: i1) -> i32 {
    entry:
        branch p, left, right
    left:
        x = const.i32 1
        y = const.i32 2
        jump join
    right:
        x = const.i32 3
        @p y = const.i32 4
        jump join
    join:
        z = add.i32 x, y
        return z
    }
    """
    f = function(text)
    assert [(block, names) for block, _, names in uncertain_reads(f)] == [("join", ("y",))]


def walk_liveness(f: Function) -> dict[str, set[str]]:
    """Live-in by its definition, slowly: v is live if some path reads it before it is killed."""
    flow = control_flow(f)
    result = {}
    for start in f.blocks:
        live = set()
        for name in f.types:
            seen, stack = set(), [start]
            while stack and name not in live:
                block = stack.pop()
                if block in seen:
                    continue
                seen.add(block)
                for instruction in f.blocks[block].instructions:
                    if name in instruction.variables_read:
                        live.add(name)
                        break
                    if name in instruction.results and instruction.guard is None:
                        break
                else:
                    stack += flow.successors[block]
        result[start] = live
    return result


def test_liveness_against_its_definition():
    for seed in range(4):
        f = generate(seed, Options(size=20, unassigned=True)).function
        expected = walk_liveness(f)
        assert {block: set(names) for block, names in liveness(f).live_in.items()} == expected
