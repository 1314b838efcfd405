"""Loops: nest, ways in and out, irreducible regions, preheaders."""

from __future__ import annotations

from random import Random

import pytest

from compiler.analyses import loops as analysis
from compiler.analyses.control_flow import control_flow, reverse_postorder
from compiler.analyses.dominators import dominators_of_graph
from compiler.analyses.loops import Loop, _Graph, find_loops, loops
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.module import Function
from compiler.ir.printer import print_function
from compiler.rewriting.preheaders import preheaders
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from tests.compiler.graphs import Graph, random_graph, reached
from tests.programs.growing_programs import growing
from tests.programs.random_programs import Options, generate

ENTRY = "b0"


def nested() -> Graph:
    return {
        "entry": ("outer",),
        "outer": ("inner", "exit"),
        "inner": ("inner", "tail"),
        "tail": ("outer", "inner", "stop"),
        "stop": (),
        "exit": (),
        "dead": ("outer",),
    }


def test_a_loop_in_a_loop():
    found = find_loops("entry", nested())
    assert found.by_header == {
        "outer": Loop(
            header="outer",
            entries=("outer",),
            members=("outer", "inner", "tail"),
            latches=("tail",),
            entering=(("entry", "outer"),),
            exits=(("outer", "exit"), ("tail", "stop")),
            parent=None,
            children=("inner",),
            depth=1,
            preheader="entry",
        ),
        "inner": Loop(
            header="inner",
            entries=("inner",),
            members=("inner", "tail"),
            latches=("inner", "tail"),
            entering=(("outer", "inner"),),
            exits=(("tail", "outer"), ("tail", "stop")),
            parent="outer",
            children=(),
            depth=2,
            preheader=None,
        ),
    }
    assert found.depth == {"entry": 0, "outer": 1, "inner": 2, "tail": 2, "stop": 0, "exit": 0}
    assert found.of("tail").header == "inner" and found.of("entry") is None
    assert found.irreducible == ()


def test_a_region_of_two_entries_is_named():
    graph = {"a": ("b", "c"), "b": ("c", "b"), "c": ("d",), "d": ("c", "b", "e"), "e": ()}
    found = find_loops("a", graph)
    (region,) = found.irreducible
    assert region.header == "c"
    assert region.entries == ("c", "b")
    assert region.members == ("c", "d", "b")
    assert region.latches == ("d", "b")
    assert region.entering == (("a", "b"), ("a", "c"))
    assert region.exits == (("d", "e"),)
    assert region.preheader is None
    assert list(found.by_header) == ["c"]


def test_a_natural_loop_inside_an_irreducible_region():
    graph = {"a": ("b", "c"), "b": ("x",), "x": ("x", "c"), "c": ("b", "e"), "e": ()}
    found = find_loops("a", graph)
    assert [(loop.header, loop.entries, loop.parent) for loop in found.by_header.values()] == [
        ("c", ("c", "b"), None),
        ("x", ("x",), "c"),
    ]


def test_the_entry_may_head_a_loop():
    found = find_loops("a", {"a": ("b", "c"), "b": ("a",), "c": ()})
    assert found.by_header["a"].entering == ()
    assert found.by_header["a"].preheader is None


# Against the definition


def natural_loops(graph: Graph) -> dict[str, set[str]]:
    """By definition: a back edge goes to a block that dominates its source; the loop of a header is
    every block that reaches one of its back edges without passing the header.
    """
    blocks = reverse_postorder(ENTRY, graph)
    dominance = dominators_of_graph(ENTRY, graph)
    found: dict[str, set[str]] = {}
    for latch in blocks:
        for header in graph[latch]:
            if dominance.dominates(header, latch):
                body = {b for b in blocks if latch in reached(graph, b, without=header)}
                found.setdefault(header, {header}).update(body)
    return found


def strong_parts(graph: Graph, inside: set[str], cut: set[str]) -> list[set[str]]:
    """The strongly connected parts, by who reaches whom."""
    rest = {b: tuple(t for t in graph[b] if t in inside and t not in cut) for b in inside}
    ahead = {b: set().union(*(reached(rest, t) for t in rest[b])) for b in inside}
    parts = {frozenset(b for b in ahead[a] if a in ahead[b]) for a in inside if a in ahead[a]}
    return [set(part) for part in parts]


def forest(graph: Graph, inside: set[str], cut: set[str], depth: int = 1) -> dict[str, tuple]:
    """header -> (members, entries, depth), by the definition."""
    order = reverse_postorder(ENTRY, graph)
    found = {}
    for part in strong_parts(graph, inside, cut):
        sources = {b: {p for p in order if b in graph[p]} for b in part}
        entries = {b for b in part if b == ENTRY or sources[b] - part}
        header = min(entries, key=order.index)
        found[header] = (part, entries, depth)
        found |= forest(graph, part, entries, depth + 1)
    return found


def check(graph: Graph) -> None:
    found, order = find_loops(ENTRY, graph), reverse_postorder(ENTRY, graph)
    expected = forest(graph, set(order), set())
    got = {
        header: (set(loop.members), set(loop.entries), loop.depth)
        for header, loop in found.by_header.items()
    }
    assert got == expected
    for loop in found.by_header.values():
        inside = set(loop.members)
        assert loop.exits == tuple(
            (b, t) for b in order if b in inside for t in graph[b] if t not in inside
        )
        assert loop.entering == tuple(
            (b, t) for b in order if b not in inside for t in graph[b] if t in inside
        )
        assert set(loop.latches) == {b for b in inside if set(graph[b]) & set(loop.entries)}
        if loop.parent is None:
            assert loop.depth == 1
        else:
            assert loop.header in found.by_header[loop.parent].children
            assert inside < set(found.by_header[loop.parent].members)
        assert all(found.by_header[child].parent == loop.header for child in loop.children)
    for block in order:
        around = [loop for loop in found.by_header.values() if block in loop.members]
        assert found.depth[block] == len(around)
        innermost = min(around, key=lambda loop: len(loop.members), default=None)
        assert found.of(block) == innermost


