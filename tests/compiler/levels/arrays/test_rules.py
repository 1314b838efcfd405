"""Every terminal has a vectorization rule; damaged files of rules; too few arguments."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.operations.calls import (
    Apply,
    Fold,
    FoldEach,
    If,
    Lambda,
    Map,
    While,
    WhileEach,
)
from compiler.levels.arrays.operations.hierarchy import (
    EQUAL_INDICES,
    NEGATIVE,
    OUT_OF_RANGE,
    UNEQUAL,
    GraphFault,
    IllTyped,
    Operation,
    Terminal,
)
from compiler.levels.arrays.operations.indexed import Gather, Scatter
from compiler.levels.arrays.operations.scalars import Constant, Parameter
from compiler.levels.arrays.operations.structural import Length
from compiler.levels.arrays.rewriting import Rewriter, RuleBase
from compiler.levels.arrays.rule_reader import parse_rules
from compiler.levels.arrays.table import Graph
from compiler.levels.arrays.types import Array, Function, GraphType
from compiler.levels.arrays.vectorize import RULES, default_rules, vectorize
from compiler.levels.arrays.verify import verify_graph
from machines.diagnostics import InputError
from machines.types import F32, I1, I64
from tests.compiler.levels.arrays.every_operation import EXAMPLES, GIVEN, operation_classes
from tests.programs.lane_judge import bits

LANES: list[dict[str, Any]] = [
    {"x": 1.5, "n": 1, "p": 1, "xs": [1.0, 2.0], "ns": [1, 0], "mask": [1, 0],
     "rows": [[1.0], []]},
    {"x": 0.25, "n": 2, "p": 0, "xs": [0.5, -0.0, 4.0], "ns": [2, 0, 1], "mask": [0, 1, 1],
     "rows": [[], [2.0, 3.0], [1.0]]},
    {"x": 0.5, "n": 0, "p": 1, "xs": [3.0], "ns": [0], "mask": [1], "rows": [[0.5]]},
]  # fmt: skip
"""Values for which most operations do not fault; where one does, so must its version."""
DAMAGES = 400
ALONG = "length_of_each"


def of_class(cls: type) -> Graph:
    """A program whose only function is the class's example."""
    graph = Graph()
    given = {name: graph.parameter(name, type) for name, type in GIVEN.items()}
    graph.function(list(given.values()), EXAMPLES[cls](graph, given), "f")
    return graph


def outcome(run: Callable[[], Any]) -> Any:
    """What a run gives, in bits, or the fault's kind."""
    try:
        return bits(run())
    except GraphFault as fault:
        return fault.kind


@pytest.mark.parametrize("rewrites", [True, False])
@pytest.mark.parametrize("cls", operation_classes(), ids=lambda cls: cls.__name__)
def test_every_class_is_vectorized(cls: type, rewrites: bool):
    graph = of_class(cls)
    if isinstance(graph[graph.functions["f"]].type.result, Function):
        return  # a lambda is no value
    try:
        made = vectorize(graph, "f", list(GIVEN), rewrites=rewrites)
    except InputError as error:
        assert cls in (WhileEach, FoldEach), error
        assert str(error).count("error:") == 1 and "hint:" in str(error)
        return
    assert verify_graph(made.graph) == []
    for lanes in ([LANES[0]], [LANES[1]], [LANES[2]], LANES, []):
        columns = [[lane[name] for lane in lanes] for name in GIVEN]
        found = outcome(lambda c=columns: evaluate(made.graph, made.function, c))
        each = [
            outcome(lambda v=lane: evaluate(graph, graph.functions["f"], [*v.values()]))
            for lane in lanes
        ]
        faults = {one for one in each if one in KINDS}
        if faults:
            assert found in faults
        else:
            assert found == outcome(lambda e=lanes: [
                evaluate(graph, graph.functions["f"], [*lane.values()]) for lane in e
            ])  # fmt: skip


KINDS = ("division by zero", OUT_OF_RANGE, EQUAL_INDICES, UNEQUAL, NEGATIVE)


def test_without_a_rule():
    text = "@function\ndef f(x: f32) -> f32:\n    return x + x\n"
    with pytest.raises(InputError) as error:
        vectorize(read_functions(text, "f.py"), "f", ["x"], RuleBase())
    assert str(error.value).startswith("f.py:3:12: error: no vectorization rule for 'add.f32'")
    assert "@vectorize(add(*a))" in str(error.value)


@pytest.mark.parametrize("cls", operation_classes(), ids=lambda cls: cls.__name__)
def test_no_class_works_without_a_rule(cls: type):
    if cls in (Parameter, Constant) or not issubclass(cls, Terminal):
        return
    with pytest.raises(InputError, match="no vectorization rule for '"):
        vectorize(of_class(cls), "f", list(GIVEN), RuleBase())


def damaged(text: str, choose: random.Random) -> str:
    """A text with a few parts missing, doubled, or replaced by others of it."""
    for _ in range(choose.randrange(1, 4)):
        at, other = choose.randrange(len(text)), choose.randrange(len(text))
        length = choose.choice([1, 1, 2, 5, 20])
        new = choose.choice(["", text[other : other + length], *"()*,:=@.é\0\n0'", "each.", "é("])
        text = text[:at] + new + text[at + length :]
    return text


