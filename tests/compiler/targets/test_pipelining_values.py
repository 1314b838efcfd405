"""Loop bodies as values, their guards and their graph."""

from __future__ import annotations

import pytest

from compiler.targets.epic.pipelining.loop_body import (
    LoopBody,
    NotPipelinedError,
    read_loop,
    surroundings,
)
from compiler.targets.epic.pipelining.loop_graph import loop_graph
from compiler.targets.epic.pipelining.loop_values import LoopValues, loop_values
from compiler.targets.epic.pipelining.nodes import VALID, Use
from compiler.targets.epic.pipelining.pointers import give_own_pointers
from compiler.targets.epic.pipelining.stage_predicates import guard_iterations
from machines.description.load import load_machine
from tests.compiler.code_of_lines import code, instructions

MACHINE = load_machine("itanium2").description
COUNT = [
    "%n = adds -1, %n",
    "p0, %more = cmp.eq.imm 0, %n",
]


def fresh(name: str) -> str:
    return f"{name}.1"


def loop_of(body: list[str], reading: tuple[str, ...] = (), end=COUNT) -> LoopBody:
    """A loop that counts, unless it ends otherwise, and what reads registers after it."""
    after = [f"%after{k} = adds 0, {name}" for k, name in enumerate(reading)]
    stores = [f"st8 %after{k}, %after{k}" for k in range(len(after))]
    function = code(
        "ia64",
        entry=["%n = adds 7, r0"],
        loop=[*body, *end, "@%more br.cond 0, loop"],
        done=[*after, *stores, "br.ret 0, b0"],
    )
    return read_loop(function, function.blocks["loop"], 1, surroundings(function))


def values_of(body: list[str], reading: tuple[str, ...] = (), end=COUNT) -> LoopValues:
    return loop_values(loop_of(body, reading, end))


def shown(value: object) -> str:
    """A read: x.1, or x.1@2 for the value of two iterations before."""
    if not isinstance(value, Use):
        return str(value)
    return f"{value.web.name}@{value.omega}" if value.omega else value.web.name


def operands(values: LoopValues) -> list[list[str]]:
    return [[shown(value) for value in node.operands] for node in values.nodes]


def test_a_counter_that_nothing_else_reads_counts():
    loop = loop_of(["%x = adds 1, %x"])
    assert loop.counter == "%n"
    assert len(loop.code) == 1


@pytest.mark.parametrize("code", [["%x = add %n, %x"], ["@%more %x = adds 1, %x"]])
def test_a_counter_that_is_read_does_not(code):
    assert loop_of(code).counter is None


def test_a_counter_that_is_read_after_the_loop_does_not():
    assert loop_of(["%x = adds 1, %x"], ("%n",)).counter is None


def test_values_of_the_iteration_before():
    values = values_of(["%s = add %s, %k"], ("%s",))
    (node,) = values.nodes
    web = node.results[0]
    assert node.operands == (Use(web, 1), "%k")
    assert web.initial == {1: "%s"}
    assert values.final == {"%s": Use(web, 0)}


def test_copies_reach_over_several_iterations():
    values = values_of(
        [
            "%sum = add %a, %b",
            "%a = adds 0, %b",
            "%b = adds 0, %sum",
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
            "%t = adds 0, %a",
            "%a = adds 0, %b",
            "%b = adds 0, %t",
        ],
        ("%a", "%b"),
    )
    assert 1 <= len(values.nodes) <= 3
    assert {web.initial[1] for web in {n.results[0] for n in values.nodes}} <= {"%a", "%b", "%t"}


def test_two_copies_of_a_value_begin_differently():
    values = values_of(
        [
            "%x = add %a, %b",
            "%a = adds 0, %x",
            "%b = adds 0, %x",
        ]
    )
    assert len(values.nodes) == 2  # one of them is made


