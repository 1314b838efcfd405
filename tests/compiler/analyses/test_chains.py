"""DU and UD chains: small functions by hand, random ones against the fixpoint."""

from __future__ import annotations

import pytest

from compiler.analyses.chains import chains, used_before_definition
from compiler.analyses.ssa.chain_tables import Statement, table_with_phis, table_without_phis
from compiler.analyses.ssa.occurrences import occurrences
from compiler.analyses.ssa.reaching_definitions import reaching_definitions
from compiler.ir.builder import Builder, add_function
from compiler.ir.module import Function, Guard, Module
from compiler.text_form import parse
from machines.types import I1, I32
from tests.campaign.seeds import short_form
from tests.compiler.analyses.chain_properties import check
from tests.compiler.analyses.random_graphs import random_graph
from tests.programs.random_programs import Options, generate


def function(text: str) -> Function:
    return next(iter(parse(text).functions.values()))


def defs(table: list[Statement]) -> dict[int, tuple[str, list[int]]]:
    """The name and the definitions of each use."""
    return {r.id: (r.name, r.defs) for s in table for r in s.rows if r.kind != "def"}


def kinds(table: list[Statement]) -> list[tuple[int, str, str]]:
    return [(r.id, r.name, r.kind) for s in table for r in s.rows]


def test_ids_follow_the_text():
    """Parameters, then guard, results, operands; a descriptor's bounds are operands."""
    f = function(
        "a: i8[16] in global\n"
        "func @f(p: i1, n: i64) -> i64 {\nb:\n"
        "    @p m = add.i64 n, 1\n"
        "    @!p tensor.fill.i8 a[n:m], 0\n"
        "    @p s = tensor.sum.i8 any(a[0:m], a[n:8])\n"
        "    return m\n}\n"
    )
    table = table_without_phis(f)
    assert kinds(table) == [
        (1, "p", "def"), (2, "n", "def"),
        (3, "p", "guard"), (4, "m", "def"), (5, "n", "use"),
        (6, "p", "guard"), (7, "n", "use"), (8, "m", "use"),
        (9, "p", "guard"), (10, "s", "def"), (11, "m", "use"), (12, "n", "use"),
    ]  # fmt: skip
    assert defs(table)[8] == ("m", [4])
    # The operand of the return has no id, but it is there.
    assert chains(f).uses[3][-1] == len(occurrences(f).variable) - 1


def test_predicated_definitions_reach_what_follows_and_nothing_before():
    f = function(
        "func @f(p: i1, q: i1, x: i32) -> i32 {\nb:\n"
        "    @p x = add.i32 x, 1\n"
        "    @q x = add.i32 x, 2\n"
        "    y = copy.i32 x\n"
        "    x = const.i32 5\n"
        "    @p x = add.i32 x, 3\n"
        "    return x\n}\n"
    )
    assert defs(table_with_phis(f)) == {
        4: ("p", [1]), 6: ("x", [3]),
        7: ("q", [2]), 9: ("x1", [3, 5]),
        11: ("x2", [3, 5, 8]),
        13: ("p", [1]), 15: ("x3", [12]),
    }  # fmt: skip


def test_an_entry_that_is_jumped_to_joins_the_call_and_the_jump():
    f = function(
        "func @f(x: i32) {\n"
        "top:\n    x = add.i32 x, 1\n    branch opaque, top, end\n"
        "end:\n    return\n}\n"
    )
    assert kinds(table_with_phis(f)) == [
        (1, "x", "def"),
        (2, "x1", "def"), (3, "x", "use"), (4, "x2", "use"),
        (5, "x2", "def"), (6, "x1", "use"),
    ]  # fmt: skip
    assert defs(table_without_phis(f)) == {6: ("x", [1, 5])}


def test_phi_operands_without_a_definition():
    f = function(
        "func @f() -> i32 {\n"
        "b0:\n    branch opaque, b1, b2\n"
        "b1:\n    x = const.i32 1\n    jump b2\n"
        "b2:\n    y = copy.i32 x\n    return y\n}\n"
    )
    # b2 is named before b1.
    assert defs(table_with_phis(f)) == {3: ("x", []), 4: ("x2", [1]), 6: ("x1", [2])}
    assert used_before_definition(f) == ()  # on one way it is defined


