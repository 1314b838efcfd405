"""Graphs as text, DOT and JSON: what is written says the graph, and what is read is as written."""

from __future__ import annotations

import json
import re
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.levels.arrays.drawing import dot_of, json_of
from compiler.levels.arrays.operations.names import CALLS, STRUCTURES
from compiler.levels.arrays.operations.scalars import Constant, Row, scalar_rows
from compiler.levels.arrays.operations.structural import MakeTuple
from compiler.levels.arrays.parsing import parse_graph
from compiler.levels.arrays.printing import print_graph
from compiler.levels.arrays.table import Graph
from compiler.levels.arrays.types import Array, Function, Tuple
from compiler.levels.arrays.verify import verify_graph
from machines.diagnostics import InputError, Location
from machines.types import F32, F64, I1, I8, I64
from tests.campaign.seeds import short_form
from tests.compiler.levels.arrays.every_operation import (
    EXAMPLES,
    graph_of,
    operation_classes,
    random_graph,
)

MEAN = """\
func mean(arr: f32[:]) -> f32 {
    s1 = const.f32 0.0
    s2 = reduce[add.f32](s1, arr): f32
    s3 = length(arr): i64
    s4 = float_s.i64.f32(s3): f32
    s5 = div.f32(s2, s4): f32
    return s5
}
"""
NESTED = (
    MEAN
    + """
func means(rows: f32[:][:], x: f32) -> f32[:] {
    s7 = lambda (row: f32[:]) -> f32 {
        s1 = reduce[add.f32](x, row): f32
        s4 = lambda (x.2: f32) -> f32 {
            s2 = const.f32 2.0
            s3 = fma.f32(x.2, s2, s1): f32
            return s3
        }
        s5 = map(s4, row): f32[:]
        s6 = apply(@mean, s5): f32
        return s6
    }
    s8 = map(s7, rows): f32[:]
    return s8
}
"""
)
BACK_TO_BACK = "func a(x: f32) -> f32 { return x }\nfunc b() -> (f32) -> f32 { return @a }"


def same(graph: Graph) -> str:
    """The text of a graph, which reads and prints as itself."""
    text = print_graph(graph)
    again = parse_graph(text)
    assert print_graph(again) == text
    assert verify_graph(again) == []
    return text


