"""Loop bodies as values, their guards and their graph."""

from __future__ import annotations

import pytest

from compiler.ir.module import Block, Function, Instruction
from compiler.targets.epic.pipelining.loop_body import LoopBody, NotPipelinedError, read_loop
from compiler.targets.epic.pipelining.loop_graph import loop_graph
from compiler.targets.epic.pipelining.loop_values import LoopValues, loop_values
from compiler.targets.epic.pipelining.nodes import VALID, Use
from compiler.targets.epic.pipelining.pointers import give_own_pointers
from compiler.targets.epic.pipelining.stage_predicates import guard_iterations
from machines.description.load import load_machine
from tests.compiler.passes.test_machine_passes import op

MACHINE = load_machine("itanium2").description
COUNT = [
    op("adds", ("%n",), (-1, "%n")),
    op("cmp.eq.imm", ("p0", "%more"), (0, "%n")),
]


def fresh(name: str) -> str:
    return f"{name}.1"


def loop_of(code: list[Instruction], reading: tuple[str, ...] = (), end=COUNT) -> LoopBody:
    """A loop that counts, unless it ends otherwise, and what reads registers after it."""
    function = Function("f")
    branch = op("br.cond", (), (0, "loop"), guard="%more")
    after = [op("adds", (f"%after{k}",), (0, name)) for k, name in enumerate(reading)]
    stores = [op("st8", (), (f"%after{k}", f"%after{k}")) for k in range(len(after))]
    function.blocks = {
        "entry": Block("entry", [op("adds", ("%n",), (7, "r0"))]),
        "loop": Block("loop", [*code, *end, branch]),
        "done": Block("done", [*after, *stores, op("br.ret", (), (0, "b0"))]),
    }
    return read_loop(function, function.blocks["loop"], 1)


def values_of(code: list[Instruction], reading: tuple[str, ...] = (), end=COUNT) -> LoopValues:
    return loop_values(loop_of(code, reading, end))


def shown(value: object) -> str:
    """A read: x.1, or x.1@2 for the value of two iterations before."""
    if not isinstance(value, Use):
        return str(value)
    return f"{value.web.name}@{value.omega}" if value.omega else value.web.name


def operands(values: LoopValues) -> list[list[str]]:
    return [[shown(value) for value in node.operands] for node in values.nodes]


def test_a_counter_that_nothing_else_reads_counts():
    loop = loop_of([op("adds", ("%x",), (1, "%x"))])
    assert loop.counter == "%n"
    assert len(loop.code) == 1


@pytest.mark.parametrize(
    "code", [[op("add", ("%x",), ("%n", "%x"))], [op("adds", ("%x",), (1, "%x"), guard="%more")]]
)
def test_a_counter_that_is_read_does_not(code):
    assert loop_of(code).counter is None


def test_a_counter_that_is_read_after_the_loop_does_not():
    assert loop_of([op("adds", ("%x",), (1, "%x"))], ("%n",)).counter is None


def test_values_of_the_iteration_before():
    values = values_of([op("add", ("%s",), ("%s", "%k"))], ("%s",))
    (node,) = values.nodes
    web = node.results[0]
    assert node.operands == (Use(web, 1), "%k")
    assert web.initial == {1: "%s"}
    assert values.final == {"%s": Use(web, 0)}


def test_copies_reach_over_several_iterations():
    values = values_of(
        [
            op("add", ("%sum",), ("%a", "%b")),
            op("adds", ("%a",), (0, "%b")),
            op("adds", ("%b",), (0, "%sum")),
        ],
        ("%a",),
    )
    assert operands(values) == [["%sum.1@2", "%sum.1@1"]]
    web = values.nodes[0].results[0]
    assert web.initial == {1: "%b", 2: "%a"}
    assert values.final == {"%a": Use(web, 1)}


def test_registers_that_trade_places_are_moved():
    values = values_of(
        [
            op("adds", ("%t",), (0, "%a")),
            op("adds", ("%a",), (0, "%b")),
            op("adds", ("%b",), (0, "%t")),
        ],
        ("%a", "%b"),
    )
    assert 1 <= len(values.nodes) <= 3
    assert {web.initial[1] for web in {n.results[0] for n in values.nodes}} <= {"%a", "%b", "%t"}


def test_two_copies_of_a_value_begin_differently():
    values = values_of(
        [
            op("add", ("%x",), ("%a", "%b")),
            op("adds", ("%a",), (0, "%x")),
            op("adds", ("%b",), (0, "%x")),
        ]
    )
    assert len(values.nodes) == 2  # one of them is made


def test_a_guarded_write_updates_the_value_of_its_iteration():
    values = values_of(
        [
            op("adds", ("%x",), (1, "%k")),
            op("adds", ("%x",), (2, "%k"), guard="%c"),
            op("st8", (), ("%p", "%x")),
        ]
    )
    first, second, _ = values.nodes
    assert first.results == second.results
    graph = loop_graph(values.nodes, None, {}, MACHINE)
    assert {(a.source, a.target, a.kind) for a in graph.arcs} == {
        (0, 1, "output"),
        (0, 2, "flow"),
        (1, 2, "flow"),
    }