@pytest.mark.parametrize("file", ["vectorization.py", "rewrites.py", "mine"])
def test_damaged_files_are_refused(file: str):
    text = Path(RULES / file).read_text() if file != "mine" else MINE
    refused = 0
    program = "@function\ndef f(x: f32, y: f32) -> f32:\n    return x * 1.0 + x * y - 0.0\n"
    for seed in range(DAMAGES):
        broken = damaged(text, random.Random(seed))
        try:
            base = parse_rules(broken, "r.py")
            vectorize(read_functions(program, "f.py"), "f", ["x"], base)
        except InputError as error:
            refused += 1
            assert str(error)
    assert refused > DAMAGES // 4


MINE = """
@primitive
def hypot2(x: f32, y: f32) -> f32:
    return x * x + y * y


@vectorize(terminal(*a))
def every(*a):
    return each(*a)


@rewrite(hypot2(x, 0.0))
def hypot2_of_one(x):
    return x * x
"""


@pytest.mark.parametrize(
    "text, place",
    [
        ("@rewrite(" + "add(" * 3000 + "x" + ", 0)" * 3000 + ")\ndef r(x):\n    return x\n", 1),
        ("x = 1\n", 1),
        ("import os\n", 1),
        ("@rewrite(x + 0)\ndef r(x):\n    pass\n", 2),
        ("@rewrite((r := x) + 0)\ndef r(x):\n    return x\n", 1),
        ("@rewrite(each(*replicate()))\ndef r(x):\n    return x\n", 1),
        ("@rewrite(uniform(x))\ndef r(x):\n    return x\n", 1),
        ("@vectorize(uniform(0))\ndef r(x):\n    return x\n", 1),
        ("@rewrite(x + y, x=3)\ndef r(x):\n    return fma(x, y)\n", 1),
    ],
)
def test_one_message(text: str, place: int):
    with pytest.raises(InputError) as error:
        parse_rules(text, "r.py")
    assert str(error.value).startswith(f"r.py:{place}:")
    assert str(error.value).count("error:") == 1 and "hint:" in str(error.value)


UNARY = Function((Array(F32),), Array(I1))


@pytest.mark.parametrize(
    "operation",
    [Lambda((), ()), Apply(), If(), While(), Map(), Fold(),
     WhileEach(), WhileEach(5), FoldEach(), FoldEach(5)],
    ids=str,
)  # fmt: skip
def test_too_few_arguments_are_ill_typed(operation: Operation):
    wrong = 0
    given: tuple[GraphType, ...] = (I1, UNARY, UNARY, I64)
    for count in range(4):
        for arguments in (given[:count], given[1 : 1 + count]):
            try:
                operation.result(arguments)
            except IllTyped:
                wrong += 1
    assert wrong >= 4


def chained(count: int) -> str:
    """A function with many operations behind each other, two of which ask how many lanes there
    are."""
    steps = "".join(f"    x = x * {n % 5 + 2} + y\n" for n in range(count))
    body = f"{steps}    z = x * 0\n{steps}    return x * 0 + z + y\n"
    return f"@function\ndef f(x: i64, y: i64) -> i64:\n{body}"


def test_lengths_of_long_chains():
    """What is passed on along a chain ends at one node, for whoever asks, and no node between."""
    graph = read_functions(chained(1000), "f.py")
    made = vectorize(graph, "f", ["x", "y"])
    assert evaluate(made.graph, made.function, [[1, 2], [3, 4]]) == [3, 4]
    passed = [new for step in made.steps for rule, _, new in step.rewrites if rule == ALONG]
    operations = {made.graph[new].operation for new in passed}
    assert len(passed) >= 2000 and len(set(passed)) == 1 and operations == {Length()}


IN_ITSELF = """
@rewrite(scatter(xs, k, ys))
def other(xs, k, ys):
    return gather(xs, k)

@rewrite(gather(xs, iota(length(xs))))
def all_of_it(xs):
    return xs

@rewrite(gather(xs, k))
def itself(xs, k):
    return gather(gather(xs, k), iota(length(gather(xs, k))))

@rewrite(iota(n))
def the_same(n):
    return iota(n)
"""


@pytest.mark.parametrize("operation", [Gather(), Scatter()], ids=str)
def test_rules_whose_term_has_what_they_match(operation: Operation):
    """A node stands for itself while it is rewritten, also where another rule made it."""
    rewriter = Rewriter(parse_rules(IN_ITSELF, "r.py").before(default_rules()).rewrites)
    graph = Graph(rewrite=rewriter)
    xs, k = (graph.parameter(name, Array(I64)) for name in ("xs", "k"))
    made = graph.add(operation, xs, k, k) if operation == Scatter() else graph.add(operation, xs, k)
    assert graph[made].operation == Gather() and graph[made].arguments == (xs, k)
    used = [rule for rule, _, _ in rewriter.used]
    assert used.count("itself") == used.count("all_of_it") == used.count("the_same") == 1
    assert rewriter.open == []


@pytest.mark.parametrize(
    "rule",
    [
        "@rewrite(x * y, where=integer(x))\ndef endless(x, y):\n    return (x + y) * y\n",
        "@rewrite(iota(n))\ndef endless(n):\n    return iota(n + 1)\n",
    ],
)
def test_rules_without_an_end_are_named(rule: str):
    """One that adds its node within others, and one whose node is the whole term."""
    text = "@function\ndef f(x: i64, n: i64) -> i64:\n    return x * [n for i in range(n)][0]\n"
    base = parse_rules(rule, "r.py").before(default_rules())
    with pytest.raises(InputError) as error:
        vectorize(read_functions(text, "f.py"), "f", ["x"], base)
    message = str(error.value)
    assert message.startswith("r.py:2:") and "'endless' does not come to an end" in message