def error(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_graph(text, "bad.graph")
    return str(caught.value)


@pytest.mark.parametrize("text", [MEAN, NESTED])
def test_text_as_it_is_shown(text):
    assert print_graph(parse_graph(text)) == text


@pytest.mark.parametrize("cls", operation_classes(), ids=lambda cls: cls.__name__)
def test_every_operation_class(cls):
    same(graph_of([cls]))


def test_every_named_operation_is_in_an_example():
    text = same(graph_of(operation_classes()))
    for name in [*STRUCTURES, *CALLS]:
        assert f" = {name}(" in text
    assert set(EXAMPLES) == set(operation_classes())


def test_every_row():
    graph = Graph()
    for name, row in scalar_rows().items():
        parameters = [graph.parameter("a", operand.kind) for operand in row.reads]
        graph.function(parameters, graph.add(Row(name), *parameters), name)
    assert same(graph).count("func ") == len(scalar_rows())


@pytest.mark.parametrize("seed", short_form(range(300), 46))
def test_random_lambdas(seed):
    graph = random_graph(seed)
    assert verify_graph(graph) == []
    same(graph)


def test_literals():
    graph = Graph()
    odd = struct.pack("<q", -1)
    values = [
        *(graph.constant(v, F32) for v in (0.1, 3.4e38, 1e-45, float("inf"), -float("inf"))),
        *(graph.constant(v, F64) for v in (float("nan"), 0.1, 5e-324)),
        graph.add(Constant(float("nan"), F64, odd)),
        *(graph.constant(v, I64) for v in (-(2**63), 2**63 - 1)),
        graph.constant(255, I8),
        graph.constant(1, I1),
    ]
    graph.function([], graph.add(MakeTuple(), *values), "literals")
    text = same(graph)
    assert "const.f64 nan\n" in text and "const.f64 nan(0xffffffffffffffff)\n" in text
    assert "const.i8 -1\n" in text
    held = {node.operation for node in parse_graph(text).nodes}
    assert {graph[v].operation for v in values} <= held


def test_types():
    graph = Graph()
    f = graph.parameter("f", Function((Array(F32), Tuple(())), Function((), I1)))
    t = graph.parameter("t", Array(Tuple((Array(Array(I8)), Tuple((F32,))))))
    graph.function([f, t], t, "types")
    assert "(f: (f32[:], tuple[]) -> () -> i1, t: tuple[i8[:][:], tuple[f32]][:])" in same(graph)


def test_only_what_roots_reach():
    graph = parse_graph(NESTED + BACK_TO_BACK)
    assert print_graph(graph, [graph.functions["mean"]]) == MEAN
    assert print_graph(graph, [graph.functions["means"]]) == NESTED
    assert print_graph(Graph()) == ""


def test_a_part_of_a_function_is_a_function_of_what_it_depends_on():
    graph = parse_graph(NESTED)
    (part,) = [s for s in range(1, len(graph) + 1) if str(graph[s].operation) == "fma.f32"]
    text = print_graph(graph, [part])
    assert text.startswith("func value(x: f32, row: f32[:], x.2: f32) -> f32 {\n")
    assert print_graph(parse_graph(text)) == text


def test_names_that_text_does_not_allow():
    graph = Graph()
    for name in ("s1", "no name", "2", "naïve", "return", "lambda", "nan", "inf", "func"):
        own = graph.parameter(name, F32)
        graph.function([own], graph.add(Row("neg.f32"), own), name)
    text = same(graph)
    assert "func s1.2(s1.2: f32)" in text and "func no_name(no_name: f32)" in text


def test_a_function_of_two_names_and_one_that_is_not_closed():
    graph = parse_graph(BACK_TO_BACK)
    graph.functions["c"] = graph.functions["a"]
    x, y = graph.parameter("x", F32), graph.parameter("y", F32)
    graph.function([y], graph.add(Row("add.f32"), x, y), "part")
    text = same(graph)
    assert [line.split("(")[0] for line in text.splitlines() if line.startswith("func")] == [
        "func a", "func c", "func b", "func part",
    ]  # fmt: skip
    assert "func part(x: f32) -> (f32) -> f32 {" in text and "return @a" in text


def test_names_end_with_their_body():
    one = "s1 = lambda (y: f32) -> f32 { z = neg.f32(y) return z }"
    other = "s2 = lambda (y: f32) -> f32 { z = abs.f32(y) return z }"
    assert "abs.f32" in same(
        parse_graph(f"func f(x: f32) -> f32 {{ {one} {other} s3 = apply(s2, x) return s3 }}")
    )
    said = error(f"func f(x: f32) -> f32 {{ {one} return z }}")
    assert "'z' is not defined here" in said
    said = error("func f(x: f32) -> f32 { return x } func g() -> f32 { return x }")
    assert "'x' is not defined here" in said


def test_no_name_is_reserved():
    names = ("return", "lambda", "func", "const.f32", "nan", "tuple", "neg.f32")
    text = "func func(x: f32) -> f32 {\n"
    for name, before in zip(names, ("x", *names), strict=False):
        text += f"{name} = neg.f32({before})\n"
    assert same(parse_graph(text + "return neg.f32 }")).count("neg.f32") == len(names)


def test_lambdas_that_nest_deep():
    lines = [f"s{n} = lambda (x{n}: f32) -> f32 {{" for n in range(90)]
    text = "func f() -> (f32) -> f32 {" + "".join(lines) + "return x0 }"
    for n in reversed(range(89)):
        text += f" t{n} = apply(s{n + 1}, x{n}) return t{n} }}"
    same(parse_graph(text + " return s0 }"))


def test_places():
    graph = parse_graph(NESTED, "file.graph")
    by_name = {str(node.operation): node.location for node in graph.nodes}
    assert by_name["length"] == Location("file.graph", 4, 10, 6)
    assert by_name["reduce[add.f32]"] == Location("file.graph", 12, 14, 15)
    assert by_name["fma.f32"] == Location("file.graph", 15, 18, 7)
    assert by_name["parameter x.2"] == Location("file.graph", 13, 22, 3)
    assert all(node.location for node in graph.nodes)


ERRORS = {
    "hello": "bad.graph:1:1: error: expected 'func', found 'hello'",
    "func f(x: f33) -> f32 { return x }": "there is no type 'f33'",
    "func f(x: f32) -> f32 { return y }": "'y' is not defined here",
    "func f(x: f32) -> f64 { return x }": "it returns f32, not f64",
    "func f(x: f32) -> f32 { s1 = ad.f32(x, x) return s1 }": "hint: did you mean 'add.f32'?",
    "func f(x: f32) -> f32 { s1 = reduce[ad.f32](x, x) return s1 }": "did you mean 'add.f32'?",
    "func f(x: f32) -> f32 { s1 = item(x) return s1 }": "says more in brackets",
    "func f(x: f32) -> f32 { s1 = add.f32(x) return s1 }": "takes 2 arguments, not 1",
    "func f(x: f32) -> f32 { s1 = neg.f32(x): f64 return s1 }": "its type is f32, not f64",
    "func f(x: f32) -> f32 { s1 = if(x) return s1 }": "if takes at least 3 arguments",
    "func f(x: f32) -> f32 { s1 = while.each[9](x, x) return s1 }": "takes at least 11",
    "func f(x: f32) -> f32 { s1 = apply(@f, x) return s1 }": "there is no function '@f' above",
    "func f(x: f32, x: f32) -> f32 { return x }": "'x' is defined already, in line 1",
    "func f(x: i8) -> i8 { s1 = const.i8 256 return s1 }": "'256' does not fit i8",
    "func f(x: i8) -> i8 { s1 = const.i8 1.5 return s1 }": "'1.5' is no i8",
    "func f(x: f32) -> f32 { s1 = const.f32 1e99 return s1 }": "does not fit f32",
    "func f(x: f32) -> f32 { s1 = const.f32 nan(0x1) return s1 }": "not the bits of a NaN",
    "func f(x: f32) -> f32 {\n  return é }": "bad.graph:2:10: error: unexpected character 'é'",
    "func f(x: f32) -> f32 { x.2 = neg.f32(x) }": "expected 'return', found '}'",
    "func f(x: f32) -> f32 { return x": "found the end of the file",
    BACK_TO_BACK + "func a() -> f32 {": "there is a function 'a' already",
    f"func f(x: f32{'[:]' * 300}) -> f32 {{": "a type of more than 200 parts",
    f"func f(x: {'tuple[' * 300}": "nest deeper than 100",
    "func f(x: f32) -> f32 { s0 = tuple(x, x)"
    + "".join(f" t{n + 1} = tuple(t{n}, t{n})" for n in range(99)).replace("t0", "s0"): "200 parts",
    "func f(x: f32) -> f32 { s1 = " + "each." * 99 + "length(x)": "a word of 501 characters",
}


@pytest.mark.parametrize("text", ERRORS, ids=lambda text: ERRORS[text])
def test_errors(text):
    said = error(text)
    assert ERRORS[text] in said and said.startswith("bad.graph:")
    assert re.search(r"\n    .*\n    *\^", said)


WORDS = ["", " ", "\n", "@", "@mean", ":", ",", "=", "(", ")", "[", "]", "{", "}", "->", "-", "x",
         "func", "lambda", "return", "const.", "const.i1", "nan", "nan(0x1)", "-inf", "1e999", "0x",
         "99999999999999999999", "each.", "[:]", "tuple[", "item[", "s1", "s2", "s9", "apply",
         "map(", "replicate", "while.each[3]", "f64", "ptr", "é", "\x00", "\u2028"]  # fmt: skip
SOURCES = [NESTED, print_graph(graph_of(operation_classes()))]


@pytest.mark.parametrize("examples", short_form([60, 400], 1))
def test_damaged_text(examples: int):
    @settings(max_examples=examples)
    @given(
        st.sampled_from(SOURCES),
        st.lists(
            st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(WORDS)),
            min_size=1,
            max_size=4,
        ),
    )
    def check(text, changes):
        for share, length, word in changes:
            place = int(share * len(text))
            text = text[:place] + word + text[place + length :]
        try:
            graph = parse_graph(text)
        except InputError as refused:
            assert refused.diagnostics[0].location and str(refused)
            return
        if not verify_graph(graph):
            same(graph)

    check()