def test_a_guarded_write_of_an_old_value_stays_in_its_register():
    values = values_of(
        [op("adds", ("%x",), (1, "%x"), guard="%c"), op("st8", (), ("%p", "%x"))], ("%x",)
    )
    assert values.nodes[0].results == ("%x",)
    assert values.final == {}
    graph = loop_graph(values.nodes, None, {}, MACHINE)
    found = {(a.source, a.target, a.omega, a.kind) for a in graph.arcs}
    assert {(0, 0, 1, "flow"), (0, 1, 0, "flow"), (1, 0, 1, "anti")} <= found


def test_a_value_that_changes_while_a_copy_is_used_is_copied():
    values = values_of(
        [
            op("adds", ("%x",), (1, "%k")),
            op("adds", ("%y",), (0, "%x")),
            op("adds", ("%x",), (2, "%k"), guard="%c"),
            op("add", ("%z",), ("%x", "%y")),
            op("st8", (), ("%p", "%z")),
        ]
    )
    assert operands(values)[3] == ["%x.1", "%y.2"]


def test_every_access_gets_its_own_pointer():
    own = give_own_pointers(
        [
            op("ld8", ("%x",), ("%p",)),
            op("st8", (), ("%p", "%x")),
            op("adds", ("%p",), (8, "%p")),
        ],
        fresh,
    )
    assert own.copies == {"%p.1": "%p"}
    assert [i.operands for i in own.code] == [("%p", 8), ("%p.1", "%x", 8)]


def test_a_pointer_that_is_read_otherwise_keeps_its_step():
    code = [
        op("ld8", ("%x",), ("%p",)),
        op("add", ("%y",), ("%x", "%p")),
        op("adds", ("%p",), (8, "%p")),
    ]
    assert give_own_pointers(code, fresh).code == tuple(code)


def test_guards_of_effects_come_from_unconditional_compares():
    values = values_of(
        [
            op("cmp.lt", ("%q", "%!q"), ("%x", "%k")),
            op("st8", (), ("%p", "%x"), guard="%q"),
        ]
    )
    compare, store = guard_iterations(values, fresh).nodes
    assert (compare.operation.name, compare.guard) == ("cmp.lt.unc", VALID)
    assert store.guard == Use(compare.results[0], 0)


def test_guards_from_outside_become_conjunctions():
    values = values_of([op("st8", (), ("%p", "%x"), guard="%c")])
    guarded = guard_iterations(values, fresh)
    compare, store = guarded.nodes
    assert guarded.numbers == {"%c": "%c.1"}
    assert (compare.operation.name, compare.guard) == ("cmp.eq.unc.imm", VALID)
    assert compare.operands == (0, "%c.1")
    assert store.guard == Use(compare.results[1], 0)


def test_guards_of_the_iteration_before_become_conjunctions():
    values = values_of(
        [
            op("st8", (), ("%p", "%x"), guard="%q"),
            op("cmp.lt", ("%q", "p0"), ("%x", "%k")),
        ]
    )
    nodes = guard_iterations(values, fresh).nodes
    assert [node.operation.name for node in nodes] == [
        "adds", "adds", "cmp.eq.unc.imm", "st8", "cmp.lt",
    ]  # fmt: skip
    assert nodes[1].guard == Use(nodes[4].results[0], 1)


WHILE = [op("cmp.lt", ("%more", "p0"), ("%x", "%k"))]


def test_in_a_while_loop_effects_wait_for_the_condition_and_the_rest_does_not():
    values = values_of(
        [
            op("ld8", ("%x",), ("%p",)),
            op("adds", ("%y",), (1, "%x")),
            op("st8", (), ("%q", "%y")),
        ],
        end=WHILE,
    )
    nodes = guard_iterations(values, fresh).nodes
    assert [node.guard for node in nodes] == [VALID, None, VALID, VALID]
    graph = loop_graph(nodes, values.condition, {}, MACHINE)
    control = {(a.source, a.target, a.omega) for a in graph.arcs if a.kind == "control"}
    assert control == {(3, 0, 1), (3, 2, 1), (3, 3, 1)}


def test_a_condition_that_the_next_iteration_reads_is_refused():
    with pytest.raises(NotPipelinedError, match="read by the next iteration"):
        values_of([op("adds", ("%x",), (1, "%x"), guard="%more")], end=WHILE)


def test_memory_arcs_are_what_was_found_of_the_accesses():
    code = [op("ld8", ("%x",), ("%p",)), op("st8", (), ("%q", "%x"))]
    code[0].attributes["access"], code[1].attributes["access"] = 1, 2
    nodes = values_of(code).nodes

    def memory(loop_distances) -> set[tuple[int, int, int]]:
        arcs = loop_graph(nodes, None, loop_distances, MACHINE).arcs
        return {(a.source, a.target, a.omega) for a in arcs if a.kind == "memory"}

    assert memory({}) == {(0, 1, 0), (1, 0, 1)}
    assert memory({(1, 2): None, (2, 1): 3}) == {(1, 0, 3)}