def test_no_phi_where_there_is_one_definition_or_no_use():
    """Only x1 reaches the head of the loop; y is not live where its definitions meet."""
    f = function(
        "func @f() -> i32 {\n"
        "b0:\n    x = const.i32 1\n    jump head\n"
        "head:\n    branch opaque, left, right\n"
        "left:\n    y = const.i32 2\n    jump join\n"
        "right:\n    y = const.i32 3\n    jump join\n"
        "join:\n    branch opaque, head, out\n"
        "out:\n    y = copy.i32 x\n    return y\n}\n"
    )
    assert [name for _, name, _ in kinds(table_with_phis(f))] == ["x1", "y3", "y2", "y1", "x1"]


def test_what_is_never_reached_has_ids_and_no_chains():
    f = function(
        "func @f(x: i32) -> i32 {\n"
        "b0:\n    jump b2\n"
        "b1:\n    x = add.i32 x, 1\n    jump b2\n"
        "b2:\n    y = copy.i32 x\n    return y\n}\n"
    )
    table = table_with_phis(f)
    assert [(r.id, r.name, r.defs, r.uses) for s in table for r in s.rows] == [
        (1, "x", [], [5]),
        (2, "x", [], []),
        (3, "x", [], []),
        (4, "y1", [], []),
        (5, "x", [1], []),
    ]


def test_uses_before_definition_come_with_a_path():
    f = function(
        "func @f() -> i32 {\n"
        "b0:\n    jump b1\n"
        "b1:\n    y = add.i32 x, 1\n    branch p, b2, b3\n"
        "b2:\n    x = const.i32 1\n    p = const.i1 0\n    return x\n"
        "b3:\n    return z\n"
        "b4:\n    z = copy.i32 x\n    return z\n}\n"
    )
    places = occurrences(f)
    found = [
        (places.variables[places.variable[use.occurrence]], use.path)
        for use in used_before_definition(f)
    ]
    assert found == [("x", ("b0", "b1")), ("p", ("b0", "b1")), ("z", ("b0", "b1", "b3"))]


SSA = """
func @f(p: i1, n: i32) -> i32 {
b0:
    branch p, b1, b2
b1:
    @p a = add.i32 n, 1 else n
    jump b2
dead:
    jump b2
b2:
    x = phi.i32 [b0: 0, b1: a, dead: n]
    y = copy.i32 x
    return y
}
"""


def test_in_ssa_form_phis_are_statements_and_ties_are_links():
    f = function(SSA)
    assert kinds(table_with_phis(f)) == kinds(table_without_phis(f))
    assert defs(table_without_phis(f)) == {
        3: ("p", [1]), 5: ("n", [2]),
        7: ("a", [2, 4]), 8: ("n", []),  # no way leads from the dead block
        10: ("x", [6]),
    }  # fmt: skip
    assert used_before_definition(f) == ()


def test_the_fixpoint_takes_variable_form_only():
    with pytest.raises(ValueError, match="SSA form"):
        reaching_definitions(function(SSA))


def test_a_graph_of_thousands_of_blocks_needs_no_deep_stack():
    """A path of conditionals in a loop: the dominator tree is as deep as the function is long."""
    length = 3000
    builder: Builder = add_function(Module(), "long", [("p", I1), ("x", I32)], I32)
    builder.block("b0")
    builder.jump("b1")
    for k in range(1, length):
        builder.block(f"b{k}")
        builder.emit("add.i32", "x", k, result="x", guard=Guard("p") if k % 3 else None)
        builder.emit("branch.opaque", f"b{k + 1}", f"b{max(1, k - 1)}")
    builder.block(f"b{length}")
    builder.return_("x")
    found = chains(builder.function)
    assert found.length > length
    assert found.defs == reaching_definitions(builder.function).defs


@pytest.mark.parametrize("seeds", [range(k, k + 50) for k in range(0, 200, 50)], ids=str)
def test_random_graphs(seeds: range):
    for seed in seeds:
        check(random_graph(seed))


@pytest.mark.parametrize("seed", short_form(range(12), 5))
def test_random_programs(seed: int):
    options = Options(size=8 + seed * 4, unassigned=seed % 2 == 0, opaque=seed % 3 == 0)
    check(generate(seed, options).function)