def test_text_that_ends_anywhere_or_lacks_a_character():
    for place in range(len(NESTED)):
        for text in (NESTED[:place], NESTED[:place] + NESTED[place + 1 :]):
            try:
                parse_graph(text)
            except InputError as refused:
                assert refused.diagnostics[0].location


def test_dot_declares_what_it_connects():
    """There need be no Graphviz: its braces match, and each edge ends at nodes that are there."""
    for graph in (graph_of(operation_classes()), parse_graph(NESTED), random_graph(5)):
        lines = dot_of(graph).splitlines()
        assert lines[0] == "digraph graph_program {" and lines[-1] == "}"
        opened = [line for line in lines if line.endswith("{")]
        assert len(opened) == len([line for line in lines if line.strip() == "}"])
        clusters = [line.split()[1] for line in opened[1:]]
        assert len(set(clusters)) == len(clusters)
        nodes = re.findall(r"^ +(\w+) \[label=", "\n".join(lines), re.M)
        assert len(set(nodes)) == len(nodes)
        edges = re.findall(r"^ +(\w+) -> (\w+)(?: \[[^]]*\])?;$", "\n".join(lines), re.M)
        assert edges and {end for edge in edges for end in edge} <= set(nodes)


def test_dot_has_a_cluster_for_each_lambda():
    assert dot_of(parse_graph(NESTED)).count("subgraph") == 4


def test_json_is_the_table():
    graph = parse_graph(NESTED, "file.graph")
    data = json.loads(json.dumps(json_of(graph)))
    assert list(data["functions"]) == ["mean", "means"]
    mean = data["functions"]["mean"]
    assert data["table"][mean["result"]] == {
        "operation": "div.f32",
        "arguments": ["s3", "s5"],
        "type": "f32",
        "place": "file.graph:6:10",
    }
    assert data["table"][mean["parameters"][0]]["name"] == "arr"
    assert data["table"][mean["symbol"]]["parameters"] == mean["parameters"]
    assert len(data["table"]) == len(graph)
    assert set(json_of(graph, [graph.functions["mean"]])["functions"]) == {"mean"}