def test_a_guarded_write_updates_the_value_of_its_iteration():
    values = values_of(
        [
            "%x = adds 1, %k",
            "@%c %x = adds 2, %k",
            "st8 %p, %x",
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
    values = values_of(["@%c %x = adds 1, %x", "st8 %p, %x"], ("%x",))
    assert values.nodes[0].results == ("%x",)
    assert values.final == {}
    graph = loop_graph(values.nodes, None, {}, MACHINE)
    found = {(a.source, a.target, a.omega, a.kind) for a in graph.arcs}
    assert {(0, 0, 1, "flow"), (0, 1, 0, "flow"), (1, 0, 1, "anti")} <= found


def test_a_value_that_changes_while_a_copy_is_used_is_copied():
    values = values_of(
        [
            "%x = adds 1, %k",
            "%y = adds 0, %x",
            "@%c %x = adds 2, %k",
            "%z = add %x, %y",
            "st8 %p, %z",
        ]
    )
    assert operands(values)[3] == ["%x.1", "%y.2"]


def test_every_access_gets_its_own_pointer():
    body = instructions("ia64", "%x = ld8 %p", "st8 %p, %x", "%p = adds 8, %p")
    own = give_own_pointers(body, fresh)
    assert own.copies == {"%p.1": "%p"}
    assert [i.operands for i in own.code] == [("%p", 8), ("%p.1", "%x", 8)]


def test_a_pointer_that_is_read_otherwise_keeps_its_step():
    body = instructions("ia64", "%x = ld8 %p", "%y = add %x, %p", "%p = adds 8, %p")
    assert give_own_pointers(body, fresh).code == tuple(body)


def test_guards_of_effects_come_from_unconditional_compares():
    values = values_of(
        [
            "%q, %!q = cmp.lt %x, %k",
            "@%q st8 %p, %x",
        ]
    )
    compare, store = guard_iterations(values, fresh).nodes
    assert (compare.operation.name, compare.guard) == ("cmp.lt.unc", VALID)
    assert store.guard == Use(compare.results[0], 0)


def test_guards_from_outside_become_conjunctions():
    values = values_of(["@%c st8 %p, %x"])
    guarded = guard_iterations(values, fresh)
    compare, store = guarded.nodes
    assert guarded.numbers == {"%c": "%c.1"}
    assert (compare.operation.name, compare.guard) == ("cmp.eq.unc.imm", VALID)
    assert compare.operands == (0, "%c.1")
    assert store.guard == Use(compare.results[1], 0)


def test_guards_of_the_iteration_before_become_conjunctions():
    values = values_of(
        [
            "@%q st8 %p, %x",
            "%q, p0 = cmp.lt %x, %k",
        ]
    )
    nodes = guard_iterations(values, fresh).nodes
    assert [node.operation.name for node in nodes] == [
        "adds", "adds", "cmp.eq.unc.imm", "st8", "cmp.lt",
    ]  # fmt: skip
    assert nodes[1].guard == Use(nodes[4].results[0], 1)


WHILE = ["%more, p0 = cmp.lt %x, %k"]


def test_in_a_while_loop_effects_wait_for_the_condition_and_the_rest_does_not():
    values = values_of(
        [
            "%x = ld8 %p",
            "%y = adds 1, %x",
            "st8 %q, %y",
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
        values_of(["@%more %x = adds 1, %x"], end=WHILE)


def test_memory_arcs_are_what_was_found_of_the_accesses():
    nodes = values_of(["%x = ld8 %p {access: 1}", "st8 %q, %x {access: 2}"]).nodes

    def memory(loop_distances) -> set[tuple[int, int, int]]:
        arcs = loop_graph(nodes, None, loop_distances, MACHINE).arcs
        return {(a.source, a.target, a.omega) for a in arcs if a.kind == "memory"}

    assert memory({}) == {(0, 1, 0), (1, 0, 1)}
    assert memory({(1, 2): None, (2, 1): 3}) == {(1, 0, 3)}