def check_natural(graph: Graph) -> None:
    """Every natural loop is found, but for those headed by an entry of an irreducible region."""
    found = find_loops(ENTRY, graph)
    inside_regions = {entry for region in found.irreducible for entry in region.entries}
    for header, body in natural_loops(graph).items():
        if header not in inside_regions:
            assert set(found.by_header[header].members) == body
    if not found.irreducible:
        assert set(found.by_header) == set(natural_loops(graph))


@pytest.mark.parametrize("size", (1, 2, 3, 5, 8, 14))
def test_the_nest_is_that_of_its_definition(size):
    for seed in range(50):
        graph = random_graph(Random(seed), size)
        check(graph)
        check_natural(graph)


def test_natural_loops_are_found_in_one_walk(monkeypatch: pytest.MonkeyPatch):
    function = growing("loop_nest", 4000).functions["grow"]
    expected = _Graph(function.entry.name, control_flow(function).successors).any_loops()
    monkeypatch.setattr(analysis, "cyclic_components", None)  # what any graph is taken apart by
    found = loops(function)
    assert (list(found.by_header), found) == (list(expected.by_header), expected)
    assert max(found.depth.values()) == 300


def test_the_random_graphs_hold_what_they_should():
    graphs = [random_graph(Random(seed), 14) for seed in range(100)]
    found = [find_loops(ENTRY, graph) for graph in graphs]
    assert sum(bool(forest.irreducible) for forest in found) > 10
    assert sum(not forest.irreducible and len(forest.by_header) > 1 for forest in found) > 5
    assert any(region.depth > 1 for forest in found for region in forest.irreducible)
    assert any(region.children for forest in found for region in forest.irreducible)


# Preheaders


def only(text: str) -> Function:
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    return function


def made(text: str, header: str) -> list[str]:
    function = only(text)
    block = preheaders(function, [loops(function).by_header[header]])[header]
    assert loops(function).by_header[header].preheader == block.name
    return print_function(function).splitlines()[1:-1]


def test_the_ways_into_a_loop_are_joined():
    text = """
    func @f(n: i64, p: i1) -> i64 {
    entry:
        branch p, loop, other
    other:
        branch p, loop, done
    loop:
        i = phi.i64 [entry: 0, other: n, loop: j]
        k = phi.i64 [entry: 7, loop: i, other: 7]
        j = add.i64 i, k
        branch p, loop, done
    done:
        return n
    }
    """
    assert made(text, "loop") == [
        "entry:",
        "    branch p, loop.before.1, other",
        "other:",
        "    branch p, loop.before.1, done",
        "loop.before.1:",
        "    i.1 = phi.i64 [entry: 0, other: n]",
        "    jump loop",
        "loop:",
        "    i = phi.i64 [loop.before.1: i.1, loop: j]",
        "    k = phi.i64 [loop.before.1: 7, loop: i]",
        "    j = add.i64 i, k",
        "    branch p, loop, done",
        "done:",
        "    return n",
    ]


def test_a_block_that_only_goes_to_the_loop_is_taken():
    text = "func @f(p: i1) {\nentry:\n    jump b\nb:\n    branch p, b, c\nc:\n    return\n}\n"
    assert made(text, "b") == print_function(only(text)).splitlines()[1:-1]


def test_a_block_that_nothing_reaches_enters_like_others():
    """The header's phis then name the preheader and the latches only, as passes rely on."""
    text = """
    func @f(n: i64, p: i1) {
    entry:
        jump loop
    loop:
        i = phi.i64 [entry: 0, loop: j, lost: n]
        j = add.i64 i, 1
        branch p, loop, done
    done:
        return
    lost:
        jump loop
    }
    """
    lines = [line.strip() for line in made(text, "loop")]
    assert "i.1 = phi.i64 [entry: 0, lost: n]" in lines
    assert "i = phi.i64 [loop.before.1: i.1, loop: j]" in lines


def test_a_loop_that_begins_with_the_function_gets_a_new_entry():
    text = "func @f(p: i1) {\nb:\n    branch p, b, c\nc:\n    return\n}\n"
    assert made(text, "b")[:3] == ["b.before.1:", "    jump b", "b:"]


def test_an_irreducible_region_has_no_preheader():
    text = """
    func @f(p: i1) {
    a:
        branch p, b, c
    b:
        jump c
    c:
        jump b
    }
    """
    function = only(text)
    with pytest.raises(ValueError, match="the region of c, b has no single header"):
        preheaders(function, loops(function).irreducible)


def test_preheaders_change_nothing_that_can_be_seen():
    for seed in range(15):
        program = generate(seed, Options(size=30, unassigned=True))
        before = run(program)
        function = program.function
        natural = [loop for loop in loops(function).by_header.values() if not loop.is_irreducible]
        made = preheaders(function, natural)
        assert findings_of(program.module) == []
        assert list(made) == [loop.header for loop in natural]
        for header, block in made.items():
            assert loops(function).by_header[header].preheader == block.name
            assert control_flow(function).successors[block.name] == (header,)
        assert run(program) == before


def run(program) -> tuple:
    memory = memory_for(program.module, program.arguments)
    outcome = interpret(program.function, program.arguments, memory, limit=500_000)
    return outcome.status, repr(outcome.value), memory.bytes.tobytes()
